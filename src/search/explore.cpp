// SPDX-License-Identifier: Apache-2.0
#include "search/explore.hpp"

#include <algorithm>
#include <exception>
#include <mutex>
#include <new>
#include <stdexcept>
#include <system_error>
#include <thread>
#include <utility>

#include "search/keep_chosen.hpp"
#include "step/examine.hpp"
#include "step/interpreter.hpp"

namespace panoptes {
namespace {

// What all workers share.
struct Search {
  Search(StateStore& its_store, Frontier& its_frontier, Monitor& its_monitor, ErrorLog& its_errors,
         const ExploreOptions& its_options, Exploration& its_result, std::size_t its_workers)
      : store(its_store),
        order(its_frontier),
        way_back(its_frontier),
        held(its_frontier),
        monitor(its_monitor),
        errors(its_errors),
        options(its_options),
        result(its_result),
        workers(its_workers),
        resumable(its_frontier.resumable()),
        memory({its_store, its_frontier, its_errors, its_options.sink, its_options.budget},
               its_options, its_monitor.limits().memory_bytes, its_workers) {}

  StateStore& store;
  StateOrder& order;
  WayBack& way_back;
  const FrontierAccount& held;
  Monitor& monitor;
  ErrorLog& errors;
  const ExploreOptions& options;
  Exploration& result;
  std::size_t workers;
  Resumable* resumable;
  double processor_start = processor_seconds();
  alignas(64) std::atomic<std::uint64_t> transitions{0};
  std::atomic<std::uint64_t> deselected{0};  // by the selector, at the price of the promise ...
  std::atomic<std::uint64_t> left_out{0};    // ... or not
  std::atomic<bool> is_cut_off{false};       // by the depth limit
  std::atomic<bool> has_error{false};
  std::atomic<std::uint64_t> unexpanded{0};
  std::atomic<std::uint64_t> unexpanded_depth{UINT64_MAX};
  std::atomic<bool> has_lost_states{false};  // taken, but their successors not recorded
  std::uint64_t known_states = 0;            // when the checkpoint was written it goes on from
  // Of the one who is looking:
  std::atomic_flag is_looking;
  MemoryWatch memory;
  std::mutex guard;  // of the first error in `result`, and of `fault`
  std::exception_ptr fault;

  bool has_grave_error() const { return errors.has_error(options.unread_messages_are_errors); }
  void note_first_error() {
    const std::lock_guard lock(guard);
    if (has_error.exchange(true)) return;
    result.first_error_seconds = monitor.seconds();
    // Of several ranks, this one may own none yet.
    result.first_error_states = std::max<std::uint64_t>(1, store.stats().states);
  }
};

class Worker {
 public:
  Worker(unsigned number, Stepper& stepper, Search& search)
      : number_(number),
        stepper_(stepper),
        program_(stepper.program()),
        search_(search),
        passed_(stepper.program().rules.size()),
        failed_(stepper.program().rules.size()),
        timer_(search.monitor.limits().memory_bytes, search.workers) {}

