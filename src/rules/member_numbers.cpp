// SPDX-License-Identifier: Apache-2.0
#include "rules/member_numbers.hpp"

#include <algorithm>
#include <charconv>
#include <utility>

namespace panoptes {
namespace {

template <typename Declared>
std::vector<std::int64_t> numbers_of(const std::vector<Declared>& all,
                                     const std::vector<std::uint32_t>& family) {
  std::vector<std::int64_t> result;
  for (std::uint32_t i = 0; i < all.size(); ++i)
    result.push_back(number_in(all[i].name).value_or(i - family[i]));
  return result;
}

}  // namespace

std::optional<std::int64_t> number_in(const std::string& name) {
  const std::size_t open = name.rfind('[');
  if (open == std::string::npos || name.back() != ']') return {};
  std::int64_t number = 0;
  const char* const end = name.data() + name.size() - 1;
  const auto [last, error] = std::from_chars(name.data() + open + 1, end, number);
  if (error != std::errc() || last != end) return {};
  return number;
}

MemberNumbers::MemberNumbers(const Program& program, const CostExpression* cost)
    : program_(program), pool_(&program.protocol.expressions) {
  add_sites();
  add_variables();
  add_fields();
  look_at_rules();
  look_at_receptions();
  look_at_rows();
  if (!cost) return;
  pool_ = &cost->pool;
  known_.clear();
  const Result value = look_at(cost->root);
  if (value.site != none) note(value.site, "is a cost");
}

MemberNumbers::Site MemberNumbers::kind(Site site) const {
  while (parents_[site] != site) {
    parents_[site] = parents_[parents_[site]];
    site = parents_[site];
  }
  return site;
}

void MemberNumbers::add_sites() {
  const Protocol& protocol = program_.protocol;
  const Families& families = program_.families;
  const auto fill = [&](std::vector<Site>& sites, std::size_t count) {
    for (std::size_t i = 0; i < count; ++i) sites.push_back(add());
  };
  fill(processes_, protocol.processes.size());
  fill(channels_, protocol.channels.size());
  fill(assertions_, protocol.assertions.size());
  fill(invariants_, protocol.invariants.size());
  process_numbers_ = numbers_of(protocol.processes, families.process);
  channel_numbers_ = numbers_of(protocol.channels, families.channel);
  assertion_numbers_ = numbers_of(protocol.assertions, families.assertion);
  invariant_numbers_ = numbers_of(protocol.invariants, families.invariant);
}

// By their order in their process: a procedure that is called twice has two of one name.
void MemberNumbers::add_variables() {
  const auto& variables = program_.protocol.variables;
  std::map<ProcessId, std::uint32_t> count;                            // by process
  std::map<std::pair<ProcessId, std::uint32_t>, std::uint32_t> known;  // by family, order
  for (VariableId v = 0; v < variables.size(); ++v) {
    const Variable& variable = variables[v];
    if (variable.elements > 0 && variable.element > 0) {
      variable_roles_.push_back(variable_roles_.back());
      continue;
    }
    const ProcessId family =
        variable.process == none ? none : program_.families.process[variable.process];
    const auto [role, is_new] = known.try_emplace({family, count[variable.process]++},
                                                  static_cast<std::uint32_t>(roles_.size()));
    if (is_new) {
      const Site value = add();
      roles_.push_back({value, variable.elements > 0 ? add() : none});
    }
    variable_roles_.push_back(role->second);
  }
}

void MemberNumbers::add_fields() {
  const auto& channels = program_.protocol.channels;
  for (ChannelId c = 0; c < channels.size(); ++c)
    for (const MessageType& type : channels[c].sort) {
      auto& sites = fields_[{program_.families.channel[c], type.name, type.values.size()}];
      while (sites.size() < type.values.size()) sites.push_back(add());
    }
}

MemberNumbers::Site MemberNumbers::of_field(ChannelId channel, std::uint32_t tag,
                                            std::uint32_t field) const {
  const MessageType& type = program_.protocol.channels[channel].sort[tag - 1];
  return fields_.at({program_.families.channel[channel], type.name, type.values.size()})[field];
}

std::vector<MemberNumbers::Site> MemberNumbers::sites_of(const ExpressionNode& field) const {
  std::vector<Site> result;
  const auto& sort = program_.protocol.channels[field.a].sort;
  for (std::uint32_t tag = 1; tag <= sort.size(); ++tag)
    if (field.b < sort[tag - 1].values.size()) result.push_back(of_field(field.a, tag, field.b));
  return result;
}

// ---- what is done with them ------------------------------------------------------------------

void MemberNumbers::look_at_rules() {
  for (RuleId id = 0; id < program_.rules.size(); ++id) look_at(program_.rules[id], id);
}

void MemberNumbers::look_at(const Rule& rule, RuleId id) {
  place_ = rule.statements.empty() ? Place{}
                                   : program_.protocol.statements[rule.statements.front()].place;
  at_hand_ = {rule.channel, rule.position, rule.tag};
  known_.clear();
  for (const ExpressionId condition : rule.conditions) look_at_condition(condition);
  for (std::uint32_t i = 0; i < rule.values.size(); ++i) {
    const Result value = look_at(rule.values[i]);
    if (rule.tag > 0) give(of_field(rule.channel, rule.tag, i), value);
  }
  for (const Assignment& a : rule.assignments) {
    const Role& role = roles_[variable_roles_[a.variable]];
    give(role.value, look_at(a.value));
    if (a.index == none) continue;
    give(role.index, look_at(a.index));
    note(role.index, "chooses an element", Op::element, 0, a.length - 1);
  }
  if (rule.check != none) look_at_condition(rule.check);
  for (const StepCheck& check : program_.errors.checks_of(id)) look_at_condition(check.holds);
}

// A receive of a message that nobody sends has no rule.
void MemberNumbers::look_at_receptions() {
  for (ProcessId p = 0; p < program_.control.size(); ++p)
    for (StateId s = 0; s < program_.control[p].size(); ++s) {
      place_ = program_.state(p, s).place;
      for (const Reception& reception : program_.control[p][s].receptions) {
        at_hand_ = {reception.channel, 0, 0};
        for (std::uint32_t tag = 1; tag < reception.accepts.size(); ++tag)
          if (reception.accepts[tag]) at_hand_.tag = tag;
        known_.clear();
        for (const ExpressionId id : reception.conditions) look_at_condition(id);
        for (const ExpressionId id : reception.guards) look_at_condition(id);
      }
    }
}

// Which message a field belongs to is not known there, but by the tags that are asked for as well;
// what is compared with it has met it in a rule or a reception.
void MemberNumbers::look_at_rows() {
  at_hand_ = {};
  is_row_ = true;
  known_.clear();
  for (const StateError& row : program_.errors.states) {
    const bool is_invariant = row.kind == ErrorKind::invariant || row.kind == ErrorKind::reached;
    place_ = is_invariant ? program_.protocol.invariants[row.assertion].place : Place{};
    if (row.predicate != none) look_at_condition(row.predicate);
    for (const auto& [state, predicate] : row.at) look_at_condition(predicate);
  }
}

MemberNumbers::Result MemberNumbers::look_at(ExpressionId id) {
  if (const auto known = known_.find(id); known != known_.end()) return known->second;
  const ExpressionNode node = (*pool_)[id];
  Result result;
  switch (node.op) {
    case Op::constant: result = {none, true, node.value}; break;
    case Op::variable:
      if (node.a < variable_roles_.size()) result.site = roles_[variable_roles_[node.a]].value;
      break;
    case Op::field: {
      const auto site = of_field(node, at_hand_, [](Site) { return true; });
      if (site) result.site = *site;
      result.is_constant = !site && is_row_;  // it is nobody's business
      if (node.c != none) come_together(result, look_at(node.c));
      break;
    }
    case Op::element: {
      const Role& role = roles_[variable_roles_[node.b]];
      give(role.index, look_at(node.a));
      note(role.index, "chooses an element", Op::element, 0, node.value - 1);
      result.site = role.value;
      break;
    }
    case Op::wrap:
    case Op::bound:
      result = look_at(node.a);
      if (result.site == none) break;
      if (node.op == Op::bound)
        note(result.site, "is held to a range", node.op, node.value, node.high);
      else if (!lies_in(node.a, {node.value, node.high}))
        note(result.site, "is folded into a range");
      break;
    case Op::require:
      look_at_condition(node.b);
      result = look_at(node.a);
      break;
    case Op::after:
      look_at(node.a);
      result = look_at(node.b);
      break;
    default:
      if (!is_leaf(node.op)) result = look_at_pair(node);
  }
  known_.emplace(id, result);
  return result;
}

// Whether it is known to; folding it into the range does nothing then.
bool MemberNumbers::lies_in(ExpressionId id, const Interval& range) const {
  const ExpressionNode& node = (*pool_)[id];
  const auto contains = [&](const Interval& values) {
    return values.is_empty() || (range.contains(values.low) && range.contains(values.high));
  };
  const auto& variables = program_.protocol.variables;
  if (node.op == Op::variable) return contains(variables[node.a].range);
  if (node.op == Op::element) return contains(variables[node.b].range);
  if (node.op != Op::field) return false;
  const auto& sort = program_.protocol.channels[node.a].sort;
  return std::ranges::all_of(sort, [&](const MessageType& type) {
    return node.b >= type.values.size() || contains(type.values[node.b]);
  });
}

// What calculates or compares.
MemberNumbers::Result MemberNumbers::look_at_pair(const ExpressionNode& node) {
  const Result left = look_at(node.a);
  if (node.op == Op::member) {
    if (left.site != none) {
      note(left.site, "is looked for in a set", node.op);
      for (const std::size_t number : pool_->set_of(node)) {
        uses_.back().set.resize(number + 1);
        uses_.back().set[number] = true;
      }
    }
    return {};
  }
  if (node.op == Op::logical_not || node.op == Op::holds) {
    ask_truth(left);
    return {};
  }
  const Result right = node.op == Op::negate ? Result{} : look_at(node.b);
  switch (node.op) {
    case Op::logical_and:
    case Op::logical_or:
      ask_truth(left);
      ask_truth(right);
      break;
    case Op::equal:
    case Op::not_equal: come_together(left, right); break;
    case Op::less:
    case Op::less_equal:
    case Op::greater:
    case Op::greater_equal: compare(node.op, left, right); break;
    default:
      if (left.site != none) note(left.site, "is calculated with");
      if (right.site != none) note(right.site, "is calculated with");
  }
  return {};
}

void MemberNumbers::come_together(const Result& one, const Result& other) {
  if (one.site != none && other.site != none)
    unite(one.site, other.site);
  else if (one.site != none && !other.is_constant)
    note(one.site, "is compared with what was calculated");
  else if (other.site != none && !one.is_constant)
    note(other.site, "is compared with what was calculated");
}

void MemberNumbers::give(Site site, const Result& value) {
  if (value.site != none)
    unite(site, value.site);
  else if (!value.is_constant)
    note(site, "is calculated");
}

void MemberNumbers::ask_truth(const Result& value) {
  if (value.site != none) note(value.site, "is asked whether it is 0", Op::not_equal, 0, 0);
}

void MemberNumbers::compare(Op op, const Result& left, const Result& right) {
  if (left.site != none && right.is_constant)
    note(left.site, "is compared in size", op, right.value, right.value);
  else if (right.site != none && left.is_constant)
    note(right.site, "is compared in size", mirrored(op), left.value, left.value);
  else
    for (const Result* side : {&left, &right})
      if (side->site != none) note(side->site, "is compared in size");
}

void MemberNumbers::note(Site site, std::string what, Op op, std::int64_t low, std::int64_t high) {
  uses_.push_back({site, place_, std::move(what), op, low, high});
}

namespace {

// Whether a use gives the same answer for all of low..high.
bool is_blind(const MemberNumbers::Use& use, std::int64_t low, std::int64_t high) {
  switch (use.op) {
    case Op::constant: return false;
    case Op::member: {
      const auto has = [&](std::int64_t n) {
        return n >= 0 && static_cast<std::uint64_t>(n) < use.set.size() &&
               use.set[static_cast<std::size_t>(n)];
      };
      for (std::int64_t n = low; n <= high; ++n)
        if (has(n) != has(low)) return false;
      return true;
    }
    case Op::element:
    case Op::bound: return use.low <= low && high <= use.high;
    default:
      for (std::int64_t n = low; n <= high; ++n)
        if (apply(use.op, n, use.low) != apply(use.op, low, use.low)) return false;
      return true;
  }
}

}  // namespace

const MemberNumbers::Use* MemberNumbers::what_tells_apart(Site wanted, std::int64_t low,
                                                          std::int64_t high) const {
  for (const Use& use : uses_)
    if (kind(use.site) == wanted && !is_blind(use, low, high)) return &use;
  return nullptr;
}

}  // namespace panoptes
