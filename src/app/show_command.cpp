// SPDX-License-Identifier: Apache-2.0
#include "app/show_command.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cstdio>
#include <iterator>

#include "api/shown_searches.hpp"
#include "app/arguments.hpp"
#include "app/commands.hpp"
#include "app/load.hpp"
#include "app/memory.hpp"
#include "app/output.hpp"
#include "app/system.hpp"
#include "app/time_limit.hpp"
#include "app/trails.hpp"
#include "base/parse_value.hpp"
#include "options/table.hpp"
#include "report/show.hpp"
#include "report/svg.hpp"

namespace panoptes {
namespace {

// As wide as the terminal and in colours, where it is one and nobody minds.
TextStyle style_of(const Arguments& arguments) {
  TextStyle style;
  if (arguments.has(option::output)) return style;
  style.width = terminal_width();
  style.has_colour = style.width > 0 && wants_colour();
  return style;
}

// How the rows of --holes are made; JSON has both, so that it must have room for places.
RowsBy rows_by(const Arguments& arguments) {
  return arguments.get(option::show_format) == ShowFormat::json ? RowsBy::place
                                                                : arguments.get(option::by);
}

// A picture that has to be laid out.
bool needs_graphviz(const Arguments& arguments) {
  return arguments.get(option::show_format) == ShowFormat::svg && !arguments.has(option::holes);
}

// What a search has found out, for the views that need one.
Searched search_for(const Arguments& arguments, const Loaded& loaded) {
  CheckOptions options = show_options(arguments);
  set_time_limits(arguments, options.limits);
  if (needs_graphviz(arguments)) options.limits.seconds /= 2.0;  // the picture has the rest
  options.interrupted = &interrupted();
  measure_memory(arguments, options.explore);
  ProgressLine progress(arguments.has(option::progress));
  options.observer = progress.observer();
  Searched searched;
  if (arguments.has(option::holes)) searched.arrivals = arrivals_of(loaded, options);
  if (!arguments.has(option::graph)) return searched;
  // Its store takes large pieces, and the first may be more than there is.
  const LoadCeiling ceiling(arguments);
  searched.graph = graph_of(arguments, loaded, options);
  return searched;
}

// Why a search has not seen everything, for who has put what it found out of sight. Only text says
// so itself where everybody reads it.
void tell_what_is_missing(const Arguments& arguments, const Searched& searched) {
  if (searched.has_seen_all() ||
      (arguments.get(option::show_format) == ShowFormat::text && !arguments.has(option::output)))
    return;
  const Stop stop = searched.graph && !searched.graph->is_counted() ? searched.graph->stop()
                                                                    : searched.arrivals->stop;
  tell(fmt::format("panoptes: the search has not seen everything ({}){}\n", to_string(stop),
                   stop == Stop::time && !arguments.is_given(option::time)
                       ? fmt::format("; --time is {} if not given", arguments.text(option::time))
                       : ""));
}

// What a view is made of.
struct Shown {
  HolesRequest holes() const { return {strictness.receptions, by}; }

  const Program& program;
  const SourceSet& sources;
  const Searched& searched;
  Strictness strictness;
  RowsBy by;
  bool is_backward;
  TextStyle style;
};

// One thing to show; only some can be drawn, and only one is code.
struct View {
  using Print = std::string (*)(const Shown& shown);

  OptionName option;
  Print text, json;
  Print dot = nullptr;
  bool is_searched_for = false;  // else the model alone tells
  Print c = nullptr;
  Print csv = nullptr, svg = nullptr;  // a table, which is a picture without Graphviz

