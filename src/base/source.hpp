// SPDX-License-Identifier: Apache-2.0
// Source texts and places in them.
//
// A Place is where the user wrote something. A token that came out of a macro keeps the place of
// the outermost macro use, and `expansion` leads to where the macro spells it, so that a diagnostic
// can show both. Everything to the right of the front ends carries Places, never text.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace panoptes {

struct Place {
  static constexpr std::uint32_t no_file = UINT32_MAX;

  std::uint32_t file = no_file;  // index into the SourceSet
  std::uint32_t offset = 0;      // bytes from the start of the file
  std::uint32_t length = 0;      // bytes; 0 points between two characters
  std::uint32_t expansion = 0;   // 0: written literally; else an Expansion of the SourceSet

  bool known() const { return file != no_file; }
  friend bool operator==(const Place&, const Place&) = default;
  friend auto operator<=>(const Place&, const Place&) = default;
};

// The door to the file system: the text of the file `path`, nothing if it cannot be read.
using ReadFile = std::function<std::optional<std::string>(const std::string& path)>;

// NAME or NAME=VALUE, as given with -D.
struct Definition {
  std::string name;
  std::string value = "1";
};

// The smallest place that covers both, which must lie in one file; `first` if they do not.
Place cover(Place first, Place last);

struct LineColumn {
  std::uint32_t line = 0;    // from 1; 0 where the place is unknown
  std::uint32_t column = 0;  // from 1, in bytes
};

// How a token came out of a macro.
struct Expansion {
  std::string macro;  // the macro whose body spells the token
  Place spelling;     // where in that body; may itself lie in a further expansion
};

// All texts of one run: the model, the files it includes, definitions from the command line.
//
// Invariants: file numbers and expansion numbers are never reused; file 0 is the model; expansion 0
// means none.
class SourceSet {
 public:
  static constexpr std::size_t file_bytes = 16u << 20;  // the longest text that a file may have

  std::uint32_t add(std::string name, std::string text);
  std::uint32_t add_expansion(Expansion expansion);

  const std::string& name(std::uint32_t file) const { return files_[file].name; }
  std::string_view text(std::uint32_t file) const { return files_[file].text; }
  std::string_view text(Place place) const;
  std::uint32_t file_count() const { return static_cast<std::uint32_t>(files_.size()); }
  const Expansion& expansion(std::uint32_t number) const { return expansions_[number - 1]; }

  LineColumn line_column(Place place) const;
  // "line:column", with the name of the file before it where that is not the model.
  std::string line_and_column(Place place) const;
  // The line the place starts in, without its line end.
  std::string_view line(Place place) const;
  // "file:line:column", or "" where the place is unknown.
  std::string describe(Place place) const;

 private:
  struct File {
    std::string name;
    std::string text;
    std::vector<std::uint32_t> line_starts;
  };
  std::vector<File> files_;
  std::vector<Expansion> expansions_;
};

}  // namespace panoptes
