// SPDX-License-Identifier: Apache-2.0
// What `panoptes show --graph` is made of: states and steps of the whole system in words.
//
// Everything a state consists of is there, so that no two states look alike; only channels that are
// empty are not mentioned. Thread safety: functions of their arguments.
#pragma once

#include <string>
#include <utility>
#include <vector>

#include "verdict/conclusions.hpp"
#include "verdict/global_graph.hpp"

namespace panoptes {

struct GraphView {
  // An error, or what is worth a warning.
  struct Wrong {
    ErrorKind kind;
    std::string text;
    bool is_warning;
  };
  struct State {
    std::vector<std::pair<std::string, std::string>> control;  // process, control state
    struct Variable {
      std::string name;
      std::int64_t value;
      std::string text;  // the value, by name where it has one
      bool is_named;
    };
    std::vector<Variable> variables;
    std::vector<std::pair<std::string, std::string>> channels;     // that are not empty, contents
    std::vector<std::pair<std::string, std::int64_t>> assertions;  // by name: how far it has come
    std::vector<Wrong> wrong;                                      // with the state itself
    bool may_end = false;                                          // every process may stop here
    std::uint64_t left_out = 0;  // steps to states that are not shown
    bool is_expanded = true;     // else its steps are not known
  };
  struct Step {
    std::uint64_t source, target;  // target: none where the step fails
    RuleId rule;
    std::string process, action;  // `link!data(3)`, else the statement
    std::vector<Wrong> wrong;     // why it fails
  };

  std::vector<State> states;
  std::vector<Step> steps;  // in the order of their sources; those that fail come last
};

GraphView graph_view(const Program& program, const GlobalGraph& graph, const SourceSet& sources,
                     const Strictness& strictness);

// "A idle, B waiting; to_A: ON": a state without its number.
std::string state_words(const GraphView::State& state);

// "6 states, all there are; 8 transitions", or how many more there are and what is wrong with them.
std::string graph_summary(const GlobalGraph& graph);

}  // namespace panoptes
