// SPDX-License-Identifier: Apache-2.0
#include "app/explanations.hpp"

#include <algorithm>

#include "report/text.hpp"

namespace panoptes {
namespace {

// For what is said of a search rather than of a protocol.
constexpr std::string_view ring = R"(channel line[5] = { item(20000), item(30000) };

proc relay
  var number;
{
  do
  :: line?item(number) -> line!item(number)
  od
}
)";

const std::vector<Explanation>& all() {
  static const std::vector<Explanation> entries = {
      {"deadlock",
       "no process can move, and not all of them are where they may stop",
       R"(No process can take a step, and at least one of them is neither at its closing brace nor
at a statement with a label that begins with `end`. Nothing can ever happen again.
)",
       R"(channel client[1], server[1];

proc client
{
  server!request;
  client?reply
}

proc server
{
  server?request;
  if
  :: client!reply
  :: skip  // too busy
  fi
}
)",
       {},
       R"(- A message is lost, or never sent, and nobody asks again.
- Everybody waits for the other to begin, or for what the other has.
- Two channels are full, and each side sends before it receives.
- A message arrived that its reader does not take: the report then has a line `because`.
)",
       R"(- Where a process may rest for ever, say so with a label: `end:`.
- Wait for a message and for its absence: `:: client?timeout -> ...`.
- Let one side give way, or ask for everything in the same order everywhere.
)"},
      {"unspecified_reception",
       "a process waits, and what has arrived is not what it waits for",
       R"(The first message in a channel that a process reads where it is, is one it does not take,
and nothing else that it waits for can come any more, whatever the others do: it is stuck on
that message for ever. `--receptions` makes the check stricter: reading, or any.
)",
       R"(channel client[1], server[1];
sink log;

proc client
{
  server!request;
  client?reply
}

proc server
{
  do
  :: server?request ->
     if
     :: client!reply
     :: client!busy
     fi
  :: log!idle
  od
}
)",
       {},
       R"(- An answer was thought of on one side only.
- A message of an earlier exchange is late, or comes twice.
- Both sides begin at the same time, and each sees the other's first message as an
  answer.
)",
       R"(- Add an option for the message: `:: client?busy -> ...`.
- Where it does not matter which, `:: client?default` takes whatever no other option
  takes.
- `panoptes show MODEL --holes` shows what arrives where and is not taken.
)"},
      {"assertion",
       "a behaviour assertion or an assert(e) does not hold",
       R"(`assert(e)` was executed while e was 0; or a send or receive happened that an assertion
`assert name { ... }` names and does not allow next; or all processes ended where it
cannot.
)",
       R"(var inside : 0..2;

proc visitor[i : 0..1]
{
  inside++;
  assert(inside == 1);
  inside--
}
)",
       {},
       R"(- Two processes do at the same time what only one at a time may do.
- A test and what depends on it are two steps, and something happens in between.
- A message comes twice, or out of order, because a timeout was too early.
- The assertion says more than was meant: it forbids what it forgets.
)",
       R"(- Read the trail backwards: the last step that was still right is where to begin.
- `check --trail FILE`, then `replay`, list every step of it and the values it leaves behind.
- Let one process own the variable, and the others send it messages.
)"},
      {"unread_messages",
       "everybody has ended, and messages are left",
       R"(All processes are at their closing braces, and a channel is not empty. That is often
meant, so it is a warning; with `--strict` it is an error.
)",
       R"(channel box[1];

proc sender
{
  box!letter
}

proc reader
{
  if
  :: box?letter
  :: box?timeout
  fi
}
)",
       {{option::strict, "on"}},
       R"(- A process gives up waiting, and the message comes after all.
- A question was asked twice, and the second answer is left.
)",
       R"(- Let who stops last read what is left: `do :: box?default :: box?timeout -> break od`.
- Say goodbye, and wait for the answer, before stopping.
- Where it does not matter, leave it a warning.
)"},
      {"overflow",
       "a message is sent to a full channel, where that is an error",
       R"(With `--overflow error`, a send to a full channel is an error. Otherwise it waits until
there is room. A step that fails has no successor; the search goes on beside it.
)",
       R"(channel box[1];

