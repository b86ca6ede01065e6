// SPDX-License-Identifier: Apache-2.0
// The doors of a program to the machine: memory, interrupts, the terminal.
#pragma once

#include <atomic>
#include <cstdint>
#include <string>

#include "api/check_model.hpp"
#include "base/clock.hpp"

namespace panoptes {

// Peak resident memory of this process so far, in bytes.
std::uint64_t peak_resident_bytes();

// Gives memory back and lets the peak begin anew, as far as the system allows.
void forget_peak_memory();

// Resident memory of this process now, in bytes.
std::uint64_t resident_bytes();

// Gives memory that was freed back to the machine; nothing before would.
void give_back_memory();

// Set by the first interrupt or termination signal; the second one ends the process.
const std::atomic<bool>& interrupted();
void catch_interrupts();
// Also by the signal that mpirun hands on to its processes, where it ends them by the others.
void catch_forwarded_interrupts();

// Ends the process after so many seconds, unless this is called again before: the last resort of
// whoever has promised to be done by then. The files of `remove_at_the_end` go, `output` and
// `complaint` are printed. 0 seconds: never.
void end_process_after(double seconds, int exit_code, std::string output, std::string complaint);
// A file that was begun, and is nothing before it is complete; and one that is.
void remove_at_the_end(const std::string& path);
void leave_at_the_end(const std::string& path);

// Keeps the process from taking more than so many bytes beyond what it has, for as long as this is
// there: an allocation that would is std::bad_alloc. Address space counts, whether it is used or
// not.
class MemoryCeiling {
 public:
  explicit MemoryCeiling(std::uint64_t bytes);
  ~MemoryCeiling();
  MemoryCeiling(const MemoryCeiling&) = delete;
  MemoryCeiling& operator=(const MemoryCeiling&) = delete;

 private:
  std::uint64_t before_;
};

// Writes to standard output; false where that fails, as on a full disk. A pipe that its reader has
// closed is no failure: who reads `panoptes show ... | head -1` has all he wants.
bool print(const std::string& text);
// Whether standard output is such a pipe, so that nothing need be written any more.
bool has_lost_reader();

// Writes to standard error. Where that fails, there is nobody to be told of it.
void tell(const std::string& text);
// From now on tell() writes nothing: another process of the same command says it.
void set_quiet();
void tell_anyway(const std::string& text);

// Columns as the environment variable COLUMNS has them; 0 where it has no such number.
std::size_t environment_width();
// Columns of the terminal that standard output is, or those of COLUMNS; 0 where it is none.
std::size_t terminal_width();

// Whether a terminal is to be written to in colour: NO_COLOR and a terminal that has none say no.
bool wants_colour();

// How far a search is, on standard error: a line on the terminal that changes, or, where it is none
// and somebody asks for it, lines that stay: after a second, two, four and so on, in the end every
// minute. Nothing at all where nobody asks.
class ProgressLine {
 public:
  explicit ProgressLine(bool is_asked_for);
  ~ProgressLine();
  ProgressLine(const ProgressLine&) = delete;
  ProgressLine& operator=(const ProgressLine&) = delete;

  Monitor::Observer observer();
  // Stands before what is said of a search.
  void begin_with(std::string text) { prefix_ = std::move(text); }
  // Whether it is time for a line of whoever has nobody observe him.
  bool is_due();
  // Something else in its place.
  void show(const std::string& line);
  // Nothing, until there is something to show again.
  void wipe();
  // A line that stays.
  void note(const std::string& line);

 private:
  void show(const Progress& progress);

  bool is_terminal_;
  bool has_lines_;
  bool is_shown_ = false;
  std::string prefix_;
  double start_ = steady_seconds();
  double next_line_ = 1.0;    // seconds from the start
  double next_change_ = 0.5;  // on a terminal
};

}  // namespace panoptes
