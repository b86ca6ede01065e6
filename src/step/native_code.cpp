// SPDX-License-Identifier: Apache-2.0
// Rules to x86-64. Plain assembling, no register allocation: every value is computed in rax, so
// that the time to compile is linear in the rules. (One function with a register allocator took
// seconds for a thousand rules.)
//
// Registers: rdi frame, rsi the state, rbx its word where there is only one, r12 next successor,
// r13 next rule, r14 r12 when the process began, r15 r12 when the state began, rbp the stack at the
// beginning, r8 a word being changed; rax, rcx, rdx are scratch.
#include "step/native_code.hpp"

#if defined(__x86_64__)

#include <asmjit/x86.h>

#include <algorithm>
#include <array>
#include <cstddef>
#include <map>

#include "protocol/ranges.hpp"

namespace panoptes {
namespace {

using namespace asmjit;       // NOLINT: the assembler's vocabulary is the subject of this file
using namespace asmjit::x86;  // NOLINT

using Routine = void (*)(NativeFrame*);

// The frame's fields as the code sees them.
Mem in_frame(std::size_t offset) { return qword_ptr(rdi, static_cast<int>(offset)); }
namespace at {
constexpr std::size_t state = offsetof(NativeFrame, state);
constexpr std::size_t states_end = offsetof(NativeFrame, states_end);
constexpr std::size_t successors = offsetof(NativeFrame, successors);
constexpr std::size_t rules = offsetof(NativeFrame, rules);
constexpr std::size_t first = offsetof(NativeFrame, first);
constexpr std::size_t failed = offsetof(NativeFrame, failed);
constexpr std::size_t failures = offsetof(NativeFrame, failures);
constexpr std::size_t suspects = offsetof(NativeFrame, suspects);
constexpr std::size_t rules_begin = offsetof(NativeFrame, rules_begin);
constexpr std::size_t state_number = offsetof(NativeFrame, state_number);
constexpr std::size_t failed_here = offsetof(NativeFrame, failed_here);
constexpr std::size_t suspicious = offsetof(NativeFrame, suspicious);
}  // namespace at

bool fits_32(std::int64_t value) { return value >= INT32_MIN && value <= INT32_MAX; }

class Emitter {
 public:
  Emitter(const Program& program, CodeHolder& code,
          std::vector<std::unique_ptr<std::vector<std::uint32_t>>>& tables)
      : program_(program),
        pool_(program.protocol.expressions),
        layout_(program.layout),
        width_(program.layout.words),
        tables_(tables),
        a_(&code) {}

  void routine() {
    for (const Gp& reg : {rbp, rbx, r12, r13, r14, r15}) a_.push(reg);
    a_.mov(rbp, rsp);
    a_.mov(rsi, in_frame(at::state));
    a_.mov(r12, in_frame(at::successors));
    a_.mov(r13, in_frame(at::rules));
    const Label next_state = a_.newLabel(), done = a_.newLabel();
    a_.bind(next_state);
    a_.cmp(rsi, in_frame(at::states_end));
    a_.jae(done);
    state();
    a_.add(rsi, static_cast<int>(width_ * 8));
    a_.jmp(next_state);
    a_.bind(done);
    a_.mov(in_frame(at::successors), r12);
    a_.mov(in_frame(at::rules), r13);
    for (const Gp& reg : {r15, r14, r13, r12, rbx, rbp}) a_.pop(reg);
    a_.ret();
    failures();
    jump_tables();
    slot_tables();
  }

 private:
  // ---- one state -----------------------------------------------------------------------------

