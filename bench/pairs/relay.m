-- SPDX-License-Identifier: Apache-2.0
-- Relays in a row: see relay.argos.
const
  RELAYS : 3;
  SLOTS : 4;
  NUMBERS : 400;

type
  Number : 0..NUMBERS - 1;

var
  -- the oldest in front; places without a message hold 0
  stage : array [0..RELAYS] of array [0..SLOTS - 1] of Number;
  waiting : array [0..RELAYS] of 0..SLOTS;
  source : enum { send, advance };
  next : Number;
  relay : array [0..RELAYS - 1] of enum { receive, pass };
  number : array [0..RELAYS] of Number;  -- the last one is the goal's
  goal : enum { await, check, count };
  expected : Number;

procedure add(s : 0..RELAYS; n : Number);
begin
  stage[s][waiting[s]] := n;
  waiting[s] := waiting[s] + 1;
end;

procedure take(s : 0..RELAYS);
begin
  number[s] := stage[s][0];
  for i : 0..SLOTS - 2 do stage[s][i] := stage[s][i + 1]; end;
  stage[s][SLOTS - 1] := 0;
  waiting[s] := waiting[s] - 1;
end;

startstate begin
  clear stage; clear number;
  for i : 0..RELAYS do waiting[i] := 0; end;
  for i : 0..RELAYS - 1 do relay[i] := receive; end;
  source := send; next := 0;
  goal := await; expected := 0;
end;

rule source = send & waiting[0] < SLOTS ==>
begin add(0, next); source := advance; end;

rule source = advance ==>
begin next := (next + 1) % NUMBERS; source := send; end;

ruleset i : 0..RELAYS - 1 do
  rule relay[i] = receive & waiting[i] > 0 ==>
  begin take(i); relay[i] := pass; end;

  rule relay[i] = pass & waiting[i + 1] < SLOTS ==>
  begin add(i + 1, number[i]); relay[i] := receive; end;
end;

rule goal = await & waiting[RELAYS] > 0 ==>
begin take(RELAYS); goal := check; end;

rule goal = check ==>
begin assert number[RELAYS] = expected; goal := count; end;

rule goal = count ==>
begin expected := (expected + 1) % NUMBERS; goal := await; end;
