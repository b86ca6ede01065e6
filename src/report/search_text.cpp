// SPDX-License-Identifier: Apache-2.0
#include "report/search_text.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cmath>

#include "base/display.hpp"
#include "report/number_text.hpp"
#include "report/state_text.hpp"

namespace panoptes {

std::string shortage_text(const std::string& reason) {
  if (reason == "interrupt") return "interrupted";
  if (reason == "means") return "a backward search has no means for it; `panoptes check` has";
  if (reason == "work") return "a rule has too many ways backwards";
  if (reason == "claims") return "too many claims";
  return fmt::format("too little {}", reason);
}

namespace {

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
  const std::string divided =
      cluster.dividing_seconds > 0.0
          ? fmt::format(", divided in {:.3f} s before the search", cluster.dividing_seconds)
          : "";
  if (cluster.states.size() == 1) return "1 rank, which has all states\n";
  return fmt::format(
      "{}, with {} to {} states{};\n{} handed over, {} lent, {:.1f} bytes sent a transition\n",
      plural(cluster.states.size(), "rank", "ranks"), with_commas(*least), with_commas(*most),
      divided, plural(cluster.handed_over, "state", "states"), with_commas(cluster.lent),
      transitions == 0
          ? 0.0
          : static_cast<double>(cluster.sent_bytes) / static_cast<double>(transitions));
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

}  // namespace

std::string left_out_text(const Verdict& verdict) {
  return kept_text(verdict) + coverage_text(verdict) + left_text(verdict) +
         unexpanded_text(verdict);
}

std::string statistics_text(const Program& program, const Verdict& verdict, const RunFacts& facts) {
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
  if (verdict.relational)
    out += relational_text(verdict);
  else if (!verdict.errors.empty())
    out += fmt::format(
        "first {} after {}, {:.3f} s\n", program.errors.is_question ? "witness" : "error",
        plural(verdict.first_error_states, "state", "states"), verdict.first_error_seconds);
  return facts.show_statistics ? out + more_statistics(verdict) : out;
}

}  // namespace panoptes
