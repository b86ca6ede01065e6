// SPDX-License-Identifier: Apache-2.0
// Errors and trails as the plain structs of panoptes.h.
#pragma once

#include <vector>

#include "api/handles.hpp"
#include "verdict/verdict.hpp"

namespace panoptes {

// One error, with what its struct points to. Stays where it is: others point to it.
class PlainError {
 public:
  // Of a run without an error, `has_error` is false.
  PlainError(const SharedModel& model, const ErrorReport& error, bool has_error = true);
  PlainError(const PlainError&) = delete;
  PlainError& operator=(const PlainError&) = delete;

  const panoptes_error& get() const { return plain_; }

 private:
  Texts texts_;
  std::vector<panoptes_step> steps_, cycle_;
  panoptes_error plain_{};
};

// A step of `rule`, whose process goes from `from` to `to`, both as text for people; where it fails
// `to` is "". `place`: that of its statement.
panoptes_step plain_step(const SharedModel& model, RuleId rule, Place place, std::string from,
                         std::string to, std::string message, Texts& texts);

}  // namespace panoptes