  // What makes it in that format, or the drawing of which a picture is made; nothing where it has
  // none.
  Print in(ShowFormat format) const {
    switch (format) {
      case ShowFormat::text: return text;
      case ShowFormat::json: return json;
      case ShowFormat::dot: return dot;
      case ShowFormat::svg: return svg ? svg : dot;
      case ShowFormat::csv: return csv;
      case ShowFormat::c: return c;
    }
    return nullptr;
  }
};

constexpr View views[] = {
    {option::automata, [](const Shown& s) { return show_automata(s.program, s.sources); },
     [](const Shown& s) { return show_automata_json(s.program, s.sources); },
     [](const Shown& s) { return show_automata_dot(s.program, s.sources); }},
    {option::tables,
     [](const Shown& s) {
       return s.is_backward ? show_backward_tables(s.program, s.sources, s.style)
                            : show_tables(s.program, s.sources, s.style);
     },
     [](const Shown& s) {
       return s.is_backward ? show_backward_tables_json(s.program, s.sources)
                            : show_tables_json(s.program, s.sources);
     }},
    {option::channels, [](const Shown& s) { return show_channels(s.program, s.style); },
     [](const Shown& s) { return show_channels_json(s.program); },
     [](const Shown& s) { return show_channels_dot(s.program); }},
    {option::holes,
     [](const Shown& s) {
       return show_holes(s.program, s.sources, *s.searched.arrivals, s.holes(), s.style);
     },
     [](const Shown& s) {
       return show_holes_json(s.program, s.sources, *s.searched.arrivals, s.strictness.receptions);
     },
     nullptr, true, nullptr,
     [](const Shown& s) { return show_holes_csv(s.program, *s.searched.arrivals, s.holes()); },
     [](const Shown& s) {
       return show_holes_svg(s.program, s.sources, *s.searched.arrivals, s.holes());
     }},
    {option::graph,
     [](const Shown& s) {
       return show_graph(s.program, *s.searched.graph, s.sources, s.strictness);
     },
     [](const Shown& s) {
       return show_graph_json(s.program, *s.searched.graph, s.sources, s.strictness);
     },
     [](const Shown& s) {
       return show_graph_dot(s.program, *s.searched.graph, s.sources, s.strictness);
     },
     true},
    {option::rules, [](const Shown& s) { return show_rules(s.program); },
     [](const Shown& s) { return show_rules_json(s.program); }, nullptr, false,
     [](const Shown& s) { return show_rules_c(s.program); }},
    {option::layout, [](const Shown& s) { return show_layout(s.program); },
     [](const Shown& s) { return show_layout_json(s.program); }},
};

std::vector<std::string> formats_of(const View& view) {
  std::vector<std::string> formats;
  for (const ChoiceInfo& choice : row_of(option::show_format, "show").choices)
    if (view.in(static_cast<ShowFormat>(choice.value))) formats.emplace_back(choice.word);
  return formats;
}

// All that is asked for, one after the other; only of text there can be several.
std::string print_views(const Arguments& arguments, const Shown& shown) {
  const ShowFormat format = arguments.get(option::show_format);
  std::string out;
  for (const View& view : views) {
    if (!arguments.has(view.option)) continue;
    if (!out.empty()) out += "\n";
    out += view.in(format)(shown);
  }
  return out;
}

}  // namespace

std::string wrong_view(const Arguments& arguments) {
  const ShowFormat format = arguments.get(option::show_format);
  std::vector<std::string> there;
  std::size_t wanted = 0;
  for (const View& view : views) {
    there.push_back(fmt::format("--{}", view.option.text()));
    if (!arguments.has(view.option)) continue;
    ++wanted;
    if (!view.in(format))
      return fmt::format("{} has no --format {}; it has {}", there.back(),
                         arguments.text(option::show_format), fmt::join(formats_of(view), ", "));
  }
  if (wanted == 0)
    return fmt::format("show what? {} or {}",
                       fmt::join(there.begin(), std::prev(there.end()), ", "), there.back());
  if (wanted > 1 && format != ShowFormat::text)
    return fmt::format("--format {} shows one thing at a time",
                       arguments.text(option::show_format));
  return {};
}

bool shows_what_a_search_finds(const Arguments& arguments) {
  return std::ranges::any_of(
      views, [&](const View& view) { return view.is_searched_for && arguments.has(view.option); });
}

int show_command(const Arguments& arguments) {
  const Loaded loaded = load(arguments);
  tell(loaded.diagnostics.render(loaded.sources));
  if (!loaded.program) return ExitCode::bad_input;
  const Program& program = *loaded.program;
  if (arguments.has(option::holes))
    if (const std::string problem = too_large_for_holes(program, rows_by(arguments));
        !problem.empty())
      return complain(problem);
  // Before a search that may take its time.
  Output output(arguments.get(option::output));
  if (!output.is_open()) return complain(fmt::format("--output {}", output.problem()));
  Searched searched;
  std::string out;
  try {
    searched = search_for(arguments, loaded);
  } catch (const InternalFault& fault) {
    return own_fault(fault.what());
  }
  out = print_views(
      arguments, {program, loaded.sources, searched, strictness_of(arguments), rows_by(arguments),
                  arguments.has(option::backward), style_of(arguments)});
  if (needs_graphviz(arguments)) {
    const auto picture = picture_of(out, command_deadline(arguments).seconds_left(), interrupted());
    if (!picture) {
      tell(fmt::format("panoptes: {}\n", picture.failure().message));
      return picture.failure().is_cut_off ? ExitCode::unknown : ExitCode::bad_input;
    }
    out = picture->svg;
  }
  if (!output.write(out) || !output.keep()) {
    tell(fmt::format("panoptes: cannot write to {}\n", arguments.has(option::output)
                                                           ? arguments.get(option::output)
                                                           : "standard output"));
    return ExitCode::internal_failure;
  }
  tell_what_is_missing(arguments, searched);
  return searched.has_seen_all() ? ExitCode::holds : ExitCode::unknown;
}

}  // namespace panoptes
