// SPDX-License-Identifier: Apache-2.0
#include "search/temporal.hpp"

#include <algorithm>
#include <utility>

#include "search/accepting_runs.hpp"
#include "search/in_parallel.hpp"
#include "temporal/translate.hpp"

namespace panoptes {
namespace {

// Marks, stacks with a path through everything, and parents where there is a run to be told.
constexpr std::uint64_t bytes_per_node = 5 * sizeof(std::uint64_t);
// Marks and stacks of each of several who look for components, beside the first.
constexpr std::uint64_t bytes_per_node_of_others = 4 * sizeof(std::uint64_t);
constexpr std::uint64_t bytes_of_atoms = 2 * sizeof(Valuation);
constexpr const char* no_memory = "there is no memory to look at all runs";

// The same of the graph, and who does without, where he can.
std::string no_memory_for_graph(const Program& program) {
  return RunSearch::refusal(program).empty()
             ? fmt::format("{}; --search cycles needs no graph", no_memory)
             : no_memory;
}

// Why it gave up.
const char* why_early(const Deadline& deadline) {
  return deadline.is_interrupted() ? "it was interrupted before it had looked at all runs"
                                   : "there was no time to look at all runs";
}

// Why there is no automaton, and what may help.
std::string too_large(const TranslationFailure& failure) {
  return fmt::format(
      "the automaton of its negation would have {}; properties that each say a part "
      "have smaller ones",
      failure.reason);
}

// One property, and what becomes of it.
struct Question {
  std::uint32_t number = 0;
  std::optional<BuchiAutomaton> automaton;  // nothing where there is none, or no memory
  std::uint64_t bytes = 0;
  PropertyReport report;
  std::optional<ErrorReport> error;
  std::string problem;
};

class PropertySearch {
 public:
  PropertySearch(const Program& program, const KeptGraph& kept, const SourceSet& sources,
                 const Deadline& deadline)
      : program_(program), kept_(kept), sources_(sources), deadline_(deadline) {}

  Question question(std::uint32_t number) const {
    const TemporalProperty& property = program_.protocol.temporal[number];
    Question question{number, {}, 0, {property.name, property.text}, {}, {}};
    auto automaton = translate(negation(property.formula));
    if (!automaton) {
      question.report.reason = too_large(automaton.failure());
      return question;
    }
    question.report.automaton_states = automaton->states();
    const std::uint64_t nodes = automaton->states() * kept_.graph.states();
    question.bytes = nodes * bytes_per_node + kept_.graph.states() * bytes_of_atoms;
    if (nodes >= UINT32_MAX - 1 || question.bytes > kept_.most_bytes)
      question.report.reason = no_memory_for_graph(program_);
    else
      question.automaton = std::move(*automaton);
    return question;
  }

  // In so much memory, the question's own included.
  void answer(Question& question, unsigned threads, std::uint64_t bytes) const {
    if (!question.automaton) return;
    const TemporalProperty& property = program_.protocol.temporal[question.number];
    RunGraph graph(program_, property, kept_.graph, kept_.store, kept_.has_failures);
    const Product product(graph, *question.automaton);
    AcceptingRuns runs(program_, product);
    const std::uint64_t others =
        (bytes - std::min(bytes, question.bytes)) / (product.nodes() * bytes_per_node_of_others);
    const auto lookers = static_cast<unsigned>(std::min<std::uint64_t>(threads, 1 + others));
    if (!graph.make(threads, deadline_) || !runs.look(lookers, deadline_)) {
      question.report.reason = why_early(deadline_);
      return;
    }
    question.report.product_states = runs.visited();
    question.report.answer = runs.are_there() ? Outcome::violated : Outcome::holds;
    if (runs.are_there()) add_error(runs, question);
  }

 private:
  void add_error(const AcceptingRuns& runs, Question& question) const {
    const auto run = runs.run(deadline_);
    if (!run) {
      question.report.answer = Outcome::unknown;
      question.report.reason = why_early(deadline_);
      return;
    }
    question.error =
        report_violation(program_, question.number, *run, sources_, question.problem, deadline_);
    if (!question.error) return;
    question.error->count = runs.states();
    question.error->is_shortest = !kept_.is_reduced;  // the way; the cycle is short
  }

