// SPDX-License-Identifier: Apache-2.0
// Rules by word and mask: what a machine does to expand a state, and nothing else.
//
// Whoever makes machine code, C text or a kernel of a program encodes this form. It has no slots,
// channels or assertions: fields of words are tested, cleared and put, expressions read fields, and
// an exchange with a channel is a shift of some bits or an addition to them.
//
// A rule is a list of steps, run one after the other. Tests come first, on the state; where one
// does not hold, the rule is disabled or fires into an error. All else is done to the successor,
// which begins as a copy of the state; every expression reads the state. A rule that comes to its
// end has a successor, one in which an expression has no value fires into an error.
//
// How it can be wrong: it must mean what rules/program.hpp says. Everything that is made of it is
// compared with the interpreter, which knows nothing of it. A value that may lie outside its field,
// which would be a fault of range inference, counts as an error of its rule: only the interpreter
// can tell which.
#pragma once

#include <cstdint>
#include <vector>

#include "base/batch.hpp"
#include "protocol/expression.hpp"

namespace panoptes {

struct Program;

// Some bits of a word, as a number from 0 on; without bits it is always 0.
struct BitField {
  std::uint32_t word = 0;
  std::uint32_t shift = 0;
  std::uint32_t bits = 0;

  Word low_mask() const { return bits == 64 ? ~Word{0} : (Word{1} << bits) - 1; }
  Word mask() const { return low_mask() << shift; }
  friend bool operator==(const BitField&, const BitField&) = default;
};

// An expression. The operations are those of protocol/expression.hpp, but for the leaves:
//   constant     value
//   variable     the number at `at`, plus `value`; fields of messages are such numbers, too
//   full, empty  whether the number at `at` is not 0, or is
//   length       how many of the fields a .. b of Lowered::tags are not 0
// and for
//   element      a is the index, from 0 to below `high`, elsewhere it has no value; the number
//                has as many bits as `at`, is where table b says: word * 64 + shift, and counts
//                from `value` on
// Operands have smaller numbers. A `wrap` is left out where the value is in range anyway.
struct LoweredNode {
  Op op = Op::constant;
  bool can_fail = false;  // it may have no value
  std::uint32_t a = none, b = none;
  std::int64_t value = 0;  // constant; what is added to a variable or element; low end of wrap
  std::int64_t high = 0;   // high end of wrap; length of an array
  BitField at = {};
};

struct WordStep {
  enum class Kind : std::uint8_t {
    // ---- tests
    equal,  // `at` is `constant`
    holds,  // `expression` is not 0
    fail,   // nothing holds: the last step of a rule that has no successor
    // ---- what becomes of the successor
    copy,         // it begins as a copy of the state
    evaluate,     // nothing, but `expression` must have a value
    add,          // `constant` to the word of `at`
    put,          // `expression` less `minimum` into `at`
    put_element,  // the same into as many bits as `at` has, where table `by` says (as for an
                  // element) for the value of node `up`; outside the table it fails
    shift,    // `at` down by `by` bits, what leaves it is lost; then `from` of the state is put at
              // `up` of the same word. Where `by` is 0 nothing of `at` stays
    look_up,  // table `expression` has at the number in `at` what is put there; `none` fails
    // ---- a message, which is made before it is added
    message,  // it is `constant`
    pack,     // `expression` less `minimum` is put at `up` of it
    append,   // it is added to `at`, behind the highest of its slots of `by` bits that is in use;
              // where `by` is 0 there is one slot, and it is vacant. But where `from` is not 0,
              // there is no room, and the next step adds it elsewhere; once it is added, the
              // appends behind this one are passed over
  };
  enum class Otherwise : std::uint8_t { disabled, failure };

  Kind kind;
  Otherwise otherwise = Otherwise::disabled;  // equal, holds
  bool may_exceed = false;                    // put, pack: the difference may be over `constant`
  std::uint32_t expression = none;            // a node, or a table
  BitField at = {}, from = {};
  std::uint32_t by = 0, up = 0;
  Word constant = 0;
  std::int64_t minimum = 0;
};

// Steps first .. end.
struct LoweredRule {
  std::uint32_t first = 0, end = 0;
  bool ends_inside = false;  // an indivisible sequence
  bool is_awaited = false;   // some round waits for it
};

// Rules first .. end, tried where a process is in one control state.
struct LoweredControl {
  std::uint32_t first = 0, end = 0;
  // Where none of them fires while one of these fields of Lowered::tags is not 0, a message may
  // have come that is wrong there: the state must be examined.
  std::uint32_t first_head = 0, end_head = 0;

  bool does_nothing() const { return first == end && first_head == end_head; }
};

struct LoweredProcess {
  BitField control;
  std::vector<LoweredControl> states;  // by the number in `control`
};

// The rules of a class, in the order in which they are tried.
struct LoweredRound {
  bool is_last_resort = false;     // only where no rule of a round before it has fired
  bool waits_for_awaited = false;  // only where none of those that are awaited has
  std::vector<LoweredProcess> processes;
};

struct Lowered {
  std::uint32_t words = 1;
  std::uint32_t bits = 0;  // really used
  StateWords initial;
  std::vector<LoweredNode> nodes;
  std::vector<BitField> tags;
  std::vector<std::vector<std::uint32_t>> tables;
  std::vector<WordStep> steps;
  std::vector<LoweredRule> rules;  // as in the program
  std::vector<LoweredRound> rounds;
  std::size_t most_successors = 0;  // of one state, failures included
  // A state in which one of these nodes is not 0, or has no value, must be examined; so must one in
  // which no rule has fired, and those of which LoweredControl says so. Or all, if it is_alarmed.
  std::vector<std::uint32_t> alarms;
  bool is_alarmed = false;
};

}  // namespace panoptes
