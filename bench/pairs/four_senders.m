-- SPDX-License-Identifier: Apache-2.0
-- The smallest alternating bit protocol, four times side by side: see four_senders.argos.
const PAIRS : 4;

type
  Pair : 0..PAIRS - 1;
  Message : enum { nothing, msg0, msg1, ack0, ack1 };

var
  to_sender, to_receiver : array [Pair] of Message;
  sender : array [Pair] of enum { send1, await1, again1, send0, await0, again0 };
  receiver : array [Pair] of enum { idle, answer1, answer0 };

startstate begin
  for i : Pair do
    to_sender[i] := nothing; to_receiver[i] := nothing;
    sender[i] := send1; receiver[i] := idle;
  end;
end;

ruleset i : Pair do
  -- the sender
  rule sender[i] = send1 & to_receiver[i] = nothing ==>
  begin to_receiver[i] := msg1; sender[i] := await1; end;
  rule sender[i] = await1 & to_sender[i] = ack1 ==>
  begin to_sender[i] := nothing; sender[i] := send0; end;
  rule sender[i] = await1 & to_sender[i] = ack0 ==>
  begin to_sender[i] := nothing; end;
  rule sender[i] = await1 & to_sender[i] = nothing ==>
  begin sender[i] := again1; end;
  rule sender[i] = again1 & to_receiver[i] = nothing ==>
  begin to_receiver[i] := msg1; sender[i] := await1; end;
  rule sender[i] = send0 & to_receiver[i] = nothing ==>
  begin to_receiver[i] := msg0; sender[i] := await0; end;
  rule sender[i] = await0 & to_sender[i] = ack0 ==>
  begin to_sender[i] := nothing; sender[i] := send1; end;
  rule sender[i] = await0 & to_sender[i] = ack1 ==>
  begin to_sender[i] := nothing; end;
  rule sender[i] = await0 & to_sender[i] = nothing ==>
  begin sender[i] := again0; end;
  rule sender[i] = again0 & to_receiver[i] = nothing ==>
  begin to_receiver[i] := msg0; sender[i] := await0; end;

  -- the receiver
  rule receiver[i] = idle & to_receiver[i] = msg1 ==>
  begin to_receiver[i] := nothing; receiver[i] := answer1; end;
  rule receiver[i] = idle & to_receiver[i] = msg0 ==>
  begin to_receiver[i] := nothing; receiver[i] := answer0; end;
  rule receiver[i] = answer1 & to_sender[i] = nothing ==>
  begin to_sender[i] := ack1; receiver[i] := idle; end;
  rule receiver[i] = answer0 & to_sender[i] = nothing ==>
  begin to_sender[i] := ack0; receiver[i] := idle; end;
end;
