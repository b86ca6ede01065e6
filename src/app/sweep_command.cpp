// SPDX-License-Identifier: Apache-2.0
#include "app/sweep_command.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <set>

#include "api/reported_options.hpp"
#include "api/sweep.hpp"
#include "app/arguments.hpp"
#include "app/load.hpp"
#include "app/memory.hpp"
#include "app/output_files.hpp"
#include "app/system.hpp"
#include "app/time_limit.hpp"
#include "app/trails.hpp"
#include "base/clock.hpp"
#include "base/display.hpp"
#include "options/table.hpp"
#include "report/sweep.hpp"

namespace panoptes {
namespace {

// ---- where it goes ----------------------------------------------------------------------------

struct SweepForm {
  std::string_view extension;
  bool (*write)(const SweepTable& table, const SweepFacts& facts, const Sink& sink);
};

constexpr SweepForm sweep_forms[] = {
    {".txt", sweep_text},
    {".csv", [](const SweepTable& table, const SweepFacts&,
                const Sink& sink) { return sweep_csv(table, sink); }},
    {".json", sweep_json},
    {".svg", [](const SweepTable& table, const SweepFacts&,
                const Sink& sink) { return sweep_plot(table, sink); }},
};

const SweepForm* sweep_form_of(const std::string& path) {
  const auto found = std::ranges::find_if(
      sweep_forms, [&](const SweepForm& form) { return path.ends_with(form.extension); });
  return found == std::end(sweep_forms) ? nullptr : found;
}

// ---- the runs ---------------------------------------------------------------------------------

// What the compiler has to say, once of each place: most combinations have the same, and others
// differ only in values.
class Complaints {
 public:
  // What to print for a combination.
  std::string add(const std::string& combination, const Loaded& loaded) {
    constexpr std::size_t most = 8;
    std::string text;
    for (const Diagnostic& each : loaded.diagnostics.all()) {
      if (told_.size() > most || !told_.insert(subject_of(each, loaded.sources)).second) continue;
      text += told_.size() > most
                  ? "what else the compiler complains of is left out: panoptes check prints it\n"
                  : render(each, loaded.sources);
    }
    return text.empty() ? text : fmt::format("with {}:\n{}", combination, text);
  }

 private:
  static std::string subject_of(const Diagnostic& each, const SourceSet& sources) {
    return each.place.known() ? sources.describe(each.place) : each.message;
  }
  std::set<std::string> told_;
};

// One sweep, as the process around it sees it.
class Runner {
 public:
  explicit Runner(const Arguments& arguments)
      : arguments_(arguments),
        run_(arguments),
        total_(arguments.get(option::total_time)),
        progress_(arguments.has(option::progress)) {
    table.model = arguments.model;
  }

  // The whole sweep. REQUIRES: its model can be read.
  void run(const SweepPlan& plan, FilesReadOnce& files) {
    SweepDoors doors;
    doors.ended_by = [this] { return ended_by(); };
    doors.begin = [this](std::size_t number, std::size_t combination) {
      begin(number, combination);
    };
    doors.load = [this, &files](const OptionValues& values) {
      return load(arguments_, values, files);
    };
    doors.compiled = [this](std::size_t combination, const Loaded& loaded) {
      complain_of(combination, loaded);
    };
    doors.prepare = [this](CheckOptions& options) { prepare(options); };
    doors.memory_bytes = [this] {
      const std::uint64_t peak = peak_resident_bytes();
      return peak - std::min(peak, arguments_.fixed_bytes);
    };
    run_sweep(plan, arguments_, doors, table);
    progress_.wipe();
  }

  SweepTable table;

 private:
  Stop ended_by() const {
    if (interrupted()) return Stop::interrupted;
    return total_ && seconds_left() <= 0.0 ? Stop::time : Stop::finished;
  }

  // To the sweep as a whole. REQUIRES: there is a limit.
  double seconds_left() const { return arguments_.started + *total_ - steady_seconds(); }

  void begin(std::size_t number, std::size_t combination) {
    constexpr std::size_t most_letters = 40;
    forget_peak_memory();
    run_.started = steady_seconds();  // each run has --time for itself
    const std::string which =
        fmt::format("{} of {} {}", number, table.runs.size(),
                    cut_to_width(combination_text(table, combination), most_letters));
    progress_.begin_with(which + "  ");
    if (progress_.is_due()) progress_.show(which);
  }

  void complain_of(std::size_t combination, const Loaded& loaded) {
    const std::string text = complaints_.add(combination_text(table, combination), loaded);
    if (text.empty()) return;
    progress_.wipe();
    tell(text);
  }

  void prepare(CheckOptions& options) {
    set_time_limits(run_, options.limits);
    if (total_) {
      constexpr double least = 1e-3, for_trails = 0.1;
      const double left = std::max(least, seconds_left());
      const bool is_less = options.limits.seconds <= 0.0 || left < options.limits.seconds;
      if (is_less) options.limits.seconds = left;
      options.limits.report_seconds = std::max(options.limits.report_seconds, for_trails);
    }
    options.interrupted = &interrupted();
    measure_memory(arguments_, options.explore);
    options.observer = progress_.observer();
  }

