-- SPDX-License-Identifier: Apache-2.0
-- Philosophers and forks that are processes: see philosophers.argos.
const N : 5;

type
  Number : 0..N - 1;
  Asker : 0..N;  -- N: nobody

var
  asked : array [Number] of array [0..1] of Asker;  -- who asked first is in front
  returned, granted : array [Number] of boolean;
  philosopher : array [Number] of enum { choose, ask1, take1, ask2, take2, return1, return2 };
  fork : array [Number] of enum { free, grant, lent, forget };
  who : array [Number] of Number;

procedure ask(i : Number; asker : Number);
begin
  if asked[i][0] = N then asked[i][0] := asker; else asked[i][1] := asker; end;
end;

startstate begin
  for i : Number do
    asked[i][0] := N; asked[i][1] := N;
    returned[i] := false; granted[i] := false;
    philosopher[i] := choose; fork[i] := free; who[i] := 0;
  end;
end;

ruleset i : Number do
  alias right : (i + 1) % N do
  -- the philosopher; number 0 begins on the right
  rule philosopher[i] = choose ==>
  begin philosopher[i] := ask1; end;
  rule philosopher[i] = ask1 & asked[i = 0 ? right : i][1] = N ==>
  begin ask(i = 0 ? right : i, i); philosopher[i] := take1; end;
  rule philosopher[i] = take1 & granted[i] ==>
  begin granted[i] := false; philosopher[i] := ask2; end;
  rule philosopher[i] = ask2 & asked[i = 0 ? i : right][1] = N ==>
  begin ask(i = 0 ? i : right, i); philosopher[i] := take2; end;
  rule philosopher[i] = take2 & granted[i] ==>
  begin granted[i] := false; philosopher[i] := return1; end;
  rule philosopher[i] = return1 & !returned[i] ==>
  begin returned[i] := true; philosopher[i] := return2; end;
  rule philosopher[i] = return2 & !returned[right] ==>
  begin returned[right] := true; philosopher[i] := choose; end;

  -- the fork
  rule fork[i] = free & asked[i][0] != N ==>
  begin
    who[i] := asked[i][0]; asked[i][0] := asked[i][1]; asked[i][1] := N;
    fork[i] := grant;
  end;
  rule fork[i] = grant & !granted[who[i]] ==>
  begin granted[who[i]] := true; fork[i] := lent; end;
  rule fork[i] = lent & returned[i] ==>
  begin returned[i] := false; fork[i] := forget; end;
  rule fork[i] = forget ==>
  begin who[i] := 0; fork[i] := free; end;
  end;
end;
