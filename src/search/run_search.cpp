// SPDX-License-Identifier: Apache-2.0
#include "search/run_search.hpp"

#include <algorithm>
#include <deque>
#include <unordered_map>
#include <utility>

#include "step/indivisible.hpp"
#include "step/interpreter.hpp"

namespace panoptes {
namespace {

constexpr std::uint32_t done_with = UINT32_MAX;
constexpr std::size_t most_fair_processes = 64;  // a bit for each

std::uint64_t process_bits(const std::vector<ProcessId>& processes) {
  std::uint64_t bits = 0;
  for (const ProcessId process : processes)
    if (process < most_fair_processes) bits |= std::uint64_t{1} << process;
  return bits;
}

}  // namespace

std::string RunSearch::refusal(const Program& program) {
  const FairnessDemands& demands = program.protocol.fairness;
  if (demands.processes == Fairness::strong) return "strong fairness takes the whole graph";
  if (demands.lines) return "fairness of lines takes the whole graph";
  if (demands.processes == Fairness::weak && program.control.size() > most_fair_processes)
    return "fairness to so many processes takes the whole graph";
  return {};
}

RunSearch::RunSearch(const Program& program, const TemporalProperty& property,
                     const BuchiAutomaton& automaton, Stepper& stepper)
    : program_(program),
      automaton_(automaton),
      stepper_(stepper),
      moments_(program, property),
      ways_(program, moments_),
      width_(program.layout.words),
      follows_sequences_(has_indivisible(program)),
      is_fair_(program.protocol.fairness.processes == Fairness::weak),
      store_(width_ + 1) {
  for (RuleId rule = 0; rule < program.rules.size(); ++rule) {
    effects_.push_back(ways_.effect(rule));
    moved_bits_.push_back(process_bits(effects_.back().moved));
  }
  number_of({});
}

RunSearch::EffectId RunSearch::number_of(const StepEffect& effect) {
  const auto [found, fresh] =
      known_effects_.try_emplace(effect, static_cast<EffectId>(effects_.size()));
  if (!fresh) return found->second;
  effects_.push_back(effect);
  moved_bits_.push_back(process_bits(effect.moved));
  return found->second;
}

// ---- the product -----------------------------------------------------------------------------

bool RunSearch::has_ended(StateView state) {
  std::vector<Finding> findings;
  target_.width = width_;
  target_.assign(state);
  stepper_.expand(target_, behind_, findings);
  return behind_.size() == 0 &&
         std::ranges::all_of(findings, [](const Finding& finding) { return finding.rule == none; });
}

// One for each way in which the automaton goes along.
void RunSearch::add_edges(Node node, StateView target, EffectId effect, RuleId rule,
                          std::vector<Edge>& edges) {
  Valuation moment = moments_.of_state(target) | effects_[effect].events;
  if (moments_.of_end() != 0 && (rule == none || has_ended(target))) moment |= moments_.of_end();
  const auto at = static_cast<BuchiStateId>(store_.state(node)[width_]);
  for (const BuchiEdge& edge : automaton_.edges[at]) {
    if (!edge.allows(moment)) continue;
    targets_.states.push_back(target);
    targets_.states.words.push_back(edge.target);
    targets_.rules.push_back(rule);
    edges.push_back({0, edge.marks, effect, rule});
  }
}

void RunSearch::insert_targets(std::vector<Edge>& edges) {
  targets_.close_state(0);
  store_.insert(targets_, StateBatch{width_ + 1, {}});
  for (std::size_t i = 0; i < edges.size(); ++i) edges[i].target = targets_.numbers[i];
}

RunSearch::Expansion RunSearch::expand(Node node) {
  Expansion result;
  targets_.clear(width_ + 1);
  batch_.width = width_;
  batch_.assign(state_of(node));
  findings_.clear();
  stepper_.expand(batch_, successors_, findings_);
  std::uint64_t failing = 0;
  for (const Finding& finding : findings_) {
    if (finding.kind == ErrorKind::endless_atomic) result.is_endless = true;
    if (finding.rule == none) continue;
    const bool is_inside = finding.inside && !finding.inside->rules.empty();
    result.enabled |= moved_bits_[is_inside ? finding.inside->rules.front() : finding.rule];
    ++failing;
  }
  bool has_sequence = false;
  for (const RuleId rule : successors_.rules) {
    result.enabled |= moved_bits_[rule];
    has_sequence = has_sequence || ways_.begins_sequence(rule);
  }
  if (successors_.size() == 0 && failing == 0) {
    add_edges(node, batch_[0], number_of({}), none, result.edges);
  } else if (follows_sequences_ && has_sequence) {
    for (const StepWay& way : ways_.from(batch_[0]))
      add_edges(node, way.target, number_of(way.effect), way.rules.front(), result.edges);
  } else {
    for (std::size_t i = 0; i < successors_.size(); ++i)
      add_edges(node, successors_.states[i], successors_.rules[i], successors_.rules[i],
                result.edges);
  }
  insert_targets(result.edges);
  return result;
}

// ---- components ------------------------------------------------------------------------------

bool RunSearch::is_accepted(const Seen& seen) const {
  return seen.marks == automaton_.all_marks() && (!is_fair_ || (seen.always & ~seen.moved) == 0);
}

// False where a sequence need not end.
bool RunSearch::enter(const Edge& entry) {
  const Expansion expansion = expand(entry.target);
  if (expansion.is_endless) return false;
  if (places_.size() <= entry.target) places_.resize(store_.stats().states);
  live_.push_back(entry.target);
  places_[entry.target] = static_cast<std::uint32_t>(live_.size());
  roots_.push_back({live_.size() - 1, {0, 0, expansion.enabled}, entry});
  path_.push_back({entry.target, waiting_.size(), entry});
  // The first is taken first.
  waiting_.insert(waiting_.end(), expansion.edges.rbegin(), expansion.edges.rend());
  ++visited_;
  return true;
}

// Of all components that the edge goes round, one.
void RunSearch::close(const Edge& edge) {
  const std::uint64_t place = places_[edge.target] - 1;
  Seen seen{edge.marks, moved_bits_[edge.effect]};
  while (roots_.back().live > place) {
    const Root& root = roots_.back();
    seen.marks |= root.inside.marks | root.entry.marks;
    seen.moved |= root.inside.moved | moved_bits_[root.entry.effect];
    seen.always &= root.inside.always;
    roots_.pop_back();
  }
  Seen& inside = roots_.back().inside;
  inside.marks |= seen.marks;
  inside.moved |= seen.moved;
  inside.always &= seen.always;
  is_found_ = is_accepted(inside);
}

void RunSearch::leave() {
  const Node node = path_.back().node;
  if (live_[roots_.back().live] == node) {
    for (std::uint64_t i = roots_.back().live; i < live_.size(); ++i) places_[live_[i]] = done_with;
    live_.resize(roots_.back().live);
    roots_.pop_back();
  }
  path_.pop_back();
}

std::uint64_t RunSearch::bytes() const {
  const StoreStats stats = store_.stats();
  return stats.bytes + stats.growth_bytes + places_.capacity() * 2 * sizeof(std::uint32_t) +
         live_.capacity() * 2 * sizeof(Node) + roots_.capacity() * 2 * sizeof(Root) +
         path_.capacity() * 2 * sizeof(Visit) + waiting_.capacity() * 2 * sizeof(Edge);
}

RunSearch::End RunSearch::keep_looking(const Limits& limits, const Deadline& deadline) {
  constexpr std::uint64_t nodes_per_look = 1024;
  while (!path_.empty()) {
    if (waiting_.size() == path_.back().first_waiting) {
      leave();
      continue;
    }
    const Edge edge = waiting_.back();
    waiting_.pop_back();
    if (places_.size() <= edge.target) places_.resize(store_.stats().states);
    const std::uint32_t place = places_[edge.target];
    if (place == done_with) continue;
    if (place != 0) {
      close(edge);
      if (is_found_) return End::found;
      continue;
    }
    if (limits.depth > 0 && path_.size() > limits.depth) {
      is_cut_off_ = true;
      continue;
    }
    if (visited_ % nodes_per_look == 0) {
      if (deadline.has_passed()) return End::time;
      if (bytes() > limits.bytes || visited_ >= done_with - 1) return End::memory;
    }
    if (!enter(edge)) return End::endless_sequence;
  }
  return is_cut_off_ ? End::depth : End::all_seen;
}

RunSearch::End RunSearch::look(const Limits& limits, const Deadline& deadline) {
  std::vector<Edge> first;
  targets_.clear(width_ + 1);
  Valuation moment = moments_.of_state(program_.initial);
  if (moments_.of_end() != 0 && has_ended(program_.initial)) moment |= moments_.of_end();
  for (const BuchiEdge& edge : automaton_.edges[automaton_.initial]) {
    if (!edge.allows(moment)) continue;
    targets_.states.push_back(program_.initial);
    targets_.states.words.push_back(edge.target);
    targets_.rules.push_back(none);
    first.push_back({0, 0, number_of({}), none});
  }
  insert_targets(first);
  places_.resize(store_.stats().states);
  bool was_cut_off = false;
  for (const Edge& edge : first) {
    if (places_[edge.target] != 0) continue;
    if (!enter(edge)) return End::endless_sequence;
    const End end = keep_looking(limits, deadline);
    if (end != End::all_seen && end != End::depth) return end;
    was_cut_off = was_cut_off || end == End::depth;
  }
  return was_cut_off ? End::depth : End::all_seen;
}

// ---- the run that was found --------------------------------------------------------------------

std::vector<RuleId> RunSearch::rules_of(Node source, const Edge& edge) const {
  if (edge.rule == none) return {};
  if (!ways_.begins_sequence(edge.rule)) return {edge.rule};
  for (const StepWay& way : ways_.from(state_of(source)))
    if (way.rules.front() == edge.rule && way.effect == effects_[edge.effect] &&
        std::ranges::equal(way.target, state_of(edge.target)))
      return way.rules;
  return {};
}

// Nodes by their places behind the first, which is on the path. They are expanded once more, those
// that are needed.
class RunSearch::FoundPart {
 public:
  explicit FoundPart(RunSearch& search)
      : search_(search),
        first_(search.roots_.back().live),
        expansions_(search.live_.size() - first_) {}

