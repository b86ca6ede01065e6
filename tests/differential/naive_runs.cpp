// SPDX-License-Identifier: Apache-2.0
#include "differential/naive_runs.hpp"

#include <algorithm>
#include <functional>
#include <map>
#include <set>
#include <utility>

#include "step/interpreter.hpp"

namespace panoptes::differential {
namespace {

// ---- the graph ---------------------------------------------------------------------------------

struct NaiveRunStep {
  std::size_t target;
  std::vector<RuleId> rules;  // none where the run has ended
};

struct NaiveGraph {
  std::vector<StateWords> states;
  std::vector<std::vector<NaiveRunStep>> steps;  // by state
  std::vector<std::set<ProcessId>> enabled;      // by state: who could move
  std::vector<bool> has_ended;
};

class GraphMaker {
 public:
  GraphMaker(const Program& program, const NaiveRunFaults& faults)
      : program_(program), faults_(faults), interpreter_(program) {}

  std::optional<NaiveGraph> make(std::size_t most_states) {
    number_of(program_.initial);
    for (std::size_t state = 0; state < graph_.states.size(); ++state) {
      if (graph_.states.size() > most_states) return {};
      expand(state);
    }
    return std::move(graph_);
  }

 private:
  std::size_t number_of(const StateWords& words) {
    const auto [found, fresh] = numbers_.try_emplace(words, graph_.states.size());
    if (fresh) graph_.states.push_back(words);
    return found->second;
  }

  void expand(std::size_t state) {
    const StateBatch batch{program_.layout.words, graph_.states[state]};
    SuccessorBatch successors;
    std::vector<Finding> findings;
    interpreter_.expand(batch, successors, findings);
    auto& enabled = graph_.enabled.emplace_back();
    const auto enable = [&](RuleId rule) {
      for (const ProcessMove& move : program_.rules[rule].moves) enabled.insert(move.process);
    };
    bool has_failed = false;
    for (const Finding& finding : findings) {
      if (finding.rule == none) continue;
      has_failed = true;
      if (!faults_.enabled_without_failing) enable(finding.rule);
    }
    graph_.steps.emplace_back();
    for (std::size_t i = 0; i < successors.size(); ++i) {
      enable(successors.rules[i]);
      const StateView next = successors.states[i];
      follow(state, {next.begin(), next.end()}, {successors.rules[i]}, {});
    }
    const bool has_ended = successors.size() == 0 && !has_failed;
    graph_.has_ended.push_back(has_ended);
    if (has_ended && !faults_.forgets_ended_runs) graph_.steps[state].push_back({state, {}});
  }

  // To the end of an indivisible sequence, by every way.
  void follow(std::size_t from, const StateWords& at, const std::vector<RuleId>& rules,
              std::set<std::pair<ProcessId, StateWords>> been) {
    const ProcessId alone = alone_after(program_.rules[rules.back()]);
    SuccessorBatch successors;
    std::vector<Finding> findings;
    if (alone != none) {
      if (!been.emplace(alone, at).second) return;  // it leads back: that fails
      interpreter_.expand_alone(alone, {program_.layout.words, at}, successors, findings);
    }
    if (alone == none || (successors.size() == 0 && findings.empty())) {
      graph_.steps[from].push_back({number_of(at), rules});
      return;
    }
    for (std::size_t i = 0; i < successors.size(); ++i) {
      std::vector<RuleId> more = rules;
      more.push_back(successors.rules[i]);
      const StateView next = successors.states[i];
      follow(from, {next.begin(), next.end()}, more, been);
    }
  }

