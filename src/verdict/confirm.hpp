// SPDX-License-Identifier: Apache-2.0
// A trail that was written down, walked once more.
//
// How it may be wrong: it trusts nothing of the record but the numbers of the rules; kind, process
// and message of the error only say which of those that show is meant. A record of
// another protocol may happen to be a walk of this one, too; whoever reads files compares the
// fingerprints first (rules/fingerprint.hpp). Of a livelock 10,000 states are looked at: a way out
// beyond them is not seen.
//
// Cost: one replay, three where there is an error. Thread safety: a function of its arguments.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "verdict/conclusions.hpp"

namespace panoptes {

struct RecordedTrail {
  // What was found at its end; nothing for a walk that somebody liked to keep.
  std::optional<ErrorDescription> error;
  bool is_warning = false;
  std::vector<RuleId> steps;  // the last one may be one that fails
  std::vector<RuleId> cycle;  // of a run without end
};

// What is to be seen at the end of a trail: an error of the same kind, process and message, which
// is described anew; the words of the record do not count. Without an error, the report has a trail
// and no description. Nothing where some step cannot be taken or the error does not show, with the
// reason in `problem`: then the record is of another protocol, or nobody's.
std::optional<ErrorReport> confirm(const Program& program, const RecordedTrail& recorded,
                                   const Strictness& strictness, const SourceSet& sources,
                                   std::string& problem);

}  // namespace panoptes
