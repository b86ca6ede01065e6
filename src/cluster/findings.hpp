// SPDX-License-Identifier: Apache-2.0
// What ranks tell each other beside states, as bytes and back: how far they are, why they end,
// where a state comes from, and in the end what they have found.
//
// How it can be wrong: ranks are of the same build and byte order; nothing is checked.
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

struct RankFindings {
  Evidence evidence;
  std::vector<ErrorRecord> records;
  ErrorLog::Total total;
};
LetterBytes bytes_of(const Evidence& evidence, const ErrorLog& errors);
RankFindings findings_in(const LetterBytes& bytes);

}  // namespace panoptes
