// SPDX-License-Identifier: Apache-2.0
#include "session/session.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "base/diagnostic.hpp"
#include "base/parse_value.hpp"
#include "base/parts.hpp"
#include "report/chart.hpp"
#include "report/columns.hpp"
#include "report/state_text.hpp"
#include "report/text.hpp"
#include "report/trail_file.hpp"
#include "rules/values.hpp"
#include "verdict/conclusions.hpp"

namespace panoptes {

struct Session::Command {
  std::string_view name;
  char letter;
  std::string_view operand;  // as in the table of commands: `[N]` may be left out, "" takes none
  std::string_view sentence;
  std::string (Session::*run)(const std::string& operand);
};

const std::vector<Session::Command>& Session::commands() {
  static const std::vector<Command> table = {
      {"step", 's', "N", "take step N of the menu; N alone does the same", &Session::step},
      {"back", 'b', "[N]", "go back one step, or N", &Session::back},
      {"forward", 'f', "[N]", "go on one step, or N, of those gone back or of a cycle",
       &Session::forward},
      {"goto", 'g', "N", "go to where N steps are behind", &Session::go_to},
      {"random", 'r', "[N]", "take a step by chance, or N", &Session::random},
      {"run", 'u', "", "take steps by chance until a breakpoint, an error or the end",
       &Session::run},
      {"break", 'k', "WHERE", "stop random and run at a line, or where an expression becomes true",
       &Session::add_break},
      {"breaks", 'a', "", "list the breakpoints", &Session::list_breaks},
      {"delete", 'd', "N", "delete breakpoint N", &Session::delete_break},
      {"state", 'v', "", "show control states, variables and channels", &Session::state},
      {"trail", 't', "", "show the steps so far", &Session::trail},
      {"chart", 'c', "[full]", "show the messages so far as a chart, or in full", &Session::chart},
      {"list", 'l', "[PROCESS]", "show the source where a process is, or the one that moved last",
       &Session::list},
      {"save", 'w', "FILE", "write the steps so far to a file, for replay", &Session::save},
      {"restart", 'i', "", "forget all steps and begin again", &Session::restart},
      {"help", 'h', "", "list the commands", &Session::help},
      {"quit", 'q', "", "end the session", &Session::quit},
  };
  return table;
}

namespace {

constexpr std::uint32_t lines_around = 3;

// What to do where `count` is no number: a complaint.
std::string too_many_steps() {
  return fmt::format("{} steps are the most; `restart` begins again\n", Walk::most_steps);
}

std::string no_number(const std::string& text) {
  return fmt::format("`{}` is no number of steps\n", text);
}

}  // namespace

Session::Session(const Program& program, const SourceSet& sources, const Strictness& strictness,
                 StepChooser chooser, SessionDoors doors)
    : program_(program),
      sources_(sources),
      strictness_(strictness),
      walk_(program, strictness.receptions),
      chooser_(std::move(chooser)),
      doors_(std::move(doors)) {}

void Session::load(const std::vector<RuleId>& rules, std::size_t step, std::size_t repeating) {
  for (const RuleId rule : rules)
    if (!walk_.take_rule(rule)) break;
  walk_.go_to(std::min(step, walk_.length()));
  loaded_ = rules;
  repeating_ = repeating;
}

std::string Session::begin() { return where() + here(); }

RuleId Session::loaded_rule(std::size_t step) const {
  const std::size_t stem = loaded_.size() - repeating_;
  return loaded_[step < stem ? step : stem + (step - stem) % repeating_];
}

bool Session::is_on_cycle() const {
  if (repeating_ == 0 || walk_.length() < loaded_.size()) return false;
  for (std::size_t step = 0; step < walk_.length(); ++step)
    if (walk_.rule(step) != loaded_rule(step)) return false;
  return true;
}

// Beyond the steps that are known, round the cycle.
void Session::walk_to(std::size_t step) {
  walk_.go_to(std::min(step, walk_.length()));
  while (walk_.at() < step && !doors_.interrupted() && walk_.take_rule(loaded_rule(walk_.at())))
    continue;
}

std::string Session::where() const {
  std::string out = fmt::format("step {} of {}", walk_.at(), walk_.length());
  if (is_on_cycle())
    out += repeating_ == 1 ? fmt::format("; step {} repeats for ever", loaded_.size())
                           : fmt::format("; steps {} to {} repeat for ever",
                                         loaded_.size() - repeating_ + 1, loaded_.size());
  return out + "\n";
}

std::string Session::execute(std::string_view line) {
  line = trimmed(line);
  if (line.empty()) return {};
  const std::size_t end = line.find_first_of(" \t");
  const std::string word(line.substr(0, end));
  const std::string operand(end == std::string_view::npos ? "" : trimmed(line.substr(end)));
  if (operand.empty() && parse_count(word)) return step(word);
  std::vector<std::string> names;
  for (const Command& command : commands()) {
    names.emplace_back(command.name);
    if (word != command.name && word != std::string_view(&command.letter, 1)) continue;
    if (command.operand.empty() && !operand.empty())
      return fmt::format("`{}` takes nothing more\n", command.name);
    if (operand.empty() && !command.operand.empty() && command.operand[0] != '[')
      return fmt::format("{} what? `{} {}`: {}\n", command.name, command.name, command.operand,
                         command.sentence);
    return (this->*command.run)(operand);
  }
  const std::string suggestion = did_you_mean(word, names);
  return fmt::format("there is no command `{}`; {}\n", word,
                     suggestion.empty() ? "`help` lists them" : suggestion);
}

// ---- moving -------------------------------------------------------------------------------------

std::string Session::step(const std::string& operand) {
  const auto number = parse_count(operand);
  const std::size_t count = walk_.enabled().size();
  if (!number || *number == 0 || *number > count)
    return count == 0
               ? "no step can be taken here\n"
               : fmt::format("there is no step `{}`: the menu has 1 to {}\n", operand, count);
  const EnabledStep& chosen = walk_.enabled()[*number - 1];
  if (chosen.fails()) return failed(chosen);
  if (walk_.at() == Walk::most_steps) return too_many_steps();
  walk_.take(*number - 1);
  return last_step() + here();
}

std::string Session::failed(const EnabledStep& step) {
  failure_ = {walk_.rules(), step.failures.front()};
  std::string out;
  for (const Finding& finding : step.failures) {
    const ErrorDescription d =
        describe(program_, finding, walk_.state(), sources_, walk_.positions().of_all());
    out += fmt::format("{}: {}\n", to_string(d.kind), d.text);
  }
  return out + "nothing comes after that; still before the step\n";
}

std::string Session::back(const std::string& operand) {
  const auto count = operand.empty() ? 1 : parse_count(operand);
  if (!count) return no_number(operand);
  if (*count > walk_.at())
    return fmt::format("{} to go back, not {}\n", plural(walk_.at(), "step", "steps"), *count);
  walk_.go_to(walk_.at() - *count);
  return begin();
}

std::string Session::forward(const std::string& operand) {
  const auto count = operand.empty() ? 1 : parse_count(operand);
  if (!count) return no_number(operand);
  const std::size_t ahead = walk_.length() - walk_.at();
  if (*count > ahead && !is_on_cycle())
    return fmt::format("{} to go on, not {}\n", plural(ahead, "step", "steps"), *count);
  if (*count > Walk::most_steps - walk_.at()) return too_many_steps();
  if (*count == 0) return begin();
  walk_to(walk_.at() + *count);
  return last_step() + here();
}

std::string Session::go_to(const std::string& operand) {
  const auto step = parse_count(operand);
  if (!step) return no_number(operand);
  if (*step > walk_.length() && !is_on_cycle())
    return fmt::format("the walk has {}, not {}\n", plural(walk_.length(), "step", "steps"), *step);
  if (*step > Walk::most_steps) return too_many_steps();
  walk_to(*step);
  return begin();
}

std::string Session::restart(const std::string&) {
  walk_.restart();
  chooser_.restart();
  return begin();
}

std::string Session::random(const std::string& operand) {
  const auto count = operand.empty() ? 1 : parse_count(operand);
  if (!count || *count == 0) return no_number(operand);
  const std::string out = walk_randomly(*count, "");
  return out + here();
}

std::string Session::run(const std::string&) {
  const std::string out = walk_randomly(
      most_run_steps, fmt::format("nothing has stopped it for {} steps; `run` goes on\n",
                                  with_commas(most_run_steps)));
  return out + here();
}

// Ends before a step that fails: where it was chosen, it would be the last.
std::string Session::walk_randomly(std::size_t most_steps, std::string_view given_up) {
  std::string out;
  for (std::size_t count = 0; count < most_steps; ++count) {
    if (doors_.interrupted && doors_.interrupted()) {
      is_over_ = true;
      return out + "interrupted\n";
    }
    if (walk_.enabled().empty()) return out;
    if (walk_.at() == Walk::most_steps)
      return out + fmt::format("{} steps are the most\n", Walk::most_steps);
    const std::size_t choice = chooser_.choose(walk_.enabled());
    if (walk_.enabled()[choice].fails()) return out + failed(walk_.enabled()[choice]);
    const StateWords before(walk_.state().begin(), walk_.state().end());
    walk_.take(choice);
    out += last_step();
    for (std::size_t i = 0; i < breakpoints_.size(); ++i)
      if (stops_at(program_, sources_, breakpoints_[i], walk_.rule(walk_.at() - 1), before,
                   walk_.state(), walk_.positions(), walk_.at()))
        return out + fmt::format("breakpoint {}: {}\n", i + 1, breakpoints_[i].text);
    if (!walk_.findings().empty()) return out;
  }
  return out + std::string(given_up);
}

// ---- breakpoints --------------------------------------------------------------------------------

std::string Session::add_break(const std::string& operand) {
  Breakpoint breakpoint{operand, 0, {}};
  if (const auto line = parse_count(operand)) {
    const std::vector<std::uint32_t> lines = lines_of_steps(program_, sources_);
    const auto next = std::lower_bound(lines.begin(), lines.end(), *line);
    if (next == lines.end() || *next != *line)
      return fmt::format("no step begins in line {}{}\n", operand,
                         next == lines.end() ? "" : fmt::format("; one does in {}", *next));
    breakpoint.text = "line " + operand;
    breakpoint.line = *next;
  } else {
    auto predicate = doors_.parse_predicate(operand);
    if (!predicate) return predicate.failure();
    breakpoint.predicate = std::move(*predicate);
  }
  breakpoints_.push_back(std::move(breakpoint));
  return fmt::format("breakpoint {}: {}\n", breakpoints_.size(), breakpoints_.back().text);
}

std::string Session::list_breaks(const std::string&) {
  std::string out;
  for (std::size_t i = 0; i < breakpoints_.size(); ++i)
    out += fmt::format("breakpoint {}: {}\n", i + 1, breakpoints_[i].text);
  return out.empty() ? "there are no breakpoints\n" : out;
}

std::string Session::delete_break(const std::string& operand) {
  const auto number = parse_count(operand);
  if (!number || *number == 0 || *number > breakpoints_.size())
    return fmt::format("there is no breakpoint `{}`; `breaks` lists them\n", operand);
  breakpoints_.erase(breakpoints_.begin() + static_cast<std::ptrdiff_t>(*number - 1));
  return fmt::format("breakpoint {} is deleted\n{}", *number, list_breaks({}));
}

// ---- looking ------------------------------------------------------------------------------------

// The step that led here, what it changed and what it left in the channels.
std::string Session::last_step() const {
  const std::size_t step = walk_.at() - 1;
  Trail trail;
  const StateView before = walk_.state(step), after = walk_.state();
  const ProcessId process = program_.rules[walk_.rule(step)].owner().process;
  trail.steps.push_back({walk_.rule(step),
                         {before.begin(), before.end()},
                         message_of(Interpreter(program_), walk_.rule(step), before),
                         {},
                         walk_.last_statements(),
                         walk_.positions().of(process)});
  trail.last.assign(after.begin(), after.end());
  return step_report(program_, trail, sources_,
                     {.below = StepListing::Below::changes, .first = step + 1});
}

std::string Session::errors() const {
  std::string out;
  for (const Finding& finding : walk_.findings()) {
    const ErrorDescription d =
        describe(program_, finding, walk_.state(), sources_, walk_.positions().of_all());
    out += fmt::format("{}: {}\n", to_string(d.kind), d.text);
    if (finding.kind != ErrorKind::deadlock) continue;
    ErrorReport deadlock;
    deadlock.finding = finding;
    deadlock.trail.last.assign(walk_.state().begin(), walk_.state().end());
    deadlock.trail.whereabouts = walk_.positions().of_all();
    const std::string cause = cause_of(program_, deadlock, strictness_.receptions, sources_);
    if (!cause.empty()) out += fmt::format("  because {}\n", cause);
    out += positions_text(program_, walk_.state(), walk_.positions().of_all(), sources_, true);
  }
  return out;
}

std::string Session::menu() const {
  if (walk_.enabled().empty())
    return walk_.findings().empty() ? "nothing can happen any more\n" : "";
  std::size_t process_width = 0, place_width = 0;
  std::vector<std::string> places;
  for (const EnabledStep& step : walk_.enabled()) {
    const Rule& rule = program_.rules[step.rule];
    const std::vector<StatementId> statements = walk_.positions().statements(step.rule);
    places.push_back(sources_.line_and_column(
        statements.empty() ? place_of(program_, rule)
                           : program_.protocol.statements[statements.front()].place));
    place_width = std::max(place_width, places.back().size());
    process_width =
        std::max(process_width, program_.protocol.processes[rule.owner().process].name.size());
  }
  std::string out;
  for (std::size_t i = 0; i < places.size(); ++i) {
    const EnabledStep& step = walk_.enabled()[i];
    const Rule& rule = program_.rules[step.rule];
    out += fmt::format("{:>3}) {:<{}}  {:<{}}  {}", i + 1,
                       program_.protocol.processes[rule.owner().process].name, process_width,
                       places[i], place_width, rule.text);
    if (step.fails()) out += fmt::format("  fails: {}", to_string(step.failures.front().kind));
    out += "\n";
  }
  return out;
}

std::string Session::here() const { return is_over_ ? std::string{} : errors() + menu(); }

std::string Session::state(const std::string&) {
  std::string out = where();
  out += positions_text(program_, walk_.state(), walk_.positions().of_all(), sources_, false);
  for (VariableId v = 0; v < program_.layout.variables.size(); ++v)
    out += fmt::format(
        "  {} = {}\n", variable_name(program_.protocol, v),
        value_text(program_.protocol, v, read(program_.layout.variables[v], walk_.state())));
  for (ChannelId c = 0; c < program_.protocol.channels.size(); ++c) {
    const std::string messages = contents_text(program_, c, walk_.state());
    out += fmt::format("  {}: {}\n", program_.protocol.channels[c].name,
                       messages.empty() ? "empty" : messages);
  }
  return out;
}

std::string Session::trail(const std::string&) {
  if (walk_.at() == 0) return "no step was taken yet\n";
  std::string problem;
  const auto trail = follow(program_, walk_.rules(), problem);
  return trail ? step_report(program_, *trail, sources_, {.below = StepListing::Below::changes})
               : problem + "\n";
}

// The steps that are behind, with what they have come to: the step that was chosen last, where it
// fails, or what is wrong with the state. Nothing where that does not replay, with the reason in
// `problem`.
std::optional<ErrorReport> Session::run_so_far(std::string& problem) const {
  const std::vector<RuleId> steps = walk_.rules();
  const Finding* found = worst_of(walk_.findings(), strictness_);
  if (failure_ && failure_->steps == steps) found = &failure_->finding;
  if (found)
    return report_error(program_, *found, walk_.state(), steps, strictness_, sources_, problem);
  auto trail = follow(program_, steps, problem);
  if (!trail) return {};
  ErrorReport run;
  run.trail = std::move(*trail);
  return run;
}

std::string Session::chart(const std::string& operand) {
  if (!operand.empty() && operand != "full")
    return fmt::format("`chart {}`: wanted `chart` or `chart full`\n", operand);
  if (walk_.at() == 0) return "no step was taken yet\n";
  std::string problem;
  const auto run = run_so_far(problem);
  if (!run) return problem + "\n";
  ChartOptions options;
  options.fold = operand.empty();
  options.whole = "chart full";
  return text_chart(make_chart(program_, *run, sources_, options), doors_.style);
}

std::string Session::list(const std::string& operand) {
  ProcessId process =
      walk_.at() == 0 ? 0 : program_.rules[walk_.rule(walk_.at() - 1)].owner().process;
  if (!operand.empty()) {
    std::vector<std::string> names;
    for (const Process& each : program_.protocol.processes) names.push_back(each.name);
    const auto found = std::find(names.begin(), names.end(), operand);
    if (found == names.end()) {
      const std::string suggestion = did_you_mean(operand, names);
      return fmt::format("no process is called `{}`{}{}\n", operand, suggestion.empty() ? "" : "; ",
                         suggestion);
    }
    process = static_cast<ProcessId>(found - names.begin());
  }
  if (process >= program_.control.size()) return "there is no process\n";
  const std::vector<Place> places = text_places(program_, process, walk_.positions().of(process));
  if (places.empty() || !places.front().known()) return "it has no place in the source\n";
  const Place place = places.front();
  const std::uint32_t line = sources_.line_column(place).line;
  std::string out = fmt::format("{} at {}\n", program_.protocol.processes[process].name,
                                sources_.describe(place));
  const std::string_view text = sources_.text(place.file);
  std::uint32_t number = 1;
  for (std::size_t begin = 0; begin <= text.size() && number <= line + lines_around; ++number) {
    const std::size_t end = std::min(text.find('\n', begin), text.size());
    if (number + lines_around >= line)
      out += fmt::format("{} {:>5}  {}\n", number == line ? '>' : ' ', number,
                         text.substr(begin, end - begin));
    begin = end + 1;
  }
  return out;
}

// ---- the rest -----------------------------------------------------------------------------------

std::string Session::save(const std::string& operand) {
  std::string problem;
  const auto run = run_so_far(problem);
  if (run) problem = doors_.save(operand, record(*run));
  if (!problem.empty()) return problem + "\n";
  return fmt::format(
      "saved {} to {}{}\n", plural(run->trail.steps.size(), "step", "steps"), operand,
      run->description.text.empty()
          ? ""
          : fmt::format(", with the {} at their end", to_string(run->description.kind)));
}

std::string Session::quit(const std::string&) {
  is_over_ = true;
  return {};
}

std::string Session::help(const std::string&) {
  std::string out;
  for (const Command& command : commands())
    out += fmt::format("{}  {:<18} {}\n", command.letter,
                       fmt::format("{} {}", command.name, command.operand), command.sentence);
  return out;
}

}  // namespace panoptes
