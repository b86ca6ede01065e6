mtype = { ask, answer };
chan request = [0] of { mtype, byte };
chan reply = [0] of { mtype, byte };
byte total;

active [2] proctype client()
{
  byte got;
  do
  :: atomic { got = (got + _pid + 1) % 8; request!ask(got); total = (total + 1) % 8 };
     reply?answer(got)
  od
}

active proctype server()
{
  byte asked;
  do
  :: atomic { request?ask(asked); asked = (asked + total) % 8; total = (total + 3) % 8 };
     reply!answer(asked);
     asked = 0
  od
}
