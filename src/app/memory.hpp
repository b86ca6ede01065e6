// SPDX-License-Identifier: Apache-2.0
// What a search may take of the machine's memory, and how it learns what it has taken.
#pragma once

#include <cstdint>
#include <optional>

#include "app/commands.hpp"
#include "app/system.hpp"
#include "search/explore.hpp"

namespace panoptes {

// That of --memory; three quarters of the machine's where it is not given.
std::uint64_t memory_of(const Arguments& arguments);

// Keeps what is not a search within --memory, where that is given: compiling a model, or a command
// as a whole.
class LoadCeiling {
 public:
  // `code_bytes`: of code that was not needed so far, and will be.
  explicit LoadCeiling(const Arguments& arguments, std::uint64_t code_bytes = 2u << 20);

 private:
  std::optional<MemoryCeiling> ceiling_;
};

// Says that there is no more memory, and which option would help; the exit code for that.
int out_of_memory(const Arguments& arguments);

// Lets a search see what the process takes, less what it took before. REQUIRES: nobody else in the
// process takes much.
void measure_memory(const Arguments& arguments, MemoryOptions& options);

}  // namespace panoptes
