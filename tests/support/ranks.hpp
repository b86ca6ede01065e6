// SPDX-License-Identifier: Apache-2.0
// A check over ranks, in a process of which this is one rank, or with all ranks as threads; and
// what must be the same for any number of them.
#pragma once

#include <fmt/format.h>

#include <stdexcept>
#include <string>
#include <thread>
#include <vector>

#include "cluster/cluster.hpp"
#include "cluster/refusal.hpp"
#include "support/model.hpp"
#include "transport/thread_transport.hpp"

namespace panoptes::test {

// Protocols of tests are too small for it otherwise.
inline constexpr LendingOptions lends_whenever_asked{
    .is_allowed = true, .least_states = 0, .whatever_it_costs = true};

// On rank 0 the verdict, on others one with nothing in it.
inline Verdict check_on(Transport& transport, const Compiled& compiled, CheckOptions options) {
  std::string problem;
  const auto cluster = Cluster::make(transport, compiled.program,
                                     {.threads = options.threads,
                                      .memory_bytes = options.limits.memory_bytes,
                                      .asked = print_of(options),
                                      .symmetry = options.symmetry,
                                      .lending = lends_whenever_asked},
                                     problem);
  if (!cluster) throw std::runtime_error(problem);
  options.ranks = cluster.get();
  return check(compiled, options);
}

// With ranks as threads. `change` may give each rank options of its own.
template <typename Change>
Verdict check_on_threads(unsigned ranks, const Compiled& compiled, const CheckOptions& options,
                         Change change) {
  const auto transports = thread_transports(ranks);
  Verdict verdict;
  {
    std::vector<std::jthread> threads;
    for (const auto& transport : transports)
      threads.emplace_back([&, own = transport.get()] {
        CheckOptions own_options = options;
        change(own->rank(), own_options);
        Verdict found = check_on(*own, compiled, own_options);
        if (own->rank() == 0) verdict = std::move(found);
      });
  }
  return verdict;
}
inline Verdict check_on_threads(unsigned ranks, const Compiled& compiled,
                                const CheckOptions& options) {
  return check_on_threads(ranks, compiled, options, [](unsigned, CheckOptions&) {});
}

// What does not depend on who finds what first.
inline std::string summary_of(const Verdict& verdict) {
  std::string text =
      fmt::format("{} {} {}: {} states, {} transitions, depth {}, {} left out\n",
                  to_string(verdict.outcome), to_string(verdict.promise), to_string(verdict.stop),
                  verdict.states, verdict.transitions, verdict.depth, verdict.findings_left_out);
  for (const auto* list : {&verdict.errors, &verdict.warnings})
    for (const ErrorReport& e : *list)
      text += fmt::format("{} [{}] at [{}] message [{}]: {} times in {} members, {} deep{}{}\n",
                          to_string(e.description.kind), e.description.process, e.description.place,
                          e.description.message, e.count, e.members.size(), e.search_step_count(),
                          e.gap == TrailGap::no_gap ? "" : ", no trail",
                          e.is_warning ? ", a warning" : "");
  for (const DeadStatement& dead : verdict.dead_code)
    text += fmt::format("dead {}, {}\n", dead.statement, verdict.is_dead_code_certain);
  std::string passed;
  for (const bool rule : verdict.passed) passed += rule ? '1' : '0';
  for (const bool rule : verdict.fired) passed += rule ? '1' : '0';
  return text + passed;
}

}  // namespace panoptes::test
