// SPDX-License-Identifier: Apache-2.0
// A picture is whole or none, whatever becomes of the process that draws it.
#include "report/svg.hpp"

#include <fcntl.h>
#include <gtest/gtest.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include <array>
#include <csignal>
#include <fstream>
#include <stdexcept>

namespace panoptes {
namespace {

void draws(const std::string& dot, std::string& svg, std::string&) { svg = "<svg>" + dot; }

void complains(const std::string&, std::string&, std::string& problem) { problem = "too round"; }

void throws(const std::string&, std::string&, std::string&) { throw std::runtime_error("no"); }

// Writes to every pipe that was opened by this very program, which is the one to the parent.
void send_half_a_picture() {
  for (int file = 0; file < 1024; ++file) {
    struct stat facts {};
    if (fstat(file, &facts) != 0 || !S_ISFIFO(facts.st_mode)) continue;
    if ((fcntl(file, F_GETFD) & FD_CLOEXEC) == 0) continue;
    if ((fcntl(file, F_GETFL) & O_ACCMODE) != O_WRONLY) continue;
    if (::write(file, "p<svg>half", 10) != 10) _exit(3);
  }
}

void is_killed(const std::string&, std::string&, std::string&) {
  send_half_a_picture();
  std::raise(SIGKILL);
}

void gives_up(const std::string&, std::string&, std::string&) {
  send_half_a_picture();
  _exit(1);
}

std::string drawn_by(RenderSvg* render_svg) {
  const std::atomic<bool> interrupted = false;
  const auto picture = picture_by(render_svg, "a", 60.0, interrupted);
  return picture ? picture->svg : picture.failure().message;
}

TEST(Pictures, AreWholeOrNone) {
  const auto failed = [](const std::string& why) {
    return "Graphviz cannot draw this: " + why + "\n--format dot works without it";
  };
  EXPECT_EQ(drawn_by(draws), "<svg>a");
  EXPECT_EQ(drawn_by(complains), failed("too round"));
  EXPECT_EQ(drawn_by(throws), failed("no"));
  EXPECT_EQ(drawn_by(is_killed), failed("it broke off"));
  EXPECT_EQ(drawn_by(gives_up), failed("it broke off"));
}

// The child that draws, as the parent of its parent gets to know it.
int told = -1;
void draws_for_ever(const std::string&, std::string&, std::string&) {
  const pid_t self = getpid();
  if (::write(told, &self, sizeof self) != sizeof self) _exit(1);
  while (true) pause();
}

// Whether the process is gone, or only waits for somebody to ask how it ended.
bool has_ended(pid_t process) {
  std::ifstream file("/proc/" + std::to_string(process) + "/stat");
  std::string text;
  return !std::getline(file, text) || text.find(") Z ") != std::string::npos;
}

TEST(Pictures, AreNotDrawnForAParentThatIsGone) {
  std::array<int, 2> ends;
  ASSERT_EQ(pipe(ends.data()), 0);
  const pid_t parent = fork();
  if (parent == 0) {
    told = ends[1];
    drawn_by(draws_for_ever);
    _exit(0);
  }
  pid_t child = 0;
  ASSERT_EQ(::read(ends[0], &child, sizeof child), static_cast<ssize_t>(sizeof child));
  EXPECT_FALSE(has_ended(child));
  kill(parent, SIGKILL);
  waitpid(parent, nullptr, 0);
  for (int i = 0; i < 1000 && !has_ended(child); ++i) usleep(10'000);
  EXPECT_TRUE(has_ended(child));
  close(ends[0]);
  close(ends[1]);
}

}  // namespace
}  // namespace panoptes
