// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include "report/graph_view.hpp"
#include "report/show.hpp"
#include "report/state_text.hpp"

namespace panoptes {
namespace {

std::string wrong_text(const GraphView::Wrong& wrong) {
  return fmt::format("{}{}: {}", wrong.is_warning ? "warning: " : "", to_string(wrong.kind),
                     wrong.text);
}

std::string title(const GraphView& view, std::uint64_t number) {
  const GraphView::State& state = view.states[number];
  std::string out = fmt::format("{}{}{}: {}\n", number, number == 0 ? " (start)" : "",
                                state.may_end ? " (may end)" : "", state_words(state));
  for (const GraphView::Wrong& wrong : state.wrong)
    out += fmt::format("    ✗ {}\n", wrong_text(wrong));
  return out;
}

}  // namespace

std::string show_graph(const Program& program, const GlobalGraph& graph, const SourceSet& sources,
                       const Strictness& strictness) {
  const GraphView view = graph_view(program, graph, sources, strictness);
  std::vector<std::string> below(view.states.size());
  for (const GraphView::Step& step : view.steps) {
    std::string& out = below[step.source];
    out += fmt::format("    {} {}", step.process, step.action);
    out += step.wrong.empty() ? fmt::format(" -> {}\n", step.target) : " fails\n";
    for (const GraphView::Wrong& wrong : step.wrong)
      out += fmt::format("        ✗ {}\n", wrong_text(wrong));
  }
  std::string out;
  for (std::uint64_t s = 0; s < view.states.size(); ++s) {
    const GraphView::State& state = view.states[s];
    out += title(view, s) + below[s];
    if (state.left_out > 0)
      out += fmt::format("    {} to states left out\n", plural(state.left_out, "step", "steps"));
    if (!state.is_expanded) out += "    its steps are not known\n";
  }
  return out + graph_summary(graph) + "\n";
}

}  // namespace panoptes