proc sender
{
  box!first;
  box!second
}

proc reader
{
  box?first;
  box?second
}
)",
       {{option::overflow, "error"}},
       R"(- The sender does not wait for an acknowledgment, or sends again too early.
- The channel has less room than messages can be under way.
)",
       R"(- Give the channel the room it needs: `channel box[2];`.
- Ask first: `(!full(box)) -> box!second`.
- Let the reader say when it is ready for the next.
)"},
      {"division_by_zero",
       "a division or remainder by zero",
       R"(`a / b` or `a % b` was computed while b was 0. A step that fails has no successor; the
search goes on beside it.
)",
       R"(var guests : 0..2;
sink table;

proc host
{
  table!pieces(12 / guests)
}

proc guest[i : 0..1]
{
  guests++
}
)",
       {},
       R"(- Something is computed before what it depends on has been set.
- A number came with a message, and nobody looked at it.
)",
       R"(- Wait for it: `(guests > 0) -> table!pieces(12 / guests)`.
- Declare the range that is meant, and start within it: `var guests : 1..3 = 1;`.
)"},
      {"index_out_of_range",
       "a member of a family or array that does not exist",
       R"(A channel of a family, or an element of an array, was used with an index that none of
them has. A step that fails has no successor; the search goes on beside it.
)",
       R"(channel room[0..1][1];

proc porter
  var next : 0..2;
{
  do
  :: room[next]!guest -> next++
  od
}

proc resident[i : 0..1]
{
end:
  do
  :: room[i]?guest
  od
}
)",
       {},
       R"(- Counting goes one too far, or round a ring without `% N`.
- An index came with a message, and nobody looked at it.
)",
       R"(- Go round: `next = (next + 1) % 2`, or stop: `(next < 2) -> room[next]!guest; next++`.
)"},
      {"out_of_range",
       "a value that the declared range of its variable does not hold",
       R"(An assignment or a reception gives a variable a value that is not in the range it is
declared with: a range is a promise. A step that fails has no successor; the search goes on beside
it. With `wraps` behind the range, or with `--ranges wrap`, the value is taken modulo its size.
)",
       R"(var guests : 0..2;

proc door
{
  do
  :: guests++
  :: (guests > 0) -> guests--
  od
}
)",
       {},
       R"(- Counting goes one too far: nobody asks whether there is room.
- The range is that of a counter which is to go round, and does not say so.
)",
       R"(- Ask first: `(guests < 2) -> guests++`.
- Let it go round: `var guests : 0..2 wraps;`, or `guests +% 3`.
)"},
      {"endless_atomic",
       "an indivisible sequence that need not end",
       R"(A step inside of `atomic { ... }` leads back to a state that the sequence has been in
since it began. It may go on so for ever, and nobody else can move while it does. A step that
fails has no successor; the search goes on beside it.
)",
       R"(var level : 0..3;

proc pump
{
  atomic {
    do
    :: (level < 3) -> level++
    :: (level == 3) -> level = 0
    od
  }
}
)",
       {},
       R"(- A loop inside has no `break`, or none that can always be reached.
- It waits, inside, for something that only others can change.
)",
       R"(- Leave the loop: `:: (level == 3) -> break`.
- Put the body of the loop in `atomic { ... }`, and not the loop: others move between two rounds.
)"},
      {"invariant",
       "an always or never does not hold",
       R"(A state can be reached, perhaps the initial one, in which an `always (e)` is not so, or a
`never (e)` is, or in which e has no value. It is looked at in every state, whoever has
moved; nothing between two steps is seen.
)",
       R"(var holder : 0..2;

proc worker[i : 1..2]
{
  (holder == 0);
  holder = i;
critical:
  holder = 0
}

never both (worker[1]@critical && worker[2]@critical);
)",
       {},
       R"(- A test and what depends on it are two steps, and something happens in between.
- Two processes change what only one may change.
- The invariant is broken for a step or two while it is on its way from one good state to
  the next.
)",
       R"(- The last step of the trail is the one that breaks it: begin there.
