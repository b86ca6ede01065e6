// SPDX-License-Identifier: Apache-2.0
// Two verdicts on one program, one found forwards and one backwards: do they agree?
#pragma once

#include <string>

#include "verdict/verdict.hpp"

namespace panoptes {

// What the other direction says of the errors that one has found.
struct Confirmation {
  bool agrees = true;
  std::string text;  // a sentence
};

// Errors are the same where their keys are. What only one has found is a contradiction where the
// other has looked at everything; livelocks and endless sequences are no matter of a backward
// search.
Confirmation confirm_verdict(const Verdict& forward, const Verdict& backward);

}  // namespace panoptes
