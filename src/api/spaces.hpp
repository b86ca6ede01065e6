// SPDX-License-Identifier: Apache-2.0
// The state space of a model that was loaded in a database, and what is asked of it.
#pragma once

#include <functional>
#include <string>
#include <vector>

#include "api/relational_verdict.hpp"
#include "query/answer.hpp"
#include "query/column_names.hpp"
#include "query/named.hpp"
#include "query/native_space.hpp"
#include "query/question.hpp"
#include "query/space.hpp"

namespace panoptes {

// How a space is searched for.
struct SpaceSearch {
  NativeSpaceOptions native;                         // where the database does not search
  std::function<void(const std::string&)> progress;  // where it does
};

// What the options of `query` ask of a native search; limits of time and memory, who interrupts and
// who is told of progress is left to who has them.
NativeSpaceOptions space_options(const OptionValues& values);

// The space of the model `path`, made unless the database has it. Where it is made, the rows of
// `relations` are taken.
DatabaseResult<Space> space_of(const std::string& path, const OptionValues& values,
                               const Loaded& loaded, std::vector<Relation>& relations,
                               const Dialect& dialect, Database& database,
                               const SpaceSearch& search);

struct AnswerForm {
  AnswerFormat format = AnswerFormat::table;
  std::size_t width = 0;  // of a table; 0: any
  std::string file;       // that a database writes itself
};

// The rows of `sql` in the form that is wanted. `path`: the model.
DatabaseResult<Printed> print_answer(const std::string& path, const AnswerForm& form,
                                     const SpaceFacts& facts, const Dialect& dialect,
                                     Database& database, const std::string& sql,
                                     const WriteText& write);

}  // namespace panoptes
