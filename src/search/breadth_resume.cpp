// SPDX-License-Identifier: Apache-2.0
// A breadth-first search written down, and found again.
//
// Idea: the log says of every expansion which state it was of and which successors were new. So
// level by level, what was expanded is expanded again, in the same order by the same owners, but
// only where something new was found; and of the successors only those that were new are looked at.
// They go into the store and wait for the next level. What of the last level has no expansion in
// the log is what the search goes on with. Cost: of writing, what the log has grown by. Of going
// on, an expansion of most states and an insertion of each, where the search itself asked the store
// for every successor. How it can be wrong: not, as long as the same rules give the same successors
// in the same order. The last state of every owner is compared.
//
// Owners are as many as there were workers at most in any run so far. Each level, the owners' logs
// are divided among the threads there are now.
//
// Where there are neighbours, the log also has what was found from states of theirs. So each level,
// every rank first asks the others for those, by name and choice, and expands what it is asked for.
#include <algorithm>
#include <array>
#include <cstring>
#include <exception>
#include <map>
#include <mutex>
#include <numeric>
#include <thread>

#include "base/hash.hpp"
#include "search/breadth.hpp"
#include "search/breadth_lane.hpp"
#include "search/keep_chosen.hpp"
#include "search/trail_reader.hpp"
#include "step/interpreter.hpp"

namespace panoptes {
namespace {

// The state that was found last, if it still waits in memory; 0 else.
std::uint64_t last_state(const StateBatch& states) {
  return states.empty() ? 0 : hash_words(states[states.size() - 1]) | 1;
}

[[noreturn]] void leads_elsewhere() {
  throw InternalFault(
      "the rules lead to other states than they did when the checkpoint was written");
}

}  // namespace

void BreadthFrontier::save(CheckpointFolder& folder, RecordWriter& record) const {
  record.number(lanes_.size());
  for (std::size_t owner = 0; owner < lanes_.size(); ++owner) {
    const Lane& lane = *lanes_[owner];
    lane.log.save(folder, OriginLog::streams_of(owner), record);
    record.number(lane.sequences.count);
    record.number(lane.sequences.states);
    record.number(lane.chunks.empty() ? 0 : last_state(lane.chunks.back().states));
  }
}

class BreadthFrontier::Resumption {
 public:
  Resumption(BreadthFrontier& frontier, const CheckpointFolder& folder, RecordReader& record,
             const ResumeTools& tools)
      : frontier_(frontier), tools_(tools) {
    const std::size_t owners = record.length();
    frontier.add_lanes(owners);
    for (std::size_t owner = 0; owner < owners; ++owner) {
      Owner& its = owners_.emplace_back(OriginReader(folder, OriginLog::streams_of(owner), record));
      its.sequences.count = record.number();
      its.sequences.states = record.number();
      its.last_state = record.number();
    }
    if (record.is_broken()) throw InternalFault("a checkpoint has no whole frontier");
    level_ends_.resize(frontier.neighbours_ ? frontier.neighbours_->owners() : owners);
    hands_.resize(std::min(tools.steppers.size(), std::max<std::size_t>(1, owners)));
  }

  bool run() {
    while (true) {
      note_level_ends();
      if (frontier_.neighbours_)
        expand_level_together();
      else
        expand_level();
      if (is_to_end()) return false;
      if (is_over()) break;
      leave_out_what_is_expanded();
      for (std::size_t owner = 0; owner < owners_.size(); ++owner)
        if (!lane(owner).level.chunks.empty()) leads_elsewhere();
      frontier_.next_level();
      if (frontier_.is_over_) leads_elsewhere();
      for (Owner& owner : owners_) owner.expanded.clear();
    }
    leave_out_what_is_expanded();
    for (std::size_t owner = 0; owner < owners_.size(); ++owner) finish(owner);
    frontier_.is_over_ = false;
    return true;
  }