- Where it may be broken for a while, say when it holds: `always (busy || sum == 4)`.
- Let one process own what it is about, and the others send it messages.
)"},
      {"reached",
       "what --reach asks for can be reached",
       R"(Not an error: `check --reach EXPRESSION` asked whether a state exists in which the
expression holds, and here is one, with the way to it. Nothing else was looked for.
Where there is no such state, the report says `not reachable`, and the exit code is 0.
)",
       R"(channel line[1];
var count : 0..3;

proc sender
{
  do
  :: line!data
  od
}

proc receiver
{
  do
  :: line?data -> count = (count + 1) % 4
  od
}
)",
       {{option::reach, "count == 3 && full(line)"}},
       R"(- The state is one that should be possible: the model can do what it is for.
- The state is one that should not be: the trail says how it comes about.
)",
       R"(- What must never be so belongs into the model: `never (count == 3 && full(line));`.
)"},
      {"livelock",
       "something goes on for ever, but nothing happens any more",
       R"(Processes take steps for ever, and none of these is a send, a receive or an assignment
to a shared variable, nor can one ever be again. Only a search with `--keep-graph` can
see that.
)",
       R"(var busy : 0..1;

proc visitor
{
  do
  :: (busy == 0) -> break
  :: (busy == 1) -> skip
  od
}

proc owner
{
  if
  :: busy = 1
  :: skip
  fi
}
)",
       {{option::keep_graph, "on"}},
       R"(- A process asks again and again for what nobody will bring about any more.
- Who was to answer has ended, or waits itself.
)",
       R"(- Count the attempts, and give up: `(tries == 3) -> break`.
- Wait for a message rather than asking a variable.
- Undo on every way out what others wait for: `busy = 0`.
)"},
      {"ltl",
       "a temporal property does not hold of some run",
       R"(There is a run of which the formula of an `ltl name { ... }` is not so: the trail, and
then its cycle again and again, for ever; or a trail behind which nobody can move, so that
nothing happens any more. The whole graph is kept to see that.
)",
       R"(channel server[1], client[1];

proc client
{
  do
  :: server!request ->
     asked: client?reply
  od
}

proc server
{
  do
  :: server?request ->
     do
     :: skip
     :: client!reply -> break
     od
  od
}

ltl answered { client@asked leads to received(client?reply) }
)",
       {},
       R"(- Somebody may put off for ever what others wait for: a `do` that need not be left.
- A message may be lost again and again.
- The run is one that cannot happen: a process that can move is passed over for ever.
)",
       R"(- Let what may be repeated come to an end: count the attempts.
- Say which runs count: `fair weak;` where a process that can always move does move,
  `fair strong;` where one that can move again and again does, and lines carry in the end.
- Ask for less: what holds as long as something else does is `(<> p) -> (<> q)`.
)"},
      {"progress",
       "something goes on for ever, past no label that begins with progress",
       R"(A cycle can be repeated for ever, and no process is at a statement with a label that
begins with `progress` in any state of it. Only a check with `--non-progress` looks for
that.
)",
       R"(channel line[1];
sink user;

proc sender
{
  do
  :: line!data
  :: line!idle
  od
}

proc receiver
{
  do
  :: line?data ->
     progress: user!data
  :: line?idle
  od
}
)",
       {{option::non_progress, "on"}},
       R"(- What keeps a connection alive is repeated, and nothing else gets through.
- Two processes let each other go first.
- The label is missing where something worth while happens.
)",
       R"(- Label what counts as progress, in every way through the loop that is one.
- Where only some runs are meant, say so with `--fair weak` or `--fair strong`.
)"},
      {"acceptance",
       "something passes a label that begins with accept again and again",
       R"(A cycle can be repeated for ever, and in one of its states a process is at a statement
with a label that begins with `accept`; or a run ends, and a process is at one. Only a check
with `--acceptance` looks for that.
)",
       R"(channel line[1];

proc sender
{
  do
  :: line!data
  od
}

