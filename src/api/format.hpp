// SPDX-License-Identifier: Apache-2.0
// Text of a model, laid out.
#pragma once

#include <optional>
#include <string>

#include "base/diagnostic.hpp"
#include "base/result.hpp"

namespace panoptes {

struct LaidOut {
  SourceSet sources;
  Diagnostics diagnostics;
  std::optional<std::string> text;  // nothing where there are errors
};

// The text of the file `path`, laid out. A failure is a fault of Panoptes, and says which.
Result<LaidOut, std::string> lay_out(const std::string& path, std::string text);

}  // namespace panoptes
