// SPDX-License-Identifier: Apache-2.0
// The columns of the relations of the five steps, and what moves do to them.
//
// Idea: a state of both processes is a row
//   state_a, state_b, value_..., b_to_a_1, ..., b_to_a_N, a_to_b_1, ..., a_to_b_M
// with the attributes of extended automata behind the control states, and behind each slot of a
// channel the values of its message (b_to_a_1_value_1). A transition has all of it twice, with
// present_ and future_ before it. A slot without a message is 0, and so are values that a message
// does not have: equal states are equal rows.
//
// Thread safety: plain functions on plain data.
#pragma once

#include <string>

#include "relational/algebra.hpp"
#include "relational/two_process.hpp"

namespace panoptes {

inline constexpr char at_present[] = "present_", in_future[] = "future_";
inline constexpr char both_processes[] = "3";  // where SideView::number() says which

algebra::Names with_prefix(const std::string& prefix, algebra::Names names);
void add(algebra::Names& names, const algebra::Names& more);
void add(algebra::Terms& terms, const algebra::Terms& more);
// (old, new)
algebra::Terms pairs(const algebra::Names& from, const algebra::Names& to);
// Columns with another prefix.
algebra::Relation with_other_prefix(const algebra::Relation& r, const algebra::Names& columns,
                                    const std::string& from, const std::string& to);

// One side, and how its columns are called: the same for A and for B.
struct SideView {
  const TwoProcess::Side* side;
  std::string own, other;  // a, b
  std::string in, out;     // channels: b_to_a, a_to_b
  std::uint32_t in_capacity, in_values, out_capacity, out_values;

  std::string letter() const { return own == "a" ? "A" : "B"; }
  std::string number() const { return own == "a" ? "1" : "2"; }  // in columns called process
  std::string trigger() const { return "trigger_" + own; }
  std::string procedure() const { return "procedure_" + own; }
  std::string first() const { return in + "_1"; }
  std::string last() const { return out + "_" + std::to_string(out_capacity); }
};

class StepColumns {
 public:
  explicit StepColumns(const TwoProcess& protocol) : protocol_(protocol) {}

  SideView side_a() const;
  SideView side_b() const;

  algebra::Names pair() const;                        // of P: all but channels
  algebra::Names state() const;                       // of S
  algebra::Names rule(const std::string& own) const;  // of H, R, I and T
  algebra::Names doings() const;                      // triggers and procedures of both
  algebra::Names possible() const;                    // of Z
  algebra::Names steady() const;                      // of J
  algebra::Names transition() const;                  // of G

  // Both channels are empty.
  algebra::Terms empty_channels() const;

 private:
  const TwoProcess& protocol_;
};

// The columns of a channel.
algebra::Names slots(const std::string& channel, std::uint32_t capacity, std::uint32_t values);

// What becomes of a channel: nothing; the message goes to the first empty slot, its values with it;
// the first message goes and all others move up.
algebra::Terms unchanged(const algebra::Names& columns);
algebra::Terms with_last(const SideView& sender, const std::string& message,
                         const algebra::Names& values);
algebra::Terms without_first(const SideView& receiver);

}  // namespace panoptes
