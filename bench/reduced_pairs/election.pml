/* Election of a leader on a ring, as pairs/election.pml has it, with what SPIN's reduction wants to
 * know: every channel has one sender and one receiver.
 */
#ifndef N
#define N 11
#endif
#define SLOTS 2
#define NUMBER ((_pid * 3 + 1) % 16)

mtype = { candidate, elected };

chan ring[N] = [SLOTS] of { mtype, byte };
byte leaders;

active [N] proctype node()
{
  chan from = ring[_pid], to = ring[(_pid + 1) % N];
  byte other;

  xr from;
  xs to;
  to!candidate(NUMBER);
  do
  :: from?candidate(other) ->
     if
     :: (other > NUMBER) -> to!candidate(other)
     :: (other < NUMBER)
     :: (other == NUMBER) ->
        leaders++;
        assert(leaders == 1);
        to!elected(NUMBER)
     fi
  :: from?elected(other) ->
     if
     :: (other == NUMBER) -> break
     :: (other != NUMBER) -> to!elected(other); break
     fi
  od
}