  const Arguments& arguments_;
  Arguments run_;  // as if the run were a command
  std::optional<double> total_;
  ProgressLine progress_;
  Complaints complaints_;
};

// ---- what is said of it -----------------------------------------------------------------------

// An option as `check` takes it, once for each value.
std::string as_typed(const OptionInfo& option, const std::vector<std::string>& texts) {
  if (option.kind == ValueKind::on_off) return " " + flag_of(option);
  std::string out;
  for (const std::string& text : texts) {
    out += " " + flag_of(option);
    if (option.word_count() == 1) {
      out += " " + as_word(text);
      continue;
    }
    for (const std::string_view word : parts_of(text, ' ')) out += " " + as_word(std::string(word));
  }
  return out;
}

// The command that checks one combination alone; "" where there is none to be shown.
std::string command_for_smallest(const Arguments& arguments, const SweepPlan& plan,
                                 const SweepTable& table) {
  constexpr OptionName of_sweep[] = {option::vary,  option::json,     option::report,
                                     option::stats, option::progress, option::total_time};
  const std::vector<SmallestError> smallest = smallest_errors(table);
  if (smallest.empty() || arguments.model == "-") return {};
  std::string command = fmt::format("panoptes check {}", as_word(arguments.model));
  for (const std::string& definition : definitions_of(plan, smallest.front().combination))
    command += " -D " + as_word(definition);
  for (const std::string& name : arguments.given()) {
    const OptionInfo* const option = find_option(name, "check");
    const bool is_own = std::ranges::find(of_sweep, name, &OptionName::text) != std::end(of_sweep);
    if (option && !is_own) command += as_typed(*option, arguments.texts_of(name));
  }
  return command;
}

bool none_compiles(const SweepTable& table) {
  return std::ranges::all_of(table.runs,
                             [](const SweepRun& run) { return run.end == SweepEnd::not_compiled; });
}

int exit_code_of(const SweepTable& table) {
  const auto has = [&](SweepEnd end) {
    return std::ranges::find(table.runs, end, &SweepRun::end) != table.runs.end();
  };
  if (has(SweepEnd::failed)) return ExitCode::internal_failure;
  if (none_compiles(table)) return ExitCode::bad_input;
  switch (outcome_of(table)) {
    case Outcome::holds: return ExitCode::holds;
    case Outcome::violated: return ExitCode::errors_found;
    case Outcome::unknown: return ExitCode::unknown;
  }
  return ExitCode::internal_failure;
}

// Prints the table, and writes its files; the exit code of the command.
int report_sweep(const Arguments& arguments, const SweepTable& table, SweepFacts facts,
                 OutputFiles& files) {
  const bool is_written = files.write([&](const std::string& path, const Sink& sink) {
    return sweep_form_of(path)->write(table, facts, sink);
  });
  const bool is_json = arguments.has(option::json);
  const std::size_t width = terminal_width();
  facts.style = {width, width > 0 && wants_colour()};
  Output output("");
  bool is_printed = true;
  if (is_json)
    is_printed = sweep_json(table, facts, output.sink());
  else if (none_compiles(table))
    tell(fmt::format("panoptes: none of {} combinations compiles\n", table.runs.size()));
  else
    is_printed = sweep_text(table, facts, output.sink());
  is_printed = is_printed && output.keep();
  if (!is_printed) tell("panoptes: cannot write the table\n");
  return is_printed && is_written ? exit_code_of(table) : ExitCode::internal_failure;
}

}  // namespace

std::string wrong_sweep(const Arguments& arguments) {
  for (const std::string& path : arguments.texts(option::report))
    if (!sweep_form_of(path)) {
      std::string known;
      for (const SweepForm& form : sweep_forms)
        known += fmt::format("{}{}", known.empty() ? "" : ", ", form.extension);
      return fmt::format("--report {}: wanted a name that ends in one of {}", path, known);
    }
  const auto plan = plan_sweep(arguments.all(option::vary));
  return plan ? std::string{} : plan.failure();
}

int sweep_command(const Arguments& arguments) {
  const auto plan = plan_sweep(arguments.all(option::vary));
  if (!plan) return complain(plan.failure());
  OutputFiles files(arguments.all(option::report));
  if (!files.problem().empty()) return complain(files.problem());
  FilesReadOnce texts;
  const std::string name = name_of_model(arguments);
  if (const std::string problem = wrong_model(name, texts.read(name)); !problem.empty())
    return complain(problem);
  Runner runner(arguments);
  runner.run(*plan, texts);
  SweepFacts facts;
  facts.options = reported_options(arguments);
  facts.command = command_for_smallest(arguments, *plan, runner.table);
  facts.show_statistics = arguments.has(option::stats);
  return report_sweep(arguments, runner.table, std::move(facts), files);
}

}  // namespace panoptes
