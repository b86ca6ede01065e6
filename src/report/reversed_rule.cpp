// SPDX-License-Identifier: Apache-2.0
// Backwards, the state behind a rule comes first. What was received is put back; assignments are
// undone in an order in which none reads what is still to be undone, as if they had been made one
// after the other; then what was sent is taken back, and what the rule asks of the state before it
// is claimed.
//
// Holzmann (Backward Symbolic Execution of Protocols, section 3) makes an assignment of a
// condition. That drops what was claimed before, and so leads to states that cannot be reached.
#include "report/reversed_rule.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cstdlib>
#include <optional>
#include <utility>

#include "report/show_content.hpp"

namespace panoptes {
namespace {

// Variables first .. end - 1.
struct VariableRange {
  VariableId first, end;

  bool overlaps(VariableRange other) const { return first < other.end && other.first < end; }
};

class ReversedRule {
 public:
  ReversedRule(const Program& program, RuleId id, ProcessId process)
      : program_(program),
        protocol_(program.protocol),
        pool_(program.protocol.expressions),
        id_(id),
        rule_(program.rules[id]),
        process_(process) {
    for (const Assignment& a : rule_.assignments) left_.push_back(&a);
    if (!rule_.is_else) asked_ = rule_.conditions;
  }

  std::string text() {
    if (rule_.kind == ActionKind::bad_index)
      return fmt::format("no way back: {} with an index out of range", rule_.text);
    channel_back();
    assignments_back();
    send_back();
    claim_conditions();
    for (const AssertionMove& move : rule_.assertion_moves)
      add("{} moves back", protocol_.assertions[move.assertion].name);
    if (parts_.empty()) add("skip");
    std::string out = fmt::format("{}", fmt::join(parts_, "; "));
    if (rule_.moves.size() > 1) out += with_others();
    if (rule_.ends_inside) out += ", indivisible";
    return out;
  }

 private:
  template <typename... Values>
  void add(fmt::format_string<Values...> format, Values&&... values) {
    parts_.push_back(fmt::format(format, std::forward<Values>(values)...));
  }

  std::string written(ExpressionId id) const { return to_text(protocol_.expressions, id, names_); }
  // The same as an operand of a comparison.
  std::string operand(ExpressionId id) const {
    const Op op = pool_[bare(id)].op;
    const bool is_weak = op >= Op::logical_or && op <= Op::greater_equal;
    return is_weak ? fmt::format("({})", written(id)) : written(id);
  }
  // Without what does not show in a text.
  ExpressionId bare(ExpressionId id) const {
    while (true) switch (pool_[id].op) {
        case Op::wrap:
        case Op::bound:
        case Op::require: id = pool_[id].a; break;
        case Op::after: id = pool_[id].b; break;
        default: return id;
      }
  }
  const std::string& channel_name() const { return protocol_.channels[rule_.channel].name; }
  const MessageType& message() const {
    return protocol_.channels[rule_.channel].sort[rule_.tag - 1];
  }
  std::string message_with(const std::vector<std::string>& values) const {
    return values.empty() ? message().name
                          : fmt::format("{}({})", message().name, fmt::join(values, ", "));
  }
  std::string with_others() const {
    std::vector<std::string> others;
    for (const ProcessMove& move : rule_.moves)
      if (move.process != process_) others.push_back(protocol_.processes[move.process].name);
    return fmt::format(", together with {}", fmt::join(others, ", "));
  }

  // ---- who reads and writes what --------------------------------------------------------------

