// SPDX-License-Identifier: Apache-2.0
// Rules as C: one translation unit that needs nothing but the standard headers.
//
// Idea: a function for each rule, which says whether it fires and makes the successor; a switch
// over the control state for each process; `panoptes_expand` around them. What it promises its
// callers stands at the head of the text.
// How it can be wrong: like every encoder of rules/lowered.hpp; a test compiles it and compares.
#pragma once

#include <functional>
#include <string>

#include "rules/lowered.hpp"

namespace panoptes {

// C11. `text_of` gives each rule as people read it, for the comments.
std::string c_text(const Lowered& lowered,
                   const std::function<std::string(std::uint32_t)>& text_of);

}  // namespace panoptes
