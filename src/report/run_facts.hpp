// SPDX-License-Identifier: Apache-2.0
// What a report for people is told beside the verdict.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "base/deadline.hpp"
#include "report/error_list.hpp"
#include "report/text_style.hpp"

namespace panoptes {

// How a trail is shown: the columns of messages, or a sequence chart of some kind.
enum class ChartKind : std::uint8_t { columns, text, full, mermaid, plantuml };

// What the verdict does not know about the run.
struct RunFacts {
  std::string model;
  std::uint64_t fixed_bytes = 0;   // resident before the model was loaded
  std::uint64_t memory_bytes = 0;  // resident at the peak, less fixed_bytes
  bool show_steps = false;
  bool show_states = false;  // at each step, wherever steps are
  ChartKind chart = ChartKind::columns;
  TextStyle style;
  bool show_statistics = false;
  ErrorRequest request;               // whose trails are shown
  Deadline deadline;                  // for trails: what is not written then is left out
  std::string confirmation;           // what a search in the other direction says
  std::vector<std::string> remedies;  // of a memory limit: what would take the search further
};

}  // namespace panoptes
