// SPDX-License-Identifier: Apache-2.0
// Neighbours are the other ranks of a search whose states are divided among several: processes on
// one machine or on many. A part of it says which rank owns a state; that one keeps it in its
// store, has it waiting in its frontier and knows where it came from. Who finds a state of another
// rank hands it over.
//
// A breadth-first frontier asks them while it expands a level, and all ranks meet between levels as
// its workers do. So what a level contains does not depend on who owns what, and counts and lengths
// of trails are the same for any number of ranks.
//
// How it can fail: a rank that ends early ends the level for all of them; what was handed over and
// not taken is lost then, and gather() says so.
//
// Thread safety: route(), take(), wait(), lend() and leave() may be called concurrently, each by
// the worker it names; everything else by one thread at a time.
#pragma once

#include <cstdint>
#include <functional>
#include <span>
#include <vector>

#include "base/batch.hpp"
#include "search/by_level.hpp"
#include "search/origin_log.hpp"

namespace panoptes {

// States that other ranks have found, for their owner.
struct FoundStates {
  SuccessorBatch states;          // as if they were the successors of one state
  Buffer<std::uint64_t> parents;  // of each, by packed name; those of one side by side
  Buffer<std::uint32_t> choices;  // which of the parent's successors it is; ascending for each
};

// States of a level that their owner leaves to another rank to expand.
struct LentStates {
  StateName first;         // their names are consecutive
  StateBatch states = {};  // without notes
};

class Neighbours {
 public:
  virtual ~Neighbours() = default;

  virtual bool owns(StateView state) const = 0;  // whether this rank does
  // Names of states: this is the number of the owner that is worker 0 of this rank, and the others
  // follow. It is 0 for one rank alone, which has the initial state.
  virtual std::uint32_t first_owner() const = 0;

  // The search begins with so many workers; `origin_of` says where states of this rank come from.
  using OriginOf = std::function<StateOrigin(StateName)>;
  virtual void begin(unsigned workers, OriginOf origin_of) = 0;

  // Leaves in `successors` those this rank owns, and hands over the others. `first` is the name of
  // the first state of the batch they were found from; `kept_places` says of each that was left
  // where it was among all. False, with nothing done, where this rank owns all states.
  virtual bool route(unsigned worker, StateName first, SuccessorBatch& successors,
                     Buffer<std::uint32_t>& kept_places) = 0;
  // States for this rank, if there are any: `found` is done with when the worker asks again.
  // May wait where others cannot follow.
  virtual bool take(unsigned worker, FoundStates& found) = 0;
  // The same for a worker that has nothing left to expand: waits until there are any, or another
  // rank has lent states to be expanded here, or the level is over for all ranks.
  enum class Waited : std::uint8_t { found, lent, over };
  virtual Waited wait(unsigned worker, FoundStates& found, LentStates& lent) = 0;
  // Lends states to a rank that has asked for some, if one has: left() says how many of the level
  // this one has not begun to expand, about, and take(lent) takes some of them. They are expanded
  // as if this rank had done it.
  using Left = std::function<std::uint64_t()>;
  using TakeStates = std::function<bool(LentStates&)>;
  virtual void lend(unsigned worker, const Left& left, const TakeStates& take) = 0;
  // The worker will not come back.
  virtual void leave(unsigned worker) = 0;

  // The level is over on this rank: what it has to say ...
  struct LevelNews {
    bool goes_on = false;       // as far as this rank is concerned
    std::uint64_t waiting = 0;  // states of the next level that it has
    bool wants_to_save = false;
    bool must_grow = false;  // its store must, in the next level
    SelectByLevel::Steps steps;
  };
  // ... and what all do: whether there is another one, and whether before it the search is written
  // down, or stores grow that would have to soon; and what there is of steps on all of them. Waits
  // for all ranks.
  struct LevelEnd {
    bool has_next = false, is_saved = false, grows = false;
    SelectByLevel::Steps steps = {};
  };
  virtual LevelEnd end_level(const LevelNews& news) = 0;

  // ---- of a search that is written down, or gone on with; all ranks call these together ----

  // All workers have left: takes in what others have found, until nothing is under way between any
  // ranks; adopt() is called for each `found`. False where a rank is gone.
  virtual bool come_to_rest(FoundStates& found, const std::function<void()>& adopt) = 0;
  // Every number becomes the sum over all ranks. False where one is gone.
  virtual bool add_up(std::span<std::uint64_t> numbers) = 0;
  // Owners of all ranks.
  virtual std::uint32_t owners() const = 0;
  // Asks whoever has a state of that owner, for each question; gives take() the answers, and to
  // others what answer() says. Waits until all ranks have all answers. False where one is gone.
  struct Question {
    std::uint32_t owner;
    std::vector<std::byte> bytes;
  };
  using Answer = std::function<std::vector<std::byte>(std::span<const std::byte>)>;
  using TakeAnswer = std::function<void(std::size_t question, std::span<const std::byte>)>;
  virtual bool ask(std::vector<Question> questions, const Answer& answer,
                   const TakeAnswer& take) = 0;

  // Of any state: asks its owner. For the rank that judges, when the search has ended.
  virtual StateOrigin origin(StateName state) = 0;
};

}  // namespace panoptes
