// SPDX-License-Identifier: Apache-2.0
#include "search/breadth.hpp"

#include <algorithm>
#include <array>

#include "search/batch_size.hpp"
#include "search/breadth_lane.hpp"
#include "search/retrace.hpp"

namespace panoptes {

namespace {

constexpr std::size_t least_chunk = 32;
// Of a chunk, beside its states: with what a deque and the allocator keep beside it.
constexpr std::uint64_t chunk_bytes = sizeof(BreadthChunk) + sizeof(BreadthChunk) / 8 + 32;

std::size_t chunk_states(const Program& program, std::size_t workers, std::uint64_t memory_bytes) {
  const std::size_t most = workers == 1 ? 256 : 512;
  return batch_states(program, static_cast<unsigned>(workers), memory_bytes, most);
}

}  // namespace

BreadthFrontier::BreadthFrontier(Stepper& stepper, unsigned workers, GraphSink* sink,
                                 const Selector* selector, const MemoryBudget* budget,
                                 const std::string& spill_folder, Neighbours* neighbours)
    : stepper_(stepper),
      selector_(selector),
      sink_(sink),
      width_(stepper.program().layout.words),
      most_chunk_states_(
          chunk_states(stepper.program(), workers, budget ? budget->limit() : UINT64_MAX)),
      chunk_states_(most_chunk_states_),
      level_chunk_states_(most_chunk_states_),
      budget_(budget),
      spill_folder_(spill_folder),
      neighbours_(neighbours),
      state_bytes_(width_ * sizeof(Word) + (sink ? sizeof(std::uint64_t) : 0)),
      meeting_(workers, Meet{this}) {
  add_lanes(workers);
}

void BreadthFrontier::add_lanes(std::size_t wanted) {
  while (lanes_.size() < wanted) {
    // The initial state is number 0 of the first worker of all.
    lanes_.push_back(std::make_unique<Lane>(first_owner() + lanes_.size() == 0 ? 1 : 0));
    if (spill_folder_.empty()) continue;
    // A worker for whom none can be made, where there are more workers than files to open, keeps
    // all in memory.
    std::string problem;
    Lane& lane = *lanes_.back();
    for (auto* file : {&lane.level_file, &lane.next_file, &lane.log_file})
      *file = SpillFile::make(spill_folder_, problem);
  }
}

BreadthFrontier::~BreadthFrontier() = default;

void BreadthFrontier::fit_batches(std::uint64_t memory_bytes) {
  most_chunk_states_ = chunk_states_ =
      chunk_states(stepper_.program(), lanes_.size(), memory_bytes);
}

void BreadthFrontier::open_chunk(Lane& lane, StateName first, const StateBatch& states) {
  lane.chunks.push_back({lane.take_spare(width_), first});
  StateBatch& chunk = lane.chunks.back().states;
  chunk.words.reserve(chunk_states_ * width_);
  chunk.notes.reserve(chunk_states_ * (states.notes.size() / states.size()));
  chunks_.fetch_add(1, std::memory_order_relaxed);
  state_bytes_.store(
      (chunk.words.capacity() * sizeof(Word) + chunk.notes.capacity() * sizeof(std::uint32_t)) /
              chunk_states_ +
          (sink_ ? sizeof(std::uint64_t) : 0),
      std::memory_order_relaxed);
}

// Those at lane.kept, which were logged last.
void BreadthFrontier::keep(Lane& lane, unsigned worker, const SuccessorBatch& found) {
  std::span<const std::uint32_t> places(lane.kept);
  while (!places.empty()) {
    if (lane.chunks.empty() || lane.chunks.back().states.size() >= chunk_states_)
      open_chunk(lane, {first_owner() + worker, lane.log.next_number() - places.size()},
                 found.states);
    Chunk& chunk = lane.chunks.back();
    const auto some = places.first(std::min(places.size(), chunk_states_ - chunk.states.size()));
    chunk.states.append(found.states, some);
    if (sink_)
      for (const std::uint32_t place : some) chunk.numbers.push_back(found.numbers[place]);
    places = places.subspan(some.size());
  }
}

void BreadthFrontier::start(StateView initial, StateStore& store, GoOn go_on) {
  go_on_ = std::move(go_on);
  if (!neighbours_ || neighbours_->owns(initial)) store.insert_one(initial);
  if (neighbours_)
    neighbours_->begin(static_cast<unsigned>(lanes_.size()),
                       [this](StateName state) { return own_origin(state); });
  if (first_owner() > 0) return;
  lanes_[0]->level.chunks.push_back({{width_, {initial.begin(), initial.end()}}, {0, 0}, {0}});
  waiting_ = chunks_ = 1;
}

// Called when all workers have met: at the end of a level, or for a pause.
void BreadthFrontier::meet() noexcept {
  if (is_over_) return;
  if (neighbours_) return meet_neighbours();
  if (is_pausing_.exchange(false) && meanwhile_) meanwhile_();
  const auto has_chunks = [](const auto& lane) { return !lane->level.is_taken(); };
  if (std::any_of(lanes_.begin(), lanes_.end(), has_chunks)) return;
  is_over_ = true;
  if (go_on_()) begin_level(by_level_ ? by_level_->steps() : SelectByLevel::Steps());
}

// No letter is under way between levels, so that is where all ranks write down what they have.
void BreadthFrontier::meet_neighbours() noexcept {
  is_over_ = true;
  const bool wants_to_save = is_pausing_.exchange(false);
  const Neighbours::LevelEnd end =
      neighbours_->end_level({go_on_(), waiting_, wants_to_save, must_grow_,
                              by_level_ ? by_level_->steps() : SelectByLevel::Steps()});
  grows_ = end.grows;
  if (end.is_saved && meanwhile_) meanwhile_();
  if (end.is_saved) is_pausing_ = false;  // somebody may have asked for it meanwhile
  if (end.has_next) begin_level(end.steps);
}

void BreadthFrontier::begin_level(const SelectByLevel::Steps& steps) noexcept {
  next_level();
  if (by_level_ && !is_over_) by_level_->begin_level(depth_.load(std::memory_order_relaxed), steps);
}

Resumable::Rest BreadthFrontier::come_to_rest(Rest own, StateStore& store) {
  own.waiting = size();
  if (!neighbours_) return own;
  FoundStates& found = lanes_[0]->found;
  const bool are_all_there = neighbours_->come_to_rest(found, [&] { adopt(0, store); });
  std::array<std::uint64_t, 3> all{own.is_whole && can_save() ? 0u : 1u, own.is_cut_short ? 1u : 0u,
                                   size()};
  if (!are_all_there || !neighbours_->add_up(all)) return {.is_whole = false};
  return {all[0] == 0, all[1] > 0, all[2]};
}

// It is over where there is none; neighbours may have one where this rank has not.
void BreadthFrontier::next_level() noexcept {
  is_over_ = !neighbours_;
  for (const auto& lane : lanes_) {
    chunks_.fetch_sub(lane->level.chunks.size(), std::memory_order_relaxed);
    lane->level.chunks.clear();
    lane->level.chunks.swap(lane->chunks);
    lane->log.end_run();
    lane->level.taken = 0;
    if (lane->level_file) lane->level_file->clear();
    lane->level_file.swap(lane->next_file);
    lane->next_place = 0;
    lane->spilled_chunks = 0;
    if (!lane->level.chunks.empty()) is_over_ = false;
  }
  if (!is_over_) depth_.fetch_add(1, std::memory_order_relaxed);
  level_chunk_states_ = chunk_states_;
  // The next level will be about as wide, and everybody should have some chunks of it; but each is
  // an entry of the way back.
  if (lanes_.size() > 1)
    chunk_states_ =
        std::clamp<std::size_t>(waiting_.load(std::memory_order_relaxed) / lanes_.size() / 4,
                                std::min(least_chunk, most_chunk_states_), most_chunk_states_);
}

// Its own first, in order: states that have successors in common were found one after the other,
// and what one of them has brought into the cache of its core is there for the next.
BreadthFrontier::Taken BreadthFrontier::take_chunk(unsigned worker) {
  for (std::size_t i = 0; i < lanes_.size(); ++i) {
    Lane* lane = lanes_[(worker + i) % lanes_.size()].get();
    if (Chunk* chunk = lane->level.take()) return {chunk, lane};
  }
  return {nullptr, nullptr};
}

bool BreadthFrontier::read_chunk(const Chunk& chunk, const Lane& from, StateBatch& batch) const {
  batch.width = width_;
  batch.clear();
  batch.words.resize(chunk.words);
  batch.notes.resize(chunk.notes);
  const auto words = std::as_writable_bytes(std::span(batch.words));
  const auto notes = std::as_writable_bytes(std::span(batch.notes));
  return from.level_file->read(chunk.place, words) &&
         from.level_file->read(chunk.place + words.size(), notes);
}

bool BreadthFrontier::read_back(const Chunk& chunk, const Lane& from, StateBatch& batch) {
  spilled_.fetch_sub(chunk.words / width_, std::memory_order_relaxed);
  if (read_chunk(chunk, from, batch)) return true;
  waiting_.fetch_sub(chunk.words / width_, std::memory_order_relaxed);
  dropped_.fetch_add(chunk.words / width_, std::memory_order_relaxed);
  return false;
}

// Whole chunks of the next level, and the log. What the file does not take stays in memory.
void BreadthFrontier::spill(Lane& lane) {
  constexpr std::uint64_t part = 64;
  if (!lane.next_file || !lane.level_file || !lane.log_file || !budget_) return;
  if (bytes() + trail_bytes() < budget_->limit() / part) return;
  lane.log.spill(*lane.log_file);
  for (; lane.spilled_chunks + 1 < lane.chunks.size(); ++lane.spilled_chunks) {
    Chunk& chunk = lane.chunks[lane.spilled_chunks];
    const auto words = std::as_bytes(std::span(std::as_const(chunk.states.words)));
    const auto notes = std::as_bytes(std::span(std::as_const(chunk.states.notes)));
    if (!lane.next_file->write(lane.next_place, words) ||
        !lane.next_file->write(lane.next_place + words.size(), notes))
      return;
    spilled_.fetch_add(chunk.states.size(), std::memory_order_relaxed);
    chunk.place = lane.next_place;
    chunk.words = chunk.states.words.size();
    chunk.notes = chunk.states.notes.size();
    lane.next_place += words.size() + notes.size();
    lane.keep_spare(std::exchange(chunk.states, StateBatch{width_, {}}));
  }
}

std::uint64_t BreadthFrontier::depth(unsigned worker) const {
  const Lane& lane = *lanes_[worker];
  return lane.is_below ? lane.below->depth(0) : lane.depth;
}

namespace {

// What a store must grow for in the next level or a little later is grown for when another rank
// must.
constexpr double soon = 1.2;

}  // namespace

// What the next level is expected to make of the states in the store, as many times: it finds about
// as many as it has.
double BreadthFrontier::growth(const StateStore& store) const {
  const auto states = static_cast<double>(std::max<std::uint64_t>(1, store.stats().states));
  return 1.0 + 1.1 * static_cast<double>(waiting_.load(std::memory_order_relaxed)) / states;
}

bool BreadthFrontier::next(unsigned worker, StateBatch& batch, StateStore& store) {
  Lane& own = *lanes_[worker];
  if (own.below) {
    own.is_below = own.below->next(0, batch, store);
    note_below(own);
    if (own.is_below) return true;
  }
  while (!is_over_) {
    while (neighbours_ && neighbours_->take(worker, own.found)) adopt(worker, store);
    if (neighbours_) lend(worker);
    // Who pauses finds nothing, and so meets the others; neighbours only pause between levels.
    const bool is_pausing = !neighbours_ && is_pausing_.load(std::memory_order_relaxed);
    const Taken taken = is_pausing ? Taken{nullptr, nullptr} : take_chunk(worker);
    own.depth = depth_.load(std::memory_order_relaxed);
    if (!taken.first) {
      if (neighbours_ && wait(worker, batch, store)) return true;
      if (neighbours_ && worker == 0) must_grow_ = store.must_grow_for(growth(store));
      meeting_.arrive_and_wait();
      if (worker == 0 && std::exchange(grows_, false)) store.grow_for(growth(store) * soon);
      continue;
    }
    if (!take_states(own, taken, batch)) continue;
    own.batch = taken.first->first;
    own.numbers = std::move(taken.first->numbers);
    return true;
  }
  return false;
}

// The states of a chunk do not wait any more. False where they cannot be read.
bool BreadthFrontier::take_states(Lane& own, const Taken& taken, StateBatch& batch) {
  const auto [chunk, from] = taken;
  if (chunk->is_spilled()) {
    if (!read_back(*chunk, *from, batch)) return false;
  } else {
    own.keep_spare(std::move(batch));
    batch = std::move(chunk->states);
  }
  waiting_.fetch_sub(batch.size(), std::memory_order_relaxed);
  return true;
}

// Until neighbours lend something to be expanded, or, which is false, the level is over.
bool BreadthFrontier::wait(unsigned worker, StateBatch& batch, StateStore& store) {
  Lane& lane = *lanes_[worker];
  while (true) {
    switch (neighbours_->wait(worker, lane.found, lane.lent)) {
      case Neighbours::Waited::over: return false;
      case Neighbours::Waited::found: adopt(worker, store); break;
      case Neighbours::Waited::lent:
        lane.keep_spare(std::move(batch));
        batch = std::move(lane.lent.states);
        lane.batch = lane.lent.first;
        return true;
    }
  }
}

void BreadthFrontier::lend(unsigned worker) {
  const auto left = [this] {
    std::size_t chunks = 0;
    for (const auto& lane : lanes_) chunks += lane->level.left();
    return std::uint64_t{chunks} * level_chunk_states_;
  };
  const auto take = [&](LentStates& lent) {
    const Taken taken = take_chunk(worker);
    if (!taken.first || !take_states(*lanes_[worker], taken, lent.states)) return false;
    lent.first = taken.first->first;
    return true;
  };
  neighbours_->lend(worker, left, take);
}

void BreadthFrontier::leave(unsigned worker) {
  if (neighbours_) neighbours_->leave(worker);
  meeting_.arrive_and_drop();
}

namespace {

// Breadth first until less than the first part of the memory is left; then depth first in the
// second, so that the rest stays for what nobody has counted.
constexpr std::uint64_t part_left = 8, part_below = 16;

}  // namespace

// A graph needs all states with their numbers, and neighbours need them level by level:
// where there is no memory for more of them, those that are new are not followed.
void BreadthFrontier::drop_if_spent(SuccessorBatch& successors) {
  if (!budget_ || (!sink_ && !neighbours_)) return;
  const auto dropped = std::count(successors.fresh.begin(), successors.fresh.end(), 1);
  const std::uint64_t more =
      static_cast<std::uint64_t>(dropped) * state_bytes_.load(std::memory_order_relaxed);
  if (dropped == 0 || !budget_->has_less_left(part_below, bytes() + trail_bytes() + more)) return;
  dropped_.fetch_add(static_cast<std::uint64_t>(dropped), std::memory_order_relaxed);
  std::fill(successors.fresh.begin(), successors.fresh.end(), std::uint8_t{0});
}

bool BreadthFrontier::is_time_to_go_deep(const SuccessorBatch& successors) const {
  if (is_deep_) return true;
  const std::uint64_t more = successors.size() * state_bytes_.load(std::memory_order_relaxed);
  return budget_ && !sink_ && !neighbours_ &&
         budget_->has_less_left(part_left, bytes() + trail_bytes() + more);
}

void BreadthFrontier::go_deep(Lane& lane, const SuccessorBatch& successors, bool deepest) {
  is_deep_ = true;
  if (!lane.below) {
    lane.below = std::make_unique<DepthFrontier>(stepper_.program(), nullptr,
                                                 budget_->limit() / part_below / lanes_.size());
    lane.below->start_below(lanes_.size() == 1, go_on_);
  }
  if (!deepest) lane.below->branch(successors, packed(lane.batch), lane.depth);
  note_below(lane);
}

void BreadthFrontier::note_below(Lane& lane) {
  const std::uint64_t states = lane.below->size(), bytes = lane.below->bytes();
  below_.fetch_add(states - lane.below_states, std::memory_order_relaxed);
  below_bytes_.fetch_add(bytes - lane.below_bytes, std::memory_order_relaxed);
  lane.below_states = states;
  lane.below_bytes = bytes;
}

// What was found here: all successors, or those that were at lane.kept_places.
void BreadthFrontier::log_own(unsigned worker, const SuccessorBatch& successors, bool are_all) {
  Lane& lane = *lanes_[worker];
  std::uint64_t ends = 0;  // states from which nothing new was reached
  const std::uint64_t before = lane.log.next_number();
  lane.log.begin_run(lane.batch);
  lane.kept.resize(successors.size());
  std::uint32_t *const kept = lane.kept.data(), *end = kept;
  const std::uint32_t* const places = lane.kept_places.data();
  const std::uint32_t* const before_all = lane.first_before.data();
  for (std::size_t i = 0; i + 1 < successors.first.size(); ++i) {
    const std::uint32_t *const known = end, first = successors.first[i];
    const std::span fresh(successors.fresh.data() + first, successors.first[i + 1] - first);
    const auto use = [&](std::size_t s) { *end++ = first + static_cast<std::uint32_t>(s); };
    if (are_all)
      lane.log.append(fresh, use);
    else
      lane.log.append(
          fresh, [&](std::size_t s) { return places[first + s] - before_all[i]; }, use);
    ends += end == known;
  }
  lane.kept.resize(static_cast<std::size_t>(end - kept));
  keep(lane, worker, successors);
  // Of what was handed over nobody here knows whether it was new.
  if (are_all) {
    lane.sequences.count += ends;
    lane.sequences.states += ends * (lane.depth + 1);
  }
  note_logged(lane, before);
}

void BreadthFrontier::note_logged(Lane& lane, std::uint64_t numbers_before) {
  waiting_.fetch_add(lane.log.next_number() - numbers_before, std::memory_order_relaxed);
  const std::uint64_t log_bytes = lane.log.bytes();
  trail_bytes_.fetch_add(log_bytes - lane.log_bytes, std::memory_order_relaxed);
  lane.log_bytes = log_bytes;
}

// What neighbours have found: those that are new wait for the next level.
void BreadthFrontier::adopt(unsigned worker, StateStore& store) {
  Lane& lane = *lanes_[worker];
  FoundStates& found = lane.found;
  spill(lane);
  store.insert(found.states, StateBatch{width_, {}});
  drop_if_spent(found.states);
  const std::uint64_t before = lane.log.next_number();
  lane.kept.clear();
  for (std::size_t i = 0; i < found.parents.size();) {
    const std::uint64_t parent = found.parents[i];
    lane.choices.clear();
    lane.places.clear();
    for (; i < found.parents.size() && found.parents[i] == parent; ++i) {
      if (found.states.fresh[i] == 0) continue;
      lane.choices.push_back(found.choices[i]);
      lane.places.push_back(static_cast<std::uint32_t>(i));
    }
    if (lane.choices.empty()) continue;
    lane.log.append_found(unpacked(parent), lane.choices,
                          [&](std::size_t c) { lane.kept.push_back(lane.places[c]); });
  }
  keep(lane, worker, found.states);
  note_logged(lane, before);
}

void BreadthFrontier::admit(unsigned worker, const StateBatch& batch, SuccessorBatch& successors,
                            StateStore& store, bool deepest) {
  Lane& lane = *lanes_[worker];
  if (lane.is_below) {
    lane.below->admit(0, batch, successors, store, deepest);
    note_below(lane);
    return;
  }
  spill(lane);
  if (is_time_to_go_deep(successors)) {
    go_deep(lane, successors, deepest);
    return;
  }
  bool are_all = true;
  if (deepest) {
    successors.fresh.assign(successors.size(), 0);
  } else {
    if (neighbours_) {
      lane.first_before.assign(successors.first.begin(), successors.first.end());
      are_all = !neighbours_->route(worker, lane.batch, successors, lane.kept_places);
    }
    store.insert(successors, batch);
  }
  drop_if_spent(successors);
  log_own(worker, successors, are_all);
  if (!sink_ || deepest) return;
  for (std::size_t i = 0; i + 1 < successors.first.size(); ++i)
    sink_->transitions(worker, lane.numbers[i], successors, successors.first[i],
                       successors.first[i + 1]);
}

namespace {

constexpr std::uint64_t mark_below = std::uint64_t{1} << 63;  // nobody has so many workers

}  // namespace

std::uint64_t BreadthFrontier::mark_bytes(unsigned worker, std::size_t i) const {
  const Lane& lane = *lanes_[worker];
  return lane.is_below ? lane.below->mark_bytes(0, i) : 0;
}

std::uint64_t BreadthFrontier::mark(unsigned worker, std::size_t i) {
  Lane& lane = *lanes_[worker];
  if (!lane.is_below) return packed(lane.batch) + i;
  return mark_below | packed({worker, lane.below->mark(0, i)});
}

StateOrigin BreadthFrontier::own_origin(StateName state) const {
  const std::size_t owner = state.owner - first_owner();
  // Of a search that was to go on and could not: it was not found again.
  if (owner >= lanes_.size() || state.number >= lanes_[owner]->log.next_number())
    return {{}, StateOrigin::unknown};
  return lanes_[owner]->log.origin(state.number);
}

std::optional<std::vector<RuleId>> BreadthFrontier::path(std::uint64_t marked,
                                                         const Deadline& deadline) {
  const StateName at = unpacked(marked & ~mark_below);
  if ((marked & mark_below) != 0) {
    DepthFrontier& below = *lanes_[at.owner]->below;
    auto rules = path(below.root(at.number), deadline);
    const auto rest = below.path(at.number, deadline);
    if (rules && rest) rules->insert(rules->end(), rest->begin(), rest->end());
    return rules;
  }
  const auto origin_of = [this](StateName state) {
    return neighbours_ ? neighbours_->origin(state) : own_origin(state);
  };
  const auto choices = choices_to(at, origin_of, deadline);
  if (!choices) return {};
  return retrace(*choices, stepper_, selector_, deadline);
}

FrontierTotals BreadthFrontier::totals() const {
  FrontierTotals all{{waiting_, below_}, dropped_, {}};
  const auto add = [&all](const Sequences& more) {
    all.sequences.count += more.count;
    all.sequences.states += more.states;
  };
  for (const auto& lane : lanes_) {
    add(lane->sequences);
    if (!lane->below) continue;
    const FrontierTotals below = lane->below->totals();
    add(below.sequences);
    all.dropped += below.dropped;
  }
  return all;
}

std::uint64_t BreadthFrontier::bytes() const {
  const std::uint64_t waiting = waiting_.load(std::memory_order_relaxed);
  const std::uint64_t spilled = std::min(waiting, spilled_.load(std::memory_order_relaxed));
  return (waiting - spilled) * state_bytes_.load(std::memory_order_relaxed) +
         chunks_.load(std::memory_order_relaxed) * chunk_bytes +
         below_bytes_.load(std::memory_order_relaxed);
}

}  // namespace panoptes
