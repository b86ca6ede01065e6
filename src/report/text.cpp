// SPDX-License-Identifier: Apache-2.0
#include "report/text.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cmath>
#include <set>

#include "base/display.hpp"
#include "protocol/fairness.hpp"
#include "protocol/line_faults.hpp"
#include "report/alike_text.hpp"
#include "report/columns.hpp"
#include "report/error_lines.hpp"
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

// Digits beyond the third say nothing of an estimate.
std::string about(double value) {
  if (value < 1000.0) return fmt::format("{:.3g}", value);
  double unit = 1.0;
  while (value / unit >= 1000.0) unit *= 10.0;
  return with_commas(static_cast<std::uint64_t>(std::round(value / unit) * unit));
}

// A bound is rounded up.
std::string percent_at_most(double share) {
  return fmt::format("{:.2f} %", std::ceil(share * 1e4 - 1e-6) / 100.0);
}

std::string unknown_coverage_text(const Verdict& verdict) {
  const char* why = "";
  if (verdict.stop != Stop::omission)
    why = ", since it was cut short";
  else if (verdict.runs > 1)
    why = ", since so few runs of so few states do not tell";
  return fmt::format("coverage: unknown{}\n", why);
}

// The share of all states that was seen, where runs can tell. Of one run nobody knows it: what only
// those states lead to that it took for others was not seen either.
std::string coverage_text(const Verdict& verdict) {
  if (!verdict.expected_omissions) return {};
  const bool is_partial = verdict.promise == Promise::partial;
  const char* where = verdict.runs > 1 ? " in the best run" : "";
  const std::string expected = about(*verdict.expected_omissions);
  std::string out =
      is_partial
          ? fmt::format(
                "omissions: about {} states taken for others{}, and all that only those lead "
                "to,\n           which may be many times more\n",
                expected, where)
          : fmt::format(
                "omissions: none, but for a chance of {} that a state was taken for "
                "another{}\n",
                expected, where);
  if (!verdict.coverage) return is_partial ? out + unknown_coverage_text(verdict) : out;
  const Coverage& coverage = *verdict.coverage;
  const auto rounded = [&](std::uint64_t states) {
    return coverage.sampled_share == 1.0 ? with_commas(states) : about(static_cast<double>(states));
  };
  const std::string together =
      (coverage.sampled_share == 1.0 ? "" : "about ") + rounded(coverage.states_together);
  if (!is_partial)
    return out + fmt::format("coverage: {} runs saw {} states, and nothing points to others\n",
                             verdict.runs, together);
  return out + fmt::format(
                   "coverage: there are at least {} states (95 % sure): the best of {} runs\n"
                   "          saw at most {} of them, all runs together {} states\n",
                   rounded(coverage.states_at_least), verdict.runs,
                   percent_at_most(coverage.at_most), together);
}

// Whoever asked for an exact search must know that it was one only at first.
std::string kept_text(const Verdict& verdict) {
  if (verdict.kept == Kept::whole) return {};
  return fmt::format("memory: too little for whole states, so it went on with {} of each\n",
                     verdict.kept == Kept::hashes ? "64 bits" : "a few bits");
}

// What a search that ended early has left.
std::string left_text(const Verdict& verdict) {
  std::vector<std::string> left;
  if (verdict.states_waiting > 0)
    left.push_back(plural(verdict.states_waiting, "state", "states") +
                   " found but not expanded, with all that lies behind");
  if (verdict.successors_waiting > 0)
    left.push_back(plural(verdict.successors_waiting, "successor", "successors") +
                   " not looked at");
  if (verdict.dropped > 0)
    left.push_back(plural(verdict.dropped, "successor", "successors") +
                   " dropped for want of memory");
  std::string out = left.empty() ? "" : fmt::format("left: {}\n", fmt::join(left, ", "));
  if (verdict.needed_bytes > 0)
    out += fmt::format("memory: too little to begin with; --memory {}M would do{}\n",
                       verdict.needed_bytes >> 20, verdict.cluster ? " for each rank" : "");
  return out;
}

// What was found to be wrong and left at that.
std::string unexpanded_text(const Verdict& verdict) {
  if (verdict.unexpanded == 0) return {};
  // Who forgets states, or counts them aside, has come to some of them more than once.
  const bool may_repeat =
      !verdict.is_distinct || (verdict.runs == 1 && verdict.states < verdict.states_analysed);
  return fmt::format("not expanded: {} with an error\n",
                     may_repeat ? plural(verdict.unexpanded, "visit to a state", "visits to states")
                                : plural(verdict.unexpanded, "state", "states"));
}

