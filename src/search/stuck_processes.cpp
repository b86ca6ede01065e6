// SPDX-License-Identifier: Apache-2.0
#include "search/stuck_processes.hpp"

#include <algorithm>
#include <map>
#include <utility>

#include "search/cycles.hpp"
#include "search/expand_again.hpp"
#include "search/shortest_ways.hpp"
#include "step/examine.hpp"
#include "step/indivisible.hpp"
#include "step/interpreter.hpp"
#include "verdict/trail.hpp"

namespace panoptes {
namespace {

// A set of processes, as words of bits.
class MoverSet {
 public:
  explicit MoverSet(std::size_t processes) : words_((processes + 63) / 64, 0) {}

  void add(ProcessId process) { words_[process / 64] |= Word{1} << process % 64; }
  void add_all() { words_.assign(words_.size(), ~Word{0}); }
  bool has(ProcessId process) const { return (words_[process / 64] >> process % 64 & 1) != 0; }
  // Whether anything was new.
  bool add(const MoverSet& others) {
    Word fresh = 0;
    for (std::size_t i = 0; i < words_.size(); ++i) {
      fresh |= others.words_[i] & ~words_[i];
      words_[i] |= others.words_[i];
    }
    return fresh != 0;
  }

 private:
  std::vector<Word> words_;  // not StateWords, whose words begin with any value
};

// By rule: who moves.
std::vector<MoverSet> movers_of(const Program& program) {
  std::vector<MoverSet> result(program.rules.size(), MoverSet(program.control.size()));
  for (RuleId id = 0; id < program.rules.size(); ++id)
    for (const ProcessMove& move : program.rules[id].moves) result[id].add(move.process);
  return result;
}

bool has_rendezvous(const Program& program) {
  return std::ranges::any_of(program.rules, [](const Rule& rule) { return rule.moves.size() > 1; });
}

// By state: who moves, or is excused, there or behind it.
class FreeProcesses {
 public:
  FreeProcesses(const Program& program, const StateGraph& graph, const NumberedStore& store,
                const std::vector<NumberedFinding>& findings, const std::vector<bool>& is_explained)
      : program_(program),
        graph_(graph),
        store_(store),
        is_explained_(is_explained),
        movers_(movers_of(program)),
        others_move_inside_(has_rendezvous(program)),
        stepper_(std::make_unique<Interpreter>(program)),
        none_(program.control.size()),
        set_of_(graph.states(), unknown) {
    for (const auto& [state, depth, finding] : findings) {
      MoverSet& excused = excused_.try_emplace(state, none_).first->second;
      if (finding.rule != none)
        excused.add_all();
      else if (finding.kind == ErrorKind::unspecified_reception)
        excused.add(finding.process);
    }
  }

  bool find(const Deadline& deadline) {
    return strong_components(
        graph_, [&](std::span<const std::uint64_t> states) { add(states); }, deadline);
  }

  bool has(std::uint64_t state, ProcessId process) const {
    return sets_[set_of_[state]].has(process);
  }

 private:
  static constexpr std::uint64_t unknown = UINT64_MAX;

  // Components have few different sets, so those that are the same as one behind are not kept.
  void add(std::span<const std::uint64_t> states) {
    MoverSet all = none_;
    std::uint64_t behind = unknown;
    for (const std::uint64_t state : states) {
      if (!graph_.has_links(state) || is_explained_[state]) all.add_all();
      if (const auto found = excused_.find(state); found != excused_.end()) all.add(found->second);
      bool hands_over = false;
      for (std::uint64_t at = graph_.first(state); at < graph_.end(state); ++at) {
        const auto [target, rule] = graph_.link(at);
        all.add(movers_[rule]);
        hands_over = hands_over || (others_move_inside_ && program_.rules[rule].ends_inside);
        if (set_of_[target] == unknown || set_of_[target] == behind) continue;
        behind = set_of_[target];
        all.add(sets_[behind]);
      }
      if (hands_over) add_inside(state, all);
    }
    const bool is_same = behind != unknown && !MoverSet(sets_[behind]).add(all);
    if (!is_same) sets_.push_back(std::move(all));
    for (const std::uint64_t state : states) set_of_[state] = is_same ? behind : sets_.size() - 1;
  }

  // Of a sequence a graph has the first rule only, so that the state is expanded once more.
  void add_inside(std::uint64_t state, MoverSet& all) {
    SuccessorBatch successors;
    std::vector<Finding> findings;
    StateBatch batch{program_.layout.words, {}};
    batch.assign(store_.state(state));
    stepper_.expand(batch, successors, findings);
    for (const RuleId rule : successors.inside) all.add(movers_[rule]);
  }

