/* A token goes round: see token_ring.argos. */
#ifndef N
#define N 4
#endif
#ifndef M
#define M 10
#endif

mtype = { token };

chan link[N] = [1] of { mtype };

active [N] proctype station()
{
  byte part;
  bit starts;

  do
  :: (_pid == 0 && starts == 0) -> starts = 1; link[1]!token
  :: link[_pid]?token -> part = 0; link[(_pid + 1) % N]!token
  :: (part < M - 1) -> part++
  od
}
