// SPDX-License-Identifier: Apache-2.0
#include "differential/plain_temporal.hpp"

#include <algorithm>
#include <map>
#include <stdexcept>
#include <tuple>
#include <utility>

namespace panoptes::differential {
namespace {

// A formula in terms of true, atoms, not, and, next and until; parts before what they are part of.
class Parts {
 public:
  enum class Kind { yes, atom, negation, both, next, until };
  struct Part {
    Kind kind;
    int atom;
    std::size_t a, b;
    auto operator<=>(const Part&) const = default;
  };

  std::size_t add(const PlainFormula& formula) {
    const std::string& op = formula.op;
    if (op == "true") return yes();
    if (op == "false") return negation(yes());
    if (op == "atom") return intern({Kind::atom, formula.atom, 0, 0});
    const std::size_t a = add(formula.parts.at(0));
    if (op == "!") return negation(a);
    if (op == "X") return intern({Kind::next, 0, a, 0});
    if (op == "<>") return until(yes(), a);
    if (op == "[]") return negation(until(yes(), negation(a)));
    const std::size_t b = add(formula.parts.at(1));
    if (op == "&&") return both(a, b);
    if (op == "||") return either(a, b);
    if (op == "->") return either(negation(a), b);
    if (op == "<->") return both(either(negation(a), b), either(negation(b), a));
    if (op == "U") return until(a, b);
    if (op == "W") return negation(until(negation(b), both(negation(a), negation(b))));
    if (op == "R") return negation(until(negation(a), negation(b)));
    if (op == "M") return until(b, both(a, b));
    throw std::invalid_argument("no operator: " + op);
  }

  std::size_t negation(std::size_t a) { return intern({Kind::negation, 0, a, 0}); }

  const std::vector<Part>& all() const { return all_; }

 private:
  std::size_t yes() { return intern({Kind::yes, 0, 0, 0}); }
  std::size_t both(std::size_t a, std::size_t b) { return intern({Kind::both, 0, a, b}); }
  std::size_t until(std::size_t a, std::size_t b) { return intern({Kind::until, 0, a, b}); }
  std::size_t either(std::size_t a, std::size_t b) {
    return negation(both(negation(a), negation(b)));
  }
  std::size_t intern(const Part& part) {
    const auto found = std::find(all_.begin(), all_.end(), part);
    if (found == all_.end()) all_.push_back(part);
    return static_cast<std::size_t>(std::find(all_.begin(), all_.end(), part) - all_.begin());
  }

  std::vector<Part> all_;
};

// A state, what has just happened, and a guess.
struct Node {
  std::size_t state;
  std::set<int> events;
  std::set<std::size_t> guess;  // next and until parts: what will be so one position later, the
                                // operand of a next and the until itself
  auto operator<=>(const Node&) const = default;
};

struct Link {
  std::size_t from, to;           // nodes
  std::vector<bool> asks, gives;  // by demand
};

class TemporalSearch {
 public:
  TemporalSearch(const PlainStateGraph& graph, const PlainFormula& formula,
                 const std::vector<PlainDemand>& demands)
      : graph_(graph), demands_(demands), root_(parts_.negation(parts_.add(formula))) {
    guesses_ = {{}};
    for (std::size_t part = 0; part < parts_.all().size(); ++part) {
      if (!is_about_later(part)) continue;
      const std::vector<std::set<std::size_t>> without = guesses_;
      for (std::set<std::size_t> guess : without) {
        guess.insert(part);
        guesses_.push_back(std::move(guess));
      }
    }
  }

  bool run() {
    for (const std::set<std::size_t>& guess : guesses_) {
      const std::vector<bool> truth = truth_of({0, {}, guess});
      if (truth[root_]) reach({0, {}, guess});
    }
    while (!waiting_.empty()) {
      const std::size_t node = waiting_.back();
      waiting_.pop_back();
      expand(node);
    }
    std::vector<std::size_t> links(links_.size());
    for (std::size_t i = 0; i < links.size(); ++i) links[i] = i;
    return has_fair_part(links);
  }

