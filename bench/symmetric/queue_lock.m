-- SPDX-License-Identifier: Apache-2.0
-- A lock with a place for each to wait at: see queue_lock.argos.
const N : 3;

type
  Process : scalarset(N);
  Place : 0..N - 1;

var
  begun : boolean;
  open : array [Place] of boolean;
  next : Place;
  inside : 0..N;
  at : array [Process] of enum { outside, waiting, entered, leaving };
  mine : array [Process] of Place;

startstate begin
  begun := false;
  for place : Place do open[place] := false; end;
  next := 0;
  inside := 0;
  for i : Process do at[i] := outside; mine[i] := 0; end;
end;

rule !begun ==>
begin open[0] := true; begun := true; end;

ruleset i : Process do
  rule at[i] = outside ==>
  begin mine[i] := next; next := (next + 1) % N; at[i] := waiting; end;

  rule at[i] = waiting & open[mine[i]] ==>
  begin inside := inside + 1; open[mine[i]] := false; at[i] := entered; end;

  rule at[i] = entered ==>
  begin inside := inside - 1; at[i] := leaving; end;

  rule at[i] = leaving ==>
  begin open[(mine[i] + 1) % N] := true; mine[i] := 0; at[i] := outside; end;
end;

invariant "together" inside <= 1;
