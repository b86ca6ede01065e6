// SPDX-License-Identifier: Apache-2.0
// A verdict for people.
#pragma once

#include <string>
#include <vector>

#include "base/deadline.hpp"
#include "report/chart.hpp"
#include "report/error_list.hpp"
#include "report/number_text.hpp"
#include "report/run_facts.hpp"
#include "report/sink.hpp"
#include "verdict/verdict.hpp"

namespace panoptes {

// Long charts are folded, whatever they are drawn with, unless all of it is wanted.
ChartOptions options_of(ChartKind kind);

// False where `sink` does not take all of it.
bool text_report(const Program& program, const Verdict& verdict, const SourceSet& sources,
                 const RunFacts& facts, const Sink& sink);

// Why the trail of an error cannot be shown, as far as it cannot: one that nobody asked for so far
// can.
TrailGap gap_of(const ErrorReport& error, const RunFacts& facts);
// The same where it is shown only if it is asked for: what could not be shown anyway is said first.
TrailGap gap_of(const ListedError& listed, const RunFacts& facts);

// The trail of an error as `facts` have it, and the cycle of a livelock; with its steps where they
// are wanted, or where there are no messages to have in columns. Charts stand at the left edge, to
// be copied. "" where nothing happens in it. Whoever has --steps is told of it where columns do not
// show all.
std::string trail_text(const Program& program, const ErrorReport& error, const SourceSet& sources,
                       const RunFacts& facts, bool has_steps_option = false);

// The part of it that is about one error, a blank line behind it; with its number, where it is one
// of several.
std::string error_text(const Program& program, const ListedError& listed, const SourceSet& sources,
                       const RunFacts& facts, bool is_one_of_several);

// The rest of it: dead code, verdict, numbers.
std::string summary_text(const Program& program, const Verdict& verdict, const SourceSet& sources,
                         const RunFacts& facts);

// "violated: 2 errors, no others"; of narrowed channels it says so.
std::string verdict_sentence(const Program& program, const Verdict& verdict);

}  // namespace panoptes