  // The loop.
  void run() {
    try {
      while (go_on() && search_.order.next(number_, batch_, search_.store)) {
        findings_.clear();
        stepper_.expand(batch_, successors_, findings_);
        examine(program_, batch_, successors_, search_.options.receptions, findings_);
        if (program_.errors.is_question) leave_what_is_not_asked();
        if (search_.options.watcher)
          search_.options.watcher->expanded(number_, batch_, successors_, findings_);
        if (!search_.options.expands_faulty) leave_faulty();
        report();
        note_fired();  // what is left out was still enabled: its rules are not dead
        if (search_.options.selector) select();
        count();
        if (search_.options.sample) search_.options.sample->add(batch_, successors_.states);
        search_.order.admit(number_, batch_, successors_, search_.store, is_deepest());
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
    search_.order.leave(number_);
  }

  bool has_passed(RuleId rule) const { return passed_[rule] != 0; }
  bool has_failed(RuleId rule) const { return failed_[rule] != 0; }
  std::uint64_t deepest() const { return deepest_; }
  // As if it had done so.
  void note(RuleId rule, bool has_passed, bool has_failed) {
    passed_[rule] |= static_cast<std::uint8_t>(has_passed);
    failed_[rule] |= static_cast<std::uint8_t>(has_failed);
  }
  std::size_t rule_count() const { return passed_.size(); }
  void note_depth(std::uint64_t depth) { deepest_ = std::max(deepest_, depth); }

  // While what was known is found again: the same as between two batches, but nobody else has a
  // turn. False when it must end.
  bool go_on_resuming() {
    timer_.count(1, 0);
    return !timer_.is_time() || measure(search_.memory.measure());
  }

 private:
  // Whose time has come measures and reports, unless somebody else does; the others only see
  // whether to stop. (It cannot be the same one always: where levels are narrow, most workers
  // wait.)
  bool go_on() {
    deepest_ = std::max(deepest_, search_.order.depth(number_));
    if (!timer_.is_time() || search_.is_looking.test_and_set())
      return search_.monitor.stop() == Stop::finished;
    const bool goes_on = look();
    search_.is_looking.clear();
    return goes_on;
  }

  bool look() {
    const MemoryWatch::Taken taken = search_.memory.measure();
    if (search_.options.interlude && !search_.options.interlude(search_.monitor.seconds()))
      search_.monitor.end(Stop::first_error);
    if (search_.options.checkpoints) look_for_checkpoint(*search_.options.checkpoints);
    if (taken.all_bytes > search_.monitor.limits().memory_bytes && search_.transitions == 0)
      search_.result.needed_bytes = MemoryWatch::needed_bytes(taken);
    return measure(taken);
  }

  bool measure(const MemoryWatch::Taken& taken) {
    return search_.monitor.go_on({taken.store.states, search_.transitions, deepest_,
                                  search_.held.waiting(), taken.all_bytes, taken.held_bytes});
  }

  // The last one is written when the time is over, and takes some of it.
  void look_for_checkpoint(Checkpoints& checkpoints) {
    if (!search_.resumable->can_save())
      checkpoints.give_up(
          checkpoints.is_divided()
              ? "for want of memory states were dropped, and it cannot be written down"
              : "for want of memory it goes on depth first, and cannot be written "
                "down");
    if (checkpoints.is_due()) search_.resumable->pause();
    const double limit = search_.monitor.limits().seconds;
    if (limit > 0.0 && search_.monitor.seconds() + 2 * checkpoints.last_seconds() > limit)
      search_.monitor.end(Stop::time);
  }

  // Where there is a question, steps that fail have no successors, but nobody is told.
  void leave_what_is_not_asked() {
    std::erase_if(findings_, [](const Finding& finding) { return finding.rule != none; });
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
    search_.unexpanded_depth.compare_exchange_strong(none_yet, search_.order.depth(number_));
  }

  void select() {
    const std::size_t there_were = successors_.size();
    const std::uint64_t deselected = search_.options.selector->select(
        batch_, successors_, search_.order.depth(number_), scratch_);
    if (deselected > 0) search_.deselected.fetch_add(deselected, std::memory_order_relaxed);
    if (const std::size_t left_out = there_were - successors_.size(); left_out > 0)
      search_.left_out.fetch_add(left_out, std::memory_order_relaxed);
  }

  void count() {
    timer_.count(batch_.size(),
                 successors_.states.words.size() * sizeof(Word) + successors_.size() * 16);
    std::uint64_t transitions = successors_.size();
    for (const std::uint32_t failed : successors_.failed) transitions += failed;
    search_.transitions.fetch_add(transitions, std::memory_order_relaxed);
  }

  void note_fired() {
    for (const RuleId rule : successors_.rules) passed_[rule] = 1;
    for (const RuleId rule : successors_.inside) passed_[rule] = 1;
    for (const Finding& finding : findings_)
      if (finding.rule != none) failed_[finding.rule] = 1;
  }

  void report() {
    if (findings_.empty()) return;
    search_.errors.add(findings_, batch_, {number_, search_.order.depth(number_)},
                       search_.way_back);
    if (!search_.has_error.load(std::memory_order_relaxed) && search_.has_grave_error())
      search_.note_first_error();
  }

  bool is_deepest() {
    const std::uint64_t limit = search_.monitor.limits().depth;
    const bool deepest = limit > 0 && search_.order.depth(number_) >= limit;
    if (deepest && successors_.size() > 0) search_.is_cut_off = true;
    return deepest;
  }

  unsigned number_;
  Stepper& stepper_;
  const Program& program_;
  Search& search_;
  std::vector<std::uint8_t> passed_, failed_;  // by rule
  LookTimer timer_;
  std::uint64_t deepest_ = 0;
  StateBatch batch_;
  SuccessorBatch successors_;
  std::vector<Finding> findings_;
  std::vector<std::uint8_t> faulty_;  // by state of the batch
  SelectorScratch scratch_;
};

using Workers = std::vector<std::unique_ptr<Worker>>;

// ---- the search, written down ---------------------------------------------------------------

constexpr const char *counters_section = "counters", *frontier_section = "frontier",
                     *store_section = "store", *errors_section = "errors";

std::string counters_of(const Search& search, const Workers& workers) {
  RecordWriter record;
  record.number(search.store.stats().bytes);
  record.number(search.store.stats().states);
  for (const auto* count : {&search.transitions, &search.deselected, &search.left_out,
                            &search.unexpanded, &search.unexpanded_depth})
    record.number(count->load());
  if (search.options.by_level) search.options.by_level->save(record);
  for (const auto* flag : {&search.is_cut_off, &search.has_error}) record.number(flag->load());
  const Exploration& result = search.result;
  record.real(result.first_error_seconds);
  record.number(result.first_error_states);
  record.real(result.earlier_seconds + search.monitor.seconds());
  record.real(result.earlier_processor_seconds + processor_seconds() - search.processor_start);
  std::uint64_t depth = 0;
  for (const auto& worker : workers) depth = std::max(depth, worker->deepest());
  record.number(depth);
  const auto any = [&](auto has, RuleId rule) {
    return std::ranges::any_of(workers, [&](const auto& worker) { return (*worker.*has)(rule); });
  };
  for (RuleId rule = 0; rule < workers[0]->rule_count(); ++rule)
    record.number((any(&Worker::has_passed, rule) ? 1 : 0) +
                  (any(&Worker::has_failed, rule) ? 2 : 0));
  return record.bytes();
}

void load_counters(std::string_view bytes, Search& search, Worker& worker) {
  RecordReader record(bytes);
  record.number();  // what the store took, see saved_store_bytes()
  search.known_states = record.number();
  for (auto* count : {&search.transitions, &search.deselected, &search.left_out, &search.unexpanded,
                      &search.unexpanded_depth})
    *count = record.number();
  if (search.options.by_level) search.options.by_level->load(record);
  for (auto* flag : {&search.is_cut_off, &search.has_error}) *flag = record.number<bool>();
  Exploration& result = search.result;
  result.first_error_seconds = record.real();
  result.first_error_states = record.number();
  result.earlier_seconds = record.real();
  result.earlier_processor_seconds = record.real();
  worker.note_depth(record.number());
  for (RuleId rule = 0; rule < worker.rule_count(); ++rule) {
    const auto flags = record.number();
    worker.note(rule, (flags & 1) != 0, (flags & 2) != 0);
  }
  if (!record.is_done()) throw InternalFault("a checkpoint has no whole counters");
}

void write_checkpoint(const Search& search, const Workers& workers) {
  Checkpoints& checkpoints = *search.options.checkpoints;
  // What a worker had in its hands when it failed was counted, and is in no log, or in part. Of
  // several ranks, all write or none does, so this one tells the others.
  const bool is_lost = search.has_lost_states || search.fault || !search.resumable->can_save();
  if (is_lost && !checkpoints.is_divided()) return;
  checkpoints.write([&](CheckpointFolder& folder) {
    if (is_lost) throw std::runtime_error("for want of memory it has lost states");
    RecordWriter frontier, store, errors;
    search.resumable->save(folder, frontier);
    search.store.save(store);
    search.errors.save(errors);
    return CheckpointFolder::Sections{{counters_section, counters_of(search, workers)},
                                      {frontier_section, frontier.bytes()},
                                      {store_section, store.bytes()},
                                      {errors_section, errors.bytes()}};
  });
}

// What was counted and what was wrong comes first: it is true, and is told, even where there is too
// little time or memory to find all states again. False where that is so.
bool resume(Search& search, const std::vector<std::unique_ptr<Stepper>>& steppers,
            const Workers& workers) {
  const CheckpointFolder& folder = search.options.checkpoints->folder();
  RecordReader frontier(folder.section(frontier_section));
  RecordReader store(folder.section(store_section)), errors(folder.section(errors_section));
  load_counters(folder.section(counters_section), search, *workers[0]);
  search.errors.load(errors);
  const ResumeTools tools{steppers, search.store, [&] { return workers[0]->go_on_resuming(); }};
  if (!search.resumable->resume(folder, frontier, tools)) return false;
  search.store.restore(store);
  if (!frontier.is_done() || !store.is_done() || !errors.is_done())
    throw InternalFault("a checkpoint has sections of another length");
  search.options.checkpoints->note_resumed(search.store.stats().states, search.monitor.seconds());
  return true;
}

// Where there is too little memory to go on: what the store took then, and the rest as it is now.
void note_needed(Search& search) {
  if (search.monitor.stop() != Stop::memory) return;
  MemoryWatch::Taken taken = search.memory.measure();
  const std::uint64_t saved = saved_store_bytes(search.options.checkpoints->folder());
  const std::uint64_t missing = saved - std::min(saved, taken.store.bytes);
  taken.store.bytes += missing;
  taken.all_bytes += missing;
  search.result.needed_bytes = MemoryWatch::needed_bytes(taken);
}

// Goes on from the last one, and writes more of them from now on.
void begin_checkpoints(Search& search, const std::vector<std::unique_ptr<Stepper>>& steppers,
                       const Workers& workers) {
  try {
    if (search.options.checkpoints->is_resumed() && !resume(search, steppers, workers)) {
      search.has_lost_states = true;  // the checkpoint has more than this
      note_needed(search);
    }
  } catch (const std::bad_alloc&) {
    if (search.options.checkpoints->is_divided()) throw;  // other ranks wait for this one
    search.has_lost_states = true;
    search.monitor.end(Stop::memory);
  }
  search.resumable->at_pause([&] { write_checkpoint(search, workers); });
}

// The search has ended before it was done, and nothing of it is lost.
bool is_to_be_continued(const Search& search) {
  if (!search.options.checkpoints) return false;
  const Stop stop = search.monitor.stop();
  const Resumable::Rest rest = search.resumable->come_to_rest(
      {!search.has_lost_states,
       stop == Stop::interrupted || stop == Stop::time || stop == Stop::memory},
      search.store);
  return rest.is_whole && rest.is_cut_short && rest.waiting > 0;
}

// For who decides by levels what is left out, while there is a search.
class CountedSteps {
 public:
  explicit CountedSteps(const Search& search) : by_level_(search.options.by_level) {
    if (by_level_)
      by_level_->count_with([&search]() -> SelectByLevel::Steps {
        return {search.transitions + search.left_out, search.left_out};
      });
  }
  ~CountedSteps() {
    if (by_level_) by_level_->count_with({});
  }
  CountedSteps(const CountedSteps&) = delete;
  CountedSteps& operator=(const CountedSteps&) = delete;

 private:
  SelectByLevel* by_level_;
};

Ending ending_of(const Search& search, bool had_enough, std::uint64_t dropped) {
  Ending ending;
  ending.told = search.monitor.stop();
  ending.had_enough = had_enough;
  ending.has_waiting = search.held.size() > 0;
  ending.has_lost_states = search.has_lost_states;
  ending.is_cut_off = search.is_cut_off;
  ending.dropped = dropped;
  ending.deselected = search.deselected;
  ending.left_out = search.left_out;
  ending.unexpanded = search.unexpanded;
  ending.unexpanded_depth = search.unexpanded_depth;
  return ending;
}

}  // namespace

std::uint64_t saved_store_bytes(const CheckpointFolder& folder) {
  return RecordReader(folder.section(counters_section)).number();
}

Exploration explore(const std::vector<std::unique_ptr<Stepper>>& steppers, StateStore& store,
                    Frontier& frontier, Monitor& monitor, ErrorLog& errors,
                    const ExploreOptions& options) {
  Exploration result;
  Search search(store, frontier, monitor, errors, options, result, steppers.size());
  Workers workers;
  for (unsigned i = 0; i < steppers.size(); ++i)
    workers.push_back(std::make_unique<Worker>(i, *steppers[i], search));
  const auto had_enough = [&] {
    return (options.first_error_only && search.has_grave_error()) ||
           (options.wanted && errors.has_all(*options.wanted));
  };

  const CountedSteps counted(search);
  // Of many workers most may be waiting while one goes from level to level.
  frontier.start(steppers[0]->program().initial, store,
                 [&] { return (search.workers == 1 || monitor.has_time()) && !had_enough(); });
  if (options.checkpoints) begin_checkpoints(search, steppers, workers);
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
  if (is_to_be_continued(search)) write_checkpoint(search, workers);

  errors.finish();
  result.passed.resize(steppers[0]->program().rules.size());
  result.fired.resize(result.passed.size());
  for (const auto& worker : workers) {
    result.depth = std::max(result.depth, worker->deepest());
    for (RuleId rule = 0; rule < result.fired.size(); ++rule) {
      if (worker->has_passed(rule)) result.passed[rule] = true;
      if (worker->has_passed(rule) || worker->has_failed(rule)) result.fired[rule] = true;
    }
  }
  result.transitions = search.transitions;
  const FrontierTotals totals = frontier.totals();
  result.sequences = totals.sequences;
  result.left_over = totals.left_over;
  result.states = std::max(store.stats().states, search.known_states);
  const MemoryWatch::Peaks peaks = search.memory.final_peaks();
  result.store_bytes = peaks.store_bytes;
  result.trail_bytes = peaks.trail_bytes;
  result.frontier_bytes = peaks.frontier_bytes;
  if (options.sink) result.graph_bytes = options.sink->bytes();
  result.ending = ending_of(search, had_enough(), totals.dropped);
  return result;
}

}  // namespace panoptes
