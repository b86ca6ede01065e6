// SPDX-License-Identifier: Apache-2.0
// Trails of a model that was loaded, walked again and shortened.
#pragma once

#include <functional>
#include <optional>
#include <string>

#include "load/load.hpp"
#include "options/values.hpp"
#include "report/trail_file.hpp"

namespace panoptes {

// Whether the trails of `file` are some of this model: its rules are theirs.
bool are_trails_of(const TrailFile& file, const Loaded& loaded);

// An option that the trails of `file` were not made with as the model was loaded: "--strict", "-D";
// "" where there is none. `values`: those of the model.
std::string differing_option(const TrailFile& file, const OptionValues& values,
                             const Loaded& loaded);

// What is to be seen at the end of a trail (verdict/confirm.hpp); nothing where it cannot be
// walked, with the reason in `problem`.
std::optional<ErrorReport> replay_trail(const OptionValues& values, const Loaded& loaded,
                                        const RecordedTrail& recorded, std::string& problem);

// Leaves out of the trail of an error what it does not need, as far as nobody interrupts. REQUIRES:
// the trail is there.
void shorten_trail(const OptionValues& values, const Loaded& loaded, ErrorReport& error,
                   const std::function<bool()>& interrupted);

}  // namespace panoptes
