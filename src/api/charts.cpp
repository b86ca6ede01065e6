// SPDX-License-Identifier: Apache-2.0
#include "api/charts.hpp"

#include "report/columns.hpp"

namespace panoptes {

std::optional<ChartKind> chart_kind(std::string_view word) {
  if (word == "columns") return ChartKind::columns;
  if (word == "text") return ChartKind::text;
  if (word == "full") return ChartKind::full;
  if (word == "mermaid") return ChartKind::mermaid;
  if (word == "plantuml") return ChartKind::plantuml;
  return {};
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
  if (form == "steps") return steps_text(program, sources, shown, facts);
  if (form == "svg")
    return svg_charts({{shown.description.text, make_chart(program, shown, sources)}}, "");
  const auto kind = chart_kind(form);
  if (!kind) return {};
  facts.chart = *kind;
  return trail_text(program, shown, sources, facts);
}

}  // namespace panoptes