 private:
  // A run of the log, with the successors that were new.
  struct Expansion {
    OriginReader::Run run;
    std::vector<std::uint32_t> chosen, ends;  // of all states; by state
    StateBatch found;                         // those successors, where others have the states
  };
  // Whose log it is.
  struct Owner {
    explicit Owner(OriginReader its_log) : log(std::move(its_log)) {}

    OriginReader log;
    Sequences sequences;
    std::uint64_t last_state = 0;
    std::vector<OriginReader::Run> expanded;  // of this level, by its log: own states
    std::vector<Expansion> expansions;        // of this level, where there are neighbours
  };
  // What a thread needs.
  struct Hand {
    StateBatch run, batch;  // what was expanded, and what of it led to something new
    std::vector<std::uint32_t> chosen, ends;  // successors that were new, of all states; by state
    SuccessorBatch successors;
    std::vector<Finding> findings;
    SelectorScratch scratch;
  };

  Lane& lane(std::size_t owner) { return *frontier_.lanes_[owner]; }
  bool is_own(StateName state) const {
    return state.owner - frontier_.first_owner() < owners_.size();
  }
  // Among the owners of this rank.
  std::size_t index_of(StateName state) const { return state.owner - frontier_.first_owner(); }

  void add_up(std::span<std::uint64_t> numbers) {
    if (frontier_.neighbours_ && !frontier_.neighbours_->add_up(numbers))
      throw InternalFault("a rank is gone");
  }
  bool is_to_end() {
    std::array<std::uint64_t, 1> told{is_told_to_end_ ? 1u : 0u};
    add_up(told);
    return told[0] > 0;
  }
  bool is_over() {
    std::array<std::uint64_t, 1> left{0};
    for (const Owner& owner : owners_) left[0] += owner.log.run() ? 1 : 0;
    add_up(left);
    return left[0] == 0;
  }
  void note_level_ends() {
    std::ranges::fill(level_ends_, 0);
    for (std::size_t owner = 0; owner < owners_.size(); ++owner)
      level_ends_[frontier_.first_owner() + owner] = lane(owner).log.next_number();
    add_up(level_ends_);
  }
  bool is_of_level(const OriginReader::Run& run) const {
    if (run.first.owner >= level_ends_.size()) leads_elsewhere();
    return run.first.number < level_ends_[run.first.owner];
  }

  void expand_level() {
    constexpr std::uint64_t few_states = 2048;
    std::exception_ptr fault;
    std::mutex guard;
    const std::size_t hands =
        frontier_.waiting_.load(std::memory_order_relaxed) < few_states ? 1 : hands_.size();
    const auto work = [&](std::size_t hand) {
      try {
        for (std::size_t owner = hand; owner < owners_.size(); owner += hands)
          expand_level_of(owner, hand);
      } catch (...) {
        is_told_to_end_ = true;
        const std::lock_guard lock(guard);
        fault = std::current_exception();
      }
    };
    {
      std::vector<std::jthread> threads;
      for (std::size_t hand = 1; hand < hands; ++hand)
        threads.emplace_back([&work, hand] { work(hand); });
      work(0);
    }
    if (fault) std::rethrow_exception(fault);
  }

  void expand_level_of(std::size_t owner, std::size_t hand) {
    Owner& its = owners_[owner];
    for (; its.log.run() && !is_told_to_end_; its.log.next_run()) {
      const OriginReader::Run run = *its.log.run();
      if (!is_of_level(run)) return;
      frontier_.spill(lane(owner));
      expand(owner, run, hands_[hand], *tools_.steppers[hand]);
      its.expanded.push_back(run);
      frontier_.waiting_.fetch_sub(run.length, std::memory_order_relaxed);
      const std::unique_lock watch(watch_, std::try_to_lock);
      if (watch && !tools_.go_on()) is_told_to_end_ = true;
    }
  }

