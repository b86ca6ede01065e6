#define N 4

chan ring[N] = [0] of { byte };
byte leader;

active [N] proctype node()
{
  byte id, heard, sends = 1;
  id = (_pid * 3 + 2) % N + 1;
  heard = id;
end:
  do
  :: (sends == 1) -> ring[(_pid + 1) % N]!heard; sends = 0
  :: ring[_pid]?heard;
     if
     :: (heard > id) -> sends = 1
     :: (heard == id) -> leader = id
     :: (heard < id) -> heard = id
     fi
  od
}
