// SPDX-License-Identifier: Apache-2.0
#include "store/pages.hpp"

#include <sys/mman.h>
#include <unistd.h>

#include <cstdint>
#include <cstdlib>
#include <cstring>
#include <new>
#include <utility>

namespace panoptes {

// What is before the first huge page and behind the last byte goes back.
std::byte* map_at_huge_page(std::size_t bytes, int protection, int flags) {
  void* memory = mmap(nullptr, bytes + Pages::huge, protection, flags, -1, 0);
  if (memory == MAP_FAILED) return nullptr;
  auto* begin = static_cast<std::byte*>(memory);
  const std::size_t before =
      (Pages::huge - reinterpret_cast<std::uintptr_t>(begin) % Pages::huge) % Pages::huge;
  if (before > 0) munmap(begin, before);
  if (before < Pages::huge) munmap(begin + before + bytes, Pages::huge - before);
  return begin + before;
}

namespace {

// Less than this would cost more in the kernel than here.
constexpr std::size_t least_mapped = std::size_t{32} << 10;
constexpr std::size_t line = 64;

std::byte* allocate_few(std::size_t bytes) {
  void* memory = std::aligned_alloc(line, (bytes + line - 1) / line * line);
  return static_cast<std::byte*>(memory ? std::memset(memory, 0, bytes) : nullptr);
}

std::byte* map(std::size_t bytes, PageSize size) {
  if (bytes < least_mapped) return allocate_few(bytes);
  constexpr int protection = PROT_READ | PROT_WRITE, flags = MAP_PRIVATE | MAP_ANONYMOUS;
  if (bytes < Pages::huge || size == PageSize::small) {
    void* memory = mmap(nullptr, bytes, protection, flags, -1, 0);
    return memory == MAP_FAILED ? nullptr : static_cast<std::byte*>(memory);
  }
  const auto small = static_cast<std::size_t>(getpagesize());
  std::byte* memory = map_at_huge_page((bytes + small - 1) / small * small, protection, flags);
  if (memory) madvise(memory, bytes, MADV_HUGEPAGE);
  return memory;
}

}  // namespace

Pages::Pages(std::size_t bytes, PageSize size) : bytes_(bytes) {
  if (bytes == 0) return;
  // Nothing that large can be mapped, and the sums above must not overflow.
  if (bytes > PTRDIFF_MAX) throw std::bad_alloc();
  std::byte* memory = map(bytes, size);
  if (!memory) throw std::bad_alloc();
  words_ = reinterpret_cast<Word*>(memory);
}

Pages::~Pages() {
  if (bytes_ < least_mapped)
    std::free(words_);
  else
    munmap(words_, bytes_);
}

Pages::Pages(Pages&& other) noexcept
    : words_(std::exchange(other.words_, nullptr)), bytes_(std::exchange(other.bytes_, 0)) {}

Pages& Pages::operator=(Pages&& other) noexcept {
  std::swap(words_, other.words_);
  std::swap(bytes_, other.bytes_);
  return *this;
}

}  // namespace panoptes
