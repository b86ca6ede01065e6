// SPDX-License-Identifier: Apache-2.0
#include "protocol/formula.hpp"

#include <cassert>

namespace panoptes {
namespace {

FormulaId add_node(Formula& formula, const FormulaNode& node) {
  formula.nodes.push_back(node);
  return formula.root = static_cast<FormulaId>(formula.nodes.size() - 1);
}

// Which nodes are part of the root: not all need be.
std::vector<bool> nodes_of_root(const Formula& formula) {
  std::vector<bool> is_part(formula.nodes.size());
  if (!is_part.empty()) is_part[formula.root] = true;
  for (FormulaId id = static_cast<FormulaId>(is_part.size()); id-- > 0;) {
    const FormulaNode& node = formula[id];
    if (!is_part[id] || is_leaf(node.op)) continue;
    is_part[node.a] = true;
    if (is_binary(node.op)) is_part[node.b] = true;
  }
  return is_part;
}

const char* symbol(FormulaOp op) {
  switch (op) {
    case FormulaOp::negation: return "!";
    case FormulaOp::next: return "X";
    case FormulaOp::eventually: return "<>";
    case FormulaOp::always: return "[]";
    case FormulaOp::conjunction: return "&&";
    case FormulaOp::disjunction: return "||";
    case FormulaOp::implication: return "->";
    case FormulaOp::equivalence: return "<->";
    case FormulaOp::until: return "U";
    case FormulaOp::weak_until: return "W";
    case FormulaOp::release: return "R";
    case FormulaOp::strong_release: return "M";
    default: return "";
  }
}

std::string node_text(const Formula& formula, FormulaId id, const std::vector<std::string>& names) {
  const FormulaNode& node = formula[id];
  if (node.op == FormulaOp::constant) return node.a != 0 ? "true" : "false";
  if (node.op == FormulaOp::atom) return names[node.a];
  const auto operand = [&](FormulaId child) {
    std::string text = node_text(formula, child, names);
    return is_binary(formula[child].op) ? "(" + text + ")" : text;
  };
  if (is_binary(node.op)) return operand(node.a) + " " + symbol(node.op) + " " + operand(node.b);
  return symbol(node.op) + std::string(node.op == FormulaOp::negation ? "" : " ") + operand(node.a);
}

// The value of every node at every position of a lasso.
class LassoTruth {
 public:
  LassoTruth(std::span<const Valuation> stem, std::span<const Valuation> cycle)
      : word_(stem.begin(), stem.end()), cycle_begin_(stem.size()) {
    word_.insert(word_.end(), cycle.begin(), cycle.end());
  }

  void add(const FormulaNode& node) {
    truth_.emplace_back(word_.size());
    std::vector<bool>& here = truth_.back();
    if (is_fixpoint(node.op)) return settle(node, here);
    for (std::size_t at = 0; at < word_.size(); ++at) here[at] = value(node, at);
  }
  bool at_start(FormulaId id) const { return truth_[id][0]; }

 private:
  static bool is_fixpoint(FormulaOp op) {
    return op == FormulaOp::eventually || op == FormulaOp::always || op >= FormulaOp::until;
  }
  // What may be for ever is the greatest solution of its equation, what must end the least.
  static bool may_last(FormulaOp op) {
    return op == FormulaOp::always || op == FormulaOp::weak_until || op == FormulaOp::release;
  }

  void settle(const FormulaNode& node, std::vector<bool>& here) const {
    here.assign(word_.size(), may_last(node.op));
    for (bool changes = true; changes;) {
      changes = false;
      for (std::size_t at = word_.size(); at-- > 0;) {
        const bool now = unfolded(node, at, here[after(at)]);
        changes |= now != here[at];
        here[at] = now;
      }
    }
  }

  bool unfolded(const FormulaNode& node, std::size_t at, bool later) const {
    const bool a = truth_[node.a][at];
    const bool b = is_binary(node.op) && truth_[node.b][at];
    switch (node.op) {
      case FormulaOp::eventually: return a || later;
      case FormulaOp::always: return a && later;
      case FormulaOp::until:
      case FormulaOp::weak_until: return b || (a && later);
      default: return b && (a || later);
    }
  }

  bool value(const FormulaNode& node, std::size_t at) const {
    if (node.op == FormulaOp::constant) return node.a != 0;
    if (node.op == FormulaOp::atom) return (word_[at] >> node.a & 1) != 0;
    if (node.op == FormulaOp::next) return truth_[node.a][after(at)];
    const bool a = truth_[node.a][at];
    if (node.op == FormulaOp::negation) return !a;
    const bool b = truth_[node.b][at];
    switch (node.op) {
      case FormulaOp::conjunction: return a && b;
      case FormulaOp::disjunction: return a || b;
      case FormulaOp::implication: return !a || b;
      default: return a == b;
    }
  }

  std::size_t after(std::size_t at) const { return at + 1 < word_.size() ? at + 1 : cycle_begin_; }

  std::vector<Valuation> word_;
  std::size_t cycle_begin_;
  std::vector<std::vector<bool>> truth_;  // by node and position
};

}  // namespace

FormulaId Formula::constant(bool value) {
  return add_node(*this, {FormulaOp::constant, value ? 1u : 0u, 0});
}

FormulaId Formula::atom(std::uint32_t number) {
  assert(number < max_atoms);
  return add_node(*this, {FormulaOp::atom, number, 0});
}

FormulaId Formula::unary(FormulaOp op, FormulaId operand) {
  assert(!is_leaf(op) && !is_binary(op) && operand < nodes.size());
  return add_node(*this, {op, operand, 0});
}

FormulaId Formula::binary(FormulaOp op, FormulaId left, FormulaId right) {
  assert(is_binary(op) && left < nodes.size() && right < nodes.size());
  return add_node(*this, {op, left, right});
}

Formula negation(Formula formula) {
  const FormulaNode root = formula[formula.root];
  if (root.op == FormulaOp::negation)
    formula.root = root.a;
  else
    formula.unary(FormulaOp::negation, formula.root);
  return formula;
}

bool is_next_free(const Formula& formula) {
  const std::vector<bool> is_part = nodes_of_root(formula);
  for (FormulaId id = 0; id < is_part.size(); ++id)
    if (is_part[id] && formula[id].op == FormulaOp::next) return false;
  return true;
}

Valuation atoms_of(const Formula& formula) {
  const std::vector<bool> is_part = nodes_of_root(formula);
  Valuation atoms = 0;
  for (FormulaId id = 0; id < is_part.size(); ++id)
    if (is_part[id] && formula[id].op == FormulaOp::atom) atoms |= Valuation{1} << formula[id].a;
  return atoms;
}

std::string to_text(const Formula& formula, const std::vector<std::string>& atom_names) {
  return node_text(formula, formula.root, atom_names);
}

bool holds_on_lasso(const Formula& formula, std::span<const Valuation> stem,
                    std::span<const Valuation> cycle) {
  assert(!cycle.empty());
  LassoTruth truth(stem, cycle);
  for (FormulaId id = 0; id <= formula.root; ++id) truth.add(formula[id]);
  return truth.at_start(formula.root);
}

}  // namespace panoptes