std::string states_text(const Verdict& verdict) {
  std::string analysed = plural(verdict.states_analysed, "state", "states") + " analysed";
  if (!verdict.is_distinct) return analysed + ", repeats included";
  std::string distinct = plural(verdict.states, "state", "states");
  if (verdict.runs > 1) distinct += " in the best run";
  if (verdict.states < verdict.states_analysed) distinct += ", " + analysed;
  if (verdict.runs > 1) distinct += " in all";
  return distinct;
}

// How often states were visited, and how many of those visited so often were visited again.
std::string recurrence_text(const Verdict& verdict) {
  constexpr int shown = 8;
  const std::vector<std::uint64_t>& recurrence = verdict.recurrence;
  std::uint64_t left = 0;  // states visited so often or more
  for (const std::uint64_t states : recurrence) left += states;
  std::string out;
  int rows = 0;
  for (std::size_t visits = 1; visits < recurrence.size() && rows < shown; ++visits) {
    const std::uint64_t states = recurrence[visits];
    if (states == 0) continue;
    if (rows++ == 0) out += "visits        states   came again\n";
    out += fmt::format("{:>6} {:>13} {:>10.1f} %\n", visits, with_commas(states),
                       100.0 * static_cast<double>(left - states) / static_cast<double>(left));
    left -= states;
  }
  return out;
}

std::string cache_text(const Verdict& verdict) {
  const CacheReport& cache = *verdict.cache;
  std::string out = fmt::format("cache of {}", plural(cache.places, "state", "states"));
  out += cache.given_up == 0
             ? ", none given up\n"
             : fmt::format(": {} given up, {:.1f} looked at for each, {:.0f} % of the time\n",
                           with_commas(cache.given_up), cache.looked_at,
                           100.0 * cache.replacement_share);
  if (cache.nearer > 0)
    out += fmt::format("{} expanded again, met nearer than before\n",
                       plural(cache.nearer, "state", "states"));
  return out;
}

std::string graph_text(const GraphReport& graph) {
  std::string out =
      fmt::format("graph of {} in {}\n", plural(graph.links, "transition", "transitions"),
                  as_bytes(graph.bytes));
  if (!graph.is_complete) return out;
  return out + fmt::format("{} on cycles, in {}, the largest of {}; {} livelocked\n",
                           plural(graph.cyclic_states, "state", "states"),
                           plural(graph.cyclic_components, "component", "components"),
                           with_commas(graph.largest_component),
                           with_commas(graph.livelocked_states));
}

std::string cluster_text(const ClusterReport& cluster, std::uint64_t transitions) {
  const auto [least, most] = std::minmax_element(cluster.states.begin(), cluster.states.end());
  return fmt::format("{}, with {} to {} states; {} handed over, {:.1f} bytes sent a transition\n",
                     plural(cluster.states.size(), "rank", "ranks"), with_commas(*least),
                     with_commas(*most), plural(cluster.handed_over, "state", "states"),
                     transitions == 0 ? 0.0
                                      : static_cast<double>(cluster.sent_bytes) /
                                            static_cast<double>(transitions));
}

std::string more_statistics(const Verdict& verdict) {
  const Parameters& p = verdict.parameters;
  std::string out = fmt::format(
      "M {} of memory at most, R {}, S {:.1f} bytes to store one,\n"
      "L {:.2f} successors of one, E {:.2e} s for one, D {:.1f} states in a sequence, {} at most\n",
      as_bytes(p.memory_bytes),
      verdict.is_distinct ? plural(verdict.states, "state", "states") : "unknown",
      p.bytes_per_state, p.successors_per_state, p.seconds_per_state, p.sequence_states,
      with_commas(p.longest_sequence_states));
  if (verdict.depth_limit > 0)
    out += fmt::format("no deeper than {}\n", plural(verdict.depth_limit, "step", "steps"));
  if (verdict.is_distinct && verdict.states < verdict.states_analysed)
    out += fmt::format("double work: {:.1f} %\n",
                       100.0 * static_cast<double>(verdict.states_analysed - verdict.states) /
                           static_cast<double>(verdict.states));
  if (verdict.cache) out += cache_text(verdict);
  if (verdict.graph) out += graph_text(*verdict.graph);
  if (verdict.cluster) out += cluster_text(*verdict.cluster, verdict.transitions);
  return out + recurrence_text(verdict);
}

std::string relational_text(const Verdict& verdict) {
  const RelationalReport& report = *verdict.relational;
  std::string out = fmt::format("related in {}, all states found after {:.3f} s\n", report.engine,
                                report.search_seconds);
  if (!verdict.errors.empty())
    out += fmt::format("an error can be reached from {}\n",
                       plural(report.faulty_states, "state", "states"));
  return out;
}

// Why a target was not settled, in words.
std::string shortage_text(const std::string& reason) {
  if (reason == "interrupt") return "interrupted";
  if (reason == "means") return "a backward search has no means for it; `panoptes check` has";
  if (reason == "work") return "a rule has too many ways backwards";
  if (reason == "claims") return "too many claims";
  return fmt::format("too little {}", reason);
}

