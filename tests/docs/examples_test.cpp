// SPDX-License-Identifier: Apache-2.0
// What the documentation shows is true: its limits are those of the compiler, and its fenced blocks
// are run, by what stands behind the fence:
//
//   argos           a whole model: compiles without a complaint. If it begins with the comment
//                   `// models/NAME.argos` it is that model, but for the comments that begin it
//   argos-error     a whole model, and the `text` block behind it is what the compiler says of it
//   argos-fragment  not a whole model: not run
//   console         `$ panoptes ...`, lines of it that begin with `> `, and how its output begins;
//                   `...` stands for any lines
//   yaml            is YAML
//   sh, yaml        options of `panoptes ...` in it are options of that command
//
// A name behind the language, as in `argos hello.argos`, is that of a file: it has the text of the
// block from there on, in the folder in which the commands of that page are run. The commands of
// other pages are run in the root of the repository.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <map>
#include <string>
#include <utility>
#include <vector>

#include "argos/build.hpp"
#include "argos/parse.hpp"
#include "cli/child.hpp"
#include "docs/pages.hpp"
#include "models/run_program.hpp"
#include "options/table.hpp"
#include "protocol/limits.hpp"

namespace panoptes::docs {
namespace {

// Everything the compiler has to say.
std::string complaints(const std::string& name, const std::string& text) {
  SourceSet sources;
  Diagnostics diagnostics;
  const argos::Model model = argos::parse_text(name, text, sources, diagnostics);
  build_protocol(model, BuildOptions{}, sources, diagnostics);
  return diagnostics.render(sources);
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

// Each command of a block, and the lines that are shown below it.
struct Example {
  std::string command;
  std::vector<std::string> shown;
};

std::vector<Example> examples_of(const Block& block) {
  std::vector<Example> examples;
  for (const std::string& line : lines_of(block.text)) {
    if (line.starts_with("$ "))
      examples.push_back({line.substr(2), {}});
    else if (line.starts_with("> ") && !examples.empty() && examples.back().shown.empty())
      examples.back().command += "\n" + line.substr(2);
    else if (!examples.empty())
      examples.back().shown.push_back(line);
  }
  return examples;
}

// The first line of `shown` that `printed` does not have where it should be; "" if all is well.
std::string missing_line(const std::vector<std::string>& shown,
                         const std::vector<std::string>& printed) {
  auto at = printed.begin();
  bool may_skip = false;
  for (const std::string& line : shown) {
    if (line == "...") {
      may_skip = true;
      continue;
    }
    const auto found = may_skip ? std::find(at, printed.end(), line) : at;
    if (found == printed.end() || *found != line) return "`" + line + "`";
    at = found + 1;
    may_skip = false;
  }
  return {};
}

TEST(DocumentedCommands, PrintWhatIsShown) {
  std::size_t count = 0;
  std::map<std::string, cli::TemporaryFolder> folders;  // of pages with files
  for (const Block& block : every_block()) {
    if (!block.file.empty()) folders[block.page].write(block.file, block.text);
    if (block.language != "console") continue;
    const auto folder = folders.find(block.page);
    const std::string in = folder == folders.end() ? root.string() : folder->second.path("");
    const std::vector<Example> examples = examples_of(block);
    EXPECT_FALSE(examples.empty()) << block.where << ": no `$ panoptes ...`";
    for (const Example& example : examples) {
      ++count;
      ASSERT_TRUE(example.command.starts_with("panoptes "))
          << block.where << ": " << example.command;
      const auto [exit_code, output] = models::run_program(example.command.substr(9), in);
      EXPECT_TRUE(!example.shown.empty() || exit_code == 0 || exit_code == 1)
          << block.where << ": exit code " << exit_code << ": " << example.command;
      const std::string missing = missing_line(example.shown, lines_of(output));
      EXPECT_TRUE(missing.empty()) << block.where << ": no line " << missing << " there in\n"
                                   << output;
    }
  }
  EXPECT_GT(count, 10u);
}

TEST(DocumentedYaml, IsYaml) {
  std::size_t count = 0;
  for (const Block& block : every_block()) {
    if (block.language != "yaml") continue;
    ++count;
    // Debian's own Python: another one that comes first would not have Debian's packages.
    const models::Run read = models::run_shell(
        "/usr/bin/python3 -c 'import sys, yaml; print(len(yaml.safe_load(sys.stdin)))' 2>&1 "
        "<<'END'\n" +
        block.text + "END\n");
    EXPECT_EQ(read.exit_code, 0) << block.where << ": " << read.output;
  }
  EXPECT_GT(count, 0u);
}

TEST(DocumentedScripts, UseOptionsThereAre) {
  std::size_t count = 0;
  for (const Block& block : every_block()) {
    if (block.language != "sh" && block.language != "yaml") continue;
    for (const std::string& line : lines_of(block.text)) {
      const std::size_t at = line.find("panoptes ");
      if (at == std::string::npos || (at > 0 && line[at - 1] != ' ')) continue;
      std::istringstream words(line.substr(at));
      std::string word, command;
      words >> word >> command;
      if (!find_command(command)) continue;
      while (words >> word && word != "#" && word != "||" && word != "|") {
        if (!word.starts_with("--")) continue;
        ++count;
        EXPECT_NE(find_option(word.substr(2, word.find('=') - 2), command), nullptr)
            << block.where << ": " << line;
      }
    }
  }
  EXPECT_GT(count, 0u);
}

TEST(DocumentedLimits, AreThoseOfTheCompiler) {
  const std::string page = read_file(root / "docs" / "language.md");
  const std::vector<std::pair<std::string, std::size_t>> limits = {
      {"tokens behind the preprocessor", argos::Limits::expanded_tokens},
      {"depth of files that include each other", argos::Limits::include_depth},
      {"depth of statements, or of parentheses, within each other", argos::Limits::nesting},
      {"operands and operators of an expression, quantifiers written out",
       BuildLimits::expression_size},
      {"slots of a channel", BuildLimits::capacity},
      {"processes, members of families included", BuildLimits::processes},
      {"channels, members of families included", BuildLimits::channels},
      {"variables, elements of arrays included", BuildLimits::variables},
      {"control states of all processes and assertions, procedures inserted",
       BuildLimits::control_states},
      {"their transitions", BuildLimits::transitions},
      {"calls within each other", BuildLimits::call_depth},
      {"sets of states an assertion can be in", BuildLimits::assertion_subsets},
      {"errors reported in a text", Diagnostics::error_limit},
  };
  for (const auto& [what, most] : limits) {
    const std::string row = "| " + what + " | " + with_commas(most) + " |";
    EXPECT_NE(page.find(row), std::string::npos) << row;
  }
  EXPECT_EQ(SourceSet::file_bytes, 16u << 20);
  EXPECT_NE(page.find("| size of a file | 16 MiB |"), std::string::npos);
}

}  // namespace
}  // namespace panoptes::docs
