// SPDX-License-Identifier: Apache-2.0
#include "step/assembler.hpp"

#include <asmjit/x86.h>

#include <bit>
#include <cstdlib>
#include <utility>

// What asmjit says of its own mistakes. Its own way of saying it goes to standard error, which a
// library must not, and cannot be linked into one.
ASMJIT_BEGIN_NAMESPACE
namespace DebugUtils {
const char* errorAsString(Error) noexcept { return "error of asmjit"; }         // NOLINT: its name
void debugOutput(const char*) noexcept {}                                       // NOLINT: its name
void assertionFailed(const char*, int, const char*) noexcept { std::abort(); }  // NOLINT: its name
}  // namespace DebugUtils
ASMJIT_END_NAMESPACE

namespace panoptes::native {
namespace {

namespace x86 = asmjit::x86;

x86::Gp whole(Register r) { return x86::gpq(static_cast<std::uint32_t>(r)); }
x86::Gp low_half(Register r) { return x86::gpd(static_cast<std::uint32_t>(r)); }

x86::Mem in_memory(const Memory& m) {
  if (!m.has_index) return x86::Mem(whole(m.base), m.offset, m.size);
  const auto scale = static_cast<std::uint32_t>(std::countr_zero(m.size));
  return x86::Mem(whole(m.base), whole(m.index), scale, m.offset, m.size);
}

asmjit::Operand operand_of(const Operand& o) {
  switch (o.kind()) {
    case Operand::Kind::in_register: return whole(o.as_register());
    case Operand::Kind::in_memory: return in_memory(o.as_memory());
    default: return asmjit::Imm(o.as_constant());
  }
}

asmjit::Label label_of(Label label) { return asmjit::Label(label.number); }

x86::CondCode code_of(Condition condition) {
  constexpr x86::CondCode codes[] = {
      x86::CondCode::kE,  x86::CondCode::kNE, x86::CondCode::kL,
      x86::CondCode::kLE, x86::CondCode::kG,  x86::CondCode::kGE,
      x86::CondCode::kB,  x86::CondCode::kAE, x86::CondCode::kA,
  };
  return codes[static_cast<std::size_t>(condition)];
}

class InMemory final : public Executable {
 public:
  using Routine = void (*)(void*);

  explicit InMemory(std::unique_ptr<asmjit::JitRuntime> runtime) : runtime_(std::move(runtime)) {}
  ~InMemory() override {
    if (routine_) runtime_->release(routine_);
  }
  bool take(asmjit::CodeHolder& code) {
    return runtime_->add(&routine_, &code) == asmjit::kErrorOk;
  }
  void run(void* argument) const override { routine_(argument); }

 private:
  std::unique_ptr<asmjit::JitRuntime> runtime_;
  Routine routine_ = nullptr;
};

}  // namespace

struct Assembler::Parts {
  // An instruction that cannot be encoded must not be left out silently.
  struct NoteErrors final : asmjit::ErrorHandler {
    void handleError(asmjit::Error, const char*, asmjit::BaseEmitter*) override { failed = true; }
    bool failed = false;
  };