  void state() {
    if (width_ == 1) a_.mov(rbx, qword_ptr(rsi));
    a_.mov(r15, r12);
    a_.xor_(eax, eax);
    a_.mov(in_frame(at::failed_here), rax);
    a_.mov(in_frame(at::suspicious), rax);
    for (ProcessId p = 0; p < program_.control.size(); ++p) process(p, false);
    const Label no_timeouts = a_.newLabel();
    const bool lock_only = std::any_of(program_.rules.begin(), program_.rules.end(),
                                       [](const Rule& r) { return r.rule_class > 0; });
    if (lock_only) {
      a_.cmp(r12, r15);
      a_.jne(no_timeouts);
      a_.cmp(in_frame(at::failed_here), 0);
      a_.jne(no_timeouts);
    }
    for (ProcessId p = 0; p < program_.control.size(); ++p) process(p, true);
    a_.bind(no_timeouts);
    finish_state();
  }

  void finish_state() {
    a_.mov(rax, r13);
    a_.sub(rax, in_frame(at::rules_begin));
    a_.shr(rax, 2);
    a_.mov(rcx, in_frame(at::first));
    a_.mov(dword_ptr(rcx), eax);
    a_.add(in_frame(at::first), 4);
    a_.mov(rax, in_frame(at::failed_here));
    a_.mov(rcx, in_frame(at::failed));
    a_.mov(dword_ptr(rcx), eax);
    a_.add(in_frame(at::failed), 4);
    // Stuck, or a process that may face a message it does not accept.
    const Label suspect = a_.newLabel(), next = a_.newLabel();
    a_.cmp(in_frame(at::suspicious), 0);
    a_.jne(suspect);
    a_.cmp(r12, r15);
    a_.jne(next);
    a_.test(rax, rax);
    a_.jne(next);
    a_.bind(suspect);
    a_.mov(rcx, in_frame(at::suspects));
    a_.mov(rax, in_frame(at::state_number));
    a_.mov(dword_ptr(rcx), eax);
    a_.add(in_frame(at::suspects), 4);
    a_.bind(next);
    a_.inc(in_frame(at::state_number));
  }

  // Jumps to the code of the process's control state; all come out behind.
  void process(ProcessId p, bool timeouts) {
    const auto& states = program_.control[p];
    const auto count_of = [&](const ControlInfo& info) {
      return timeouts ? info.end_timeout - info.first_timeout : info.end_rule - info.first_rule;
    };
    const auto has_code = [&](const ControlInfo& info) {
      return count_of(info) > 0 || (!timeouts && info.receives_only);
    };
    if (std::none_of(states.begin(), states.end(), has_code)) return;
    const Label behind = a_.newLabel();
    std::vector<Label> entries;
    for (const ControlInfo& info : states)
      entries.push_back(has_code(info) ? a_.newLabel() : behind);
    load(layout_.control[p], rax);
    const Label table = a_.newLabel();
    a_.lea(rcx, ptr(table));
    a_.jmp(qword_ptr(rcx, rax, 3));
    jump_tables_.push_back({table, entries});
    for (StateId s = 0; s < states.size(); ++s) {
      const ControlInfo& info = states[s];
      if (!has_code(info)) continue;
      a_.bind(entries[s]);
      const bool may_be_stuck = !timeouts && info.receives_only;
      if (may_be_stuck) a_.mov(r14, r12);
      const RuleId first = timeouts ? info.first_timeout : info.first_rule;
      for (RuleId id = first; id < first + count_of(info); ++id) rule(id);
      if (may_be_stuck) suspect_reception(info, behind);
      a_.jmp(behind);
    }
    a_.bind(behind);
  }

  // None of its receives was enabled, yet one of the channels it reads here has a message.
  void suspect_reception(const ControlInfo& info, const Label& behind) {
    a_.cmp(r12, r14);
    a_.jne(behind);
    std::vector<ChannelId> channels;
    for (const Reception& reception : info.receptions)
      if (std::find(channels.begin(), channels.end(), reception.channel) == channels.end())
        channels.push_back(reception.channel);
    const Label suspicious = a_.newLabel();
    for (const ChannelId c : channels) {
      load_tag(layout_.channels[c], 0, rax);
      a_.test(rax, rax);
      a_.jne(suspicious);
    }
    a_.jmp(behind);
    a_.bind(suspicious);
    a_.mov(in_frame(at::suspicious), 1);
  }

