mtype = { pass, close };
chan gate = [0] of { mtype, byte };
byte open, passed;

active [2] proctype keeper()
{
  do
  :: gate!pass(_pid) -> open = (open + 1) % 4
  :: atomic { (open > 1) -> open = 0; gate!close(open); open = 1 }
  od
}

active [2] proctype walker()
{
  byte by;
  do
  :: gate?pass(by) -> passed = (passed + by) % 4
  :: atomic { gate?close(_) -> passed = (passed + 1) % 4; by = 0 }
  od
}
