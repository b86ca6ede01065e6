// SPDX-License-Identifier: Apache-2.0
#include "report/state_text.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>

#include "base/display.hpp"
#include "report/grid.hpp"
#include "report/number_text.hpp"
#include "rules/values.hpp"

namespace panoptes {
namespace {

// Nothing is on its way and everyone listens: perhaps that is how it should be.
bool is_idle(const Program& program, StateView state) {
  for (const ChannelLayout& channel : program.layout.channels)
    if (head_tag(channel, state) != 0) return false;
  for (ProcessId p = 0; p < program.control.size(); ++p) {
    const auto& info = program.at(p, static_cast<StateId>(read(program.layout.control[p], state)));
    if (!info.may_stop && !info.receives_only) return false;
  }
  return true;
}

constexpr std::string_view condition_begins = "when (";

// With a condition that is long as "when (…)", wherever it stands.
std::string without_long_condition(const std::string& text) {
  constexpr std::size_t long_enough = 24;
  const std::size_t begin = text.find(condition_begins);
  if (begin == std::string::npos) return text;
  std::size_t at = begin + condition_begins.size();
  const std::size_t first = at;
  for (int open = 1; at < text.size(); ++at) {
    open += (text[at] == '(') - (text[at] == ')');
    if (open == 0) break;
  }
  if (at == text.size() || at - first < long_enough) return text;
  return text.substr(0, first) + "…" + text.substr(at);
}

}  // namespace

std::string waits_for(const Protocol& protocol, const ControlState& state) {
  constexpr std::size_t most = 4;
  std::vector<std::string> plain, options;
  for (const Transition& t : state.transitions) {
    if (t.is_fault || t.position > 0) continue;
    // Of a broadcast not only what it begins with.
    const StatementInfo* const statement =
        t.statements.empty() ? nullptr : &protocol.statements[t.statements.front()];
    const std::string text =
        without_long_condition(statement && statement->is_broadcast ? statement->text : t.text);
    const bool is_plain =
        t.kind == ActionKind::receive && text.find(condition_begins) == std::string::npos;
    std::vector<std::string>& among = is_plain ? plain : options;
    if (std::find(among.begin(), among.end(), text) == among.end()) among.push_back(text);
  }
  options.insert(options.begin(), plain.begin(), plain.end());
  const bool more = options.size() > most;
  if (more) options.resize(most);
  return fmt::format("{}{}", fmt::join(options, " or "), more ? " or ..." : "");
}

std::string positions_text(const Program& program, StateView state, const Whereabouts& whereabouts,
                           const SourceSet& sources, bool is_stuck, std::size_t width) {
  constexpr std::string_view indent = "  ", indent_behind = "      ";
  constexpr std::size_t least_width = 20;
  std::string out;
  for (ProcessId p = 0; p < program.control.size(); ++p) {
    const auto id = static_cast<StateId>(read(program.layout.control[p], state));
    const ControlState& at = program.state(p, id);
    const std::string line = fmt::format(
        "{} at {}{}", program.protocol.processes[p].name,
        position_words(program, p, id, places_of(whereabouts, p), sources),
        is_stuck && !at.transitions.empty() ? ", waits for " + waits_for(program.protocol, at)
                                            : "");
    const std::size_t room =
        width == 0 ? SIZE_MAX : std::max(least_width, width) - indent_behind.size();
    bool is_first = true;
    for (const std::string& part : broken_to_width(line, room)) {
      out += fmt::format("{}{}\n", is_first ? indent : indent_behind, part);
      is_first = false;
    }
  }
  return out;
}

std::string state_lines(const Program& program, StateView state, const Whereabouts& whereabouts,
                        const SourceSet& sources, std::size_t width) {
  constexpr std::string_view indent = "          ";
  std::vector<std::string> positions, values, channels;
  for (ProcessId p = 0; p < program.control.size(); ++p) {
    const auto id = static_cast<StateId>(read(program.layout.control[p], state));
    positions.push_back(
        fmt::format("{} at {}", program.protocol.processes[p].name,
                    position_words(program, p, id, places_of(whereabouts, p), sources)));
  }
  for (VariableId v = 0; v < program.layout.variables.size(); ++v)
    values.push_back(
        fmt::format("{} = {}", variable_name(program.protocol, v),
                    value_text(program.protocol, v, read(program.layout.variables[v], state))));
  const std::string messages = channel_contents(program, state);
  channels.push_back(messages.empty() ? "in channels: nothing" : "in channels: " + messages);
  std::string out;
  for (const auto* list : {&positions, &values, &channels})
    for (const std::string& line : folded_list(*list, width - std::min(width, indent.size())))
      out += fmt::format("{}{}\n", indent, line);
  return out;
}

std::string channel_contents(const Program& program, StateView state) {
  std::string out;
  for (ChannelId c = 0; c < program.protocol.channels.size(); ++c) {
    const std::string messages = contents_text(program, c, state);
    if (messages.empty()) continue;
    out += fmt::format("{}{}: {}", out.empty() ? "" : "; ", program.protocol.channels[c].name,
                       messages);
  }
  return out;
}

std::string changes_text(const Program& program, StateView before, StateView after) {
  std::string out;
  for (const VariableChange& change : changed_variables(program, before, after))
    out += fmt::format("{}{} {} -> {}", out.empty() ? "" : ", ",
                       variable_name(program.protocol, change.variable),
                       value_text(program.protocol, change.variable, change.before),
                       value_text(program.protocol, change.variable, change.after));
  return out;
}

std::string error_sentences(const Program& program, const ErrorReport& error,
                            const SourceSet& sources, std::size_t width) {
  std::string out = fmt::format("{}{}: {}\n", error.is_warning ? "warning: " : "",
                                to_string(error.description.kind), error.description.text);
  if (!error.cause.empty()) out += fmt::format("  because {}\n", error.cause);
  const bool is_stuck = error.description.kind == ErrorKind::deadlock;
  out +=
      positions_text(program, error.trail.last, error.trail.whereabouts, sources, is_stuck, width);
  const std::string messages = channel_contents(program, error.trail.last);
  if (!messages.empty()) out += fmt::format("  in channels: {}\n", messages);
  if (is_stuck && is_idle(program, error.trail.last))
    out += "  (where a process may rest for ever, put a label that begins with `end`)\n";
  return out;
}

std::string plural(std::uint64_t count, std::string_view one, std::string_view many) {
  return fmt::format("{} {}", with_commas(count), count == 1 ? one : many);
}

}  // namespace panoptes
