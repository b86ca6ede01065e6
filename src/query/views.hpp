// SPDX-License-Identifier: Apache-2.0
// A state space as relations that people can read.
//
// Idea: a search leaves packed states and numbered transitions, and the views below unpack them
// where somebody looks. What a protocol consists of (rules, processes, channels, ...) are small
// tables beside them.
//
// Cost: unpacking is a shift and a mask for a number and a look into a constant list for a name; a
// list of messages costs most. To make the readable columns once, as a table, takes as long as
// searching and loading together, and pays after half a dozen queries on lists: docs/relational.md
// has the figures.
//
// How it can be wrong: views and steppers share only the layout of a state, and the tests compare
// both.
#pragma once

#include <string>
#include <vector>

#include "base/source.hpp"
#include "query/relation.hpp"
#include "relational/dialect.hpp"
#include "rules/program.hpp"

namespace panoptes {

// What a query can ask for, each relation after those it is made of. Beside them there is the
// function path_to.
std::vector<Relation> space_relations(const Program& program, const SourceSet& sources,
                                      const Dialect& dialect);

// What is printed by `--schema`.
std::string describe_relations(const std::vector<Relation>& relations);

}  // namespace panoptes
