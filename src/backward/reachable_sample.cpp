// SPDX-License-Identifier: Apache-2.0
#include "backward/reachable_sample.hpp"

#include <algorithm>
#include <bit>

namespace panoptes {
namespace {

constexpr std::size_t walk_length = 100;          // states of a walk that are kept, ...
constexpr std::size_t walk_stride = 7;            // ... one of so many
constexpr std::size_t points_between_looks = 64;  // at the clock

}  // namespace

std::vector<ReachableSample::Next> ReachableSample::successors(const State& state) {
  const auto& [words, alone] = state;
  StateBatch batch{.width = words.size(), .words = {}};
  batch.push_back(words);
  SuccessorBatch found;
  std::vector<Finding> findings;
  if (alone == none)
    interpreter_.expand(batch, found, findings);
  else
    interpreter_.expand_alone(alone, batch, found, findings);
  std::vector<Next> next;
  for (std::size_t i = 0; i < found.size(); ++i) {
    const StateView view = found.states[i];
    const RuleId rule = found.rules[i];
    next.push_back(
        {{StateWords(view.begin(), view.end()), alone_after(program_.rules[rule])}, {rule}});
  }
  if (alone != none && next.empty() && findings.empty()) next.push_back({{words, none}, {}});
  return next;
}

std::size_t ReachableSample::add(Next&& next, std::size_t parent) {
  const auto [known, is_new] = numbers_.try_emplace(next.state, states_.size());
  if (is_new) {
    origins_.push_back({parent, std::move(next.rules)});
    states_.push_back(std::move(next.state));
  }
  return known->second;
}

void ReachableSample::Column::add(std::uint32_t said) {
  const auto [known, is_new] = numbers.try_emplace(said, static_cast<std::uint32_t>(all.size()));
  if (is_new) all.push_back(said);
  of_points.push_back(known->second);
}

// States as claims, for all that have none yet; those there is no time for are forgotten.
void ReachableSample::add_points(const Deadline& deadline) {
  while (points_.size() < states_.size()) {
    if (points_.size() % points_between_looks == 1 && deadline.has_passed()) {
      keep(points_.size());
      is_complete_ = false;
      return;
    }
    const auto& [words, alone] = states_[points_.size()];
    points_.push_back(space_.point_of(words));
    if (space_.has_alone())
      space_.put(points_.back(), space_.alone(), ValueSet::only(number_of_loner(alone)));
    for (std::size_t place = 0; place < columns_.size(); ++place)
      columns_[place].add(points_.back()[place]);
  }
}

ReachableSample::ReachableSample(ReversedProgram& reversed, std::size_t most,
                                 const Deadline& deadline, std::uint64_t answer_bytes)
    : program_(reversed.program),
      space_(reversed.space),
      interpreter_(reversed.program),
      most_answer_bytes_(answer_bytes),
      columns_(reversed.space.everything().size()),
      known_(reversed.space.everything().size()) {
  add({{program_.initial, none}, {}}, SIZE_MAX);
  for (std::size_t i = 0; i < states_.size() && states_.size() < most; ++i) {
    if (deadline.has_passed()) break;
    for (Next& next : successors(State(states_[i]))) add(std::move(next), i);
    is_complete_ = i + 1 == states_.size();
  }
  if (!is_complete_) sample_some(most / 5, deadline);
  add_points(deadline);
}

// Forgets all but the first. REQUIRES: the others have no points.
void ReachableSample::keep(std::size_t count) {
  while (states_.size() > count) {
    numbers_.erase(states_.back());
    states_.pop_back();
    origins_.pop_back();
  }
}

// Half of them as breadth first has met them, the others on walks from there.
void ReachableSample::sample_some(std::size_t most, const Deadline& deadline) {
  keep(std::max<std::size_t>(most / 2, 1));
  walk(most, deadline);
}

void ReachableSample::grow(const Deadline& deadline) {
  if (is_complete_) return;
  walk(states_.size() + states_.size() / 2, deadline);
  add_points(deadline);
}

// Walks from anywhere until there are so many, or as long as they find mostly what is new.
void ReachableSample::walk(std::size_t until, const Deadline& deadline) {
  const std::size_t before = states_.size();
  for (std::size_t kept = 0; states_.size() < until && !deadline.has_passed();
       kept += walk_length) {
    if (2 * (states_.size() - before) + 10 * walk_length < kept) break;
    walk_from(random_() % states_.size(), walk_length);
  }
}

// Neighbours on a walk tell little that is new, so most of them are left out.
void ReachableSample::walk_from(std::size_t at, std::size_t length) {
  State state = states_[at];
  std::vector<RuleId> rules;
  for (std::size_t i = 1; i <= length * walk_stride; ++i) {
    std::vector<Next> next = successors(state);
    if (next.empty()) break;
    Next& chosen = next[random_() % next.size()];
    state = std::move(chosen.state);
    rules.insert(rules.end(), chosen.rules.begin(), chosen.rules.end());
    if (i % walk_stride != 0) continue;
    at = add({state, std::move(rules)}, at);
    rules.clear();
  }
}

std::size_t ReachableSample::step(std::size_t i, RuleId rule) {
  const State state = states_[i];
  if (rule == none) {
    const std::size_t found = add({{state.first, none}, {}}, i);
    add_points({});
    return found;
  }
  StateWords next;
  std::vector<Finding> findings;
  if (interpreter_.fire(rule, state.first, next, findings) != Interpreter::Firing::successor)
    throw InternalFault("a rule does not lead where it was thought to: " +
                        program_.rules[rule].text);
  const std::size_t size = states_.size();
  const std::size_t found = add({{next, alone_after(program_.rules[rule])}, {rule}}, i);
  // Where one state was missing, others are.
  if (found == size) walk_from(found, 4);
  add_points({});
  return found;
}

void ReachableSample::make_room() {
  if (answers_ * (points_.size() / 8 + 100) <= most_answer_bytes_) return;
  for (auto& known : known_) known.clear();
  answers_ = 0;
}

const ReachableSample::Bits& ReachableSample::true_in(std::size_t place, std::uint32_t said) {
  make_room();
  return answer_of(place, said);
}

const ReachableSample::Bits& ReachableSample::answer_of(std::size_t place, std::uint32_t said) {
  const auto [found, is_first] = known_[place].try_emplace(said);
  Answer& answer = found->second;
  if (is_first) ++answers_;
  if (answer.covered == points_.size()) return answer.bits;
  answer.bits.resize((points_.size() + 63) / 64);
  enum class Known : std::uint8_t { no, yes, not_yet };
  const Column& column = columns_[place];
  std::vector<Known> is_in(column.all.size(), Known::not_yet);
  for (std::size_t i = answer.covered; i < points_.size(); ++i) {
    Known& known = is_in[column.of_points[i]];
    if (known == Known::not_yet)
      known = space_.is_within(place, points_[i][place], said) ? Known::yes : Known::no;
    answer.bits[i / 64] |= static_cast<std::uint64_t>(known) << i % 64;
  }
  answer.covered = points_.size();
  return answer.bits;
}

std::optional<std::size_t> ReachableSample::first_in(const Claim& claim) {
  const Claim& all = space_.everything();
  make_room();
  std::vector<const Bits*> parts;
  for (std::size_t place = 0; place < claim.size(); ++place)
    if (claim[place] != all[place]) parts.push_back(&answer_of(place, claim[place]));
  if (parts.empty()) return 0;
  for (std::size_t w = 0; w < parts[0]->size(); ++w) {
    std::uint64_t in = (*parts[0])[w];
    for (std::size_t i = 1; i < parts.size() && in != 0; ++i) in &= (*parts[i])[w];
    if (in != 0) return w * 64 + static_cast<std::size_t>(std::countr_zero(in));
  }
  return {};
}

ReachableSample::Bits ReachableSample::all_in(const Claim& claim) {
  Bits in((points_.size() + 63) / 64, ~std::uint64_t{0});
  if (points_.size() % 64 != 0) in.back() = (std::uint64_t{1} << points_.size() % 64) - 1;
  for (std::size_t place = 0; place < claim.size(); ++place) {
    if (claim[place] == space_.everything()[place]) continue;
    const Bits& bits = true_in(place, claim[place]);
    for (std::size_t w = 0; w < in.size(); ++w) in[w] &= bits[w];
  }
  return in;
}

std::optional<std::size_t> ReachableSample::first_in(
    const Claim& claim, const std::vector<Claim>& unless,
    const std::function<bool(const Claim&)>& is_meant) {
  Bits in = all_in(claim);
  for (const Claim& other : unless) {
    const Bits out = all_in(other);
    for (std::size_t w = 0; w < in.size(); ++w) in[w] &= ~out[w];
  }
  for (std::size_t w = 0; w < in.size(); ++w)
    for (std::uint64_t bits = in[w]; bits != 0; bits &= bits - 1) {
      const std::size_t i = w * 64 + static_cast<std::size_t>(std::countr_zero(bits));
      if (is_meant(points_[i])) return i;
    }
  return {};
}

std::vector<RuleId> ReachableSample::way_to(std::size_t i) const {
  std::vector<RuleId> rules;
  for (; origins_[i].parent != SIZE_MAX; i = origins_[i].parent)
    rules.insert(rules.end(), origins_[i].rules.rbegin(), origins_[i].rules.rend());
  std::reverse(rules.begin(), rules.end());
  return rules;
}

std::uint64_t ReachableSample::bytes() const {
  const std::uint64_t state =
      2 * (program_.initial.size() * sizeof(Word) + 64) + space_.everything().size() * 8 + 128;
  return points_.size() * state + answers_ * (points_.size() / 8 + 100);
}

}  // namespace panoptes
