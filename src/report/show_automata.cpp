// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include "base/display.hpp"
#include "protocol/sorts.hpp"
#include "report/alike_automata.hpp"
#include "report/show.hpp"
#include "report/state_text.hpp"

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
                           const AlikeAutomata& alike, const SourceSet& sources) {
  const Automaton& automaton = *alike.automaton;
  std::string out =
      fmt::format("{}: {} states raw, {} without transit states, {} {}\n", title,
                  automaton.raw_size, automaton.transit_free_size, automaton.states.size(),
                  automaton.states.size() < automaton.transit_free_size ? "minimised" : "used");
  for (StateId s = 0; s < automaton.states.size(); ++s) {
    const ControlState& state = automaton.states[s];
    out += fmt::format("  {} {}\n", s, state_text(automaton, s, sources));
    for (const Transition& t : state.transitions)
      out += fmt::format("      {} -> {}\n", action_text(program, t, alike.wording()), t.target);
    for (const std::string& hole : not_accepted(program, state, alike.wording()))
      out += fmt::format("      not accepted from {}\n", hole);
  }
  return out;
}

// Of several, the readers stand in the order of the channels.
std::string channels_text(const Program& program, const std::vector<ChannelId>& channels) {
  const Channel& first = program.protocol.channels[channels[0]];
  std::vector<std::string> names, readers;
  for (const ChannelId c : channels) {
    const Channel& channel = program.protocol.channels[c];
    names.push_back(channel.name);
    for (const ProcessId p : channel.readers) {
      const std::string& reader = program.protocol.processes[p].name;
      if (readers.empty() || readers.back() != reader) readers.push_back(reader);
    }
  }
  std::string out = fmt::format("channel {}: {}, sort", few_of(names),
                                first.is_sink           ? "sink"
                                : first.is_rendezvous() ? "rendezvous"
                                                        : plural(first.capacity, "slot", "slots"));
  for (const MessageType& type : first.sort) out += " " + message_name(type);
  return out + fmt::format(", read by {}\n", readers.empty() ? "nobody" : few_of(readers));
}

}  // namespace

std::string show_automata(const Program& program, const SourceSet& sources) {
  std::string out;
  for (const AlikeAutomata& alike : alike_processes(program))
    out += automaton_text(program, "process " + alike.title, alike, sources) + "\n";
  for (const AlikeAutomata& alike : alike_assertions(program))
    out +=
        automaton_text(program, alike.title, alike, sources) +
        fmt::format("  {} subsets\n\n", program.protocol.assertions[alike.members[0]].next.size());
  for (const auto& channels : alike_channels(program)) out += channels_text(program, channels);
  out += fmt::format("worst case: 10^{:.2f} states\n", worst_case_log10(program.protocol));
  return out;
}

}  // namespace panoptes
