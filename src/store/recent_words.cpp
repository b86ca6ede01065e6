// SPDX-License-Identifier: Apache-2.0
#include "store/recent_words.hpp"

#include <atomic>

namespace panoptes {

std::uint64_t RecentWords::number_of_table() {
  static std::atomic<std::uint64_t> tables{0};
  return ++tables;
}

}  // namespace panoptes
