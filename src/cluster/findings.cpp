// SPDX-License-Identifier: Apache-2.0
#include "cluster/findings.hpp"

#include <concepts>
#include <cstring>
#include <type_traits>

#include "base/record.hpp"
#include "step/interpreter.hpp"

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
  RecordWriter record;

 private:
  void part(double value) { record.real(value); }
  template <typename T>
  requires(std::integral<T> || std::is_enum_v<T>) void part(T value) { record.number(value); }
  template <typename T>
  requires std::is_class_v<T>
  void part(const T& thing) { each_part_of(*this, thing); }
  template <typename T>
  void part(const std::vector<T>& list) {
    record.list(list, [this](const auto& element) { this->part(element); });
  }
};

class Reader {
 public:
  explicit Reader(const LetterBytes& bytes)
      : record({reinterpret_cast<const char*>(bytes.data()), bytes.size()}) {}
  template <typename... Parts>
  void operator()(Parts&... parts) {
    (part(parts), ...);
  }
  // Nobody would know what was meant.
  void end() const {
    if (!record.is_done()) throw InternalFault("a rank has sent a letter of another length");
  }
  RecordReader record;

 private:
  void part(double& value) { value = record.real(); }
  template <typename T>
  requires(std::integral<T> || std::is_enum_v<T>) void part(T& value) {
    value = record.number<T>();
  }
  template <typename T>
  requires std::is_class_v<T>
  void part(T& thing) { each_part_of(*this, thing); }
  template <typename T>
  void part(std::vector<T>& list) {
    for (std::size_t left = record.length(); left > 0; --left) {
      T element{};
      part(element);
      list.push_back(element);
    }
  }
};

// It is constant where it is written.
template <typename Given, typename Wanted>
concept Some = std::same_as<std::remove_const_t<Given>, Wanted>;

template <typename Archive, Some<Progress> P>
void each_part_of(Archive& archive, P& p) {
  archive(p.states, p.transitions, p.depth, p.frontier, p.memory_bytes, p.held_bytes, p.seconds,
          p.run, p.runs);
}

template <typename Archive, Some<StateOrigin> O>
void each_part_of(Archive& archive, O& o) {
  archive(o.parent.owner, o.parent.number, o.choice);
}

template <typename Archive, Some<Parameters> P>
void each_part_of(Archive& archive, P& p) {
  archive(p.memory_bytes, p.bytes_per_state, p.successors_per_state, p.seconds_per_state,
          p.sequence_states, p.longest_sequence_states);
}

template <typename Archive, Some<SearchSample> S>
void each_part_of(Archive& archive, S& s) {
  archive(s.seconds, s.states, s.frontier, s.memory_bytes, s.depth);
}

// But for what only searches have that are not divided.
template <typename Archive, Some<Measured> M>
void each_part_of(Archive& archive, M& m) {
  archive(m.states, m.transitions, m.depth, m.states_analysed, m.is_distinct, m.depth_limit, m.runs,
          m.needed_bytes, m.states_waiting, m.successors_waiting, m.parameters, m.store_bytes,
          m.trail_bytes, m.frontier_bytes, m.first_error_states, m.seconds, m.processor_seconds,
          m.first_error_seconds, m.samples);
}

template <typename Archive, Some<ClusterReport::Seconds> S>
void each_part_of(Archive& archive, S& s) {
  archive(s.waiting, s.handing_over, s.taking_in);
}

template <typename Archive, Some<ClusterReport> C>
void each_part_of(Archive& archive, C& c) {
  archive(c.states, c.seconds, c.dividing_seconds, c.handed_over, c.lent, c.sent_bytes,
          c.state_bytes, c.others_bytes);
}

template <typename Archive, Some<Ending> E>
void each_part_of(Archive& archive, E& e) {
  archive(e.told, e.had_enough, e.has_waiting, e.has_lost_states, e.is_cut_off, e.dropped,
          e.deselected, e.left_out, e.unexpanded, e.unexpanded_depth, e.is_sample, e.is_folded,
          e.is_reduced);
}

template <typename Archive, Some<StorePromise> P>
void each_part_of(Archive& archive, P& p) {
  archive(p.may_omit, p.may_repeat, p.expected_omissions, p.kept);
}

LetterBytes letter_of(const Writer& write) {
  const std::string& text = write.record.bytes();
  LetterBytes bytes(text.size());
  if (!text.empty()) std::memcpy(bytes.data(), text.data(), text.size());
  return bytes;
}

template <typename T>
LetterBytes letter_with(const T& value) {
  Writer write;
  write(value);
  return letter_of(write);
}
template <typename T>
T value_in(const LetterBytes& bytes) {
  T value{};
  Reader read(bytes);
  read(value);
  read.end();
  return value;
}

}  // namespace

LetterBytes bytes_of(Stop reason) { return letter_with(reason); }
Stop stop_in(const LetterBytes& bytes) { return value_in<Stop>(bytes); }
LetterBytes bytes_of(const Progress& progress) { return letter_with(progress); }
Progress progress_in(const LetterBytes& bytes) { return value_in<Progress>(bytes); }
LetterBytes bytes_of(StateName state) { return letter_with(packed(state)); }
StateName name_in(const LetterBytes& bytes) { return unpacked(value_in<std::uint64_t>(bytes)); }
LetterBytes bytes_of(const StateOrigin& origin) { return letter_with(origin); }
StateOrigin origin_in(const LetterBytes& bytes) { return value_in<StateOrigin>(bytes); }

LetterBytes bytes_of(const Evidence& evidence, const ErrorLog& errors) {
  Writer write;
  write(evidence.measured, *evidence.measured.cluster, evidence.ending, evidence.store,
        evidence.fired, evidence.passed);
  errors.save(write.record);
  return letter_of(write);
}

Evidence findings_in(const LetterBytes& bytes, ErrorLog& errors) {
  Evidence found;
  Reader read(bytes);
  read(found.measured, found.measured.cluster.emplace(), found.ending, found.store, found.fired,
       found.passed);
  errors.load(read.record);
  read.end();
  return found;
}

}  // namespace panoptes
