// SPDX-License-Identifier: Apache-2.0
// An interactive session as its user has it: on a terminal, with keys; and over a pipe.
#include <chrono>
#include <thread>

#include "cli/child.hpp"
#include "models/run_program.hpp"

namespace panoptes::cli {
namespace {

std::string quoted(const std::string& text) { return "'" + text + "'"; }

// A terminal in tmux, with a server and a socket of its own.
class Tmux {
 public:
  explicit Tmux(const std::string& command) {
    tmux("-f /dev/null new-session -d -x 120 -y 60 " +
         quoted("\"" + std::string(PANOPTES_PROGRAM) + "\" " + command +
                "; echo exit code $?; exec cat"));
  }
  ~Tmux() { tmux("kill-server"); }
  Tmux(const Tmux&) = delete;
  Tmux& operator=(const Tmux&) = delete;

  // Keys as tmux calls them: `Enter`, `Up`, `BSpace`, or any text.
  void press(const std::string& keys) { tmux("send-keys " + keys); }

  // The screen, once `text` is on it; as it is then where that takes too long.
  std::string wait_for(const std::string& text) {
    const auto end = std::chrono::steady_clock::now() + std::chrono::seconds(seconds_limit);
    std::string screen;
    do {
      screen = tmux("capture-pane -p");
      if (contains(screen, text)) break;
      std::this_thread::sleep_for(std::chrono::milliseconds(20));
    } while (std::chrono::steady_clock::now() < end);
    EXPECT_TRUE(contains(screen, text)) << "no `" << text << "` in\n" << screen;
    return screen;
  }

 private:
  std::string tmux(const std::string& arguments) const {
    const std::string command =
        "tmux -S " + quoted(folder_.path("socket")) + " " + arguments + " 2>&1";
    std::string output;
    std::FILE* pipe = popen(command.c_str(), "r");
    if (pipe == nullptr) return output;
    char buffer[4096];
    while (const std::size_t count = std::fread(buffer, 1, sizeof buffer, pipe))
      output.append(buffer, count);
    pclose(pipe);
    return output;
  }

  TemporaryFolder folder_;
};

TEST(ATerminal, HasAPromptAHistoryAndKeysThatEditTheLine) {
  Tmux terminal("simulate " + model("request") + " --interactive");
  terminal.wait_for("1) client  15:3  server!request\n>");
  terminal.press("statx BSpace e Enter");
  terminal.wait_for("> state\nstep 0 of 0\n  client at 15:3");
  terminal.press("trail Left Left Left Left Left BSpace C-k 1 Enter");
  terminal.wait_for("> 1\n     1  client  line 15  server!request");
  terminal.press("Up Up Enter");  // state
  terminal.wait_for("> state\nstep 1 of 1");
  terminal.press("quit Enter");
  terminal.wait_for("> quit\nexit code 0");
}

TEST(ATerminal, EndsASessionWithAnInterruptOrTheEndOfInput) {
  Tmux terminal("simulate " + model("request") + " --interactive");
  terminal.wait_for("\n>");
  terminal.press("sta");
  terminal.wait_for("> sta");
  terminal.press("C-c");
  terminal.wait_for("> sta\nexit code 3");
  Tmux other("simulate " + model("request") + " --interactive");
  other.wait_for("\n>");
  other.press("C-d");
  other.wait_for("exit code 0");
}

TEST(ATerminal, StillEchoesWhenTheSessionIsOver) {
  Tmux terminal("simulate " + model("request") + " --interactive");
  terminal.wait_for("\n>");
  terminal.press("C-c");
  terminal.wait_for("exit code 3");
  terminal.press("hello Enter");
  terminal.wait_for("hello\nhello\n");
}

// ---- a pipe -------------------------------------------------------------------------------------

TEST(APipe, HasNoPrompt) {
  const models::Run run =
      models::run_program("simulate models/request.argos --interactive <<'end'\n1\nback\nend\n");
  EXPECT_EQ(run.exit_code, 0);
  EXPECT_EQ(run.output,
            "step 0 of 0\n"
            "  1) client  15:3  server!request\n"
            "     1  client  line 15  server!request  -> 16:3\n"
            "          in channels: server: request\n"
            "  1) server  26:6  server?request\n"
            "  2) client  18:6  client?timeout\n"
            "step 0 of 1\n"
            "  1) client  15:3  server!request\n");
}

TEST(APipe, MayEndInTheMiddleOfALineOrHoldAnyBytes) {
  EXPECT_TRUE(contains(
      models::run_program("simulate models/request.argos --interactive < /dev/null").output,
      "step 0 of 0\n"));
  const TemporaryFolder folder;
  const models::Run run = models::run_program("simulate models/request.argos --interactive < " +
                                              folder.write("commands", "1\nback"));
  EXPECT_EQ(run.exit_code, 0);
  EXPECT_TRUE(contains(run.output, "step 0 of 1\n"));
  const std::string program = read_all(PANOPTES_PROGRAM).substr(0, 1 << 12);
  const models::Run bytes = models::run_program("simulate models/request.argos --interactive < " +
                                                folder.write("bytes", program) + " > /dev/null");
  EXPECT_EQ(bytes.exit_code, 0);
}

TEST(APipe, DoesNotSaveATrailOverTheModel) {
  const TemporaryFolder folder;
  const std::string path = folder.write("model", "proc p { skip }\n");
  const models::Run run = models::run_program(
      "simulate " + path + " --interactive <<'end'\n1\nsave " + path + "\nsave other.argos\nend\n");
  EXPECT_TRUE(
      contains(run.output, path + " is the model, which would be lost\n"
                                  "other.argos: that is a name for a model; trails are JSON\n"))
      << run.output;
  EXPECT_EQ(cli::run({"check", path}).exit_code, 0);
}

TEST(AReplay, CanBeWalkedByHandFromAnyOfItsSteps) {
  const TemporaryFolder folder;
  const std::string trails = folder.path("trails.json");
  ASSERT_EQ(run({"check", model("request"), "--trail", trails}).exit_code, 1);
  const std::string command = "replay models/request.argos " + trails + " --interactive ";
  const models::Run end = models::run_program(command + "< /dev/null");
  EXPECT_EQ(end.exit_code, 0);
  EXPECT_EQ(end.output,
            "step 11 of 11\n"
            "deadlock: no process can move\n"
            "  client at end\n"
            "  server at 26:24, waits for client!answer\n");
  EXPECT_EQ(models::run_program(command + "--step 0 --seed 4 < /dev/null").output,
            "step 0 of 11\n"
            "  1) client  15:3  server!request\n");
  const models::Run middle = models::run_program(command + "--step 9 <<'end'\nf\nend\n");
  EXPECT_EQ(middle.output,
            "step 9 of 11\n"
            "  1) server  26:24  client!answer\n"
            "    10  server  line 26  client!answer  -> end_idle\n"
            "          in channels: client: answer; server: request\n"
            "  1) server  26:6  server?request\n");
}

}  // namespace
}  // namespace panoptes::cli
