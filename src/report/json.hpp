// SPDX-License-Identifier: Apache-2.0
// A verdict for machines: one JSON object, the fields of which are a contract (docs/reports.md).
#pragma once

#include <map>
#include <optional>
#include <string>
#include <string_view>

#include "base/diagnostic.hpp"
#include "report/sink.hpp"
#include "report/text.hpp"

namespace panoptes {

// The word for what a step does: `send`, `receive`, `timeout`, `assert` or `internal`.
std::string_view step_kind(ActionKind kind);

// `options`: every option that took part, by name, as text.
// False where `sink` does not take all of it.
bool json_report(const Program& program, const Verdict& verdict, const SourceSet& sources,
                 const Diagnostics& diagnostics, const std::map<std::string, std::string>& options,
                 const RunFacts& facts, const Sink& sink);

// One run of a protocol: a trail that was replayed, or a simulation.
struct RunReport {
  std::string model;
  std::map<std::string, std::string> options;
  std::string end;                   // why it ended, in a word
  std::optional<ErrorReport> error;  // the one it ended with
  Trail trail;
  bool show_states = false;  // at each step
};
bool json_run(const Program& program, const RunReport& run, const SourceSet& sources,
              const Sink& sink);

// The same for a run that ended before anything was known.
std::string json_unknown(const std::string& model, Stop stop);

// The same for a model that could not be checked: the diagnostics alone.
std::string json_input_error(const std::string& model, const SourceSet& sources,
                             const Diagnostics& diagnostics);

}  // namespace panoptes
