// SPDX-License-Identifier: Apache-2.0
#include "search/check.hpp"

#include <algorithm>
#include <deque>
#include <limits>
#include <set>

#include "rules/narrow.hpp"
#include "search/coverage.hpp"
#include "search/error_log.hpp"
#include "search/search_once.hpp"
#include "verdict/conclusions.hpp"

namespace panoptes {
namespace {

// Adds errors found by another search, as many as there is room for; of two trails for the same one
// the shorter stays. Returns the findings for which there was no room.
std::uint64_t merge_errors(const Program& program, std::vector<ErrorReport>& all,
                           std::vector<ErrorReport>&& more) {
  const auto exact = [&](const ErrorReport& error) {
    return exact_key_of(program, error.finding, error.trail.last);
  };
  for (ErrorReport& error : more) {
    const auto known = std::find_if(
        all.begin(), all.end(), [&](const ErrorReport& other) { return other.key == error.key; });
    if (known == all.end()) {
      all.push_back(std::move(error));
      continue;
    }
    Members members = known->members;
    const std::uint64_t count = std::max(error.count, known->count);
    add_members(error.members, members);
    add_members(program, exact(*known), exact(error), members);
    if (std::pair(error.step_count(), error.gap) < std::pair(known->step_count(), known->gap))
      *known = std::move(error);
    known->members = std::move(members);
    known->count = count;
  }
  std::stable_sort(all.begin(), all.end(), [](const ErrorReport& a, const ErrorReport& b) {
    return a.step_count() < b.step_count();
  });
  std::uint64_t left_out = 0;
  for (; all.size() > ErrorLog::Limits{}.groups; all.pop_back()) left_out += all.back().count;
  return left_out;
}

// Leaves what another search has not reached either.
void merge_dead_code(std::vector<DeadStatement>& all, const std::vector<DeadStatement>& more) {
  std::set<StatementId> also;
  for (const DeadStatement& dead : more) also.insert(dead.statement);
  std::erase_if(all, [&](const DeadStatement& dead) { return !also.contains(dead.statement); });
}

bool ended_by_itself(Stop stop) { return stop == Stop::finished || stop == Stop::omission; }

// `more` came after all others.
void note_first_error(Verdict& all, const Verdict& more) {
  if (all.first_error_states > 0 || more.first_error_states == 0) return;
  all.first_error_states = all.states_analysed + more.first_error_states;
  all.first_error_seconds = all.seconds + more.first_error_seconds;
}

// Several searches with other hashes: what one has missed another may see.
void merge_runs(const Program& program, Verdict& all, Verdict&& more) {
  all.findings_left_out = std::max(all.findings_left_out, more.findings_left_out);
  all.findings_left_out += merge_errors(program, all.errors, std::move(more.errors));
  all.findings_left_out += merge_errors(program, all.warnings, std::move(more.warnings));
  if (all.promise == Promise::partial && ended_by_itself(all.stop)) all.stop = more.stop;
  if (more.states > all.states) all.expected_omissions = more.expected_omissions;
  all.states_waiting += more.states_waiting;
  all.successors_waiting += more.successors_waiting;
  all.dropped += more.dropped;
  merge_dead_code(all.dead_code, more.dead_code);
  note_first_error(all, more);
  all.states = std::max(all.states, more.states);
  all.transitions = std::max(all.transitions, more.transitions);
  all.states_analysed += more.states_analysed;
  all.depth = std::max(all.depth, more.depth);
  all.unexpanded = std::max(all.unexpanded, more.unexpanded);
  all.store_bytes = std::max(all.store_bytes, more.store_bytes);
  all.trail_bytes = std::max(all.trail_bytes, more.trail_bytes);
  all.frontier_bytes = std::max(all.frontier_bytes, more.frontier_bytes);
  all.seconds += more.seconds;
  all.processor_seconds += more.processor_seconds;
  all.outcome = outcome_of(all);
}

// A small part of the memory, and no more than says all that a sample can.
std::uint64_t sample_bytes(std::uint64_t memory_bytes) {
  constexpr std::uint64_t part = 64, enough = std::uint64_t{2} << 20;
  return std::min(memory_bytes / part, enough);
}

// When the runs have ended: where no store takes states for others, some come to what no run has.
// They make a few times as many steps as a run sees states. An error they find is one.
bool walk_too(const Program& program, const SourceSet& sources, CheckOptions options, Verdict& all,
              std::string& problem) {
  constexpr std::uint64_t steps_for_each_state = 4;
  const std::uint64_t depth = std::max<std::uint64_t>(1, all.depth);
  options.search = SearchKind::walk;
  options.store = {};
  options.choice = {};
  options.forgetful.walks = 1 + steps_for_each_state * all.states / depth;
  options.limits.depth = 2 * depth;
  options.explore.sample->begin_walks();
  auto found = search_once(program, sources, options, {}, problem);
  if (!found) return false;
  all.findings_left_out += merge_errors(program, all.errors, std::move(found->errors));
  all.findings_left_out += merge_errors(program, all.warnings, std::move(found->warnings));
  merge_dead_code(all.dead_code, found->dead_code);
  note_first_error(all, *found);
  all.seconds += found->seconds;
  all.processor_seconds += found->processor_seconds;
  all.outcome = outcome_of(all);
  return true;
}

// Searches with bits or fingerprints, one for each seed; the time limit is that of all together.
std::optional<Verdict> search_often(const Program& program, const SourceSet& sources,
                                    CheckOptions options, std::string& problem) {
  if (options.search == SearchKind::automatic) options.search = SearchKind::exhaustive;
  const double time_limit = options.limits.seconds, start = options.clock();
  std::optional<StateSample> sample;
  if (options.store.runs >= least_runs_for_coverage && options.folded.empty())
    options.explore.sample = &sample.emplace(sample_bytes(options.limits.memory_bytes));
  std::uint64_t run_number = 0;
  if (options.observer && options.store.kind != StoreKind::exact)
    options.observer = [&, observe = options.observer](Progress progress) {
      progress.run = run_number;
      progress.runs = options.store.runs;
      observe(progress);
    };
  const auto next_run = [&] {
    ++run_number;
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
      options.limits.seconds = time_limit - (options.clock() - start);
      if (options.limits.seconds <= 0.0) break;
    }
    ++options.forgetful.seed;
    auto more = next_run();
    if (!more) return {};
    have_ended = have_ended && ended_by_itself(more->stop);
    if (run < StateSample::most_runs && more->states > best.states)
      best = {static_cast<unsigned>(run), more->states};
    merge_runs(program, *all, std::move(*more));
    all->runs = run + 1;
  }
  if (!sample || !have_ended) return all;
  if (time_limit > 0.0) options.limits.seconds = time_limit - (options.clock() - start);
  const bool has_time = time_limit == 0.0 || options.limits.seconds > 0.0;
  // Walks know nothing of what a reduction leaves out.
  const bool can_walk = has_time && !options.reduce_internal;
  if (all->promise == Promise::partial && can_walk &&
      !walk_too(program, sources, options, *all, problem))
    return {};
  all->coverage = estimate_coverage(*sample, best);
  return all;
}

// Scatter searches between the turns of an exhaustive one, from the most restrictive setting to
// wider ones: they find in no time what an exhaustive search may take long to come to. One that its
// turn is too short for has a longer one when the others have had theirs.
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
    if (!has_room()) settings_.clear();
  }
  static constexpr std::uint64_t memory_share = 8;

  // Called by the exhaustive search, with the seconds it has taken so far, turns included. False
  // when it need not go on.
  bool turn(double seconds) {
    if (seconds < next_ || settings_.empty()) return true;
    const double start = options_.clock();
    const double time = time_limit_ > 0.0 ? std::min(turn_, time_limit_ - seconds) : turn_;
    double left = time;
    std::deque<Setting> later;  // with a longer turn
    // What the exhaustive search has is not this one's.
    if (options_.explore.resident) options_.explore.fixed_bytes = options_.explore.resident();
    while (left > 0.0 && !settings_.empty()) {
      const Setting setting = settings_.front();
      settings_.pop_front();
      options_.limits.seconds = left;
      options_.limits.report_seconds = time_limit_ > 0.0 ? left + report_seconds_ : unlimited;
      auto verdict = search(setting);
      if (!verdict) {
        settings_.clear();  // the exhaustive search finds out itself
        break;
      }
      if (verdict->stop == Stop::time) later.push_back(setting);
      add(std::move(*verdict), seconds);
      left = time - (options_.clock() - start);
    }
    settings_.insert(settings_.end(), later.begin(), later.end());
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
    if (verdict.stop != Stop::finished)
      verdict.findings_left_out = std::max(verdict.findings_left_out, left_out_);
    else if (verdict.findings_left_out > 0)
      leave_out_what_is_unknown_to(verdict);
    verdict.findings_left_out += merge_errors(program_, verdict.errors, std::move(errors_));
    verdict.outcome = outcome_of(verdict);
  }

 private:
  // Code and a narrowed copy are made of what the model is made of: where that alone is more than
  // the share of these searches, there are none.
  bool has_room() const {
    if (!options_.explore.resident) return true;
    return options_.explore.resident() <=
           options_.explore.fixed_bytes + options_.limits.memory_bytes;
  }

  struct Setting {
    std::uint64_t keep = 0;    // successors: 0 for all of them, in the order of their cost
    bool per_process = false;  // ... of each process
    bool is_narrow = false;    // one slot in each channel
  };

  std::optional<Verdict> search(const Setting& setting) {
    CheckOptions options = options_;
    options.choice = {Preference::scatter, setting.keep, setting.per_process};
    if (!setting.is_narrow) return search_once(program_, sources_, options, {}, problem_);
    const double until = options_.clock() + options.limits.seconds;
    options.limits.seconds /= 2.0;  // the other half is for walking trails again
    options.folded.clear();         // whose bits are elsewhere there
    if (!narrowed_) narrowed_ = narrowed(program_, 1);
    std::optional<Verdict> verdict = Verdict{};
    if (narrowed_) verdict = search_once(*narrowed_, sources_, options, {}, problem_);
    if (verdict) keep_what_shows(*verdict, until);
    return verdict;
  }

  // Of what is wrong with narrowed channels, leaves that which is wrong with those there are: every
  // trail is walked again, rule by rule, on the program itself. What else that search has seen
  // means nothing here.
  void keep_what_shows(Verdict& verdict, double until) {
    std::vector<ErrorReport> shown;
    std::vector<bool> fired(program_.rules.size());
    for (const ErrorReport& error : verdict.errors) {
      if (options_.clock() > until || (options_.interrupted && options_.interrupted->load())) break;
      if (announced_.contains(error.key) || error.gap != TrailGap::no_gap) continue;
      auto report = report_on_program(error);
      if (!report) continue;
      for (const TrailStep& step : report->trail.steps) fired[step.rule] = true;
      shown.push_back(std::move(*report));
    }
    verdict.errors = std::move(shown);
    verdict.findings_left_out = 0;
    verdict.dead_code = dead_code(program_, fired);
    verdict.first_error_seconds = verdict.seconds;
    verdict.first_error_states = verdict.states;
  }

  std::optional<ErrorReport> report_on_program(const ErrorReport& error) const {
    std::vector<RuleId> rules;
    for (const TrailStep& step : error.trail.steps) rules.push_back(step.rule);
    if (error.trail.ends_in_failure) rules.pop_back();
    std::string problem;
    const auto trail = follow(program_, rules, problem);
    if (!trail) return {};
    auto report = report_error(program_, error.finding, trail->last, rules,
                               {options_.explore.receptions, options_.strict}, sources_, problem);
    if (!report) return {};
    report->count = 1;
    report->depth = rules.size();
    return report;
  }

  // Whoever has seen everything has counted what it has left out.
  void leave_out_what_is_unknown_to(const Verdict& verdict) {
    std::erase_if(errors_, [&](const ErrorReport& error) {
      return std::none_of(verdict.errors.begin(), verdict.errors.end(),
                          [&](const ErrorReport& known) { return known.key == error.key; });
    });
  }

  void add(Verdict&& found, double seconds) {
    if (errors_.empty() && !found.errors.empty()) {
      first_seconds_ = seconds + found.first_error_seconds;
      first_states_ = found.first_error_states;
    }
    for (const ErrorReport& error : found.errors)
      if (announced_.insert(error.key).second && options_.announce) options_.announce(error);
    left_out_ = std::max(left_out_, found.findings_left_out);
    left_out_ += merge_errors(program_, errors_, std::move(found.errors));
    if (dead_code_)
      merge_dead_code(*dead_code_, found.dead_code);
    else
      dead_code_ = std::move(found.dead_code);
  }

  const Program& program_;
  const SourceSet& sources_;
  CheckOptions options_;
  static constexpr double unlimited = std::numeric_limits<double>::infinity();
  double time_limit_ = options_.limits.seconds;
  double report_seconds_ = options_.limits.report_seconds;
  // One successor in all, one of each process, two; all of them with one slot in each channel, and
  // with what there is.
  std::deque<Setting> settings_{{1}, {1, true}, {2}, {0, false, true}, {}};
  std::optional<Program> narrowed_;
  double turn_ = 1.0, next_ = 1.0;
  std::vector<ErrorReport> errors_;
  std::uint64_t left_out_ = 0;                           // findings for which there was no room
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
