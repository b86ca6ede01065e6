// SPDX-License-Identifier: Apache-2.0
// measure FILE COMMAND...: runs COMMAND and writes to FILE its wall seconds, processor seconds and
// peak resident bytes. Ends with its exit status.
//
// A program of its own because the peak of a process begins with that of the process it was forked
// from, and bench/run is larger than what it measures.
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include <chrono>
#include <cstdio>

namespace {

double seconds(const timeval& time) {
  return static_cast<double>(time.tv_sec) + static_cast<double>(time.tv_usec) * 1e-6;
}

}  // namespace

int main(int count, char** arguments) {
  if (count < 3) return 2;
  const auto start = std::chrono::steady_clock::now();
  const pid_t child = fork();
  if (child == 0) {
    execvp(arguments[2], arguments + 2);
    _exit(127);
  }
  int status = 0;
  rusage usage{};
  if (child < 0 || wait4(child, &status, 0, &usage) != child) return 2;
  const std::chrono::duration<double> wall = std::chrono::steady_clock::now() - start;
  if (std::FILE* file = std::fopen(arguments[1], "w")) {
    std::fprintf(file, "%.6f %.6f %lld\n", wall.count(),
                 seconds(usage.ru_utime) + seconds(usage.ru_stime),
                 static_cast<long long>(usage.ru_maxrss) * 1024);
    std::fclose(file);
  }
  return WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
}