  VariableRange target_of(const Assignment& a) const {
    if (a.index == none) return {a.variable, a.variable + 1};
    if (pool_.is_constant(a.index) && pool_[a.index].value >= 0 &&
        pool_[a.index].value < a.length) {
      const VariableId element = a.variable + static_cast<VariableId>(pool_[a.index].value);
      return {element, element + 1};
    }
    return {a.variable, a.variable + a.length};
  }
  void add_reads(ExpressionId id, std::vector<VariableRange>& ranges) const {
    pool_.visit(id, [&](const ExpressionNode& node) {
      if (node.op == Op::variable) ranges.push_back({node.a, node.a + 1});
      if (node.op == Op::element)
        ranges.push_back({node.b, node.b + static_cast<VariableId>(node.value)});
    });
  }
  bool reads(ExpressionId id, VariableRange variables) const {
    std::vector<VariableRange> ranges;
    add_reads(id, ranges);
    return std::any_of(ranges.begin(), ranges.end(),
                       [&](VariableRange range) { return range.overlaps(variables); });
  }
  bool reads(const Assignment& a, VariableRange variables) const {
    return reads(a.value, variables) || (a.index != none && reads(a.index, variables));
  }
  bool reads_what_is_assigned(ExpressionId id) const {
    std::vector<VariableRange> ranges;
    add_reads(id, ranges);
    return std::any_of(
        rule_.assignments.begin(), rule_.assignments.end(), [&](const Assignment& a) {
          return std::any_of(ranges.begin(), ranges.end(),
                             [&](VariableRange range) { return range.overlaps(target_of(a)); });
        });
  }
  bool is_value(const ExpressionNode& node) const {
    return node.op == Op::field && node.a == rule_.channel && node.value == rule_.position;
  }
  bool is_value(const ExpressionNode& node, std::uint32_t value) const {
    return is_value(node) && node.b == value;
  }
  bool reads_values(ExpressionId id) const {
    bool found = false;
    pool_.visit(id, [&](const ExpressionNode& node) { found |= is_value(node); });
    return found;
  }
  // In how many places the rule reads a value of the message it receives.
  std::size_t uses_of(std::uint32_t value) const {
    std::size_t uses = 0;
    const auto count = [&](ExpressionId id) {
      pool_.visit(id, [&](const ExpressionNode& node) { uses += is_value(node, value); });
    };
    for (const ExpressionId condition : rule_.conditions) count(condition);
    if (rule_.check != none) count(rule_.check);
    for (const Assignment& a : rule_.assignments) {
      count(a.value);
      if (a.index != none) count(a.index);
    }
    return uses;
  }

  // ---- channels -------------------------------------------------------------------------------

  void channel_back() {
    if (rule_.kind == ActionKind::flush) {
      add("claim empty({})", channel_name());
      add("forget {}", channel_name());
    }
    if (rule_.kind != ActionKind::receive && rule_.kind != ActionKind::copy) return;
    std::vector<std::string> values, forgotten;
    for (std::uint32_t v = 0; v < message().values.size(); ++v)
      values.push_back(value_put_back(v, forgotten));
    const std::string put = message_with(values);
    if (rule_.kind == ActionKind::copy) {
      asked_.erase(asked_.begin());  // that it is this message
      add("claim {} of {} is {}", message_place(rule_), channel_name(), put);
    } else if (rule_.position == 0) {
      add("~{}!{}", channel_name(), put);
    } else {
      add("~{}!{} before the last {}", channel_name(), put, rule_.position);
    }
    for (const std::string& name : forgotten) add("forget {}", name);
  }

  // What is known of a value that was received: the variable it went to, what it was compared with,
  // nothing; or its name, by which others speak of it.
  std::string value_put_back(std::uint32_t value, std::vector<std::string>& forgotten) {
    const std::size_t uses = uses_of(value);
    if (uses == 0) return "_";
    if (uses == 1) {
      const auto assignment = std::find_if(
          left_.begin(), left_.end(), [&](const Assignment* a) { return just_takes(*a, value); });
      if (assignment != left_.end()) {
        forgotten.push_back(target_text(protocol_, **assignment));
        left_.erase(assignment);
        return forgotten.back();
      }
      for (auto condition = asked_.begin(); condition != asked_.end(); ++condition)
        if (const auto other = compared_with(*condition, value)) {
          asked_.erase(condition);
          return written(*other);
        }
    }
    return field_name(channel_name(), value, rule_.position);
  }

