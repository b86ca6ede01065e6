// SPDX-License-Identifier: Apache-2.0
// What every command that uses a database needs: opening it, interrupting it, and saying why it
// failed.
#pragma once

#include <memory>
#include <thread>

#include "app/commands.hpp"
#include "relational/open.hpp"

namespace panoptes {

// Opens `address` with the limits of --memory and --threads.
DatabaseResult<std::unique_ptr<Database>> open_database(const Arguments& arguments,
                                                        const DatabaseAddress& address);

// Prints why, and says with which code to exit.
int fail(const DatabaseFailure& failure);

// Cancels what a database does when the user interrupts, for as long as it lives.
class InterruptWatch {
 public:
  explicit InterruptWatch(Database& database);

 private:
  std::jthread thread_;
};

}  // namespace panoptes
