// SPDX-License-Identifier: Apache-2.0
#include "app/system.hpp"

#include <fmt/format.h>
#include <malloc.h>
#include <poll.h>
#include <sys/ioctl.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/time.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <cmath>
#include <csignal>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <ctime>
#include <fstream>

#include "base/parse_value.hpp"
#include "options/table.hpp"
#include "report/text.hpp"

namespace panoptes {
namespace {

std::atomic<bool> is_quiet{false};
std::atomic<bool> interrupt_flag{false};
std::atomic<std::int64_t> first_signal_ms{0};
static_assert(std::atomic<bool>::is_always_lock_free);  // used in a signal handler
static_assert(std::atomic<std::int64_t>::is_always_lock_free);

// The first signal asks for what was found so far, a second one ends the process. Some programs
// that stop others signal twice at once, so a second one counts only after a moment.
void on_signal(int signal) {
  timespec now{};
  clock_gettime(CLOCK_MONOTONIC, &now);
  const std::int64_t now_ms = std::int64_t{now.tv_sec} * 1000 + now.tv_nsec / 1'000'000;
  constexpr std::int64_t moment_ms = 500;
  if (!interrupt_flag.exchange(true)) {
    first_signal_ms = now_ms;
  } else if (now_ms - first_signal_ms > moment_ms) {
    std::signal(signal, SIG_DFL);
    raise(signal);
  }
}

// What a signal handler needs has a fixed place, and a size that does not change.
struct LastWords {
  int exit_code = 0;
  std::string output, complaint;
};
LastWords last_words;
constexpr std::size_t most_begun_files = 16, most_path_bytes = 4096;
struct BegunFile {
  std::atomic<bool> is_there{false};
  char path[most_path_bytes] = {};
};
std::array<BegunFile, most_begun_files> begun_files;

void write_all(int file, const std::string& text) {
  std::size_t written = 0;
  while (written < text.size()) {
    const ssize_t count = ::write(file, text.data() + written, text.size() - written);
    if (count <= 0) return;
    written += static_cast<std::size_t>(count);
  }
}

void on_alarm(int) {
  for (BegunFile& file : begun_files)
    if (file.is_there) unlink(file.path);
  write_all(STDOUT_FILENO, last_words.output);
  if (!is_quiet) write_all(STDERR_FILENO, last_words.complaint);
  _exit(last_words.exit_code);
}

// The number after `key` in a file of "key: number kB" lines.
std::uint64_t kilobytes_of(const char* path, const std::string& key) {
  std::ifstream file(path);
  std::string word;
  while (file >> word)
    if (word == key) {
      std::uint64_t value = 0;
      file >> value;
      return value * 1024;
    }
  return 0;
}

// 0:07, 12:34, 1:02:03
std::string as_clock(double elapsed) {
  const auto seconds = static_cast<std::uint64_t>(elapsed);
  if (seconds < 3600) return fmt::format("{}:{:02}", seconds / 60, seconds % 60);
  return fmt::format("{}:{:02}:{:02}", seconds / 3600, seconds / 60 % 60, seconds % 60);
}

}  // namespace

std::uint64_t peak_resident_bytes() { return kilobytes_of("/proc/self/status", "VmHWM:"); }

std::uint64_t resident_bytes() {
  std::ifstream file("/proc/self/statm");
  std::uint64_t size = 0, resident = 0;
  file >> size >> resident;
  return resident * static_cast<std::uint64_t>(sysconf(_SC_PAGESIZE));
}

void give_back_memory() { malloc_trim(0); }

void forget_peak_memory() {
  give_back_memory();
  std::ofstream("/proc/self/clear_refs") << "5\n";
}

const std::atomic<bool>& interrupted() { return interrupt_flag; }

void catch_interrupts() {
  std::signal(SIGINT, on_signal);
  std::signal(SIGTERM, on_signal);
  std::signal(SIGPIPE, SIG_IGN);
  std::signal(SIGXFSZ, SIG_IGN);  // a file that may not grow is a write that fails
}

void catch_forwarded_interrupts() { std::signal(SIGUSR1, on_signal); }

void end_process_after(double seconds, int exit_code, std::string output, std::string complaint) {
  const auto set_alarm = [](double in) {
    constexpr double longest = 1e9;  // thirty years
    in = std::min(in, longest);
    itimerval timer{};
    timer.it_value.tv_sec = static_cast<time_t>(in);
    timer.it_value.tv_usec = static_cast<suseconds_t>((in - std::floor(in)) * 1e6);
    setitimer(ITIMER_REAL, &timer, nullptr);
  };
  set_alarm(0.0);
  if (seconds <= 0.0) return;
  last_words = {exit_code, std::move(output), std::move(complaint)};
  std::signal(SIGALRM, on_alarm);
  set_alarm(std::max(seconds, 1e-3));
}

void remove_at_the_end(const std::string& path) {
  if (path.size() >= most_path_bytes) return;
  for (BegunFile& file : begun_files) {
    if (file.is_there) continue;
    std::copy(path.begin(), path.end(), file.path);
    file.path[path.size()] = '\0';
    file.is_there = true;
    return;
  }
}

void leave_at_the_end(const std::string& path) {
  for (BegunFile& file : begun_files)
    if (file.is_there && path == file.path) file.is_there = false;
}

MemoryCeiling::MemoryCeiling(std::uint64_t bytes) {
  rlimit limit{};
  getrlimit(RLIMIT_DATA, &limit);
  before_ = limit.rlim_cur;
  const std::uint64_t now = kilobytes_of("/proc/self/status", "VmData:");
  if (now == 0 || bytes > UINT64_MAX - now) return;
  limit.rlim_cur = std::min<rlim_t>(now + bytes, limit.rlim_max);
  setrlimit(RLIMIT_DATA, &limit);
}

MemoryCeiling::~MemoryCeiling() {
  rlimit limit{};
  getrlimit(RLIMIT_DATA, &limit);
  limit.rlim_cur = before_;
  setrlimit(RLIMIT_DATA, &limit);
}

bool print(const std::string& text) {
  const bool written = std::fwrite(text.data(), 1, text.size(), stdout) == text.size();
  return (std::fflush(stdout) == 0 && written) || has_lost_reader();
}

bool has_lost_reader() {
  pollfd output{STDOUT_FILENO, 0, 0};
  return ::poll(&output, 1, 0) > 0 && (output.revents & (POLLERR | POLLHUP)) != 0;
}

void set_quiet() { is_quiet = true; }

void tell(const std::string& text) {
  if (!is_quiet) tell_anyway(text);
}

void tell_anyway(const std::string& text) {
  static_cast<void>(std::fwrite(text.data(), 1, text.size(), stderr));
}

std::size_t environment_width() {
  const char* columns = std::getenv("COLUMNS");
  return columns == nullptr ? 0 : parse_count(columns).value_or(0);
}

std::size_t terminal_width() {
  winsize size{};
  if (isatty(STDOUT_FILENO) == 0) return 0;
  if (const std::size_t width = environment_width(); width > 0) return width;
  if (ioctl(STDOUT_FILENO, TIOCGWINSZ, &size) != 0) return 0;
  return size.ws_col;
}

bool wants_colour() {
  const char* no_colour = std::getenv("NO_COLOR");
  const char* terminal = std::getenv("TERM");
  return (no_colour == nullptr || *no_colour == '\0') && terminal != nullptr &&
         std::string_view(terminal) != "dumb";
}

ProgressLine::ProgressLine(bool is_asked_for)
    : is_terminal_(isatty(STDERR_FILENO) != 0), has_lines_(is_asked_for && !is_terminal_) {}

ProgressLine::~ProgressLine() { wipe(); }

void ProgressLine::wipe() {
  if (is_shown_) tell("\r\033[K");
  is_shown_ = false;
}

Monitor::Observer ProgressLine::observer() {
  if (!is_terminal_ && !has_lines_) return {};
  return [this](const Progress& progress) { show(progress); };
}

bool ProgressLine::is_due() {
  constexpr double longest_seconds = 60.0, between_changes = 0.2;
  const double seconds = steady_seconds() - start_;
  double& next = has_lines_ ? next_line_ : next_change_;
  if ((!is_terminal_ && !has_lines_) || seconds < next) return false;
  while (next <= seconds) next += has_lines_ ? std::min(next, longest_seconds) : between_changes;
  return true;
}

void ProgressLine::show(const Progress& progress) {
  const double seconds = steady_seconds() - start_;
  if (has_lines_ && !is_due()) return;
  const double rate =
      progress.seconds > 0.0 ? static_cast<double>(progress.states) / progress.seconds : 0.0;
  const std::string run =
      progress.runs > 1
          ? fmt::format("run {} of {}  ", with_commas(progress.run), with_commas(progress.runs))
          : "";
  const std::string waiting =
      progress.frontier > 0 ? fmt::format("{} waiting  ", with_commas(progress.frontier)) : "";
  show(fmt::format("{}  {}{}{} states  {} states/s  depth {}  {}{}", as_clock(seconds), prefix_,
                   run, with_commas(progress.states), with_commas(static_cast<std::uint64_t>(rate)),
                   with_commas(progress.depth), waiting, as_bytes(progress.memory_bytes)));
}

void ProgressLine::show(const std::string& line) {
  if (has_lines_) tell(line + "\n");
  if (!is_terminal_) return;
  is_shown_ = true;
  tell("\r\033[K" + line);
}

void ProgressLine::note(const std::string& line) {
  if (is_terminal_) tell("\r\033[K" + line + "\n");
  if (has_lines_) tell(line + "\n");
}

}  // namespace panoptes
