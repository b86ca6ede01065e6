// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include "protocol/sorts.hpp"
#include "report/show.hpp"
#include "report/views.hpp"

namespace panoptes {

namespace {

std::string flags(const ControlState& state) {
  std::string out;
  if (state.is_end) out += " (end)";
  if (state.may_stop && !state.is_end) out += " (may stop)";
  if (state.is_labelled) out += " (labelled)";
  return out;
}

std::string automaton_text(const Program& program, const std::string& title,
                           const Automaton& automaton) {
  std::string out =
      fmt::format("{}: {} states raw, {} without transit states, {} {}\n", title,
                  automaton.raw_size, automaton.transit_free_size, automaton.states.size(),
                  automaton.states.size() < automaton.transit_free_size ? "minimised" : "used");
  for (StateId s = 0; s < automaton.states.size(); ++s) {
    const ControlState& state = automaton.states[s];
    out += fmt::format("  {} {}{}{}\n", s, state.name, s == automaton.initial ? " (start)" : "",
                       flags(state));
    for (const Transition& t : state.transitions)
      out += fmt::format("      {} -> {}\n", action_text(program, t), t.target);
    for (const std::string& hole : not_accepted(program, state))
      out += fmt::format("      not accepted from {}\n", hole);
  }
  return out;
}

}  // namespace

std::string show_automata(const Program& program, const SourceSet&) {
  std::string out;
  for (const Process& process : program.protocol.processes)
    out += automaton_text(program, "process " + process.name, process.automaton) + "\n";
  for (const Assertion& assertion : program.protocol.assertions)
    out += automaton_text(program, assertion.name, assertion.automaton) +
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
