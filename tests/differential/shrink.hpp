// SPDX-License-Identifier: Apache-2.0
// From a protocol that shows a failure to a small one that still does.
//
// Edits are tried one after the other, the large ones first: leave out a process, an assertion, a
// procedure, a declaration, a statement, an option; replace a choice by one of its options or an
// expression by one of its parts; make numbers smaller. An edit stays if the failure does. The
// rounds go on until nothing more can be left out or the budget is spent.
#pragma once

#include <cstddef>
#include <functional>
#include <string>

namespace panoptes::differential {

struct ShrinkBudget {
  std::size_t attempts = 5'000;  // calls of `still_fails`
  double seconds = 60;
};

// `still_fails` is asked only about texts that parse; it must itself turn away models that parse
// but are wrong in another way than the one looked for. Returns `text`, as unparse() writes it, or
// something smaller for which `still_fails` was true.
std::string shrink(const std::string& text,
                   const std::function<bool(const std::string& text)>& still_fails,
                   const ShrinkBudget& budget = {});

}  // namespace panoptes::differential
