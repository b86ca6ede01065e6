// SPDX-License-Identifier: Apache-2.0
// What a model was compiled to and who talks to whom in it, as text, JSON or a drawing.
//
// Drawings are in the language of Graphviz; report/svg.hpp makes pictures of them. A table is a
// picture of its own.
#pragma once

#include <string>

#include "report/grid.hpp"
#include "report/reception_matrix.hpp"
#include "rules/program.hpp"
#include "verdict/arrivals.hpp"
#include "verdict/conclusions.hpp"
#include "verdict/global_graph.hpp"

namespace panoptes {

std::string show_automata(const Program& program, const SourceSet& sources);
std::string show_automata_json(const Program& program, const SourceSet& sources);
// A cluster for each process and assertion, a node for each state, an edge for each pair of states
// with a transition from the one to the other.
std::string show_automata_dot(const Program& program, const SourceSet& sources);

std::string show_rules(const Program& program);
std::string show_rules_json(const Program& program);
// A function from a state to its successors; rules/lowered_c.hpp.
std::string show_rules_c(const Program& program);

std::string show_layout(const Program& program);
std::string show_layout_json(const Program& program);

// States of each process against its actions.
std::string show_tables(const Program& program, const SourceSet& sources, const TextStyle& style);
std::string show_tables_json(const Program& program, const SourceSet& sources);
// The same reversed, and numbered anew from where each process may stop.
std::string show_backward_tables(const Program& program, const SourceSet& sources,
                                 const TextStyle& style);
std::string show_backward_tables_json(const Program& program, const SourceSet& sources);

// Who sends what to whom.
std::string show_channels(const Program& program, const TextStyle& style);
std::string show_channels_json(const Program& program);
std::string show_channels_dot(const Program& program);

// States of each process against the messages that can arrive there; by label where it has some.
// What a check with `receptions` reports is a hole, and counted as one. REQUIRES: not too large.
struct HolesRequest {
  ReceptionPolicy receptions = ReceptionPolicy::blocked;
  RowsBy by = RowsBy::label;
};
std::string show_holes(const Program& program, const SourceSet& sources, const Arrivals& arrivals,
                       const HolesRequest& request, const TextStyle& style);
// By label and by place, whatever is asked for.
std::string show_holes_json(const Program& program, const SourceSet& sources,
                            const Arrivals& arrivals, ReceptionPolicy receptions);
std::string show_holes_csv(const Program& program, const Arrivals& arrivals,
                           const HolesRequest& request);
std::string show_holes_svg(const Program& program, const SourceSet& sources,
                           const Arrivals& arrivals, const HolesRequest& request);
// Why there is no such view of this program: the model has too many states and messages; else "".
std::string too_large_for_holes(const Program& program, RowsBy by);

// The states of the whole system and the steps between them, with what is wrong with them.
std::string show_graph(const Program& program, const GlobalGraph& graph, const SourceSet& sources,
                       const Strictness& strictness);
std::string show_graph_json(const Program& program, const GlobalGraph& graph,
                            const SourceSet& sources, const Strictness& strictness);
std::string show_graph_dot(const Program& program, const GlobalGraph& graph,
                           const SourceSet& sources, const Strictness& strictness);

}  // namespace panoptes
