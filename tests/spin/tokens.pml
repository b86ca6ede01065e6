#define N 3

byte tokens[N];

active [N] proctype place()
{
  do
  :: if
     :: (tokens[_pid] > 1) -> tokens[_pid] = (tokens[_pid] + 3) % 4;
        tokens[(_pid + 1) % N] = (tokens[(_pid + 1) % N] + 1) % 4
     :: (tokens[_pid] == 3) -> tokens[_pid] = 0
     :: else -> tokens[_pid] = (tokens[_pid] + 1) % 4
     fi
  od
}
