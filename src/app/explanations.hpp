// SPDX-License-Identifier: Apache-2.0
// What reports speak of, explained: one entry for each kind of error, and for what else stands in a
// verdict. The reports of `panoptes explain` are made from the examples when it is asked, so they
// cannot differ from what `check` prints.
#pragma once

#include <span>
#include <string_view>
#include <utility>
#include <vector>

#include "options/option.hpp"

namespace panoptes {

struct Explanation {
  std::string_view kind;      // as reports have it
  std::string_view sentence;  // what it is, in a line
  std::string_view meaning;   // in full
  std::string_view example;   // a model of which `check` reports it, and no other error
  std::vector<std::pair<OptionName, std::string_view>> options;  // that it takes, with values
  std::string_view causes;                                       // how it usually comes about
  std::string_view remedies;                                     // what to do
};

std::span<const Explanation> explanations();
const Explanation* find_explanation(std::string_view kind);

}  // namespace panoptes
