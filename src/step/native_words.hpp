// SPDX-License-Identifier: Apache-2.0
// Words of a state and of its successor, in registers and memory, and which registers they take.
//
// There is no register allocation: every value is computed in rax, so that the time to compile is
// linear in the rules. (One function with a register allocator took seconds for a thousand rules.)
#pragma once

#include "rules/lowered.hpp"
#include "step/assembler.hpp"

namespace panoptes::native {

// Scratch, and where values are computed.
inline constexpr Register rax = Register::rax, rcx = Register::rcx, rdx = Register::rdx;

// The others are taken.
namespace use {
inline constexpr Register frame = Register::rdi;
inline constexpr Register state = Register::rsi;
inline constexpr Register only_word = Register::rbx;      // of the state, where there is only one
inline constexpr Register successor = Register::r12;      // the next
inline constexpr Register rule = Register::r13;           // of the next successor
inline constexpr Register process_began = Register::r14;  // `successor` then
inline constexpr Register state_began = Register::r15;    // likewise
inline constexpr Register stack = Register::rbp;          // at the beginning
inline constexpr Register open_word = Register::r8;       // a word being changed
inline constexpr Register message = Register::r9;         // being made
}  // namespace use

inline bool fits_32(std::int64_t value) { return value >= INT32_MIN && value <= INT32_MAX; }

class WordCode {
 public:
  // `a` outlives it.
  WordCode(Assembler& a, std::uint32_t width) : a_(a), width_(width) {}

  // ---- the state
  void load_word(std::uint32_t word, Register to);
  // A field as a number; rcx is lost, or rdx where `to` is rcx.
  void load(const BitField& field, Register to);

  // The number of so many bits that is where `table` says for the index in rax (word * 64 + shift),
  // in rax; rcx is lost.
  void load_element(const std::uint32_t* table, std::uint32_t bits);

  // ---- the successor
  void begin_successor();
  void end_successor();
  void open(std::uint32_t word);   // into a register ...
  void close(std::uint32_t word);  // ... and back
  void add(std::uint32_t word, Register value);
  void add_constant(std::uint32_t word, Word constant);  // rax is lost
  // Puts rax where `table` says for the index in rdx; all three scratch registers are lost.
  void put_element(const std::uint32_t* table, std::uint32_t bits);

  // ---- constants of any size; `scratch` is lost
  void keep_bits(Register r, Word mask, Register scratch);
  void add_to(Register r, std::int64_t constant, Register scratch);
  void compare(Register r, std::int64_t constant, Register scratch);

 private:
  void look_up(const std::uint32_t* table, Register index, Register to);
  Memory old_word(std::uint32_t word) const {
    return {use::state, static_cast<std::int32_t>(word * 8)};
  }
  Memory new_word(std::uint32_t word) const {
    return {use::successor, static_cast<std::int32_t>(word * 8)};
  }

  Assembler& a_;
  std::uint32_t width_;
};

}  // namespace panoptes::native
