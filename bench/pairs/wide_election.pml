/* Election of a leader with longer messages: see wide_election.argos.
 *
 * spin: -o1 -o2 -o3
 * pan: -m300
 */
#define N 11
#define SLOTS 2
#define NUMBER ((_pid * 3 + 1) % 16)
#define NEXT ring[(_pid + 1) % N]

mtype = { candidate, elected };

chan ring[N] = [SLOTS] of { mtype, byte, byte, short };
byte leaders;

active [N] proctype node()
{
  byte other, hops;
  short weight;

  NEXT!candidate(NUMBER, 1, NUMBER * 2000);
  do
  :: ring[_pid]?candidate(other, hops, weight) ->
     if
     :: (other > NUMBER) -> NEXT!candidate(other, hops + 1, weight)
     :: (other < NUMBER)
     :: (other == NUMBER) ->
        leaders++;
        assert(leaders == 1 && hops == N && weight == NUMBER * 2000);
        NEXT!elected(NUMBER, 1, weight)
     fi
  :: ring[_pid]?elected(other, hops, weight) ->
     if
     :: (other == NUMBER) -> break
     :: (other != NUMBER) -> NEXT!elected(other, hops + 1, weight); break
     fi
  od;
end_stopped:
  false
}