std::string backward_text(const Verdict& verdict, const RunFacts& facts) {
  const BackwardReport& report = *verdict.backward;
  std::string out;
  if (!report.reason.empty()) {
    out += fmt::format("the targets were not found: {}\n", shortage_text(report.reason));
  } else {
    out += fmt::format("{}", plural(report.left.front().second, "target", "targets"));
    for (std::size_t i = 1; i < report.left.size(); ++i)
      out +=
          fmt::format(", {} left by {}", with_commas(report.left[i].second), report.left[i].first);
    out += fmt::format(
        ": {} reachable, {} unreachable, {} unknown\n", with_commas(report.count_of("reachable")),
        with_commas(report.count_of("unreachable")), with_commas(report.count_of("unknown")));
  }
  constexpr std::size_t most_listed = 10;
  std::size_t unsettled = 0;
  for (const BackwardReport::Target& target : report.targets) {
    if (target.reason.empty()) continue;
    if (++unsettled <= most_listed)
      out += fmt::format("  {}: {}: {}\n",
                         target.answer == "unknown" ? "unknown" : "perhaps elsewhere, too",
                         target.what, shortage_text(target.reason));
  }
  if (unsettled > most_listed)
    out += fmt::format("  ... and {} more (--json has all)\n", unsettled - most_listed);
  if (facts.show_statistics)
    for (const BackwardReport::Target& target : report.targets)
      out += fmt::format("  {}{}: {}\n", target.answer, target.by.empty() ? "" : " by " + target.by,
                         target.what);
  out += fmt::format("engine {}: {}, a sample of {}, {}, {}\n", report.engine,
                     plural(report.facts, "fact", "facts"),
                     plural(report.sample_states, "state", "states"),
                     plural(report.questions, "question", "questions"),
                     plural(report.claims, "claim excluded", "claims excluded"));
  return out + fmt::format("{:.3f} s elapsed, {} of memory\n", verdict.seconds,
                           as_bytes(facts.memory_bytes));
}

// Rates of very small searches say nothing about the search, so they are left out. Those of others
// are of processor time, which does not depend on what else the machine does; a database has its
// own processes, of which nobody knows.
std::string time_text(const Verdict& verdict) {
  constexpr double enough_seconds = 0.01;
  std::string out = fmt::format("{:.3f} s elapsed", verdict.seconds);
  if (verdict.processor_seconds == 0.0) return out;
  out += fmt::format(", {:.3f} s of processor time", verdict.processor_seconds);
  if (verdict.processor_seconds < enough_seconds) return out;
  return out + fmt::format(
                   ", {} states in a second of it",
                   with_commas(static_cast<std::uint64_t>(
                       static_cast<double>(verdict.states_analysed) / verdict.processor_seconds)));
}

std::string statistics(const Program& program, const Verdict& verdict, const RunFacts& facts) {
  if (verdict.backward) return backward_text(verdict, facts);
  constexpr std::uint64_t enough_states = 10'000;
  std::string out =
      fmt::format("{}, {}, depth {}, {} a state\n", states_text(verdict),
                  plural(verdict.transitions, "transition", "transitions"),
                  with_commas(verdict.depth), plural(program.layout.bits, "bit", "bits"));
  out += fmt::format("{}, {} of memory", time_text(verdict), as_bytes(facts.memory_bytes));
  if (verdict.is_distinct && verdict.states >= enough_states)
    out += fmt::format(", {:.1f} bytes a state", static_cast<double>(facts.memory_bytes) /
                                                     static_cast<double>(verdict.states));
  out += "\n";
  if (verdict.relational) return out + relational_text(verdict);
  if (!verdict.errors.empty())
    out += fmt::format(
        "first {} after {}, {:.3f} s\n", program.errors.is_question ? "witness" : "error",
        plural(verdict.first_error_states, "state", "states"), verdict.first_error_seconds);
  return out;
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
  if (error.finding.kind == ErrorKind::ltl && error.cycle.steps.empty())
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
        "trails: perhaps not the shortest, since steps were left out; --shortest "
        "finds those\n");
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
  out += kept_text(verdict);
  out += coverage_text(verdict);
  out += left_text(verdict);
  out += unexpanded_text(verdict);
  if (!facts.remedies.empty())
    out += fmt::format("what may take it further: {}\n", fmt::join(facts.remedies, ", "));
  out += properties_text(program, verdict);
  if (verdict.graph && !verdict.graph->is_complete)
    out += "livelocks and stuck processes: unknown, since the graph is not complete\n";
  out += statistics(program, verdict, facts);
  if (facts.show_statistics && !verdict.backward) out += more_statistics(verdict);
  return out;
}

}  // namespace panoptes
