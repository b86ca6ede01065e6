// SPDX-License-Identifier: Apache-2.0
// Which state a full cache of states gives up for a new one: five strategies.
//
//   most       the one visited most often (a scan of the whole cache)
//   least      the one visited least often (a scan of the whole cache)
//   class      the next one, going round, of the largest class: states visited equally often
//   oldest     the next one, going round
//   subtree    the next one, going round, that was last met in the deeper half of the tree: a state
//              far down is the root of a small subtree; the deepest of all where there is none
//
// None of them ever takes a state of the current path.
// Cost: `most` and `least` look at every entry each time, the others mostly at a few.
// Source: Holzmann, Automated Protocol Validation in Argos, section V.
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <span>

namespace panoptes {

enum class Replacement : std::uint8_t { most, least, largest_class, oldest, subtree };

struct CacheEntry {
  std::uint32_t next = 0;         // in its chain of the index: number + 1 of an entry; 0 ends it
  std::uint32_t visits = 0;       // since it came into the cache
  std::uint32_t met_at = 0;       // depth of the last visit
  std::uint32_t expanded_at = 0;  // depth at which it was expanded last
  bool is_on_path = false;
};

class Replacer {
 public:
  explicit Replacer(Replacement strategy) : strategy_(strategy) {}

  // The entry may be given up from now on, or no more. Between the two its visits change only by
  // revisit().
  void release(const CacheEntry& entry) { ++class_of(entry); }
  void protect(const CacheEntry& entry) { --class_of(entry); }
  void revisit(CacheEntry& entry) {
    if (!entry.is_on_path) --class_of(entry);
    ++entry.visits;
    if (!entry.is_on_path) ++class_of(entry);
  }

  // The entry to give up; nothing where all are on the path. `deepest`: of the tree so far.
  std::optional<std::size_t> victim(std::span<const CacheEntry> entries, std::uint64_t deepest);

  std::uint64_t looked_at() const { return looked_at_; }  // entries, in all searches for victims

 private:
  static constexpr std::size_t most_classes = 256;  // states visited more often share the last one

  std::uint64_t& class_of(const CacheEntry& entry) {
    return classes_[entry.visits < most_classes ? entry.visits : most_classes - 1];
  }
  template <typename Better>
  std::optional<std::size_t> scan(std::span<const CacheEntry> entries, Better better);
  template <typename Good>
  std::optional<std::size_t> go_round(std::span<const CacheEntry> entries, Good good);

  Replacement strategy_;
  std::size_t hand_ = 0;  // where going round goes on
  std::uint64_t looked_at_ = 0;
  std::array<std::uint64_t, most_classes> classes_{};  // entries that may be given up, by visits
};

}  // namespace panoptes
