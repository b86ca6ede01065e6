// SPDX-License-Identifier: Apache-2.0
#include "backward/circuit.hpp"

#include <cstdlib>
#include <utility>

namespace panoptes {

Circuit::Circuit(Sink sink) : sink_(std::move(sink)), yes_(fresh()) { sink_(std::span(&yes_, 1)); }

void Circuit::require(std::span<const Literal> clause) {
  std::vector<Literal> open;
  for (const Literal literal : clause) {
    if (literal == yes_) return;
    if (literal != no()) open.push_back(literal);
  }
  sink_(open);
}

// Of many, one after the other, with what those before it are together: clauses for every pair are
// too many then.
void Circuit::require_one_at_most(std::span<const Literal> literals) {
  constexpr std::size_t most_in_pairs = 6;
  if (literals.size() <= most_in_pairs) {
    for (std::size_t i = 0; i < literals.size(); ++i)
      for (std::size_t j = 0; j < i; ++j) require({-literals[i], -literals[j]});
    return;
  }
  Literal before = no();
  for (const Literal literal : literals) {
    require({-literal, -before});
    before = either(before, literal);
  }
}

std::uint64_t Circuit::key_of(Literal left, Literal right) {
  return std::uint64_t{static_cast<std::uint32_t>(left)} << 32 | static_cast<std::uint32_t>(right);
}

Literal Circuit::both(Literal left, Literal right) {
  if (left == no() || right == no() || left == -right) return no();
  if (left == yes_ || left == right) return right;
  if (right == yes_) return left;
  if (left > right) std::swap(left, right);
  const auto [gate, is_new] = ands_.try_emplace(key_of(left, right), 0);
  if (!is_new) return gate->second;
  const Literal out = fresh();
  gate->second = out;
  require({-out, left});
  require({-out, right});
  require({out, -left, -right});
  return out;
}

Literal Circuit::differ(Literal left, Literal right) {
  if (left == yes_) return -right;
  if (left == no()) return right;
  if (right == yes_) return -left;
  if (right == no()) return left;
  if (left == right) return no();
  if (left == -right) return yes_;
  const bool is_odd = (left < 0) != (right < 0);
  left = std::abs(left);
  right = std::abs(right);
  if (left > right) std::swap(left, right);
  const auto [gate, is_new] = xors_.try_emplace(key_of(left, right), 0);
  if (is_new) {
    const Literal out = fresh();
    gate->second = out;
    require({-out, left, right});
    require({-out, -left, -right});
    require({out, -left, right});
    require({out, left, -right});
  }
  return is_odd ? -gate->second : gate->second;
}

Literal Circuit::choose(Literal condition, Literal yes, Literal no) {
  if (condition == yes_) return yes;
  if (condition == -yes_) return no;
  if (yes == no) return yes;
  if (yes == -no) return same(condition, yes);
  return either(both(condition, yes), both(-condition, no));
}

Literal Circuit::all(std::span<const Literal> literals) {
  Literal out = yes_;
  for (const Literal literal : literals) out = both(out, literal);
  return out;
}

Literal Circuit::any(std::span<const Literal> literals) {
  Literal out = no();
  for (const Literal literal : literals) out = either(out, literal);
  return out;
}

}  // namespace panoptes
