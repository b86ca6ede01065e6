// SPDX-License-Identifier: Apache-2.0
#include "search/explore.hpp"

#include <algorithm>
#include <bit>
#include <exception>
#include <mutex>
#include <new>
#include <system_error>
#include <thread>
#include <utility>

#include "search/keep_chosen.hpp"

namespace panoptes {
namespace {

// What all workers share.
struct Search {
  Search(StateStore& its_store, Frontier& its_frontier, Monitor& its_monitor, ErrorLog& its_errors,
         const ExploreOptions& its_options, Exploration& its_result, std::size_t its_workers)
      : store(its_store),
        frontier(its_frontier),
        monitor(its_monitor),
        errors(its_errors),
        options(its_options),
        result(its_result),
        workers(its_workers) {}

  StateStore& store;
  Frontier& frontier;
  Monitor& monitor;
  ErrorLog& errors;
  const ExploreOptions& options;
  Exploration& result;
  std::size_t workers;
  alignas(64) std::atomic<std::uint64_t> transitions{0};
  std::atomic<std::uint64_t> deselected{0};  // by the selector
  std::atomic<bool> is_cut_off{false};       // by the depth limit
  std::atomic<bool> has_error{false};
  std::atomic<std::uint64_t> unexpanded{0};
  std::atomic<std::uint64_t> unexpanded_depth{UINT64_MAX};
  std::atomic<bool> has_lost_states{false};  // taken, but their successors not recorded
  // Of the one who is looking:
  std::atomic_flag is_looking;
  std::uint64_t looks = 0;
  std::uint64_t uncounted = 0;  // bytes, at their peak
  std::uint64_t resident_after_giving_back = 0;
  std::mutex guard;  // of the first error in `result`, and of `fault`
  std::exception_ptr fault;

  bool has_grave_error() const { return errors.has_error(options.unread_messages_are_errors); }
  void note_first_error() {
    const std::lock_guard lock(guard);
    if (has_error.exchange(true)) return;
    result.first_error_seconds = monitor.seconds();
    result.first_error_states = store.stats().states;
  }
};

class Worker {
 public:
  Worker(unsigned number, Stepper& stepper, Search& search)
      : number_(number),
        stepper_(stepper),
        search_(search),
        fired_(stepper.program().rules.size()) {}

  // The loop.
  void run() {
    try {
      while (go_on() && search_.frontier.next(number_, batch_, search_.store)) {
        findings_.clear();
        stepper_.expand(batch_, successors_, findings_);
        stepper_.examine(batch_, successors_, search_.options.receptions, findings_);
        if (!search_.options.expands_faulty) leave_faulty();
        report();
        if (search_.options.selector) select();
        count();
        if (search_.options.sample) search_.options.sample->add(batch_, successors_.states);
        search_.frontier.admit(number_, batch_, successors_, search_.store, is_deepest());
      }
    } catch (const std::bad_alloc&) {
      // The machine has less than it promised: what was found so far is still true.
      search_.has_lost_states = true;
      search_.monitor.end(Stop::memory);
    } catch (...) {
      const std::lock_guard lock(search_.guard);
      search_.fault = std::current_exception();
      search_.monitor.end(Stop::interrupted);
    }
    search_.frontier.leave(number_);
  }

  const std::vector<std::uint8_t>& fired() const { return fired_; }
  std::uint64_t deepest() const { return deepest_; }

 private:
  // Whose time has come measures and reports, unless somebody else does; the others only see
  // whether to stop. (It cannot be the same one always: where levels are narrow, most workers
  // wait.)
  bool go_on() {
    deepest_ = std::max(deepest_, search_.frontier.depth(number_));
    if (!is_time_to_look() || search_.is_looking.test_and_set())
      return search_.monitor.stop() == Stop::finished;
    const bool goes_on = look();
    search_.is_looking.clear();
    return goes_on;
  }

  bool look() {
    Exploration& result = search_.result;
    const StoreStats stats = search_.store.stats();
    const std::uint64_t frontier_bytes = search_.frontier.bytes();
    const std::uint64_t trail_bytes = search_.frontier.trail_bytes();
    result.store_bytes = std::max(result.store_bytes, stats.bytes);
    result.frontier_bytes = std::max(result.frontier_bytes, frontier_bytes);
    result.trail_bytes = std::max(result.trail_bytes, trail_bytes);
    const std::uint64_t counted =
        stats.bytes + frontier_bytes + trail_bytes + sink_bytes() + search_.errors.bytes();
    const std::uint64_t uncounted = uncounted_bytes(counted);
    if (search_.options.budget)
      search_.options.budget->set_others(counted - stats.bytes, uncounted);
    if (search_.options.interlude && !search_.options.interlude(search_.monitor.seconds()))
      search_.monitor.end(Stop::first_error);
    const std::uint64_t all = counted + stats.growth_bytes + uncounted;
    if (all > search_.monitor.limits().memory_bytes && search_.transitions == 0)
      result.needed_bytes = needed_bytes(all, stats.bytes);
    return search_.monitor.go_on(
        {stats.states, search_.transitions, deepest_, search_.frontier.waiting(), all});
  }

