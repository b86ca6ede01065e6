// SPDX-License-Identifier: Apache-2.0
// A model as text, taken as far as a verdict. Throws as protocol.hpp does.
#pragma once

#include <stdexcept>
#include <string>
#include <utility>

#include "search/check_program.hpp"
#include "support/program.hpp"

namespace panoptes::test {

inline Verdict check(const Compiled& compiled, const CheckOptions& options = {}) {
  auto verdict = check_program(compiled.program, compiled.sources, options);
  if (!verdict) throw std::runtime_error(verdict.failure());
  return std::move(*verdict);
}

}  // namespace panoptes::test
