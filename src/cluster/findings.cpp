// SPDX-License-Identifier: Apache-2.0
#include "cluster/findings.hpp"

#include <cstring>
#include <memory>
#include <type_traits>

namespace panoptes {
namespace {

// One of these writes what the other reads: a function that names all parts of a thing is enough
// for both.
class Writer {
 public:
  template <typename... Parts>
  void operator()(const Parts&... parts) {
    (part(parts), ...);
  }
  LetterBytes bytes;

 private:
  template <typename T>
  requires std::is_trivially_copyable_v<T>
  void part(const T& value) {
    const std::size_t before = bytes.size();
    bytes.resize(before + sizeof(T));
    std::memcpy(bytes.data() + before, &value, sizeof(T));
  }
  template <typename T, typename Allocator>
  void part(const std::vector<T, Allocator>& list) {
    part(std::uint64_t{list.size()});
    for (const T& element : list) part(element);
  }
  void part(const std::vector<bool>& list) {
    part(std::uint64_t{list.size()});
    for (const bool element : list) part(element);
  }
};

class Reader {
 public:
  explicit Reader(const LetterBytes& bytes) : at_(bytes.data()) {}
  template <typename... Parts>
  void operator()(Parts&... parts) {
    (part(parts), ...);
  }

 private:
  template <typename T>
  requires std::is_trivially_copyable_v<T>
  void part(T& value) {
    std::memcpy(&value, at_, sizeof(T));
    at_ += sizeof(T);
  }
  template <typename T, typename Allocator>
  void part(std::vector<T, Allocator>& list) {
    list.resize(size());
    for (T& element : list) part(element);
  }
  void part(std::vector<bool>& list) {
    list.resize(size());
    for (std::size_t i = 0; i < list.size(); ++i) {
      bool element = false;
      part(element);
      list[i] = element;
    }
  }
  std::size_t size() {
    std::uint64_t number = 0;
    part(number);
    return number;
  }

  const std::byte* at_;
};

template <typename T>
LetterBytes plain_bytes(const T& value) {
  Writer write;
  write(value);
  return std::move(write.bytes);
}
template <typename T>
T plain_value(const LetterBytes& bytes) {
  T value{};
  Reader read(bytes);
  read(value);
  return value;
}

// `M` is constant where it is written.
template <typename Archive, typename M>
void each_part_of_measured(Archive& archive, M& m) {
  archive(m.states, m.transitions, m.depth, m.states_analysed, m.is_distinct, m.depth_limit, m.runs,
          m.needed_bytes, m.states_waiting, m.successors_waiting, m.parameters, m.store_bytes,
          m.trail_bytes, m.frontier_bytes, m.first_error_states, m.seconds, m.processor_seconds,
          m.first_error_seconds, m.samples);
}

template <typename Archive, typename C>
void each_part_of_cluster(Archive& archive, C& c) {
  archive(c.states, c.handed_over, c.sent_bytes, c.state_bytes, c.others_bytes);
}

template <typename Archive, typename R>
void each_part_of_record(Archive& archive, R& r) {
  archive(r.key.kind, r.key.parts, r.finding.kind, r.finding.source, r.finding.rule,
          r.finding.process, r.finding.channel, r.finding.tag, r.finding.assertion, r.state,
          r.count, r.depth, r.marked, r.members);
}

template <typename Archive, typename I>
void each_part_of_inside(Archive& archive, I& inside) {
  archive(inside.from, inside.rules, inside.state);
}

}  // namespace

LetterBytes bytes_of(Stop reason) { return plain_bytes(reason); }
Stop stop_in(const LetterBytes& bytes) { return plain_value<Stop>(bytes); }
LetterBytes bytes_of(const Progress& progress) { return plain_bytes(progress); }
Progress progress_in(const LetterBytes& bytes) { return plain_value<Progress>(bytes); }
LetterBytes bytes_of(StateName state) { return plain_bytes(packed(state)); }
StateName name_in(const LetterBytes& bytes) { return unpacked(plain_value<std::uint64_t>(bytes)); }
LetterBytes bytes_of(const StateOrigin& origin) { return plain_bytes(origin); }
StateOrigin origin_in(const LetterBytes& bytes) { return plain_value<StateOrigin>(bytes); }

LetterBytes bytes_of(const Evidence& evidence, const ErrorLog& errors) {
  Writer write;
  each_part_of_measured(write, evidence.measured);
  each_part_of_cluster(write, *evidence.measured.cluster);
  write(evidence.ending, evidence.store, evidence.fired, evidence.passed, errors.total());
  write(std::uint64_t{errors.records().size()});
  for (const ErrorRecord& record : errors.records()) {
    each_part_of_record(write, record);
    write(record.finding.inside != nullptr);
    if (record.finding.inside) each_part_of_inside(write, *record.finding.inside);
  }
  return std::move(write.bytes);
}

RankFindings findings_in(const LetterBytes& bytes) {
  RankFindings found;
  Reader read(bytes);
  each_part_of_measured(read, found.evidence.measured);
  each_part_of_cluster(read, found.evidence.measured.cluster.emplace());
  read(found.evidence.ending, found.evidence.store, found.evidence.fired, found.evidence.passed,
       found.total);
  std::uint64_t records = 0;
  read(records);
  for (std::uint64_t i = 0; i < records; ++i) {
    ErrorRecord& record = found.records.emplace_back();
    each_part_of_record(read, record);
    bool is_inside = false;
    read(is_inside);
    if (!is_inside) continue;
    Inside inside;
    each_part_of_inside(read, inside);
    record.finding.inside = std::make_shared<const Inside>(std::move(inside));
  }
  return found;
}

}  // namespace panoptes
