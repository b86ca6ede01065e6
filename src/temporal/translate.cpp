// SPDX-License-Identifier: Apache-2.0
#include "temporal/translate.hpp"

#include <algorithm>
#include <compare>
#include <map>
#include <unordered_map>
#include <utility>

#include "temporal/normal_form.hpp"
#include "temporal/simplify.hpp"

namespace panoptes {
namespace {

using FormulaSet = std::vector<NormalId>;  // in order: all of them must hold

// One way to satisfy a formula, as far as one position is concerned.
struct Way {
  Valuation must_hold = 0, must_not_hold = 0;
  std::uint32_t promises = 0;
  FormulaSet next;

  // It is possible wherever the other is, and leaves no more to do.
  bool asks_no_more_than(const Way& other) const {
    return (must_hold & ~other.must_hold) == 0 && (must_not_hold & ~other.must_not_hold) == 0 &&
           (promises & ~other.promises) == 0 &&
           std::includes(other.next.begin(), other.next.end(), next.begin(), next.end());
  }
  friend bool operator==(const Way&, const Way&) = default;
  friend auto operator<=>(const Way&, const Way&) = default;
};
using Ways = std::vector<Way>;

// Leaves out ways that ask for more than others, and puts the rest in order. Gives how many
// comparisons that took.
std::size_t keep_easiest(Ways& ways) {
  std::size_t comparisons = ways.size();
  std::sort(ways.begin(), ways.end());
  ways.erase(std::unique(ways.begin(), ways.end()), ways.end());
  Ways easiest;
  for (std::size_t i = 0; i < ways.size(); ++i) {
    bool is_easiest = true;
    std::size_t other = 0;
    for (; other < ways.size() && is_easiest; ++other)
      is_easiest = other == i || !ways[other].asks_no_more_than(ways[i]);
    comparisons += other;
    if (is_easiest) easiest.push_back(ways[i]);
  }
  ways = std::move(easiest);
  return comparisons;
}

class Tableau {
 public:
  Tableau(const Formula& formula, const TranslationLimits& limits)
      : limits_(limits), forms_(limits.formulas), root_(forms_.of(formula)) {}

  Result<BuchiAutomaton, TranslationFailure> run() {
    if (forms_.is_full()) fail("too many subformulas");
    automaton_.initial = reach(set_of(root_));
    for (BuchiStateId state = 0; state < unfolded_.size() && failure_.empty(); ++state)
      add_edges(state);
    if (!failure_.empty()) return TranslationFailure{failure_};
    automaton_.mark_count = static_cast<std::uint32_t>(promised_.size());
    for (std::vector<BuchiEdge>& edges : automaton_.edges)
      for (BuchiEdge& edge : edges) edge.marks = automaton_.all_marks() & ~edge.marks;
    return std::move(automaton_);
  }

 private:
  void fail(const char* reason) {
    if (failure_.empty()) failure_ = reason;
  }

  FormulaSet set_of(NormalId id) const {
    if (id == NormalForms::yes) return {};
    if (forms_[id].op == NormalOp::conjunction) return forms_[id].operands;
    return {id};
  }

  // The state that a set is: another one may unfold to the same ways.
  BuchiStateId reach(const FormulaSet& set) {
    const auto known = states_.find(set);
    if (known != states_.end()) return known->second;
    Ways ways = {Way{}};
    for (const NormalId id : set) ways = product(ways, unfold(id));
    const auto state = static_cast<BuchiStateId>(unfolded_.size());
    const auto [alike, is_new] = alike_.emplace(std::move(ways), state);
    states_[set] = alike->second;
    if (is_new) unfolded_.push_back(&alike->first);
    if (unfolded_.size() > limits_.states) fail("too many states");
    return alike->second;
  }

  // The marks of an edge are those promised, until all promises are known.
  void add_edges(BuchiStateId state) {
    std::vector<BuchiEdge> edges;
    for (const Way& way : *unfolded_[state])
      edges.push_back({reach(way.next), way.must_hold, way.must_not_hold, way.promises});
    edge_count_ += edges.size();
    if (edge_count_ > limits_.edges) fail("too many edges");
    automaton_.edges.push_back(std::move(edges));
  }

  const Ways& unfold(NormalId id) {
    const auto known = ways_.find(id);
    if (known != ways_.end()) return known->second;
    Ways ways = failure_.empty() ? ways_of(id) : Ways{};
    return ways_.emplace(id, std::move(ways)).first->second;
  }

