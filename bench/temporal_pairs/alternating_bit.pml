/* Blocks over a line that may lose them: see alternating_bit.argos. */
#ifndef NUMBERS
#define NUMBERS 2000
#endif

chan sent = [1] of { bit, short };
chan arrived = [1] of { bit, short };
chan answered = [1] of { bit };
chan back = [1] of { bit };

active proctype sender()
{
  short next;
  bit own, seen;

  do
  :: sent!own, next
  :: back?seen ->
     if
     :: (seen == own) -> own = 1 - own; next = (next + 1) % NUMBERS
     :: (seen != own) -> skip
     fi
  od
}

active proctype line()
{
  bit b;
  short number;

  do
  :: sent?b, number ->
     if
     :: arrived!b, number
     :: skip
     fi
  od
}

active proctype line_back()
{
  bit b;

  do
  :: answered?b ->
     if
     :: back!b
     :: skip
     fi
  od
}

active proctype receiver()
{
  bit b, wanted;
  short number, last = NUMBERS - 1;

  do
  :: arrived?b, number ->
     if
     :: (b == wanted) ->
        assert(number == (last + 1) % NUMBERS);
        last = number;
        wanted = 1 - wanted
     :: (b != wanted) -> skip
     fi;
     answered!b
  od
}
