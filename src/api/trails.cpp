// SPDX-License-Identifier: Apache-2.0
#include "api/trails.hpp"

#include <algorithm>

#include "rules/fingerprint.hpp"

namespace panoptes {

std::span<const char* const> rule_options() {
  static constexpr const char* names[] = {"timeouts",   "capacity",    "at-most-slots", "overflow",
                                          "receptions", "no-minimise", "labels",        "strict"};
  return names;
}

bool is_rule_option(std::string_view name) {
  return std::ranges::find(rule_options(), name) != rule_options().end();
}

Strictness strictness_of(const Arguments& arguments) {
  return {receptions_of(arguments), arguments.has("strict")};
}

TrailFile trail_file_of(const Arguments& arguments, const Program& program,
                        const std::string& labels) {
  TrailFile file;
  file.model = arguments.model;
  file.fingerprint = fingerprint(program);
  for (const char* name : rule_options())
    if (arguments.has(name)) file.options[name] = arguments.get(name);
  file.options["labels"] = labels;
  file.definitions = arguments.all("D");
  return file;
}

TrailFile trail_file_of(const Arguments& arguments, const Loaded& loaded, const Verdict& verdict) {
  TrailFile file = trail_file_of(arguments, *loaded.program, loaded.labels);
  for (const auto* list : {&verdict.errors, &verdict.warnings})
    for (const ErrorReport& error : *list)
      if (error.gap == TrailGap::no_gap) file.trails.push_back(record(error));
  return file;
}

}  // namespace panoptes
