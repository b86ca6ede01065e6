/* Philosophers and forks that are processes: see philosophers.argos.
 *
 * spin: -o1 -o2 -o3
 * pan: -m1100000
 */
#ifndef N
#define N 5
#endif
#define RIGHT ((_pid + 1) % N)
#define FORK (_pid - N)

chan asked[N] = [2] of { byte };
chan returned[N] = [1] of { bit };
chan granted[N] = [1] of { bit };

active [N] proctype philosopher()
{
  do
  :: (_pid != 0) ->
     asked[_pid]!_pid; granted[_pid]?1;
     asked[RIGHT]!_pid; granted[_pid]?1;
     returned[_pid]!1;
     returned[RIGHT]!1
  :: (_pid == 0) ->
     asked[RIGHT]!_pid; granted[_pid]?1;
     asked[_pid]!_pid; granted[_pid]?1;
     returned[_pid]!1;
     returned[RIGHT]!1
  od
}

active [N] proctype fork()
{
  byte who;

  do
  :: asked[FORK]?who ->
     granted[who]!1;
     returned[FORK]?1;
     who = 0
  od
}