  const Program& program_;
  const KeptGraph& kept_;
  const SourceSet& sources_;
  const Deadline& deadline_;
};

// How many are looked at at once: as many as there are threads, and memory, for.
unsigned together(const std::vector<Question>& questions, const KeptGraph& kept) {
  std::uint64_t most = 1, count = 0;
  for (const Question& question : questions) {
    if (!question.automaton) continue;
    most = std::max(most, question.bytes);
    ++count;
  }
  const std::uint64_t limit =
      std::min<std::uint64_t>({kept.threads, count, kept.most_bytes / most});
  return static_cast<unsigned>(std::max<std::uint64_t>(1, limit));
}

}  // namespace

std::optional<Violations> find_violations(const Program& program, const KeptGraph& kept,
                                          const SourceSet& sources, std::string& problem,
                                          const Deadline& deadline) {
  const PropertySearch search(program, kept, sources, deadline);
  std::vector<Question> questions;
  for (std::uint32_t number = 0; number < program.protocol.temporal.size(); ++number)
    questions.push_back(search.question(number));
  const unsigned at_once = together(questions, kept);
  for_each_in_parallel(at_once, questions.size(), [&](std::uint64_t number) {
    search.answer(questions[number], std::max(1u, kept.threads / at_once),
                  kept.most_bytes / at_once);
  });
  Violations found;
  for (Question& question : questions) {
    if (!question.problem.empty()) {
      problem = question.problem;
      return {};
    }
    found.properties.push_back(std::move(question.report));
    if (question.error) found.errors.push_back(std::move(*question.error));
  }
  group_members(program, found);
  return found;
}

namespace {

const char* reason_of(RunSearch::End end, const Deadline& deadline) {
  switch (end) {
    case RunSearch::End::all_seen:
    case RunSearch::End::found: break;
    case RunSearch::End::time: return why_early(deadline);
    case RunSearch::End::memory: return no_memory;
    case RunSearch::End::depth: return "runs were followed only as far as --depth says";
    case RunSearch::End::endless_sequence:
      return "there is an indivisible sequence that need not end";
  }
  return "";
}

// False where a run does not replay or violates nothing.
bool follow_runs_of(const Program& program, std::uint32_t number, Stepper& stepper,
                    const RunSearch::Limits& limits, const SourceSet& sources,
                    const Deadline& deadline, Violations& found, std::string& problem) {
  const TemporalProperty& property = program.protocol.temporal[number];
  PropertyReport& report = found.properties.emplace_back();
  report.name = property.name;
  report.formula = property.text;
  const auto automaton = translate(negation(property.formula));
  if (!automaton) {
    report.reason = too_large(automaton.failure());
    return true;
  }
  report.automaton_states = automaton->states();
  RunSearch search(program, property, *automaton, stepper);
  const RunSearch::End end = search.look(limits, deadline);
  report.product_states = search.visited();
  report.reason = reason_of(end, deadline);
  if (end == RunSearch::End::all_seen) report.answer = Outcome::holds;
  if (end != RunSearch::End::found) return true;
  report.answer = Outcome::violated;
  auto error = report_violation(program, number, search.run(), sources, problem, deadline);
  if (!error) return false;
  error->count = 1;
  found.errors.push_back(std::move(*error));
  return true;
}

}  // namespace

std::optional<Violations> follow_runs(const Program& program, Stepper& stepper,
                                      const RunSearch::Limits& limits, const SourceSet& sources,
                                      std::string& problem, const Deadline& deadline) {
  Violations found;
  const std::string refusal = RunSearch::refusal(program);
  for (std::uint32_t number = 0; number < program.protocol.temporal.size(); ++number) {
    const TemporalProperty& property = program.protocol.temporal[number];
    if (!refusal.empty())
      found.properties.push_back({property.name, property.text, Outcome::unknown, refusal});
    else if (!follow_runs_of(program, number, stepper, limits, sources, deadline, found, problem))
      return {};
  }
  group_members(program, found);
  return found;
}

}  // namespace panoptes
