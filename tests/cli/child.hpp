// SPDX-License-Identifier: Apache-2.0
// The program as a child process: what it writes, how it ends and what memory it took. One that
// does not end is ended by an alarm, and its memory is limited, so that a fault cannot take the
// machine along.
#pragma once

#include <fcntl.h>
#include <gtest/gtest.h>
#include <pty.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include <csignal>
#include <cstdint>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <stdexcept>
#include <string>
#include <vector>

#include "support/sanitized.hpp"

namespace panoptes::cli {

using test::is_sanitized;
inline constexpr unsigned seconds_limit = is_sanitized ? 300 : 60;
inline constexpr long memory_limit_kilobytes = (is_sanitized ? 4096L : 512L) * 1024;

inline bool contains(const std::string& text, const std::string& part) {
  return text.find(part) != std::string::npos;
}

// Six counters: 2^36 states, none of them wrong.
inline constexpr const char* endless =
    "proc p[i : 0..5] var x : 0..127; { do :: x +% 128 od }\n"
    "never far (exists (i : 0..5) p[i].x * (i + 1) > 999);\n";

// A folder that goes with the test.
class TemporaryFolder {
 public:
  TemporaryFolder() {
    std::string path = (std::filesystem::temp_directory_path() / "panoptes-XXXXXX").string();
    if (mkdtemp(path.data()) == nullptr) throw std::runtime_error("cannot make a folder");
    path_ = path;
  }
  ~TemporaryFolder() { std::filesystem::remove_all(path_); }
  TemporaryFolder(const TemporaryFolder&) = delete;
  TemporaryFolder& operator=(const TemporaryFolder&) = delete;

  std::string path(const std::string& name) const { return (path_ / name).string(); }
  std::string write(const std::string& name, const std::string& text) const {
    std::ofstream(path_ / name, std::ios::binary) << text;
    return path(name);
  }

 private:
  std::filesystem::path path_;
};

inline std::string read_all(const std::string& path) {
  std::ifstream file(path, std::ios::binary);
  return {std::istreambuf_iterator<char>(file), {}};
}

struct Result {
  int exit_code = -1;  // -1: it was ended by a signal
  int signal = 0;
  std::string output, errors;  // standard output and standard error
  long peak_kilobytes = 0;
};

class Child {
 public:
  enum class Errors { to_file, to_terminal };

  // Starts `panoptes ARGUMENTS`; standard output goes to a file, by default one of our own.
  explicit Child(std::vector<std::string> arguments, Errors errors = Errors::to_file,
                 const std::string& output = {}) {
    output_ = output.empty() ? folder_.path("output") : output;
    arguments.insert(arguments.begin(), PANOPTES_PROGRAM);
    int terminal = -1;
    if (errors == Errors::to_terminal &&
        openpty(&screen_, &terminal, nullptr, nullptr, nullptr) != 0)
      throw std::runtime_error("cannot open a terminal");
    id_ = fork();
    if (id_ < 0) throw std::runtime_error("cannot fork");
    if (id_ == 0) become_program(arguments, terminal);
    if (terminal >= 0) close(terminal);
  }
  ~Child() {
    if (id_ > 0) {
      kill(id_, SIGKILL);
      waitpid(id_, nullptr, 0);
    }
    if (screen_ >= 0) close(screen_);
  }
  Child(const Child&) = delete;
  Child& operator=(const Child&) = delete;

  void interrupt() const { signal(SIGINT); }
  void signal(int number) const { kill(id_, number); }

  // Reads from the terminal until `text` has appeared; false where the program ended before.
  bool wait_for(const std::string& text) {
    while (shown_.find(text) == std::string::npos)
      if (!read_screen()) return false;
    return true;
  }

  // Waits until the program uses at least so much memory; false where it ended before.
  bool wait_for_memory(std::uint64_t bytes = is_sanitized ? 128u << 20 : 32u << 20) const {
    const std::string path = "/proc/" + std::to_string(id_) + "/statm";
    while (true) {
      std::uint64_t pages = 0, resident = 0;
      if (!(std::ifstream(path) >> pages >> resident) || resident == 0) return false;
      if (resident * static_cast<std::uint64_t>(sysconf(_SC_PAGESIZE)) >= bytes) return true;
      usleep(1000);
    }
  }

  // Waits until `text` has been written to standard output at least `times` times; false where the
  // program ended before.
  bool wait_for_output(const std::string& text, int times = 1) const {
    while (true) {
      siginfo_t ended{};
      const bool is_alive =
          waitid(P_PID, static_cast<id_t>(id_), &ended, WEXITED | WNOHANG | WNOWAIT) == 0 &&
          ended.si_pid == 0;
      const std::string output = read_all(output_);
      int found = 0;
      for (std::size_t at = output.find(text); at != std::string::npos;
           at = output.find(text, at + 1))
        ++found;
      if (found >= times) return true;
      if (!is_alive) return false;
      usleep(1000);
    }
  }

  Result wait() {
    while (screen_ >= 0 && read_screen()) {
    }
    Result result;
    int status = 0;
    rusage usage{};
    wait4(id_, &status, 0, &usage);
    id_ = -1;
    if (WIFEXITED(status)) result.exit_code = WEXITSTATUS(status);
    if (WIFSIGNALED(status)) result.signal = WTERMSIG(status);
    result.peak_kilobytes = usage.ru_maxrss;
    result.output = read_all(folder_.path("output"));
    result.errors = screen_ >= 0 ? shown_ : read_all(folder_.path("errors"));
    return result;
  }

 private:
  // In the child: connects its streams, sets its limits, and runs the program.
  [[noreturn]] void become_program(const std::vector<std::string>& arguments, int terminal) const {
    const int out = open(output_.c_str(), O_WRONLY | O_CREAT, 0600);
    const int err =
        terminal >= 0 ? terminal : open(folder_.path("errors").c_str(), O_WRONLY | O_CREAT, 0600);
    if (out < 0 || err < 0 || dup2(out, STDOUT_FILENO) < 0 || dup2(err, STDERR_FILENO) < 0)
      _exit(127);
    const rlimit memory{std::uint64_t{4} << 30, std::uint64_t{4} << 30};
    if (!is_sanitized) setrlimit(RLIMIT_AS, &memory);
    alarm(seconds_limit);
    std::vector<char*> words;
    for (const std::string& argument : arguments)
      words.push_back(const_cast<char*>(argument.c_str()));
    words.push_back(nullptr);
    execv(words[0], words.data());
    _exit(127);
  }

  bool read_screen() {
    char buffer[4096];
    const ssize_t count = ::read(screen_, buffer, sizeof buffer);
    if (count <= 0) return false;  // the program has closed the terminal
    shown_.append(buffer, static_cast<std::size_t>(count));
    return true;
  }

  TemporaryFolder folder_;
  std::string output_;
  pid_t id_ = -1;
  int screen_ = -1;  // our side of the terminal
  std::string shown_;
};

inline Result run(const std::vector<std::string>& arguments) { return Child(arguments).wait(); }

// The path of a model of the repository.
inline std::string model(const std::string& name) {
  return std::string(PANOPTES_SOURCE_DIR) + "/models/" + name + ".argos";
}

}  // namespace panoptes::cli
