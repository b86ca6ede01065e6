// SPDX-License-Identifier: Apache-2.0
#include "api/trails.hpp"

#include <algorithm>

#include "rules/fingerprint.hpp"

namespace panoptes {

std::span<const OptionName> rule_options() {
  static constexpr OptionName all[] = {
      option::timeouts,     option::capacity,    option::at_most_slots, option::overflow,
      option::receptions,   option::no_minimise, option::labels,        option::strict,
      option::ranges,       option::reach,       option::faults,        option::fair,
      option::non_progress, option::acceptance};
  return all;
}

bool is_rule_option(std::string_view name) {
  return std::ranges::find(rule_options(), name, &OptionName::text) != rule_options().end();
}

Strictness strictness_of(const OptionValues& values) {
  return {values.get(option::receptions), values.has(option::strict)};
}

ErrorRequest error_request(const OptionValues& values) {
  return {values.get(option::show).value_or(std::vector<NumberRange>{}), values.all(option::only),
          values.get(option::trails)};
}

TrailFile trail_file_of(const std::string& path, const OptionValues& values, const Loaded& loaded) {
  TrailFile file;
  file.model = path;
  file.fingerprint = fingerprint(*loaded.program);
  for (const OptionName option : rule_options())
    if (values.has(option)) file.options[std::string(option.text())] = values.text(option);
  for (const OptionName option : {OptionName(option::faults), OptionName(option::fair)})
    if (values.text(option) == row_of(option, "check").standard)
      file.options.erase(std::string(option.text()));
  file.options[std::string(option::labels.name)] = loaded.labels;
  file.definitions = values.texts(option::define);
  file.never = values.texts(option::never);
  file.ltl = values.texts(option::ltl);
  return file;
}

TrailFile trail_file_of(const std::string& path, const OptionValues& values, const Loaded& loaded,
                        const Verdict& verdict) {
  TrailFile file = trail_file_of(path, values, loaded);
  const ErrorList list(*loaded.program, verdict, error_request(values), trails_for_programs);
  for (const ListedError& listed : list.all())
    if (listed.has_trail && listed.error->gap <= TrailGap::unasked)
      file.trails.push_back(record(*listed.error));
  return file;
}

}  // namespace panoptes
