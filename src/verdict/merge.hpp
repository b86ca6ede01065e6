// SPDX-License-Identifier: Apache-2.0
// Several searches of one program, and one verdict: what one has missed another may have seen.
//
// Idea: groups of errors with equal keys are one, with the shorter trail; a statement is dead that
// none of them has executed. How often something was seen, and what was left out, is that of the
// search with most of it, for nobody knows what they have in common.
#pragma once

#include <functional>
#include <optional>
#include <set>
#include <vector>

#include "verdict/conclusions.hpp"

namespace panoptes {

// Adds a run of the same search with another hash.
void merge_runs(const Program& program, Verdict& all, Verdict&& more);

// Adds what random walks have found that came after such runs; they count no states.
void merge_walks(const Program& program, Verdict& all, Verdict&& walks);

// Adds what a second search has found of the same, whose trails are the shortest; it counts no
// states, and has not seen everything.
void merge_shorter(const Program& program, Verdict& all, Verdict&& second,
                   const ShortestReport& report);

// Findings of searches on the side, which are quick and see little, for the verdict of one that
// sees more.
class SideFindings {
 public:
  explicit SideFindings(const Program& program) : program_(program) {}

  using Announce = std::function<void(const ErrorReport&)>;
  // `seconds`: that had passed when the search began. Errors that are new are announced.
  void add(Verdict&& found, double seconds, const Announce& announce);
  void add_to(Verdict& verdict);

  bool has_errors() const { return !errors_.empty(); }
  bool knows(const ErrorKey& key) const { return announced_.contains(key); }

 private:
  const Program& program_;
  std::vector<ErrorReport> errors_;
  std::uint64_t left_out_ = 0;        // findings for which there was no room
  std::vector<bool> fired_, passed_;  // by rule, in one search or another
  std::set<ErrorKey> announced_;
  double first_seconds_ = 0.0;
  std::uint64_t first_states_ = 0;
};

// Of the errors of another program with the same rules, leaves those that are `wanted` and are
// errors of this one: every trail is walked again, rule by rule. It ends where `has_time` says so.
// What else that search has seen means nothing here.
void keep_what_shows(const Program& program, const SourceSet& sources, const Strictness& strictness,
                     const std::function<bool(const ErrorReport&)>& wanted,
                     const std::function<bool()>& has_time, Verdict& verdict);

}  // namespace panoptes
