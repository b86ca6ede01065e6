// SPDX-License-Identifier: Apache-2.0
#include "report/text.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <set>

#include "base/display.hpp"
#include "protocol/fairness.hpp"
#include "protocol/line_faults.hpp"
#include "report/alike_text.hpp"
#include "report/columns.hpp"
#include "report/error_lines.hpp"
#include "report/search_text.hpp"
#include "report/state_text.hpp"
#include "rules/narrow.hpp"

namespace panoptes {
namespace {

std::string indent(const std::string& text) {
  std::string out;
  std::size_t begin = 0;
  while (begin < text.size()) {
    const std::size_t end = text.find('\n', begin);
    out += "  " + text.substr(begin, end - begin) + "\n";
    begin = end + 1;
  }
  return out;
}

constexpr std::size_t most_dead_statements = 20;

// Of a search that did not see everything the list is long and says little, so it is left out
// unless somebody wants it; and so is what makes any other list too long to read. Statements that
// were made one are told of once. Whoever asks for some errors does not ask for it.
std::string dead_code_text(const Program& program, const Verdict& verdict, const SourceSet& sources,
                           const RunFacts& facts) {
  const bool show_all = facts.show_statistics;
  const bool is_chosen = !facts.request.show.empty() || !facts.request.only.empty();
  if (verdict.dead_code.empty()) return {};
  if ((verdict.promise == Promise::partial || is_chosen) && !show_all)
    return fmt::format("{} {} (--stats lists them)\n\n",
                       plural(verdict.dead_code.size(), "statement", "statements"),
                       verdict.is_dead_code_certain          ? "can never be executed"
                       : verdict.promise == Promise::partial ? "not reached so far"
                                                             : "not reached by this search");
  std::string out = verdict.is_dead_code_certain ? "statements that can never be executed:\n"
                                                 : "statements this search did not reach:\n";
  std::set<StatementId> told;
  std::size_t lines = 0;
  for (const DeadStatement& dead : verdict.dead_code) {
    if (told.contains(dead.statement)) continue;
    told.insert(dead.merged_with.begin(), dead.merged_with.end());
    if (++lines > most_dead_statements && !show_all) continue;
    const StatementInfo& info = program.protocol.statements[dead.statement];
    out += fmt::format("  {}: {} in {}", sources.describe(info.place), info.text, info.owner);
    for (const StatementId other : dead.merged_with)
      out += fmt::format(", merged with line {}",
                         sources.line_column(program.protocol.statements[other].place).line);
    out += "\n";
  }
  if (lines > most_dead_statements && !show_all)
    out += fmt::format("  and {} more (--stats lists them)\n", lines - most_dead_statements);
  return out + "\n";
}

// What a member of a family never does is mostly as it should be, so it is for those who want all.
std::string dead_in_members_text(const Program& program, const Verdict& verdict,
                                 const SourceSet& sources) {
  if (verdict.dead_in_members.empty()) return {};
  std::string out = "statements that some members of a family can never execute:\n";
  for (const DeadInMembers& dead : verdict.dead_in_members) {
    const StatementInfo& info = program.protocol.statements[dead.statement];
    out += fmt::format("  {}: {} in {}\n", sources.describe(info.place), info.text,
                       few_of(names_of(program, dead.members)));
  }
  return out + "\n";
}

}  // namespace

ChartOptions options_of(ChartKind kind) {
  ChartOptions options;
  options.fold = kind != ChartKind::full;
  return options;
}

namespace {

std::string chart_text(const Program& program, const ErrorReport& error, const SourceSet& sources,
                       const RunFacts& facts) {
  const Chart chart = make_chart(program, error, sources, options_of(facts.chart));
  if (facts.chart == ChartKind::mermaid) return mermaid_chart(chart);
  if (facts.chart == ChartKind::plantuml) return plantuml_chart(chart);
  return text_chart(chart, facts.style);
}

std::string events_text(const Program& program, const ErrorReport& error) {
  const auto events = error.event_count(program);
  return events ? plural(*events, "event", "events") + ", " : "";
}

}  // namespace

// A trail that is begun is written to its end, so its length counts before.
TrailGap gap_of(const ErrorReport& error, const RunFacts& facts) {
  constexpr double seconds_per_step = 1e-5;  // of a slow machine
  if (error.gap > TrailGap::unasked) return error.gap;
  const auto steps = static_cast<double>(error.step_count() + error.cycle.steps.size());
  const bool has_time = facts.deadline.seconds_left() > steps * seconds_per_step;
  return has_time ? TrailGap::no_gap : TrailGap::time;
}

TrailGap gap_of(const ListedError& listed, const RunFacts& facts) {
  const TrailGap gap = gap_of(*listed.error, facts);
  return gap == TrailGap::no_gap && !listed.has_trail ? TrailGap::unasked : gap;
}

std::string trail_text(const Program& program, const ErrorReport& error, const SourceSet& sources,
                       const RunFacts& facts, bool has_steps_option) {
  const bool has_columns = facts.chart == ChartKind::columns;
  std::string out;
  const auto add = [&](const std::string& text) { out += (out.empty() ? "" : "\n") + text; };
  if (!has_columns)
    add(chart_text(program, error, sources, facts));
  else if (error.trail.event_count(program) > 0)
    add(indent(column_report(program, error.trail)));
  if (has_columns && has_steps_option && !facts.show_steps && !out.empty())
    out += indent(undrawn_text(program, error.trail));
  StepListing listing;
  if (facts.show_states) listing.below = StepListing::Below::state;
  if (facts.style.width > 0) listing.width = facts.style.width;
  if ((facts.show_steps || out.empty()) && !error.trail.steps.empty())
    add(indent(step_report(program, error.trail, sources, listing)));
  listing.start = error.trail.whereabouts;
  if ((facts.show_steps || has_columns) && !error.cycle.steps.empty())
    add("  then repeats:\n" + indent(step_report(program, error.cycle, sources, listing)));
  if (is_of_property(error.finding.kind) && error.cycle.steps.empty())
    add("  then nothing happens any more\n");
  return out;
}

std::string error_text(const Program& program, const ListedError& listed, const SourceSet& sources,
                       const RunFacts& facts, bool is_one_of_several) {
  const ErrorReport& error = *listed.error;
  TrailGap gap = gap_of(error, facts);
  std::string trail;
  if (listed.has_trail && gap == TrailGap::no_gap) {
    const WholeError whole(program, error, facts.deadline);
    gap = whole->gap;  // to make it again may have taken too long
    if (gap == TrailGap::no_gap) trail = trail_text(program, *whole, sources, facts, true);
  }
  std::string out = is_one_of_several ? fmt::format("{}. ", listed.number) : "";
  out += error_sentences(program, error, sources, facts.style.width);
  if (const std::string alike = alike_text(program, error); !alike.empty())
    out += fmt::format("  {}\n", alike);
  // A step of a search may be several of its trail, which nobody has walked.
  const bool is_counted = error.is_shortest || error.gap <= TrailGap::unasked;
  out += fmt::format(
      "  {}{}{}{}{}{}\n",
      error.is_shortest ? "" : "perhaps not the shortest: ", events_text(program, error),
      is_counted ? "" : "at least ", plural(error.step_count(), "step", "steps"),
      error.count == 0 ? "" : fmt::format("; seen {}", plural(error.count, "time", "times")),
      gap == TrailGap::no_gap ? "" : fmt::format("; the trail is left out: {}", to_string(gap)));
  if (!trail.empty()) out += "\n" + trail;
  return out + "\n";
}

namespace {

// What was looked at: by several runs, what the best of them saw.
std::string seen_text(const Verdict& verdict) {
  if (!verdict.is_distinct)
    return plural(verdict.states_analysed, "visit", "visits") + " to states";
  return fmt::format("the {} seen", plural(verdict.states, "state", "states"));
}

// All kinds of which no error was found.
std::string nothing_found(const Program& program, const Verdict& verdict) {
  std::vector<std::string> held;
  for (const PropertyReport& property : verdict.properties)
    if (property.answer == Outcome::holds) held.push_back(property.name);
  return fmt::format(
      "no deadlock, no unspecified reception, no violated assertion{}{}{}",
      program.protocol.invariants.empty() ? "" : ", no broken invariant",
      verdict.graph && verdict.graph->is_complete ? ", no livelock, nobody stuck" : "",
      held.empty() ? ""
                   : fmt::format(", and of every {}run {}",
                                 program.protocol.fairness == FairnessDemands{} ? "" : "fair ",
                                 fmt::join(held, ", ")));
}

// "whether answered holds is not known: ...", of the first.
std::string unknown_property(const Verdict& verdict) {
  for (const PropertyReport& property : verdict.properties)
    if (property.answer == Outcome::unknown)
      return fmt::format("whether {} holds is not known: {}", property.name, property.reason);
  return {};
}

// What the outcome comes from.
std::string reason_of(const Program& program, const Verdict& verdict) {
  if (verdict.outcome == Outcome::violated) {
    const std::string found = plural(verdict.errors.size(), "error", "errors");
    if (verdict.findings_left_out > 0)
      return fmt::format("{}, and more than there is room to list", found);
    if (verdict.promise != Promise::partial)
      return fmt::format("{}, no others{}", found,
                         hides_errors(verdict) ? " but perhaps behind the steps that failed" : "");
    return fmt::format("{}, and there may be more ({})", found, to_string(verdict.stop));
  }
  if (verdict.outcome == Outcome::unknown && verdict.promise != Promise::partial)
    return fmt::format("{}, but {}", nothing_found(program, verdict), unknown_property(verdict));
  if (verdict.outcome == Outcome::unknown)
    return fmt::format("no error{} in {}, which may not be all there are ({})",
                       verdict.warnings.empty()
                           ? ""
                           : " but " + plural(verdict.warnings.size(), "warning", "warnings"),
                       seen_text(verdict), to_string(verdict.stop));
  return nothing_found(program, verdict);
}

// What was asked of --reach, and the answer.
std::string answer_text(const Program& program, const Verdict& verdict) {
  const auto& invariants = program.protocol.invariants;
  const auto question = std::ranges::find(invariants, true, &Invariant::is_question);
  const std::string answer =
      verdict.outcome == Outcome::violated ? "reached: there is a way to"
      : verdict.outcome == Outcome::holds
          ? "not reachable: no way leads to"
          : fmt::format("unknown: among {}, which may not be all there are ({}), none has",
                        seen_text(verdict), to_string(verdict.stop));
  return fmt::format("{} {}; nothing else was looked for", answer, question->text);
}

// Whoever reads that something holds must not take it for the model as it is written.
std::string narrowed_text(const Program& program) {
  const std::string channels = narrowed_channels(program.protocol);
  if (channels.empty()) return {};
  return fmt::format("narrowed: {}; nothing is said about the model as written\n", channels);
}

// Nor must it be taken for what its lines do.
std::string lines_text(const Program& program) {
  if (!program.protocol.has_given_lines) return {};
  return fmt::format("lines: {} (--faults)\n", lines_in_words(program.protocol));
}

}  // namespace

namespace {

// What a backward search says of its targets, and of nothing else.
std::string backward_reason_of(const Verdict& verdict) {
  const BackwardReport& report = *verdict.backward;
  const std::string chosen = report.is_chosen ? " that were chosen" : "";
  const auto count = static_cast<std::uint64_t>(report.targets.size());
  const std::uint64_t unknown = report.count_of("unknown");
  if (!verdict.errors.empty()) {
    const std::string text = plural(verdict.errors.size(), "error", "errors");
    if (unknown == 0 && hides_errors(verdict))
      return fmt::format(
          "{}, and no other of {} targets{} can be reached but perhaps behind the steps that "
          "failed",
          text, count, chosen);
    return text +
           (unknown > 0
                ? fmt::format(", and {} of {} targets{} unknown", unknown, count, chosen)
                : fmt::format(", and no other of {} targets{} can be reached", count, chosen));
  }
  if (!report.reason.empty())
    return fmt::format("the targets were not found: {}", shortage_text(report.reason));
  if (unknown > 0)
    return fmt::format("{} of {} targets{} could not be settled", unknown, count, chosen);
  if (const std::uint64_t reachable = report.count_of("reachable"); reachable > 0)
    return fmt::format("{} of {} targets{} can be reached, which is worth a warning", reachable,
                       count, chosen);
  return fmt::format("none of {} targets{} can be reached", count, chosen);
}

}  // namespace

std::string verdict_sentence(const Program& program, const Verdict& verdict) {
  if (program.errors.is_question) return answer_text(program, verdict);
  const bool is_narrowed = !narrowed_channels(program.protocol).empty();
  return fmt::format("{}{}: {}", to_string(verdict.outcome),
                     is_narrowed ? " with narrowed channels" : "",
                     verdict.backward ? backward_reason_of(verdict) : reason_of(program, verdict));
}

namespace {

// "3 of 16, those with `deadlock`:", where only some are listed.
std::string choice_text(const ErrorList& list, const ErrorRequest& request) {
  if (request.only.empty()) return {};
  return fmt::format("{} of {}, those with `{}`:\n", list.wanted_count(), list.all().size(),
                     fmt::join(request.only, "`, `"));
}

// What is known of errors whose trails are not shown is in the table, or above where they were
// asked for by their numbers.
std::string not_shown_text(const ErrorList& list, const ErrorRequest& request) {
  if (list.trail_count() == list.wanted_count()) return {};
  return fmt::format("{} ({}--trails all has all)\n\n",
                     list.trail_count() == 0
                         ? "trails are left out"
                         : fmt::format("trails are shown for the first {} of {}",
                                       list.trail_count(), with_commas(list.wanted_count())),
                     request.show.empty() ? "--show N has that of error N, " : "");
}

// All that are wanted, where there are several to choose from; none where numbers say which.
std::string errors_table(const Program& program, const ErrorList& list, const RunFacts& facts) {
  const bool are_shown = !facts.request.show.empty() && list.wanted_count() > 0;
  if (list.all().size() < 2 || are_shown || list.wanted_count() == 0) return {};
  return choice_text(list, facts.request) + table_text(program, list, facts.style.width) + "\n";
}

}  // namespace

namespace {

// Each by itself where not all hold, for the verdict names those that do.
std::string properties_text(const Program& program, const Verdict& verdict) {
  std::string out;
  if (verdict.outcome == Outcome::holds) return out;
  for (const PropertyReport& property : verdict.properties)
    out += fmt::format(
        "property {}: {}{}\n", property.name,
        property.answer == Outcome::violated ? "does not hold" : to_string(property.answer),
        property.reason.empty() ? "" : ", " + property.reason);
  if (!out.empty() && program.protocol.fairness != FairnessDemands{})
    out += fmt::format("fairness: {}\n", fairness_text(program.protocol.fairness));
  return out;
}

// What need not be seen was left out: which that was, and how much.
std::string reductions_text(const Verdict& verdict, bool says_why) {
  const ReductionReport& reductions = verdict.reductions;
  std::string out;
  if (!reductions.used.empty()) {
    out += fmt::format("reduced: {}", fmt::join(reductions.used, ", "));
    if (reductions.steps_left_out.value_or(0) > 0)
      out += fmt::format("; {} of {} left out", with_commas(*reductions.steps_left_out),
                         plural(verdict.transitions + *reductions.steps_left_out, "step", "steps"));
    out += "\n";
  }
  if (says_why && !reductions.unused.empty())
    out += fmt::format("not reduced: {}\n", reductions.unused);
  if (!reductions.symmetry.empty()) out += fmt::format("symmetry: {}\n", reductions.symmetry);
  return out;
}

// Whether trails are the shortest, where that is not plain.
std::string shortest_text(const Verdict& verdict) {
  std::size_t longer = 0, all = 0;
  for (const auto* list : {&verdict.errors, &verdict.warnings})
    for (const ErrorReport& error : *list) {
      longer += !error.is_shortest;
      ++all;
    }
  if (!verdict.shortest) {
    if (longer == 0 || !verdict.reductions.leaves_out_steps) return {};
    return fmt::format(
        "trails: perhaps not the shortest, since steps were left out; {} finds those\n",
        verdict.cluster && verdict.cluster->states.size() > 1 ? "--reduce none" : "--shortest");
  }
  const ShortestReport& report = *verdict.shortest;
  const std::string seen = fmt::format("once more, {} down to depth {}, {:.3f} s",
                                       plural(report.states, "state", "states"),
                                       with_commas(report.depth), report.seconds);
  if (longer == 0) return fmt::format("trails: the shortest ({})\n", seen);
  return fmt::format(
      "trails: {} of {} perhaps not the shortest, since the second search ended "
      "early: {} ({})\n",
      longer, all, to_string(report.ended), seen);
}

}  // namespace

bool text_report(const Program& program, const Verdict& verdict, const SourceSet& sources,
                 const RunFacts& facts, const Sink& sink) {
  const ErrorList list(program, verdict, facts.request, trails_for_people);
  const bool are_several = list.all().size() > 1;
  std::string complaint = list.complaint();
  if (!complaint.empty()) complaint += "\n";
  if (!sink(complaint + errors_table(program, list, facts))) return false;
  const bool are_all_shown = !are_several || !facts.request.show.empty();
  for (const ListedError& listed : list.all()) {
    if (!listed.is_wanted || (!are_all_shown && !listed.has_trail)) continue;
    if (!sink(error_text(program, listed, sources, facts, are_several))) return false;
  }
  return sink(not_shown_text(list, facts.request) + summary_text(program, verdict, sources, facts));
}

std::string summary_text(const Program& program, const Verdict& verdict, const SourceSet& sources,
                         const RunFacts& facts) {
  std::string out;
  if (!program.errors.is_question) out += dead_code_text(program, verdict, sources, facts);
  if (facts.show_statistics) out += dead_in_members_text(program, verdict, sources);
  out += fmt::format("{}: {}\n", facts.model, verdict_sentence(program, verdict));
  out += narrowed_text(program);
  out += lines_text(program);
  // What all runs do is another matter than what states there are.
  const bool knows_runs = unknown_property(verdict).empty() || program.errors.is_question;
  out += fmt::format("promise: {}{}\n", to_string(verdict.promise),
                     knows_runs ? "" : ", of states alone");
  out += reductions_text(verdict, facts.show_statistics);
  out += shortest_text(verdict);
  if (!facts.confirmation.empty()) out += fmt::format("both directions: {}\n", facts.confirmation);
  if (verdict.findings_left_out > 0)
    out += fmt::format("not listed: {} of other errors\n",
                       plural(verdict.findings_left_out, "finding", "findings"));
  out += left_out_text(verdict);
  if (!facts.remedies.empty())
    out += fmt::format("what may take it further: {}\n", fmt::join(facts.remedies, ", "));
  out += properties_text(program, verdict);
  if (verdict.graph && !verdict.graph->is_complete)
    out += "livelocks and stuck processes: unknown, since the graph is not complete\n";
  return out + statistics_text(program, verdict, facts);
}

}  // namespace panoptes
