// SPDX-License-Identifier: Apache-2.0
// What came of it: the verdict, what it promises, the most important numbers.
#include <fmt/format.h>
#include <fmt/ranges.h>

#include "base/version.hpp"
#include "protocol/line_faults.hpp"
#include "report/html_parts.hpp"
#include "report/state_text.hpp"
#include "rules/narrow.hpp"

namespace panoptes {
namespace {

// What may be concluded from it.
std::string promise_words(const Verdict& verdict) {
  const Promise promise = verdict.promise;
  switch (verdict.outcome) {
    case Outcome::holds:
      return promise == Promise::exhaustive
                 ? "Every reachable state was visited and none has an error: a proof, for this "
                   "model, these capacities and these options."
                 : "Every reachable state was visited and none has an error, unless two states "
                   "were taken for one: fewer than 0.01 such cases are expected.";
    case Outcome::violated:
      if (promise == Promise::partial)
        return "The errors that are listed are real; there may be more, since not everything was "
               "seen.";
      if (promise == Promise::hashed)
        return "The errors that are listed are real, and probably there are no others.";
      return hides_errors(verdict) ? "The errors that are listed are real, and there are no others "
                                     "but perhaps behind the steps that failed."
                                   : "The errors that are listed are real, and there are no "
                                     "others: every reachable state was visited.";
    case Outcome::unknown:
      return "No error so far. Nothing follows from that: not everything was seen.";
  }
  return "";
}

// The same of a search that begins at what must not happen.
std::string backward_words(const Verdict& verdict) {
  const BackwardReport& report = *verdict.backward;
  const std::string_view chosen = report.is_chosen ? " that was chosen" : "";
  if (!verdict.errors.empty()) {
    if (!report.is_settled())
      return "The errors that are listed are real; there may be more, since not every target is "
             "settled.";
    return fmt::format("What is listed is real, and no other target{} can be reached{}.", chosen,
                       hides_errors(verdict) ? " but perhaps behind the steps that failed" : "");
  }
  if (!report.is_settled())
    return "No error so far. Nothing follows from that: not every target is settled.";
  const std::string_view proof = ": a proof, for this model, these capacities and these options.";
  if (verdict.outcome == Outcome::unknown)
    return fmt::format(
        "No target{} is an error that can be reached{} Of temporal properties a "
        "backward search knows nothing.",
        chosen, proof);
  return fmt::format("No target{} can be reached{}{}", chosen,
                     report.count_of("reachable") > 0
                         ? " but those that are listed, which are worth a warning"
                         : "",
                     proof);
}

// The same of a question, where nothing but the answer was looked for.
std::string answer_words(const Verdict& verdict) {
  switch (verdict.outcome) {
    case Outcome::holds:
      return verdict.promise == Promise::exhaustive
                 ? "Every reachable state was visited, and it holds in none of them."
                 : "Every reachable state was visited and it holds in none of them, unless two "
                   "states were taken for one: fewer than 0.01 such cases are expected.";
    case Outcome::violated: return "The trail below is a way there.";
    case Outcome::unknown:
      return "It holds in no state that was seen. Nothing follows from that: not everything was.";
  }
  return "";
}

Html figure(const std::string& number, std::string_view of_what) {
  return html("<div><dt>{}</dt><dd>{}</dd></div>\n", of_what, number);
}

Html figures_of_states(const Verdict& verdict) {
  Html out = verdict.is_distinct ? figure(with_commas(verdict.states), "states")
                                 : figure(with_commas(verdict.states_analysed), "visits to states");
  out += figure(with_commas(verdict.transitions), "transitions");
  out += figure(with_commas(verdict.depth), "depth");
  return out;
}

Html figures_of_targets(const BackwardReport& report) {
  Html out = figure(with_commas(report.targets.size()), "targets");
  for (const char* const answer : {"reachable", "unreachable", "unknown"})
    out += figure(with_commas(report.count_of(answer)), answer);
  return out;
}

Html figures(const Page& page) {
  const Verdict& verdict = page.verdict;
  Html out = verdict.backward ? figures_of_targets(*verdict.backward) : figures_of_states(verdict);
  out += figure(fmt::format("{:.3f} s", verdict.seconds), "elapsed");
  out += figure(as_bytes(page.facts.memory_bytes), "memory");
  return html("<dl class=\"figures\">\n{}</dl>\n", out);
}

// Whoever reads that something holds must know of which model it is said.
Html provisos(const Page& page) {
  Html out;
  if (const std::string narrowed = narrowed_channels(page.program.protocol); !narrowed.empty())
    out += html(
        "<p class=\"proviso\">Narrowed: {}. Nothing is said about the model as written."
        "</p>\n",
        narrowed);
  if (page.program.protocol.has_given_lines)
    out += html("<p class=\"proviso\">Lines: {} (--faults).</p>\n",
                lines_in_words(page.program.protocol));
  const ReductionReport& reductions = page.verdict.reductions;
  if (!reductions.used.empty())
    out += html("<p class=\"proviso\">Reduced: {}{}{}.</p>\n",
                fmt::format("{}", fmt::join(reductions.used, ", ")),
                reductions.symmetry.empty() ? "" : "; ", reductions.symmetry);
  for (std::size_t i = 0; i < page.facts.remedies.size(); ++i)
    out += html("{}{}{}", i == 0 ? html("<p class=\"proviso\">What may take it further: ") : Html(),
                page.facts.remedies[i],
                i + 1 < page.facts.remedies.size() ? html(", ") : html(".</p>\n"));
  return out;
}

Html navigation(const Page& page) {
  const bool has_findings = !page.verdict.errors.empty() || !page.verdict.warnings.empty();
  return html(
      "<nav>{}{}<a href=\"#automata\">Automata</a> <a href=\"#search\">The search</a></nav>\n",
      has_findings ? html("<a href=\"#errors\">{}</a> ",
                          page.verdict.errors.empty() ? "Warnings" : "What is wrong")
                   : Html(),
      page.verdict.backward ? Html() : html("<a href=\"#coverage\">Coverage</a> "));
}

}  // namespace

Html summary_part(const Page& page) {
  const Verdict& verdict = page.verdict;
  const bool is_question = page.program.errors.is_question;
  const auto definitions = page.options.find("D");
  return html(
      "<header>\n<p class=\"product\">Panoptes {}</p>\n<h1>{}</h1>\n{}"
      "<p class=\"verdict {}\">{}</p>\n<p class=\"promise\">{} <span>promise: {}</span></p>\n"
      "{}{}{}</header>\n",
      version, page.facts.model,
      definitions == page.options.end()
          ? Html()
          : html("<p class=\"definitions\">defined: {}</p>\n", definitions->second),
      to_string(verdict.outcome), verdict_sentence(page.program, verdict),
      verdict.backward ? backward_words(verdict)
      : is_question    ? answer_words(verdict)
                       : promise_words(verdict),
      to_string(verdict.promise), provisos(page), figures(page), navigation(page));
}

}  // namespace panoptes
