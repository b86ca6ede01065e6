// SPDX-License-Identifier: Apache-2.0
// A picture is whole or none, whatever becomes of the process that draws it.
#include "report/svg.hpp"

#include <fcntl.h>
#include <gtest/gtest.h>
#include <sys/stat.h>
#include <unistd.h>

#include <csignal>
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

}  // namespace
}  // namespace panoptes
