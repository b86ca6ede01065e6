#define N 4

chan ring[N] = [2] of { byte };
byte leader;

active [N] proctype node()
{
  byte id, heard;
  atomic { id = (_pid * 3 + 2) % N + 1; ring[(_pid + 1) % N]!id };
end:
  do
  :: atomic {
       ring[_pid]?heard;
       if
       :: (heard > id) -> ring[(_pid + 1) % N]!heard
       :: (heard == id) -> leader = id
       :: (heard < id) -> id = id
       fi;
       heard = 0
     }
  od
}
