// SPDX-License-Identifier: Apache-2.0
// How a command keeps to its memory, and how a search learns what was taken.
#pragma once

#include <cstdint>
#include <optional>

#include "api/check_model.hpp"
#include "api/memory.hpp"
#include "app/commands.hpp"
#include "app/system.hpp"

namespace panoptes {

// Keeps what is not a forward search within --memory, where that is given: compiling a model, a
// search backwards, or a command as a whole.
class LoadCeiling {
 public:
  // `code_bytes`: of code that was not needed so far, and will be; `least`: what there is in any
  // case, of which a model that is compiled cannot have less.
  explicit LoadCeiling(const Arguments& arguments, std::uint64_t code_bytes = 2u << 20,
                       std::uint64_t least = 4u << 20);

  // How much may be taken, where that is limited.
  std::optional<std::uint64_t> bytes() const { return bytes_; }

 private:
  std::optional<std::uint64_t> bytes_;
  std::optional<MemoryCeiling> ceiling_;
};

// Says that there is no more memory, and which option would help; the exit code for that.
int out_of_memory(const Arguments& arguments);

// Lets a search see what the process takes, less what it took before. REQUIRES: nobody else in the
// process takes much.
void measure_memory(const Arguments& arguments, MemoryOptions& options);

}  // namespace panoptes