  const Program& program_;
  const NaiveRunFaults& faults_;
  Interpreter interpreter_;
  NaiveGraph graph_;
  std::map<StateWords, std::size_t> numbers_;
};

// ---- guesses -----------------------------------------------------------------------------------

// Which atoms hold, by number.
using Atoms = std::vector<bool>;
// Which nodes of the formula do, from a moment on.
using Guess = std::vector<bool>;

bool is_guessed(FormulaOp op) {
  switch (op) {
    case FormulaOp::next:
    case FormulaOp::eventually:
    case FormulaOp::always:
    case FormulaOp::until:
    case FormulaOp::weak_until:
    case FormulaOp::release:
    case FormulaOp::strong_release: return true;
    default: return false;
  }
}

// Those with these atoms, whatever comes next.
std::vector<Guess> guesses(const Formula& formula, const Atoms& atoms) {
  std::vector<Guess> result{{}};
  for (const FormulaNode& node : formula.nodes) {
    std::vector<Guess> longer;
    for (const Guess& guess : result)
      for (const bool wanted : {false, true}) {
        bool value = wanted;
        const auto a = [&] { return guess[node.a]; };
        const auto b = [&] { return guess[node.b]; };
        switch (node.op) {
          case FormulaOp::constant: value = node.a != 0; break;
          case FormulaOp::atom: value = atoms[node.a]; break;
          case FormulaOp::negation: value = !a(); break;
          case FormulaOp::conjunction: value = a() && b(); break;
          case FormulaOp::disjunction: value = a() || b(); break;
          case FormulaOp::implication: value = !a() || b(); break;
          case FormulaOp::equivalence: value = a() == b(); break;
          default: break;
        }
        if (value != wanted) continue;
        longer.push_back(guess);
        longer.back().push_back(value);
      }
    result = std::move(longer);
  }
  return result;
}

// Whether the one may come right before the other.
bool may_follow(const Formula& formula, const Guess& now, const Guess& then) {
  for (FormulaId id = 0; id < formula.nodes.size(); ++id) {
    const FormulaNode& node = formula.nodes[id];
    bool wanted = now[id];
    switch (node.op) {
      case FormulaOp::next: wanted = then[node.a]; break;
      case FormulaOp::eventually: wanted = now[node.a] || then[id]; break;
      case FormulaOp::always: wanted = now[node.a] && then[id]; break;
      case FormulaOp::until:
      case FormulaOp::weak_until: wanted = now[node.b] || (now[node.a] && then[id]); break;
      case FormulaOp::release:
      case FormulaOp::strong_release: wanted = now[node.b] && (now[node.a] || then[id]); break;
      default: break;
    }
    if (wanted != now[id]) return false;
  }
  return true;
}

// Whether at this moment nothing is put off for the part `id`.
bool keeps_promise(const Formula& formula, FormulaId id, const Guess& guess) {
  const FormulaNode& node = formula.nodes[id];
  switch (node.op) {
    case FormulaOp::eventually: return !guess[id] || guess[node.a];
    case FormulaOp::always: return guess[id] || !guess[node.a];
    case FormulaOp::until: return !guess[id] || guess[node.b];
    case FormulaOp::weak_until: return guess[id] || (!guess[node.a] && !guess[node.b]);
    case FormulaOp::release: return guess[id] || !guess[node.b];
    case FormulaOp::strong_release: return !guess[id] || (guess[node.a] && guess[node.b]);
    default: return true;
  }
}

// ---- runs --------------------------------------------------------------------------------------

struct Edge {
  std::size_t from, to;
  std::set<std::size_t> if_taken, then_taken;  // pairs of which it is the one, or the other
};

// Strong components of the edges, by numbers of their nodes: twice depth first.
std::vector<std::size_t> components_of(std::size_t nodes, const std::vector<Edge>& edges) {
  std::vector<std::vector<std::size_t>> out(nodes), in(nodes);
  for (const Edge& edge : edges) {
    out[edge.from].push_back(edge.to);
    in[edge.to].push_back(edge.from);
  }
  std::vector<std::size_t> order, result(nodes, SIZE_MAX);
  std::vector<bool> seen(nodes);
  for (std::size_t root = 0; root < nodes; ++root) {
    if (seen[root]) continue;
    std::vector<std::pair<std::size_t, std::size_t>> path{{root, 0}};
    seen[root] = true;
    while (!path.empty()) {
      auto& [node, next] = path.back();
      if (next == out[node].size()) {
        order.push_back(node);
        path.pop_back();
      } else if (const std::size_t target = out[node][next++]; !seen[target]) {
        seen[target] = true;
        path.emplace_back(target, 0);
      }
    }
  }
  for (std::size_t i = order.size(); i-- > 0;) {
    if (result[order[i]] != SIZE_MAX) continue;
    std::vector<std::size_t> waiting{order[i]};
    while (!waiting.empty()) {
      const std::size_t node = waiting.back();
      waiting.pop_back();
      if (result[node] != SIZE_MAX) continue;
      result[node] = order[i];
      waiting.insert(waiting.end(), in[node].begin(), in[node].end());
    }
  }
  return result;
}

// Whether a run along these edges can be such that all pairs are so.
bool has_fair_cycle(std::size_t nodes, const std::vector<Edge>& edges) {
  const std::vector<std::size_t> component = components_of(nodes, edges);
  std::map<std::size_t, std::vector<Edge>> inside;
  for (const Edge& edge : edges)
    if (component[edge.from] == component[edge.to]) inside[component[edge.from]].push_back(edge);
  for (auto& [number, own] : inside) {
    std::set<std::size_t> if_taken, then_taken;
    for (const Edge& edge : own) {
      if_taken.insert(edge.if_taken.begin(), edge.if_taken.end());
      then_taken.insert(edge.then_taken.begin(), edge.then_taken.end());
    }
    std::erase_if(if_taken, [&](std::size_t pair) { return then_taken.contains(pair); });
    if (if_taken.empty()) return true;
    const std::size_t before = own.size();
    std::erase_if(own, [&](const Edge& edge) {
      return std::ranges::any_of(edge.if_taken,
                                 [&](std::size_t pair) { return if_taken.contains(pair); });
    });
    if (own.size() < before && !own.empty() && has_fair_cycle(nodes, own)) return true;
  }
  return false;
}

class RunSearch {
 public:
  RunSearch(const Program& program, const TemporalProperty& property, const NaiveGraph& graph,
            const NaiveRunFaults& faults)
      : program_(program), property_(property), graph_(graph), faults_(faults) {}

