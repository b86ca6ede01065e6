// SPDX-License-Identifier: Apache-2.0
#include "app/report_files.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cstdio>

#include "api/charts.hpp"
#include "api/remedies.hpp"
#include "api/reported_options.hpp"
#include "api/trails.hpp"
#include "app/arguments.hpp"
#include "app/system.hpp"
#include "app/time_limit.hpp"
#include "base/clock.hpp"
#include "base/parse_value.hpp"
#include "options/table.hpp"
#include "report/chart.hpp"
#include "report/html.hpp"
#include "report/json.hpp"
#include "report/junit.hpp"
#include "report/sarif.hpp"

namespace panoptes {
namespace {

struct ReportForm {
  std::string_view extension;
  bool (*of)(const Checked& checked, const Sink& sink);
  std::string (*of_input_error)(const std::string& model, const Loaded& loaded);
};

// The errors and warnings whose trails are asked for, as far as a file has room for them.
std::vector<ListedError> drawn_errors(const Checked& c, std::size_t most = SIZE_MAX) {
  std::vector<ListedError> drawn;
  const ErrorList list(*c.loaded.program, c.verdict, c.facts.request, trails_for_people);
  for (const ListedError& listed : list.all())
    if (drawn.size() < most && gap_of(listed, c.facts) == TrailGap::no_gap) drawn.push_back(listed);
  return drawn;
}

NamedChart chart_of(const Checked& c, const ListedError& listed) {
  const WholeError whole(*c.loaded.program, *listed.error);
  return {fmt::format("{}: {} {}", listed.number, whole->is_warning ? "warning" : "error",
                      to_string(whole->description.kind)),
          make_chart(*c.loaded.program, *whole, c.loaded.sources, options_of(c.facts.chart))};
}

std::string headline_of(const Checked& c, std::size_t drawn) {
  std::string headline =
      fmt::format("{}: {}", c.facts.model, verdict_sentence(*c.loaded.program, c.verdict));
  const bool is_chosen = !c.facts.request.show.empty() || !c.facts.request.only.empty();
  if (c.verdict.errors.size() + c.verdict.warnings.size() > drawn)
    headline += is_chosen    ? fmt::format(" ({} of them drawn)", drawn)
                : drawn == 1 ? " (the first is drawn)"
                             : fmt::format(" (the first {} are drawn)", drawn);
  return headline;
}

// How large a picture is stands at its beginning, so that it is made as a whole.
bool svg_report(const Checked& c, const Sink& sink) {
  std::vector<NamedChart> charts;
  for (const ListedError& listed : drawn_errors(c)) charts.push_back(chart_of(c, listed));
  return sink(svg_charts(charts, headline_of(c, charts.size())));
}

// Charts behind comments, one by one.
template <std::string draw(const Chart&)>
bool document_report(const Checked& c, std::string_view comment, std::size_t most,
                     const Sink& sink) {
  const std::vector<ListedError> drawn = drawn_errors(c, most);
  if (!sink(fmt::format("{} {}\n", comment, headline_of(c, drawn.size())))) return false;
  for (const ListedError& listed : drawn) {
    const NamedChart chart = chart_of(c, listed);
    if (!sink(fmt::format("{} {}\n{}", comment, chart.title, draw(chart.chart)))) return false;
  }
  return true;
}

// Pictures of automata may take longer than anybody waits, and a page does without.
bool page_report(const Checked& c, const Sink& sink) {
  constexpr double most_seconds = 5.0, most_seconds_in_all = 15.0;
  const double start = steady_seconds();
  const DrawPicture draw = [&](const std::string& dot) {
    const double left =
        std::min(c.facts.deadline.seconds_left(), most_seconds_in_all - (steady_seconds() - start));
    return picture_of(dot, std::min(most_seconds, left / 2.0), interrupted());
  };
  return html_report({*c.loaded.program, c.verdict, c.loaded.sources, c.loaded.diagnostics,
                      c.options, c.facts, draw},
                     sink);
}

std::string unchecked(const std::string& model, const Loaded& loaded) {
  return fmt::format("{}: cannot be checked: {} errors in it", model,
                     loaded.diagnostics.error_count());
}

constexpr ReportForm forms[] = {
    {".txt",
     [](const Checked& c, const Sink& sink) {
       return sink(c.loaded.diagnostics.render(c.loaded.sources)) &&
              text_report(*c.loaded.program, c.verdict, c.loaded.sources, c.facts, sink);
     },
     [](const std::string&, const Loaded& loaded) {
       return loaded.diagnostics.render(loaded.sources);
     }},
    {".svg", svg_report,
     [](const std::string& model, const Loaded& loaded) {
       return svg_charts({}, unchecked(model, loaded));
     }},
    // A file has one diagram in the one language, and any number of them in the other.
    {".mmd",
     [](const Checked& c, const Sink& sink) {
       return document_report<mermaid_chart>(c, "%%", 1, sink);
     },
     [](const std::string& model, const Loaded& loaded) {
       return fmt::format("%% {}\n", unchecked(model, loaded));
     }},
    {".puml",
     [](const Checked& c, const Sink& sink) {
       return document_report<plantuml_chart>(c, "'", SIZE_MAX, sink);
     },
     [](const std::string& model, const Loaded& loaded) {
       return fmt::format("' {}\n", unchecked(model, loaded));
     }},
    {".html", page_report,
     [](const std::string& model, const Loaded& loaded) {
       return html_input_error(model, loaded.sources, loaded.diagnostics);
     }},
    {".json",
     [](const Checked& c, const Sink& sink) {
       return json_report(*c.loaded.program, c.verdict, c.loaded.sources, c.loaded.diagnostics,
                          c.options, c.facts, sink);
     },
     [](const std::string& model, const Loaded& loaded) {
       return json_input_error(model, loaded.sources, loaded.diagnostics);
     }},
    {".sarif",
     [](const Checked& c, const Sink& sink) {
       return sarif_report(*c.loaded.program, c.verdict, c.loaded.sources, c.loaded.diagnostics,
                           c.facts, sink);
     },
     [](const std::string& model, const Loaded& loaded) {
       return collected([&](const Sink& sink) {
         return sarif_input_error(model, loaded.sources, loaded.diagnostics, sink);
       });
     }},
    {".xml",
     [](const Checked& c, const Sink& sink) {
       return sink(junit_report(*c.loaded.program, c.verdict, c.loaded.sources,
                                c.loaded.diagnostics, c.facts));
     },
     [](const std::string& model, const Loaded& loaded) {
       return junit_input_error(model, loaded.sources, loaded.diagnostics);
     }},
};

const ReportForm* form_of(const std::string& path) {
  const auto* const found =
      std::find_if(std::begin(forms), std::end(forms),
                   [&](const ReportForm& form) { return path.ends_with(form.extension); });
  return found == std::end(forms) ? nullptr : found;
}

int exit_code(Outcome outcome) {
  switch (outcome) {
    case Outcome::holds: return ExitCode::holds;
    case Outcome::violated: return ExitCode::errors_found;
    case Outcome::unknown: return ExitCode::unknown;
  }
  return ExitCode::internal_failure;
}

Surface surface_of_output() {
  const std::size_t width = terminal_width();
  return {width > 0 ? width : environment_width(), width > 0, width > 0 && wants_colour()};
}

bool print_report(const std::string& text) {
  if (print(text)) return true;
  tell("panoptes: cannot write the report\n");
  return false;
}

}  // namespace

std::string wrong_report(const std::vector<std::string>& paths) {
  for (const std::string& path : paths) {
    if (form_of(path)) continue;
    std::string known;
    for (const ReportForm& form : forms)
      known += fmt::format("{}{}", known.empty() ? "" : ", ", form.extension);
    return fmt::format("--report {}: wanted a name that ends in one of {}", path, known);
  }
  return {};
}

bool ReportFiles::write(const Checked& checked) {
  return files_.write(
      [&](const std::string& path, const Sink& sink) { return form_of(path)->of(checked, sink); });
}

bool ReportFiles::write_input_error(const std::string& model, const Loaded& loaded) {
  return files_.write([&](const std::string& path, const Sink& sink) {
    return sink(form_of(path)->of_input_error(model, loaded));
  });
}

std::optional<int> begin_report(const Arguments& arguments, const Loaded& loaded,
                                ReportFiles& files) {
  const bool json = arguments.has(option::json);
  if (!json || !loaded.program) tell(loaded.diagnostics.render(loaded.sources));
  if (loaded.program) return {};
  const bool is_printed =
      !json || print_report(json_input_error(arguments.model, loaded.sources, loaded.diagnostics));
  const bool is_written = files.write_input_error(arguments.model, loaded);
  return is_printed && is_written ? ExitCode::bad_input : ExitCode::internal_failure;
}

RunFacts facts_of(const Arguments& arguments) {
  RunFacts facts;
  facts.model = arguments.model;
  facts.fixed_bytes = arguments.fixed_bytes;
  const std::uint64_t peak = peak_resident_bytes();  // 0 where the system does not say
  facts.memory_bytes = peak - std::min(peak, arguments.fixed_bytes);
  facts.show_steps = arguments.has(option::steps);
  facts.show_states = arguments.has(option::state);
  facts.show_statistics = arguments.has(option::stats);
  facts.request = error_request(arguments);
  facts.deadline = report_deadline(arguments);
  choose_chart(arguments, surface_of_output(), facts);
  return facts;
}

int report(const Arguments& arguments, const Loaded& loaded, const Verdict& verdict,
           ReportFiles& files, const std::string& confirmation) {
  const std::map<std::string, std::string> options = reported_options(arguments);
  RunFacts facts = facts_of(arguments);
  if (verdict.cluster) facts.memory_bytes += verdict.cluster->others_bytes;
  facts.remedies = remedies_for(arguments, verdict);
  facts.confirmation = confirmation;
  RunFacts in_files = facts;  // no matter what the terminal is like
  choose_chart(arguments, {}, in_files);
  const bool is_written = files.write({loaded, verdict, options, in_files});
  // In an object there is no place for it.
  if (arguments.has(option::json))
    tell(ErrorList(*loaded.program, verdict, facts.request, 0).complaint());
  Output output("");
  const bool is_printed =
      (arguments.has(option::json)
           ? json_report(*loaded.program, verdict, loaded.sources, loaded.diagnostics, options,
                         facts, output.sink())
           : text_report(*loaded.program, verdict, loaded.sources, facts, output.sink())) &&
      output.keep();
  if (!is_printed) tell("panoptes: cannot write the report\n");
  return is_printed && is_written ? exit_code(verdict.outcome) : ExitCode::internal_failure;
}

}  // namespace panoptes