  // Whether the target of an assignment is that value, whatever it is.
  bool just_takes(const Assignment& a, std::uint32_t value) const {
    ExpressionId id = a.value;
    if (pool_[id].op == Op::bound) id = pool_[id].a;
    if (pool_[id].op == Op::wrap) {
      const Interval range{pool_[id].value, pool_[id].high};
      const Interval& sent = message().values[value];
      if (!range.contains(sent.low) || !range.contains(sent.high)) return false;
      id = pool_[id].a;
    }
    if (!is_value(pool_[id], value)) return false;
    const VariableRange target = target_of(a);
    return target.end == target.first + 1 &&
           std::none_of(rule_.assignments.begin(), rule_.assignments.end(),
                        [&](const Assignment& other) {
                          return &other != &a && target_of(other).overlaps(target);
                        });
  }

  // What a condition says that value is; nothing where it says something else.
  std::optional<ExpressionId> compared_with(ExpressionId condition, std::uint32_t value) const {
    const ExpressionNode& node = pool_[condition];
    if (node.op != Op::equal) return {};
    for (const auto& [side, other] : {std::pair{node.a, node.b}, std::pair{node.b, node.a}})
      if (is_value(pool_[side], value) && !reads_values(other) && !reads_what_is_assigned(other))
        return other;
    return {};
  }

  void send_back() {
    if (rule_.kind != ActionKind::send && rule_.kind != ActionKind::lose) return;
    std::vector<std::string> values;
    for (const ExpressionId value : rule_.values) values.push_back(written(value));
    const Channel& channel = protocol_.channels[rule_.channel];
    // In a rendezvous each of the two does the opposite of what it did.
    const bool has_received = channel.is_rendezvous() && process_ != rule_.owner().process;
    add("~{}{}{}{}", channel.name, has_received ? '!' : '?', message_with(values),
        rule_.kind == ActionKind::lose ? " (lost)"
        : channel.is_sink              ? " (sink)"
                                       : "");
  }

  // ---- assignments ----------------------------------------------------------------------------

  // One that is to be undone.
  struct Undone {
    const Assignment* assignment;
    VariableRange target;
    std::vector<VariableRange> touched;  // what it reads and writes
    std::size_t waits_for = 0;           // others that write some of it, and are not undone yet

    bool waits(const Undone& other) const {
      return this != &other &&
             std::any_of(touched.begin(), touched.end(),
                         [&](VariableRange range) { return range.overlaps(other.target); });
    }
  };

  void assignments_back() {
    std::vector<Undone> all;
    for (const Assignment* a : left_) {
      all.push_back({a, target_of(*a), {target_of(*a)}});
      add_reads(a->value, all.back().touched);
      if (a->index != none) add_reads(a->index, all.back().touched);
    }
    for (Undone& one : all)
      for (const Undone& other : all) one.waits_for += one.waits(other);
    while (!left_.empty()) {
      const auto next = std::find_if(all.begin(), all.end(), [](const Undone& one) {
        return one.assignment && one.waits_for == 0;
      });
      if (next == all.end()) return undo_together();
      undo(*next->assignment);
      std::erase(left_, next->assignment);
      next->assignment = nullptr;
      for (Undone& one : all) one.waits_for -= one.waits(*next);
    }
  }

  void undo(const Assignment& a) {
    const std::string name = target_text(protocol_, a);
    if (!reads(a, target_of(a))) {
      add("claim {} == {}", name, operand(a.value));
      add("forget {}", name);
    } else if (auto inverse = inverse_of(a, name)) {
      parts_.push_back(std::move(*inverse));
    } else {
      add("{} such that {} == {}'", name, operand(a.value), name);
    }
  }

  // Each reads what another writes, as where two variables are exchanged.
  void undo_together() {
    std::vector<std::string> names, demands;
    bool may_be_same = false;
    for (const Assignment* a : left_) {
      names.push_back(target_text(protocol_, *a));
      demands.push_back(fmt::format("{} == {}'", operand(a->value), names.back()));
      may_be_same |= std::any_of(left_.begin(), left_.end(), [&](const Assignment* other) {
        return other != a && target_of(*other).overlaps(target_of(*a));
      });
    }
    add("{} such that {}{}", fmt::join(names, ", "), fmt::join(demands, ", "),
        may_be_same ? " (of one element, the last)" : "");
  }

