// SPDX-License-Identifier: Apache-2.0
// What a check looks for, in words: for reports that other programs show to people.
#pragma once

#include <span>
#include <string_view>

#include "rules/finding.hpp"

namespace panoptes {

struct KindInfo {
  ErrorKind kind;
  std::string_view title;  // the sentence that `panoptes explain` has of it
  std::string_view help;   // what it means and what to do about it
};
std::span<const KindInfo> kind_table();

}  // namespace panoptes
