-- SPDX-License-Identifier: Apache-2.0
-- The relays of relay.m with messages of three values: see wide_relay.argos.
const
  RELAYS : 2;
  SLOTS : 4;
  NUMBERS : 3400;

type
  Number : -32768..32767;
  Item : record number, product, rest : Number; end;

var
  -- the oldest in front; places without a message hold zeros
  stage : array [0..RELAYS] of array [0..SLOTS - 1] of Item;
  waiting : array [0..RELAYS] of 0..SLOTS;
  source : enum { send, advance };
  next : 0..NUMBERS - 1;
  relay : array [0..RELAYS - 1] of enum { receive, pass };
  item : array [0..RELAYS] of Item;  -- the last one is the goal's
  goal : enum { await, check, count };
  expected : 0..NUMBERS - 1;

procedure add(s : 0..RELAYS; number, product, rest : Number);
begin
  stage[s][waiting[s]].number := number;
  stage[s][waiting[s]].product := product;
  stage[s][waiting[s]].rest := rest;
  waiting[s] := waiting[s] + 1;
end;

procedure empty(var place : Item);
begin
  place.number := 0; place.product := 0; place.rest := 0;
end;

procedure take(s : 0..RELAYS);
begin
  item[s] := stage[s][0];
  for i : 0..SLOTS - 2 do stage[s][i] := stage[s][i + 1]; end;
  empty(stage[s][SLOTS - 1]);
  waiting[s] := waiting[s] - 1;
end;

startstate begin
  for i : 0..RELAYS do
    for slot : 0..SLOTS - 1 do empty(stage[i][slot]); end;
    waiting[i] := 0;
    empty(item[i]);
  end;
  for i : 0..RELAYS - 1 do relay[i] := receive; end;
  source := send; next := 0;
  goal := await; expected := 0;
end;

rule source = send & waiting[0] < SLOTS ==>
begin add(0, next, next * 4, 16000 - next); source := advance; end;

rule source = advance ==>
begin next := (next + 1) % NUMBERS; source := send; end;

ruleset i : 0..RELAYS - 1 do
  rule relay[i] = receive & waiting[i] > 0 ==>
  begin take(i); relay[i] := pass; end;

  rule relay[i] = pass & waiting[i + 1] < SLOTS ==>
  begin add(i + 1, item[i].number, item[i].product, item[i].rest); relay[i] := receive; end;
end;

rule goal = await & waiting[RELAYS] > 0 ==>
begin take(RELAYS); goal := check; end;

rule goal = check ==>
begin
  assert item[RELAYS].number = expected & item[RELAYS].number + item[RELAYS].rest = 16000;
  goal := count;
end;

rule goal = count ==>
begin expected := (expected + 1) % NUMBERS; goal := await; end;
