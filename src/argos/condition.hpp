// SPDX-License-Identifier: Apache-2.0
// The constant expressions of `#if` and `#elif`.
#pragma once

#include <functional>
#include <string_view>
#include <vector>

#include "argos/token.hpp"
#include "base/diagnostic.hpp"
#include "base/source.hpp"

namespace panoptes::argos {

using IsDefined = std::function<bool(std::string_view name)>;

// Whether the expression in `tokens` is not 0. Macros are expanded already, but for the names after
// `defined`; names that are left count as 0. An error in the expression is reported, at `directive`
// where there is no better place, and counts as false.
bool condition_holds(const std::vector<Token>& tokens, Place directive, const IsDefined& is_defined,
                     const SourceSet& sources, Diagnostics& diagnostics);

}  // namespace panoptes::argos
