// SPDX-License-Identifier: Apache-2.0
#include "report/svg.hpp"

#include <fcntl.h>
#include <fmt/format.h>
#include <poll.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <chrono>
#include <csignal>
#include <exception>
#include <utility>

#include "base/module.hpp"

namespace panoptes {
namespace {

// The first byte that the child sends says what the rest is.
constexpr char is_picture = 'p', is_problem = '!';

void send(int pipe, const std::string& text) {
  std::size_t sent = 0;
  while (sent < text.size()) {
    const ssize_t count = ::write(pipe, text.data() + sent, text.size() - sent);
    if (count <= 0) _exit(1);
    sent += static_cast<std::size_t>(count);
  }
}

// In the child. What Graphviz and the libraries below it print goes nowhere.
[[noreturn]] void render(RenderSvg* render_svg, const std::string& dot, int pipe, pid_t parent) {
  // Nobody waits for a picture whose parent is gone, and nobody else would end the drawing of it.
  prctl(PR_SET_PDEATHSIG, SIGKILL);
  if (getppid() != parent) _exit(1);
  for (const int signal : {SIGINT, SIGTERM}) std::signal(signal, SIG_DFL);
  const int nowhere = open("/dev/null", O_RDWR);
  if (nowhere >= 0) {
    dup2(nowhere, STDOUT_FILENO);
    dup2(nowhere, STDERR_FILENO);
  }
  std::string svg, problem;
  try {
    render_svg(dot, svg, problem);
  } catch (const std::exception& error) {
    problem = error.what();
  }
  send(pipe, problem.empty() ? is_picture + svg : is_problem + problem);
  _exit(0);
}

enum class End { done, time, interrupt };

// Reads what the child sends, until it has nothing more to say or there is no more time.
End receive(int pipe, double seconds, const std::atomic<bool>& interrupted, std::string& text) {
  using Clock = std::chrono::steady_clock;
  const auto end = Clock::now() + std::chrono::duration<double>(seconds);
  std::array<char, 65536> buffer;
  while (true) {
    if (interrupted) return End::interrupt;
    if (Clock::now() >= end) return End::time;
    pollfd watched{pipe, POLLIN, 0};
    if (poll(&watched, 1, 50) <= 0) continue;
    const ssize_t count = ::read(pipe, buffer.data(), buffer.size());
    if (count < 0 && errno == EINTR) continue;
    if (count <= 0) return End::done;
    text.append(buffer.data(), static_cast<std::size_t>(count));
  }
}

// Waits for the child. Whether it has sent all it had to say.
bool ended_well(pid_t child) {
  int status = 0;
  pid_t ended = -1;
  do ended = waitpid(child, &status, 0);
  while (ended < 0 && errno == EINTR);
  return ended == child && WIFEXITED(status) && WEXITSTATUS(status) == 0;
}

// 0.3, 4.2, 17: as much of it as anybody wants to know.
std::string rounded(double seconds) { return fmt::format("{:.2g}", std::max(0.0, seconds)); }

PictureFailure cut_off(End end, double seconds) {
  if (end == End::interrupt) return {"interrupted", true};
  return {fmt::format("Graphviz did not get done with the picture in {} seconds\n"
                      "give it more by --time, or use --format dot and a layout for large graphs, "
                      "e.g. `sfdp -Tsvg`",
                      rounded(seconds)),
          true};
}

}  // namespace

Result<Picture, PictureFailure> picture_of(const std::string& dot, double seconds,
                                           const std::atomic<bool>& interrupted) {
  const auto found = find_in_module("graphviz", "panoptes_render_svg");
  if (!found)
    return PictureFailure{
        fmt::format("Graphviz is not there: {}\n"
                    "install libgvc6 (to build it, libgraphviz-dev), or use "
                    "--format dot, which needs neither",
                    found.failure())};
  return picture_by(reinterpret_cast<RenderSvg*>(*found), dot, seconds, interrupted);
}

Result<Picture, PictureFailure> picture_by(RenderSvg* render_svg, const std::string& dot,
                                           double seconds, const std::atomic<bool>& interrupted) {
  std::array<int, 2> ends;
  if (pipe2(ends.data(), O_CLOEXEC) != 0)
    return PictureFailure{"no picture: the system gives no pipe"};
  const pid_t parent = getpid();
  const pid_t child = fork();
  if (child == 0) render(render_svg, dot, ends[1], parent);
  close(ends[1]);
  std::string text;
  const End end = child < 0 ? End::done : receive(ends[0], seconds, interrupted, text);
  close(ends[0]);
  if (child > 0 && end != End::done) kill(child, SIGKILL);
  const bool is_whole = child > 0 && ended_well(child);
  if (end != End::done || interrupted) return cut_off(interrupted ? End::interrupt : end, seconds);
  // What a child sent before it was killed may be the half of a picture.
  if (!is_whole) text.clear();
  if (!text.empty() && text[0] == is_picture) return Picture{text.substr(1)};
  return PictureFailure{fmt::format("Graphviz cannot draw this: {}\n--format dot works without it",
                                    text.empty() ? "it broke off" : text.substr(1))};
}

}  // namespace panoptes
