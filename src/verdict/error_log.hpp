// SPDX-License-Identifier: Apache-2.0
// Collects findings into groups while a search runs; trails are made when it has ended.
//
// Idea: a group is what a designer mends, and nobody mends thousands. So a log has room for so
// many groups and so many bytes, and counts the findings for which there is none. A breadth-first
// search keeps the groups with the shortest trails, and of those as short the first by their keys,
// whichever worker finds them first: the log may grow to twice its room, then all groups beyond the
// room go, and no group behind them is let in any more. Other searches keep those they find first.
// How it can be wrong: not in what it says of a group that it keeps; how many groups the findings
// left out would be, nobody knows.
//
// Thread safety: add(), has_error(), has_all() and bytes() may be called concurrently; the rest
// when the search has ended.
#pragma once

#include <atomic>
#include <map>
#include <mutex>
#include <optional>
#include <set>
#include <vector>

#include "base/batch.hpp"
#include "base/record.hpp"
#include "verdict/error.hpp"
#include "verdict/way_back.hpp"

namespace panoptes {

// The first finding of a group and how often it was made.
//
// Breadth first it is one with the least exact key of those at the least depth, so that it is the
// same whoever found it; else the nearest of those that were the first of another member.
struct ErrorRecord {
  ErrorKey key;
  Finding finding;
  StateWords state;  // in which it was made
  std::uint64_t count = 0;
  std::uint64_t depth = 0;
  std::uint64_t marked = 0;  // by the way back
  Members members = {};      // in which findings of the group differ
};

// Where findings were made, and how often each.
struct Sighting {
  unsigned worker = 0;
  std::uint64_t depth = 0;
  std::uint64_t count = 1;
};

class ErrorLog {
 public:
  struct Limits {
    std::size_t groups = 10'000;
    std::uint64_t bytes = UINT64_MAX;  // of all groups together, and of their marks
  };
  ErrorLog(const Program& program, Limits limits) : program_(program), limits_(limits) {}
  explicit ErrorLog(const Program& program) : ErrorLog(program, Limits{}) {}

  // The findings a worker made in `batch`. REQUIRES: where ways back are the shortest ones, batches
  // come level by level.
  void add(const std::vector<Finding>& findings, const StateBatch& batch, const Sighting& sighting,
           WayBack& way_back);

  // Adds what another log of the same search has, whose states are others. REQUIRES: both are
  // finished, and ways back the shortest ones.
  struct Total {
    bool has_error = false, has_unread = false, has_failure = false;
    std::uint64_t left_out = 0;
  };
  Total total() const { return {has_error_, has_unread_, has_failure_, left_out_}; }
  void merge(const std::vector<ErrorRecord>& records, const Total& total);

  // Whether anything was found; messages left unread count where they are errors.
  bool has_error(bool unread_messages_are_errors) const {
    return has_error_ || (unread_messages_are_errors && has_unread_);
  }
  // Whether each of these groups is there.
  bool has_all(const std::set<ErrorKey>& keys);
  // Whether some step failed, which hides what lies behind it.
  bool has_failure() const { return has_failure_; }

  // The search has ended: what is left is there in order, shortest first, and the same whoever
  // found it.
  void finish();
  // Members were exchanged freely: what was found of one is so of all that are alike. REQUIRES: it
  // is finished.
  void spread(const Symmetry& symmetry);
  const std::vector<ErrorRecord>& records() const { return records_; }

  // All of it, and all of it again in a log that is empty: for a search that goes on another day,
  // or for one judge of several. REQUIRES: nobody adds anything.
  void save(RecordWriter& record) const;
  void load(RecordReader& record);

  std::uint64_t left_out() const { return left_out_; }  // findings in groups that were not kept
  std::uint64_t bytes() const { return bytes_.load(std::memory_order_relaxed); }

 private:
  // By depth, then by key.
  struct Rank {
    std::uint64_t depth;
    ErrorKey key;
    friend auto operator<=>(const Rank&, const Rank&) = default;
  };
  static Rank rank_of(const ErrorRecord& record) { return {record.depth, record.key}; }
  static std::uint64_t bytes_of(const ErrorRecord& record);
  // A finding, with the key of its group and which of its members it means exactly.
  struct Found {
    const Finding& finding;
    ErrorKey key, exact;
    StateView state;
    const Sighting& sighting;
  };
  void add(Found&& found, WayBack& way_back);
  // Adds to a group that is there.
  void join(ErrorRecord& record, const Found& found, WayBack& way_back);
  // A group that is in both.
  void unite(ErrorRecord& record, const ErrorRecord& other);
  bool has_room(std::uint64_t times, std::uint64_t more_bytes) const;
  void leave_out_the_last();

  const Program& program_;
  Limits limits_;
  std::mutex guard_;
  std::map<ErrorKey, std::size_t> index_;
  std::vector<ErrorRecord> records_;
  bool is_by_rank_ = false;   // while ways back are the shortest ones
  std::optional<Rank> last_;  // once groups were left out: those from here on are
  std::atomic<std::uint64_t> bytes_{0};
  std::uint64_t left_out_ = 0;
  std::atomic<bool> has_error_{false}, has_unread_{false}, has_failure_{false};
};

}  // namespace panoptes
