// SPDX-License-Identifier: Apache-2.0
#include "relational/rule_sql.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <map>
#include <set>
#include <tuple>

namespace panoptes {
namespace {

// Conditions that bits of words have certain values, gathered by word.
struct BitTests {
  explicit BitTests(std::uint32_t words) : masks(words, 0), bits(words, 0) {}

  void add(std::uint32_t word, Word mask, Word value) {
    masks[word] |= mask;
    bits[word] |= value;
  }
  void add(const Slot& slot, Word value) {
    if (slot.bits > 0) add(slot.word, slot.mask() << slot.shift, value << slot.shift);
  }

  StateWords masks, bits;
};

std::string test_sql(const Dialect& dialect, const StateWords& masks, const StateWords& bits) {
  std::string text;
  for (std::uint32_t i = 0; i < masks.size(); ++i)
    if (masks[i] != 0)
      text += fmt::format("{}({} & {}) = {}", text.empty() ? "" : " AND ", StateSql::word(i),
                          dialect.word(masks[i]), dialect.word(bits[i]));
  return text.empty() ? "TRUE" : text;
}

// Where the tag of message slot `index` lies.
std::pair<std::uint32_t, std::uint32_t> tag_place(const ChannelLayout& channel,
                                                  std::uint32_t index) {
  for (const ChannelPiece& piece : channel.pieces) {
    if (index < piece.slots) return {piece.word, piece.shift + index * channel.slot_bits};
    index -= piece.slots;
  }
  return {};
}

void test_tag(const ChannelLayout& channel, std::uint32_t index, Word tag, BitTests& tests) {
  const auto [word, shift] = tag_place(channel, index);
  tests.add(word, channel.tag_mask() << shift, tag << shift);
}

std::string case_of(const std::string& condition, ErrorKind kind) {
  return fmt::format("CASE WHEN {} THEN {} END", condition, 1 + static_cast<int>(kind));
}

std::span<const StepCheck> checks_of(const Program& program, const Rule& rule) {
  return program.errors.checks_of(static_cast<RuleId>(&rule - program.rules.data()));
}

// The error of a fault, as an outcome.
std::string fault_outcome(const std::string& fault) {
  return fmt::format("CASE {} WHEN {} THEN {} WHEN {} THEN {} END", fault,
                     static_cast<int>(Fault::division_by_zero),
                     1 + static_cast<int>(ErrorKind::division_by_zero),
                     static_cast<int>(Fault::index_out_of_range),
                     1 + static_cast<int>(ErrorKind::index_out_of_range));
}

class Translation {
 public:
  Translation(const StateSql& state, const Rule& rule)
      : state_(state),
        rule_(rule),
        dialect_(state.dialect()),
        layout_(state.program().layout),
        expressions_(state, rule.kind == ActionKind::receive ? rule.channel : none, rule.position,
                     rule.tag) {}

  RuleSql result() {
    RuleSql result;
    const std::uint32_t words = layout_.words;
    result.cleared.resize(words, 0);
    result.put.resize(words, 0);
    result.parts.resize(words);
    result.tag = rule_.kind == ActionKind::send ? rule_.tag : 0;
    predicate(result);
    result.outcome = outcome(result);
    action(result);
    return result;
  }

 private:
  // Why a condition has no value while all before it hold, or NULL; "" where none can be so.
  std::string condition_fault() const { return expressions_.first_fault(rule_.conditions, true); }

