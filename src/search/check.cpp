// SPDX-License-Identifier: Apache-2.0
#include "search/check.hpp"

#include <algorithm>
#include <set>

#include "search/coverage.hpp"
#include "search/search_once.hpp"

namespace panoptes {
namespace {

// Adds errors found by another search; of two trails for the same one the shorter stays.
void merge_errors(std::vector<ErrorReport>& all, std::vector<ErrorReport>&& more) {
  for (ErrorReport& error : more) {
    const auto known = std::find_if(all.begin(), all.end(), [&](const ErrorReport& other) {
      return !(other.key < error.key) && !(error.key < other.key);
    });
    if (known == all.end())
      all.push_back(std::move(error));
    else if (error.trail.steps.size() < known->trail.steps.size())
      *known = std::move(error);
  }
  std::stable_sort(all.begin(), all.end(), [](const ErrorReport& a, const ErrorReport& b) {
    return a.trail.steps.size() < b.trail.steps.size();
  });
}

// Leaves what another search has not reached either.
void merge_dead_code(std::vector<DeadStatement>& all, const std::vector<DeadStatement>& more) {
  std::set<StatementId> also;
  for (const DeadStatement& dead : more) also.insert(dead.statement);
  std::erase_if(all, [&](const DeadStatement& dead) { return !also.contains(dead.statement); });
}

bool ended_by_itself(Stop stop) { return stop == Stop::finished || stop == Stop::omission; }

// Several searches with other hashes: what one has missed another may see.
void merge_runs(Verdict& all, Verdict&& more) {
  merge_errors(all.errors, std::move(more.errors));
  merge_errors(all.warnings, std::move(more.warnings));
  if (all.promise == Promise::partial && ended_by_itself(all.stop)) all.stop = more.stop;
  if (more.states > all.states) all.expected_omissions = more.expected_omissions;
  all.states_waiting += more.states_waiting;
  all.successors_waiting += more.successors_waiting;
  all.dropped += more.dropped;
  merge_dead_code(all.dead_code, more.dead_code);
  if (all.first_error_states == 0 && more.first_error_states > 0) {
    all.first_error_states = all.states_analysed + more.first_error_states;
    all.first_error_seconds = all.seconds + more.first_error_seconds;
  }
  all.states = std::max(all.states, more.states);
  all.transitions = std::max(all.transitions, more.transitions);
  all.states_analysed += more.states_analysed;
  all.depth = std::max(all.depth, more.depth);
  all.unexpanded = std::max(all.unexpanded, more.unexpanded);
  all.store_bytes = std::max(all.store_bytes, more.store_bytes);
  all.trail_bytes = std::max(all.trail_bytes, more.trail_bytes);
  all.frontier_bytes = std::max(all.frontier_bytes, more.frontier_bytes);
  all.seconds += more.seconds;
  all.outcome = outcome_of(all);
}

// A small part of the memory, and no more than says all that a sample can.
std::uint64_t sample_bytes(std::uint64_t memory_bytes) {
  constexpr std::uint64_t part = 64, enough = std::uint64_t{2} << 20;
  return std::min(memory_bytes / part, enough);
}

// Searches with bits or fingerprints, one for each seed; the time limit is that of all together.
std::optional<Verdict> search_often(const Program& program, const SourceSet& sources,
                                    CheckOptions options, std::string& problem) {
  if (options.search == SearchKind::automatic) options.search = SearchKind::exhaustive;
  const double time_limit = options.limits.seconds;
  std::optional<StateSample> sample;
  if (options.store.runs >= least_runs_for_coverage && options.folded.empty())
    options.explore.sample = &sample.emplace(sample_bytes(options.limits.memory_bytes));
  const auto next_run = [&] {
    if (sample) sample->begin_run();
    return search_once(program, sources, options, {}, problem);
  };
  auto all = next_run();
  if (!all) return {};
  bool have_ended = ended_by_itself(all->stop);
  SampledRun best{0, all->states};
  for (std::uint64_t run = 1; run < options.store.runs && all->expected_omissions; ++run) {
    if (options.interrupted && options.interrupted->load()) break;
    if (options.explore.first_error_only && !all->errors.empty()) break;
    if (time_limit > 0.0) {
      options.limits.seconds = time_limit - all->seconds;
      if (options.limits.seconds <= 0.0) break;
    }
    ++options.forgetful.seed;
    auto more = next_run();
    if (!more) return {};
    have_ended = have_ended && ended_by_itself(more->stop);
    if (run < StateSample::most_runs && more->states > best.states)
      best = {static_cast<unsigned>(run), more->states};
    merge_runs(*all, std::move(*more));
    all->runs = run + 1;
  }
  if (sample && have_ended) all->coverage = estimate_coverage(*sample, best);
  return all;
}

// Scatter searches between the turns of an exhaustive one, from the most restrictive setting to
// wider ones: they find in no time what an exhaustive search may take long to come to.
class Scatter {
 public:
  Scatter(const Program& program, const SourceSet& sources, const CheckOptions& options)
      : program_(program), sources_(sources), options_(options) {
    options_.search = SearchKind::exhaustive;
    options_.order = Order::best_first;
    options_.guide = Preference::scatter;
    options_.store = {};
    options_.keep_graph = false;
    options_.observer = {};
    options_.limits.memory_bytes /= memory_share;
  }
  static constexpr std::uint64_t memory_share = 8;

