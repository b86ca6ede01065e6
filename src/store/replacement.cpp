// SPDX-License-Identifier: Apache-2.0
#include "store/replacement.hpp"

#include <algorithm>

namespace panoptes {

// The best entry of all.
template <typename Better>
std::optional<std::size_t> Replacer::scan(std::span<const CacheEntry> entries, Better better) {
  std::optional<std::size_t> best;
  for (std::size_t i = 0; i < entries.size(); ++i)
    if (!entries[i].is_on_path && (!best || better(entries[i], entries[*best]))) best = i;
  looked_at_ += entries.size();
  return best;
}

// The next good entry behind the last one that was taken.
template <typename Good>
std::optional<std::size_t> Replacer::go_round(std::span<const CacheEntry> entries, Good good) {
  for (std::size_t looks = 0; looks < entries.size(); ++looks) {
    const std::size_t i = hand_ < entries.size() ? hand_ : 0;
    hand_ = i + 1;
    ++looked_at_;
    if (!entries[i].is_on_path && good(entries[i])) return i;
  }
  return {};
}

std::optional<std::size_t> Replacer::victim(std::span<const CacheEntry> entries,
                                            std::uint64_t deepest) {
  const auto deeper = [](const CacheEntry& a, const CacheEntry& b) { return a.met_at > b.met_at; };
  switch (strategy_) {
    case Replacement::most:
      return scan(entries, [](const auto& a, const auto& b) { return a.visits > b.visits; });
    case Replacement::least:
      return scan(entries, [](const auto& a, const auto& b) { return a.visits < b.visits; });
    case Replacement::largest_class: {
      const auto largest = std::ranges::max_element(classes_);
      if (*largest == 0) return {};
      return go_round(entries, [&](const auto& entry) { return &class_of(entry) == &*largest; });
    }
    case Replacement::oldest: return go_round(entries, [](const auto&) { return true; });
    case Replacement::subtree: {
      const auto found =
          go_round(entries, [&](const auto& entry) { return entry.met_at * 2ull >= deepest; });
      return found ? found : scan(entries, deeper);
    }
  }
  return {};
}

}  // namespace panoptes
