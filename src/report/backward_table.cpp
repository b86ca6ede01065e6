// SPDX-License-Identifier: Apache-2.0
// The transition table of a process reversed and numbered anew, as Holzmann does it by hand
// (Backward Symbolic Execution of Protocols, section 3): control flow is turned round, what was the
// end is the start. Where several steps lead back from a state, he goes on with the one that stands
// last in the text, which read backwards is the first.
#include <algorithm>
#include <optional>

#include "report/reversed_rule.hpp"
#include "report/show_content.hpp"

namespace panoptes {
namespace {

class BackwardTableMaker {
 public:
  BackwardTableMaker(const Program& program, ProcessId process)
      : program_(program),
        process_(process),
        automaton_(program.protocol.processes[process].automaton),
        states_(table_states(automaton_)),
        into_(automaton_.states.size()),
        row_(automaton_.states.size()) {}

  BackwardTable run() {
    collect();
    number();
    for (const StateId state : order_) {
      BackwardTable::Row& row = table_.rows.emplace_back(BackwardTable::Row{state, {}});
      for (const Way& way : into_[state])
        row.back.push_back({way.rule, way.action, *row_[way.from]});
    }
    table_.end = *row_[automaton_.initial];
    return std::move(table_);
  }

 private:
  // A rule that leads to a state.
  struct Way {
    RuleId rule;
    StateId from;
    std::size_t action;
  };

  // Every rule by where it leads, and the actions.
  void collect() {
    std::map<std::string, Place> first;  // by action
    std::vector<std::pair<StateId, Way>> ways;
    std::vector<std::string> texts;
    for (RuleId id = 0; id < program_.rules.size(); ++id)
      for (const ProcessMove& move : program_.rules[id].moves) {
        if (move.process != process_) continue;
        ways.push_back({move.to, {id, move.from, 0}});
        texts.push_back(reversed_text(program_, id, process_));
        Place& place = first[texts.back()];
        place = first_place(program_, statements_of(program_.rules[id]), place);
      }
    table_.actions = in_text_order(first);
    std::map<std::string, std::size_t> column;
    for (const std::string& action : table_.actions) column.emplace(action, column.size());
    for (std::size_t i = 0; i < ways.size(); ++i) {
      ways[i].second.action = column.at(texts[i]);
      into_[ways[i].first].push_back(ways[i].second);
    }
    for (std::vector<Way>& into : into_)
      std::stable_sort(into.begin(), into.end(),
                       [](const Way& a, const Way& b) { return a.action < b.action; });
  }

  // Those of the process: in a rendezvous it may be the one that receives.
  const std::vector<StatementId>& statements_of(const Rule& rule) const {
    return rule.partner && rule.owner().process != process_ ? rule.partner->statements
                                                            : rule.statements;
  }

  void number() {
    begin_where([&](StateId s) { return automaton_.states[s].may_stop; });
    if (order_.empty())
      begin_where([&](StateId s) { return program_.at(process_, s).receives_only; });
    if (order_.empty()) append(automaton_.initial);
    table_.starts = order_.size();
    go_back();
    // From where none of those can be reached.
    for (const StateId state : states_) {
      append(state);
      go_back();
    }
  }

  // The end of the process first.
  template <typename Holds>
  void begin_where(Holds holds) {
    for (const bool is_end : {true, false})
      for (const StateId state : states_)
        if (automaton_.states[state].is_end == is_end && holds(state)) append(state);
  }

  void append(StateId state) {
    if (row_[state]) return;
    row_[state] = order_.size();
    order_.push_back(state);
  }

  // What leads to those that have a number gets the next ones.
  void go_back() {
    for (; reversed_ < order_.size(); ++reversed_) {
      const std::vector<Way>& into = into_[order_[reversed_]];
      for (auto way = into.rbegin(); way != into.rend(); ++way) append(way->from);
    }
  }

  const Program& program_;
  const ProcessId process_;
  const Automaton& automaton_;
  const std::vector<StateId> states_;
  std::vector<std::vector<Way>> into_;           // by state
  std::vector<std::optional<std::size_t>> row_;  // by state
  std::vector<StateId> order_;                   // by row
  std::size_t reversed_ = 0;                     // rows whose ways back were followed
  BackwardTable table_;
};

}  // namespace

BackwardTable backward_table(const Program& program, ProcessId process) {
  return BackwardTableMaker(program, process).run();
}

}  // namespace panoptes