  void predicate(RuleSql& result) const {
    BitTests tests(layout_.words), room(layout_.words);
    for (const ProcessMove& move : rule_.moves) tests.add(layout_.control[move.process], move.from);
    if (rule_.kind == ActionKind::receive || rule_.kind == ActionKind::timeout) {
      const ChannelLayout& channel = layout_.channels[rule_.channel];
      const Word tag = rule_.kind == ActionKind::receive ? rule_.tag : 0;
      const std::uint32_t position = rule_.kind == ActionKind::receive ? rule_.position : 0;
      if (!channel.pieces.empty() && position <= channel.last_slot)
        test_tag(channel, position, tag, tests);
      else if (tag != 0)
        result.holds += " AND FALSE";
    }
    const std::string fault = condition_fault();
    if (waits()) {
      const ChannelLayout& channel = layout_.channels[rule_.channel];
      test_tag(channel, channel.last_slot, 0, fault.empty() ? tests : room);
    }
    std::string holds;
    for (const ExpressionId condition : rule_.conditions)
      holds += " AND " + expressions_.held(condition);
    result.holds += fault.empty() ? holds
                                  : fmt::format(" AND ({} IS NOT NULL OR ({}{}))", fault,
                                                test_sql(dialect_, room.masks, room.bits), holds);
    result.tested = tests.masks;
    result.bits = tests.bits;
  }

  // Whether the rule is not enabled where its channel is full.
  bool waits() const {
    return rule_.kind == ActionKind::send && state_.program().overflow == OverflowPolicy::wait &&
           !layout_.channels[rule_.channel].pieces.empty();
  }

  std::string outcome(RuleSql& result) const {
    std::vector<std::string> outcomes = fault_outcomes(expressions_, state_.program(), rule_, true);
    for (const StepCheck& check : checks_of(state_.program(), rule_)) {
      if (check.assertion == none) continue;
      result.violated.emplace_back(check.assertion,
                                   fmt::format("NOT {}", expressions_.held(check.holds)));
      outcomes.push_back(fmt::format("CASE WHEN {} THEN {} END", result.violated.back().second,
                                     RuleSql::violation));
    }
    if (outcomes.empty()) return {};
    outcomes.emplace_back("0");
    return first_of(outcomes);
  }

  void action(RuleSql& result) const {
    for (const ProcessMove& move : rule_.moves) {
      const Slot& control = layout_.control[move.process];
      if (control.bits == 0) continue;
      result.cleared[control.word] |= control.mask() << control.shift;
      result.put[control.word] |= Word{move.to} << control.shift;
    }
    if (rule_.kind == ActionKind::receive) take(result);
    if (rule_.kind == ActionKind::send) append(result);
    std::set<VariableId> done;
    for (const Assignment& a : rule_.assignments)
      for (VariableId v = a.variable; v < a.variable + a.length; ++v)
        if (done.insert(v).second) assign(v, result);
    for (const AssertionMove& move : rule_.assertion_moves) move_assertion(move, result);
  }

  static void clear(RuleSql& result, std::uint32_t word, Word bits) {
    result.cleared[word] |= bits;
  }
  static void add_part(RuleSql& result, std::uint32_t word, const std::string& sql) {
    result.parts[word] += " | " + sql;
  }

  // Every message behind it moves one slot towards the head, from piece to piece too.
  void take(RuleSql& result) const {
    const ChannelLayout& channel = layout_.channels[rule_.channel];
    std::uint32_t position = rule_.position;
    for (std::size_t i = 0; i < channel.pieces.size(); ++i) {
      const ChannelPiece& piece = channel.pieces[i];
      const std::uint32_t before = std::min(position, piece.slots);
      position -= before;
      if (before == piece.slots) continue;
      const std::uint32_t last_shift = piece.shift + (piece.slots - 1) * channel.slot_bits;
      const Word moving =
          piece.mask & ~(((Word{1} << before * channel.slot_bits) - 1) << piece.shift);
      clear(result, piece.word, moving);
      if (before + 1 < piece.slots) {
        const Word stays = moving & ~(channel.slot_mask() << last_shift);
        add_part(result, piece.word,
                 fmt::format("({} & {})",
                             dialect_.shift_right(StateSql::word(piece.word), channel.slot_bits),
                             dialect_.word(stays)));
      }
      if (i + 1 == channel.pieces.size()) continue;
      const ChannelPiece& following = channel.pieces[i + 1];
      const std::string carried = fmt::format(
          "({} & {})", dialect_.shift_right(StateSql::word(following.word), following.shift),
          dialect_.word(piece.carry_mask));
      add_part(result, piece.word, dialect_.shift_left(carried, last_shift));
    }
  }

