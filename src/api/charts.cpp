// SPDX-License-Identifier: Apache-2.0
#include "api/charts.hpp"

#include "options/parse.hpp"
#include "report/columns.hpp"

namespace panoptes {

std::optional<ChartKind> chart_kind(ChartWord word) {
  switch (word) {
    case ChartWord::automatic:
    case ChartWord::steps: return {};
    case ChartWord::columns: return ChartKind::columns;
    case ChartWord::text: return ChartKind::text;
    case ChartWord::full: return ChartKind::full;
    case ChartWord::mermaid: return ChartKind::mermaid;
    case ChartWord::plantuml: return ChartKind::plantuml;
  }
  return {};
}

void choose_chart(const OptionValues& values, const Surface& surface, RunFacts& facts) {
  const auto width = values.get(option::width);
  const bool is_drawn = surface.is_terminal || width;
  facts.chart = chart_kind(values.get(option::chart))
                    .value_or(is_drawn ? ChartKind::text : ChartKind::columns);
  facts.style = {width.value_or(surface.width), surface.has_colour};
}

std::string steps_text(const Program& program, const SourceSet& sources, const ErrorReport& shown,
                       const RunFacts& facts) {
  StepListing listing;
  listing.below = facts.show_states ? StepListing::Below::state : StepListing::Below::changes;
  if (facts.style.width > 0) listing.width = facts.style.width;
  std::string text = step_report(program, shown.trail, sources, listing);
  if (shown.cycle.steps.empty()) return text;
  listing.first = shown.trail.steps.size() + 1;
  listing.start = shown.trail.whereabouts;
  return text + "  then repeats:\n" + step_report(program, shown.cycle, sources, listing);
}

std::optional<std::string> chart_text(const Program& program, const SourceSet& sources,
                                      const ErrorReport& shown, std::string_view form,
                                      std::size_t width) {
  RunFacts facts;
  facts.style.width = width;
  if (form == "svg")
    return svg_charts({{shown.description.text, make_chart(program, shown, sources)}}, "");
  const auto word = parse_word(row_of(option::chart, "replay"), std::string(form));
  if (!word) return {};
  if (ChartWord{*word} == ChartWord::steps) return steps_text(program, sources, shown, facts);
  facts.chart = chart_kind(ChartWord{*word}).value_or(ChartKind::text);
  return trail_text(program, shown, sources, facts);
}

}  // namespace panoptes