  const Program& program_;
  const StateGraph& graph_;
  const NumberedStore& store_;
  const std::vector<bool>& is_explained_;
  std::vector<MoverSet> movers_;  // by rule
  bool others_move_inside_;       // in some sequence, by a rendezvous
  IndivisibleStepper stepper_;
  MoverSet none_;
  std::map<std::uint64_t, MoverSet> excused_;  // by state
  std::vector<MoverSet> sets_;
  std::vector<std::uint64_t> set_of_;  // by state
};

// What the search has found, but by states: they are expanded once more, where there was anything.
std::vector<NumberedFinding> findings_by_state(const Program& program, const NumberedStore& store,
                                               std::uint64_t states, const ErrorLog& errors,
                                               ReceptionPolicy receptions,
                                               const Deadline& deadline) {
  std::vector<NumberedFinding> result;
  const bool has_receptions = std::ranges::any_of(errors.records(), [](const ErrorRecord& record) {
    return record.finding.kind == ErrorKind::unspecified_reception;
  });
  if (!errors.has_failure() && !has_receptions && errors.left_out() == 0) return result;
  expand_again(
      program, store, states, deadline, [](std::uint64_t) { return true; },
      [&](std::uint64_t number, ExpandedState& expanded) {
        examine(program, expanded.state, expanded.successors, receptions, expanded.findings);
        for (const Finding& finding : expanded.findings)
          if (finding.rule != none || finding.kind == ErrorKind::unspecified_reception)
            result.push_back({number, 0, finding});
      });
  return result;
}

// Members of a family that are left at the same place are one error, that of the nearest.
struct StuckGroup {
  const StuckProcess* first = nullptr;
  ErrorKey exact;
  Members members;
  std::uint64_t count = 0;
};

Finding finding_of(const StuckProcess& stuck) {
  Finding finding;
  finding.kind = ErrorKind::stuck;
  finding.process = stuck.process;
  return finding;
}

std::map<ErrorKey, StuckGroup> grouped(const Program& program, const NumberedStore& store,
                                       const std::vector<StuckProcess>& all) {
  std::map<ErrorKey, StuckGroup> groups;
  for (const StuckProcess& stuck : all) {
    const ErrorKey exact = exact_key_of(program, finding_of(stuck), store.state(stuck.nearest));
    StuckGroup& group = groups[group_key(program, exact)];
    group.count += stuck.states;
    if (group.first) add_members(program, group.exact, exact, group.members);
    if (group.first && group.first->way.size() <= stuck.way.size()) continue;
    group.first = &stuck;
    group.exact = exact;
  }
  return groups;
}

}  // namespace

bool add_stuck_processes(const Program& program, const StateGraph& graph,
                         const NumberedStore& store, const ErrorLog& errors,
                         ReceptionPolicy receptions, Livelocks& found, std::string& problem,
                         const Deadline& deadline) {
  const auto findings =
      findings_by_state(program, store, graph.states(), errors, receptions, deadline);
  const auto all =
      find_stuck_processes(program, graph, store, findings, found.is_livelocked, deadline);
  found.graph.is_complete = all && !deadline.has_passed();
  if (!found.graph.is_complete) return true;
  for (const auto& [key, group] : grouped(program, store, *all)) {
    const StateView there = store.state(group.first->nearest);
    const auto way = with_insides(program, group.first->way, program.initial, there, deadline);
    auto trail =
        way ? replay_stuck(program, *way, group.first->process, problem, deadline) : std::nullopt;
    if (!trail && !problem.empty()) return false;
    ErrorReport report;
    report.key = key;
    report.finding = finding_of(*group.first);
    report.count = group.count;
    report.members = group.members;
    report.depth = group.first->way.size();
    report.is_shortest = true;
    if (trail) {
      report.trail = std::move(*trail);
    } else {
      report.gap = TrailGap::time;
      report.trail.last.assign(there.begin(), there.end());
    }
    found.errors.push_back(std::move(report));
  }
  return true;
}

std::optional<std::vector<StuckProcess>> find_stuck_processes(
    const Program& program, const StateGraph& graph, const NumberedStore& store,
    const std::vector<NumberedFinding>& findings, const std::vector<bool>& is_explained,
    const Deadline& deadline) {
  FreeProcesses free(program, graph, store, findings, is_explained);
  if (!free.find(deadline)) return {};
  std::map<std::pair<ProcessId, StateId>, StuckProcess> found;
  ShortestWays ways(graph);
  ways.walk([&](std::uint64_t number) {
    const StateView state = store.state(number);
    for (ProcessId p = 0; p < program.control.size(); ++p) {
      if (free.has(number, p)) continue;
      const auto at = static_cast<StateId>(read(program.layout.control[p], state));
      if (program.at(p, at).may_stop) continue;
      StuckProcess& stuck =
          found.try_emplace({p, at}, StuckProcess{p, at, 0, number}).first->second;
      ++stuck.states;
    }
    return !deadline.has_passed();
  });
  if (deadline.has_passed()) return {};
  std::vector<StuckProcess> result;
  for (auto& [key, stuck] : found) {
    stuck.way = ways.to(stuck.nearest);
    result.push_back(std::move(stuck));
  }
  return result;
}

}  // namespace panoptes
