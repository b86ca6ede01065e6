// SPDX-License-Identifier: Apache-2.0
// The command `format`: where its text goes, and what it says otherwise.
#include <sys/stat.h>

#include "cli/child.hpp"

namespace panoptes::cli {
namespace {

const std::string untidy = "proc  p{a!m ;\n a?k }";
const std::string tidy = "proc p\n{\n  a!m;\n  a?k\n}\n";

std::int64_t inode_of(const std::string& path) {
  struct stat info {};
  return stat(path.c_str(), &info) == 0 ? static_cast<std::int64_t>(info.st_ino) : -1;
}

TEST(FormatCommand, PrintsTheTextOfAFile) {
  const TemporaryFolder folder;
  const std::string path = folder.write("model.argos", untidy);
  const Result result = run({"format", path});
  EXPECT_EQ(result.exit_code, 0);
  EXPECT_EQ(result.output, tidy);
  EXPECT_EQ(result.errors, "");
  EXPECT_EQ(read_all(path), untidy);
}

TEST(FormatCommand, WritesOnlyWhatChanges) {
  const TemporaryFolder folder;
  const std::string first = folder.write("first.argos", untidy);
  const std::string second = folder.write("second.argos", tidy);
  const std::int64_t inode = inode_of(second);
  const Result result = run({"format", "--write", first, second});
  EXPECT_EQ(result.exit_code, 0);
  EXPECT_EQ(result.output + result.errors, "");
  EXPECT_EQ(read_all(first), tidy);
  EXPECT_EQ(read_all(second), tidy);
  EXPECT_EQ(inode_of(second), inode);
}

TEST(FormatCommand, ChecksWithoutWriting) {
  const TemporaryFolder folder;
  const std::string first = folder.write("first.argos", untidy);
  const std::string second = folder.write("second.argos", tidy);
  const Result result = run({"format", "--check", first, second});
  EXPECT_EQ(result.exit_code, 1);
  EXPECT_EQ(result.output, first + "\n");
  EXPECT_EQ(read_all(first), untidy);
  EXPECT_EQ(run({"format", "--check", second}).exit_code, 0);
}

TEST(FormatCommand, GoesOnAfterAFileItCannotLayOut) {
  const TemporaryFolder folder;
  const std::string first = folder.write("first.argos", "var x = $;\n");
  const std::string second = folder.write("second.argos", untidy);
  const Result result = run({"format", "--write", first, folder.path("third.argos"), second});
  EXPECT_EQ(result.exit_code, 2);
  EXPECT_EQ(result.errors, first +
                               ":1:9: error: unexpected character `$`\n"
                               "  var x = $;\n"
                               "          ^\n"
                               "panoptes: cannot read file `" +
                               folder.path("third.argos") + "`: No such file or directory\n");
  EXPECT_EQ(read_all(first), "var x = $;\n");
  EXPECT_EQ(read_all(second), tidy);
}

TEST(FormatCommand, RefusesWhatMakesNoSense) {
  const std::string path = model("request");
  for (const std::vector<std::string>& arguments : {std::vector<std::string>{"format", "--write"},
                                                    {"format", "--write", "-"},
                                                    {"format", "--write", "--check", path},
                                                    {"format", path, path},
                                                    {"format", path, "--json"}}) {
    const Result result = run(arguments);
    EXPECT_EQ(result.exit_code, 2);
    EXPECT_EQ(result.output, "");
    EXPECT_NE(result.errors.find("Try `panoptes format --help`."), std::string::npos)
        << result.errors;
  }
}

TEST(FormatCommand, RefusesMoreTokensThanAModelMayHave) {
  const TemporaryFolder folder;
  for (const char* each : {";", "/**/"}) {
    std::string text;
    while (text.size() < (std::string_view(each).size() * 2'100'000)) text += each;
    const Result result = run({"format", folder.write("long.argos", text + ";")});
    EXPECT_EQ(result.exit_code, 2);
    EXPECT_EQ(result.output, "");
    EXPECT_NE(result.errors.find("the text has more than 2000000 tokens and comments"),
              std::string::npos)
        << result.errors.substr(0, 200);
  }
}

TEST(FormatCommand, SaysWhenItCannotWrite) {
  const Result result =
      Child({"format", model("request")}, Child::Errors::to_file, "/dev/full").wait();
  EXPECT_EQ(result.exit_code, 4);
  EXPECT_NE(result.errors.find("cannot write"), std::string::npos);
}

}  // namespace
}  // namespace panoptes::cli