  Ways ways_of(NormalId id) {
    const NormalNode& node = forms_[id];
    Way way;
    switch (node.op) {
      case NormalOp::constant: return id == NormalForms::yes ? Ways{way} : Ways{};
      case NormalOp::literal:
        (node.is_negated ? way.must_not_hold : way.must_hold) = Valuation{1} << node.atom;
        return {way};
      case NormalOp::conjunction: {
        Ways ways = {way};
        for (const NormalId part : node.operands) ways = product(ways, unfold(part));
        return ways;
      }
      case NormalOp::disjunction: {
        Ways ways;
        for (const NormalId part : node.operands) ways = sum(std::move(ways), unfold(part));
        return ways;
      }
      case NormalOp::next: way.next = set_of(node.operands[0]); return {way};
      case NormalOp::until:
        way.next = {id};
        way.promises = promise(node.operands[1]);
        return sum(product({way}, unfold(node.operands[0])), unfold(node.operands[1]));
      case NormalOp::release:
        way.next = {id};
        return product(sum({way}, unfold(node.operands[0])), unfold(node.operands[1]));
    }
    return {};
  }

  std::uint32_t promise(NormalId id) {
    const auto at = std::find(promised_.begin(), promised_.end(), id) - promised_.begin();
    if (at == BuchiAutomaton::max_marks) {
      fail("too many formulas that must hold in the end");
      return 0;
    }
    if (at == static_cast<std::ptrdiff_t>(promised_.size())) promised_.push_back(id);
    return std::uint32_t{1} << at;
  }

  Ways sum(Ways ways, const Ways& more) {
    ways.insert(ways.end(), more.begin(), more.end());
    prune(ways);
    return ways;
  }

  Ways product(const Ways& left, const Ways& right) {
    Ways ways;
    for (const Way& a : left) {
      for (const Way& b : right) {
        Way both{a.must_hold | b.must_hold, a.must_not_hold | b.must_not_hold,
                 a.promises | b.promises, united(a.next, b.next)};
        if ((both.must_hold & both.must_not_hold) != 0) continue;
        ways.push_back(std::move(both));
      }
      if (ways.size() > 2 * limits_.edges_of_state) prune(ways);
      if (!failure_.empty()) return {};
    }
    prune(ways);
    return ways;
  }

  void prune(Ways& ways) {
    comparisons_ += keep_easiest(ways);
    if (ways.size() > limits_.edges_of_state) fail("too many edges of one state");
    if (comparisons_ > limits_.comparisons) fail("too many edges to compare");
  }

  FormulaSet united(const FormulaSet& left, const FormulaSet& right) const {
    FormulaSet both;
    std::set_union(left.begin(), left.end(), right.begin(), right.end(), std::back_inserter(both));
    for (std::size_t at = 0; at < both.size() && both.size() > 1;) {
      const NormalId id = both[at];
      const auto erased = std::erase_if(both, [&](NormalId other) { return covers(id, other); });
      at = erased == 0 ? at + 1 : 0;
    }
    return both;
  }

  // Whether the other is not worth a word where `id` is left to do. `a R b` unfolds to all of b in
  // any case; and `<> b` waits for the same promise as `a U b`.
  bool covers(NormalId id, NormalId other) const {
    const NormalNode &node = forms_[id], &less = forms_[other];
    if (node.op == NormalOp::release) {
      const NormalId right = node.operands[1];
      const std::vector<NormalId>& parts = forms_[right].operands;
      return other == right || (forms_[right].op == NormalOp::conjunction &&
                                std::binary_search(parts.begin(), parts.end(), other));
    }
    return node.op == NormalOp::until && less.op == NormalOp::until && id != other &&
           less.operands[0] == NormalForms::yes && less.operands[1] == node.operands[1];
  }

  const TranslationLimits limits_;
  NormalForms forms_;
  NormalId root_;
  std::string failure_;
  std::vector<NormalId> promised_;  // by mark
  std::unordered_map<NormalId, Ways> ways_;
  std::map<FormulaSet, BuchiStateId> states_;
  std::map<Ways, BuchiStateId> alike_;
  std::vector<const Ways*> unfolded_;  // by state
  std::size_t edge_count_ = 0;
  std::size_t comparisons_ = 0;
  BuchiAutomaton automaton_;
};

}  // namespace

Result<BuchiAutomaton, TranslationFailure> translate(const Formula& formula,
                                                     const TranslationLimits& limits) {
  Result<BuchiAutomaton, TranslationFailure> automaton = Tableau(formula, limits).run();
  if (automaton) simplify(*automaton);
  return automaton;
}

}  // namespace panoptes
