-- SPDX-License-Identifier: Apache-2.0
-- Go-back-N over lines that lose messages: see window.argos.
const
  WINDOW : 3;
  MODULUS : WINDOW + 1;
  CYCLE : 2 * MODULUS;

type
  Number : 0..MODULUS - 1;
  Place : 0..CYCLE - 1;

var
  -- acknowledgments, and messages with their sequence numbers; the oldest in front
  acks : array [0..1] of Number;
  acks_waiting : 0..2;
  numbers : array [0..WINDOW - 1] of Number;
  places : array [0..WINDOW - 1] of Place;
  messages_waiting : 0..WINDOW;

  sender : enum { idle, send, sent_one, acknowledged, compare, move_base, move_sent, forget,
                  again };
  base : Place;
  sent : 0..WINDOW;
  number : 0..CYCLE;

  receiver : enum { expect, judge, check, accept, answer };
  expected : Place;
  got_number : 0..MODULUS;
  got_place : 0..CYCLE;

startstate begin
  clear acks; acks_waiting := 0;
  clear numbers; clear places; messages_waiting := 0;
  sender := idle; base := 0; sent := 0; number := 0;
  receiver := expect; expected := 0; got_number := 0; got_place := 0;
end;

-- the sender
rule sender = idle & sent < WINDOW ==>
begin sender := send; end;

rule sender = send & messages_waiting < WINDOW ==>
begin
  numbers[messages_waiting] := (base + sent) % MODULUS;
  places[messages_waiting] := (base + sent) % CYCLE;
  messages_waiting := messages_waiting + 1;
  sender := sent_one;
end;

rule sender = send ==>
begin sender := sent_one; end;

rule sender = sent_one ==>
begin sent := sent + 1; sender := idle; end;

rule sender = idle & acks_waiting > 0 ==>
begin
  number := acks[0];
  acks[0] := acks[1]; acks[1] := 0;
  acks_waiting := acks_waiting - 1;
  sender := acknowledged;
end;

rule sender = acknowledged ==>
begin number := (number + CYCLE - base) % MODULUS + 1; sender := compare; end;

rule sender = compare & number <= sent ==>
begin sender := move_base; end;

rule sender = compare & number > sent ==>
begin sender := forget; end;

rule sender = move_base ==>
begin base := (base + number) % CYCLE; sender := move_sent; end;

rule sender = move_sent ==>
begin sent := sent - number; sender := forget; end;

rule sender = forget ==>
begin number := 0; sender := idle; end;

rule sender = idle & acks_waiting = 0 ==>
begin sender := again; end;

rule sender = again ==>
begin sent := 0; sender := idle; end;

-- the receiver
rule receiver = expect & messages_waiting > 0 ==>
begin
  got_number := numbers[0];
  got_place := places[0];
  for i : 0..WINDOW - 2 do
    numbers[i] := numbers[i + 1];
    places[i] := places[i + 1];
  end;
  numbers[WINDOW - 1] := 0;
  places[WINDOW - 1] := 0;
  messages_waiting := messages_waiting - 1;
  receiver := judge;
end;

rule receiver = judge & got_number = expected % MODULUS ==>
begin receiver := check; end;

rule receiver = judge & got_number != expected % MODULUS ==>
begin receiver := answer; end;

rule receiver = check ==>
begin assert got_place = expected; receiver := accept; end;

rule receiver = accept ==>
begin expected := (expected + 1) % CYCLE; receiver := answer; end;

rule receiver = answer & acks_waiting < 2 ==>
begin
  acks[acks_waiting] := (expected + CYCLE - 1) % MODULUS;
  acks_waiting := acks_waiting + 1;
  receiver := expect;
end;

rule receiver = answer ==>
begin receiver := expect; end;
