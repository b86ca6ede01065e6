// SPDX-License-Identifier: Apache-2.0
#include "api/certificates.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <set>

#include "base/version.hpp"

namespace panoptes {
namespace {

bool is_deadlock(const BackwardOutcome::Settled& settled) {
  const Target& target = settled.target;
  return target.kind == ErrorKind::deadlock && target.rule == none && !target.is_potential;
}

}  // namespace

std::optional<Certificate> certificate_of(const std::string& path, const OptionValues& values,
                                          const Loaded& loaded, const BackwardOutcome& outcome) {
  if (!outcome.invariant) return {};
  Certificate certificate;
  certificate.version = version;
  certificate.model = path;
  certificate.fingerprint = fingerprint_text(*loaded.program);
  certificate.places = places_text(*loaded.program);
  const TrailFile file = trail_file_of(path, values, loaded);
  certificate.options.assign(file.options.begin(), file.options.end());
  for (const std::string& text : file.definitions)
    certificate.options.emplace_back(option::define.name, text);
  for (const std::string& text : file.never)
    certificate.options.emplace_back(option::never.name, text);
  // Where no deadlock can be reached, that is one target, wherever everybody would be.
  const bool has_no_deadlock =
      values.texts(option::target).empty() &&
      std::all_of(outcome.targets.begin(), outcome.targets.end(),
                  [](const BackwardOutcome::Settled& settled) {
                    return !is_deadlock(settled) ||
                           settled.reachability == Reachability::unreachable;
                  });
  bool has_deadlock = false;
  for (const BackwardOutcome::Settled& settled : outcome.targets) {
    // Potential ones are fewer states than those of the deadlock there, of which a line would
    // speak.
    if (settled.reachability != Reachability::unreachable || settled.target.is_potential) continue;
    Target target = settled.target;
    if (has_no_deadlock && is_deadlock(settled)) {
      if (std::exchange(has_deadlock, true)) continue;
      target.control.clear();
    }
    certificate.targets.push_back(std::move(target));
  }
  certificate.excluded = *outcome.invariant;
  return certificate;
}

TrailFile options_of(const Certificate& certificate) {
  TrailFile file;
  file.model = certificate.model;
  for (const auto& [name, value] : certificate.options) {
    if (name == option::define.name)
      file.definitions.push_back(value);
    else if (name == option::never.name)
      file.never.push_back(value);
    else
      file.options[name] = value;
  }
  return file;
}

std::string wrong_options(const Certificate& certificate) {
  std::set<std::string> seen;
  for (const auto& [name, value] : certificate.options) {
    if (name == option::define.name || name == option::never.name) continue;
    if (!is_rule_option(name)) return fmt::format("{} is no option that a proof depends on", name);
    if (!seen.insert(name).second) return fmt::format("it has the option {} twice", name);
  }
  return {};
}

}  // namespace panoptes