  // The bits of a value in a slot of that size, not shifted. One that does not fit is cut off, so
  // that it never runs over into its neighbour.
  std::string bits_of(const ExpressionSql::Value& value, std::int64_t minimum, std::int64_t maximum,
                      Word mask) const {
    const std::string offset =
        minimum == 0 ? value.sql : fmt::format("({} - {})", value.sql, integer_sql(minimum));
    if (value.low >= minimum && value.high <= maximum) return dialect_.to_word(offset);
    return dialect_.to_word(
        fmt::format("({} & {})", offset, integer_sql(static_cast<std::int64_t>(mask))));
  }

  // The message sent, tag lowest.
  std::string message() const {
    const ChannelLayout& channel = layout_.channels[rule_.channel];
    std::string text = RuleSql::tag_column;
    for (std::size_t i = 0; i < rule_.values.size(); ++i) {
      const ValueField& field = channel.tags[rule_.tag - 1][i];
      if (field.bits == 0) continue;
      const std::string bits =
          bits_of(expressions_.value(rule_.values[i]), field.minimum, field.maximum, field.mask());
      text = fmt::format("({} | {})", text, dialect_.shift_left(bits, field.shift));
    }
    return text;
  }

  // The message goes to the first vacant slot, which is all zero.
  void append(RuleSql& result) const {
    const ChannelLayout& channel = layout_.channels[rule_.channel];
    if (channel.pieces.empty()) return;
    const std::string text = message();
    std::uint32_t first = 0;
    for (const ChannelPiece& piece : channel.pieces) {
      std::string cases;
      if (first > 0)
        cases +=
            fmt::format(" WHEN {} = 0 THEN {}", state_.tag(channel, first - 1), dialect_.word(0));
      for (std::uint32_t i = 0; i < piece.slots; ++i)
        cases += fmt::format(" WHEN {} = 0 THEN {}", state_.tag(channel, first + i),
                             dialect_.shift_left(text, piece.shift + i * channel.slot_bits));
      add_part(result, piece.word, fmt::format("CASE{} ELSE {} END", cases, dialect_.word(0)));
      first += piece.slots;
    }
  }

  // The last assignment that the variable is a target of counts.
  void assign(VariableId variable, RuleSql& result) const {
    const Slot& slot = layout_.variables[variable];
    if (slot.bits == 0) return;
    clear(result, slot.word, slot.mask() << slot.shift);
    const auto bits = [&](ExpressionId value) {
      return dialect_.shift_left(
          bits_of(expressions_.value(value), slot.minimum, slot.maximum, slot.mask()), slot.shift);
    };
    std::string cases, otherwise;
    for (std::size_t i = rule_.assignments.size(); i-- > 0 && otherwise.empty();) {
      const Assignment& a = rule_.assignments[i];
      if (variable < a.variable || variable >= a.variable + a.length) continue;
      if (a.index != none) {
        cases += fmt::format(" WHEN {} = {} THEN {}", expressions_.value(a.index).sql,
                             variable - a.variable, bits(a.value));
        continue;
      }
      const ExpressionNode& value = state_.program().protocol.expressions[a.value];
      if (value.op == Op::constant && cases.empty()) {
        result.put[slot.word] |= (static_cast<Word>(value.value - slot.minimum) & slot.mask())
                                 << slot.shift;
        return;
      }
      otherwise = bits(a.value);
    }
    if (otherwise.empty())
      otherwise = fmt::format("({} & {})", StateSql::word(slot.word),
                              dialect_.word(slot.mask() << slot.shift));
    add_part(result, slot.word,
             cases.empty() ? otherwise : fmt::format("CASE{} ELSE {} END", cases, otherwise));
  }

