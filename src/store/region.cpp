// SPDX-License-Identifier: Apache-2.0
#include "store/region.hpp"

#include <sys/mman.h>
#include <sys/resource.h>
#include <unistd.h>

#include <algorithm>
#include <new>

#include "store/pages.hpp"

namespace panoptes {
namespace {

constexpr std::size_t small_page = 4096;
constexpr std::size_t least = std::size_t{1} << 20;
constexpr std::size_t few_huge_pages = 128;
constexpr std::size_t forgotten_at_once = std::size_t{64} << 10;

std::size_t round_up(std::size_t bytes, std::size_t page) {
  return (bytes + page - 1) / page * page;
}

}  // namespace

Region::Region(std::size_t most)
    : most_(round_up(std::max(most, least), Pages::huge)),
      page_(most_ < few_huge_pages * Pages::huge ? small_page : Pages::huge) {
  const auto set_aside = [this] {
    return map_at_huge_page(most_, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE);
  };
  data_ = set_aside();
  for (; !data_ && most_ > Pages::huge; data_ = set_aside())
    most_ = round_up(most_ / 2, Pages::huge);
  if (!data_) throw std::bad_alloc();
}

Region::~Region() { munmap(data_, most_); }

std::size_t Region::whole_pages(std::size_t bytes) const {
  return round_up(bytes, bytes <= Pages::huge ? small_page : page_);
}

void Region::grow(std::size_t bytes) {
  bytes = whole_pages(bytes);
  if (bytes <= bytes_) return;
  if (bytes > most_) throw std::bad_alloc();
  auto* begin = static_cast<std::byte*>(data_);
  if (mprotect(begin + bytes_, bytes - bytes_, PROT_READ | PROT_WRITE) != 0) throw std::bad_alloc();
  const std::size_t from = std::max(bytes_, Pages::huge);
  if (page_ == Pages::huge && bytes > from) madvise(begin + from, bytes - from, MADV_HUGEPAGE);
  bytes_ = bytes;
}

// Huge pages are split for that: until the last word of one has gone, what takes its place would be
// there beside all of it.
void Region::forget_front(std::size_t bytes) {
  const std::size_t pages = bytes / forgotten_at_once * forgotten_at_once;
  if (pages <= forgotten_) return;
  madvise(static_cast<std::byte*>(data_) + forgotten_, pages - forgotten_, MADV_DONTNEED);
  forgotten_ = pages;
}

void Region::forget() {
  madvise(data_, bytes_, MADV_DONTNEED);
  mprotect(data_, bytes_, PROT_NONE);
  bytes_ = forgotten_ = 0;
}

std::size_t address_room() {
  const std::size_t pages = static_cast<std::size_t>(sysconf(_SC_PHYS_PAGES));
  const std::size_t memory = pages * static_cast<std::size_t>(sysconf(_SC_PAGESIZE));
  rlimit addresses{};
  if (getrlimit(RLIMIT_AS, &addresses) != 0 || addresses.rlim_cur == RLIM_INFINITY) return memory;
  return std::min<std::size_t>(memory, addresses.rlim_cur / 8);
}

}  // namespace panoptes
