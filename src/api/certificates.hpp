// SPDX-License-Identifier: Apache-2.0
// Certificates of what a backward search has proved, and the options that they bind.
#pragma once

#include <optional>
#include <string>

#include "api/trails.hpp"
#include "backward/certify.hpp"
#include "backward/search_backward.hpp"

namespace panoptes {

// What cannot be reached, with the invariant that says so; nothing where there is none.
// REQUIRES: `loaded` has a program.
std::optional<Certificate> certificate_of(const std::string& path, const OptionValues& values,
                                          const Loaded& loaded, const BackwardOutcome& outcome);

// The options that a certificate was made with, as a file of trails has them.
TrailFile options_of(const Certificate& certificate);

// What is wrong with the names of these options; "" where nothing is.
std::string wrong_options(const Certificate& certificate);

}  // namespace panoptes
