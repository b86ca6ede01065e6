// SPDX-License-Identifier: Apache-2.0
#include "app/memory.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "app/system.hpp"
#include "base/parse_value.hpp"
#include "options/table.hpp"
#include "report/json.hpp"

namespace panoptes {

LoadCeiling::LoadCeiling(const Arguments& arguments, std::uint64_t code_bytes,
                         std::uint64_t least) {
  if (!arguments.is_given(option::memory)) return;
  const std::uint64_t all = memory_of(arguments), resident = resident_bytes();
  const std::uint64_t taken = resident - std::min(resident, arguments.fixed_bytes);
  bytes_ = std::max(least, all - std::min(all, taken + code_bytes));
  ceiling_.emplace(*bytes_);
}

int out_of_memory(const Arguments& arguments) {
  if (!arguments.is_given(option::memory)) {
    tell("panoptes: out of memory\n");
    return ExitCode::unknown;
  }
  if (arguments.has(option::json))
    static_cast<void>(print(json_unknown(arguments.model, Stop::memory)));
  tell(fmt::format(
      "panoptes: --memory {} is too little for this model: nothing is known of it. Try twice as "
      "much.\n",
      arguments.text(option::memory)));
  return ExitCode::unknown;
}

void measure_memory(const Arguments& arguments, MemoryOptions& options) {
  options.resident = resident_bytes;
  options.give_back = give_back_memory;
  options.fixed_bytes = arguments.fixed_bytes;
}

}  // namespace panoptes
