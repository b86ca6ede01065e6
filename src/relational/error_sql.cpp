// SPDX-License-Identifier: Apache-2.0
#include "relational/error_sql.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

namespace panoptes {
namespace {

class Errors {
 public:
  Errors(const StateSql& state, const std::vector<RuleSql>& rules, ReceptionPolicy receptions)
      : state_(state),
        program_(state.program()),
        rules_(rules),
        receptions_(receptions),
        expressions_(state) {
    for (RuleId id = 0; id < program_.rules.size(); ++id)
      if (program_.rules[id].moves.size() > 1) together_.push_back(id);
  }

  std::vector<ErrorSql> result() {
    std::vector<ErrorSql> all;
    for (const StateError& row : program_.errors.states)
      if (row.counts_under(receptions_)) all.push_back(error(row));
    return all;
  }

 private:
  ErrorSql error(const StateError& row) {
    ErrorSql error;
    error.kind = row.kind;
    error.significant = significant(row);
    std::vector<std::string> parts;
    if (row.idle == Idle::everybody) parts.emplace_back("id IN (SELECT id FROM stuck)");
    if (row.process != none) error.process = std::to_string(row.process);
    if (row.assertion != none) error.assertion = std::to_string(row.assertion);
    if (row.channel != none) {
      const std::string head = state_.tag(program_.layout.channels[row.channel], 0);
      parts.push_back(fmt::format("{} <> 0", head));
      error.channel = std::to_string(row.channel);
      if (row.names_message) error.tag = head;
    }
    parts.push_back(row.at.empty() && row.idle != Idle::process ? condition(row.predicate)
                                                                : by_control_state(row));
    error.condition = fmt::format("{}", fmt::join(parts, " AND "));
    return error;
  }

  std::string condition(ExpressionId predicate) const {
    return predicate == none ? "FALSE" : expressions_.condition(predicate);
  }

  // Where the process is says what must hold, and which rules must not be enabled.
  std::string by_control_state(const StateError& row) {
    std::string cases;
    for (StateId s = 0; s < program_.control[row.process].size(); ++s) {
      const ExpressionId predicate = row.predicate_at(s);
      if (predicate == none || (predicate == row.predicate && row.idle != Idle::process)) continue;
      cases += fmt::format(" WHEN {} THEN {}", s, condition(predicate));
      if (row.idle == Idle::process)
        cases += fmt::format(" AND NOT ({})", moves(program_.at(row.process, s)));
    }
    const std::string otherwise = row.idle == Idle::process ? "FALSE" : condition(row.predicate);
    if (cases.empty()) return otherwise;
    return fmt::format("CASE {}{} ELSE {} END", state_.control(row.process), cases, otherwise);
  }

  // That the process can do something where it is at `info`.
  std::string moves(const ControlInfo& info) {
    std::vector<std::string> enabled;
    const auto add = [&](RuleId id) {
      enabled.push_back(rules_[id].enabled(state_.dialect()));
      const std::uint32_t rule_class = program_.class_of(id);
      if (rule_class == 0) return;
      if (busy_.empty()) busy_ = busy_sql(state_.dialect(), program_, rules_);
      enabled.back() += fmt::format(" AND NOT ({})", busy_[rule_class]);
    };
    for_each_rule(info, add);
    // Others may move it, too.
    for (const RuleId id : together_) {
      const auto& moves = program_.rules[id].moves;
      for (std::size_t i = 1; i < moves.size(); ++i)
        if (&program_.at(moves[i].process, moves[i].from) == &info) add(id);
    }
    return joined(enabled, "OR");
  }

  // The control states of those whom it concerns.
  StateWords significant(const StateError& row) const {
    StateWords bits(program_.layout.words, 0);
    for (ProcessId p = 0; p < program_.control.size(); ++p) {
      const Slot& slot = program_.layout.control[p];
      if ((row.concerns_all || p == row.process) && slot.bits > 0)
        bits[slot.word] |= slot.mask() << slot.shift;
    }
    return bits;
  }

  const StateSql& state_;
  const Program& program_;
  const std::vector<RuleSql>& rules_;
  ReceptionPolicy receptions_;
  ExpressionSql expressions_;
  std::vector<std::string> busy_;
  std::vector<RuleId> together_;  // rules that move several processes
};

}  // namespace

std::vector<ErrorSql> error_sql(const StateSql& state, const std::vector<RuleSql>& rules,
                                ReceptionPolicy receptions) {
  return Errors(state, rules, receptions).result();
}

}  // namespace panoptes