  // From the first node to the nearest edge that has something of what is needed, and on from
  // there; in the end back.
  std::vector<RuleId> cycle() {
    std::uint32_t marks = search_.automaton_.all_marks();
    std::uint64_t processes = search_.is_fair_ ? UINT64_MAX : 0;
    std::vector<RuleId> rules;
    std::uint32_t at = 0;
    const auto go = [&](const auto& is_wanted) {
      for (const auto& [source, edge] : way_to(at, is_wanted)) {
        marks &= ~edge.marks;
        processes &= ~served(source, edge);
        const auto more = search_.rules_of(search_.live_[first_ + source], edge);
        rules.insert(rules.end(), more.begin(), more.end());
        at = place(edge);
        has_gone_ = true;
      }
    };
    while (marks != 0 || processes != 0)
      go([&](std::uint32_t source, const Edge& edge) {
        return (edge.marks & marks) != 0 || (served(source, edge) & processes) != 0;
      });
    if (at != 0 || !has_gone_)
      go([&](std::uint32_t, const Edge& edge) { return place(edge) == 0; });
    return rules;
  }

 private:
  struct Arrival {
    std::uint32_t source;
    Edge edge;
  };

  std::uint32_t place(const Edge& edge) const {
    return static_cast<std::uint32_t>(search_.places_[edge.target] - 1 - first_);
  }
  bool is_inside(const Edge& edge) const {
    if (edge.target >= search_.places_.size()) return false;
    const std::uint32_t place = search_.places_[edge.target];
    return place != 0 && place != done_with && place - 1 >= first_;
  }
  const Expansion& expansion(std::uint32_t node) {
    auto& known = expansions_[node];
    if (!known) {
      known = search_.expand(search_.live_[first_ + node]);
      std::erase_if(known->edges, [&](const Edge& edge) { return !is_inside(edge); });
    }
    return *known;
  }
  // To whom a cycle with this edge is fair: who moves, or cannot.
  std::uint64_t served(std::uint32_t source, const Edge& edge) {
    return search_.moved_bits_[edge.effect] | ~expansion(source).enabled;
  }

