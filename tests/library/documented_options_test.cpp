// SPDX-License-Identifier: Apache-2.0
// The page of the library names every option, under what it is given to.
#include <gtest/gtest.h>

#include <set>

#include "api/asked.hpp"
#include "docs/pages.hpp"

namespace panoptes::library {
namespace {

// The words in backticks.
std::set<std::string> names_in(const std::string& text) {
  std::set<std::string> names;
  for (std::size_t at = text.find('`'); at != std::string::npos;) {
    const std::size_t end = text.find('`', at + 1);
    names.insert(text.substr(at + 1, end - at - 1));
    at = text.find('`', end + 1);
  }
  return names;
}

std::set<std::string> options_of(AskedOf what) {
  std::set<std::string> names;
  for (const OptionInfo& option : option_table())
    if (is_asked_of(what, option)) names.emplace(option.name);
  return names;
}

TEST(DocumentedLibraryOptions, AreThoseOfTheLibrary) {
  EXPECT_EQ(names_in(docs::section("docs/library.md", "options of a model")),
            options_of(AskedOf::model));
  EXPECT_EQ(names_in(docs::section("docs/library.md", "options of a check")),
            options_of(AskedOf::check));
}

}  // namespace
}  // namespace panoptes::library
