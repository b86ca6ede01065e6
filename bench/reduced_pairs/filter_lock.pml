/* Mutual exclusion for N processes: see filter_lock.argos. */
#ifndef N
#define N 4
#endif

byte level[N], last[N], inside;

active [N] proctype user()
{
  byte at, k;

  do
  :: at = 1;
     do
     :: (at < N) ->
        level[_pid] = at;
        last[at] = _pid;
        k = 0;
        do
        :: (k < N && (k == _pid || level[k] < at || last[at] != _pid)) -> k++
        :: (k == N) -> break
        od;
        at++
     :: (at == N) -> break
     od;
     inside++;
     assert(inside == 1);
     inside--;
     level[_pid] = 0
  od
}
