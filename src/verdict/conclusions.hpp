// SPDX-License-Identifier: Apache-2.0
// What every engine's findings are judged by, whoever made them.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "verdict/verdict.hpp"

namespace panoptes {

// What counts as an error, and as how grave a one.
struct Strictness {
  ReceptionPolicy receptions = ReceptionPolicy::blocked;
  bool unread_messages_are_errors = false;
};

// The report of the error that `finding` is in `state`, where `rules` lead: its trail, replayed.
// How often it was seen, and how deep, is left to the caller. Nothing where it does not replay,
// with the reason in `problem`; without one where it takes too long.
std::optional<ErrorReport> report_error(const Program& program, const Finding& finding,
                                        StateView state, const std::vector<RuleId>& rules,
                                        const Strictness& strictness, const SourceSet& sources,
                                        std::string& problem, const Deadline& deadline = {});

// The same where there is no trail: what can be said of the state alone.
ErrorReport report_without_trail(const Program& program, const Finding& finding, StateView state,
                                 const Strictness& strictness, const SourceSet& sources,
                                 TrailGap gap);

// Describes the error, and its cause, by where the trail ends now. REQUIRES: key, finding and trail
// are there; of a livelock the description too, since it is no matter of one state.
void describe_end(const Program& program, ErrorReport& error, ReceptionPolicy receptions,
                  const SourceSet& sources);

// The finding that a run in this state has come to, nothing where there is none. A deadlock comes
// after the errors it may follow from, and what is only worth a warning comes last.
const Finding* worst_of(const std::vector<Finding>& findings, const Strictness& strictness);

// Whether it is worth no more than a warning.
bool is_warning(ErrorKind kind, const Strictness& strictness);

// A deadlock in which a process waits for something else than what it has is caused by that: in
// words, "" where there is no such process. REQUIRES: the trail is there.
std::string cause_of(const Program& program, const ErrorReport& deadlock,
                     ReceptionPolicy receptions, const SourceSet& sources);

// Statements none of whose rules has fired, in the order of the text; a merged statement shares the
// fate of the others.
std::vector<DeadStatement> dead_code(const Program& program, const std::vector<bool>& fired);

// Statements whose rules have fired in some members of a family and not in others, likewise. What
// the index alone decides, such as `(i == 0)`, is as it was written.
std::vector<DeadInMembers> dead_in_members(const Program& program, const std::vector<bool>& fired);

}  // namespace panoptes
