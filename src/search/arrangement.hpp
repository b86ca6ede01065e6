// SPDX-License-Identifier: Apache-2.0
// One state for all arrangements of members that are alike (symmetry.hpp).
//
// Idea: each member gets a colour, made of all that belongs to it but no number of a member: those
// count as `itself`, or by the colour of whom they mean, and so does who means it; a few rounds of
// that tell apart what any renaming would leave apart. Members are put in the order of their
// colours. Where some have one colour and a swap of two of them changes nothing, any order does;
// else each of them in turn is made the first, and the least of all states that come out is taken.
// Those of a ring are turned until the sequence of colours is the least.
//
// How it can be wrong: after `most_tries` states it takes the least of those; then two arrangements
// may stand for themselves, which costs a state and is no fault. It never gives a state that is no
// arrangement of the one it was given. Cost: a few nanoseconds for each number of a member, no
// memory.
//
// Thread safety: arrange() may be called concurrently, each with a scratch of its own.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "rules/program.hpp"
#include "rules/symmetry.hpp"

namespace panoptes {

class Arranger {
 public:
  static constexpr std::size_t most_tries = 5040;

  // `symmetry` is found in `program`; neither is needed any more afterwards.
  Arranger(const Program& program, const Symmetry& symmetry);

  class Scratch;

  // The state that stands for `state` and all its arrangements. REQUIRES: they do not overlap.
  void arrange(StateView state, StateSpan to, Scratch& scratch) const;
  // `state` with members elsewhere: member `m` of all goes to the place of the one that is
  // `places[m]` behind the first of its group.
  void rearrange(StateView state, std::span<const std::uint32_t> places, StateSpan to,
                 Scratch& scratch) const;
  const std::vector<MemberGroup>& groups() const { return groups_; }

 private:
  // A number of the state that moves, or is a member's.
  struct Cell {
    std::uint32_t word, shift;
    Word mask;
    std::int64_t minimum;
    std::uint32_t role, first, second, holds;
    bool is_plain = false;  // its bits mean the same wherever they go
    bool is_own = false;    // of one member, and no member's number
  };
  // What goes to each other's places: by position of the first, then of the second member.
  struct Role {
    std::uint32_t begin = 0;   // in targets_
    std::uint32_t stride = 1;  // members of the second's group
  };
  struct Place {
    std::uint32_t word, shift;
  };
  struct Field {
    std::uint32_t shift;
    Word mask;
    std::int64_t minimum;
    std::uint32_t holds;
  };
  // A channel whose messages have to be looked into.
  struct Queue {
    std::uint32_t role, first;
    Word tag_mask, slot_mask;
    std::vector<Place> slots;
    std::vector<std::uint32_t> message_of;   // by tag
    std::vector<std::uint32_t> tag_of;       // by message
    std::vector<std::vector<Field>> fields;  // by tag
  };

  class Maker;

  void decode(StateView state, Scratch& scratch) const;
  void paint(Scratch& scratch) const;
  void paint_queue(std::size_t queue, Scratch& scratch) const;
  void paint_value(std::uint64_t salt, std::uint32_t first, std::uint32_t second,
                   std::uint32_t holds, std::int64_t value, Scratch& scratch) const;
  bool order(Scratch& scratch) const;  // whether some have one colour
  std::size_t refine(Scratch& scratch) const;
  void search(Scratch& scratch, std::size_t depth) const;
  bool find_tie(const Scratch& scratch, std::size_t& begin, std::size_t& end) const;
  bool changes_nothing(std::uint32_t one, std::uint32_t other, Scratch& scratch) const;
  void try_places(Scratch& scratch, std::size_t group) const;
  void apply(StateSpan to, const Scratch& scratch) const;
  std::int64_t renamed(std::uint32_t holds, std::int64_t value, const Scratch& scratch) const;
  std::uint32_t member(std::uint32_t holds, std::int64_t value) const;
  const Cell& target(const Cell& cell, const Scratch& scratch) const;
  std::uint32_t target(std::uint32_t role, std::uint32_t first, std::uint32_t second,
                       const Scratch& scratch) const;
  Word renamed_message(const Queue& from, const Queue& to, Word message,
                       const Scratch& scratch) const;

  std::vector<MemberGroup> groups_;
  std::vector<std::uint32_t> first_member_;
  std::size_t members_ = 0;
  StateWords fixed_;  // bits that stay as they are
  std::vector<Cell> cells_;
  std::vector<Queue> queues_;
  std::vector<Role> roles_;
  std::vector<std::uint32_t> targets_;  // cells, or queues
  bool is_relational_ = false;          // some cells are of two members, or hold their numbers
};

class Arranger::Scratch {
 public:
  // To which place, counted from the first of its group, each member went in what was arranged
  // last.
  std::span<const std::uint32_t> places() const { return best_places_; }

 private:
  friend class Arranger;
  std::vector<std::int64_t> values_;              // of cells
  std::vector<std::vector<Word>> messages_;       // of queues
  std::vector<std::uint64_t> colours_, sums_;     // of members
  std::vector<std::uint32_t> order_;              // of members, group by group
  std::vector<std::uint32_t> places_;             // of members
  std::vector<std::uint32_t> best_places_;        // with which `best_` was made
  std::vector<std::vector<std::uint64_t>> kept_;  // colours, by depth
  StateWords fixed_, image_, best_;
  std::size_t tries_ = 0;
};

}  // namespace panoptes
