// SPDX-License-Identifier: Apache-2.0
// A vector whose new elements are left as they are: it is filled by code that writes every element
// anyway, and clearing it first would cost as much as the writing.
#pragma once

#include <memory>
#include <type_traits>
#include <utility>
#include <vector>

namespace panoptes {

template <typename T>
struct UninitializedAllocator : std::allocator<T> {
  static_assert(std::is_trivially_default_constructible_v<T>);
  template <typename U>
  struct rebind {
    using other = UninitializedAllocator<U>;
  };
  template <typename U>
  void construct(U* at) noexcept {
    ::new (static_cast<void*>(at)) U;
  }
  template <typename U, typename... Arguments>
  void construct(U* at, Arguments&&... arguments) {
    ::new (static_cast<void*>(at)) U(std::forward<Arguments>(arguments)...);
  }
};

template <typename T>
using Buffer = std::vector<T, UninitializedAllocator<T>>;

}  // namespace panoptes