  std::optional<bool> holds() {
    const Formula& formula = property_.formula;
    for (const Guess& guess : guesses(formula, atoms(0, {})))
      if (!guess[formula.root]) number_of({0, guess});
    for (std::size_t node = 0; node < nodes_.size(); ++node) {
      if (nodes_.size() > most_nodes || edges_.size() > most_edges) return {};
      expand(node);
    }
    return !has_fair_cycle(nodes_.size(), edges_);
  }

 private:
  static constexpr std::size_t most_nodes = 60'000, most_edges = 600'000;
  struct Node {
    std::size_t state;
    Guess guess;
    friend auto operator<=>(const Node&, const Node&) = default;
  };

  std::size_t number_of(const Node& node) {
    const auto [found, fresh] = numbers_.try_emplace(node, nodes_.size());
    if (fresh) nodes_.push_back(node);
    return found->second;
  }

  static bool sends(const Rule& rule) {
    return rule.kind == ActionKind::send || rule.kind == ActionKind::lose;
  }
  bool receives(const Rule& rule) const {
    const Channel& channel = program_.protocol.channels[rule.channel];
    return rule.kind == ActionKind::receive || rule.kind == ActionKind::copy ||
           (rule.kind == ActionKind::send && channel.capacity == 0 && !channel.is_sink);
  }

