// SPDX-License-Identifier: Apache-2.0
#include "report/columns.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <set>

#include "report/state_text.hpp"

namespace panoptes {
namespace {

struct Entry {
  ChannelId channel;
  std::string text;
};

std::vector<Entry> entries(const Program& program, const Trail& trail) {
  std::vector<Entry> result;
  for (const TrailStep& step : trail.steps) {
    const Rule& rule = program.rules[step.rule];
    if (rule.kind == ActionKind::timeout) result.push_back({rule.channel, "tau,"});
    if (rule.kind == ActionKind::lose)
      result.push_back({rule.channel, fmt::format("lost {},", step.message)});
    if (rule.kind != ActionKind::send) continue;
    const bool is_sink = program.protocol.channels[rule.channel].is_sink;
    result.push_back(
        {rule.channel, step.taken_at || is_sink ? step.message + "," : "[" + step.message + "],"});
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

std::string step_report(const Program& program, const Trail& trail, const SourceSet& sources,
                        const StepListing& listing) {
  std::size_t process_width = 0, action_width = 0, line_width = 0;
  for (const TrailStep& step : trail.steps) {
    const Rule& rule = program.rules[step.rule];
    process_width =
        std::max(process_width, program.protocol.processes[rule.owner().process].name.size());
    action_width = std::max(action_width, rule.text.size());
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
                       lines_of(program, step, sources), line_width, rule.text, action_width,
                       fails ? std::string("fails")
                             : "-> " + position_text(program, rule.owner().process, rule.owner().to,
                                                     step.to, sources));
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
