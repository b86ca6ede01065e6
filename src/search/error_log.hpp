// SPDX-License-Identifier: Apache-2.0
// Collects findings into groups while a search runs; trails are made when it has ended.
#pragma once

#include <map>
#include <vector>

#include "search/frontier.hpp"
#include "verdict/error.hpp"

namespace panoptes {

// The first finding of a group and how often it was made.
struct ErrorRecord {
  ErrorKey key;
  Finding finding;
  StateWords state;  // in which it was made
  std::uint64_t count = 0;
  std::uint64_t depth = 0;
  std::uint64_t marked = 0;  // in the frontier
};

class ErrorLog {
 public:
  explicit ErrorLog(const Program& program) : program_(program) {}

  // The findings a worker made in `batch`.
  void add(const std::vector<Finding>& findings, const StateBatch& batch, unsigned worker,
           Frontier& frontier);

  // Adds what another log holds; of two first findings the shallower one stays.
  void merge(const ErrorLog& other);

  // In the order they were found.
  const std::vector<ErrorRecord>& records() const { return records_; }
  // Shortest first, and the same whoever found them.
  std::vector<ErrorRecord> sorted() const;

 private:
  const Program& program_;
  std::map<ErrorKey, std::size_t> index_;
  std::vector<ErrorRecord> records_;  // in the order they were found
};

}  // namespace panoptes