  // ---- one rule ------------------------------------------------------------------------------

  void rule(RuleId id) {
    const Rule& rule = program_.rules[id];
    rule_ = &rule;
    const Label skip = a_.newLabel();
    fail_ = a_.newLabel();
    may_fail_ = false;
    predicate(rule, skip);
    if (rule.kind == ActionKind::bad_index) {
      a_.jmp(fail());
    } else {
      if (rule.kind == ActionKind::check) {
        value(rule.check);
        a_.test(rax, rax);
        a_.je(fail());
      }
      action(rule, id);
    }
    a_.bind(skip);
    if (may_fail_) failures_.push_back({fail_, skip, id});
  }

  const Label& fail() {
    may_fail_ = true;
    return fail_;
  }

  void predicate(const Rule& rule, const Label& skip) {
    if (rule.kind == ActionKind::receive || rule.kind == ActionKind::timeout) {
      load_tag(layout_.channels[rule.channel], 0, rax);
      a_.cmp(eax, rule.kind == ActionKind::receive ? rule.tag : 0);
      a_.jne(skip);
    }
    for (const ExpressionId condition : rule.conditions) {
      value(condition);
      a_.test(rax, rax);
      a_.je(skip);
    }
    if (rule.kind == ActionKind::send && !layout_.channels[rule.channel].pieces.empty()) {
      const ChannelLayout& channel = layout_.channels[rule.channel];
      load_tag(channel, channel.last_slot, rax);
      a_.test(rax, rax);
      a_.jne(program_.overflow == OverflowPolicy::error ? fail() : skip);
    }
  }

  void action(const Rule& rule, RuleId id) {
    begin_successor();
    if (rule.kind == ActionKind::receive) receive(layout_.channels[rule.channel]);
    if (rule.kind == ActionKind::send) send(rule, layout_.channels[rule.channel]);
    for (const Assignment& a : rule.assignments) {
      value(a.value);
      store(layout_.variables[a.variable], bound(a.value));
    }
    for (const AssertionMove& move : rule.moves) assertion_move(move);
    const Slot& control = layout_.control[rule.process];
    if (control.bits > 0)
      add_constant(control.word, (static_cast<Word>(rule.target) - static_cast<Word>(rule.source))
                                     << control.shift);
    if (width_ == 1) a_.mov(qword_ptr(r12), r8);
    a_.add(r12, static_cast<int>(width_ * 8));
    a_.mov(dword_ptr(r13), id);
    a_.add(r13, 4);
  }

  // ---- words -----------------------------------------------------------------------------------

  Mem old_word(std::uint32_t word) { return qword_ptr(rsi, static_cast<int>(word * 8)); }
  Mem new_word(std::uint32_t word) { return qword_ptr(r12, static_cast<int>(word * 8)); }

  void load_word(std::uint32_t word, const Gp& to) {
    if (width_ == 1)
      a_.mov(to, rbx);
    else
      a_.mov(to, old_word(word));
  }

  // The successor begins as a copy of the state; a single word lives in r8.
  void begin_successor() {
    if (width_ == 1) {
      a_.mov(r8, rbx);
      return;
    }
    constexpr std::uint32_t unrolled = 64;
    if (width_ > unrolled) {
      const Label loop = a_.newLabel();
      a_.xor_(eax, eax);
      a_.bind(loop);
      a_.mov(rcx, qword_ptr(rsi, rax, 3));
      a_.mov(qword_ptr(r12, rax, 3), rcx);
      a_.inc(rax);
      a_.cmp(rax, width_);
      a_.jb(loop);
      return;
    }
    std::uint32_t word = 0;
    for (; word + 2 <= width_; word += 2) {
      a_.movups(xmm0, xmmword_ptr(rsi, static_cast<int>(word * 8)));
      a_.movups(xmmword_ptr(r12, static_cast<int>(word * 8)), xmm0);
    }
    if (word < width_) {
      a_.mov(rax, old_word(word));
      a_.mov(new_word(word), rax);
    }
  }

