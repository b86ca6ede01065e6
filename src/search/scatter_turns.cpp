// SPDX-License-Identifier: Apache-2.0
#include "search/scatter_turns.hpp"

#include <algorithm>
#include <deque>
#include <limits>

#include "rules/narrow.hpp"
#include "search/search_once.hpp"
#include "verdict/merge.hpp"

namespace panoptes {
namespace {

// Seconds before the first turn. Who keeps the graph wants all of it, and mostly has it soon.
double patience(const CheckOptions& options) {
  if (!kept_as<WholeGraph>(options)) return 1.0;
  const double limit = options.limits.seconds;
  return limit > 0.0 ? std::min(10.0, limit / 4) : 10.0;
}

// The scatter searches.
class Scatter {
 public:
  Scatter(const Program& program, const SourceSet& sources, const CheckOptions& options)
      : program_(program), sources_(sources), options_(options), next_(patience(options)) {
    options_.search = ExhaustiveSearch{.order = Order::scatter};
    options_.observer = {};
    options_.checkpoints = nullptr;
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
      found_.add(std::move(*verdict), seconds, options_.announce);
      left = time - (options_.clock() - start);
    }
    settings_.insert(settings_.end(), later.begin(), later.end());
    next_ = seconds + (options_.clock() - start) + 2.0 * turn_;
    turn_ *= 2.0;
    return !(options_.explore.first_error_only && found_.has_errors());
  }

  void add_to(Verdict& verdict) { found_.add_to(verdict); }

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
    if (verdict) keep_what_shows_here(*verdict, until);
    return verdict;
  }

  // Of what is wrong with narrowed channels, leaves that which is wrong with those there are.
  void keep_what_shows_here(Verdict& verdict, double until) {
    keep_what_shows(
        program_, sources_, {options_.explore.receptions, options_.strict},
        [&](const ErrorReport& error) { return !found_.knows(error.key); },
        [&] {
          return options_.clock() <= until &&
                 !(options_.interrupted && options_.interrupted->load());
        },
        verdict);
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
  double turn_ = 1.0, next_;
  SideFindings found_{program_};
  std::string problem_;
};

}  // namespace

std::optional<Verdict> search_by_turns(const Program& program, const SourceSet& sources,
                                       CheckOptions options, std::string& problem) {
  Scatter scatter(program, sources, options);
  options.limits.memory_bytes -= options.limits.memory_bytes / Scatter::memory_share;
  auto verdict =
      search_once(program, sources, options,
                  {.interlude = [&](double seconds) { return scatter.turn(seconds); }}, problem);
  if (verdict) scatter.add_to(*verdict);
  return verdict;
}

}  // namespace panoptes
