// SPDX-License-Identifier: Apache-2.0
#include "backward/bit_numbers.hpp"

#include <algorithm>
#include <utility>

namespace panoptes {

// ---- ranges and widths ------------------------------------------------------------------------

// 64 at most.
std::size_t BitNumbers::width_of(Wide low, Wide high) {
  std::size_t width = 1;
  while (width < 64 && (low < -(Wide{1} << (width - 1)) || high >= Wide{1} << (width - 1))) ++width;
  return width;
}

// As many bits as the range needs; all of 64 where it is larger than that.
BitNumber BitNumbers::ranged(Bits bits, Wide low, Wide high) const {
  if (low < INT64_MIN || high > INT64_MAX) {
    low = INT64_MIN;
    high = INT64_MAX;
  }
  const std::size_t width = width_of(low, high);
  while (bits.size() < width) bits.push_back(bits.back());
  bits.resize(width);
  return {std::move(bits), static_cast<std::int64_t>(low), static_cast<std::int64_t>(high)};
}

BitNumbers::Bits BitNumbers::extended(const BitNumber& number, std::size_t width) const {
  Bits bits;
  for (std::size_t i = 0; i < width; ++i) bits.push_back(number.bit(i));
  return bits;
}

BitNumber BitNumbers::constant(std::int64_t value) const {
  Bits bits;
  for (std::size_t i = 0; i < width_of(value, value); ++i)
    bits.push_back(circuit_.constant((value >> std::min<std::size_t>(i, 63) & 1) != 0));
  return {std::move(bits), value, value};
}

BitNumber BitNumbers::truth(Literal literal) const {
  if (circuit_.is_constant(literal)) return constant(literal == circuit_.yes() ? 1 : 0);
  return {{literal, circuit_.no()}, 0, 1};
}

BitNumber BitNumbers::field(Bits bits, std::int64_t minimum, std::int64_t maximum) {
  bits.push_back(circuit_.no());
  const Wide most = static_cast<Wide>(maximum) - minimum;
  return add(ranged(std::move(bits), 0, most), constant(minimum));
}

std::vector<Literal> BitNumbers::to_field(const BitNumber& number, std::int64_t minimum,
                                          std::size_t bits) {
  const BitNumber offset = subtract(number, constant(minimum));
  return extended(offset, bits);
}

// ---- comparisons ------------------------------------------------------------------------------

Literal BitNumbers::is_not_zero(const BitNumber& number) { return circuit_.any(number.bits); }

Literal BitNumbers::equal(const BitNumber& left, const BitNumber& right) {
  if (left.high < right.low || right.high < left.low) return circuit_.no();
  Literal all = circuit_.yes();
  for (std::size_t i = 0; i < std::max(left.bits.size(), right.bits.size()); ++i)
    all = circuit_.both(all, circuit_.same(left.bit(i), right.bit(i)));
  return all;
}

Literal BitNumbers::less(const BitNumber& left, const BitNumber& right) {
  if (left.high < right.low) return circuit_.yes();
  if (left.low >= right.high) return circuit_.no();
  const std::size_t width = std::max(left.bits.size(), right.bits.size());
  Literal is_less = circuit_.no();  // as far as the lower bits say
  for (std::size_t i = 0; i + 1 < width; ++i)
    is_less = circuit_.choose(circuit_.differ(left.bit(i), right.bit(i)), right.bit(i), is_less);
  const Literal differ = circuit_.differ(left.bit(width - 1), right.bit(width - 1));
  return circuit_.choose(differ, left.bit(width - 1), is_less);
}

Literal BitNumbers::within(const BitNumber& number, std::int64_t low, std::int64_t high) {
  return circuit_.both(less_equal(constant(low), number), less_equal(number, constant(high)));
}

// ---- arithmetic -------------------------------------------------------------------------------

BitNumbers::Bits BitNumbers::sum(const Bits& left, const Bits& right, Literal carry) {
  Bits bits;
  for (std::size_t i = 0; i < left.size(); ++i) {
    const Literal half = circuit_.differ(left[i], right[i]);
    bits.push_back(circuit_.differ(half, carry));
    carry = circuit_.either(circuit_.both(left[i], right[i]), circuit_.both(half, carry));
  }
  return bits;
}

BitNumber BitNumbers::choose(Literal condition, const BitNumber& yes, const BitNumber& no) {
  if (circuit_.is_constant(condition)) return condition == circuit_.yes() ? yes : no;
  Bits bits;
  for (std::size_t i = 0; i < std::max(yes.bits.size(), no.bits.size()); ++i)
    bits.push_back(circuit_.choose(condition, yes.bit(i), no.bit(i)));
  return ranged(std::move(bits), std::min(yes.low, no.low), std::max(yes.high, no.high));
}

BitNumber BitNumbers::add(const BitNumber& left, const BitNumber& right) {
  const Wide low = static_cast<Wide>(left.low) + right.low;
  const Wide high = static_cast<Wide>(left.high) + right.high;
  const std::size_t width = width_of(low, high);
  return ranged(sum(extended(left, width), extended(right, width), circuit_.no()), low, high);
}

BitNumber BitNumbers::subtract(const BitNumber& left, const BitNumber& right) {
  const Wide low = static_cast<Wide>(left.low) - right.high;
  const Wide high = static_cast<Wide>(left.high) - right.low;
  const std::size_t width = width_of(low, high);
  Bits less = extended(right, width);
  for (Literal& bit : less) bit = -bit;
  return ranged(sum(extended(left, width), less, circuit_.yes()), low, high);
}

BitNumber BitNumbers::negate(const BitNumber& number) { return subtract(constant(0), number); }

BitNumber BitNumbers::multiply(const BitNumber& left, const BitNumber& right) {
  const Wide corners[] = {
      static_cast<Wide>(left.low) * right.low, static_cast<Wide>(left.low) * right.high,
      static_cast<Wide>(left.high) * right.low, static_cast<Wide>(left.high) * right.high};
  const Wide low = *std::min_element(std::begin(corners), std::end(corners));
  const Wide high = *std::max_element(std::begin(corners), std::end(corners));
  const std::size_t width = width_of(low, high);
  Bits total(width, circuit_.no());
  for (std::size_t i = 0; i < width; ++i) {
    Bits part(width, circuit_.no());
    for (std::size_t j = i; j < width; ++j) part[j] = circuit_.both(right.bit(i), left.bit(j - i));
    total = sum(total, part, circuit_.no());
  }
  return ranged(std::move(total), low, high);
}

BitNumbers::Bits BitNumbers::negated_if(Literal condition, const Bits& bits) {
  Bits flipped;
  for (const Literal bit : bits) flipped.push_back(circuit_.differ(bit, condition));
  return sum(flipped, Bits(bits.size(), circuit_.no()), condition);
}

BitNumbers::Bits BitNumbers::magnitude(const BitNumber& number) {
  return negated_if(number.sign(), extended(number, number.bits.size()));
}

BitNumbers::Division BitNumbers::divided(const Bits& left, const Bits& right) {
  const std::size_t width = right.size() + 1;
  Bits divisor = right;
  divisor.push_back(circuit_.no());
  Bits minus;
  for (const Literal bit : divisor) minus.push_back(-bit);
  Division result{Bits(left.size(), circuit_.no()), Bits(width, circuit_.no())};
  for (std::size_t i = left.size(); i-- > 0;) {
    Bits shifted{left[i]};
    shifted.insert(shifted.end(), result.rest.begin(), result.rest.end() - 1);
    const Bits rest = sum(shifted, minus, circuit_.yes());
    const Literal fits = -rest.back();
    result.quotient[i] = fits;
    for (std::size_t b = 0; b < width; ++b)
      result.rest[b] = circuit_.choose(fits, rest[b], shifted[b]);
  }
  return result;
}

BitNumber BitNumbers::divide(const BitNumber& left, const BitNumber& right) {
  Bits quotient = divided(magnitude(left), magnitude(right)).quotient;
  quotient.push_back(circuit_.no());
  const Literal is_negative = circuit_.differ(left.sign(), right.sign());
  const Wide most = std::max(static_cast<Wide>(left.high), -static_cast<Wide>(left.low));
  return ranged(negated_if(is_negative, quotient), std::min<Wide>(-most, 0),
                std::max<Wide>(most, 0));
}

// Never negative.
BitNumber BitNumbers::remainder(const BitNumber& left, const BitNumber& right) {
  const Bits divisor = magnitude(right);
  Bits rest = divided(magnitude(left), divisor).rest;  // has one bit more than the divisor
  Bits around = divisor;
  around.push_back(circuit_.no());
  Bits minus;
  for (const Literal bit : rest) minus.push_back(-bit);
  const Bits other = sum(around, minus, circuit_.yes());
  const Literal is_other = circuit_.both(left.sign(), circuit_.any(rest));
  for (std::size_t i = 0; i < rest.size(); ++i)
    rest[i] = circuit_.choose(is_other, other[i], rest[i]);
  rest.push_back(circuit_.no());
  const Wide most = std::max(static_cast<Wide>(right.high), -static_cast<Wide>(right.low)) - 1;
  return ranged(std::move(rest), 0, std::max<Wide>(most, 0));
}

BitNumber BitNumbers::wrap(const BitNumber& number, std::int64_t low, std::int64_t high) {
  if (number.low >= low && number.high <= high) return number;
  const Wide size = static_cast<Wide>(high) - low + 1;
  if ((size & (size - 1)) == 0) {  // the lowest bits of what it is above `low`
    const BitNumber offset = subtract(number, constant(low));
    Bits bits;
    for (std::size_t i = 0; Wide{1} << i < size; ++i) bits.push_back(offset.bit(i));
    return field(std::move(bits), low, high);
  }
  const auto modulus = static_cast<std::int64_t>(size);
  const std::int64_t first = (low % modulus + modulus) % modulus;
  const BitNumber offset = subtract(remainder(number, constant(modulus)), constant(first));
  BitNumber wrapped =
      add(choose(offset.sign(), add(offset, constant(modulus)), offset), constant(low));
  wrapped.low = low;
  wrapped.high = high;
  return ranged(std::move(wrapped.bits), low, high);
}

}  // namespace panoptes
