// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include "protocol/sorts.hpp"
#include "report/show.hpp"
#include "report/views.hpp"

namespace panoptes {

namespace {

std::string state_text(const Automaton& automaton, StateId id, const SourceSet& sources) {
  const ControlState& state = automaton.states[id];
  std::string out = state_title(automaton, id, sources);
  if (state.is_labelled) out += " (labelled)";
  for (const std::string& place : places_of(automaton, id, sources))
    if (!state.is_end && place != sources.line_and_column(state.place)) out += " = " + place;
  return out;
}

std::string automaton_text(const Program& program, const std::string& title,
                           const Automaton& automaton, const SourceSet& sources) {
  std::string out =
      fmt::format("{}: {} states raw, {} without transit states, {} {}\n", title,
                  automaton.raw_size, automaton.transit_free_size, automaton.states.size(),
                  automaton.states.size() < automaton.transit_free_size ? "minimised" : "used");
  for (StateId s = 0; s < automaton.states.size(); ++s) {
    const ControlState& state = automaton.states[s];
    out += fmt::format("  {} {}\n", s, state_text(automaton, s, sources));
    for (const Transition& t : state.transitions)
      out += fmt::format("      {} -> {}\n", action_text(program, t), t.target);
    for (const std::string& hole : not_accepted(program, state))
      out += fmt::format("      not accepted from {}\n", hole);
  }
  return out;
}

}  // namespace

std::string show_automata(const Program& program, const SourceSet& sources) {
  std::string out;
  for (const Process& process : program.protocol.processes)
    out += automaton_text(program, "process " + process.name, process.automaton, sources) + "\n";
  for (const Assertion& assertion : program.protocol.assertions)
    out += automaton_text(program, assertion.name, assertion.automaton, sources) +
           fmt::format("  {} subsets\n\n", assertion.next.size());
  for (const Channel& channel : program.protocol.channels) {
    out += fmt::format("channel {}: {}, sort", channel.name,
                       channel.is_sink ? "sink"
                                       : fmt::format("{} {}", channel.capacity,
                                                     channel.capacity == 1 ? "slot" : "slots"));
    for (const MessageType& type : channel.sort) out += " " + message_name(type);
    out += fmt::format(", read by {}\n", channel.reader == none
                                             ? std::string("nobody")
                                             : program.protocol.processes[channel.reader].name);
  }
  out += fmt::format("worst case: 10^{:.2f} states\n", worst_case_log10(program.protocol));
  return out;
}

}  // namespace panoptes
