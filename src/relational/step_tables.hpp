// SPDX-License-Identifier: Apache-2.0
// The tables of the five steps, as they are filled: each by one expression, or by joins until
// nothing is new.
//
// How it can fail: as the engine does. Thread safety: that of the engine.
#pragma once

#include <functional>
#include <string>
#include <vector>

#include "relational/relation_engine.hpp"
#include "relational/step_relation.hpp"

namespace panoptes {

class StepTables {
 public:
  explicit StepTables(RelationEngine& engine) : engine_(engine) {}

  RelationEngine& engine() const { return engine_; }
  const std::vector<StepRelation>& all() const { return relations_; }
  bool has(const std::string& table) const;
  // REQUIRES: it has the table.
  const StepRelation& at(const std::string& table) const;
  algebra::Relation raw(const std::string& table) const;

  void clear() { relations_.clear(); }
  // Notes a relation that has no table, or has it already.
  void note(StepRelation relation) { relations_.push_back(std::move(relation)); }

  // Fills the table of a relation, and notes its size and time.
  DatabaseResult<> make(StepRelation relation, const algebra::Relation& rows);

  // Fills it with `start` and all that `next` makes of a table of its rows. `round`, if any, is its
  // first column and not one of `start`: the number of the round that found a row. Both are sets of
  // rows without it.
  using Next = std::function<algebra::Relation(const std::string& table)>;
  DatabaseResult<> make_fixpoint(StepRelation relation, const algebra::Relation& start,
                                 const Next& next, const std::string& round = {});

 private:
  RelationEngine& engine_;
  std::vector<StepRelation> relations_;
};

}  // namespace panoptes
