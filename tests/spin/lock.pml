byte free = 1, inside, rounds;

active [3] proctype user()
{
  do
  :: atomic { (free == 1) -> free = 0; inside++ };
     rounds = (rounds + 1) % 4;
     atomic { inside--; free = 1 }
  od
}