  // In parts that are small enough, if memory is less than it was.
  void expand(std::size_t owner, const OriginReader::Run& run, Hand& hand, Stepper& stepper) {
    take(run, hand.run);
    lane(owner).log.begin_run(run.first);
    for (std::uint64_t from = 0; from < run.length; from += frontier_.most_chunk_states_)
      expand_part(owner, from,
                  std::min<std::uint64_t>(from + frontier_.most_chunk_states_, run.length), hand,
                  stepper);
  }

  void expand_part(std::size_t owner, std::uint64_t from, std::uint64_t to, Hand& hand,
                   Stepper& stepper) {
    read_choices(owner, from, to, hand);
    if (!hand.batch.empty()) {
      find_chosen(hand, stepper);
      tools_.store.insert(hand.successors, hand.batch);
    }
    log(owner, hand);
  }

  // The successors of hand.batch that were new.
  void find_chosen(Hand& hand, Stepper& stepper) {
    hand.findings.clear();
    stepper.expand(hand.batch, hand.successors, hand.findings);
    if (frontier_.selector_)
      frontier_.selector_->select(hand.batch, hand.successors,
                                  frontier_.depth_.load(std::memory_order_relaxed), hand.scratch);
    keep_the_chosen(hand);
  }

  void log(std::size_t owner, const Hand& hand) {
    Lane& own = lane(owner);
    const std::uint64_t before = own.log.next_number();
    std::size_t begin = 0;
    for (const std::uint32_t end : hand.ends) {
      own.log.append_chosen(std::span(hand.chosen).subspan(begin, end - begin), [](std::size_t) {});
      begin = end;
    }
    own.kept.resize(hand.chosen.size());
    std::iota(own.kept.begin(), own.kept.end(), std::uint32_t{0});
    frontier_.keep(own, static_cast<unsigned>(owner), hand.successors);
    frontier_.note_logged(own, before);
  }

  void read_choices(std::size_t owner, std::uint64_t from, std::uint64_t to, Hand& hand) {
    hand.chosen.clear();
    hand.ends.clear();
    hand.batch.width = frontier_.width_;
    hand.batch.clear();
    for (std::uint64_t i = from; i < to; ++i) {
      const std::size_t before = hand.chosen.size();
      owners_[owner].log.read_expansion(hand.chosen);
      hand.ends.push_back(static_cast<std::uint32_t>(hand.chosen.size()));
      if (hand.chosen.size() > before) hand.batch.push_back(hand.run, i);
    }
  }

  static void keep_the_chosen(Hand& hand) {
    std::size_t at = 0, state = 0;
    keep_chosen(hand.successors, hand.scratch,
                [&](std::size_t, std::uint32_t begin, std::uint32_t end) {
                  while (hand.ends[state] == at) ++state;  // those without are not in the batch
                  for (; at < hand.ends[state]; ++at) {
                    if (hand.chosen[at] >= end - begin) leads_elsewhere();
                    hand.scratch.candidates.push_back({0, 0, 0, 0, begin + hand.chosen[at]});
                  }
                });
  }

  // The states of a run, from the level that is being expanded.
  void take(const OriginReader::Run& run, StateBatch& states) {
    if (!is_own(run.first)) leads_elsewhere();
    Lane& from = lane(index_of(run.first));
    std::deque<Chunk>& chunks = from.level.chunks;
    auto chunk = std::ranges::upper_bound(chunks, run.first.number, {},
                                          [](const Chunk& c) { return c.first.number; });
    if (chunk == chunks.begin()) leads_elsewhere();
    --chunk;
    // As it was then: nobody else wants it.
    if (!frontier_.neighbours_ && chunk->first == run.first && !chunk->is_spilled() &&
        chunk->states.size() == run.length) {
      states = std::move(chunk->states);
      chunk->states = StateBatch{frontier_.width_, {}};
      return;
    }
    states.width = frontier_.width_;
    states.clear();
    StateBatch read;
    for (std::uint64_t number = run.first.number; states.size() < run.length; ++chunk) {
      if (chunk == chunks.end()) leads_elsewhere();
      const StateBatch& there = look_at(*chunk, from, read);
      std::uint64_t i = number - chunk->first.number;
      if (i >= there.size()) leads_elsewhere();
      for (; i < there.size() && states.size() < run.length; ++i, ++number)
        states.push_back(there, i);
    }
  }

