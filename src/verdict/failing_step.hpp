// SPDX-License-Identifier: Apache-2.0
// What a step that fails by itself has looked at, and where it went wrong: for the sentence that
// tells a designer. The step is computed once more by the interpreter, in the state it failed in.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "base/batch.hpp"
#include "rules/program.hpp"

namespace panoptes {

// The variables that the step has read, in order: of an array, the elements its indices chose.
std::vector<VariableId> variables_read(const Program& program, const Rule& rule, StateView state);

// The index of an array that was out of range. Nothing where the step does not fail for that: a
// member of a family has no such array.
struct FailingIndex {
  std::string array;
  std::int64_t index = 0;
  std::int64_t length = 0;
};
std::optional<FailingIndex> failing_index(const Program& program, const Rule& rule,
                                          StateView state);

// The value that a variable was to get and that its declared range does not hold. Nothing where the
// step does not fail for that.
struct FailingValue {
  std::string variable;
  std::int64_t value = 0;
  Interval range;
};
std::optional<FailingValue> failing_value(const Program& program, const Rule& rule,
                                          StateView state);

}  // namespace panoptes
