// SPDX-License-Identifier: Apache-2.0
// A trail as a message sequence chart, before anyone decides how to draw it: lifelines, arrows from
// send to receive, what happens on each lifeline, and the fault.
//
// Idea: a trail is one of many orders of the same steps. A receive moves up to its send where
// nothing it depends on lies between, which leaves few arrows that have to be drawn in two parts;
// lifelines stand so that arrows are short. What repeats is folded: a block of steps that comes
// several times in a row is drawn once, with how often; of what is still too long, the middle is
// left out, and said to be. Where most steps are internal, only those that lead to a state with a
// name are drawn: what processes have to do with each other stays, and so do the steps that gave
// those variables their values that the fault is about.
#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <vector>

#include "report/text_style.hpp"
#include "verdict/verdict.hpp"

namespace panoptes {

// A message on its way.
struct ChartArrow {
  ProcessId from = none;  // none: in the channel from the start
  ProcessId to = none;    // none: nobody reads that channel
  // The message; with its channel, where that has no reader, or one that could have a message of
  // that name from another channel too.
  std::string label;
  std::optional<std::size_t> sent, received;  // places in Chart::events
  bool is_lost = false;                       // the channel is a sink
};

// Words about a process: beside its lifeline, and where nothing else says whose they are.
struct ChartWords {
  std::string here;       // `retries = 2`
  std::string elsewhere;  // `sender.retries = 2`
};

struct ChartEvent {
  std::size_t step = 0;   // its number in the trail, from 1; of a run that is folded, the last
  std::size_t steps = 1;  // that it stands for: several, where internal ones are folded
  ProcessId process = 0;
  ActionKind kind = ActionKind::internal;
  std::size_t arrow = none;         // send, receive
  ChartWords text;                  // the action as written; of an assignment, what changes
  std::string place;                // line:column of its statement; "" where it has none
  std::string comment;              // at the end of that line, as the model has it; mostly ""
  std::string state;                // the control state it leads to; "" where it fails
  bool has_name = false;            // that state: a label, or it is the end
  std::vector<ChartWords> changes;  // variables, where `text` does not say so
  std::string lost;                 // the message that got lost with this step; "" if none did
  bool is_concurrent = false;       // with the fault, which does not need it
  bool fails = false;               // fires into the fault
  std::string breaks;               // what its state is not to be, or was looked for; mostly ""
  bool is_default = false;          // a receive that takes what no other one does
  bool joins_previous = false;      // a receive directly behind its send: one row for both

  // In words, where no arrow says it: `timeout`, `msg1 is lost`, `x = 7`. REQUIRES: no arrow.
  ChartWords says() const;
};

// A part of the events in their order: drawn as it is, drawn once though it comes `times` times in
// a row, or (0 times) not drawn at all.
struct ChartPart {
  std::size_t first = 0, count = 0;  // events; of one repetition
  std::size_t times = 1;
  bool has_other_values = false;  // in some repetition, so that what is drawn is the first only
  std::string values = {};        // `sender.retries = 2`: those then left by the last; mostly ""
  std::size_t end() const { return first + count * (times == 0 ? 1 : times); }
};

struct Chart {
  std::vector<ProcessId> lifelines;  // from left to right
  std::vector<std::string> names;    // by process
  std::vector<ChartArrow> arrows;
  std::vector<ChartEvent> events;
  std::vector<ChartPart> parts;
  std::vector<std::string> final_states;  // by process
  std::string fault;                      // one sentence; "" where there is none
  std::vector<ProcessId> fault_at;        // lifelines it is drawn on
  // The event at which the cycle of a livelock begins, and with it a part; it goes on to the end.
  std::optional<std::size_t> repeats_for_ever;
  std::size_t concurrent_count = 0;
  bool is_whole = false;  // nothing was folded or left out
  std::string left_out;   // a sentence about internal steps that are no events here; mostly ""
};

// What becomes of steps that are nobody else's business, where a chart folds.
enum class InternalSteps : std::uint8_t {
  brief,   // drawn; where most steps are such, those that lead to no state with a name are not
  folded,  // those of a process that lead to no such state are one event, up to its next one or an
           // `else`
  left_out,  // not drawn: nothing is but messages, timeouts and the fault, and what happens to a
             // process by itself: from a state with a name to another, or a crash
  drawn,
};

struct ChartOptions {
  bool fold = true;               // what repeats, what is long, what is internal
  std::size_t most_events = 240;  // that are drawn, where it folds; of a cycle as many again
  std::string_view whole = "--chart full";  // how to ask for all of it
  InternalSteps internal = InternalSteps::brief;
};

// The chart of an error's trail; where `error.description.text` is empty, of a run without one.
Chart make_chart(const Program& program, const ErrorReport& error, const SourceSet& sources,
                 const ChartOptions& options = {});

// What the mark `~` stands for, and how many have it; "" where no step is concurrent.
std::string concurrent_footnote(const Chart& chart);

// The least width of a text chart that makes sense, and the most that anybody can ask for.
inline constexpr std::size_t least_chart_width = 40, most_chart_width = 10'000;

// As text, in lines of 100 columns where there is no terminal: where there are too many lifelines
// for it, one sheet below the other, each with those that have something to do. What has no room in
// a line goes on in the next one; of what is left out, line and column of states without a name, a
// sign says so.
std::string text_chart(const Chart& chart, const TextStyle& style);

// As a drawing: charts one below the other.
struct NamedChart {
  std::string title;
  Chart chart;
};
std::string svg_charts(const std::vector<NamedChart>& charts, const std::string& headline);

// The same as a part of something larger, which has the words around it: no title, no fault and no
// footnotes below, no colours; and around every event a place to point at. The names of the
// lifelines are apart, so that they can stay in sight. Lengths are in pixels.
struct DrawnChart {
  double width = 0;
  double names_top = 0, names_height = 0, top = 0, height = 0;  // of what is drawn
  std::string names, body;
};
DrawnChart drawn_chart(const Chart& chart);

// As text for documents.
std::string mermaid_chart(const Chart& chart);
std::string plantuml_chart(const Chart& chart);

}  // namespace panoptes