  const StateBatch& look_at(const Chunk& chunk, const Lane& from, StateBatch& read) {
    if (!chunk.is_spilled()) return chunk.states;
    if (!frontier_.read_chunk(chunk, from, read))
      throw InternalFault("cannot read back what was written to the folder of --spill");
    return read;
  }

  // From the chunks of this level.
  void leave_out_what_is_expanded() {
    std::vector<std::vector<OriginReader::Run>> runs(owners_.size());  // by whose states they are
    for (const Owner& owner : owners_)
      for (const OriginReader::Run& run : owner.expanded) runs[index_of(run.first)].push_back(run);
    for (std::size_t owner = 0; owner < owners_.size(); ++owner) {
      std::ranges::sort(runs[owner], {}, [](const auto& run) { return run.first.number; });
      std::deque<Chunk> left;
      left.swap(lane(owner).level.chunks);
      frontier_.chunks_.fetch_sub(left.size(), std::memory_order_relaxed);
      auto run = runs[owner].begin();
      for (Chunk& chunk : left) keep_rest(chunk, lane(owner), runs[owner], run);
    }
  }

  // What no run has of a chunk. `run` is the first that does not end before it.
  void keep_rest(Chunk& chunk, Lane& own, const std::vector<OriginReader::Run>& runs,
                 std::vector<OriginReader::Run>::iterator& run) {
    const auto end_of = [](const auto& r) { return r.first.number + r.length; };
    const std::uint64_t begin = chunk.first.number;
    while (run != runs.end() && end_of(*run) <= begin) ++run;
    if (!chunk.is_spilled() && chunk.states.empty()) return;  // it was taken as it is
    const std::uint64_t size =
        chunk.is_spilled() ? chunk.words / frontier_.width_ : chunk.states.size();
    if (run != runs.end() && run->first.number <= begin && end_of(*run) >= begin + size) {
      if (chunk.is_spilled()) frontier_.spilled_.fetch_sub(size, std::memory_order_relaxed);
      return;
    }
    if (run == runs.end() || run->first.number >= begin + size) {
      add_chunk(own, std::move(chunk));
      return;
    }
    keep_parts(chunk, own, runs, run);
  }

  void keep_parts(const Chunk& chunk, Lane& own, const std::vector<OriginReader::Run>& runs,
                  std::vector<OriginReader::Run>::iterator run) {
    StateBatch read;
    const StateBatch& states = look_at(chunk, own, read);
    if (chunk.is_spilled()) frontier_.spilled_.fetch_sub(states.size(), std::memory_order_relaxed);
    Chunk part{{frontier_.width_, {}}, chunk.first};
    for (std::size_t i = 0; i < states.size(); ++i) {
      const std::uint64_t number = chunk.first.number + i;
      while (run != runs.end() && run->first.number + run->length <= number) ++run;
      if (run != runs.end() && run->first.number <= number) {
        if (!part.states.empty())
          add_chunk(own, std::exchange(part, Chunk{{frontier_.width_, {}}, chunk.first}));
        continue;
      }
      if (part.states.empty()) part.first.number = number;
      part.states.push_back(states, i);
    }
    if (!part.states.empty()) add_chunk(own, std::move(part));
  }

  void add_chunk(Lane& own, Chunk&& chunk) {
    own.level.chunks.push_back(std::move(chunk));
    frontier_.chunks_.fetch_add(1, std::memory_order_relaxed);
  }