 private:
  using Kind = Parts::Kind;
  using Links = std::vector<std::size_t>;  // their numbers

  bool is_about_later(std::size_t part) const {
    const Kind kind = parts_.all()[part].kind;
    return kind == Kind::next || kind == Kind::until;
  }

  // What holds at a node, by part, if its guess is right.
  std::vector<bool> truth_of(const Node& node) const {
    std::vector<bool> truth;
    for (std::size_t number = 0; number < parts_.all().size(); ++number) {
      const Parts::Part& part = parts_.all()[number];
      const bool later = node.guess.count(number) > 0;
      switch (part.kind) {
        case Kind::yes: truth.push_back(true); break;
        case Kind::atom:
          truth.push_back(graph_.atoms[node.state].count(part.atom) > 0 ||
                          node.events.count(part.atom) > 0);
          break;
        case Kind::negation: truth.push_back(!truth[part.a]); break;
        case Kind::both: truth.push_back(truth[part.a] && truth[part.b]); break;
        case Kind::next: truth.push_back(later); break;
        case Kind::until: truth.push_back(truth[part.b] || (truth[part.a] && later)); break;
      }
    }
    return truth;
  }

  // Whether a guess is right, given what holds one position later.
  bool is_right(const std::set<std::size_t>& guess, const std::vector<bool>& later) const {
    for (std::size_t number = 0; number < parts_.all().size(); ++number) {
      if (!is_about_later(number)) continue;
      const Parts::Part& part = parts_.all()[number];
      const bool is_so = part.kind == Kind::next ? later[part.a] : later[number];
      if (is_so != (guess.count(number) > 0)) return false;
    }
    return true;
  }

  std::size_t reach(const Node& node) {
    const auto [at, is_new] = numbers_.emplace(node, nodes_.size());
    if (is_new) {
      waiting_.push_back(nodes_.size());
      nodes_.push_back(node);
      truths_.push_back(truth_of(node));
    }
    return at->second;
  }

  void expand(std::size_t number) {
    const Node node = nodes_[number];
    std::vector<PlainStep> steps = graph_.steps[node.state];
    if (steps.empty()) steps.push_back({node.state});
    for (const PlainStep& step : steps) {
      for (const std::set<std::size_t>& guess : guesses_) {
        const Node next{step.target, step.events, guess};
        if (!is_right(node.guess, truth_of(next))) continue;
        Link link{number, reach(next), {}, {}};
        for (const PlainDemand& demand : demands_) {
          link.asks.push_back(demand.asks(node.state, step));
          link.gives.push_back(demand.gives(node.state, step));
        }
        links_.push_back(std::move(link));
      }
    }
  }

  // ---- parts of the graph that a run can stay in
  // -------------------------------------------------

  bool has_fair_part(const Links& links) const {
    for (const Links& part : connected_parts(links))
      if (is_fair(part)) return true;
    return false;
  }

  // REQUIRES: strongly connected. A strong demand that is asked for and cannot be given must not be
  // asked for: what is left without those links may be fair.
  bool is_fair(const Links& part) const {
    const auto any = [&](const auto& is_so) {
      return std::any_of(part.begin(), part.end(), is_so);
    };
    for (std::size_t number = 0; number < parts_.all().size(); ++number) {
      if (parts_.all()[number].kind != Kind::until) continue;
      const std::size_t b = parts_.all()[number].b;
      if (!any([&](std::size_t link) {
            const std::vector<bool>& truth = truths_[links_[link].from];
            return !truth[number] || truth[b];
          }))
        return false;
    }
    std::set<std::size_t> must_not_ask;
    for (std::size_t demand = 0; demand < demands_.size(); ++demand) {
      if (any([&](std::size_t link) { return links_[link].gives[demand]; })) continue;
      const auto asks = [&](std::size_t link) -> bool { return links_[link].asks[demand]; };
      if (!demands_[demand].is_strong && std::all_of(part.begin(), part.end(), asks)) return false;
      if (demands_[demand].is_strong && any(asks)) must_not_ask.insert(demand);
    }
    if (must_not_ask.empty()) return true;
    Links left;
    for (const std::size_t link : part) {
      const auto is_asked = [&](std::size_t demand) -> bool { return links_[link].asks[demand]; };
      if (std::none_of(must_not_ask.begin(), must_not_ask.end(), is_asked)) left.push_back(link);
    }
    return has_fair_part(left);
  }

