// SPDX-License-Identifier: Apache-2.0
// The relations of the five steps as the tables of the paper, or as JSON.
//
// Idea: every relation has a heading, its size and its first rows; what is left out is counted.
// Thread safety: plain functions on plain data.
#pragma once

#include <string>
#include <vector>

#include "relational/five_steps.hpp"

namespace panoptes {

struct StepsReport {
  std::string model;
  std::string engine;
  TwoProcess protocol;
  struct Shown {
    StepRelation relation;
    std::vector<FiveSteps::NamedRow> rows;  // the first ones
  };
  std::vector<Shown> relations;
  double seconds = 0.0;

  // What is an error of the protocol; rules that are never used are none.
  bool finds_errors() const;
};

// Runs the five steps and takes up to `most_rows` rows of each relation.
DatabaseResult<StepsReport> run_steps(FiveSteps& steps, std::uint64_t most_rows);

std::string steps_text(const StepsReport& report);
std::string steps_json(const StepsReport& report);

}  // namespace panoptes
