// SPDX-License-Identifier: Apache-2.0
// The instructions of x86-64 that rules are made of, one after the other into memory.
//
// Registers are the machine's, numbers are 64 bits unless said otherwise. The library behind it is
// known to the .cpp alone.
#pragma once

#include <cstdint>
#include <memory>
#include <span>

namespace panoptes::native {

enum class Register : std::uint8_t {
  rax,
  rcx,
  rdx,
  rbx,
  rsp,
  rbp,
  rsi,
  rdi,
  r8,
  r9,
  r10,
  r11,
  r12,
  r13,
  r14,
  r15
};

// What lies at base + index * size + offset.
struct Memory {
  Register base;
  std::int32_t offset = 0;
  bool has_index = false;
  Register index = Register::rax;
  std::uint32_t size = 8;  // bytes: 1, 4 or 8
};

// Where a jump may go to, or where a table lies.
struct Label {
  std::uint32_t number = UINT32_MAX;
};

// A register, a number in memory, or a constant of 32 bits.
class Operand {
 public:
  enum class Kind : std::uint8_t { in_register, in_memory, constant };

  Operand(Register r) : kind_(Kind::in_register), register_(r) {}
  Operand(const Memory& m) : kind_(Kind::in_memory), memory_(m) {}
  Operand(std::int32_t value) : kind_(Kind::constant), constant_(value) {}

  Kind kind() const { return kind_; }
  Register as_register() const { return register_; }
  const Memory& as_memory() const { return memory_; }
  std::int32_t as_constant() const { return constant_; }

 private:
  Kind kind_;
  Register register_ = Register::rax;
  Memory memory_ = {Register::rax};
  std::int32_t constant_ = 0;
};

// What a comparison has found: signed, but for below and above.
enum class Condition : std::uint8_t {
  equal,
  not_equal,
  less,
  less_equal,
  greater,
  greater_equal,
  below,
  not_below,
  above
};

// Code that can be run.
class Executable {
 public:
  virtual ~Executable() = default;
  virtual void run(void* argument) const = 0;  // in rdi
};

class Assembler {
 public:
  // Nothing where this machine cannot run what it makes.
  static std::unique_ptr<Assembler> make();
  ~Assembler();

  Label label();
  void bind(Label label);
  void jump(Label to);
  void jump_if(Condition condition, Label to);
  void jump_to(const Memory& target);
  void ret();

  void move(Register to, Register from);
  void move(Register to, std::int64_t constant);
  void clear(Register r);
  void load(Register to, const Memory& from);   // what is shorter is filled up with zeros
  void store(const Memory& to, Register from);  // the low bytes
  void store(const Memory& to, std::int32_t constant);
  void address_of(Register to, Label label);
  void copy_two_words(const Memory& to, const Memory& from);
  void push(Register r);
  void pop(Register r);

  void add(const Operand& to, const Operand& from);
  void subtract_with_borrow(Register to, std::int32_t constant);
  void subtract(const Operand& to, const Operand& from);
  void multiply(Register to, Register from);
  void divide_rax(Register by);  // the quotient in rax, the remainder in rdx
  void negate(Register r);
  void bit_and(const Operand& to, const Operand& from);
  void bit_or(const Operand& to, const Operand& from);
  void keep_low_half(Register r);
  void shift_left(Register r, std::uint32_t by);
  void shift_left_by_cl(Register r);
  void shift_right(Register r, std::uint32_t by);
  void shift_right_by_cl(Register r);
  void leading_zeros(Register to, Register from);

  void compare(const Operand& left, const Operand& right);
  void compare_low_half(Register left, std::int32_t right);
  void test(Register r);  // against zero
  void set_rax(Condition condition);

  // Tables, behind the code.
  void align_words();
  void embed(std::span<const std::uint8_t> bytes);
  void embed_address(Label label);

  // Ends it; nothing where an instruction could not be encoded.
  std::unique_ptr<const Executable> finish();

 private:
  struct Parts;
  explicit Assembler(std::unique_ptr<Parts> parts);

  std::unique_ptr<Parts> parts_;
};

}  // namespace panoptes::native
