// SPDX-License-Identifier: Apache-2.0
// A model as text, taken as far as a verdict. Throws as protocol.hpp does.
#pragma once

#include <stdexcept>
#include <string>
#include <utility>

#include "search/check.hpp"
#include "support/program.hpp"

namespace panoptes::test {

inline Verdict check(const Compiled& compiled, const CheckOptions& options = {}) {
  std::string problem;
  auto verdict = panoptes::check(compiled.program, compiled.sources, options, problem);
  if (!verdict) throw std::runtime_error(problem);
  return std::move(*verdict);
}

}  // namespace panoptes::test
