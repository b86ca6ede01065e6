// SPDX-License-Identifier: Apache-2.0
#include "api/relate_steps.hpp"

#include <fmt/format.h>

#include "base/clock.hpp"
#include "relational/open.hpp"

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
  FiveSteps steps(database, protocol, *loaded.program, Dialect(engine));
  if (const auto done = steps.run(); !done) return done.failure();
  std::optional<FaultyPaths> paths;
  if (values.has(option::paths)) {
    auto found = find_faulty_paths(steps, *values.get(option::paths));
    if (!found) return found.failure();
    paths = *found;
  }
  NamedSteps names(database, protocol);
  auto report = steps_report(steps, names, *values.get(option::rows));
  if (!report) return report;
  report->paths = paths;
  report->seconds = steady_seconds() - start;
  report->model = path;
  report->engine = to_string(engine);
  if (!values.has(option::keep_in)) return report;
  Transaction transaction(database);
  if (!transaction.begun()) return transaction.begun().failure();
  if (const auto kept = names.keep(steps.relations(), schema_of(values, engine), path); !kept)
    return kept.failure();
  if (const auto committed = transaction.commit(); !committed) return committed.failure();
  return report;
}

}  // namespace panoptes