  void open_word(std::uint32_t word) {
    if (width_ > 1) a_.mov(r8, new_word(word));
  }
  void close_word(std::uint32_t word) {
    if (width_ > 1) a_.mov(new_word(word), r8);
  }

  void and_constant(const Gp& reg, Word mask, const Gp& scratch) {
    if (mask == ~Word{0}) return;
    if (mask == 0xffffffffu) {
      a_.mov(reg.r32(), reg.r32());
    } else if (fits_32(static_cast<std::int64_t>(mask))) {
      a_.and_(reg, static_cast<std::int32_t>(static_cast<std::int64_t>(mask)));
    } else {
      a_.mov(scratch, mask);
      a_.and_(reg, scratch);
    }
  }

  void add_constant(std::uint32_t word, Word constant) {
    if (constant == 0) return;
    const auto value = static_cast<std::int64_t>(constant);
    if (fits_32(value)) {
      if (width_ == 1)
        a_.add(r8, static_cast<std::int32_t>(value));
      else
        a_.add(new_word(word), static_cast<std::int32_t>(value));
      return;
    }
    a_.mov(rax, constant);
    if (width_ == 1)
      a_.add(r8, rax);
    else
      a_.add(new_word(word), rax);
  }

  // Some bits of the old state, unshifted, without the minimum.
  void load_bits(std::uint32_t word, std::uint32_t shift, std::uint32_t bits, const Gp& to) {
    load_word(word, to);
    if (shift > 0) a_.shr(to, shift);
    if (shift + bits < 64) and_constant(to, (Word{1} << bits) - 1, to.id() == rcx.id() ? rdx : rcx);
  }

  void load(const Slot& slot, const Gp& to) {
    if (slot.bits == 0) {
      a_.mov(to, slot.minimum);
      return;
    }
    load_bits(slot.word, slot.shift, slot.bits, to);
    if (slot.minimum != 0) a_.add(to, static_cast<std::int32_t>(slot.minimum));
  }

  // Takes the minimum off the value in rax. Where it may lie outside the range, which would be a
  // fault of range inference, the interpreter is asked and says so.
  void fit(Interval value, std::int64_t minimum, std::int64_t maximum) {
    if (minimum != 0) a_.sub(rax, static_cast<std::int32_t>(minimum));
    if (value.low >= minimum && value.high <= maximum) return;
    a_.cmp(rax, static_cast<std::int32_t>(maximum - minimum));
    a_.ja(fail());
  }

  // Puts the value in rax, which is one of `value`, into its slot.
  void store(const Slot& slot, Interval value) {
    fit(value, slot.minimum, slot.maximum);
    if (slot.bits == 0) return;
    if (slot.shift > 0) a_.shl(rax, slot.shift);
    open_word(slot.word);
    and_constant(r8, ~(slot.mask() << slot.shift), rcx);
    a_.or_(r8, rax);
    close_word(slot.word);
  }

  // ---- channels --------------------------------------------------------------------------------

  void load_tag(const ChannelLayout& channel, std::uint32_t slot, const Gp& to) {
    for (const ChannelPiece& piece : channel.pieces) {
      if (slot < piece.slots) {
        load_bits(piece.word, piece.shift + slot * channel.slot_bits, channel.tag_bits, to);
        return;
      }
      slot -= piece.slots;
    }
    a_.xor_(to.r32(), to.r32());
  }

  // Every message moves one slot towards the head, with a carry from piece to piece.
  void receive(const ChannelLayout& channel) {
    for (std::size_t i = 0; i < channel.pieces.size(); ++i) {
      const ChannelPiece& piece = channel.pieces[i];
      open_word(piece.word);
      if (piece.slots == 1) {
        and_constant(r8, ~piece.mask, rcx);
      } else {
        a_.mov(rcx, piece.mask);
        load_word(piece.word, rax);
        a_.and_(rax, rcx);
        a_.sub(r8, rax);
        a_.shr(rax, channel.slot_bits);
        a_.and_(rax, rcx);
        a_.or_(r8, rax);
      }
      if (i + 1 < channel.pieces.size()) {
        const ChannelPiece& next = channel.pieces[i + 1];
        load_word(next.word, rax);
        if (next.shift > 0) a_.shr(rax, next.shift);
        and_constant(rax, piece.carry_mask, rcx);
        const std::uint32_t up = piece.shift + (piece.slots - 1) * channel.slot_bits;
        if (up > 0) a_.shl(rax, up);
        a_.or_(r8, rax);
      }
      close_word(piece.word);
    }
  }