  void finish(std::size_t owner) {
    Lane& own = lane(owner);
    const std::uint64_t expected = owners_[owner].last_state;
    if (expected != 0 && (own.chunks.empty() || last_state(own.chunks.back().states) != expected))
      leads_elsewhere();
    own.sequences = owners_[owner].sequences;
  }

  // ---- with neighbours, by one thread ----

  void expand_level_together() {
    for (std::size_t owner = 0; owner < owners_.size(); ++owner) read_level_of(owner);
    ask_for_found();
    for (std::size_t owner = 0; owner < owners_.size(); ++owner) {
      for (Expansion& expansion : owners_[owner].expansions) {
        frontier_.spill(lane(owner));
        repeat(owner, expansion);
        if (!is_told_to_end_ && !tools_.go_on()) is_told_to_end_ = true;
      }
      owners_[owner].expansions.clear();
    }
  }

  void read_level_of(std::size_t owner) {
    Owner& its = owners_[owner];
    for (; its.log.run() && is_of_level(*its.log.run()); its.log.next_run()) {
      Expansion& expansion = its.expansions.emplace_back();
      expansion.run = *its.log.run();
      for (std::uint64_t i = 0; i < expansion.run.length; ++i) {
        its.log.read_expansion(expansion.chosen);
        expansion.ends.push_back(static_cast<std::uint32_t>(expansion.chosen.size()));
      }
    }
  }

  // A question: of each state that led to something new its name, how many, and which successors.
  void ask_for_found() {
    constexpr std::size_t most_bytes = 32u << 10;
    std::vector<Neighbours::Question> questions;
    std::vector<std::vector<Expansion*>> asked;    // by question, a part or all of each ...
    std::vector<std::vector<std::size_t>> counts;  // ... so many states
    std::map<std::uint32_t, std::size_t> open;     // by owner, the question that is not full
    for (Owner& owner : owners_)
      for (Expansion& expansion : owner.expansions) {
        if (is_own(expansion.run.first)) continue;
        expansion.found.width = frontier_.width_;
        const std::uint32_t other = expansion.run.first.owner;
        auto place = open.find(other);
        if (place == open.end() || questions[place->second].bytes.size() > most_bytes) {
          questions.push_back({other, {}});
          asked.emplace_back();
          counts.emplace_back();
          place = open.insert_or_assign(other, questions.size() - 1).first;
        }
        add_question(expansion, questions[place->second].bytes);
        asked[place->second].push_back(&expansion);
        counts[place->second].push_back(expansion.chosen.size());
      }
    const auto take = [&](std::size_t question, std::span<const std::byte> bytes) {
      for (std::size_t i = 0; i < asked[question].size(); ++i) {
        StateBatch& found = asked[question][i]->found;
        const std::size_t size = counts[question][i] * frontier_.width_ * sizeof(Word);
        if (bytes.size() < size) leads_elsewhere();
        found.words.resize(counts[question][i] * frontier_.width_);
        std::memcpy(found.words.data(), bytes.data(), size);
        bytes = bytes.subspan(size);
      }
      if (!bytes.empty()) leads_elsewhere();
    };
    if (!frontier_.neighbours_->ask(
            std::move(questions), [&](auto bytes) { return answer(bytes); }, take))
      throw InternalFault("a rank is gone");
  }

  static void add_question(const Expansion& expansion, std::vector<std::byte>& bytes) {
    const auto put = [&bytes](std::uint64_t number) {
      const auto* const from = reinterpret_cast<const std::byte*>(&number);
      bytes.insert(bytes.end(), from, from + sizeof number);
    };
    std::size_t begin = 0;
    for (std::size_t i = 0; i < expansion.ends.size(); ++i) {
      const std::size_t end = expansion.ends[i];
      if (end > begin) {
        put(packed(expansion.run.first) + i);
        put(end - begin);
      }
      for (; begin < end; ++begin) put(expansion.chosen[begin]);
    }
  }

