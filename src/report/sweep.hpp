// SPDX-License-Identifier: Apache-2.0
// A sweep for people and for machines. The fields of JSON and the columns of CSV are a contract
// (docs/sweep.md).
#pragma once

#include <map>
#include <string>

#include "report/sink.hpp"
#include "report/sweep_table.hpp"
#include "report/text_style.hpp"

namespace panoptes {

// What the table does not know about the sweep.
struct SweepFacts {
  std::map<std::string, std::string> options;  // those that took part, by name, as text
  std::string command;  // that shows the first of the smallest errors; "" where there is none
  bool show_statistics = false;
  TextStyle style;
};

// The table and what follows from it. False where `sink` does not take all of it; so too below.
bool sweep_text(const SweepTable& table, const SweepFacts& facts, const Sink& sink);

bool sweep_json(const SweepTable& table, const SweepFacts& facts, const Sink& sink);

// As RFC 4180 has it, a row for each combination: what is not known, or not defined, is nothing,
// and the empty text is in quotes.
bool sweep_csv(const SweepTable& table, const Sink& sink);

// States against the first parameter whose values are all numbers, or the first one; a line for
// each combination of the others.
bool sweep_plot(const SweepTable& table, const Sink& sink);

}  // namespace panoptes
