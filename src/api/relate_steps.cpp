// SPDX-License-Identifier: Apache-2.0
#include "api/relate_steps.hpp"

#include <fmt/format.h>

#include <array>

#include "base/clock.hpp"
#include "hypercube/cube_engine.hpp"
#include "relational/open.hpp"
#include "rules/fingerprint.hpp"
#include "transport/open.hpp"
#include "transport/thread_transport.hpp"

namespace panoptes {
namespace {

// The schema that keeps the relations: the standard one of a file, or one of a server's.
std::string schema_of(const OptionValues& values, Engine engine) {
  return engine == Engine::duckdb ? "main" : values.get(option::keep_in);
}

}  // namespace

std::optional<TwoProcess> two_process_of(Loaded& loaded) {
  auto protocol = two_process(*loaded.program);
  if (protocol) return std::move(*protocol);
  loaded.diagnostics.error(
      protocol.failure().place,
      fmt::format("--steps is for two processes with one channel each way, empty at first; {}",
                  protocol.failure().reason),
      "`panoptes relate` without --steps and `panoptes check` take any protocol");
  return {};
}

DatabaseResult<StepsReport> run_five_steps(const std::string& path, const OptionValues& values,
                                           const Loaded& loaded, const TwoProcess& protocol,
                                           Database& database, Engine engine) {
  const double start = steady_seconds();
  SqlEngine tables(database);
  FiveSteps steps(tables, protocol, *loaded.program, Dialect(engine));
  if (const auto done = steps.run(); !done) return done.failure();
  std::optional<FaultyPaths> paths;
  if (values.has(option::paths)) {
    auto found = find_faulty_paths(steps, database, *values.get(option::paths));
    if (!found) return found.failure();
    paths = *found;
  }
  auto report = steps_report(steps, *values.get(option::rows));
  if (!report) return report;
  report->paths = paths;
  report->seconds = steady_seconds() - start;
  report->model = path;
  report->engine = to_string(engine);
  if (!values.has(option::keep_in)) return report;
  Transaction transaction(database);
  if (!transaction.begun()) return transaction.begun().failure();
  if (const auto kept =
          NamedSteps(protocol).keep(database, steps.relations(), schema_of(values, engine), path);
      !kept)
    return kept.failure();
  if (const auto committed = transaction.commit(); !committed) return committed.failure();
  return report;
}

bool is_first_rank() { return launched().value_or(Launched{}).rank == 0; }

Result<std::unique_ptr<Transport>, std::string> open_cube() {
  const unsigned ranks = launched().value_or(Launched{}).ranks;
  if (!Cube::is_cube(ranks))
    return fmt::format(
        "a hypercube has 1, 2, 4, 8 or another power of two of nodes, and mpirun has started {}",
        ranks);
  if (ranks > 1) return open_transport();
  return std::move(thread_transports(1)[0]);
}

// A sum of equal numbers is a multiple of each, modulo 2^64.
bool all_have(Transport& ranks, const Loaded& loaded, bool fits) {
  const std::uint64_t mine = fits ? fingerprint(*loaded.program) : 0;
  std::array<std::uint64_t, 2> sums = {mine, fits ? 0u : 1u};
  return ranks.all_sum(sums) && sums[0] == mine * ranks.ranks() && sums[1] == 0;
}

// Procedures are written as DuckDB has them, which is what CubeEngine reads.
DatabaseResult<StepsReport> run_five_steps(const std::string& path, const OptionValues& values,
                                           const Loaded& loaded, const TwoProcess& protocol,
                                           Transport& ranks, const std::function<bool()>& is_over) {
  const double start = steady_seconds();
  Cube cube(ranks);
  CubeEngine tables(cube, is_over);
  FiveSteps steps(tables, protocol, *loaded.program, Dialect(Engine::duckdb));
  if (const auto done = steps.run(); !done) return done.failure();
  auto report = steps_report(steps, *values.get(option::rows));
  if (!report) return report;
  report->seconds = steady_seconds() - start;
  report->model = path;
  report->engine = "hypercube";
  report->nodes = cube.nodes();
  return report;
}

}  // namespace panoptes