  void send(const Rule& rule, const ChannelLayout& channel) {
    const bool constant = std::all_of(rule.values.begin(), rule.values.end(),
                                      [&](ExpressionId id) { return pool_.is_constant(id); });
    if (channel.pieces.empty()) {
      for (const ExpressionId id : rule.values)
        if (pool_.can_fail(id)) value(id);
      return;
    }
    const ChannelPiece& head = channel.pieces.front();
    const bool one_slot = channel.pieces.size() == 1 && head.slots == 1;
    if (constant) {
      Word message = rule.tag;
      for (std::size_t i = 0; i < rule.values.size(); ++i) {
        const ValueField& field = channel.tags[rule.tag - 1][i];
        message |= static_cast<Word>(pool_[rule.values[i]].value - field.minimum) << field.shift;
      }
      if (one_slot) {
        add_constant(head.word, message << head.shift);
        return;
      }
      a_.mov(rax, message);
    } else {
      message_in_rax(rule, channel);
    }
    append(channel);
  }

  void message_in_rax(const Rule& rule, const ChannelLayout& channel) {
    a_.mov(rdx, rule.tag);
    a_.push(rdx);
    for (std::size_t i = 0; i < rule.values.size(); ++i) {
      const ValueField& field = channel.tags[rule.tag - 1][i];
      value(rule.values[i]);
      fit(bound(rule.values[i]), field.minimum, field.maximum);
      a_.shl(rax, field.shift);
      a_.or_(qword_ptr(rsp), rax);
    }
    a_.pop(rax);
  }

  // Adds the message in rax at the first vacant slot. The position of the highest bit in use tells
  // how many slots are in use, since a tag is never zero.
  void append(const ChannelLayout& channel) {
    const Label done = a_.newLabel();
    for (std::size_t i = 0; i < channel.pieces.size(); ++i) {
      const ChannelPiece& piece = channel.pieces[i];
      const Label next = a_.newLabel();
      const bool is_last = i + 1 == channel.pieces.size();
      if (!is_last) {
        load_bits(piece.word, piece.shift + (piece.slots - 1) * channel.slot_bits, channel.tag_bits,
                  rdx);
        a_.test(rdx, rdx);
        a_.jne(next);
      }
      if (piece.slots == 1) {
        if (piece.shift > 0) a_.shl(rax, piece.shift);
      } else {
        load_word(piece.word, rdx);
        and_constant(rdx, piece.mask, rcx);
        a_.lzcnt(rdx, rdx);
        a_.lea(rcx, ptr(slot_table(channel.slot_bits, piece.shift)));
        a_.movzx(ecx, byte_ptr(rcx, rdx));
        a_.shl(rax, cl);
      }
      if (width_ == 1)
        a_.add(r8, rax);
      else
        a_.add(new_word(piece.word), rax);
      if (!is_last) a_.jmp(done);
      a_.bind(next);
    }
    a_.bind(done);
  }

  // By number of leading zeros of the channel's bits in their place: where to add a message.
  Label slot_table(std::uint32_t slot_bits, std::uint32_t shift) {
    const auto [found, fresh] = slot_tables_.try_emplace({slot_bits, shift}, Label{});
    if (fresh) found->second = a_.newLabel();
    return found->second;
  }

