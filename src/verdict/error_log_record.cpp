// SPDX-License-Identifier: Apache-2.0
// A log of errors as a record, and back.
#include "verdict/error_log.hpp"

namespace panoptes {
namespace {

void save_key(const ErrorKey& key, RecordWriter& record) {
  record.number(key.kind);
  record.numbers(key.parts);
}

ErrorKey load_key(RecordReader& record) {
  ErrorKey key;
  key.kind = record.number<ErrorKind>();
  record.numbers(key.parts);
  return key;
}

void save_finding(const Finding& finding, RecordWriter& record) {
  record.number(finding.kind);
  for (const std::uint32_t number : {finding.source, finding.rule, finding.process, finding.channel,
                                     finding.tag, finding.assertion})
    record.number(number);
  record.number(finding.inside != nullptr);
  if (!finding.inside) return;
  record.numbers(finding.inside->from);
  record.numbers(finding.inside->rules);
  record.numbers(finding.inside->state);
}

Finding load_finding(RecordReader& record) {
  Finding finding;
  finding.kind = record.number<ErrorKind>();
  for (std::uint32_t* number : {&finding.source, &finding.rule, &finding.process, &finding.channel,
                                &finding.tag, &finding.assertion})
    *number = record.number<std::uint32_t>();
  if (!record.number<bool>()) return finding;
  Inside inside;
  record.numbers(inside.from);
  record.numbers(inside.rules);
  record.numbers(inside.state);
  finding.inside = std::make_shared<const Inside>(std::move(inside));
  return finding;
}

void save_record(const ErrorRecord& error, RecordWriter& record) {
  save_key(error.key, record);
  save_finding(error.finding, record);
  record.numbers(error.state);
  for (const std::uint64_t number : {error.count, error.depth, error.marked}) record.number(number);
  record.list(error.members, [&](const Member& member) {
    record.number(member.kind);
    record.number(member.number);
  });
}

ErrorRecord load_record(RecordReader& record) {
  ErrorRecord error;
  error.key = load_key(record);
  error.finding = load_finding(record);
  record.numbers(error.state);
  for (std::uint64_t* number : {&error.count, &error.depth, &error.marked})
    *number = record.number();
  for (std::size_t left = record.length(); left > 0; --left) {
    const auto kind = record.number<Member::Kind>();
    error.members.push_back({kind, record.number<std::uint32_t>()});
  }
  return error;
}

}  // namespace

void ErrorLog::save(RecordWriter& record) const {
  record.list(records_, [&](const ErrorRecord& error) { save_record(error, record); });
  for (const std::uint64_t number : {bytes_.load(), left_out_}) record.number(number);
  for (const bool flag :
       {is_by_rank_, has_error_.load(), has_unread_.load(), has_failure_.load(), last_.has_value()})
    record.number(flag);
  if (!last_) return;
  record.number(last_->depth);
  save_key(last_->key, record);
}

void ErrorLog::load(RecordReader& record) {
  for (std::size_t left = record.length(); left > 0; --left) {
    records_.push_back(load_record(record));
    index_.emplace(records_.back().key, records_.size() - 1);
  }
  bytes_ = record.number();
  left_out_ = record.number();
  is_by_rank_ = record.number<bool>();
  for (std::atomic<bool>* flag : {&has_error_, &has_unread_, &has_failure_})
    *flag = record.number<bool>();
  if (!record.number<bool>()) return;
  const auto depth = record.number();
  last_ = Rank{depth, load_key(record)};
}

}  // namespace panoptes
