// SPDX-License-Identifier: Apache-2.0
#include "step/native_words.hpp"

namespace panoptes::native {

// ---- the state
// -----------------------------------------------------------------------------------

void WordCode::load_word(std::uint32_t word, Register to) {
  if (width_ == 1)
    a_.move(to, use::only_word);
  else
    a_.load(to, old_word(word));
}

void WordCode::load(const BitField& field, Register to) {
  if (field.bits == 0) {
    a_.clear(to);
    return;
  }
  load_word(field.word, to);
  if (field.shift > 0) a_.shift_right(to, field.shift);
  if (field.shift + field.bits < 64) keep_bits(to, field.low_mask(), to == rcx ? rdx : rcx);
}

void WordCode::look_up(const std::uint32_t* table, Register index, Register to) {
  a_.move(to, static_cast<std::int64_t>(reinterpret_cast<std::uintptr_t>(table)));
  a_.load(to, {.base = to, .has_index = true, .index = index, .size = 4});
}

void WordCode::load_element(const std::uint32_t* table, std::uint32_t bits) {
  look_up(table, rax, rcx);
  if (width_ == 1) {
    a_.move(rax, use::only_word);
  } else {
    a_.move(rax, rcx);
    a_.shift_right(rax, 6);
    a_.load(rax, {.base = use::state, .has_index = true, .index = rax});
  }
  a_.shift_right_by_cl(rax);  // the processor looks at the low six bits
  keep_bits(rax, BitField{0, 0, bits}.low_mask(), rcx);
}

// ---- the successor
// -------------------------------------------------------------------------------

// A copy of the state; a single word stays in its register.
void WordCode::begin_successor() {
  if (width_ == 1) {
    a_.move(use::open_word, use::only_word);
    return;
  }
  constexpr std::uint32_t unrolled = 64;
  if (width_ > unrolled) {
    const Memory from{.base = use::state, .has_index = true},
        to{.base = use::successor, .has_index = true};
    const Label loop = a_.label();
    a_.clear(rax);
    a_.bind(loop);
    a_.load(rcx, from);
    a_.store(to, rcx);
    a_.add(rax, 1);
    a_.compare(rax, static_cast<std::int32_t>(width_));
    a_.jump_if(Condition::below, loop);
    return;
  }
  std::uint32_t word = 0;
  for (; word + 2 <= width_; word += 2) a_.copy_two_words(new_word(word), old_word(word));
  if (word < width_) {
    a_.load(rax, old_word(word));
    a_.store(new_word(word), rax);
  }
}

void WordCode::end_successor() {
  if (width_ == 1) a_.store(new_word(0), use::open_word);
  a_.add(use::successor, static_cast<std::int32_t>(width_ * 8));
}

void WordCode::open(std::uint32_t word) {
  if (width_ > 1) a_.load(use::open_word, new_word(word));
}

void WordCode::close(std::uint32_t word) {
  if (width_ > 1) a_.store(new_word(word), use::open_word);
}

void WordCode::add(std::uint32_t word, Register value) {
  if (width_ == 1)
    a_.add(use::open_word, value);
  else
    a_.add(new_word(word), value);
}

void WordCode::add_constant(std::uint32_t word, Word constant) {
  const auto value = static_cast<std::int64_t>(constant);
  if (!fits_32(value)) {
    a_.move(rax, value);
    add(word, rax);
  } else if (width_ == 1) {
    a_.add(use::open_word, static_cast<std::int32_t>(value));
  } else {
    a_.add(new_word(word), static_cast<std::int32_t>(value));
  }
}

// Bits are cleared by setting them and taking them away again.
void WordCode::put_element(const std::uint32_t* table, std::uint32_t bits) {
  look_up(table, rdx, rcx);
  a_.move(rdx, static_cast<std::int64_t>(BitField{0, 0, bits}.low_mask()));
  a_.shift_left_by_cl(rax);
  a_.shift_left_by_cl(rdx);
  a_.shift_right(rcx, 6);
  const Memory in_successor{.base = use::successor, .has_index = true, .index = rcx};
  const Operand word = width_ == 1 ? Operand(use::open_word) : Operand(in_successor);
  a_.bit_or(word, rdx);
  a_.subtract(word, rdx);
  a_.bit_or(word, rax);
}

// ---- constants
// -----------------------------------------------------------------------------------

void WordCode::keep_bits(Register r, Word mask, Register scratch) {
  const auto value = static_cast<std::int64_t>(mask);
  if (mask == ~Word{0}) return;
  if (mask == 0xffffffffu) {
    a_.keep_low_half(r);
  } else if (fits_32(value)) {
    a_.bit_and(r, static_cast<std::int32_t>(value));
  } else {
    a_.move(scratch, value);
    a_.bit_and(r, scratch);
  }
}

void WordCode::add_to(Register r, std::int64_t constant, Register scratch) {
  if (constant == 0) return;
  if (fits_32(constant)) {
    a_.add(r, static_cast<std::int32_t>(constant));
  } else {
    a_.move(scratch, constant);
    a_.add(r, scratch);
  }
}

void WordCode::compare(Register r, std::int64_t constant, Register scratch) {
  if (constant == 0) {
    a_.test(r);
  } else if (fits_32(constant)) {
    a_.compare(r, static_cast<std::int32_t>(constant));
  } else {
    a_.move(scratch, constant);
    a_.compare(r, scratch);
  }
}

}  // namespace panoptes::native
