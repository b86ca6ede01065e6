/* A switch with one mailbox for N clients: see mailbox.argos. */
#ifndef N
#define N 4
#endif
#ifndef ROUNDS
#define ROUNDS 3
#endif

mtype = { request, answer };

chan mailbox = [N] of { mtype, byte };
chan answers[N] = [1] of { mtype };

active [N] proctype client()
{
  chan mine = answers[_pid];
  byte round;

  xr mine;
  do
  :: (round < ROUNDS) ->
     mailbox!request(_pid);
     mine?answer;
     round++
  :: (round == ROUNDS) -> break
  od
}

active proctype hub()
{
  byte who;

  xr mailbox;
end_waiting:
  do
  :: mailbox?request(who) -> answers[who]!answer
  od
}
