// SPDX-License-Identifier: Apache-2.0
// What every command that uses a database needs: opening it, interrupting it, saying why it failed,
// and leaving no empty file behind.
#pragma once

#include <memory>
#include <optional>
#include <string>
#include <thread>
#include <vector>

#include "api/relational_verdict.hpp"
#include "app/commands.hpp"
#include "app/memory.hpp"

namespace panoptes {

// What DuckDB takes in any case, most of it for code, and the least --memory it is of use with.
constexpr std::uint64_t duckdb_own_bytes = 48u << 20, least_duckdb_memory = 64u << 20;

// Why --memory is too little for the database, and what would do; "" where it is not.
std::string too_little_memory(const Arguments& arguments);

// One of so many equal parts of what is left beside DuckDB, but never so little that it cannot
// work.
std::uint64_t part_beside_duckdb(std::uint64_t memory_bytes, unsigned parts);

// What a database may take: so much memory, and the threads of --threads.
DatabaseLimits limits_of(const Arguments& arguments, std::uint64_t memory_bytes);

// Opens `address` with the limits of --memory and --threads.
DatabaseResult<std::unique_ptr<Database>> open_database(const Arguments& arguments,
                                                        const DatabaseAddress& address);

// A file of DuckDB's that is not there yet, and is not there afterwards either unless it is kept:
// for what is in it, or where it could not be opened and is somebody else's. That is so where
// --time ends the process, too. REQUIRES: it comes before the database and goes after it.
class NewFile {
 public:
  explicit NewFile(const DatabaseAddress& address);
  ~NewFile();
  NewFile(const NewFile&) = delete;
  NewFile& operator=(const NewFile&) = delete;

  void keep();

 private:
  std::vector<std::string> files() const;  // with what DuckDB puts beside it while it is open

  std::string path_;  // "" where there is nothing to remove
};

// Prints why, and says with which code to exit.
int fail(const DatabaseFailure& failure);

// Keeps a command whose database is in this process within --memory, where that is given: DuckDB's
// own limit is one of its buffers, not of what it reads, plans and sorts with. REQUIRES: the
// database is open, and every thread there.
class DatabaseCeiling {
 public:
  DatabaseCeiling(const Arguments& arguments, Engine engine);

 private:
  std::optional<LoadCeiling> ceiling_;
};

// Cancels what a database does when the user interrupts, or when --time is over, for as long as it
// lives.
class InterruptWatch {
 public:
  InterruptWatch(Database& database, const Arguments& arguments);

 private:
  std::jthread thread_;
};

}  // namespace panoptes
