// SPDX-License-Identifier: Apache-2.0
// Zeroed memory that grows where it is, in huge pages: a table that is looked up at random needs
// more time without them.
//
// Idea: address space is set aside for the most it may ever become; pages are given out as it
// grows. The first two megabytes are in small pages, so that a small table costs little; so is all
// of a region that cannot have many huge ones, where every byte counts.
// How it can be wrong: not at all; throws std::bad_alloc where there is no memory.
#pragma once

#include <cstddef>

namespace panoptes {

class Region {
 public:
  // Empty; may grow to `most` bytes, or to less where the process may not have that many addresses.
  explicit Region(std::size_t most);
  ~Region();
  Region(const Region&) = delete;
  Region& operator=(const Region&) = delete;

  // What room for `bytes` takes.
  std::size_t whole_pages(std::size_t bytes) const;

  // Makes room for `bytes`; what was there stays there.
  void grow(std::size_t bytes);

  // Gives the pages of the first `bytes` back, several at once; they read as zero then.
  void forget_front(std::size_t bytes);
  // Gives all of them back; it is empty then.
  void forget();

  void* data() const { return data_; }
  std::size_t bytes() const { return bytes_; }  // of the pages it has

 private:
  void* data_ = nullptr;
  std::size_t most_;  // bytes set aside from data_ on
  std::size_t bytes_ = 0;
  std::size_t forgotten_ = 0;  // of them, at the front
  std::size_t page_;           // of what is behind the first two megabytes
};

// How many bytes a table should be ready to become: as many as the machine has, and an eighth of
// its addresses where the process has few, since others need some too.
std::size_t address_room();

}  // namespace panoptes
