// SPDX-License-Identifier: Apache-2.0
// Where an answer goes: standard output, or a file that is there only when it is complete.
//
// Idea: a file is written under a name of its own beside the one that is wanted, and takes its
// place in the end. Where the wanted name is a link, the file it leads to is replaced. What is no
// plain file, such as a pipe, is written to directly. Text is collected, and written 64 KiB at a
// time.
//
// How it can fail: every call says so; what was begun is removed. A pipe that its reader has closed
// is no failure, but what is written then goes nowhere.
//
// Thread safety: one thread.
#pragma once

#include <filesystem>
#include <fstream>
#include <string>
#include <string_view>

#include "report/sink.hpp"

namespace panoptes {

class Output {
 public:
  explicit Output(const std::string& path);  // "": standard output
  ~Output();
  Output(const Output&) = delete;
  Output& operator=(const Output&) = delete;

  bool is_open() const { return problem_.empty(); }
  // Why it is not open: "x/y: cannot write there: No such file or directory".
  const std::string& problem() const { return problem_; }
  const std::string& part() const { return part_; }  // the file that is written to

  bool write(std::string_view text);
  Sink sink() {
    return [this](std::string_view text) { return write(text); };
  }
  // Nothing is certain to be written, and no file is there, before this.
  bool keep();
  // False where the reader of a pipe has closed it, and has had enough.
  bool is_wanted() const { return is_wanted_; }

 private:
  bool make_part();
  bool flush();
  bool is_written();

  std::string path_;  // of the file itself, links followed
  std::string part_;
  std::ofstream file_;
  std::string problem_;
  std::string collected_;
  bool is_replaced_ = false;
  bool is_kept_ = false;
  bool is_wanted_ = true;
};

// Whether an Output to `path` would take the place of `file`. What is no plain file, such as a
// terminal, is written to and not replaced.
bool is_replaced(const std::filesystem::path& file, const std::filesystem::path& path);

}  // namespace panoptes
