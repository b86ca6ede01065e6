// SPDX-License-Identifier: Apache-2.0
#include "report/kinds.hpp"

#include <array>

namespace panoptes {
namespace {

constexpr std::array kinds = std::to_array<KindInfo>({
    {ErrorKind::deadlock, "No process can move, and not all of them are where they may stop",
     "No process can take a step, and not all are where they may stop. Follow the trail, and let "
     "one of them go on. Where a process may rest for ever, put a label that begins with `end`."},
    {ErrorKind::unspecified_reception,
     "A process waits, and what has arrived is not what it waits for",
     "The first message of a channel is none that its reader takes in the state it is in, and "
     "it can do nothing else there. Receive it in that state, or do not send it then."},
    {ErrorKind::assertion, "A behaviour assertion or an assert(e) does not hold",
     "The protocol does something that an assertion rules out, or ends before it is complete. "
     "Either the protocol or the assertion is wrong."},
    {ErrorKind::unread_messages, "Everybody has ended, and messages are left",
     "All processes have ended and a channel is not empty. Receive what is left, or do not send "
     "it. This is an error with --strict, and a warning otherwise."},
    {ErrorKind::overflow, "A message is sent to a full channel, where that is an error",
     "A message is sent to a channel that is full. Give the channel more slots, or wait for an "
     "answer before the next message. This is looked for with --overflow error."},
    {ErrorKind::division_by_zero, "A division or remainder by zero",
     "An expression divides by zero, or takes a remainder of it. Test the divisor before."},
    {ErrorKind::index_out_of_range, "A member of a family or array that does not exist",
     "An index names a member of a family, or an element of an array, that does not exist. Test it "
     "before, or take it modulo their number."},
    {ErrorKind::out_of_range, "A value that the declared range of its variable does not hold",
     "An assignment or a reception gives a variable a value outside of its declared range. Test it "
     "before, declare a wider range, or one that `wraps`."},
    {ErrorKind::endless_atomic, "An indivisible sequence that need not end",
     "A step inside of atomic { ... } leads back to a state that the sequence has been in, so it "
     "may go on for ever while nobody else can move. Let the loop come to an end, or let others "
     "move in it."},
    {ErrorKind::invariant, "An always or never does not hold",
     "There is a reachable state in which an `always (e)` is not so, or a `never (e)` is, or in "
     "which e has no value. Follow the trail to the step that leads there; either it or the "
     "invariant is wrong."},
    {ErrorKind::reached, "What --reach asks for can be reached",
     "The trail is a witness: it leads to a state in which the expression of --reach holds. Other "
     "errors were not looked for."},
    {ErrorKind::livelock, "Something goes on for ever, but nothing happens any more",
     "From here on only internal steps are possible: nothing is sent or received, and no "
     "shared variable changes any more. Give the cycle a way out. This is looked for with "
     "--keep-graph."},
    {ErrorKind::ltl, "A temporal property does not hold of some run",
     "There is a run of which the formula is not so: the trail, and then its cycle again and "
     "again, or nothing any more. Either something is missing in the protocol, or the run is one "
     "that cannot happen for ever: then say which ones are fair (`fair weak;`, --fair)."},
    {ErrorKind::progress, "Something goes on for ever, past no label that begins with progress",
     "The cycle behind the trail can be repeated for ever and never comes to a state whose label "
     "begins with `progress`. This is looked for with --non-progress."},
    {ErrorKind::acceptance, "Something passes a label that begins with accept again and again",
     "The cycle behind the trail can be repeated for ever, and a process is at a statement whose "
     "label begins with `accept` in one of its states, or where it ends. This is looked for with "
     "--acceptance."},
    {ErrorKind::stuck, "A process can never move again, while others go on",
     "From here on nothing that others can do will ever let this process move, and it is not where "
     "it may stop. Let somebody send what it waits for, or give it another way on. Where it may "
     "rest for ever, put a label that begins with `end`. This is looked for with --keep-graph."},
});

}  // namespace

std::span<const KindInfo> kind_table() { return kinds; }

}  // namespace panoptes
