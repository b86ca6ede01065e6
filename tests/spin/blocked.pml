mtype = { m, n };
chan there = [1] of { mtype };
chan back = [1] of { mtype };
byte x, y;

active proctype left()
{
  do
  :: atomic { x = (x + 1) % 8; there!m; back?n; y = x }
  od
}

active proctype right()
{
  do
  :: atomic { there?m; x = (x + 3) % 8; (y != x) -> back!n; y = (y + x) % 8 }
  :: (y == x) -> y = (y + 1) % 8
  od
}
