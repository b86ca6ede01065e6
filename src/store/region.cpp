// SPDX-License-Identifier: Apache-2.0
#include "store/region.hpp"

#include <sys/mman.h>
#include <sys/resource.h>
#include <unistd.h>

#include <algorithm>
#include <cstdint>
#include <new>

namespace panoptes {
namespace {

constexpr std::size_t small_page = 4096;
constexpr std::size_t huge_page = std::size_t{2} << 20;
constexpr std::size_t least = std::size_t{1} << 20;

std::size_t round_up(std::size_t bytes, std::size_t page) {
  return (bytes + page - 1) / page * page;
}

}  // namespace

Region::Region(std::size_t most) : most_(round_up(std::max(most, least), huge_page)) {
  // One huge page more, so that the first can begin at a multiple of its size.
  const auto set_aside = [this] {
    return mmap(nullptr, most_ + huge_page, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE,
                -1, 0);
  };
  void* space = set_aside();
  for (; space == MAP_FAILED && most_ > huge_page; space = set_aside())
    most_ = round_up(most_ / 2, huge_page);
  if (space == MAP_FAILED) throw std::bad_alloc();
  auto* begin = static_cast<std::byte*>(space);
  const std::size_t before =
      (huge_page - reinterpret_cast<std::uintptr_t>(begin) % huge_page) % huge_page;
  if (before > 0) munmap(begin, before);
  if (before < huge_page) munmap(begin + before + most_, huge_page - before);
  data_ = begin + before;
}

Region::~Region() { munmap(data_, most_); }

std::size_t Region::whole_pages(std::size_t bytes) {
  return round_up(bytes, bytes <= huge_page ? small_page : huge_page);
}

void Region::grow(std::size_t bytes) {
  bytes = whole_pages(bytes);
  if (bytes <= bytes_) return;
  if (bytes > most_) throw std::bad_alloc();
  auto* begin = static_cast<std::byte*>(data_);
  if (mprotect(begin + bytes_, bytes - bytes_, PROT_READ | PROT_WRITE) != 0) throw std::bad_alloc();
  const std::size_t from = std::max(bytes_, huge_page);
  if (bytes > from) madvise(begin + from, bytes - from, MADV_HUGEPAGE);
  bytes_ = bytes;
}

void Region::forget_front(std::size_t bytes) {
  madvise(data_, bytes / huge_page * huge_page, MADV_DONTNEED);
}

void Region::forget() {
  madvise(data_, bytes_, MADV_DONTNEED);
  mprotect(data_, bytes_, PROT_NONE);
  bytes_ = 0;
}

std::size_t machine_memory() {
  const std::size_t pages = static_cast<std::size_t>(sysconf(_SC_PHYS_PAGES));
  const std::size_t memory = pages * static_cast<std::size_t>(sysconf(_SC_PAGESIZE));
  // Where addresses are few, an eighth: others need some too, and tables ask for twice that.
  rlimit addresses{};
  if (getrlimit(RLIMIT_AS, &addresses) != 0 || addresses.rlim_cur == RLIM_INFINITY) return memory;
  return std::min<std::size_t>(memory, addresses.rlim_cur / 8);
}

}  // namespace panoptes