  // Called by the exhaustive search, with the seconds it has taken so far, turns included. False
  // when it need not go on.
  bool turn(double seconds) {
    if (seconds < next_ || setting_ == settings().size()) return true;
    const double start = options_.clock();
    const double time = time_limit_ > 0.0 ? std::min(turn_, time_limit_ - seconds) : turn_;
    double left = time;
    // What the exhaustive search has is not this one's.
    if (options_.explore.resident) options_.explore.fixed_bytes = options_.explore.resident();
    while (left > 0.0 && setting_ < settings().size()) {
      options_.choice = settings()[setting_];
      options_.limits.seconds = left;
      auto verdict = search_once(program_, sources_, options_, {}, problem_);
      if (!verdict) {
        setting_ = settings().size();  // the exhaustive search finds out itself
        break;
      }
      const Stop stop = verdict->stop;
      add(std::move(*verdict), seconds);
      left = time - (options_.clock() - start);
      if (stop != Stop::time) ++setting_;
    }
    next_ = seconds + (options_.clock() - start) + 2.0 * turn_;
    turn_ *= 2.0;
    return !(options_.explore.first_error_only && !errors_.empty());
  }

  void add_to(Verdict& verdict) {
    if (dead_code_) merge_dead_code(verdict.dead_code, *dead_code_);
    if (errors_.empty()) return;
    if (verdict.first_error_states == 0 || first_seconds_ < verdict.first_error_seconds) {
      verdict.first_error_seconds = first_seconds_;
      verdict.first_error_states = first_states_;
    }
    merge_errors(verdict.errors, std::move(errors_));
    verdict.outcome = outcome_of(verdict);
  }

 private:
  // One successor in all, one of each process, two, and all of them in the order of their cost.
  static const std::vector<Choice>& settings() {
    static const std::vector<Choice> all = [] {
      std::vector<Choice> choices(4);
      for (Choice& choice : choices) choice.preference = Preference::scatter;
      choices[0].keep = 1;
      choices[1].keep = 1;
      choices[1].per_process = true;
      choices[2].keep = 2;
      return choices;
    }();
    return all;
  }

  void add(Verdict&& found, double seconds) {
    if (errors_.empty() && !found.errors.empty()) {
      first_seconds_ = seconds + found.first_error_seconds;
      first_states_ = found.first_error_states;
    }
    for (const ErrorReport& error : found.errors)
      if (announced_.insert(error.key).second && options_.announce) options_.announce(error);
    merge_errors(errors_, std::move(found.errors));
    if (dead_code_)
      merge_dead_code(*dead_code_, found.dead_code);
    else
      dead_code_ = std::move(found.dead_code);
  }

  const Program& program_;
  const SourceSet& sources_;
  CheckOptions options_;
  double time_limit_ = options_.limits.seconds;
  std::size_t setting_ = 0;
  double turn_ = 1.0, next_ = 1.0;
  std::vector<ErrorReport> errors_;
  std::optional<std::vector<DeadStatement>> dead_code_;  // what no search so far has reached
  std::set<ErrorKey> announced_;
  double first_seconds_ = 0.0;
  std::uint64_t first_states_ = 0;
  std::string problem_;
};

// Exhaustive, which is all there is to it for small protocols, with scatter searches in between.
std::optional<Verdict> search_by_turns(const Program& program, const SourceSet& sources,
                                       CheckOptions options, std::string& problem) {
  options.search = SearchKind::exhaustive;
  Scatter scatter(program, sources, options);
  options.limits.memory_bytes -= options.limits.memory_bytes / Scatter::memory_share;
  auto verdict = search_once(
      program, sources, options, [&](double seconds) { return scatter.turn(seconds); }, problem);
  if (verdict) scatter.add_to(*verdict);
  return verdict;
}

}  // namespace

std::uint64_t default_depth_limit(const Program& program) {
  std::uint64_t states = 0;
  for (const Process& process : program.protocol.processes)
    states += process.automaton.states.size();
  return 10 * states;
}

std::optional<Verdict> check(const Program& program, const SourceSet& sources,
                             const CheckOptions& options, std::string& problem) {
  if (options.search == SearchKind::automatic && options.store.runs == 1)
    return search_by_turns(program, sources, options, problem);
  return search_often(program, sources, options, problem);
}

}  // namespace panoptes
