// SPDX-License-Identifier: Apache-2.0
// The checkpoints of a search: where they go, and when it is time for one.
//
// Idea: writing one takes the workers' time, so the next one comes no sooner than after so many
// times what the last one took, whatever was asked for. A search that ends before it is done writes
// one, too.
//
// Thread safety: is_due() and give_up() are for one worker at a time, write() for a pause.
#pragma once

#include <cstdint>
#include <functional>
#include <limits>
#include <memory>
#include <string>

#include "base/checkpoint_folder.hpp"
#include "base/clock.hpp"

namespace panoptes {

// What several ranks agree on, of which each writes its own part of a checkpoint.
class CommonCheckpoint {
 public:
  virtual ~CommonCheckpoint() = default;

  virtual const std::string& path() const = 0;
  virtual std::uint64_t number() const = 0;  // of the last one of which all parts are there
  // This rank's part of the next one is written, or is not: whether all are, and that one is the
  // last from now on. All ranks call it; where it is false, `problem` says why.
  virtual bool agree(bool is_written, std::string& problem) = 0;
};

class Checkpoints {
 public:
  using Clock = std::function<double()>;

  // `identity` says what is searched and how; it is the section of that name.
  Checkpoints(std::unique_ptr<CheckpointFolder> folder, std::string identity, double every_seconds,
              Clock clock = steady_seconds);

  static constexpr const char* identity_section = "identity";
  static constexpr const char* ranks_section = "ranks";

  // Of one rank among several: `division` says how states are divided among them, and is the
  // section of that name; `common` outlives this.
  void divide(CommonCheckpoint& common, std::string division) {
    common_ = &common;
    division_ = std::move(division);
  }
  bool is_divided() const { return common_ != nullptr; }
  const std::string& path() const { return common_ ? common_->path() : folder_->path(); }
  std::uint64_t number() const { return common_ ? common_->number() : folder_->number(); }

  const CheckpointFolder& folder() const { return *folder_; }
  // Whether there is something to go on with.
  bool is_resumed() const { return is_resumed_; }

  bool is_due() const { return clock_() >= next_; }
  // What `save` appends to the folder and gives as sections is the next checkpoint; false where it
  // cannot be written, and then the last one stays.
  bool write(const std::function<CheckpointFolder::Sections(CheckpointFolder&)>& save);
  // The search cannot be written down any more.
  void give_up(std::string why) {
    problem_ = std::move(why);
    next_ = std::numeric_limits<double>::infinity();
  }

  // What was known is there again, so many states, after so long.
  void note_resumed(std::uint64_t states, double seconds) {
    resumed_states_ = states;
    resumed_seconds_ = seconds;
  }
  std::uint64_t resumed_states() const { return resumed_states_; }  // 0 before that
  double resumed_seconds() const { return resumed_seconds_; }

  double last_seconds() const { return last_seconds_; }  // that the last one took
  // Of this run:
  std::uint64_t count() const { return count_; }
  double seconds() const { return seconds_; }
  // Why the last one could not be written; "" where it was.
  const std::string& problem() const { return problem_; }

 private:
  static constexpr double least_times = 20.0;  // what one takes, from one to the next

  bool commit(CheckpointFolder::Sections sections);

  std::unique_ptr<CheckpointFolder> folder_;
  std::string identity_, division_;
  CommonCheckpoint* common_ = nullptr;
  double every_seconds_;
  Clock clock_;
  bool is_resumed_;
  double next_;
  std::uint64_t resumed_states_ = 0;
  double resumed_seconds_ = 0.0;
  double last_seconds_ = 0.0, seconds_ = 0.0;
  std::uint64_t count_ = 0;
  std::string problem_;
};

}  // namespace panoptes