proc receiver
{
  do
  :: line?data
  :: line?data ->
     accept_lost: skip
  od
}
)",
       {{option::acceptance, "on"}},
       R"(- What should happen a few times at most may happen without end.
- A process rests at the label while others go on.
)",
       R"(- Let what is labelled come to an end: count it, or leave the loop.
- Where only some runs are meant, say so with `--fair weak` or `--fair strong`.
)"},
      {"stuck",
       "a process can never move again, while others go on",
       R"(A process waits, and nothing that the others can still do will ever let it move again;
they go on for ever, so that there is no deadlock. Only a search with `--keep-graph` can
see that.
)",
       R"(channel desk[1], line[1];

proc client
{
  desk!question;
  line?answer
}

proc clerk
{
end:
  do
  :: desk?question -> skip
  od
}

sink log;

proc clock
{
  do
  :: log!tick
  od
}
)",
       {{option::keep_graph, "on"}},
       R"(- Who was to answer has taken the question, and forgets the answer.
- A message was lost, and nobody sends it again.
- The process waits for a condition that is past.
)",
       R"(- Answer on every way: `desk?question -> line!answer`.
- Give the process another way on: `line?timeout`.
- Where it may rest for ever, put a label that begins with `end` before it.
)"},
      {"dead_code",
       "statements that no reachable state executes",
       R"(They are listed behind the errors, and are never errors themselves. After a search that
did not see everything they are only said not to have been reached.
)",
       R"(channel box[1];

proc sender
{
  box!letter
}

proc reader
{
  if
  :: box?letter
  :: (len(box) > 1) -> skip
  fi
}
)",
       {},
       R"(- A test can never be true, or a message is never sent.
- Something before it always goes another way, or always fails: dead code is often the
  shadow of an error.
- It is there for a case that the model leaves out, such as a line that loses messages.
)",
       R"(- Find out why before removing it: what should have led there?
- Add to the model what it is for.
)"},
      {to_string(Promise::exhaustive),
       "every reachable state was seen: a proof, for this model and these bounds",
       R"(The search visited every state that the model can reach, each kept as it is. `holds`
then means that there is no error of the kinds that were looked for; channels have the
room that they have in the model, and parameters such as N the values that they have
there.
)",
       ring,
       {},
       R"(- The standard search ends this way wherever memory and time allow it.
)",
       R"(- Check other values too: `-D N=4`, `--capacity 3`, `--timeouts lock`.
)"},
      {to_string(Promise::hashed),
       "every state was seen but for hash conflicts, of which hardly any is expected",
       R"(States were kept by their hash alone. Two states with the same hash are taken for one,
so one of them and what lies behind it may be missed. It is said only where fewer than
0.01 such states are expected; with more, the promise is partial.
)",
       ring,
       {{option::store, "hash"}},
       R"(- `--store hash`, or memory that is too small for states as they are.
)",
       R"(- Give it more memory with `--memory`, or keep states shorter with `--store compact`.
- Search again with another hash: `--seed 2`, or `--runs 3` for several at once.
)"},
      {to_string(Promise::partial),
       "not every state was seen; what was cut, or how much was missed, is stated",
       R"(An error that was found is an error all the same, and its trail was replayed. But where
none was found, the verdict is unknown, not holds, and the exit code is 3.
)",
       ring,
       {{option::depth, "2"}},
       R"(- A limit was met: `--depth`, `--time`, `--memory`, or an interrupt.
- The search leaves states out by design: bits, walks, `--keep`, `--fold`,
  `--expand sound`.
)",
       R"(- Make the model smaller: fewer processes, less room in channels, smaller ranges.
- Give it more memory and time; `--store compact` takes less for each state.
- Orders, values and arrangements that make no difference are left out if nothing is said:
  leave `--reduce` as it is.
)"},
  };
  return entries;
}

}  // namespace

std::span<const Explanation> explanations() { return all(); }

const Explanation* find_explanation(std::string_view kind) {
  const auto found = std::ranges::find(all(), kind, &Explanation::kind);
  return found == all().end() ? nullptr : &*found;
}

}  // namespace panoptes
