// SPDX-License-Identifier: Apache-2.0
#include "store/node_table.hpp"

#include <new>

namespace panoptes {
namespace {

constexpr std::uint32_t number_of_zero = 1;

}  // namespace

// Numbers set aside for one thread, so that threads do not wait for each other at every new word;
// what is left goes back where no other thread has taken numbers since.
class NodeTable::Range {
 public:
  explicit Range(std::atomic<std::uint64_t>& next) : next_(next) {}
  ~Range() { next_.compare_exchange_strong(end_, at_, std::memory_order_relaxed); }
  Range(const Range&) = delete;
  Range& operator=(const Range&) = delete;

  std::uint32_t take() {
    constexpr std::uint64_t at_once = 64;
    if (at_ == end_) {
      at_ = next_.fetch_add(at_once, std::memory_order_relaxed);
      end_ = at_ + at_once;
      if (end_ > UINT32_MAX) throw std::bad_alloc();
    }
    return static_cast<std::uint32_t>(at_++);
  }

 private:
  std::atomic<std::uint64_t>& next_;
  std::uint64_t at_ = 0, end_ = 0;
};

void NodeTable::number(std::span<const Word> words, std::span<std::uint32_t> numbers) {
  Range range(next_);
  lines_.visit(words, [&](std::size_t i, const LineTable<Line>::Found& found) {
    if (!found.line) {
      numbers[i] = words[i] == 0 ? number_of_zero : 0;
      return;
    }
    std::atomic_ref<std::uint32_t> number(found.line->numbers[found.place]);
    if (found.is_new) {
      numbers[i] = range.take();
      number.store(numbers[i], std::memory_order_release);
      return;
    }
    // Another thread may have claimed the place and not yet written the number.
    do numbers[i] = number.load(std::memory_order_acquire);
    while (numbers[i] == 0);
  });
}

}  // namespace panoptes
