// SPDX-License-Identifier: Apache-2.0
// Ranks that have nothing left to expand take states of the level from those that have.
//
// Idea: a rank has its share of a level by a guess, and processors are not equally quick; all wait
// for the slowest. So who has nothing left asks one rank after the other, and is lent some of the
// states it has not begun with, by the names they have. They remain their owner's: only their
// successors are found by another rank, which hands them over as it does its own, and whose log
// says from which states its new ones were found. A rank says that its level is over when
// it has no answer to wait for and has expanded what it was lent, and behind all letters about
// that; so the level is over for nobody before.
// Cost: a state is sent, and its successors to its owner. So nobody asks where most ranks measure
// that finding them is hardly dearer than that, nor where a level is small.
// How it can be wrong: not. But what is lent is in no log of its owner, so a search that may be
// written down does without.
//
// Thread safety: has_borrower() and share_of() may be called concurrently; the rest with a lock of
// the cluster's held, or when no worker runs.
#pragma once

#include <atomic>
#include <deque>
#include <optional>
#include <span>
#include <vector>

#include "search/neighbours.hpp"

namespace panoptes {

// The same on all ranks.
struct LendingOptions {
  bool is_allowed = false;
  std::uint64_t least_states = 1024;  // of a level, for each worker there is
  bool whatever_it_costs = false;
};

// What the workers of a rank have done so far: what lending would bring.
struct LendingCosts {
  double working_seconds = 0.0;  // without those of taking in
  double handing_over_seconds = 0.0, taking_in_seconds = 0.0;
  std::uint64_t expanded = 0, kept = 0;  // states; successors of these that are this rank's
  std::uint64_t handed_over = 0, taken_in = 0;

  // Whether to lend a state costs less than to expand it. Not before there is enough to tell.
  bool is_cheap() const;
};

// States side by side, in as many runs as are lent at once; nothing where none are.
void append_lent(const LentStates& lent, std::vector<std::byte>& bytes);
// Throws InternalFault where it is shorter or longer than it says.
std::vector<LentStates> lent_in(std::span<const std::byte> bytes, std::size_t width);

class Lending {
 public:
  Lending(const LendingOptions& options, unsigned rank, unsigned ranks)
      : options_(options), rank_(rank), has_nothing_(ranks, 1) {}

  // A level begins, of so many states on all ranks together, with so many workers; `votes` ranks
  // find lending cheap.
  void begin_level(std::uint64_t states, std::uint64_t workers, std::uint64_t votes);

  // ---- who asks ----

  // Whom to ask, if anybody: is_out(rank) says that it has nothing to lend any more. From then on
  // it is waited for.
  template <typename IsOut>
  std::optional<unsigned> choose_lender(IsOut is_out) {
    for (unsigned i = 0; i < has_nothing_.size(); ++i) {
      const auto rank = static_cast<unsigned>((first_ + i) % has_nothing_.size());
      if (has_nothing_[rank] != 0 || rank == rank_ || is_out(rank)) continue;
      lender_ = rank;
      return rank;
    }
    return {};
  }
  // Whether an answer is still to come, or something that was lent to be expanded.
  bool is_waiting() const { return lender_.has_value() || !lent_.empty(); }
  // From whom it comes, if from anybody, who may have ended instead.
  std::optional<unsigned> lender() const { return lender_; }
  void forget_lender() { lender_.reset(); }
  void answer(unsigned from, std::vector<LentStates> lent);
  bool take(LentStates& lent);
  std::size_t not_expanded() const { return lent_.size(); }

  // ---- who is asked ----

  void note_borrower(unsigned rank);
  bool has_borrower() const { return has_borrower_.load(std::memory_order_relaxed); }
  std::optional<unsigned> next_borrower();
  // How many states to lend to one, of so many.
  std::uint64_t share_of(std::uint64_t left, std::size_t width) const;

 private:
  LendingOptions options_;
  unsigned rank_;
  unsigned first_ = 0;                     // who is asked first
  std::vector<std::uint8_t> has_nothing_;  // by rank: of this level
  std::optional<unsigned> lender_;
  std::deque<LentStates> lent_;  // to this rank, and not expanded
  std::deque<unsigned> borrowers_;
  std::atomic<bool> has_borrower_{false};
};

}  // namespace panoptes
