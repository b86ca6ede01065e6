// SPDX-License-Identifier: Apache-2.0
// One JSON value, written while it is made.
//
// Idea: objects and lists that may be long are opened and closed, what is in them is small and
// written as it comes. The text is that of json_text() for the same value, to the letter.
//
// A template, so that whoever includes it need not know which library makes the JSON.
#pragma once

#include <algorithm>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "base/json_text.hpp"
#include "report/sink.hpp"

namespace panoptes {

template <typename Json>
class JsonStream {
 public:
  explicit JsonStream(const Sink& sink) : sink_(sink) {}

  // In a list.
  void add(const Json& value) { piece(indented(value)); }
  void begin_object() { begin('{', '}'); }
  // In an object.
  void add(std::string_view key, const Json& value) { piece(named(key) + indented(value)); }
  void begin_list(std::string_view key) { begin('[', ']', named(key)); }
  void add_all(const Json& object) {
    for (const auto& [key, value] : object.items()) add(key, value);
  }

  void end() {
    const Level level = levels_.back();
    levels_.pop_back();
    put((level.is_empty ? std::string{} : "\n" + margin()) + level.close);
  }
  // After everything that was begun has ended. False where something could not be written.
  bool finish() {
    put("\n");
    return is_written_;
  }

 private:
  struct Level {
    char close;
    bool is_empty = true;
  };

  // Keys are words of ours, mostly.
  static std::string named(std::string_view key) {
    constexpr std::string_view plain = "abcdefghijklmnopqrstuvwxyz_-";
    if (key.find_first_not_of(plain) != std::string_view::npos) return json_line(Json(key)) + ": ";
    return '"' + std::string(key) + "\": ";
  }
  std::string margin() const { return std::string(2 * levels_.size(), ' '); }

  // In a text of JSON, line ends stand between values only.
  std::string indented(const Json& value) const {
    std::string text = value.dump(2, ' ', false, Json::error_handler_t::replace);
    if (text.find('\n') == std::string::npos) return text;
    const std::string blanks = margin();
    std::string out;
    for (std::size_t begin = 0, end = 0; begin < text.size(); begin = end) {
      end = std::min(text.find('\n', begin), text.size() - 1) + 1;
      out.append(text, begin, end - begin);
      if (text[end - 1] == '\n') out += blanks;
    }
    return out;
  }
  void piece(const std::string& text) {
    if (levels_.empty()) return put(text);
    const bool is_first = std::exchange(levels_.back().is_empty, false);
    put((is_first ? "\n" : ",\n") + margin() + text);
  }
  void begin(char open, char close, const std::string& name = {}) {
    piece(name + open);
    levels_.push_back({close});
  }
  void put(std::string_view text) { is_written_ = is_written_ && sink_(text); }

  const Sink& sink_;
  std::vector<Level> levels_;
  bool is_written_ = true;
};

}  // namespace panoptes