  void move_assertion(const AssertionMove& move, RuleSql& result) const {
    const Slot& slot = layout_.assertions[move.assertion];
    const auto& next = state_.program().protocol.assertions[move.assertion].next;
    if (slot.bits == 0) return;
    std::string cases;
    for (std::size_t subset = 0; subset < next.size(); ++subset)
      if (const std::uint32_t to = next[subset][move.symbol]; to != none)
        cases += fmt::format(" WHEN {} THEN {}", subset, dialect_.word(Word{to} << slot.shift));
    clear(result, slot.word, slot.mask() << slot.shift);
    if (!cases.empty())
      add_part(result, slot.word,
               fmt::format("CASE {}{} ELSE {} END", state_.slot(slot), cases, dialect_.word(0)));
  }

  const StateSql& state_;
  const Rule& rule_;
  const Dialect& dialect_;
  const Layout& layout_;
  ExpressionSql expressions_;
};

}  // namespace

RuleSql rule_sql(const StateSql& state, const Rule& rule) {
  return Translation(state, rule).result();
}

std::vector<std::string> fault_outcomes(const ExpressionSql& expressions, const Program& program,
                                        const Rule& rule, bool checks_room) {
  std::vector<std::string> outcomes;
  const auto add_fault = [&](const std::string& fault) {
    if (!fault.empty()) outcomes.push_back(fault_outcome(fault));
  };
  add_fault(expressions.first_fault(rule.conditions, true));
  for (const StepCheck& check : checks_of(program, rule)) {
    if (check.assertion != none || (check.kind == ErrorKind::overflow && !checks_room)) continue;
    add_fault(expressions.fault(check.holds));
    outcomes.push_back(case_of(fmt::format("NOT {}", expressions.held(check.holds)), check.kind));
  }
  for (const ExpressionId value : rule.values) add_fault(expressions.fault(value));
  for (const Assignment& a : rule.assignments) {
    if (a.index != none) add_fault(expressions.fault_of_index(a.index, a.length));
    add_fault(expressions.fault(a.value));
  }
  return outcomes;
}

std::string RuleSql::enabled(const Dialect& dialect) const {
  return fmt::format("({}{})", test_sql(dialect, tested, bits), holds);
}

std::string joined(const std::vector<std::string>& conditions, std::string_view by) {
  if (conditions.empty()) return by == "OR" ? "FALSE" : "TRUE";
  std::vector<std::string> level = conditions;
  while (level.size() > 1) {
    std::vector<std::string> next;
    for (std::size_t i = 0; i < level.size(); i += 2)
      next.push_back(i + 1 < level.size() ? fmt::format("({} {} {})", level[i], by, level[i + 1])
                                          : level[i]);
    level = std::move(next);
  }
  return level[0];
}

std::vector<std::string> busy_sql(const Dialect& dialect, const Program& program,
                                  const std::vector<RuleSql>& rules) {
  std::vector<std::string> busy, enabled, exchanges;
  for (const RuleRound& round : program.rounds) {
    while (busy.size() <= round.rule_class)
      busy.push_back(busy.empty() ? "FALSE"
                                  : joined(round.waits_for_exchanges ? exchanges : enabled, "OR"));
    for (RuleId id = round.first; id < round.end; ++id) {
      enabled.push_back(rules[id].enabled(dialect));
      if (is_exchange(program.rules[id])) exchanges.push_back(enabled.back());
    }
  }
  return busy;
}

// A join takes about as long as this many queries without one.
constexpr std::size_t least_group = 8;

std::vector<RuleGroup> rule_groups(const Program& program, const std::vector<RuleSql>& rules) {
  const auto shape = [&](RuleId id) {
    const RuleSql& rule = rules[id];
    return std::tuple(program.class_of(id), rule.tested, rule.holds, rule.outcome, rule.violated,
                      rule.cleared, rule.parts);
  };
  std::map<decltype(shape(0)), RuleGroup> alike;
  for (RuleId id = 0; id < rules.size(); ++id) alike[shape(id)].rules.push_back(id);
  std::vector<RuleGroup> groups;
  for (auto& [key, group] : alike) {
    if (group.rules.size() >= least_group)
      groups.push_back(std::move(group));
    else
      for (const RuleId id : group.rules) groups.push_back({{id}});
  }
  return groups;
}

namespace {

std::string replaced(std::string text, std::string_view what, const std::string& with) {
  for (std::size_t at = 0; (at = text.find(what, at)) != std::string::npos; at += with.size())
    text.replace(at, what.size(), with);
  return text;
}

// The table of what the rules of a group differ in: number, bits tested, bits put, tag.
std::string group_table(const Dialect& dialect, const std::vector<RuleSql>& rules,
                        const RuleGroup& group) {
  std::string rows, columns = "number, tag";
  const std::size_t words = rules[group.rules[0]].tested.size();
  for (std::size_t i = 0; i < words; ++i) columns += fmt::format(", bits{}, put{}", i, i);
  for (const RuleId id : group.rules) {
    rows += fmt::format("{}({}, {}", rows.empty() ? "" : ", ", id, dialect.word(rules[id].tag));
    for (std::size_t i = 0; i < words; ++i)
      rows +=
          fmt::format(", {}, {}", dialect.word(rules[id].bits[i]), dialect.word(rules[id].put[i]));
    rows += ")";
  }
  return fmt::format("(VALUES {}) AS rule({})", rows, columns);
}

}  // namespace

Dialect::Branch group_branch(const Dialect& dialect, const Program& program,
                             const std::vector<RuleSql>& rules, const RuleGroup& group,
                             const std::string& before) {
  const RuleSql& first = rules[group.rules[0]];
  const bool is_one = group.rules.size() == 1;
  Dialect::Branch branch;
  branch.rule_class = program.class_of(group.rules[0]);
  branch.columns =
      replaced(before, "RULE", is_one ? std::to_string(group.rules[0]) : "rule.number");
  std::vector<std::string> tests;
  for (std::uint32_t i = 0; i < first.tested.size(); ++i) {
    const std::string word = StateSql::word(i);
    if (first.tested[i] != 0)
      tests.push_back(
          fmt::format("({} & {}) = {}", word, dialect.word(first.tested[i]),
                      is_one ? dialect.word(first.bits[i]) : fmt::format("rule.bits{}", i)));
    std::string next = word;
    if (first.cleared[i] != 0)
      next = fmt::format("({} & {}) | {}", word, dialect.word(~first.cleared[i]),
                         is_one ? dialect.word(first.put[i]) : fmt::format("rule.put{}", i));
    branch.columns +=
        fmt::format("{}{}{} AS {}", branch.columns.empty() ? "" : ", ", next, first.parts[i], word);
  }
  if (is_one)
    branch.columns = replaced(branch.columns, RuleSql::tag_column, dialect.word(first.tag));
  else
    branch.table = group_table(dialect, rules, group);
  const std::string test = tests.empty() ? "TRUE" : fmt::format("{}", fmt::join(tests, " AND "));
  (is_one ? branch.condition : branch.join) = test;
  branch.condition = fmt::format(
      "{}{}{}", is_one ? test : "TRUE", first.holds,
      first.outcome.empty() ? std::string{} : fmt::format(" AND {} = 0", first.outcome));
  return branch;
}

std::string at_sql(const StateSql& state, ProcessId process, const std::vector<StateId>& states) {
  if (states.empty()) return "FALSE";
  if (states.size() == state.program().control[process].size()) return "TRUE";
  return fmt::format("{} IN ({})", state.control(process), fmt::join(states, ", "));
}

}  // namespace panoptes
