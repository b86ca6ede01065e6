// SPDX-License-Identifier: Apache-2.0
#include "app/database.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <condition_variable>
#include <cstdio>
#include <filesystem>
#include <mutex>

#include "app/system.hpp"
#include "app/time_limit.hpp"
#include "base/parse_value.hpp"
#include "options/table.hpp"

namespace panoptes {

std::string too_little_memory(const Arguments& arguments) {
  const auto memory = arguments.get(option::memory);
  const auto address = arguments.get(option::db);
  if (!memory || *memory >= least_duckdb_memory || !address || address->engine != Engine::duckdb ||
      (arguments.command() == "relate" && arguments.get(option::on) == RelateOn::hypercube))
    return {};
  return fmt::format(
      "--memory {} is too little: DuckDB takes {}M for itself; --memory {}M would do",
      arguments.text(option::memory), duckdb_own_bytes >> 20, least_duckdb_memory >> 20);
}

std::uint64_t part_beside_duckdb(std::uint64_t memory_bytes, unsigned parts) {
  constexpr std::uint64_t least = 16u << 20;
  return std::max(least, (memory_bytes - std::min(memory_bytes, duckdb_own_bytes)) / parts);
}

DatabaseResult<std::unique_ptr<Database>> open_database(const Arguments& arguments,
                                                        const DatabaseAddress& address) {
  // DuckDB's limit is one of its buffers: beside them it needs as much again, and its code; and the
  // rows that come back are ours.
  std::uint64_t memory_bytes = arguments.get(option::memory).value_or(0);
  if (memory_bytes > 0 && address.engine == Engine::duckdb)
    memory_bytes = part_beside_duckdb(memory_bytes, 2);
  return open_database(address, limits_of(arguments, memory_bytes));
}

// A thread of DuckDB's that begins where there is no memory left does not end well, so a ceiling is
// for one alone.
DatabaseLimits limits_of(const Arguments& arguments, std::uint64_t memory_bytes) {
  const unsigned standard = arguments.is_given(option::memory) ? 1 : 0;
  const auto threads = arguments.get(option::threads).value_or(standard);
  return {memory_bytes, static_cast<unsigned>(threads)};
}

NewFile::NewFile(const DatabaseAddress& address) {
  if (address.engine != Engine::duckdb || address.where.empty()) return;
  // Only what surely is not there; a link to nowhere is something.
  std::error_code ignored;
  if (std::filesystem::symlink_status(address.where, ignored).type() ==
      std::filesystem::file_type::not_found)
    path_ = address.where;
  for (const std::string& path : files()) remove_at_the_end(path);
}

std::vector<std::string> NewFile::files() const {
  if (path_.empty()) return {};
  return {path_, path_ + ".wal"};
}

void NewFile::keep() {
  for (const std::string& path : files()) leave_at_the_end(path);
  path_.clear();
}

NewFile::~NewFile() {
  std::error_code ignored;
  for (const std::string& path : files()) std::filesystem::remove(path, ignored);
  keep();
}

int fail(const DatabaseFailure& failure) {
  if (failure.kind == DatabaseFailure::Kind::interrupted) {
    tell(fmt::format("panoptes: {}; `panoptes check` keeps what it has found so far\n",
                     interrupted() ? "interrupted" : "--time is over"));
    return ExitCode::unknown;
  }
  if (failure.kind == DatabaseFailure::Kind::memory) {
    tell(
        "panoptes: the database ran out of memory; try a larger --memory, or `panoptes check`, "
        "which needs less\n");
    return ExitCode::unknown;
  }
  tell(fmt::format("panoptes: {}\n", failure.message));
  return failure.kind == DatabaseFailure::Kind::statement ? ExitCode::internal_failure
                                                          : ExitCode::bad_input;
}

DatabaseCeiling::DatabaseCeiling(const Arguments& arguments, Engine engine) {
  constexpr std::uint64_t code_bytes = 6u << 20;  // of DuckDB's, to plan and to run a statement
  if (engine == Engine::duckdb) ceiling_.emplace(arguments, code_bytes);
}

InterruptWatch::InterruptWatch(Database& database, const Arguments& arguments)
    : thread_([&database, deadline = command_deadline(arguments)](const std::stop_token& stop) {
        std::mutex mutex;
        std::condition_variable_any never;
        std::unique_lock lock(mutex);
        // Again and again: a call that begins after the first is to end, too.
        while (!stop.stop_requested()) {
          if (interrupted() || deadline.has_passed()) database.cancel();
          never.wait_for(lock, stop, std::chrono::milliseconds(50), [] { return false; });
        }
      }) {}

}  // namespace panoptes
