// SPDX-License-Identifier: Apache-2.0
#include "differential/table_engines.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <deque>
#include <set>

#include "relational/expression_sql.hpp"
#include "relational/relate.hpp"
#include "relational/rows.hpp"
#include "rules/lower.hpp"
#include "support/c_text.hpp"

namespace panoptes::differential {
namespace {

// No table here has so many; a fault may make it have them.
constexpr std::size_t too_many_states = 5'000;

// Calls `expand` for every state that can be reached, each once. It adds successors to its second
// argument.
template <typename Expand>
bool walk(const StateWords& initial, Expand expand) {
  std::set<StateWords> seen{initial};
  std::deque<StateWords> waiting{initial};
  std::vector<StateWords> successors;
  for (; !waiting.empty(); waiting.pop_front()) {
    successors.clear();
    expand(waiting.front(), successors);
    for (StateWords& next : successors)
      if (seen.insert(next).second) waiting.push_back(next);
    if (seen.size() > too_many_states) return false;
  }
  return true;
}

NaiveStep success(const Program& program, RuleId rule, StateView next) {
  NaiveStep step;
  step.rule = rule;
  step.ends_inside = program.rules[rule].ends_inside;
  step.next = decoded(program, next);
  return step;
}

NaiveStep failure(const Program& program, RuleId rule, ErrorKind kind) {
  NaiveStep step;
  step.rule = rule;
  step.ends_inside = program.rules[rule].ends_inside;
  step.fails = true;
  step.kind = kind;
  return step;
}

void sort_by_rule(std::vector<NaiveStep>& steps) {
  std::sort(steps.begin(), steps.end(),
            [](const NaiveStep& a, const NaiveStep& b) { return a.rule < b.rule; });
}

std::string text_of(const NaiveState& state) {
  return fmt::format("at {} with {} and {}", state.control, state.variables, state.channels);
}

std::string text_of(const std::vector<NaiveStep>& steps) {
  std::string text;
  for (const NaiveStep& step : steps)
    text += fmt::format("\n  rule {}{}: {}", step.rule, step.ends_inside ? " (inside)" : "",
                        step.fails ? std::string(to_string(step.kind)) : text_of(step.next));
  return text;
}

}  // namespace

NaiveState decoded(const Program& program, StateView state) {
  NaiveState result;
  for (const Slot& slot : program.layout.control) result.control.push_back(read(slot, state));
  for (const Slot& slot : program.layout.variables) result.variables.push_back(read(slot, state));
  for (const ChannelLayout& channel : program.layout.channels) {
    auto& messages = result.channels.emplace_back();
    for (const Message& message : contents(channel, state)) {
      messages.push_back({message.tag});
      messages.back().insert(messages.back().end(), message.values.begin(), message.values.end());
    }
  }
  return result;
}

EngineSpace space_by(Stepper& stepper) {
  EngineSpace space;
  const Program& program = stepper.program();
  SuccessorBatch out;
  std::vector<Finding> findings;
  const auto expand = [&](const StateWords& state, std::vector<StateWords>& successors) {
    findings.clear();
    stepper.expand({program.layout.words, state}, out, findings);
    auto& steps = space.steps[decoded(program, state)];
    for (const Finding& finding : findings)
      steps.push_back(failure(program, finding.rule, finding.kind));
    for (std::size_t i = 0; i < out.size(); ++i) {
      steps.push_back(success(program, out.rules[i], out.states[i]));
      successors.emplace_back(out.states[i].begin(), out.states[i].end());
    }
    // What fails is told apart from the rest; both are in the order of the rules.
    if (!std::is_sorted(out.rules.begin(), out.rules.end())) space.problem = "rules out of order";
    sort_by_rule(steps);
  };
  try {
    if (!walk(program.initial, expand)) space.problem = "too many states";
  } catch (const std::exception& failed) {
    space.problem = failed.what();
  }
  return space;
}

EngineSpace space_by_c(const Program& program) {
  EngineSpace space;
  space.knows_kinds = false;
  const Lowered lowered = lower(program);
  const std::size_t width = program.layout.words, most = most_successors(program);
  StateWords words(most * width);
  std::vector<std::uint32_t> rules(most);
  try {
    test::CompiledText text(program);
    const auto expand = [&](const StateWords& state, std::vector<StateWords>& successors) {
      auto& steps = space.steps[decoded(program, state)];
      const std::size_t count = text.expand(state, words, rules);
      for (std::size_t i = 0; i < count; ++i) {
        const RuleId rule = rules[i] & ~test::failed_mark;
        if ((rules[i] & test::failed_mark) != 0) {
          steps.push_back(failure(program, rule, ErrorKind::deadlock));
        } else {
          successors.emplace_back(words.data() + i * width, words.data() + (i + 1) * width);
          steps.push_back(success(program, rule, successors.back()));
        }
        steps.back().ends_inside = lowered.rules[rule].ends_inside;
      }
    };
    if (!walk(text.initial(width), expand)) space.problem = "too many states";
  } catch (const std::exception& failed) {
    space.problem = failed.what();
  }
  return space;
}

EngineSpace space_by_sql(const Program& program, Database& database, const Dialect& dialect) {
  EngineSpace space;
  space.knows_order = false;
  const std::size_t width = program.layout.words;
  const auto related = relate(program, database, dialect, {});
  if (!related) {
    space.problem = related.failure().message;
    return space;
  }
  // Words come as numbers of their own kind; what counts is their bits.
  const StateSql sql(program, dialect);
  const auto state_in = [&](const Chunk& chunk, std::size_t row, std::size_t column) {
    StateWords words;
    for (std::size_t i = column; i < column + width; ++i)
      words.push_back(static_cast<Word>(chunk.columns[i].integers[row]));
    return words;
  };
  const auto rule_in = [](const Chunk& chunk, std::size_t row, std::size_t column) {
    return static_cast<RuleId>(chunk.columns[column].integers[row]);
  };
  const auto ask = [&](const std::string& query, auto each) {
    if (auto done = for_each_row(database, query, each); !done)
      space.problem = done.failure().message;
  };
  ask(fmt::format("SELECT {} FROM reached", sql.words()), [&](const Chunk& chunk, std::size_t row) {
    space.steps[decoded(program, state_in(chunk, row, 0))];
  });
  ask(fmt::format(
          "SELECT firings.rule, {}, {} FROM firings JOIN reached AS a ON a.id = source JOIN "
          "reached AS b ON b.id = target",
          sql.words("a."), sql.words("b.")),
      [&](const Chunk& chunk, std::size_t row) {
        space.steps[decoded(program, state_in(chunk, row, 1))].push_back(
            success(program, rule_in(chunk, row, 0), state_in(chunk, row, 1 + width)));
      });
  ask(fmt::format("SELECT failures.rule, failures.kind, {} FROM failures JOIN reached ON "
                  "reached.id = source",
                  sql.words("reached.")),
      [&](const Chunk& chunk, std::size_t row) {
        space.steps[decoded(program, state_in(chunk, row, 2))].push_back(
            failure(program, rule_in(chunk, row, 0),
                    static_cast<ErrorKind>(chunk.columns[1].integers[row])));
      });
  return space;
}

std::string difference(const NaiveSpace& wanted, const EngineSpace& got) {
  if (!got.problem.empty()) return got.problem;
  for (const auto& [state, expected] : wanted.steps) {
    const auto found = got.steps.find(state);
    if (found == got.steps.end()) return "not reached: " + text_of(state);
    std::vector<NaiveStep> steps = found->second, all = expected;
    if (!got.knows_order) sort_by_rule(steps), sort_by_rule(all);
    if (!got.knows_kinds)
      for (auto* list : {&steps, &all})
        for (NaiveStep& step : *list) step.kind = ErrorKind::deadlock;
    if (steps != all)
      return fmt::format("{}\nwanted{}\ngot{}", text_of(state), text_of(all), text_of(steps));
  }
  return got.steps.size() == wanted.steps.size() ? "" : "more states are reached";
}

}  // namespace panoptes::differential
