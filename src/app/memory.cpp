// SPDX-License-Identifier: Apache-2.0
#include "app/memory.hpp"

#include "app/system.hpp"
#include "base/options.hpp"

namespace panoptes {

std::uint64_t memory_of(const Arguments& arguments) {
  return parse_size(arguments.get("memory")).value_or(available_memory_bytes() / 4 * 3);
}

void measure_memory(const Arguments& arguments, ExploreOptions& options) {
  options.resident = resident_bytes;
  options.give_back = give_back_memory;
  options.fixed_bytes = arguments.fixed_bytes;
}

}  // namespace panoptes
