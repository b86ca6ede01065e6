// SPDX-License-Identifier: Apache-2.0
// A trail as text, in the form that somebody asks for by name.
#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "options/values.hpp"
#include "report/text.hpp"

namespace panoptes {

// The chart that a word of --chart means; nothing where that depends, or where it is none.
std::optional<ChartKind> chart_kind(ChartWord word);

// What a report is written to; if nothing is said, nobody knows.
struct Surface {
  std::size_t width = 0;     // in columns; 0 where nobody says
  bool is_terminal = false;  // where charts are drawn, and not listed
  bool has_colour = false;
};

// How the report of a check draws, by --chart and --width and what it is written to.
void choose_chart(const OptionValues& values, const Surface& surface, RunFacts& facts);

// Step by step; with the cycle of a livelock.
std::string steps_text(const Program& program, const SourceSet& sources, const ErrorReport& shown,
                       const RunFacts& facts);

// The trail of an error, or of a run without one: `form` is a word of --chart or `svg`.
// Nothing where there is no such form.
std::optional<std::string> chart_text(const Program& program, const SourceSet& sources,
                                      const ErrorReport& shown, std::string_view form,
                                      std::size_t width);

}  // namespace panoptes
