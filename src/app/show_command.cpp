// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <algorithm>
#include <cstdio>
#include <thread>

#include "app/arguments.hpp"
#include "app/commands.hpp"
#include "app/load.hpp"
#include "app/memory.hpp"
#include "app/output.hpp"
#include "app/system.hpp"
#include "base/options.hpp"
#include "report/show.hpp"
#include "report/svg.hpp"
#include "search/arrivals.hpp"

namespace panoptes {
namespace {

// As wide as the terminal and in colours, where it is one and nobody minds.
TextStyle style_of(const Arguments& arguments) {
  TextStyle style;
  if (arguments.has("output")) return style;
  style.width = terminal_width();
  style.has_colour = style.width > 0 && wants_colour();
  return style;
}

double seconds_of(const Arguments& arguments) {
  return parse_duration(arguments.get("time")).value_or(0.0);
}

Arrivals search(const Arguments& arguments, const Program& program) {
  CheckOptions options;
  options.threads = std::max(1u, std::thread::hardware_concurrency());
  options.limits.memory_bytes = memory_of(arguments);
  options.limits.seconds = seconds_of(arguments);
  options.interrupted = &interrupted();
  measure_memory(arguments, options.explore);
  ProgressLine progress;
  options.observer = progress.observer();
  return find_arrivals(program, options);
}

// All that is asked for, one after the other. `arrivals`: where --holes is.
std::string views(const Arguments& arguments, const Loaded& loaded,
                  const std::optional<Arrivals>& arrivals) {
  const Program& program = *loaded.program;
  const SourceSet& sources = loaded.sources;
  const TextStyle style = style_of(arguments);
  const bool json = arguments.get("format") == "json";
  std::string out;
  const auto add = [&](const char* view, auto text, auto as_json) {
    if (!arguments.has(view)) return;
    if (!out.empty() && !json) out += "\n";
    out += json ? as_json() : text();
  };
  add(
      "automata", [&] { return show_automata(program, sources); },
      [&] { return show_automata_json(program, sources); });
  add(
      "tables", [&] { return show_tables(program, sources, style); },
      [&] { return show_tables_json(program, sources); });
  add(
      "channels", [&] { return show_channels(program, style); },
      [&] { return show_channels_json(program); });
  add(
      "holes", [&] { return show_holes(program, sources, *arrivals, style); },
      [&] { return show_holes_json(program, sources, *arrivals); });
  add(
      "rules", [&] { return show_rules(program); }, [&] { return show_rules_json(program); });
  add(
      "layout", [&] { return show_layout(program); }, [&] { return show_layout_json(program); });
  return out;
}

}  // namespace

int show_command(const Arguments& arguments) {
  const Loaded loaded = load(arguments);
  fmt::print(stderr, "{}", loaded.diagnostics.render(loaded.sources));
  if (!loaded.program) return ExitCode::bad_input;
  const Program& program = *loaded.program;
  // Before a search that may take its time.
  Output output(arguments.get("output"));
  if (!output.is_open()) return complain(fmt::format("--output {}", output.problem()));
  const std::string format = arguments.get("format");
  std::optional<Arrivals> arrivals;
  std::string out;
  try {
    if (arguments.has("holes")) arrivals = search(arguments, program);
  } catch (const InternalFault& fault) {
    return own_fault(fault.what());
  }
  if (format == "dot" || format == "svg")
    out = arguments.has("automata") ? show_automata_dot(program, loaded.sources)
                                    : show_channels_dot(program);
  else
    out = views(arguments, loaded, arrivals);
  if (format == "svg") {
    const auto picture = picture_of(out, seconds_of(arguments), interrupted());
    if (!picture) {
      fmt::print(stderr, "panoptes: {}\n", picture.failure().message);
      return picture.failure().is_cut_off ? ExitCode::unknown : ExitCode::bad_input;
    }
    out = picture->svg;
  }
  if (!output.write(out) || !output.keep()) {
    fmt::print(stderr, "panoptes: cannot write to {}\n",
               arguments.has("output") ? arguments.get("output") : "standard output");
    return ExitCode::internal_failure;
  }
  return arrivals && arrivals->promise != Promise::exhaustive ? ExitCode::unknown : ExitCode::holds;
}

}  // namespace panoptes
