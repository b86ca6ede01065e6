// SPDX-License-Identifier: Apache-2.0
#include "store/pages.hpp"

#include <sys/mman.h>
#include <unistd.h>

#include <cstdint>
#include <new>
#include <utility>

namespace panoptes {
namespace {

std::size_t rounded_up(std::size_t bytes, std::size_t to) { return (bytes + to - 1) / to * to; }

std::byte* map(std::size_t bytes) {
  void* memory = mmap(nullptr, bytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  if (memory == MAP_FAILED) throw std::bad_alloc();
  return static_cast<std::byte*>(memory);
}

// What is before the first huge page and behind the last byte goes back.
std::byte* map_for_huge_pages(std::size_t bytes, std::size_t small) {
  const std::size_t kept = rounded_up(bytes, small);
  std::byte* begin = map(kept + Pages::huge);
  const std::size_t before =
      (Pages::huge - reinterpret_cast<std::uintptr_t>(begin) % Pages::huge) % Pages::huge;
  if (before > 0) munmap(begin, before);
  if (before < Pages::huge) munmap(begin + before + kept, Pages::huge - before);
  madvise(begin + before, kept, MADV_HUGEPAGE);
  return begin + before;
}

}  // namespace

Pages::Pages(std::size_t bytes) : bytes_(bytes) {
  if (bytes == 0) return;
  // Nothing that large can be mapped, and the sums above must not overflow.
  if (bytes > PTRDIFF_MAX) throw std::bad_alloc();
  std::byte* memory = bytes < huge
                          ? map(bytes)
                          : map_for_huge_pages(bytes, static_cast<std::size_t>(getpagesize()));
  words_ = reinterpret_cast<Word*>(memory);
}

Pages::~Pages() {
  if (words_) munmap(words_, bytes_);
}

Pages::Pages(Pages&& other) noexcept
    : words_(std::exchange(other.words_, nullptr)), bytes_(std::exchange(other.bytes_, 0)) {}

Pages& Pages::operator=(Pages&& other) noexcept {
  std::swap(words_, other.words_);
  std::swap(bytes_, other.bytes_);
  return *this;
}

}  // namespace panoptes