  void slot_tables() {
    for (const auto& [key, label] : slot_tables_) {
      a_.bind(label);
      std::array<std::uint8_t, 65> offsets{};
      for (std::uint32_t zeros = 0; zeros <= 64; ++zeros) {
        const std::uint32_t used = 64 - zeros > key.second ? 64 - zeros - key.second : 0;
        const std::uint32_t slots = (used + key.first - 1) / key.first;
        offsets[zeros] = static_cast<std::uint8_t>(key.second + slots * key.first);
      }
      a_.embed(offsets.data(), offsets.size());
    }
  }

  // ---- assertions ------------------------------------------------------------------------------

  void assertion_move(const AssertionMove& move) {
    const Assertion& assertion = program_.protocol.assertions[move.assertion];
    auto& column = tables_.emplace_back(std::make_unique<std::vector<std::uint32_t>>());
    for (const auto& row : assertion.next) column->push_back(row[move.symbol]);
    const Slot& slot = layout_.assertions[move.assertion];
    load(slot, rax);
    a_.mov(rcx, reinterpret_cast<std::uintptr_t>(column->data()));
    a_.mov(eax, dword_ptr(rcx, rax, 2));
    a_.cmp(eax, -1);
    a_.je(fail());
    store(slot, {slot.minimum, slot.maximum});
  }

  // ---- expressions -----------------------------------------------------------------------------

  static bool is_simple(Op op) { return op == Op::constant || op == Op::variable; }

  void simple(const ExpressionNode& node, const Gp& to) {
    if (node.op == Op::constant)
      a_.mov(to, node.value);
    else
      load(layout_.variables[node.a], to);
  }

  // Computes into rax; rcx and rdx are lost.
  void value(ExpressionId id) {
    const ExpressionNode& node = pool_[id];
    switch (node.op) {
      case Op::constant:
      case Op::variable: simple(node, rax); return;
      case Op::field: field(node); return;
      case Op::length: channel_length(layout_.channels[node.a]); return;
      case Op::full:
        load_tag(layout_.channels[node.a], layout_.channels[node.a].last_slot, rax);
        to_boolean();
        return;
      case Op::empty:
        load_tag(layout_.channels[node.a], 0, rax);
        a_.test(rax, rax);
        set(CondCode::kE);
        return;
      case Op::negate:
        value(node.a);
        a_.neg(rax);
        return;
      case Op::logical_not:
        value(node.a);
        a_.test(rax, rax);
        set(CondCode::kE);
        return;
      case Op::wrap: wrap(node); return;
      case Op::require:
        value(node.b);
        a_.test(rax, rax);
        a_.je(fail());
        value(node.a);
        return;
      case Op::after:
        value(node.a);
        value(node.b);
        return;
      case Op::logical_or:
      case Op::logical_and: short_circuit(node); return;
      default: binary(node); return;
    }
  }

  void set(CondCode condition) {
    a_.set(condition, al);
    a_.movzx(eax, al);
  }

  void to_boolean() {
    a_.test(rax, rax);
    set(CondCode::kNE);
  }

  void short_circuit(const ExpressionNode& node) {
    const Label decided = a_.newLabel();
    value(node.a);
    to_boolean();
    a_.test(eax, eax);
    a_.j(node.op == Op::logical_or ? CondCode::kNE : CondCode::kE, decided);
    value(node.b);
    to_boolean();
    a_.bind(decided);
  }

  void field(const ExpressionNode& node) {
    const ChannelLayout& channel = layout_.channels[node.a];
    const ChannelPiece& head = channel.pieces.front();
    const ValueField& f = channel.tags[rule_->tag - 1][node.b];
    if (f.bits == 0) {
      a_.mov(rax, f.minimum);
      return;
    }
    load_bits(head.word, head.shift + f.shift, f.bits, rax);
    if (f.minimum != 0) a_.add(rax, static_cast<std::int32_t>(f.minimum));
  }

  void channel_length(const ChannelLayout& channel) {
    a_.xor_(eax, eax);
    for (const ChannelPiece& piece : channel.pieces)
      for (std::uint32_t i = 0; i < piece.slots; ++i) {
        load_bits(piece.word, piece.shift + i * channel.slot_bits, channel.tag_bits, rdx);
        a_.cmp(rdx, 1);
        a_.sbb(rax, -1);
      }
  }

