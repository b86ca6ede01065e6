// SPDX-License-Identifier: Apache-2.0
// A search that can be written down, and gone on with by another process on another day.
//
// What of it belongs together (states, the way back, counters, errors) is written by whoever owns
// it, to one checkpoint, while no worker has a batch in its hands. So a frontier answers: when is
// that, what is to be written, and what was there when it was?
//
// A store writes next to nothing: it is given its states again. (Its table, or the states
// themselves, would be 8 to 21 bytes a state and word against less than one for the log, which
// there must be anyway. docs/checkpoints.md has the figures.)
//
// A frontier of another kind may put what it needs into streams of its own.
//
// Thread safety: pause() and can_save() may be called by any worker, save() in a pause or when all
// workers have left, come_to_rest() then, the rest before they begin.
#pragma once

#include <functional>
#include <memory>
#include <vector>

#include "base/checkpoint_folder.hpp"
#include "base/record.hpp"
#include "step/stepper.hpp"
#include "store/state_store.hpp"

namespace panoptes {

struct ResumeTools {
  const std::vector<std::unique_ptr<Stepper>>& steppers;  // a thread for each, at most
  StateStore& store;                                      // gets all states that were known
  std::function<bool()> go_on;  // asked often, by one thread at a time; false ends it
};

class Resumable {
 public:
  virtual ~Resumable() = default;

  // Called whenever all workers pause.
  virtual void at_pause(std::function<void()> meanwhile) = 0;
  // Soon they shall.
  virtual void pause() = 0;

  // Whether it can still be written down.
  virtual bool can_save() const = 0;

  // The search has ended, and no worker runs: what of it is left for another day? Where others
  // search as well, waits for them, takes in what they have found for this one, and adds theirs.
  struct Rest {
    bool is_whole = true;       // nothing of it was lost
    bool is_cut_short = false;  // it has ended early
    std::uint64_t waiting = 0;  // states that are not expanded
  };
  virtual Rest come_to_rest(Rest own, StateStore& store) = 0;
  // What is new since the last checkpoint goes into streams of the folder, what changes into the
  // record.
  virtual void save(CheckpointFolder& folder, RecordWriter& record) const = 0;

  // All is as it was: what is known is in the store, what was not expanded waits, and marks lead to
  // the states they led to. The number of workers may be another one. False where it was told to
  // end before that. Throws InternalFault where the rules lead elsewhere than they did. REQUIRES:
  // it was started.
  virtual bool resume(const CheckpointFolder& folder, RecordReader& record,
                      const ResumeTools& tools) = 0;
};

}  // namespace panoptes
