// SPDX-License-Identifier: Apache-2.0
// States of the first levels of a search, of a large level some by chance, and the steps of a part
// of these: what a division of the states among ranks is judged by.
//
// Idea: each level of the sample is made from the one before, and so what is wrong with one is more
// wrong with the next. Therefore of a level four thousand states are expanded, and no more than a
// thousand of these are kept, with their steps. Which ones, hashes say.
// Ranks make it together: of each level each expands its part, and tells all others what it has
// found by hashes, so that all know what is new and choose alike; only then are the chosen states
// told, and the steps of those that are kept, by what they change. So all have the same sample, and
// where there is memory and time for it, it is that which one would have made alone.
//
// Cost: some hundred thousand states are expanded, by all ranks together, and four messages a level
// go to everybody (bench/cluster prints what it takes). With a quarter of the states the busier of
// two ranks had 10 % more than its share of the levels of two_links, in the mean, in place of 2 %;
// with a thirtieth a sample dies out in the middle of some protocols.
//
// How it can be wrong: a state with many ways to it is in the sample more often than others, and a
// sample says little of states that are deeper. To take states the more rarely the more ways to
// them the squares of two steps show was tried: wide_election was divided better,
// three_phase_commit worse.
#pragma once

#include <map>
#include <memory>
#include <optional>
#include <span>
#include <vector>

#include "cluster/division_task.hpp"
#include "rules/program.hpp"
#include "step/stepper.hpp"

namespace panoptes {

class LevelSample {
 public:
  using Bits = std::vector<Word>;

  struct Level {
    StateBatch states, successors;
    std::vector<std::uint32_t> sources;  // of each successor, among `states`
  };

  // With so many states of a level that each of sixteen ranks has some of them.
  LevelSample(const Program& program, const DivisionTask& task);

  // There is no sample: some rank has no memory for its part, as where an indivisible sequence does
  // not end, or is gone. (One that has none even to say so ends, and so do all.)
  bool has_failed() const { return has_failed_; }

  std::size_t width() const { return width_; }
  const std::vector<Level>& levels() const { return levels_; }
  // Rules taken for each step: more than one in indivisible sequences. A rule inside of one is told
  // once, however many states are expanded at once; so those that are expanded alone are counted.
  double rules_per_step() const { return 1.0 + inside_ / std::max(1.0, steps_); }
  // How many steps change these bits, and no others; of one of so many states of a level.
  static constexpr std::size_t one_of = 4;
  const std::map<Bits, std::uint64_t>& changes() const { return changes_; }

 private:
  // What is known of a level that is to be expanded.
  struct States {
    StateBatch states;
    std::vector<std::uint64_t> hashes;
  };
  // What one has found from its part of a level.
  struct Found {
    StateBatch states;  // all successors
    Numbers told;       // about them, for all
  };

  States expand(const States& level);
  void expand_own(const States& level, const std::vector<std::size_t>& kept, Found& found);
  void tell_kept(std::size_t number, StateView state, std::size_t at, Numbers& told) const;
  void hear(const States& level, const std::vector<Numbers>& told);
  void hear_found(std::span<const std::uint64_t> hashes, std::size_t first);
  void hear_kept(const States& level, std::span<const std::uint64_t> told);
  States choose_next(const Found& own, const std::vector<Numbers>& told, bool has_memory);
  std::optional<std::vector<Numbers>> gather(const Numbers& own) const;
  std::size_t own_part() const { return task_.gather ? task_.looker : 0; }
  bool may_go_on(std::uint64_t more_bytes) const;

  std::size_t width_, most_kept_, of_level_;
  const DivisionTask& task_;
  std::unique_ptr<Stepper> stepper_;
  bool has_failed_ = false;
  std::uint64_t kept_bytes_ = 0;
  std::vector<Level> levels_;
  std::map<Bits, std::uint64_t> changes_;
  // A bit for each hash, so that some states, one in thirty in a large sample, are taken for known
  // ones: all would be too many anyway.
  std::vector<std::uint64_t> known_;
  double steps_ = 0.0, inside_ = 0.0;
  SuccessorBatch successors_;
  std::vector<Finding> findings_;
  // Of all successors of a level that are new, whoever has found them: where they are among all.
  std::vector<std::uint64_t> hashes_;
  std::vector<std::size_t> places_;
};

}  // namespace panoptes
