// SPDX-License-Identifier: Apache-2.0
#include "search/temporal.hpp"

#include <utility>

#include "search/accepting_runs.hpp"
#include "temporal/translate.hpp"

namespace panoptes {
namespace {

constexpr std::uint64_t bytes_per_node = 3 * sizeof(std::uint64_t);  // marks, parents, stacks
constexpr std::uint64_t bytes_of_atoms = 2 * sizeof(Valuation);
constexpr const char* no_time = "there was no time to look at all runs";

class PropertySearch {
 public:
  PropertySearch(const Program& program, const KeptGraph& kept, const SourceSet& sources,
                 const Deadline& deadline)
      : program_(program), kept_(kept), sources_(sources), deadline_(deadline) {}

  // False where something does not replay, with the reason in `problem`.
  bool look_at(std::uint32_t number, Violations& found, std::string& problem) const {
    const TemporalProperty& property = program_.protocol.temporal[number];
    PropertyReport& report =
        found.properties.emplace_back(PropertyReport{property.name, property.text});
    const auto automaton = translate(negation(property.formula));
    if (!automaton) {
      report.reason = automaton.failure().reason;
      return true;
    }
    report.automaton_states = automaton->states();
    const std::uint64_t nodes = automaton->states() * kept_.graph.states();
    if (nodes >= UINT32_MAX ||
        nodes * bytes_per_node + kept_.graph.states() * bytes_of_atoms > kept_.most_bytes) {
      report.reason = "there is no memory to look at all runs";
      return true;
    }
    RunGraph graph(program_, property, kept_.graph, kept_.store, kept_.has_failures);
    const Product product(graph, *automaton);
    AcceptingRuns runs(program_, product);
    if (!graph.make(deadline_) || !runs.look(deadline_)) {
      report.reason = no_time;
      return true;
    }
    report.product_states = runs.visited();
    report.answer = runs.are_there() ? Outcome::violated : Outcome::holds;
    return !runs.are_there() || add_error(number, runs, found, problem);
  }

 private:
  bool add_error(std::uint32_t number, const AcceptingRuns& runs, Violations& found,
                 std::string& problem) const {
    const auto run = runs.run(deadline_);
    if (!run) {
      found.properties.back().answer = Outcome::unknown;
      found.properties.back().reason = no_time;
      return true;
    }
    auto error = report_violation(program_, number, *run, sources_, problem, deadline_);
    if (!error) return false;
    error->count = runs.states();
    error->is_shortest = true;  // the way; the cycle is short
    found.errors.push_back(std::move(*error));
    return true;
  }

  const Program& program_;
  const KeptGraph& kept_;
  const SourceSet& sources_;
  const Deadline& deadline_;
};

}  // namespace

std::optional<Violations> find_violations(const Program& program, const KeptGraph& kept,
                                          const SourceSet& sources, std::string& problem,
                                          const Deadline& deadline) {
  Violations found;
  const PropertySearch search(program, kept, sources, deadline);
  for (std::uint32_t number = 0; number < program.protocol.temporal.size(); ++number)
    if (!search.look_at(number, found, problem)) return {};
  group_members(program, found);
  return found;
}

}  // namespace panoptes
