// SPDX-License-Identifier: Apache-2.0
// What a search was like, in words: what it did not see, and its numbers.
#pragma once

#include <string>

#include "report/run_facts.hpp"
#include "verdict/verdict.hpp"

namespace panoptes {

// How much of each state it kept, what it may have missed and what it left.
std::string left_out_text(const Verdict& verdict);

// States, time and memory; more of it where the facts ask for statistics.
std::string statistics_text(const Program& program, const Verdict& verdict, const RunFacts& facts);

// Why a target of a backward search was not settled.
std::string shortage_text(const std::string& reason);

}  // namespace panoptes
