-- SPDX-License-Identifier: Apache-2.0
-- Processes that count in a shared variable and lose updates: see counters.argos.
const
  PROCESSES : 3;
  ROUNDS : 5;

type
  Process : 0..PROCESSES - 1;
  Total : 0..PROCESSES * ROUNDS;

var
  total : Total;
  at : array [Process] of enum { choose, read, add, write, next, check, done };
  copy : array [Process] of Total;
  round : array [Process] of 0..ROUNDS;

startstate begin
  total := 0;
  for i : Process do
    at[i] := choose; copy[i] := 0; round[i] := 0;
  end;
end;

ruleset i : Process do
  rule at[i] = choose & round[i] < ROUNDS ==> begin at[i] := read; end;
  rule at[i] = read ==> begin copy[i] := total; at[i] := add; end;
  rule at[i] = add ==> begin copy[i] := copy[i] + 1; at[i] := write; end;
  rule at[i] = write ==> begin total := copy[i]; at[i] := next; end;
  rule at[i] = next ==> begin round[i] := round[i] + 1; at[i] := choose; end;
  rule at[i] = choose & round[i] = ROUNDS ==> begin at[i] := check; end;
  rule at[i] = check ==> begin assert total >= 1; at[i] := done; end;
end;

-- That all have counted is no deadlock: one more rule fires there, in few states.
rule forall i : Process do at[i] = done end ==> begin end;
