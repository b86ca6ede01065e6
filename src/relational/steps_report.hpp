// SPDX-License-Identifier: Apache-2.0
// The relations of the five steps as the tables of the paper, or as JSON.
//
// Idea: every relation has a heading, its size and its first rows; what is left out is counted.
// Thread safety: plain functions on plain data.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "relational/faulty_paths.hpp"
#include "relational/named_steps.hpp"

namespace panoptes {

struct StepsReport {
  std::string model;
  std::string engine;
  std::optional<unsigned> nodes;  // of a hypercube
  TwoProcess protocol;
  struct Shown {
    StepRelation relation;
    std::vector<NamedRow> rows;  // the first ones
  };
  std::vector<Shown> relations;
  std::optional<FaultyPaths> paths;  // where they were asked for
  double seconds = 0.0;

  // What is an error of the protocol; rules that are never used are none.
  bool finds_errors() const;
};

// The relations of `steps`, with up to `most_rows` rows of each, and all rows of faulty paths.
// REQUIRES: they were run.
DatabaseResult<StepsReport> steps_report(FiveSteps& steps, std::uint64_t most_rows);

std::string steps_text(const StepsReport& report);
std::string steps_json(const StepsReport& report);

}  // namespace panoptes
