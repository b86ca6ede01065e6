// SPDX-License-Identifier: Apache-2.0
// The five steps of a text, as tests look at them.
#pragma once

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <map>
#include <optional>
#include <stdexcept>

#include "relate/rows.hpp"
#include "relational/steps_report.hpp"
#include "support/program.hpp"

namespace panoptes::test {

inline constexpr std::uint64_t all_rows = 1'000'000'000;

inline TwoProcess two_process_of(const Program& program) {
  auto protocol = two_process(program);
  if (!protocol) throw std::runtime_error(protocol.failure().reason);
  return std::move(*protocol);
}

inline TwoProcess two_process_of(const std::string& text, std::uint32_t capacity) {
  return two_process_of(compile(text, {.capacity = capacity, .minimise = false}).program);
}

inline StepsReport steps_of(const Program& program, const std::string& address,
                            std::uint64_t most_rows = all_rows,
                            std::optional<std::uint64_t> most_paths = {}) {
  const DatabaseAddress where = *parse_database_address(address);
  const auto database = open(address);
  const TwoProcess protocol = two_process_of(program);
  FiveSteps steps(*database, protocol, program, Dialect(where.engine));
  if (const auto done = steps.run(); !done) throw std::runtime_error(done.failure().message);
  std::optional<FaultyPaths> paths;
  if (most_paths) {
    auto found = find_faulty_paths(steps, *most_paths);
    if (!found) throw std::runtime_error(found.failure().message);
    paths = *found;
  }
  auto report = steps_report(steps, NamedSteps(*database, protocol), most_rows);
  if (!report) throw std::runtime_error(report.failure().message);
  report->paths = paths;
  return std::move(*report);
}

inline StepsReport steps_of(const std::string& text, std::uint32_t capacity,
                            const std::string& address, std::uint64_t most_rows = all_rows) {
  const Compiled compiled = compile(text, {.capacity = capacity, .minimise = false});
  return steps_of(compiled.program, address, most_rows);
}

inline const StepsReport::Shown& shown(const StepsReport& report, const std::string& table) {
  for (const StepsReport::Shown& each : report.relations)
    if (each.relation.table == table) return each;
  throw std::runtime_error("no relation " + table);
}

// Values separated by blanks; `names`: what to call a value instead.
inline Rows rows_of(const StepsReport& report, const std::string& table,
                    const std::map<std::string, std::string>& names = {}) {
  Rows rows;
  for (const NamedRow& row : shown(report, table).rows) {
    NamedRow values = row;
    for (std::string& value : values)
      if (const auto found = names.find(value); found != names.end()) value = found->second;
    rows.push_back(fmt::format("{}", fmt::join(values, " ")));
  }
  return rows;
}

}  // namespace panoptes::test
