// SPDX-License-Identifier: Apache-2.0
#include "session/breakpoint.hpp"

#include <algorithm>
#include <set>

#include "rules/cost_value.hpp"

namespace panoptes {
namespace {

bool holds(const Program& program, const CostExpression& predicate, StateView state,
           std::uint64_t depth) {
  const Evaluation value = cost_value(program, predicate, state, depth);
  return value.fault == Fault::absent && value.value != 0;
}

}  // namespace

bool stops_at(const Program& program, const SourceSet& sources, const Breakpoint& breakpoint,
              RuleId rule, StateView before, StateView after, const Positions& positions,
              std::uint64_t depth) {
  if (breakpoint.line == 0)
    return holds(program, breakpoint.predicate, after, depth) &&
           !holds(program, breakpoint.predicate, before, depth - 1);
  const std::vector<StatementId> ahead = positions.ahead(program.rules[rule].owner().process);
  return std::any_of(ahead.begin(), ahead.end(), [&](StatementId statement) {
    return sources.line_column(program.protocol.statements[statement].place).line ==
           breakpoint.line;
  });
}

std::vector<std::uint32_t> lines_of_steps(const Program& program, const SourceSet& sources) {
  std::set<std::uint32_t> lines;
  for (const Rule& rule : program.rules)
    for (const StatementId statement : rule.statements)
      lines.insert(sources.line_column(program.protocol.statements[statement].place).line);
  return {lines.begin(), lines.end()};
}

}  // namespace panoptes
