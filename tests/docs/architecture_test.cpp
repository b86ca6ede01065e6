// SPDX-License-Identifier: Apache-2.0
// What the pages say about the sources themselves.
#include <gtest/gtest.h>

#include <map>
#include <regex>
#include <set>

#include "differential/faults.hpp"
#include "differential/table_faults.hpp"
#include "docs/pages.hpp"
#include "reversed/planted_faults.hpp"

namespace panoptes::docs {
namespace {

// What each folder of src/ uses, as src/CMakeLists.txt has it.
std::map<std::string, std::string> layers() {
  static const std::regex library(
      "panoptes_(?:library|module)\\((\\w+)(?:\\s+USES((?: [a-z]+)+))?");
  const std::string table = read_file(root / "src" / "CMakeLists.txt");
  std::map<std::string, std::string> uses;
  for (std::sregex_iterator at(table.begin(), table.end(), library), end; at != end; ++at)
    uses["`src/" + (*at)[1].str() + "`"] = (*at)[2].matched ? (*at)[2].str().substr(1) : "";
  return uses;
}

TEST(DocumentedLayers, AreThoseOfTheBuild) {
  std::map<std::string, std::string> described;
  for (const auto& cells : rows_of(section("ARCHITECTURE.md", "layers")))
    described[cells.at(0)] = cells.at(2);
  EXPECT_EQ(described, layers());
}

TEST(DocumentedPackages, AreThoseThatAreInstalled) {
  std::set<std::string> installed, described;
  for (const std::string& line : lines_of(read_file(root / "tools" / "packages.txt"))) {
    std::istringstream words(line);
    std::string group, package;
    if (!line.starts_with('#') && words >> group >> package) installed.insert(package);
  }
  static const std::regex row("\\| [^|]+ \\| `([^`]+)` \\|.*");
  std::smatch match;
  for (const std::string& line : lines_of(read_file(root / "docs" / "dependencies.md")))
    if (std::regex_match(line, match, row)) described.insert(match[1]);
  EXPECT_EQ(described, installed);
}

TEST(DocumentedFaults, AreThosePlanted) {
  std::string wanted;
  for (const differential::PlantedFault& fault : differential::all_faults())
    wanted += "- " + fault.name + "\n";
  EXPECT_EQ(section("docs/testing.md", "faults"), wanted);
  wanted.clear();
  for (const differential::PlantedFault& fault : differential::all_table_faults())
    wanted += "- " + fault.name + "\n";
  EXPECT_EQ(section("docs/testing.md", "faults of tables"), wanted);
  wanted.clear();
  for (const backward::PlantedFault& fault : backward::all_planted_faults())
    wanted += "- " + fault.name + "\n";
  EXPECT_EQ(section("docs/testing.md", "faults backwards"), wanted);
}

}  // namespace
}  // namespace panoptes::docs
