// SPDX-License-Identifier: Apache-2.0
#include "step/native_rule.hpp"

#include <array>
#include <cstddef>

#include "step/native_frame.hpp"

namespace panoptes::native {

using Kind = WordStep::Kind;

RuleCode::RuleCode(const Lowered& lowered, Assembler& a)
    : lowered_(lowered), a_(a), words_(a, lowered.words), expressions_(lowered, a, words_) {}

void RuleCode::rule(std::uint32_t id) {
  const LoweredRule& rule = lowered_.rules[id];
  const Label behind = a_.label(), added = a_.label();
  FailureExit fail(a_.label());
  bool is_appending = false, has_successor = true;
  for (std::uint32_t i = rule.first; i < rule.end; ++i) {
    const WordStep& next = lowered_.steps[i];
    if (is_appending && next.kind != Kind::append) a_.bind(added);
    is_appending = next.kind == Kind::append;
    has_successor = next.kind != Kind::fail;
    step(next, behind, added, fail);
  }
  if (is_appending) a_.bind(added);
  if (has_successor) {
    words_.end_successor();
    a_.store({.base = use::rule, .size = 4}, static_cast<std::int32_t>(id));
    a_.add(use::rule, 4);
    if (rule.is_awaited)
      a_.add(Memory{use::frame, static_cast<std::int32_t>(offsetof(NativeFrame, awaited))}, 1);
  }
  a_.bind(behind);
  if (fail.is_taken()) failures_.push_back({fail.at(), behind, id});
}

void RuleCode::step(const WordStep& step, Label disabled, Label added, FailureExit& fail) {
  switch (step.kind) {
    case Kind::equal:
    case Kind::holds: test(step, disabled, fail); return;
    case Kind::fail: a_.jump(fail.taken()); return;
    case Kind::copy: words_.begin_successor(); return;
    case Kind::evaluate: expressions_.value(step.expression, fail); return;
    case Kind::add: words_.add_constant(step.at.word, step.constant); return;
    case Kind::put:
      value_less_minimum(step, fail);
      put_rax(step.at);
      return;
    case Kind::put_element: put_element(step, fail); return;
    case Kind::shift: shift(step); return;
    case Kind::look_up: look_up(step, fail); return;
    case Kind::message: a_.move(use::message, static_cast<std::int64_t>(step.constant)); return;
    case Kind::pack:
      value_less_minimum(step, fail);
      a_.shift_left(rax, step.up);
      a_.bit_or(use::message, rax);
      return;
    case Kind::append: append(step, added); return;
  }
}

void RuleCode::test(const WordStep& step, Label disabled, FailureExit& fail) {
  const Label otherwise = step.otherwise == WordStep::Otherwise::failure ? fail.taken() : disabled;
  if (step.kind == Kind::equal) {
    words_.load(step.at, rax);
    words_.compare(rax, static_cast<std::int64_t>(step.constant), rcx);
    a_.jump_if(Condition::not_equal, otherwise);
  } else {
    expressions_.value(step.expression, fail);
    a_.test(rax);
    a_.jump_if(Condition::equal, otherwise);
  }
}

// What is to be put somewhere, in rax.
void RuleCode::value_less_minimum(const WordStep& step, FailureExit& fail) {
  expressions_.value(step.expression, fail);
  words_.add_to(rax, -step.minimum, rcx);
  if (!step.may_exceed) return;
  words_.compare(rax, static_cast<std::int64_t>(step.constant), rcx);
  a_.jump_if(Condition::above, fail.taken());
}

void RuleCode::put_rax(const BitField& at) {
  if (at.bits == 0) return;
  if (at.shift > 0) a_.shift_left(rax, at.shift);
  words_.open(at.word);
  words_.keep_bits(use::open_word, ~at.mask(), rcx);
  a_.bit_or(use::open_word, rax);
  words_.close(at.word);
}

void RuleCode::put_element(const WordStep& step, FailureExit& fail) {
  const std::vector<std::uint32_t>& table = lowered_.tables[step.by];
  expressions_.value(step.up, fail);
  words_.compare(rax, static_cast<std::int64_t>(table.size()), rcx);
  a_.jump_if(Condition::not_below, fail.taken());
  a_.push(rax);
  value_less_minimum(step, fail);
  a_.pop(rdx);
  if (step.at.bits > 0) words_.put_element(table.data(), step.at.bits);
}

void RuleCode::shift(const WordStep& step) {
  words_.open(step.at.word);
  if (step.by == 0) {
    words_.keep_bits(use::open_word, ~step.at.mask(), rcx);
  } else {
    a_.move(rcx, static_cast<std::int64_t>(step.at.mask()));
    words_.load_word(step.at.word, rax);
    a_.bit_and(rax, rcx);
    a_.subtract(use::open_word, rax);
    a_.shift_right(rax, step.by);
    a_.bit_and(rax, rcx);
    a_.bit_or(use::open_word, rax);
  }
  if (step.from.bits > 0) {
    words_.load(step.from, rax);
    if (step.up > 0) a_.shift_left(rax, step.up);
    a_.bit_or(use::open_word, rax);
  }
  words_.close(step.at.word);
}

void RuleCode::look_up(const WordStep& step, FailureExit& fail) {
  const std::uint32_t* table = lowered_.tables[step.expression].data();
  words_.load(step.at, rax);
  a_.move(rcx, static_cast<std::int64_t>(reinterpret_cast<std::uintptr_t>(table)));
  a_.load(rax, {.base = rcx, .has_index = true, .index = rax, .size = 4});
  a_.compare_low_half(rax, -1);
  a_.jump_if(Condition::equal, fail.taken());
  put_rax(step.at);
}

// The position of the highest bit in use tells how many slots are, since a tag is never zero.
void RuleCode::append(const WordStep& step, Label added) {
  const Label full = a_.label();
  if (step.from.bits > 0) {
    words_.load(step.from, rdx);
    a_.test(rdx);
    a_.jump_if(Condition::not_equal, full);
  }
  if (step.by == 0) {
    if (step.at.shift > 0) a_.shift_left(use::message, step.at.shift);
  } else {
    words_.load_word(step.at.word, rdx);
    words_.keep_bits(rdx, step.at.mask(), rcx);
    a_.leading_zeros(rdx, rdx);
    a_.address_of(rcx, slot_table(step.by, step.at.shift));
    a_.load(rcx, {.base = rcx, .has_index = true, .index = rdx, .size = 1});
    a_.shift_left_by_cl(use::message);
  }
  words_.add(step.at.word, use::message);
  if (step.from.bits > 0) a_.jump(added);
  a_.bind(full);
}

// By number of leading zeros of the channel's bits in their place: where to add a message.
Label RuleCode::slot_table(std::uint32_t slot_bits, std::uint32_t shift) {
  const auto [found, fresh] = slot_tables_.try_emplace({slot_bits, shift}, Label{});
  if (fresh) found->second = a_.label();
  return found->second;
}

void RuleCode::tables() {
  for (const auto& [key, label] : slot_tables_) {
    const auto [slot_bits, shift] = key;
    a_.bind(label);
    std::array<std::uint8_t, 65> offsets{};
    for (std::uint32_t zeros = 0; zeros <= 64; ++zeros) {
      const std::uint32_t used = 64 - zeros > shift ? 64 - zeros - shift : 0;
      const std::uint32_t slots = (used + slot_bits - 1) / slot_bits;
      offsets[zeros] = static_cast<std::uint8_t>(shift + slots * slot_bits);
    }
    a_.embed(offsets);
  }
}

}  // namespace panoptes::native
