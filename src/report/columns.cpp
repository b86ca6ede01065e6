// SPDX-License-Identifier: Apache-2.0
#include "report/columns.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cctype>
#include <set>

#include "report/number_text.hpp"
#include "report/state_text.hpp"
#include "rules/values.hpp"

namespace panoptes {
namespace {

struct Entry {
  ChannelId channel;
  std::string text;
};

// What stands in the row of an event; `sent` says which row has the send of what is received, ""
// where none has.
std::string entry_text(const Program& program, const TrailStep& step, const std::string& sent) {
  const Rule& rule = program.rules[step.rule];
  switch (rule.kind) {
    case ActionKind::timeout: return "tau,";
    case ActionKind::lose: return fmt::format("lost {},", step.message);
    case ActionKind::copy: return fmt::format("copy {}{},", step.message, sent);
    case ActionKind::receive: return fmt::format("takes {}{},", step.message, sent);
    case ActionKind::flush:
      return fmt::format("flush {},", contents_text(program, rule.channel, step.before));
    default: break;
  }
  const bool is_sink = program.protocol.channels[rule.channel].is_sink;
  return step.taken_at || is_sink ? step.message + "," : "[" + step.message + "],";
}

std::vector<Entry> entries(const Program& program, const Trail& trail) {
  std::vector<Entry> result;
  std::vector<std::size_t> rows;  // by step: rows up to it
  for (const TrailStep& step : trail.steps) {
    if (is_event(program, step))
      result.push_back(
          {program.rules[step.rule].channel,
           entry_text(program, step,
                      step.sent_at ? fmt::format(" of {}", rows[*step.sent_at]) : "")});
    rows.push_back(result.size());
  }
  return result;
}

// All channels, as long as they fit a screen; else those with entries.
std::vector<ChannelId> columns_for(const Program& program, const std::vector<Entry>& rows) {
  constexpr std::size_t fits = 8;
  std::vector<ChannelId> columns;
  for (ChannelId c = 0; c < program.protocol.channels.size(); ++c)
    if (program.protocol.channels.size() <= fits ||
        std::any_of(rows.begin(), rows.end(), [&](const Entry& e) { return e.channel == c; }))
      columns.push_back(c);
  return columns;
}

void trim_right(std::string& line) {
  while (!line.empty() && line.back() == ' ') line.pop_back();
}

// The source lines of a step; several where nobody can tell which of merged statements it was.
std::string lines_of(const Program& program, const TrailStep& step, const SourceSet& sources) {
  std::set<std::uint32_t> lines;
  for (const StatementId s : step.statements)
    lines.insert(sources.line_column(program.protocol.statements[s].place).line);
  return fmt::format("{}", fmt::join(lines, "|"));
}

// Whether `action` has the message as it is: `c!m(1)` has `m(1)`, `c?m(n)` has not.
bool has_message(const std::string& action, const std::string& message) {
  for (const char sign : {'!', '?'}) {
    const std::size_t at = action.find(sign + message);
    if (at == std::string::npos) continue;
    const std::size_t end = at + 1 + message.size();
    const bool goes_on =
        end < action.size() && (std::isalnum(static_cast<unsigned char>(action[end])) != 0 ||
                                action[end] == '_' || action[end] == '(');
    if (!goes_on) return true;
  }
  return false;
}

// `c?m(n): m(1)`: the action as written, and what it was about where that does not tell.
std::string action_text(const Program& program, const TrailStep& step) {
  const Rule& rule = program.rules[step.rule];
  std::string about = step.message;
  if (rule.kind == ActionKind::flush) about = contents_text(program, rule.channel, step.before);
  if (about.empty() || has_message(rule.text, about)) return rule.text;
  return fmt::format("{}: {}", rule.text, about);
}

// What step `i` of a trail has changed, and what it leaves in the channels.
std::string changes_below(const Program& program, const Trail& trail, std::size_t i) {
  const StateView before = trail.steps[i].before, after = trail.after(i);
  std::string out;
  if (const std::string changed = changes_text(program, before, after); !changed.empty())
    out += fmt::format("          {}\n", changed);
  if (const std::string messages = channel_contents(program, after); !messages.empty())
    out += fmt::format("          in channels: {}\n", messages);
  return out;
}

}  // namespace

std::string column_report(const Program& program, const Trail& trail) {
  const std::vector<Entry> rows = entries(program, trail);
  const std::vector<ChannelId> columns = columns_for(program, rows);
  std::vector<std::size_t> widths;
  std::string line = "queue:";
  for (const ChannelId c : columns) {
    std::size_t width = program.protocol.channels[c].name.size();
    for (const Entry& e : rows)
      if (e.channel == c) width = std::max(width, e.text.size());
    widths.push_back(width);
    line += fmt::format("  {:<{}}", program.protocol.channels[c].name, width);
  }
  trim_right(line);
  std::string out = line + "\nevent:\n";
  for (std::size_t i = 0; i < rows.size(); ++i) {
    line = fmt::format("{:>6}", i + 1);
    for (std::size_t c = 0; c < columns.size(); ++c)
      line += fmt::format("  {:<{}}", rows[i].channel == columns[c] ? rows[i].text : "", widths[c]);
    trim_right(line);
    out += line + "\n";
  }
  return out;
}

std::string undrawn_text(const Program& program, const Trail& trail) {
  std::size_t count = 0;
  for (std::size_t i = 0; i < trail.steps.size(); ++i) {
    const ActionKind kind = program.rules[trail.steps[i].rule].kind;
    const bool fails = trail.ends_in_failure && i + 1 == trail.steps.size();
    if ((kind == ActionKind::internal || kind == ActionKind::check) && !fails) ++count;
  }
  if (count == 0) return {};
  return fmt::format(
      "{} not shown (--steps lists {}, --chart text draws more)\n",
      count == 1 ? "an internal step is" : with_commas(count) + " internal steps are",
      count == 1 ? "it" : "them");
}

std::string step_report(const Program& program, const Trail& trail, const SourceSet& sources,
                        const StepListing& listing) {
  std::size_t process_width = 0, action_width = 0, line_width = 0;
  for (const TrailStep& step : trail.steps) {
    const Rule& rule = program.rules[step.rule];
    process_width =
        std::max(process_width, program.protocol.processes[rule.owner().process].name.size());
    action_width = std::max(action_width, action_text(program, step).size());
    line_width = std::max(line_width, lines_of(program, step, sources).size());
  }
  Whereabouts whereabouts = listing.start.empty() ? Positions(program).of_all() : listing.start;
  const bool has_states = listing.below == StepListing::Below::state;
  std::string out;
  if (has_states && listing.start.empty())
    out += fmt::format("{:>6}  at the start\n{}", 0,
                       state_lines(program, program.initial, whereabouts, sources, listing.width));
  for (std::size_t i = 0; i < trail.steps.size(); ++i) {
    const TrailStep& step = trail.steps[i];
    const Rule& rule = program.rules[step.rule];
    const bool fails = trail.ends_in_failure && i + 1 == trail.steps.size();
    out += fmt::format("{:>6}  {:<{}}  line {:<{}}  {:<{}}  {}\n", listing.first + i,
                       program.protocol.processes[rule.owner().process].name, process_width,
                       lines_of(program, step, sources), line_width, action_text(program, step),
                       action_width,
                       fails ? std::string("fails")
                             : "-> " + position_words(program, rule.owner().process,
                                                      rule.owner().to, step.to, sources));
    if (fails) break;
    whereabouts[rule.owner().process] = step.to;
    move_others(program, rule, whereabouts);
    if (has_states)
      out += state_lines(program, trail.after(i), whereabouts, sources, listing.width);
    if (listing.below == StepListing::Below::changes) out += changes_below(program, trail, i);
  }
  return out;
}

}  // namespace panoptes
