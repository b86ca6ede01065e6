// SPDX-License-Identifier: Apache-2.0
// Trails in a file: JSON, the fields of which are a contract (docs/simulation.md).
//
// A file has what it takes to walk its trails again: the model it is of, the options that decide
// what the rules are and what counts as an error, the fingerprint of those rules, and of every
// trail the numbers of its rules and kind, process and message of its error. What else stands there
// is for people.
#pragma once

#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.hpp"
#include "report/sink.hpp"
#include "verdict/confirm.hpp"

namespace panoptes {

struct TrailFile {
  std::string model;                           // its path, as it was given
  std::uint64_t fingerprint = 0;               // of its rules
  std::map<std::string, std::string> options;  // by name; switches that are on have the value "on"
  std::vector<std::string> definitions;        // of -D
  std::vector<std::string> never = {};         // of --never
  std::vector<std::string> ltl = {};           // of --ltl
  std::vector<RecordedTrail> trails;
};

// What a check, a simulation or a session has found, as a file keeps it; a run without an error has
// no description.
RecordedTrail record(const ErrorReport& error);

// False where `sink` does not take all of it.
bool write_trail_file(const TrailFile& file, const Program& program, const SourceSet& sources,
                      const Sink& sink);

// A file may be anything; the failure says which field is wrong, and how. A file that can be read
// may still be of another protocol.
Result<TrailFile, std::string> read_trail_file(std::string_view text);

}  // namespace panoptes