  Atoms atoms(std::size_t state, const std::vector<RuleId>& rules) const {
    Atoms result;
    const Interpreter interpreter(program_);
    for (const TemporalAtom& atom : property_.atoms) {
      bool holds = false;
      if (atom.kind == TemporalAtom::Kind::state) {
        const Evaluation value = interpreter.value(atom.holds, graph_.states[state]);
        holds = value.fault == Fault::absent && value.value != 0;
      } else if (atom.kind == TemporalAtom::Kind::ended) {
        holds = graph_.has_ended[state];
      } else {
        for (const RuleId id : rules) {
          const Rule& rule = program_.rules[id];
          if (rule.channel != atom.channel || rule.tag == 0) continue;
          if (program_.protocol.channels[rule.channel].sort[rule.tag - 1].name != atom.message)
            continue;
          const bool is_sent = atom.kind == TemporalAtom::Kind::sent;
          holds = holds || (is_sent ? sends(rule) : receives(rule));
        }
      }
      result.push_back(holds);
    }
    return result;
  }

  void expand(std::size_t number) {
    const Node node = nodes_[number];
    for (const NaiveRunStep& step : graph_.steps[node.state]) {
      const Atoms there =
          atoms(step.target, faults_.takes_events_early ? events_ahead(step.target) : step.rules);
      for (const Guess& guess : guesses(property_.formula, there)) {
        if (!may_follow(property_.formula, node.guess, guess)) continue;
        Edge edge{number, number_of({step.target, guess}), {}, {}};
        add_pairs(node, step, guess, edge);
        edges_.push_back(std::move(edge));
      }
    }
  }

  std::vector<RuleId> events_ahead(std::size_t state) const {
    const auto& steps = graph_.steps[state];
    return steps.empty() ? std::vector<RuleId>{} : steps.front().rules;
  }

  void add_pairs(const Node& node, const NaiveRunStep& step, const Guess& guess, Edge& edge) const {
    std::size_t pair = 0;
    const auto add = [&](bool if_taken, bool then_taken) {
      if (if_taken) edge.if_taken.insert(pair);
      if (then_taken) edge.then_taken.insert(pair);
      ++pair;
    };
    bool has_forgotten = !faults_.forgets_a_promise;
    for (FormulaId id = 0; id < property_.formula.nodes.size(); ++id) {
      const FormulaOp op = property_.formula.nodes[id].op;
      if (!is_guessed(op) || op == FormulaOp::next) continue;
      if (!std::exchange(has_forgotten, true)) continue;
      add(true, keeps_promise(property_.formula, id, guess));
    }
    const FairnessDemands& demands = program_.protocol.fairness;
    const bool is_strong = demands.processes == Fairness::strong && !faults_.takes_strong_for_weak;
    const auto moves = [&](ProcessId p) {
      return std::ranges::any_of(step.rules,
                                 [&](RuleId id) { return program_.rules[id].moves_process(p); });
    };
    if (demands.processes != Fairness::any && !faults_.forgets_fair_processes)
      for (ProcessId p = 0; p < program_.protocol.processes.size(); ++p) {
        const bool can = graph_.enabled[node.state].contains(p);
        if (is_strong)
          add(can, moves(p));
        else
          add(true, !can || moves(p));
      }
    const auto does = [&](ActionKind kind, ChannelId channel) {
      return std::ranges::any_of(step.rules, [&](RuleId id) {
        return program_.rules[id].kind == kind && program_.rules[id].channel == channel;
      });
    };
    if (demands.lines && !faults_.forgets_fair_lines)
      for (ChannelId c = 0; c < program_.protocol.channels.size(); ++c)
        add(does(ActionKind::lose, c) &&
                (faults_.demands_room ||
                 !is_full(program_.layout.channels[c], graph_.states[node.state])),
            does(ActionKind::send, c));
  }

  const Program& program_;
  const TemporalProperty& property_;
  const NaiveGraph& graph_;
  const NaiveRunFaults& faults_;
  std::vector<Node> nodes_;
  std::map<Node, std::size_t> numbers_;
  std::vector<Edge> edges_;
};

}  // namespace

std::optional<bool> naively_holds(const Program& program, const TemporalProperty& property,
                                  std::size_t most_states, const NaiveRunFaults& faults) {
  const auto graph = GraphMaker(program, faults).make(most_states);
  if (!graph) return {};
  return RunSearch(program, property, *graph, faults).holds();
}

}  // namespace panoptes::differential
