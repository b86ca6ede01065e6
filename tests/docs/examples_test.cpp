// SPDX-License-Identifier: Apache-2.0
// What the documentation shows is true: its limits are those of the compiler, and its fenced blocks
// are run, by what stands behind the fence:
//
//   argos           a whole model: compiles without a complaint. If it begins with the comment
//                   `// models/NAME.argos` it is that model, but for the comments that begin it
//   argos-error     a whole model, and the `text` block behind it is what the compiler says of it
//   argos-fragment  not a whole model: not run
//   console         `$ panoptes ...` and lines of its output, in order; `...` stands for others
#include <gtest/gtest.h>

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <sstream>
#include <string>
#include <utility>
#include <vector>

#include "lang/argos/parse.hpp"
#include "models/run_program.hpp"
#include "protocol/build.hpp"

namespace panoptes {
namespace {

const std::filesystem::path root = PANOPTES_SOURCE_DIR;

struct Block {
  std::string where;  // page and line
  std::string language;
  std::string text;
};

std::string read_file(const std::filesystem::path& path) {
  std::ifstream file(path, std::ios::binary);
  return {std::istreambuf_iterator<char>(file), {}};
}

void add_blocks(const std::filesystem::path& page, std::vector<Block>& blocks) {
  std::istringstream lines(read_file(page));
  bool inside = false;
  int number = 0;
  for (std::string line; std::getline(lines, line);) {
    ++number;
    if (line.starts_with("```")) {
      inside = !inside;
      if (inside)
        blocks.push_back(
            {page.filename().string() + ":" + std::to_string(number), line.substr(3), {}});
    } else if (inside) {
      blocks.back().text += line + "\n";
    }
  }
}

std::vector<Block> every_block() {
  std::vector<std::filesystem::path> pages = {root / "README.md"};
  for (const auto& entry : std::filesystem::recursive_directory_iterator(root / "docs"))
    if (entry.path().extension() == ".md") pages.push_back(entry.path());
  std::sort(pages.begin(), pages.end());
  std::vector<Block> blocks;
  for (const auto& page : pages) add_blocks(page, blocks);
  return blocks;
}

// Everything the compiler has to say.
std::string complaints(const std::string& name, const std::string& text) {
  SourceSet sources;
  Diagnostics diagnostics;
  const argos::Model model = argos::parse_text(name, text, sources, diagnostics);
  build_protocol(model, BuildOptions{}, sources, diagnostics);
  return diagnostics.render(sources);
}

std::vector<std::string> lines_of(const std::string& text) {
  std::vector<std::string> lines;
  std::istringstream stream(text);
  for (std::string line; std::getline(stream, line);) lines.push_back(line);
  return lines;
}

// 1,000,000
std::string with_commas(std::size_t number) {
  std::string text = std::to_string(number);
  for (std::size_t i = text.size(); i > 3; i -= 3) text.insert(i - 3, ",");
  return text;
}

// The text of a model without the comments it begins with.
std::string without_header(const std::string& text) {
  const std::vector<std::string> lines = lines_of(text);
  const auto begin = std::find_if(lines.begin(), lines.end(), [](const std::string& line) {
    return !line.empty() && !line.starts_with("//");
  });
  std::string rest;
  for (auto line = begin; line != lines.end(); ++line) rest += *line + "\n";
  return rest;
}

TEST(DocumentedModels, CompileWithoutAComplaint) {
  std::size_t count = 0;
  for (const Block& block : every_block()) {
    if (block.language != "argos") continue;
    ++count;
    EXPECT_EQ(complaints(block.where, block.text), "") << block.where;
  }
  EXPECT_GT(count, 10u);
}

TEST(DocumentedModels, AreTheFilesTheyName) {
  for (const Block& block : every_block()) {
    const std::string first = block.text.substr(0, block.text.find('\n'));
    if (block.language != "argos" || !first.starts_with("// models/")) continue;
    const std::string file = read_file(root / first.substr(3));
    EXPECT_EQ(without_header(block.text), without_header(file)) << block.where;
  }
}

TEST(DocumentedMistakes, AreReportedAsShown) {
  const std::vector<Block> blocks = every_block();
  for (std::size_t i = 0; i < blocks.size(); ++i) {
    if (blocks[i].language != "argos-error") continue;
    ASSERT_LT(i + 1, blocks.size()) << blocks[i].where;
    ASSERT_EQ(blocks[i + 1].language, "text") << blocks[i].where;
    EXPECT_EQ(complaints("example.argos", blocks[i].text), blocks[i + 1].text) << blocks[i].where;
  }
}

TEST(DocumentedCommands, PrintWhatIsShown) {
  for (const Block& block : every_block()) {
    const std::vector<std::string> shown = lines_of(block.text);
    const std::string prompt = "$ panoptes ";
    if (block.language != "console" || shown.empty() || !shown[0].starts_with(prompt)) continue;
    const std::string output = models::run_program(shown[0].substr(prompt.size())).output;
    const std::vector<std::string> printed = lines_of(output);
    auto from = printed.begin();
    for (std::size_t i = 1; i < shown.size(); ++i) {
      if (shown[i] == "...") continue;
      from = std::find(from, printed.end(), shown[i]);
      ASSERT_NE(from, printed.end()) << block.where << ": no line `" << shown[i] << "` there in\n"
                                     << output;
      ++from;
    }
  }
}

TEST(DocumentedLimits, AreThoseOfTheCompiler) {
  const std::string page = read_file(root / "docs" / "language.md");
  const std::vector<std::pair<std::string, std::size_t>> limits = {
      {"tokens behind the preprocessor", argos::Limits::expanded_tokens},
      {"depth of files that include each other", argos::Limits::include_depth},
      {"depth of statements, or of parentheses, within each other", argos::Limits::nesting},
      {"operands and operators of an expression", BuildLimits::expression_size},
      {"slots of a channel", BuildLimits::capacity},
      {"processes, members of families included", BuildLimits::processes},
      {"channels, members of families included", BuildLimits::channels},
      {"variables", BuildLimits::variables},
      {"control states of all processes and assertions, procedures inserted",
       BuildLimits::control_states},
      {"their transitions", BuildLimits::transitions},
      {"sets of states an assertion can be in", BuildLimits::assertion_subsets},
      {"errors reported in a text", Diagnostics::error_limit},
  };
  for (const auto& [what, most] : limits) {
    const std::string row = "| " + what + " | " + with_commas(most) + " |";
    EXPECT_NE(page.find(row), std::string::npos) << row;
  }
  EXPECT_EQ(argos::Limits::file_bytes, 16u << 20);
  EXPECT_NE(page.find("| size of a file | 16 MiB |"), std::string::npos);
}

}  // namespace
}  // namespace panoptes