  // Not even the first states have room: what would do, in whole MiB. A store may take half of all.
  static std::uint64_t needed_bytes(std::uint64_t all, std::uint64_t store_bytes) {
    constexpr std::uint64_t unit = 1 << 20;
    const std::uint64_t wanted = std::max(all / 7 * 8, (all - store_bytes) * 2);
    return (wanted / unit + 1) * unit;
  }

  // Batches, code, the allocator's own: what the process has more than what is counted. What comes
  // after the search, replays and the report, takes memory too, if only for its code.
  std::uint64_t uncounted_bytes(std::uint64_t counted) {
    constexpr std::uint64_t afterwards_bytes = 512 << 10, part = 32, most = 4 << 20;
    const std::uint64_t limit = search_.monitor.limits().memory_bytes;
    if (!search_.options.resident) return limit / 16;
    return resident_but_not_counted(counted) + afterwards_bytes + std::min(most, limit / part);
  }

  std::uint64_t resident_but_not_counted(std::uint64_t counted) {
    const std::uint64_t limit = search_.monitor.limits().memory_bytes;
    const bool is_close = counted + search_.uncounted > limit - limit / 4;
    const std::uint64_t looks_per_question = search_.workers > 1 || is_close ? 4 : 64;
    // More often at first, when everybody takes what he will need.
    const std::uint64_t look = search_.looks++;
    if (look % looks_per_question != 0 && !std::has_single_bit(look)) return search_.uncounted;
    // At first nobody has touched what was counted for him.
    const std::uint64_t known = (look == 0 ? 0 : counted) + search_.options.fixed_bytes;
    std::uint64_t resident = search_.options.resident();
    if (is_time_to_give_back(resident)) {
      search_.options.give_back();
      resident = search_.resident_after_giving_back = search_.options.resident();
      if (resident > known) search_.uncounted = resident - known;
    }
    if (resident > known) search_.uncounted = std::max(search_.uncounted, resident - known);
    return search_.uncounted;
  }

  // What was freed may still be kept for later; where memory is short, nobody can wait for that.
  bool is_time_to_give_back(std::uint64_t resident) const {
    const std::uint64_t limit = search_.monitor.limits().memory_bytes;
    return search_.options.give_back && resident > search_.options.fixed_bytes + limit / 4 * 3 &&
           resident > search_.resident_after_giving_back + limit / 64;
  }

  std::uint64_t sink_bytes() const {
    const GraphSink* sink = search_.options.sink;
    return sink ? sink->bytes() + sink->growth_bytes() : 0;
  }

  // Looking costs as much as a few states do; and where many work, looking at what they share takes
  // it away from them for a moment. But a state may have thousands of successors, and all of them
  // together may not have come near the limit before somebody looks.
  bool is_time_to_look() {
    constexpr std::uint64_t states_per_look = 32, states_per_look_of_many = 1024, part = 128;
    const bool is_time =
        states_since_look_ >=
            (search_.workers > 1 ? search_.workers * states_per_look_of_many : states_per_look) ||
        bytes_since_look_ >= search_.monitor.limits().memory_bytes / part / search_.workers;
    if (is_time || is_first_look_) states_since_look_ = bytes_since_look_ = 0;
    return std::exchange(is_first_look_, false) || is_time;
  }

  // Takes no step from states in which something is wrong, so that none of their steps is wrong
  // either. A step that fails is no such thing: it leads to no state that could be expanded.
  void leave_faulty() {
    faulty_.assign(batch_.size(), 0);
    for (const Finding& finding : findings_)
      if (finding.rule == none) faulty_[finding.source] = 1;
    std::uint64_t left = 0;
    for (std::size_t i = 0; i < faulty_.size(); ++i) {
      if (faulty_[i] == 0) continue;
      left += successors_.first[i] < successors_.first[i + 1] || successors_.failed[i] > 0;
      successors_.failed[i] = 0;
    }
    if (left == 0) return;
    std::erase_if(findings_, [&](const Finding& finding) {
      return finding.rule != none && faulty_[finding.source] != 0;
    });
    keep_chosen(successors_, scratch_, [&](std::size_t i, std::uint32_t begin, std::uint32_t end) {
      if (faulty_[i] != 0) return;
      for (std::uint32_t s = begin; s < end; ++s) scratch_.candidates.push_back({0, 0, 0, 0, s});
    });
    search_.unexpanded.fetch_add(left, std::memory_order_relaxed);
    std::uint64_t none_yet = UINT64_MAX;
    search_.unexpanded_depth.compare_exchange_strong(none_yet, search_.frontier.depth(number_));
  }