  void binary(const ExpressionNode& node) {
    const ExpressionNode& right = pool_[node.b];
    if (is_simple(right.op)) {
      value(node.a);
      simple(right, rcx);
    } else {
      value(node.b);
      a_.push(rax);
      value(node.a);
      a_.pop(rcx);
    }
    operate(node, pool_.is_constant(node.b) ? pool_[node.b].value : 0);
  }

  // rax = rax op rcx; `divisor` is its value where it is a constant, else 0.
  void operate(const ExpressionNode& node, std::int64_t divisor) {
    switch (node.op) {
      case Op::add: a_.add(rax, rcx); return;
      case Op::subtract: a_.sub(rax, rcx); return;
      case Op::multiply: a_.imul(rax, rcx); return;
      case Op::divide:
      case Op::remainder: divide(node.op == Op::remainder, divisor); return;
      default: break;
    }
    a_.cmp(rax, rcx);
    switch (node.op) {
      case Op::equal: set(CondCode::kE); return;
      case Op::not_equal: set(CondCode::kNE); return;
      case Op::less: set(CondCode::kL); return;
      case Op::less_equal: set(CondCode::kLE); return;
      case Op::greater: set(CondCode::kG); return;
      default: set(CondCode::kGE); return;
    }
  }

  void divide(bool remainder, std::int64_t divisor) {
    if (remainder && divisor > 0 && (divisor & (divisor - 1)) == 0) {
      and_constant(rax, static_cast<Word>(divisor - 1), rcx);
      return;
    }
    const Label done = a_.newLabel(), plain = a_.newLabel();
    if (divisor == 0) {
      a_.test(rcx, rcx);
      a_.je(fail());
    }
    // The one quotient that does not fit makes the processor trap.
    a_.cmp(rcx, -1);
    a_.jne(plain);
    if (remainder)
      a_.xor_(eax, eax);
    else
      a_.neg(rax);
    a_.jmp(done);
    a_.bind(plain);
    a_.cqo();
    a_.idiv(rcx);
    if (remainder) {
      const Label positive = a_.newLabel(), add = a_.newLabel();
      a_.mov(rax, rdx);
      a_.test(rax, rax);
      a_.jns(positive);
      a_.test(rcx, rcx);
      a_.jns(add);
      a_.neg(rcx);
      a_.bind(add);
      a_.add(rax, rcx);
      a_.bind(positive);
    }
    a_.bind(done);
  }

  // Every value the expression can have in any state, from the ranges of the slots alone.
  Interval bound(ExpressionId id) const {
    const ExpressionNode& node = pool_[id];
    switch (node.op) {
      case Op::constant: return {node.value, node.value};
      case Op::variable:
        return {layout_.variables[node.a].minimum, layout_.variables[node.a].maximum};
      case Op::field: {
        const ValueField& f = layout_.channels[node.a].tags[rule_->tag - 1][node.b];
        return {f.minimum, f.maximum};
      }
      case Op::length: return {0, program_.protocol.channels[node.a].capacity};
      case Op::wrap: return {node.value, node.high};
      case Op::require: return bound(node.a);
      case Op::after: return bound(node.b);
      case Op::negate: return interval_of(Op::subtract, {0, 0}, bound(node.a));
      case Op::add:
      case Op::subtract:
      case Op::multiply:
      case Op::divide:
      case Op::remainder: return interval_of(node.op, bound(node.a), bound(node.b));
      default: return {0, 1};
    }
  }

