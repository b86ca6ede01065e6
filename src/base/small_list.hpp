// SPDX-License-Identifier: Apache-2.0
// A list of what is mostly few: up to `few` elements lie in the list itself, without memory of
// their own. There are hundreds of thousands of such lists in a large model.
//
// Cost: beyond that, every element that is added moves all others. Thread safety: plain data.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <initializer_list>
#include <memory>
#include <type_traits>
#include <utility>

namespace panoptes {

template <typename Element, std::size_t few>
class SmallList {
  static_assert(std::is_trivially_copyable_v<Element>);

 public:
  SmallList() = default;
  SmallList(std::initializer_list<Element> elements) { assign(elements.begin(), elements.size()); }
  SmallList(const SmallList& other) { assign(other.begin(), other.size_); }
  SmallList(SmallList&& other) noexcept { swap(other); }
  SmallList& operator=(SmallList other) noexcept {
    swap(other);
    return *this;
  }
  ~SmallList() = default;

  std::size_t size() const { return size_; }
  bool empty() const { return size_ == 0; }
  Element* begin() { return many_ ? many_.get() : few_; }
  Element* end() { return begin() + size_; }
  const Element* begin() const { return many_ ? many_.get() : few_; }
  const Element* end() const { return begin() + size_; }
  Element& operator[](std::size_t i) { return begin()[i]; }
  const Element& operator[](std::size_t i) const { return begin()[i]; }
  const Element& front() const { return *begin(); }

  void push_back(const Element& element) {
    const Element added = element;  // it may be one of them
    resize(size_ + 1);
    begin()[size_ - 1] = added;
  }
  void resize(std::size_t size) {
    SmallList other;
    if (size > few) other.many_ = std::make_unique<Element[]>(size);
    std::copy_n(begin(), std::min<std::size_t>(size_, size), other.begin());
    other.size_ = static_cast<std::uint32_t>(size);
    swap(other);
  }

 private:
  void assign(const Element* from, std::size_t size) {
    resize(size);
    std::copy_n(from, size, begin());
  }
  void swap(SmallList& other) noexcept {
    std::swap(few_, other.few_);
    std::swap(size_, other.size_);
    std::swap(many_, other.many_);
  }

  Element few_[few] = {};
  std::uint32_t size_ = 0;
  std::unique_ptr<Element[]> many_;
};

}  // namespace panoptes
