#define N 2

byte ticket[N];
byte inside;

active [N] proctype customer()
{
  byte j, most;
  do
  :: atomic {
       most = 0;
       j = 0;
       do
       :: (j < N) ->
          if
          :: (ticket[j] > most) -> most = ticket[j]
          :: else
          fi;
          j = j + 1
       :: else -> break
       od;
       (most < 4) -> ticket[_pid] = most + 1;
       j = 0;
       most = 0
     };
     do
     :: (j < N) ->
        atomic {
          (j == _pid || ticket[j] == 0 || ticket[_pid] < ticket[j] ||
           (ticket[_pid] == ticket[j] && _pid < j)) -> j = j + 1
        }
     :: else -> break
     od;
     inside = inside + 1;
     atomic { inside = inside - 1; ticket[_pid] = 0; j = 0 }
  od
}
