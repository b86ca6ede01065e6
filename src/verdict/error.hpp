// SPDX-License-Identifier: Apache-2.0
// Errors as a designer sees them: grouped by what is wrong (verdict/error_key.hpp), and in words.
#pragma once

#include <string>

#include "rules/positions.hpp"
#include "verdict/error_key.hpp"

namespace panoptes {

// An error in words.
struct ErrorDescription {
  ErrorKind kind = ErrorKind::deadlock;
  std::string process;  // "" where it concerns all; of a livelock, all that move, joined by ","
  std::string state;    // control state by name; all of them, joined by ",", for a deadlock; for a
                        // livelock too, those of one process joined by "|"
  std::string place;    // the same, each by line:column; of a merged state, the first
  std::string message;  // message, event or channel concerned
  std::string refused;  // of an unspecified reception: `message`, with its values where the process
                        // takes it with others
  std::string statement;  // line:column, where one statement of a process is to blame
  std::string text;       // one sentence, which says where the process is on this very trail
};
// `whereabouts` are those of everybody in `state`. REQUIRES: not a livelock, which is
// no matter of one state.
ErrorDescription describe(const Program& program, const Finding& finding, StateView state,
                          const SourceSet& sources, const Whereabouts& whereabouts = {});

ErrorDescription describe(const Program& program, const LivelockShape& shape,
                          const SourceSet& sources);

}  // namespace panoptes
