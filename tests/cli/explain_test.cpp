// SPDX-License-Identifier: Apache-2.0
// The command `explain`: complete, and true of the program it is part of.
#include <cctype>
#include <nlohmann/json.hpp>
#include <regex>
#include <set>

#include "app/explanations.hpp"
#include "cli/child.hpp"
#include "options/table.hpp"
#include "report/kinds.hpp"
#include "rules/finding.hpp"
#include "support/json.hpp"
#include "verdict/verdict.hpp"

namespace panoptes::cli {
namespace {

using Json = nlohmann::json;

std::vector<std::string> every_kind() {
  std::vector<std::string> kinds;
  for (std::uint8_t i = 0; !to_string(static_cast<ErrorKind>(i)).empty(); ++i)
    kinds.emplace_back(to_string(static_cast<ErrorKind>(i)));
  return kinds;
}

// `check MODEL` with the options of an entry.
std::vector<std::string> check_of(const Explanation& entry, const std::string& path) {
  std::vector<std::string> words{"check", path};
  for (const auto& [option, value] : entry.options) {
    words.push_back("--" + std::string(option.text()));
    if (value != "on") words.emplace_back(value);
  }
  return words;
}

// Seconds and bytes differ from run to run.
std::string without_measurements(const std::string& text) {
  const std::string measured =
      std::regex_replace(text, std::regex("[0-9.]+ (s|[KMG]?B)\\b"), "N $1");
  return std::regex_replace(measured, std::regex(", [0-9,]+ states in a second of it"), "");
}

TEST(Explain, HasAnEntryForEveryKindOfError) {
  EXPECT_EQ(every_kind().size(), 16u);
  for (const std::string& kind : every_kind()) EXPECT_NE(find_explanation(kind), nullptr) << kind;
  for (const Promise promise : {Promise::exhaustive, Promise::hashed, Promise::partial})
    EXPECT_NE(find_explanation(to_string(promise)), nullptr);
  EXPECT_NE(find_explanation("dead_code"), nullptr);
}

TEST(Explain, SaysWhichKindsABeginningMayMean) {
  const Result result = run({"explain", "dead"});
  EXPECT_EQ(result.exit_code, 2);
  EXPECT_EQ(result.errors,
            "panoptes: KIND dead: that may be deadlock or dead_code\nTry `panoptes explain "
            "--help`.\n");
  EXPECT_EQ(run({"explain", "deadl"}).exit_code, 0);
}

TEST(Explain, SaysOfAKindWhatReportsForOtherProgramsSay) {
  EXPECT_EQ(kind_table().size(), every_kind().size());
  for (const KindInfo& info : kind_table()) {
    const Explanation* const found = find_explanation(to_string(info.kind));
    ASSERT_NE(found, nullptr) << to_string(info.kind);
    std::string sentence(found->sentence);
    sentence[0] = static_cast<char>(std::toupper(sentence[0]));
    EXPECT_EQ(sentence, info.title);
  }
}

TEST(Explain, HasExamplesOfWhatItExplainsAndNothingElse) {
  const std::vector<std::string> kinds = every_kind();
  for (const Explanation& entry : explanations()) {
    const std::string kind(entry.kind);
    const TemporaryFolder folder;
    const std::string path =
        folder.write("example.argos", run({"explain", kind, "--example"}).output);
    EXPECT_EQ(read_all(path), entry.example);
    EXPECT_EQ(run({"format", "--check", path}).exit_code, 0) << kind;
    std::vector<std::string> check = check_of(entry, path);
    check.emplace_back("--json");
    const Json report = test::parse_json(run(check).output);
    std::set<std::string> found;
    for (const Json& error : report["errors"]) found.insert(error["kind"]);
    const bool is_error = std::find(kinds.begin(), kinds.end(), kind) != kinds.end();
    EXPECT_EQ(found, is_error ? std::set<std::string>{kind} : std::set<std::string>{}) << kind;
    EXPECT_TRUE(kind != "dead_code" || report["dead_code"].size() == 1);
    const std::string promise = report["promise"];
    const bool is_partial = kind == "partial" || kind == "reached";  // ends at the first witness
    EXPECT_EQ(promise, is_partial ? "partial" : kind == "hashed" ? kind : "exhaustive") << kind;
  }
}

TEST(Explain, ShowsWhatACheckOfTheExamplePrints) {
  for (const Explanation& entry : explanations()) {
    const std::string kind(entry.kind);
    const TemporaryFolder folder;
    const std::string path = folder.write("example.argos", std::string(entry.example));
    const Result check = run(check_of(entry, path));
    const std::regex in_folder(folder.path(""));
    const std::string wanted =
        std::regex_replace(without_measurements(check.errors + check.output), in_folder, "");
    const Result explained = run({"explain", kind});
    EXPECT_EQ(explained.exit_code, 0);
    EXPECT_EQ(explained.errors, "");
    EXPECT_NE(without_measurements(explained.output).find("\n" + wanted + "\n"), std::string::npos)
        << explained.output << "\nwanted\n"
        << wanted;
  }
}

TEST(Explain, ListsTheKindsAndSuggestsOne) {
  const std::string list = run({"explain"}).output;
  for (const Explanation& entry : explanations())
    EXPECT_NE(list.find(std::string(entry.kind) + " "), std::string::npos);
  const Result result = run({"explain", "deadlok"});
  EXPECT_EQ(result.exit_code, 2);
  std::string words;
  for (const Explanation& entry : explanations())
    words += (words.empty() ? "" : "|") + std::string(entry.kind);
  EXPECT_EQ(result.errors, "panoptes: KIND deadlok: wanted one of " + words +
                               "; did you mean `deadlock`?\nTry `panoptes explain --help`.\n");
  EXPECT_EQ(run({"explain", "--example"}).exit_code, 2);
}

TEST(Explain, HasTheKindsThatTheTableOfOperandsHas) {
  std::string kinds;
  for (const Explanation& entry : explanations())
    kinds += std::string(entry.kind) + ": " + std::string(entry.sentence) + "\n";
  std::string choices;
  const std::vector<Operand> operands = operands_of(*find_command("explain"));
  for (const ChoiceInfo& choice : operands[0].info.choices)
    choices += std::string(choice.word) + ": " + std::string(choice.meaning) + "\n";
  EXPECT_EQ(choices, kinds);
}

TEST(Explain, TakesAKindInOtherLettersAndByItsBeginning) {
  const std::string wanted = run({"explain", "unspecified_reception", "--example"}).output;
  for (const char* word : {"UNSPECIFIED_RECEPTION", "unspecified", "Unspecified-Reception"})
    EXPECT_EQ(run({"explain", word, "--example"}).output, wanted) << word;
  EXPECT_EQ(run({"explain", "dead", "--example"}).exit_code, 2) << "deadlock or dead_code?";
  EXPECT_EQ(run({"explain", "overflows", "--example"}).exit_code, 2);
}

}  // namespace
}  // namespace panoptes::cli