  std::unique_ptr<asmjit::JitRuntime> runtime = std::make_unique<asmjit::JitRuntime>();
  asmjit::CodeHolder code;
  NoteErrors errors;
  x86::Assembler a;
};

std::unique_ptr<Assembler> Assembler::make() {
  const asmjit::CpuInfo& machine = asmjit::CpuInfo::host();
  if (machine.arch() != asmjit::Arch::kX64 || !machine.features().x86().hasLZCNT()) return nullptr;
  auto parts = std::make_unique<Parts>();
  if (parts->code.init(parts->runtime->environment()) != asmjit::kErrorOk) return nullptr;
  parts->code.setErrorHandler(&parts->errors);
  if (parts->code.attach(&parts->a) != asmjit::kErrorOk) return nullptr;
  return std::unique_ptr<Assembler>(new Assembler(std::move(parts)));
}

Assembler::Assembler(std::unique_ptr<Parts> parts) : parts_(std::move(parts)) {}
Assembler::~Assembler() = default;

std::unique_ptr<const Executable> Assembler::finish() {
  if (parts_->errors.failed) return nullptr;
  auto code = std::make_unique<InMemory>(std::move(parts_->runtime));
  if (!code->take(parts_->code)) return nullptr;
  return code;
}

// ---- jumps -------------------------------------------------------------------------------------

Label Assembler::label() { return {parts_->a.newLabel().id()}; }
void Assembler::bind(Label label) { parts_->a.bind(label_of(label)); }
void Assembler::jump(Label to) { parts_->a.jmp(label_of(to)); }
void Assembler::jump_if(Condition condition, Label to) {
  parts_->a.j(code_of(condition), label_of(to));
}
void Assembler::jump_to(const Memory& target) { parts_->a.jmp(in_memory(target)); }
void Assembler::ret() { parts_->a.ret(); }

// ---- moves -------------------------------------------------------------------------------------

void Assembler::move(Register to, Register from) { parts_->a.mov(whole(to), whole(from)); }
void Assembler::move(Register to, std::int64_t constant) { parts_->a.mov(whole(to), constant); }
void Assembler::clear(Register r) { parts_->a.xor_(low_half(r), low_half(r)); }

void Assembler::load(Register to, const Memory& from) {
  if (from.size == 8)
    parts_->a.mov(whole(to), in_memory(from));
  else if (from.size == 4)
    parts_->a.mov(low_half(to), in_memory(from));
  else
    parts_->a.movzx(low_half(to), in_memory(from));
}

void Assembler::store(const Memory& to, Register from) {
  parts_->a.mov(in_memory(to), to.size == 8 ? whole(from) : low_half(from));
}

void Assembler::store(const Memory& to, std::int32_t constant) {
  parts_->a.mov(in_memory(to), constant);
}

void Assembler::address_of(Register to, Label label) {
  parts_->a.lea(whole(to), x86::ptr(label_of(label)));
}

void Assembler::copy_two_words(const Memory& to, const Memory& from) {
  parts_->a.movups(x86::xmm0, x86::xmmword_ptr(whole(from.base), from.offset));
  parts_->a.movups(x86::xmmword_ptr(whole(to.base), to.offset), x86::xmm0);
}

void Assembler::push(Register r) { parts_->a.push(whole(r)); }
void Assembler::pop(Register r) { parts_->a.pop(whole(r)); }

// ---- arithmetic --------------------------------------------------------------------------------

void Assembler::add(const Operand& to, const Operand& from) {
  parts_->a.emit(x86::Inst::kIdAdd, operand_of(to), operand_of(from));
}
void Assembler::subtract(const Operand& to, const Operand& from) {
  parts_->a.emit(x86::Inst::kIdSub, operand_of(to), operand_of(from));
}
void Assembler::subtract_with_borrow(Register to, std::int32_t constant) {
  parts_->a.sbb(whole(to), constant);
}
void Assembler::multiply(Register to, Register from) { parts_->a.imul(whole(to), whole(from)); }
void Assembler::divide_rax(Register by) {
  parts_->a.cqo();
  parts_->a.idiv(whole(by));
}
void Assembler::negate(Register r) { parts_->a.neg(whole(r)); }
void Assembler::bit_and(const Operand& to, const Operand& from) {
  parts_->a.emit(x86::Inst::kIdAnd, operand_of(to), operand_of(from));
}
void Assembler::bit_or(const Operand& to, const Operand& from) {
  parts_->a.emit(x86::Inst::kIdOr, operand_of(to), operand_of(from));
}
void Assembler::keep_low_half(Register r) { parts_->a.mov(low_half(r), low_half(r)); }
void Assembler::shift_left(Register r, std::uint32_t by) { parts_->a.shl(whole(r), by); }
void Assembler::shift_left_by_cl(Register r) { parts_->a.shl(whole(r), x86::cl); }
void Assembler::shift_right(Register r, std::uint32_t by) { parts_->a.shr(whole(r), by); }
void Assembler::shift_right_by_cl(Register r) { parts_->a.shr(whole(r), x86::cl); }
void Assembler::leading_zeros(Register to, Register from) {
  parts_->a.lzcnt(whole(to), whole(from));
}

// ---- comparisons -------------------------------------------------------------------------------

void Assembler::compare(const Operand& left, const Operand& right) {
  parts_->a.emit(x86::Inst::kIdCmp, operand_of(left), operand_of(right));
}
void Assembler::compare_low_half(Register left, std::int32_t right) {
  parts_->a.cmp(low_half(left), right);
}
void Assembler::test(Register r) { parts_->a.test(whole(r), whole(r)); }
void Assembler::set_rax(Condition condition) {
  parts_->a.set(code_of(condition), x86::al);
  parts_->a.movzx(x86::eax, x86::al);
}

// ---- tables ------------------------------------------------------------------------------------

void Assembler::align_words() { parts_->a.align(asmjit::AlignMode::kData, 8); }
void Assembler::embed(std::span<const std::uint8_t> bytes) {
  parts_->a.embed(bytes.data(), bytes.size());
}
void Assembler::embed_address(Label label) { parts_->a.embedLabel(label_of(label), 8); }

}  // namespace panoptes::native
