// SPDX-License-Identifier: Apache-2.0
// What every command that uses a database needs: opening it, interrupting it, saying why it failed,
// and leaving no empty file behind.
#pragma once

#include <memory>
#include <string>
#include <thread>

#include "app/commands.hpp"
#include "relational/open.hpp"

namespace panoptes {

// Opens `address` with the limits of --memory and --threads.
DatabaseResult<std::unique_ptr<Database>> open_database(const Arguments& arguments,
                                                        const DatabaseAddress& address);

// A file of DuckDB's that is not there yet, and is not there afterwards either unless it is kept:
// for what is in it, or where it could not be opened and is somebody else's. REQUIRES: it comes
// before the database and goes after it.
class NewFile {
 public:
  explicit NewFile(const DatabaseAddress& address);
  ~NewFile();
  NewFile(const NewFile&) = delete;
  NewFile& operator=(const NewFile&) = delete;

  void keep() { path_.clear(); }

 private:
  std::string path_;  // "" where there is nothing to remove
};

// Prints why, and says with which code to exit.
int fail(const DatabaseFailure& failure);

// Cancels what a database does when the user interrupts, or when --time is over, for as long as it
// lives.
class InterruptWatch {
 public:
  InterruptWatch(Database& database, const Arguments& arguments);

 private:
  std::jthread thread_;
};

}  // namespace panoptes
