// SPDX-License-Identifier: Apache-2.0
#include "verdict/error_log.hpp"

#include <algorithm>
#include <functional>
#include <tuple>

#include "verdict/rank.hpp"

namespace panoptes {

void ErrorLog::add(const std::vector<Finding>& findings, const StateBatch& batch,
                   const Sighting& sighting, WayBack& way_back) {
  for (const Finding& finding : findings) {
    (needs_strictness(finding.kind) ? has_unread_ : has_error_) = true;
    if (finding.rule != none) has_failure_ = true;
    const StateView state = finding.state_in(batch);
    ErrorKey exact = exact_key_of(program_, finding, state);
    Found found{finding, group_key(program_, exact), std::move(exact), state, sighting};
    const std::lock_guard lock(guard_);
    add(std::move(found), way_back);
  }
}

void ErrorLog::add(Found&& found, WayBack& way_back) {
  if (const auto known = index_.find(found.key); known != index_.end()) {
    records_[known->second].count += found.sighting.count;
    if (program_.families.has_several) join(records_[known->second], found, way_back);
    return;
  }
  const auto& [finding, key, exact, state, sighting] = found;
  is_by_rank_ = way_back.is_shortest();
  ErrorRecord record{
      std::move(found.key), finding, {state.begin(), state.end()}, sighting.count, sighting.depth};
  const std::uint64_t bytes =
      bytes_of(record) + way_back.mark_bytes(sighting.worker, finding.source);
  if (last_ ? rank_of(record) >= *last_ : !is_by_rank_ && !has_room(1, bytes)) {
    left_out_ += sighting.count;
    return;
  }
  record.marked = way_back.mark(sighting.worker, finding.source);
  index_.emplace(record.key, records_.size());
  records_.push_back(std::move(record));
  bytes_.fetch_add(bytes, std::memory_order_relaxed);
  if (is_by_rank_ && !has_room(2, 0)) leave_out_the_last();
}

void ErrorLog::join(ErrorRecord& record, const Found& found, WayBack& way_back) {
  const auto [worker, depth, count] = found.sighting;
  const ErrorKey first = exact_key_of(program_, record.finding, record.state);
  const std::size_t before = record.members.size();
  const bool is_new = add_members(program_, first, found.exact, record.members);
  std::uint64_t bytes = (record.members.size() - before) * sizeof(Member);
  const std::uint64_t mark_bytes = way_back.mark_bytes(worker, found.finding.source);
  const bool is_first = way_back.is_shortest()
                            ? depth == record.depth && found.exact < first
                            : is_new && depth < record.depth && has_room(1, bytes + mark_bytes);
  if (is_first) {
    record.finding = found.finding;
    record.state.assign(found.state.begin(), found.state.end());
    record.depth = depth;
    record.marked = way_back.mark(worker, found.finding.source);
    bytes += mark_bytes;
  }
  bytes_.fetch_add(bytes, std::memory_order_relaxed);
}

void ErrorLog::merge(const std::vector<ErrorRecord>& records, const Total& total) {
  has_error_ = has_error_ || total.has_error;
  has_unread_ = has_unread_ || total.has_unread;
  has_failure_ = has_failure_ || total.has_failure;
  left_out_ += total.left_out;
  for (std::size_t i = 0; i < records_.size(); ++i) index_.emplace(records_[i].key, i);
  for (const ErrorRecord& record : records) {
    const auto [known, is_new] = index_.emplace(record.key, records_.size());
    if (!is_new) {
      unite(records_[known->second], record);
      continue;
    }
    records_.push_back(record);
    bytes_.fetch_add(bytes_of(record), std::memory_order_relaxed);
  }
  finish();
}

void ErrorLog::unite(ErrorRecord& record, const ErrorRecord& other) {
  const ErrorKey first = exact_key_of(program_, record.finding, record.state);
  const ErrorKey second = exact_key_of(program_, other.finding, other.state);
  Members members = record.members;
  add_members(other.members, members);
  if (program_.families.has_several) add_members(program_, first, second, members);
  const std::uint64_t count = record.count + other.count;
  if (std::tie(other.depth, second) < std::tie(record.depth, first)) record = other;
  record.count = count;
  record.members = std::move(members);
}

// Whether there is room for one more in so many times the room there is. One group there always is.
bool ErrorLog::has_room(std::uint64_t times, std::uint64_t more_bytes) const {
  if (records_.empty()) return true;
  return records_.size() < times * limits_.groups &&
         (bytes() + more_bytes) / times <= limits_.bytes;
}

// Twice, for the index has the key too.
std::uint64_t ErrorLog::bytes_of(const ErrorRecord& record) {
  constexpr std::uint64_t node = 96;
  return sizeof(ErrorRecord) + node + 2 * record.key.parts.size() * sizeof(std::uint32_t) +
         record.state.size() * sizeof(Word) + record.members.size() * sizeof(Member);
}

// Half of them: as many as there is room for.
void ErrorLog::leave_out_the_last() {
  std::sort(records_.begin(), records_.end(), [](const ErrorRecord& a, const ErrorRecord& b) {
    return std::tie(a.depth, a.key) < std::tie(b.depth, b.key);
  });
  std::uint64_t bytes = 0;
  std::size_t kept = 0;
  for (; kept < records_.size() && kept < limits_.groups; ++kept) {
    bytes += bytes_of(records_[kept]);
    if (kept > 0 && bytes > limits_.bytes) break;
  }
  if (kept == records_.size()) return;
  last_ = rank_of(records_[kept]);
  for (std::size_t i = kept; i < records_.size(); ++i) left_out_ += records_[i].count;
  records_.erase(records_.begin() + static_cast<std::ptrdiff_t>(kept), records_.end());
  records_.shrink_to_fit();
  index_.clear();
  bytes = 0;
  for (std::size_t i = 0; i < records_.size(); ++i) {
    index_.emplace(records_[i].key, i);
    bytes += bytes_of(records_[i]);
  }
  bytes_ = bytes;
}

bool ErrorLog::has_all(const std::set<ErrorKey>& keys) {
  const std::lock_guard lock(guard_);
  return std::ranges::all_of(keys, [&](const ErrorKey& key) { return index_.contains(key); });
}

void ErrorLog::finish() {
  if (!has_room(1, 0)) leave_out_the_last();
  const auto rank = [](const ErrorRecord& r) {
    return std::tuple(error_rank(r.finding, r.depth), std::cref(r.key));
  };
  std::sort(records_.begin(), records_.end(),
            [&](const ErrorRecord& a, const ErrorRecord& b) { return rank(a) < rank(b); });
  index_.clear();
}

void ErrorLog::spread(const Symmetry& symmetry) {
  for (ErrorRecord& record : records_)
    add_members(members_alike(symmetry, exact_key_of(program_, record.finding, record.state)),
                record.members);
}

}  // namespace panoptes
