/* Election of a leader on a ring: see election.argos.
 *
 * spin: -o1 -o2 -o3
 * pan: -m200
 */
#ifndef N
#define N 11
#endif
#define SLOTS 2
#define NUMBER ((_pid * 3 + 1) % 16)
#define NEXT ring[(_pid + 1) % N]

mtype = { candidate, elected };

chan ring[N] = [SLOTS] of { mtype, byte };
byte leaders;

active [N] proctype node()
{
  byte other;

  NEXT!candidate(NUMBER);
  do
  :: ring[_pid]?candidate(other) ->
     if
     :: (other > NUMBER) -> NEXT!candidate(other)
     :: (other < NUMBER)
     :: (other == NUMBER) ->
        leaders++;
        assert(leaders == 1);
        NEXT!elected(NUMBER)
     fi
  :: ring[_pid]?elected(other) ->
     if
     :: (other == NUMBER) -> break
     :: (other != NUMBER) -> NEXT!elected(other); break
     fi
  od;
end_stopped:
  false  /* without this, leaving would be a further step */
}