  // low + (value - low) mod size, where value - low may not fit into 64 bits: both are reduced
  // first.
  void wrap(const ExpressionNode& node) {
    value(node.a);
    const Interval inner = bound(node.a);
    if (inner.low >= node.value && inner.high <= node.high) return;
    const std::int64_t size = node.high - node.value + 1;
    const Label outside = a_.newLabel(), small = a_.newLabel(), done = a_.newLabel();
    a_.cmp(rax, static_cast<std::int32_t>(node.value));
    a_.jl(outside);
    a_.cmp(rax, static_cast<std::int32_t>(node.high));
    a_.jle(done);
    a_.bind(outside);
    a_.mov(rcx, size);
    divide(true, size);
    a_.add(rax, static_cast<std::int32_t>(*apply(Op::remainder, -node.value, size)));
    a_.cmp(rax, static_cast<std::int32_t>(size));
    a_.jl(small);
    a_.sub(rax, static_cast<std::int32_t>(size));
    a_.bind(small);
    a_.add(rax, static_cast<std::int32_t>(node.value));
    a_.bind(done);
  }

  // ---- out of line -----------------------------------------------------------------------------

  // A rule that fires into an error: noted for the interpreter, which says what is wrong.
  void failures() {
    for (const FailedRule& failure : failures_) {
      a_.bind(failure.at);
      a_.mov(rsp, rbp);
      a_.inc(in_frame(at::failed_here));
      a_.mov(rcx, in_frame(at::failures));
      a_.mov(rax, in_frame(at::state_number));
      a_.mov(qword_ptr(rcx), rax);
      a_.mov(qword_ptr(rcx, 8), failure.rule);
      a_.add(in_frame(at::failures), 16);
      // For receives-only states: the process has moved, whatever became of it.
      a_.xor_(r14d, r14d);
      a_.jmp(failure.back);
    }
  }

  void jump_tables() {
    a_.align(AlignMode::kData, 8);
    for (const JumpTable& table : jump_tables_) {
      a_.bind(table.at);
      for (const Label& entry : table.entries) a_.embedLabel(entry, 8);
    }
  }

  struct FailedRule {
    Label at, back;
    RuleId rule;
  };
  struct JumpTable {
    Label at;
    std::vector<Label> entries;
  };

  const Program& program_;
  const Expressions& pool_;
  const Layout& layout_;
  std::uint32_t width_;
  std::vector<std::unique_ptr<std::vector<std::uint32_t>>>& tables_;
  Assembler a_;
  const Rule* rule_ = nullptr;
  Label fail_;
  bool may_fail_ = false;
  std::vector<FailedRule> failures_;
  std::vector<JumpTable> jump_tables_;
  std::map<std::pair<std::uint32_t, std::uint32_t>, Label> slot_tables_;
};

// An instruction that cannot be encoded must not be left out silently.
struct NoteErrors final : ErrorHandler {
  void handleError(Error, const char*, BaseEmitter*) override { failed = true; }
  bool failed = false;
};

class Compiled final : public NativeCode {
 public:
  ~Compiled() override {
    if (routine_) runtime_.release(routine_);
  }
  void run(NativeFrame& frame) const override { routine_(&frame); }
  std::size_t most_successors() const override { return most_; }

  bool compile(const Program& program) {
    CodeHolder code;
    NoteErrors errors;
    if (code.init(runtime_.environment()) != kErrorOk) return false;
    code.setErrorHandler(&errors);
    Emitter(program, code, tables_).routine();
    if (errors.failed) return false;
    most_ = panoptes::most_successors(program);
    return runtime_.add(&routine_, &code) == kErrorOk;
  }

 private:
  JitRuntime runtime_;
  Routine routine_ = nullptr;
  std::vector<std::unique_ptr<std::vector<std::uint32_t>>> tables_;
  std::size_t most_ = 0;
};

}  // namespace

std::shared_ptr<const NativeCode> compile_native(const Program& program) {
  if (!CpuInfo::host().features().x86().hasLZCNT()) return nullptr;
  auto compiled = std::make_shared<Compiled>();
  if (!compiled->compile(program)) return nullptr;
  return compiled;
}

}  // namespace panoptes

#else

namespace panoptes {
std::shared_ptr<const NativeCode> compile_native(const Program&) { return nullptr; }
}  // namespace panoptes

#endif