  std::vector<std::byte> answer(std::span<const std::byte> bytes) {
    Hand& hand = hands_[0];
    std::vector<std::byte> found;
    const auto get = [&bytes]() -> std::uint64_t {
      std::uint64_t number = 0;
      if (bytes.size() < sizeof number) leads_elsewhere();
      std::memcpy(&number, bytes.data(), sizeof number);
      bytes = bytes.subspan(sizeof number);
      return number;
    };
    const auto clear = [&] {
      hand.chosen.clear();
      hand.ends.clear();
      hand.batch.width = frontier_.width_;
      hand.batch.clear();
    };
    clear();
    while (!bytes.empty()) {
      const StateName state = unpacked(get());
      for (std::uint64_t left = get(); left > 0; --left)
        hand.chosen.push_back(static_cast<std::uint32_t>(get()));
      hand.ends.push_back(static_cast<std::uint32_t>(hand.chosen.size()));
      take({state, 1}, hand.run);
      hand.batch.push_back(hand.run, 0);
      if (!bytes.empty() && hand.batch.size() < frontier_.most_chunk_states_) continue;
      find_chosen(hand, *tools_.steppers[0]);
      const auto words = std::as_bytes(std::span(std::as_const(hand.successors.states.words)));
      found.insert(found.end(), words.begin(), words.end());
      clear();
    }
    return found;
  }

  void repeat(std::size_t owner, Expansion& expansion) {
    Hand& hand = hands_[0];
    const OriginReader::Run& run = expansion.run;
    lane(owner).log.begin_run(run.first);
    if (!is_own(run.first)) {
      hand.chosen = std::move(expansion.chosen);
      hand.ends = std::move(expansion.ends);
      hand.successors.clear(frontier_.width_);
      hand.successors.states = std::move(expansion.found);
      hand.successors.rules.assign(hand.successors.states.size(), 0);
      hand.successors.close_state(0);
      tools_.store.insert(hand.successors, StateBatch{frontier_.width_, {}});
      return log(owner, hand);
    }
    take(run, hand.run);
    for (std::uint64_t from = 0; from < run.length; from += frontier_.most_chunk_states_)
      repeat_part(owner, expansion, from,
                  std::min<std::uint64_t>(from + frontier_.most_chunk_states_, run.length));
    owners_[owner].expanded.push_back(run);
    frontier_.waiting_.fetch_sub(run.length, std::memory_order_relaxed);
  }

  void repeat_part(std::size_t owner, const Expansion& expansion, std::uint64_t from,
                   std::uint64_t to) {
    Hand& hand = hands_[0];
    hand.chosen.clear();
    hand.ends.clear();
    hand.batch.width = frontier_.width_;
    hand.batch.clear();
    for (std::uint64_t i = from; i < to; ++i) {
      const std::uint32_t begin = i == 0 ? 0 : expansion.ends[i - 1], end = expansion.ends[i];
      hand.chosen.insert(hand.chosen.end(), expansion.chosen.begin() + begin,
                         expansion.chosen.begin() + end);
      hand.ends.push_back(static_cast<std::uint32_t>(hand.chosen.size()));
      if (end > begin) hand.batch.push_back(hand.run, i);
    }
    if (!hand.batch.empty()) {
      find_chosen(hand, *tools_.steppers[0]);
      tools_.store.insert(hand.successors, hand.batch);
    }
    log(owner, hand);
  }

  BreadthFrontier& frontier_;
  const ResumeTools& tools_;
  std::vector<Owner> owners_;
  std::vector<std::uint64_t>
      level_ends_;  // by owner of any rank: its first number behind this level
  std::vector<Hand> hands_;
  std::atomic<bool> is_told_to_end_{false};
  std::mutex watch_;  // of who asks whether to go on
};

bool BreadthFrontier::resume(const CheckpointFolder& folder, RecordReader& record,
                             const ResumeTools& tools) {
  return Resumption(*this, folder, record, tools).run();
}

}  // namespace panoptes