  // The strongly connected parts, each as the links inside: nodes in the order in which a search
  // along the links leaves them for good; then, from the last one on, what is found against them.
  std::vector<Links> connected_parts(const Links& links) const {
    std::vector<std::vector<std::size_t>> along(nodes_.size()), against(nodes_.size());
    for (const std::size_t link : links) {
      along[links_[link].from].push_back(links_[link].to);
      against[links_[link].to].push_back(links_[link].from);
    }
    std::vector<std::size_t> left_in_order;
    std::vector<bool> seen(nodes_.size(), false);
    for (std::size_t node = 0; node < nodes_.size(); ++node)
      visit(node, along, seen, left_in_order);
    std::vector<std::size_t> part_of(nodes_.size());
    seen.assign(nodes_.size(), false);
    std::size_t count = 0;
    for (; !left_in_order.empty(); left_in_order.pop_back()) {
      std::vector<std::size_t> members;
      visit(left_in_order.back(), against, seen, members);
      for (const std::size_t member : members) part_of[member] = count;
      count += !members.empty();
    }
    std::vector<Links> parts(count);
    for (const std::size_t link : links)
      if (part_of[links_[link].from] == part_of[links_[link].to])
        parts[part_of[links_[link].from]].push_back(link);
    std::erase_if(parts, [](const Links& part) { return part.empty(); });
    return parts;
  }

  static void visit(std::size_t first, const std::vector<std::vector<std::size_t>>& next,
                    std::vector<bool>& seen, std::vector<std::size_t>& left) {
    if (seen[first]) return;
    std::vector<std::pair<std::size_t, std::size_t>> path = {{first, 0}};
    seen[first] = true;
    while (!path.empty()) {
      const std::size_t node = path.back().first;
      if (path.back().second == next[node].size()) {
        left.push_back(node);
        path.pop_back();
        continue;
      }
      const std::size_t target = next[node][path.back().second++];
      if (seen[target]) continue;
      seen[target] = true;
      path.push_back({target, 0});
    }
  }

  const PlainStateGraph& graph_;
  const std::vector<PlainDemand>& demands_;
  Parts parts_;
  const std::size_t root_;
  std::vector<std::set<std::size_t>> guesses_;  // all there are
  std::map<Node, std::size_t> numbers_;
  std::vector<Node> nodes_;
  std::vector<std::vector<bool>> truths_;  // by node
  std::vector<std::size_t> waiting_;
  std::vector<Link> links_;
};

}  // namespace

std::vector<PlainDemand> process_demands(const PlainStateGraph& graph, std::size_t processes,
                                         bool is_strong) {
  std::vector<PlainDemand> demands;
  for (std::size_t process = 0; process < processes; ++process) {
    const auto moves = [process](std::size_t, const PlainStep& step) {
      return step.processes.count(process) > 0;
    };
    const auto can_move = [&graph, moves](std::size_t state, const PlainStep&) {
      const std::vector<PlainStep>& steps = graph.steps[state];
      return std::any_of(steps.begin(), steps.end(),
                         [&](const PlainStep& other) { return moves(state, other); });
    };
    demands.push_back({is_strong, can_move, moves});
  }
  return demands;
}

bool has_counterexample(const PlainStateGraph& graph, const PlainFormula& formula,
                        const std::vector<PlainDemand>& demands) {
  return TemporalSearch(graph, formula, demands).run();
}

}  // namespace panoptes::differential
