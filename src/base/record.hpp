// SPDX-License-Identifier: Apache-2.0
// Numbers, texts and lists one behind the other as bytes, to be read back in the same order.
//
// A part of a search that has a state of its own writes it so, and reads it so when the search goes
// on another day. There are no names and no types in it: who reads must know what was written, and
// a version beside the record says so. Every number takes eight bytes, as the machine has them.
//
// How it can be wrong: a reader that comes to the end too early, or to a length that there is no
// room for, is broken from then on: it gives zeros and empty lists, so loops end, and says so.
#pragma once

#include <bit>
#include <concepts>
#include <cstdint>
#include <cstring>
#include <string>
#include <string_view>
#include <type_traits>

namespace panoptes {

class RecordWriter {
 public:
  template <typename Number>
  requires(std::integral<Number> || std::is_enum_v<Number>) void number(Number value) {
    put(static_cast<std::uint64_t>(value));
  }
  void real(double value) { put(std::bit_cast<std::uint64_t>(value)); }
  void text(std::string_view value) {
    number(value.size());
    bytes_ += value;
  }
  // A list, its elements by each(element).
  template <typename List, typename Each>
  void list(const List& values, Each each) {
    number(values.size());
    for (const auto& value : values) each(value);
  }
  template <typename List>
  void numbers(const List& values) {
    list(values, [this](const auto& value) { this->number(value); });
  }

  const std::string& bytes() const { return bytes_; }

 private:
  void put(std::uint64_t value) {
    bytes_.append(reinterpret_cast<const char*>(&value), sizeof value);
  }

  std::string bytes_;
};

class RecordReader {
 public:
  // `bytes` outlive the reader.
  explicit RecordReader(std::string_view bytes) : bytes_(bytes) {}

  template <typename Number = std::uint64_t>
  Number number() {
    std::uint64_t value = 0;
    if (bytes_.size() < sizeof value) break_off();
    if (is_broken_) return Number{};
    std::memcpy(&value, bytes_.data(), sizeof value);
    bytes_.remove_prefix(sizeof value);
    return static_cast<Number>(value);
  }
  double real() { return std::bit_cast<double>(number()); }
  std::string_view text() {
    const auto size = number();
    if (size > bytes_.size()) break_off();
    if (is_broken_) return {};
    const std::string_view value = bytes_.substr(0, size);
    bytes_.remove_prefix(size);
    return value;
  }
  // How many elements follow; no more than can be there, each of at least one number.
  std::size_t length() {
    const auto size = number();
    if (size > bytes_.size() / sizeof(std::uint64_t)) break_off();
    return is_broken_ ? 0 : size;
  }
  template <typename List>
  void numbers(List& values) {
    values.resize(length());
    for (auto& value : values) value = number<std::remove_reference_t<decltype(value)>>();
  }

  bool is_broken() const { return is_broken_; }
  // All of it was read, and there was enough.
  bool is_done() const { return !is_broken_ && bytes_.empty(); }

 private:
  void break_off() {
    is_broken_ = true;
    bytes_ = {};
  }

  std::string_view bytes_;
  bool is_broken_ = false;
};

}  // namespace panoptes
