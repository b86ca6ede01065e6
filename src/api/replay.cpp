// SPDX-License-Identifier: Apache-2.0
#include "api/replay.hpp"

#include "api/trails.hpp"
#include "rules/fingerprint.hpp"
#include "verdict/minimise_trail.hpp"

namespace panoptes {

bool are_trails_of(const TrailFile& file, const Loaded& loaded) {
  return file.fingerprint == fingerprint(*loaded.program);
}

std::string differing_option(const TrailFile& file, const OptionValues& values,
                             const Loaded& loaded) {
  const TrailFile own = trail_file_of(file.model, values, loaded);
  const auto value_in = [](const TrailFile& of, const std::string& name) {
    const auto found = of.options.find(name);
    return found == of.options.end() ? std::string{} : found->second;
  };
  for (const auto* some : {&own.options, &file.options})
    for (const auto& [name, value] : *some)
      if (value_in(own, name) != value_in(file, name)) return "--" + name;
  if (file.never != own.never) return "--never";
  if (file.ltl != own.ltl) return "--ltl";
  return file.definitions == own.definitions ? "" : "-D";
}

std::optional<ErrorReport> replay_trail(const OptionValues& values, const Loaded& loaded,
                                        const RecordedTrail& recorded, std::string& problem) {
  return confirm(*loaded.program, recorded, strictness_of(values), loaded.sources, problem);
}

void shorten_trail(const OptionValues& values, const Loaded& loaded, ErrorReport& error,
                   const std::function<bool()>& interrupted) {
  TrailEffort effort;
  effort.interrupted = interrupted;
  minimise_trail(*loaded.program, error, values.get(option::receptions), loaded.sources, effort);
}

}  // namespace panoptes
