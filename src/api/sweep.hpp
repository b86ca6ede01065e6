// SPDX-License-Identifier: Apache-2.0
// A model, checked for every combination of the values of its parameters, one after the other.
//
// Idea: no combination comes before one that is smaller (report/sweep_table.hpp). So whatever ends
// a sweep, all that is smaller than what was run has been run, and an error that is one of the
// smallest so far will stay one.
//
// How it can fail: a run that does not compile, has no memory or fails is a row like others.
//
// Thread safety: a function of its arguments, and of what they do.
#pragma once

#include <functional>
#include <string>
#include <vector>

#include "api/check_model.hpp"
#include "base/parameter.hpp"
#include "report/sweep_table.hpp"

namespace panoptes {

// The parameters of a sweep, and what is the same in all runs.
struct SweepPlan {
  std::vector<Parameter> varied;
  std::vector<std::string> fixed;  // as -D has them
};
// From what -D says, or what is wrong with it as a whole.
Result<SweepPlan, std::string> plan_sweep(const std::vector<Parameter>& parameters);

// What -D says in one combination.
std::vector<std::string> definitions_of(const SweepPlan& plan, std::size_t combination);

// What whoever runs a sweep has to do with each of its runs.
struct SweepDoors {
  // Asked before each run: Stop::finished where it may begin, else why none will any more.
  std::function<Stop()> ended_by;
  // Told before each run, the first of which has the number 1, which combination it is of.
  std::function<void(std::size_t number, std::size_t combination)> begin;
  // The model, for these options.
  std::function<Loaded(const OptionValues&)> load;
  // Adds limits, interrupts and observers to what the options ask for.
  std::function<void(CheckOptions&)> prepare;
  // Told what was compiled, or was not, before it is searched.
  std::function<void(std::size_t combination, const Loaded&)> compiled;
  // What the run has taken, when it is over.
  std::function<std::uint64_t()> memory_bytes;
};

// `table` has what was run so far, for whoever is called from it. REQUIRES: `values` are those of
// `check` or `sweep`, and make sense; what they say of -D is replaced.
void run_sweep(const SweepPlan& plan, const OptionValues& values, const SweepDoors& doors,
               SweepTable& table);

}  // namespace panoptes