  // What is left out was still enabled: its rules are not dead.
  void select() {
    note_fired();
    const std::uint64_t deselected = search_.options.selector->select(
        batch_, successors_, search_.frontier.depth(number_), scratch_);
    if (deselected > 0) search_.deselected.fetch_add(deselected, std::memory_order_relaxed);
  }

  void count() {
    states_since_look_ += batch_.size();
    bytes_since_look_ += successors_.states.words.size() * sizeof(Word) + successors_.size() * 16;
    std::uint64_t transitions = successors_.size();
    for (const std::uint32_t failed : successors_.failed) transitions += failed;
    search_.transitions.fetch_add(transitions, std::memory_order_relaxed);
    note_fired();
  }

  void note_fired() {
    for (const RuleId rule : successors_.rules) fired_[rule] = 1;
    for (const Finding& finding : findings_)
      if (finding.rule != none) fired_[finding.rule] = 1;
  }

  void report() {
    if (findings_.empty()) return;
    search_.errors.add(findings_, batch_, number_, search_.frontier);
    if (!search_.has_error.load(std::memory_order_relaxed) && search_.has_grave_error())
      search_.note_first_error();
  }

  bool is_deepest() {
    const std::uint64_t limit = search_.monitor.limits().depth;
    const bool deepest = limit > 0 && search_.frontier.depth(number_) >= limit;
    if (deepest && successors_.size() > 0) search_.is_cut_off = true;
    return deepest;
  }

  unsigned number_;
  Stepper& stepper_;
  Search& search_;
  std::vector<std::uint8_t> fired_;
  std::uint64_t states_since_look_ = 0, bytes_since_look_ = 0;
  bool is_first_look_ = true;
  std::uint64_t deepest_ = 0;
  StateBatch batch_;
  SuccessorBatch successors_;
  std::vector<Finding> findings_;
  std::vector<std::uint8_t> faulty_;  // by state of the batch
  SelectorScratch scratch_;
};

Stop why_it_ended(const Search& search, bool had_enough) {
  if (search.frontier.size() > 0) {
    if (search.monitor.stop() != Stop::finished) return search.monitor.stop();
    return had_enough ? Stop::first_error : Stop::memory;
  }
  if (search.has_lost_states) return search.monitor.stop();
  if (search.frontier.dropped() > 0) return Stop::memory;
  if (search.is_cut_off) return Stop::depth;
  if (search.deselected > 0) return Stop::selection;
  return search.unexpanded > 0 ? Stop::unexpanded : Stop::finished;
}

}  // namespace

Exploration explore(const std::vector<std::unique_ptr<Stepper>>& steppers, StateStore& store,
                    Frontier& frontier, Monitor& monitor, ErrorLog& errors,
                    const ExploreOptions& options) {
  Exploration result;
  Search search(store, frontier, monitor, errors, options, result, steppers.size());
  std::vector<std::unique_ptr<Worker>> workers;
  for (unsigned i = 0; i < steppers.size(); ++i)
    workers.push_back(std::make_unique<Worker>(i, *steppers[i], search));
  const auto had_enough = [&] { return options.first_error_only && search.has_grave_error(); };

  // Of many workers most may be waiting while one goes from level to level.
  frontier.start(steppers[0]->program().initial, store,
                 [&] { return (search.workers == 1 || monitor.has_time()) && !had_enough(); });
  std::vector<std::jthread> threads;
  try {
    for (unsigned i = 1; i < workers.size(); ++i)
      threads.emplace_back([&workers, i] { workers[i]->run(); });
  } catch (const std::system_error&) {
    // The machine gives no more threads: go on with those there are.
    for (auto i = static_cast<unsigned>(threads.size()) + 1; i < workers.size(); ++i)
      frontier.leave(i);
  }
  workers[0]->run();
  threads.clear();
  if (search.fault) std::rethrow_exception(search.fault);

  errors.finish();
  result.fired.resize(steppers[0]->program().rules.size());
  for (const auto& worker : workers) {
    result.depth = std::max(result.depth, worker->deepest());
    for (RuleId rule = 0; rule < result.fired.size(); ++rule)
      if (worker->fired()[rule] != 0) result.fired[rule] = true;
  }
  result.transitions = search.transitions;
  result.sequences = frontier.sequences();
  result.left_over = frontier.left_over();
  result.deselected = search.deselected;
  result.unexpanded = search.unexpanded;
  result.unexpanded_depth = search.unexpanded_depth;
  result.states = store.stats().states;
  result.store_bytes = std::max(result.store_bytes, store.stats().bytes);
  result.trail_bytes = std::max(result.trail_bytes, frontier.trail_bytes());
  if (options.sink) result.graph_bytes = options.sink->bytes();
  result.stop = why_it_ended(search, had_enough());
  return result;
}

}  // namespace panoptes
