/* A pipeline that sorts: see sort.argos. */
#ifndef N
#define N 8
#endif
#define NUMBER(k) (((k) * 5 + 3) % 32)

mtype = { number };

chan into[N + 1] = [1] of { mtype, byte };

active proctype source()
{
  byte sent;

  do
  :: (sent < N) -> into[0]!number(NUMBER(sent)); sent++
  :: (sent == N) -> break
  od
}

proctype stage(byte i)
{
  chan from = into[i], to = into[i + 1];
  byte kept, other, passed;

  xr from;
  xs to;
  from?number(kept);
  do
  :: (passed < N - 1 - i) ->
     from?number(other);
     if
     :: (other > kept) -> to!number(kept); kept = other
     :: (other <= kept) -> to!number(other)
     fi;
     passed++
  :: (passed == N - 1 - i) -> break
  od
}

init {
  byte k;

  atomic {
    do
    :: (k < N) -> run stage(k); k++
    :: (k == N) -> break
    od
  }
}
