// SPDX-License-Identifier: Apache-2.0
// Who reads what is printed may have had enough, as `head` has: every command then ends as if all
// of it had been read, and without a word.
#include "cli/child.hpp"
#include "models/run_program.hpp"
#include "options/table.hpp"

namespace panoptes::cli {
namespace {

// The exit code of `panoptes ARGUMENTS` with `reader` at the other end of its output, and behind it
// all that was said on standard error.
std::string read_by(const std::string& reader, const std::string& arguments) {
  const TemporaryFolder folder;
  const std::string errors = folder.path("errors");
  models::run_shell("cd '" PANOPTES_SOURCE_DIR "'; { '" PANOPTES_PROGRAM "' " + arguments + " 2>" +
                    errors + "; echo $? >" + folder.path("code") + "; } | " + reader);
  return read_all(folder.path("code")) + read_all(errors);
}

// Nobody reads from the beginning: `sleep` gives that process the time to be gone.
std::string unread(const std::string& arguments) {
  const TemporaryFolder folder;
  const std::string errors = folder.path("errors");
  models::run_shell("cd '" PANOPTES_SOURCE_DIR "'; { sleep 0.02; '" PANOPTES_PROGRAM "' " +
                    arguments + " 2>" + errors + "; echo $? >" + folder.path("code") + "; } | :");
  return read_all(folder.path("code")) + read_all(errors);
}

const std::vector<std::pair<std::string, std::string>>& every_command() {
  static const std::vector<std::pair<std::string, std::string>> all{
      {"check models/request.argos", "1\n"},
      {"check models/request.argos --json", "1\n"},
      {"check models/request.argos --timeouts lock", "0\n"},
      {"check models/request.argos --depth 3", "3\n"},
      {"sweep models/token_ring.argos -D N=2..3", "0\n"},
      {"sweep models/token_ring.argos -D N=2..3 --json", "0\n"},
      {"show models/sliding_window.argos --automata", "0\n"},
      {"show models/sliding_window.argos --rules --format json", "0\n"},
      {"show models/request.argos --holes", "0\n"},
      {"backward models/connection.argos", "1\n"},
      {"certify models/peterson.argos tests/cli/peterson_certificate.txt", "0\n"},
      {"plan models/request.argos", "0\n"},
      {"relate models/connection.argos", "1\n"},
      {"relate models/connection.argos --steps", "1\n"},
      {"query models/request.argos 'SELECT * FROM states'", "0\n"},
      {"query models/request.argos 'SELECT * FROM states' --format csv", "0\n"},
      {"query models/request.argos 'SELECT * FROM states' --format json", "0\n"},
      {"query models/request.argos --schema", "0\n"},
      {"query models/request.argos --named list", "0\n"},
      {"simulate models/request.argos --seed 3", "0\n"},
      {"simulate models/request.argos --interactive </dev/null", "0\n"},
      {"format models/request.argos", "0\n"},
      {"explain", "0\n"},
      {"explain deadlock", "0\n"},
      {"help", "0\n"},
      {"help check", "0\n"},
      {"--help", "0\n"},
      {"--version", "0\n"},
      {"manual", "0\n"},
      {"completion zsh", "0\n"},
  };
  return all;
}

TEST(AClosedPipe, EndsNoCommandWithAWordOrAnotherExitCode) {
  for (const auto& [arguments, code] : every_command())
    EXPECT_EQ(unread(arguments), code) << arguments;
}

TEST(AClosedPipe, IsForEveryCommand) {
  std::string all;
  for (const auto& [arguments, code] : every_command()) all += "\n" + arguments + " ";
  all += "\nreplay ";  // below, since it needs a trail
  for (const CommandInfo& command : command_table())
    EXPECT_TRUE(contains(all, "\n" + std::string(command.name) + " ")) << command.name;
}

TEST(AClosedPipe, MayBeClosedInTheMiddle) {
  EXPECT_EQ(read_by("head -1", "show models/sliding_window.argos --rules"), "0\n");
  // More than a pipe holds.
  EXPECT_EQ(read_by("head -1",
                    "query models/sliding_window.argos --format csv 'SELECT * FROM "
                    "states, (SELECT 1 FROM states)'"),
            "0\n");
}

TEST(AClosedPipe, DoesNotKeepFilesFromBeingWritten) {
  const TemporaryFolder folder;
  const std::string trail = folder.path("t.json"), report = folder.path("r.txt");
  EXPECT_EQ(unread("check models/request.argos --trail " + trail + " --report " + report), "1\n");
  EXPECT_TRUE(contains(read_all(report), "deadlock"));
  EXPECT_EQ(unread("replay models/request.argos " + trail), "1\n");
  EXPECT_EQ(unread("replay models/request.argos " + trail + " --json"), "1\n");
}

TEST(AClosedPipe, MayBeAFileToWriteTo) {
  // One that is opened, and closed before anything comes.
  for (const std::string arguments : {"show models/sliding_window.argos --rules --output",
                                      "check models/request.argos --trail"}) {
    const TemporaryFolder folder;
    const std::string pipe = folder.path("pipe.json"), code = folder.path("code");
    const models::Run run =
        models::run_shell("cd '" PANOPTES_SOURCE_DIR "'; mkfifo " + pipe + "; (: <" + pipe +
                          ") & '" PANOPTES_PROGRAM "' " + arguments + " " + pipe +
                          " 2>&1 >/dev/null; echo $? >" + code);
    EXPECT_EQ(run.output, "") << arguments;
    EXPECT_NE(read_all(code), "4\n") << arguments;
  }
}

TEST(AClosedPipe, EndsAWatch) {
  EXPECT_EQ(read_by("head -1", "check models/request.argos --watch"), "1\n");
}

// Standard error may be closed, too: nothing can be said then, but the rest is done.
TEST(AClosedPipe, MayBeStandardError) {
  const TemporaryFolder folder;
  const std::string model = folder.write("m.argos", "channel c[1]; proc p { c!m }\n");
  const std::string wrong = folder.write("w.argos", "proc { }\n");
  const auto code = [&](const std::string& arguments) {
    models::run_shell("{ sleep 0.05; '" PANOPTES_PROGRAM "' " + arguments + " 2>&1 >" +
                      folder.path("output") + "; echo $? >" + folder.path("code") + "; } | :");
    return read_all(folder.path("code"));
  };
  EXPECT_EQ(code("check " + model), "0\n");  // with warnings
  EXPECT_TRUE(contains(read_all(folder.path("output")), "holds"));
  EXPECT_EQ(code("check " + wrong), "2\n");
  EXPECT_EQ(code("check " + model + " --depth 0"), "2\n");
  EXPECT_EQ(code("chekc"), "2\n");
}

TEST(AFullDisk, IsStillAFailureThatIsSaid) {
  const std::string full = "/dev/full";
  if (!std::filesystem::exists(full)) GTEST_SKIP();
  const Result result =
      Child({"show", model("request"), "--rules"}, Child::Errors::to_file, full).wait();
  EXPECT_EQ(result.exit_code, 4);
  EXPECT_EQ(result.errors, "panoptes: cannot write to standard output\n");
}

}  // namespace
}  // namespace panoptes::cli
