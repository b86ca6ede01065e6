// SPDX-License-Identifier: Apache-2.0
// The five steps of a text, as tests look at them: in the database at an address, or, where that is
// `hypercube:N`, on a hypercube of N threads, which has no way back.
#pragma once

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <map>
#include <optional>
#include <stdexcept>
#include <string_view>
#include <thread>

#include "hypercube/cube_engine.hpp"
#include "relate/rows.hpp"
#include "relational/steps_report.hpp"
#include "support/program.hpp"
#include "transport/thread_transport.hpp"

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

inline constexpr std::string_view cube_address = "hypercube:";

// The same on a hypercube whose nodes are threads; `nodes` of them.
inline StepsReport steps_on_cube(const Program& program, unsigned nodes, std::uint64_t most_rows) {
  const auto transports = thread_transports(nodes);
  const TwoProcess protocol = two_process_of(program);
  std::vector<std::optional<StepsReport>> reports(nodes);
  std::vector<std::string> failures(nodes);
  const auto run = [&](unsigned node) {
    Cube cube(*transports[node]);
    CubeEngine engine(cube);
    FiveSteps steps(engine, protocol, program, Dialect(Engine::duckdb));
    if (const auto done = steps.run(); !done) {
      failures[node] = done.failure().message;
      return;
    }
    auto report = steps_report(steps, most_rows);
    if (report)
      reports[node] = std::move(*report);
    else
      failures[node] = report.failure().message;
  };
  std::vector<std::thread> threads;
  for (unsigned node = 0; node < nodes; ++node) threads.emplace_back(run, node);
  for (std::thread& thread : threads) thread.join();
  for (unsigned node = 0; node < nodes; ++node) {
    if (!reports[node]) throw std::runtime_error(failures[node]);
    for (std::size_t i = 0; i < reports[0]->relations.size(); ++i)
      if (reports[node]->relations[i].relation.rows != reports[0]->relations[i].relation.rows)
        throw std::runtime_error("nodes differ in the size of a relation");
  }
  return std::move(*reports[0]);
}

inline StepsReport steps_of(const Program& program, const std::string& address,
                            std::uint64_t most_rows = all_rows,
                            std::optional<std::uint64_t> most_paths = {}) {
  if (address.starts_with(cube_address))
    return steps_on_cube(
        program, static_cast<unsigned>(std::stoul(address.substr(cube_address.size()))), most_rows);
  const DatabaseAddress where = *parse_database_address(address);
  const auto database = open(address);
  const TwoProcess protocol = two_process_of(program);
  SqlEngine engine(*database);
  FiveSteps steps(engine, protocol, program, Dialect(where.engine));
  if (const auto done = steps.run(); !done) throw std::runtime_error(done.failure().message);
  std::optional<FaultyPaths> paths;
  if (most_paths) {
    auto found = find_faulty_paths(steps, *database, *most_paths);
    if (!found) throw std::runtime_error(found.failure().message);
    paths = *found;
  }
  auto report = steps_report(steps, most_rows);
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