  // The assignment to `name` that undoes one which reads nothing else; nothing where none does.
  std::optional<std::string> inverse_of(const Assignment& a, const std::string& name) const {
    if (a.index != none && reads(a.index, target_of(a))) return {};
    const ExpressionNode& node = pool_[bare(a.value)];
    const Interval& range = protocol_.variables[a.variable].range;
    const Interval& declared = protocol_.variables[a.variable].declared;
    if (node.op == Op::logical_not && is_target(node.a, a) && range.low >= 0 && range.high <= 1 &&
        declared.contains(0) && declared.contains(1))
      return fmt::format("{} = !{}", name, name);
    if (node.op == Op::remainder && pool_.is_constant(node.b)) {
      const std::int64_t size = pool_[node.b].value;
      if (size < 1 || range.low < 0 || range.high >= size || !declared.contains(0) ||
          !declared.contains(size - 1))
        return {};
      const auto inner = shift_of(node.a, a);
      if (!inner) return {};
      return fmt::format("{} = ({}) % {}", name, unshifted(*inner, name), size);
    }
    const auto shift = shift_of(bare(a.value), a);
    if (!shift) return {};
    if (shift->is_mirrored) return fmt::format("{} = {}", name, unshifted(*shift, name));
    const char sign = shift->by > 0 ? '-' : '+';
    const std::int64_t size = std::abs(shift->by);
    return size == 1 ? fmt::format("{}{}{}", name, sign, sign)
                     : fmt::format("{} {}= {}", name, sign, size);
  }

  // The target of an assignment plus a number, or the number minus the target.
  struct Shift {
    std::int64_t by;
    bool is_mirrored;
  };
  std::optional<Shift> shift_of(ExpressionId id, const Assignment& a) const {
    const ExpressionNode& node = pool_[id];
    if (node.op != Op::add && node.op != Op::subtract) return {};
    const bool is_left = is_target(node.a, a);
    const ExpressionId other = is_left ? node.b : node.a;
    if ((!is_left && !is_target(node.b, a)) || !pool_.is_constant(other)) return {};
    const std::int64_t number = pool_[other].value;
    if (number < short_integer.low || number > short_integer.high) return {};
    if (node.op == Op::add) return Shift{number, false};
    return is_left ? Shift{-number, false} : Shift{number, true};
  }
  static std::string unshifted(const Shift& shift, const std::string& name) {
    if (shift.is_mirrored) return fmt::format("{} - {}", shift.by, name);
    return fmt::format("{} {} {}", name, shift.by > 0 ? '-' : '+', std::abs(shift.by));
  }
  bool is_target(ExpressionId id, const Assignment& a) const {
    const ExpressionNode& node = pool_[id];
    const VariableRange target = target_of(a);
    if (node.op == Op::variable) return target.end == target.first + 1 && node.a == target.first;
    return node.op == Op::element && node.a == a.index && node.b == a.variable;
  }

  // ---- conditions -----------------------------------------------------------------------------

  void claim_conditions() {
    if (rule_.is_else) add("claim else");
    for (const ExpressionId condition : asked_)
      if (!pool_.is_constant(condition) || pool_[condition].value == 0)
        add("claim {}", written(condition));
    if (rule_.check != none) add("claim {}", written(rule_.check));
    if (rule_.kind == ActionKind::timeout) add("claim empty({})", channel_name());
    if (program_.round_of(id_).waits_for_exchanges)
      add("claim nothing can be sent or received");
    else if (program_.class_of(id_) > 0)
      add("claim nothing else can move");
  }

  const Program& program_;
  const Protocol& protocol_;
  const Expressions& pool_;
  const RuleId id_;
  const Rule& rule_;
  const ProcessId process_;
  const ExpressionNames names_ = protocol_.names();
  std::vector<std::string> parts_;
  std::vector<const Assignment*> left_;  // that are not undone yet
  std::vector<ExpressionId> asked_;      // conditions that nothing has said yet
};

}  // namespace

std::string reversed_text(const Program& program, RuleId rule, ProcessId process) {
  return ReversedRule(program, rule, process).text();
}

}  // namespace panoptes
