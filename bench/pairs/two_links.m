-- SPDX-License-Identifier: Apache-2.0
-- The alternating bit protocol over a lossy link, twice side by side: see two_links.argos.
const LINKS : 2;

type
  Link : 0..LINKS - 1;
  Message : enum { nothing, msg0, msg1, ack0, ack1 };

var
  to_sender, to_receiver, to_link, to_user : array [Link] of Message;
  sender : array [Link] of enum { send1, await1, again1, send0, await0, again0 };
  receiver : array [Link] of enum {
    expect1, answer1, deliver1, repeat0, expect0, answer0, deliver0, repeat1 };
  link : array [Link] of enum { idle, has_msg0, has_msg1, has_ack0, has_ack1 };

startstate begin
  for i : Link do
    to_sender[i] := nothing; to_receiver[i] := nothing;
    to_link[i] := nothing; to_user[i] := nothing;
    sender[i] := send1; receiver[i] := expect1; link[i] := idle;
  end;
end;

ruleset i : Link do
  -- the sender
  rule sender[i] = send1 & to_link[i] = nothing ==>
  begin to_link[i] := msg1; sender[i] := await1; end;
  rule sender[i] = await1 & to_sender[i] = ack1 ==>
  begin to_sender[i] := nothing; sender[i] := send0; end;
  rule sender[i] = await1 & to_sender[i] = ack0 ==>
  begin to_sender[i] := nothing; end;
  rule sender[i] = await1 & to_sender[i] = nothing ==>
  begin sender[i] := again1; end;
  rule sender[i] = again1 & to_link[i] = nothing ==>
  begin to_link[i] := msg1; sender[i] := await1; end;
  rule sender[i] = send0 & to_link[i] = nothing ==>
  begin to_link[i] := msg0; sender[i] := await0; end;
  rule sender[i] = await0 & to_sender[i] = ack0 ==>
  begin to_sender[i] := nothing; sender[i] := send1; end;
  rule sender[i] = await0 & to_sender[i] = ack1 ==>
  begin to_sender[i] := nothing; end;
  rule sender[i] = await0 & to_sender[i] = nothing ==>
  begin sender[i] := again0; end;
  rule sender[i] = again0 & to_link[i] = nothing ==>
  begin to_link[i] := msg0; sender[i] := await0; end;

  -- the receiver
  rule receiver[i] = expect1 & to_receiver[i] = msg1 ==>
  begin to_receiver[i] := nothing; receiver[i] := answer1; end;
  rule receiver[i] = expect1 & to_receiver[i] = msg0 ==>
  begin to_receiver[i] := nothing; receiver[i] := repeat0; end;
  rule receiver[i] = answer1 & to_link[i] = nothing ==>
  begin to_link[i] := ack1; receiver[i] := deliver1; end;
  rule receiver[i] = deliver1 & to_user[i] = nothing ==>
  begin to_user[i] := msg1; receiver[i] := expect0; end;
  rule receiver[i] = repeat0 & to_link[i] = nothing ==>
  begin to_link[i] := ack0; receiver[i] := expect1; end;
  rule receiver[i] = expect0 & to_receiver[i] = msg0 ==>
  begin to_receiver[i] := nothing; receiver[i] := answer0; end;
  rule receiver[i] = expect0 & to_receiver[i] = msg1 ==>
  begin to_receiver[i] := nothing; receiver[i] := repeat1; end;
  rule receiver[i] = answer0 & to_link[i] = nothing ==>
  begin to_link[i] := ack0; receiver[i] := deliver0; end;
  rule receiver[i] = deliver0 & to_user[i] = nothing ==>
  begin to_user[i] := msg0; receiver[i] := expect1; end;
  rule receiver[i] = repeat1 & to_link[i] = nothing ==>
  begin to_link[i] := ack1; receiver[i] := expect0; end;

  -- the user
  rule to_user[i] != nothing ==>
  begin to_user[i] := nothing; end;

  -- the link
  rule link[i] = idle & to_link[i] = msg0 ==>
  begin to_link[i] := nothing; link[i] := has_msg0; end;
  rule link[i] = idle & to_link[i] = msg1 ==>
  begin to_link[i] := nothing; link[i] := has_msg1; end;
  rule link[i] = idle & to_link[i] = ack0 ==>
  begin to_link[i] := nothing; link[i] := has_ack0; end;
  rule link[i] = idle & to_link[i] = ack1 ==>
  begin to_link[i] := nothing; link[i] := has_ack1; end;
  rule link[i] = has_msg0 & to_receiver[i] = nothing ==>
  begin to_receiver[i] := msg0; link[i] := idle; end;
  rule link[i] = has_msg1 & to_receiver[i] = nothing ==>
  begin to_receiver[i] := msg1; link[i] := idle; end;
  rule link[i] = has_ack0 & to_sender[i] = nothing ==>
  begin to_sender[i] := ack0; link[i] := idle; end;
  rule link[i] = has_ack1 & to_sender[i] = nothing ==>
  begin to_sender[i] := ack1; link[i] := idle; end;
  rule link[i] != idle ==>
  begin link[i] := idle; end;
end;
