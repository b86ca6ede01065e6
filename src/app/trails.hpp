// SPDX-License-Identifier: Apache-2.0
// Trail files and the options that decide what they mean.
#pragma once

#include <string>

#include "api/trails.hpp"
#include "app/commands.hpp"
#include "app/output.hpp"
#include "report/trail_file.hpp"

namespace panoptes {

// A word as a shell takes it, in quotes where it needs them.
std::string as_word(const std::string& word);

// What is wrong with the name of a trail file to be written; "" where nothing is.
std::string wrong_trail_name(const std::string& path);

// Writes the file, whole or not at all. REQUIRES: `output` is open.
bool write_trails(const TrailFile& file, const Program& program, const SourceSet& sources,
                  Output& output);

// The file `path`. What is wrong with it goes to `problem`.
std::optional<TrailFile> read_trails(const std::string& path, std::string& problem);

// Gives `arguments` the options the trails were made with. What the user has given himself must be
// among them: else says what is not, as in "made with --capacity 3, not with --capacity 2".
std::string adopt_options(const TrailFile& file, Arguments& arguments);

// The command that replays with the options of the file.
std::string fitting_command(const TrailFile& file, const Arguments& arguments);

// Says why the trails of `file` are none of this model; "" where they are.
std::string other_model(const TrailFile& file, const Arguments& arguments, const Loaded& loaded);

}  // namespace panoptes
