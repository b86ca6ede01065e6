// SPDX-License-Identifier: Apache-2.0
#include "verdict/merge_ranks.hpp"

#include <algorithm>

namespace panoptes {
namespace {

void add_ending(Ending& all, const Ending& more) {
  if (all.told == Stop::finished) all.told = more.told;
  all.had_enough = all.had_enough || more.had_enough;
  all.has_waiting = all.has_waiting || more.has_waiting;
  all.has_lost_states = all.has_lost_states || more.has_lost_states;
  all.is_cut_off = all.is_cut_off || more.is_cut_off;
  all.dropped += more.dropped;
  all.deselected += more.deselected;
  all.left_out += more.left_out;
  all.unexpanded += more.unexpanded;
  all.unexpanded_depth = std::min(all.unexpanded_depth, more.unexpanded_depth);
}

void add_promise(StorePromise& all, const StorePromise& more) {
  all.may_omit = all.may_omit || more.may_omit;
  all.may_repeat = all.may_repeat || more.may_repeat;
  all.expected_omissions += more.expected_omissions;
  all.kept = std::max(all.kept, more.kept);
}

void add_executed(std::vector<bool>& all, const std::vector<bool>& more) {
  for (std::size_t rule = 0; rule < all.size() && rule < more.size(); ++rule)
    all[rule] = all[rule] || more[rule];
}

// A mean over states.
double mean(double a, std::uint64_t a_states, double b, std::uint64_t b_states) {
  const auto first = static_cast<double>(a_states), second = static_cast<double>(b_states);
  return first + second == 0.0 ? 0.0 : (a * first + b * second) / (first + second);
}

// Before states are added.
void add_parameters(Measured& all, const Measured& more) {
  Parameters& p = all.parameters;
  const Parameters& q = more.parameters;
  p.memory_bytes += q.memory_bytes;
  p.bytes_per_state = mean(p.bytes_per_state, all.states, q.bytes_per_state, more.states);
  p.successors_per_state =
      mean(p.successors_per_state, all.states, q.successors_per_state, more.states);
  p.seconds_per_state = mean(p.seconds_per_state, all.states, q.seconds_per_state, more.states);
  p.sequence_states = 0.0;
  p.longest_sequence_states = std::max(p.longest_sequence_states, q.longest_sequence_states);
}

// To each of the samples there are, what the other had by then.
void add_samples_of_rank(std::vector<SearchSample>& all, const std::vector<SearchSample>& more) {
  auto next = more.begin();
  SearchSample last;
  for (SearchSample& sample : all) {
    for (; next != more.end() && next->seconds <= sample.seconds; ++next) last = *next;
    sample.states += last.states;
    sample.frontier += last.frontier;
    sample.memory_bytes += last.memory_bytes;
  }
}

void add_measured(Measured& all, const Measured& more) {
  add_parameters(all, more);
  add_samples_of_rank(all.samples, more.samples);
  const bool is_first =
      more.first_error_states > 0 &&
      (all.first_error_states == 0 || more.first_error_seconds < all.first_error_seconds);
  if (is_first) {
    all.first_error_states = more.first_error_states;
    all.first_error_seconds = more.first_error_seconds;
  }
  all.states += more.states;
  all.states_analysed += more.states_analysed;
  all.transitions += more.transitions;
  all.depth = std::max(all.depth, more.depth);
  all.needed_bytes = std::max(all.needed_bytes, more.needed_bytes);
  all.states_waiting += more.states_waiting;
  all.successors_waiting += more.successors_waiting;
  all.store_bytes += more.store_bytes;
  all.trail_bytes += more.trail_bytes;
  all.frontier_bytes += more.frontier_bytes;
  all.seconds = std::max(all.seconds, more.seconds);
  all.processor_seconds += more.processor_seconds;
}

}  // namespace

void merge_ranks(Evidence& all, const Evidence& more) {
  add_measured(all.measured, more.measured);
  add_ending(all.ending, more.ending);
  add_promise(all.store, more.store);
  add_executed(all.fired, more.fired);
  add_executed(all.passed, more.passed);
}

}  // namespace panoptes
