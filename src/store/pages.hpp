// SPDX-License-Identifier: Apache-2.0
// Zeroed memory for tables that may be large and are read at random: straight from the kernel, but
// for a few bytes.
//
// Idea: from 2 MiB on it begins at a multiple of 2 MiB and asks for huge pages, so that a random
// access costs one cache miss and not a walk through page tables as well. Nothing is resident
// before it is touched, and nothing behind the end is: a rest that does not fill a huge page is
// made of small ones.
// Cost: the bytes asked for, rounded up to a small page.
//
// Thread safety: none needed; it changes only when it is made, moved or destroyed.
#pragma once

#include <cstddef>
#include <cstdint>

#include "base/batch.hpp"

namespace panoptes {

// Addresses from a multiple of 2 MiB on, as mmap gives them with this protection and these flags;
// nullptr where it gives none. `bytes` is a multiple of the small page.
std::byte* map_at_huge_page(std::size_t bytes, int protection, int flags);

enum class PageSize : std::uint8_t { small, huge };  // where there are huge ones, and room for them

class Pages {
 public:
  static constexpr std::size_t huge = std::size_t{2} << 20;

  Pages() = default;
  // Throws std::bad_alloc where the kernel has no room.
  explicit Pages(std::size_t bytes, PageSize size = PageSize::huge);
  ~Pages();
  Pages(Pages&& other) noexcept;
  Pages& operator=(Pages&& other) noexcept;

  Word* words() const { return words_; }
  std::size_t bytes() const { return bytes_; }

 private:
  Word* words_ = nullptr;
  std::size_t bytes_ = 0;
};

}  // namespace panoptes