  template <typename Wanted>
  std::vector<Arrival> way_to(std::uint32_t start, const Wanted& is_wanted) {
    std::unordered_map<std::uint32_t, Arrival> arrivals;  // by node
    std::deque<std::uint32_t> waiting{start};
    for (; !waiting.empty(); waiting.pop_front()) {
      const std::uint32_t node = waiting.front();
      for (const Edge& edge : expansion(node).edges) {
        if (is_wanted(node, edge)) {
          std::vector<Arrival> way{{node, edge}};
          for (std::uint32_t at = node; at != start; at = arrivals.at(at).source)
            way.push_back(arrivals.at(at));
          std::reverse(way.begin(), way.end());
          return way;
        }
        const std::uint32_t target = place(edge);
        if (target != start && arrivals.try_emplace(target, Arrival{node, edge}).second)
          waiting.push_back(target);
      }
    }
    throw InternalFault("a component that was found has no cycle");
  }

  RunSearch& search_;
  const std::uint64_t first_;  // in live_
  std::vector<std::optional<Expansion>> expansions_;
  bool has_gone_ = false;
};

Lasso RunSearch::run() {
  Lasso lasso;
  const Node start = live_[roots_.back().live];
  for (std::size_t i = 0; path_[i].node != start; ++i) {
    const auto more = rules_of(path_[i].node, path_[i + 1].entry);
    lasso.way.insert(lasso.way.end(), more.begin(), more.end());
  }
  lasso.cycle = FoundPart(*this).cycle();
  return lasso;
}

}  // namespace panoptes
