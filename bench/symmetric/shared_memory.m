-- SPDX-License-Identifier: Apache-2.0
-- Caches of one block of memory: see shared_memory.argos.
const N : 2;

type
  Cache : scalarset(N);
  Message : enum { nothing, share, invalidate, data, leave };

var
  request : enum { no_request, read, write };
  asker : Cache;  -- undefined where there is no request
  gone : 0..N;    -- how many such messages there are
  inbox : array [Cache] of Message;
  writers : 0..N;
  readers : 0..N;
  directory : enum {
    idle, sharing, shared, awaits_shared, counts_shared, ends_shared, sends_data,
    invalidating, invalidated, awaits_invalidated, counts_invalidated, ends_invalidated, sends_leave,
    forgets };
  who : Cache;    -- undefined where it is nobody
  answers : 0..N;
  waits : array [Cache] of boolean;
  may : array [Cache] of 0..2;

function has_room() : boolean;
begin
  for i : Cache do if inbox[i] != nothing then return false; end; end;
  return true;
end;

procedure give_up(i : Cache);
begin
  if may[i] = 1 then readers := readers - 1; end;
  if may[i] = 2 then writers := writers - 1; end;
  may[i] := 0;
  clear inbox[i];
  gone := gone + 1;
end;

procedure share_it(i : Cache);
begin
  if may[i] = 2 then
    readers := readers + 1;
    writers := writers - 1;
    may[i] := 1;
  end;
  clear inbox[i];
  gone := gone + 1;
end;

startstate begin
  request := no_request; undefine asker; undefine who;
  gone := 0; writers := 0; readers := 0; answers := 0;
  directory := idle;
  for i : Cache do inbox[i] := nothing; waits[i] := false; may[i] := 0; end;
end;

rule directory = idle & request = read ==>
begin who := asker; undefine asker; request := no_request; directory := sharing; end;
rule directory = idle & request = write ==>
begin who := asker; undefine asker; request := no_request; directory := invalidating; end;
rule directory = idle & gone > 0 ==>
begin gone := gone - 1; end;

rule directory = sharing & has_room() ==>
begin for i : Cache do inbox[i] := share; end; directory := shared; end;
rule directory = shared & answers < N ==> begin directory := awaits_shared; end;
rule directory = shared & answers = N ==> begin directory := ends_shared; end;
rule directory = awaits_shared & gone > 0 ==>
begin gone := gone - 1; directory := counts_shared; end;
rule directory = counts_shared ==> begin answers := answers + 1; directory := shared; end;
rule directory = ends_shared ==> begin answers := 0; directory := sends_data; end;
rule directory = sends_data & inbox[who] = nothing ==>
begin inbox[who] := data; directory := forgets; end;

rule directory = invalidating & has_room() ==>
begin for i : Cache do inbox[i] := invalidate; end; directory := invalidated; end;
rule directory = invalidated & answers < N ==> begin directory := awaits_invalidated; end;
rule directory = invalidated & answers = N ==> begin directory := ends_invalidated; end;
rule directory = awaits_invalidated & gone > 0 ==>
begin gone := gone - 1; directory := counts_invalidated; end;
rule directory = counts_invalidated ==>
begin answers := answers + 1; directory := invalidated; end;
rule directory = ends_invalidated ==> begin answers := 0; directory := sends_leave; end;
rule directory = sends_leave & inbox[who] = nothing ==>
begin inbox[who] := leave; directory := forgets; end;

rule directory = forgets ==> begin undefine who; directory := idle; end;

ruleset i : Cache do
  rule !waits[i] & may[i] = 0 & request = no_request ==>
  begin request := read; asker := i; waits[i] := true; end;
  rule !waits[i] & may[i] < 2 & request = no_request ==>
  begin request := write; asker := i; waits[i] := true; end;
  rule !waits[i] & may[i] = 1 ==>
  begin may[i] := 0; readers := readers - 1; end;

  rule inbox[i] = invalidate & gone < N ==> begin give_up(i); end;
  rule inbox[i] = share & gone < N ==> begin share_it(i); end;

  rule waits[i] & inbox[i] = data ==>
  begin
    if may[i] = 0 then readers := readers + 1; end;
    may[i] := 1;
    inbox[i] := nothing;
    waits[i] := false;
  end;
  rule waits[i] & inbox[i] = leave ==>
  begin
    if may[i] = 1 then readers := readers - 1; end;
    may[i] := 2;
    writers := writers + 1;
    inbox[i] := nothing;
    waits[i] := false;
  end;
end;

invariant "two writers" writers <= 1;
invariant "written while read" writers = 0 | readers = 0;
