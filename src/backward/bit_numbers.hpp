// SPDX-License-Identifier: Apache-2.0
// Numbers as bits of a circuit, with the operations of protocol/expression.hpp.
//
// A number is two's complement, the last bit its sign, with as many bits as its range needs: what
// the range of an expression tells, no gate has to. What does not fit 64 bits is taken modulo 2^64,
// as it is everywhere.
// Thread safety: one thread.
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "backward/circuit.hpp"

namespace panoptes {

struct BitNumber {
  std::vector<Literal> bits;  // the lowest first; at least one
  std::int64_t low = 0, high = 0;

  Literal sign() const { return bits.back(); }
  Literal bit(std::size_t i) const { return i < bits.size() ? bits[i] : bits.back(); }
};

class BitNumbers {
 public:
  explicit BitNumbers(Circuit& circuit) : circuit_(circuit) {}

  BitNumber constant(std::int64_t value) const;
  // 1 where it is true, else 0.
  BitNumber truth(Literal literal) const;
  // The bits as a number from 0 on, plus `minimum`; it is known to be `maximum` at most.
  BitNumber field(std::vector<Literal> bits, std::int64_t minimum, std::int64_t maximum);
  // Its bits less `minimum`, so many of them. REQUIRES: it fits.
  std::vector<Literal> to_field(const BitNumber& number, std::int64_t minimum, std::size_t bits);

  Literal is_not_zero(const BitNumber& number);
  Literal equal(const BitNumber& left, const BitNumber& right);
  Literal less(const BitNumber& left, const BitNumber& right);
  Literal less_equal(const BitNumber& left, const BitNumber& right) { return -less(right, left); }
  Literal within(const BitNumber& number, std::int64_t low, std::int64_t high);

  BitNumber choose(Literal condition, const BitNumber& yes, const BitNumber& no);
  BitNumber negate(const BitNumber& number);
  BitNumber add(const BitNumber& left, const BitNumber& right);
  BitNumber subtract(const BitNumber& left, const BitNumber& right);
  BitNumber multiply(const BitNumber& left, const BitNumber& right);
  // Of a divisor that is 0 they mean nothing.
  BitNumber divide(const BitNumber& left, const BitNumber& right);
  BitNumber remainder(const BitNumber& left, const BitNumber& right);
  BitNumber wrap(const BitNumber& number, std::int64_t low, std::int64_t high);

 private:
  using Bits = std::vector<Literal>;
  __extension__ using Wide = __int128;

  BitNumber ranged(Bits bits, Wide low, Wide high) const;
  static std::size_t width_of(Wide low, Wide high);
  Bits extended(const BitNumber& number, std::size_t width) const;
  Bits sum(const Bits& left, const Bits& right, Literal carry);
  Bits magnitude(const BitNumber& number);
  // Of numbers without a sign.
  struct Division {
    Bits quotient, rest;
  };
  Division divided(const Bits& left, const Bits& right);
  Bits negated_if(Literal condition, const Bits& bits);

  Circuit& circuit_;
};

}  // namespace panoptes
