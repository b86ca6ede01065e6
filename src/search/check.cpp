// SPDX-License-Identifier: Apache-2.0
#include "search/check.hpp"

#include "search/repeated_runs.hpp"
#include "search/scatter_turns.hpp"
#include "search/shortest.hpp"

namespace panoptes {

std::uint64_t default_depth_limit(const Program& program) {
  std::uint64_t states = 0;
  for (const Process& process : program.protocol.processes)
    states += process.automaton.states.size();
  return 10 * states;
}

std::optional<Verdict> check(const Program& program, const SourceSet& sources,
                             const CheckOptions& options, std::string& problem) {
  const ExhaustiveSearch* const search = exhaustive_search(options);
  const double start = options.clock();
  // Over ranks there are no turns: all of them work on one search.
  const bool has_turns = search && std::holds_alternative<Turns>(search->course) && !options.ranks;
  auto verdict = has_turns ? search_by_turns(program, sources, options, problem)
                           : search_often(program, sources, options, problem);
  if (!verdict || !options.shortest) return verdict;
  return with_shortest_trails(program, sources, options, start, std::move(*verdict), problem);
}

}  // namespace panoptes
