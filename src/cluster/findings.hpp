// SPDX-License-Identifier: Apache-2.0
// What ranks tell each other beside states, as bytes and back: how far they are, why they end,
// where a state comes from, and in the end what they have found.
//
// How it can fail: ranks are of the same version and byte order, which Cluster::make() has asked.
// Whoever reads a letter that is too short or too long all the same throws InternalFault.
#pragma once

#include <cstddef>
#include <vector>

#include "search/monitor.hpp"
#include "search/origin_log.hpp"
#include "verdict/error_log.hpp"
#include "verdict/judge.hpp"

namespace panoptes {

using LetterBytes = std::vector<std::byte>;

LetterBytes bytes_of(Stop reason);
Stop stop_in(const LetterBytes& bytes);

LetterBytes bytes_of(const Progress& progress);
Progress progress_in(const LetterBytes& bytes);

LetterBytes bytes_of(StateName state);
StateName name_in(const LetterBytes& bytes);

LetterBytes bytes_of(const StateOrigin& origin);
StateOrigin origin_in(const LetterBytes& bytes);

// What a rank has found. REQUIRES: its search has ended, and measured.cluster is there.
LetterBytes bytes_of(const Evidence& evidence, const ErrorLog& errors);
// REQUIRES: `errors` is empty.
Evidence findings_in(const LetterBytes& bytes, ErrorLog& errors);

}  // namespace panoptes
