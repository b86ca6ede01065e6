#define N 3

mtype = { call };
chan button = [0] of { mtype, byte };
byte called[N];

active proctype lift()
{
  byte floor, up, want;
  do
  :: button?call(want) -> called[want] = 1
  :: atomic {
       (floor < N) ->
       if
       :: (called[floor] == 1) -> called[floor] = 0
       :: else ->
          if
          :: (up == 1 && floor < N - 1) -> floor = floor + 1
          :: (up == 0 && floor > 0) -> floor = floor - 1
          :: else -> up = 1 - up
          fi
       fi
     }
  od
}

active [2] proctype guest()
{
  byte at;
  do
  :: atomic { button!call(at); at = (at + _pid) % N }
  od
}
