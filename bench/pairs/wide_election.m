-- SPDX-License-Identifier: Apache-2.0
-- The election of election.m with messages of three values: see wide_election.argos.
const N : 11;

type
  Node : 0..N - 1;
  Value : 0..15;
  Kind : enum { nothing, candidate, elected };
  Weight : -32768..32767;
  Hops : 0..N;
  Message : record kind : Kind; value : Value; hops : Hops; weight : Weight; end;

var
  ring : array [Node] of array [0..1] of Message;  -- the oldest in front
  leaders : 0..N;
  node : array [Node] of enum {
    start, wait, judge, pass, count, check, announce, learn, tell, done };
  other : array [Node] of Value;
  hops : array [Node] of Hops;
  weight : array [Node] of Weight;

function number(i : Node) : Value;
begin
  return (i * 3 + 1) % 16;
end;

procedure send(i : Node; kind : Kind; value : Value; far : Hops; heavy : Weight);
begin
  for slot : 0..1 do
    if ring[(i + 1) % N][slot].kind = nothing then
      ring[(i + 1) % N][slot].kind := kind;
      ring[(i + 1) % N][slot].value := value;
      ring[(i + 1) % N][slot].hops := far;
      ring[(i + 1) % N][slot].weight := heavy;
      return;
    end;
  end;
end;

procedure receive(i : Node);
begin
  other[i] := ring[i][0].value;
  hops[i] := ring[i][0].hops;
  weight[i] := ring[i][0].weight;
  ring[i][0] := ring[i][1];
  clear ring[i][1];
end;

startstate begin
  clear ring; clear other; clear hops;
  leaders := 0;
  for i : Node do node[i] := start; weight[i] := 0; end;
end;

ruleset i : Node do
  alias can_send : ring[(i + 1) % N][1].kind = nothing do
  rule node[i] = start & can_send ==>
  begin send(i, candidate, number(i), 1, number(i) * 2000); node[i] := wait; end;

  rule node[i] = wait & ring[i][0].kind = candidate ==>
  begin receive(i); node[i] := judge; end;
  rule node[i] = wait & ring[i][0].kind = elected ==>
  begin receive(i); node[i] := learn; end;

  rule node[i] = judge & other[i] > number(i) ==>
  begin node[i] := pass; end;
  rule node[i] = judge & other[i] < number(i) ==>
  begin node[i] := wait; end;
  rule node[i] = judge & other[i] = number(i) ==>
  begin node[i] := count; end;

  rule node[i] = pass & can_send ==>
  begin send(i, candidate, other[i], hops[i] + 1, weight[i]); node[i] := wait; end;
  rule node[i] = count ==>
  begin leaders := leaders + 1; node[i] := check; end;
  rule node[i] = check ==>
  begin assert leaders = 1 & hops[i] = N & weight[i] = number(i) * 2000; node[i] := announce; end;
  rule node[i] = announce & can_send ==>
  begin send(i, elected, number(i), 1, weight[i]); node[i] := wait; end;

  rule node[i] = learn & other[i] = number(i) ==>
  begin node[i] := done; end;
  rule node[i] = learn & other[i] != number(i) ==>
  begin node[i] := tell; end;
  rule node[i] = tell & can_send ==>
  begin send(i, elected, other[i], hops[i] + 1, weight[i]); node[i] := done; end;
  end;
end;

-- That all know the leader is no deadlock: one more rule fires there.
rule forall i : Node do node[i] = done end ==> begin end;
