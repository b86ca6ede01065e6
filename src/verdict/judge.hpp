// SPDX-License-Identifier: Apache-2.0
// The judge: from what an engine has found to a verdict. Whatever searched, in a loop of ours, in a
// database or elsewhere, errors are grouped, ranked and replayed here, warnings told from errors,
// and nothing is promised that the store cannot keep. Nobody else sets any of that; verdicts of
// several searches of one program are put together in verdict/merge.hpp.
//
// How it can be wrong: it believes the evidence as to what was left out. Trails it does not
// believe: one that does not replay is no verdict.
#pragma once

#include "verdict/ending.hpp"
#include "verdict/livelocks.hpp"
#include "verdict/make_reports.hpp"
#include "verdict/violations.hpp"

namespace panoptes {

// What an engine hands over beside its log of errors.
struct Evidence {
  Measured measured;
  Ending ending;
  StorePromise store;        // how what it has seen may be wrong
  std::vector<bool> fired;   // by rule: it was executed, whether it failed or not ...
  std::vector<bool> passed;  // ... and it was, with a state behind it
  bool sees_code = true;     // else nobody knows whether other rules are executed
};

// Whom the judge works for, and how strictly.
struct Court {
  const Program& program;
  const SourceSet& sources;
  Strictness strictness;
  // What was searched in its place, rule by rule the same; null: it was the program itself.
  const Program* searched = nullptr;
};

// Nothing where a trail does not replay, with the reason in `problem`. REQUIRES: the log is
// finished.
std::optional<Verdict> judge(const Court& court, const Evidence& evidence, const ErrorLog& errors,
                             WayBack& way_back, TrailRoom room, std::string& problem);

// Adds what the graph says that the same search has kept.
void add_livelocks(const Court& court, Livelocks&& found, Verdict& verdict);

// Adds what was found of runs without end. REQUIRES: of all properties that the program has.
void add_violations(Violations&& found, Verdict& verdict);

// What these errors and this promise amount to.
Outcome outcome_of(const Verdict& verdict);

}  // namespace panoptes
