// SPDX-License-Identifier: Apache-2.0
#include "temporal/normal_form.hpp"

#include <algorithm>
#include <utility>

namespace panoptes {
namespace {

constexpr NormalId nothing = UINT32_MAX;
constexpr std::size_t max_implications = 1'000'000;

NormalOp dual(NormalOp op) {
  switch (op) {
    case NormalOp::conjunction: return NormalOp::disjunction;
    case NormalOp::disjunction: return NormalOp::conjunction;
    case NormalOp::until: return NormalOp::release;
    case NormalOp::release: return NormalOp::until;
    default: return op;
  }
}

}  // namespace

NormalForms::NormalForms(std::size_t limit) : limit_(limit) {
  NormalNode constant;
  constant.is_eventual = constant.is_universal = true;
  nodes_ = {constant, constant};
  negations_ = {{no, yes}, {yes, no}};
}

NormalId NormalForms::of(const Formula& formula) {
  std::vector<NormalId> made;
  for (FormulaId id = 0; id <= formula.root; ++id) made.push_back(of(formula[id], made));
  return made[formula.root];
}

NormalId NormalForms::of(const FormulaNode& node, const std::vector<NormalId>& made) {
  if (node.op == FormulaOp::constant) return node.a != 0 ? yes : no;
  if (node.op == FormulaOp::atom) return literal(node.a, false);
  const NormalId a = made[node.a];
  const NormalId b = is_binary(node.op) ? made[node.b] : no;
  switch (node.op) {
    case FormulaOp::negation: return negated(a);
    case FormulaOp::next: return next(a);
    case FormulaOp::eventually: return until(yes, a);
    case FormulaOp::always: return release(no, a);
    case FormulaOp::conjunction: return conjunction({a, b});
    case FormulaOp::disjunction: return disjunction({a, b});
    case FormulaOp::implication: return disjunction({negated(a), b});
    case FormulaOp::equivalence: {
      const NormalId both = conjunction({a, b});
      return disjunction({both, conjunction({negated(a), negated(b)})});
    }
    case FormulaOp::until: return until(a, b);
    case FormulaOp::weak_until: return release(b, disjunction({a, b}));
    case FormulaOp::release: return release(a, b);
    default: return until(b, conjunction({a, b}));
  }
}

NormalId NormalForms::intern(NormalOp op, std::vector<NormalId> operands, std::uint32_t atom,
                             bool is_negated) {
  std::vector<std::uint32_t> key = operands;
  key.insert(key.end(), {static_cast<std::uint32_t>(op), atom, is_negated ? 1u : 0u});
  const auto [at, is_new] = known_.emplace(std::move(key), static_cast<NormalId>(nodes_.size()));
  if (!is_new) return at->second;
  if (nodes_.size() >= limit_) {
    known_.erase(at);
    is_full_ = true;
    return no;
  }
  NormalNode node{op, is_negated, atom, std::move(operands)};
  classify(node);
  nodes_.push_back(std::move(node));
  return at->second;
}

// Pure eventualities and pure universalities, by what their parts are.
void NormalForms::classify(NormalNode& node) const {
  if (node.op == NormalOp::literal) return;
  const auto all = [&](bool NormalNode::*which) {
    return std::all_of(node.operands.begin(), node.operands.end(),
                       [&](NormalId id) { return nodes_[id].*which; });
  };
  node.is_eventual = all(&NormalNode::is_eventual);
  node.is_universal = all(&NormalNode::is_universal);
  if (node.op == NormalOp::until && node.operands[0] == yes) node.is_eventual = true;
  if (node.op == NormalOp::release && node.operands[0] == no) node.is_universal = true;
}

NormalId NormalForms::literal(std::uint32_t atom, bool is_negated) {
  return intern(NormalOp::literal, {}, atom, is_negated);
}

NormalId NormalForms::negated(NormalId id) {
  const auto known = negations_.find(id);
  if (known != negations_.end()) return known->second;
  const NormalId negation = negation_of(id);
  if (is_full_) return no;
  negations_[id] = negation;
  negations_[negation] = id;
  return negation;
}

NormalId NormalForms::negation_of(NormalId id) {
  const NormalNode node = nodes_[id];
  if (node.op == NormalOp::literal) return literal(node.atom, !node.is_negated);
  std::vector<NormalId> operands = negations_of(node.operands);
  if (node.op == NormalOp::conjunction || node.op == NormalOp::disjunction)
    std::sort(operands.begin(), operands.end());
  return intern(dual(node.op), std::move(operands));
}

std::vector<NormalId> NormalForms::negations_of(const std::vector<NormalId>& all) {
  std::vector<NormalId> negations;
  for (const NormalId id : all) negations.push_back(negated(id));
  return negations;
}

NormalId NormalForms::disjunction(const std::vector<NormalId>& operands) {
  return negated(conjunction(negations_of(operands)));
}

NormalId NormalForms::release(NormalId left, NormalId right) {
  const NormalId not_left = negated(left);
  return negated(until(not_left, negated(right)));
}

// ---- and ----------------------------------------------------------------------------------------

NormalId NormalForms::conjunction(const std::vector<NormalId>& operands) {
  std::vector<NormalId> parts;
  for (const NormalId id : operands) {
    if (is(id, NormalOp::conjunction))
      parts.insert(parts.end(), nodes_[id].operands.begin(), nodes_[id].operands.end());
    else
      parts.push_back(id);
  }
  std::sort(parts.begin(), parts.end());
  parts.erase(std::unique(parts.begin(), parts.end()), parts.end());
  if (!drop_what_follows(parts)) return no;
  if (is_full_ || parts.empty()) return is_full_ ? no : yes;
  if (parts.size() == 1) return parts[0];
  if (drop_what_cannot_be(parts) || join_two(parts)) return conjunction(parts);
  return intern(NormalOp::conjunction, std::move(parts));
}

// What other parts imply. False where two of them contradict each other.
bool NormalForms::drop_what_follows(std::vector<NormalId>& parts) {
  for (std::size_t i = 0; i < parts.size(); ++i) {
    if (parts[i] == no) return false;
    const NormalId negation = negated(parts[i]);
    for (std::size_t j = 0; j < parts.size(); ++j)
      if (j != i && implies(parts[j], negation)) return false;
  }
  for (std::size_t i = parts.size(); i-- > 0;) {
    bool follows = parts[i] == yes;
    for (std::size_t j = 0; j < parts.size() && !follows; ++j)
      follows = j != i && implies(parts[j], parts[i]);
    if (follows) parts.erase(parts.begin() + static_cast<std::ptrdiff_t>(i));
  }
  return true;
}

// `a && (!a || b)` is `a && b`. True where something changed.
bool NormalForms::drop_what_cannot_be(std::vector<NormalId>& parts) {
  for (std::size_t i = 0; i < parts.size(); ++i) {
    if (!is(parts[i], NormalOp::disjunction)) continue;
    std::vector<NormalId> left;
    const std::vector<NormalId> choices = nodes_[parts[i]].operands;
    for (const NormalId choice : choices) {
      const NormalId negation = negated(choice);
      bool can_be = true;
      for (std::size_t j = 0; j < parts.size() && can_be; ++j)
        can_be = j == i || !implies(parts[j], negation);
      if (can_be) left.push_back(choice);
    }
    if (left.size() == choices.size()) continue;
    parts[i] = disjunction(left);
    return true;
  }
  return false;
}

// Puts two parts together that say the same with different words. True where there are such.
bool NormalForms::join_two(std::vector<NormalId>& parts) {
  for (std::size_t i = 0; i < parts.size(); ++i) {
    for (std::size_t j = i + 1; j < parts.size(); ++j) {
      const NormalId one = joined(parts[i], parts[j]);
      if (one == nothing) continue;
      parts[i] = one;
      parts.erase(parts.begin() + static_cast<std::ptrdiff_t>(j));
      return true;
    }
  }
  return false;
}

NormalId NormalForms::joined(NormalId first, NormalId second) {
  const auto is_always = [&](NormalId id) {
    return is(id, NormalOp::release) && left_of(id) == no;
  };
  if (is_timeless(first) && is_always(second)) std::swap(first, second);
  if (is_always(first) && is_timeless(second) && !is_always(second))
    return release(no, conjunction({right_of(first), second}));
  if (nodes_[first].op != nodes_[second].op) return nothing;
  switch (nodes_[first].op) {
    case NormalOp::next: return next(conjunction({left_of(first), left_of(second)}));
    case NormalOp::release: {
      const NormalId left = left_of(first);
      if (left != left_of(second)) return nothing;
      return release(left, conjunction({right_of(first), right_of(second)}));
    }
    case NormalOp::until: {
      const NormalId right = right_of(first);
      if (right == right_of(second))
        return until(conjunction({left_of(first), left_of(second)}), right);
      // What goes on holding is there in the end together.
      if (left_of(first) != yes || left_of(second) != yes) return nothing;
      if (!nodes_[right].is_universal || !nodes_[right_of(second)].is_universal) return nothing;
      return until(yes, conjunction({right, right_of(second)}));
    }
    default: return nothing;
  }
}

// ---- next and until -----------------------------------------------------------------------------

std::vector<NormalId> NormalForms::take_timeless(NormalOp op, NormalId& id) {
  std::vector<NormalId> timeless;
  if (!is(id, op)) return timeless;
  std::vector<NormalId> others;
  for (const NormalId part : nodes_[id].operands)
    (is_timeless(part) ? timeless : others).push_back(part);
  if (timeless.empty()) return timeless;
  id = op == NormalOp::conjunction ? conjunction(others) : disjunction(others);
  return timeless;
}

NormalId NormalForms::next(NormalId operand) {
  if (is_timeless(operand)) return operand;
  for (const NormalOp op : {NormalOp::conjunction, NormalOp::disjunction}) {
    std::vector<NormalId> parts = take_timeless(op, operand);
    if (parts.empty()) continue;
    parts.push_back(next(operand));
    return op == NormalOp::conjunction ? conjunction(parts) : disjunction(parts);
  }
  return intern(NormalOp::next, {operand});
}

NormalId NormalForms::until(NormalId left, NormalId right) {
  if (is_full_) return no;
  if (left == no || nodes_[right].is_eventual || implies(left, right)) return right;
  if (left != yes && implies(negated(right), left)) return until(yes, right);
  const NormalId simpler = simpler_until(left, right);
  return simpler != nothing ? simpler : intern(NormalOp::until, {left, right});
}

NormalId NormalForms::simpler_until(NormalId left, NormalId right) {
  if (is(right, NormalOp::next) && (left == yes || is(left, NormalOp::next)))
    return next(until(left == yes ? yes : left_of(left), left_of(right)));
  if (is(right, NormalOp::until) && implies(left, left_of(right))) return right;
  if (is(left, NormalOp::until) && right_of(left) == right) return left;
  std::vector<NormalId> timeless = take_timeless(NormalOp::conjunction, right);
  if (!timeless.empty()) {
    timeless.push_back(until(left, right));
    return conjunction(timeless);
  }
  const NormalId shorter_left = without_negation_of(left, right);
  if (shorter_left != left) return until(shorter_left, right);
  const NormalId shorter_right = without_own_untils(left, right);
  if (shorter_right != right) return until(left, shorter_right);
  return left == yes ? simpler_eventually(right) : nothing;
}

// `(a && !b) U b` is `a U b`.
NormalId NormalForms::without_negation_of(NormalId left, NormalId right) {
  if (!is(left, NormalOp::conjunction)) return left;
  const NormalId negation = negated(right);
  const std::vector<NormalId> parts = nodes_[left].operands;
  std::vector<NormalId> others;
  for (const NormalId part : parts)
    if (!implies(negation, part)) others.push_back(part);
  return others.size() == parts.size() ? left : conjunction(others);
}

// `a U (b || a U c)` is `a U (b || c)`; and behind `<>`, any until is what it ends with.
NormalId NormalForms::without_own_untils(NormalId left, NormalId right) {
  const auto is_own = [&](NormalId id) {
    return is(id, NormalOp::until) && (left == yes || left_of(id) == left);
  };
  if (is_own(right)) return right_of(right);
  if (!is(right, NormalOp::disjunction)) return right;
  std::vector<NormalId> parts = nodes_[right].operands;
  bool changed = false;
  for (NormalId& part : parts) {
    if (!is_own(part)) continue;
    part = right_of(part);
    changed = true;
  }
  return changed ? disjunction(parts) : right;
}

// `<> [] (a || e)` is `<> [] a || [] e`, where e is a pure eventuality: it holds for ever, or from
// some position on never again.
NormalId NormalForms::simpler_eventually(NormalId right) {
  if (!is(right, NormalOp::release) || left_of(right) != no) return nothing;
  const NormalId body = right_of(right);
  if (!is(body, NormalOp::disjunction)) return nothing;
  std::vector<NormalId> eventual, others;
  const std::vector<NormalId> parts = nodes_[body].operands;
  for (const NormalId part : parts) (nodes_[part].is_eventual ? eventual : others).push_back(part);
  if (eventual.empty() || others.empty()) return nothing;
  const NormalId settled = until(yes, release(no, disjunction(others)));
  return disjunction({settled, release(no, disjunction(eventual))});
}

// ---- what follows from what ---------------------------------------------------------------------

bool NormalForms::implies(NormalId left, NormalId right) {
  if (left == right || left == no || right == yes) return true;
  if (left == yes || right == no || is_full_) return false;
  const std::uint64_t pair = std::uint64_t{left} << 32 | right;
  const auto known = implications_.find(pair);
  if (known != implications_.end()) return known->second;
  if (implications_.size() >= max_implications) return false;
  const bool decided = decide(left, right);
  implications_[pair] = decided;
  return decided;
}

bool NormalForms::decide(NormalId left, NormalId right) {
  const NormalNode& l = nodes_[left];
  const NormalNode& r = nodes_[right];
  const auto from = [&](NormalId id) { return implies(id, right); };
  const auto to = [&](NormalId id) { return implies(left, id); };
  if (l.op == NormalOp::disjunction) return std::all_of(l.operands.begin(), l.operands.end(), from);
  if (r.op == NormalOp::conjunction) return std::all_of(r.operands.begin(), r.operands.end(), to);
  if (l.op == NormalOp::conjunction && std::any_of(l.operands.begin(), l.operands.end(), from))
    return true;
  if (r.op == NormalOp::disjunction && std::any_of(r.operands.begin(), r.operands.end(), to))
    return true;
  return follows_from_time(left, right);
}

bool NormalForms::follows_from_time(NormalId left, NormalId right) {
  const NormalNode& l = nodes_[left];
  const NormalNode& r = nodes_[right];
  if (l.op == r.op && l.operands.size() == r.operands.size() && l.op != NormalOp::literal &&
      l.op != NormalOp::conjunction && l.op != NormalOp::disjunction) {
    bool all = true;  // the operators are monotonous
    for (std::size_t i = 0; i < l.operands.size() && all; ++i)
      all = implies(l.operands[i], r.operands[i]);
    if (all) return true;
  }
  // Of the left: `a U b` is one of them now, and b later; `a R b` is b now.
  if (l.op == NormalOp::next && r.is_eventual && implies(l.operands[0], right)) return true;
  if (l.op == NormalOp::until && implies(l.operands[1], right) &&
      (r.is_eventual || implies(l.operands[0], right)))
    return true;
  if (l.op == NormalOp::release && implies(l.operands[1], right)) return true;
  // Of the right: b is enough for `a U b`, both for `a R b`, and b for ever.
  if (r.op == NormalOp::next && l.is_universal && implies(left, r.operands[0])) return true;
  if (r.op == NormalOp::until && implies(left, r.operands[1])) return true;
  return r.op == NormalOp::release && implies(left, r.operands[1]) &&
         (l.is_universal || implies(left, r.operands[0]));
}

}  // namespace panoptes
