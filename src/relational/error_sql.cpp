// SPDX-License-Identifier: Apache-2.0
#include "relational/error_sql.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

namespace panoptes {
namespace {

class Errors {
 public:
  Errors(const StateSql& state, const std::vector<RuleSql>& rules, ReceptionPolicy receptions)
      : state_(state), program_(state.program()), rules_(rules), receptions_(receptions) {
    for (RuleId id = 0; id < program_.rules.size(); ++id)
      if (program_.rules[id].moves.size() > 1) together_.push_back(id);
  }

  std::vector<ErrorSql> result() {
    deadlocks();
    for (ProcessId p = 0; p < program_.control.size(); ++p)
      for (ChannelId c = 0; c < program_.layout.channels.size(); ++c) receptions(p, c);
    unread_messages();
    unfinished_assertions();
    return std::move(all_);
  }

 private:
  StateWords no_bits() const { return StateWords(program_.layout.words, 0); }

  void add_control(ProcessId process, StateWords& bits) const {
    const Slot& slot = program_.layout.control[process];
    if (slot.bits > 0) bits[slot.word] |= slot.mask() << slot.shift;
  }

  // Every process is at a state for which `holds`.
  template <typename Predicate>
  std::string everywhere(Predicate holds) const {
    std::vector<std::string> parts;
    for (ProcessId p = 0; p < program_.control.size(); ++p) {
      std::vector<StateId> states;
      for (StateId s = 0; s < program_.control[p].size(); ++s)
        if (holds(program_.at(p, s))) states.push_back(s);
      parts.push_back(at_sql(state_, p, states));
    }
    return fmt::format("{}", fmt::join(parts, " AND "));
  }
  std::string all_at_end() const {
    return everywhere([](const ControlInfo& info) { return info.is_end; });
  }

  // Nothing is enabled, which is a matter of firings.
  void deadlocks() {
    ErrorSql error;
    error.kind = ErrorKind::deadlock;
    error.condition =
        fmt::format("id IN (SELECT id FROM stuck) AND NOT ({})",
                    everywhere([](const ControlInfo& info) { return info.may_stop; }));
    error.significant = no_bits();
    for (ProcessId p = 0; p < program_.control.size(); ++p) add_control(p, error.significant);
    all_.push_back(std::move(error));
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

  // That the head of the channel is a message the process does not take where it is at `info`.
  std::string unspecified(ProcessId process, const ControlInfo& info, ChannelId channel) {
    const bool is_any = receptions_ == ReceptionPolicy::any &&
                        program_.protocol.channels[channel].reader() == process;
    const ExpressionSql expressions(state_);
    std::vector<std::string> reads, accepts;
    if (is_any) reads.emplace_back("TRUE");
    for (const Reception& reception : info.receptions) {
      if (reception.channel != channel) continue;
      std::string holds = "TRUE";
      for (const ExpressionId condition : reception.conditions)
        holds += " AND " + expressions.condition(condition);
      reads.push_back(fmt::format("({})", holds));
      std::vector<std::size_t> tags;
      for (std::size_t tag = 1; tag < reception.accepts.size(); ++tag)
        if (reception.accepts[tag]) tags.push_back(tag);
      if (!tags.empty())
        accepts.push_back(
            fmt::format("({} AND {} IN ({}))", holds, head(channel), fmt::join(tags, ", ")));
    }
    if (reads.empty()) return {};
    std::string text = fmt::format("({})", fmt::join(reads, " OR "));
    if (!accepts.empty()) text += fmt::format(" AND NOT ({})", fmt::join(accepts, " OR "));
    if (receptions_ == ReceptionPolicy::blocked) text += fmt::format(" AND NOT ({})", moves(info));
    return text;
  }

  std::string head(ChannelId channel) const {
    return state_.tag(program_.layout.channels[channel], 0);
  }

  void receptions(ProcessId process, ChannelId channel) {
    if (program_.layout.channels[channel].pieces.empty()) return;
    std::string cases;
    for (StateId s = 0; s < program_.control[process].size(); ++s) {
      const ControlInfo& info = program_.at(process, s);
      if (info.is_end) continue;
      if (receptions_ == ReceptionPolicy::blocked && !info.receives_only) continue;
      if (const std::string text = unspecified(process, info, channel); !text.empty())
        cases += fmt::format(" WHEN {} THEN {}", s, text);
    }
    if (cases.empty()) return;
    ErrorSql error;
    error.kind = ErrorKind::unspecified_reception;
    error.condition = fmt::format("{} <> 0 AND CASE {}{} ELSE FALSE END", head(channel),
                                  state_.control(process), cases);
    error.process = std::to_string(process);
    error.channel = std::to_string(channel);
    error.tag = head(channel);
    error.significant = no_bits();
    add_control(process, error.significant);
    all_.push_back(std::move(error));
  }

  void unread_messages() {
    for (ChannelId c = 0; c < program_.layout.channels.size(); ++c) {
      if (program_.layout.channels[c].pieces.empty()) continue;
      ErrorSql error;
      error.kind = ErrorKind::unread_messages;
      error.condition = fmt::format("{} <> 0 AND {}", head(c), all_at_end());
      error.channel = std::to_string(c);
      error.significant = no_bits();
      all_.push_back(std::move(error));
    }
  }

  void unfinished_assertions() {
    for (std::uint32_t a = 0; a < program_.layout.assertions.size(); ++a) {
      std::vector<std::size_t> unfinished;
      const auto& accepts_end = program_.protocol.assertions[a].accepts_end;
      for (std::size_t subset = 0; subset < accepts_end.size(); ++subset)
        if (!accepts_end[subset]) unfinished.push_back(subset);
      if (unfinished.empty()) continue;
      ErrorSql error;
      error.kind = ErrorKind::assertion;
      error.condition = fmt::format("{} IN ({}) AND {}", state_.slot(program_.layout.assertions[a]),
                                    fmt::join(unfinished, ", "), all_at_end());
      error.assertion = std::to_string(a);
      error.significant = no_bits();
      all_.push_back(std::move(error));
    }
  }

  const StateSql& state_;
  const Program& program_;
  const std::vector<RuleSql>& rules_;
  ReceptionPolicy receptions_;
  std::vector<std::string> busy_;
  std::vector<RuleId> together_;  // rules that move several processes
  std::vector<ErrorSql> all_;
};

}  // namespace

std::vector<ErrorSql> error_sql(const StateSql& state, const std::vector<RuleSql>& rules,
                                ReceptionPolicy receptions) {
  return Errors(state, rules, receptions).result();
}

}  // namespace panoptes
