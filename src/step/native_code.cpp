// SPDX-License-Identifier: Apache-2.0
// The loop over the states of a batch, with a jump to the code of each process's control state.
#include "step/native_code.hpp"

#include <cstddef>

#include "step/native_rule.hpp"

namespace panoptes {
namespace native {
namespace {

// The frame's fields as the code sees them.
Memory in_frame(std::size_t offset) { return {use::frame, static_cast<std::int32_t>(offset)}; }
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
constexpr std::size_t awaited = offsetof(NativeFrame, awaited);
}  // namespace at

class ExpansionCode {
 public:
  ExpansionCode(const Lowered& lowered, Assembler& a)
      : lowered_(lowered), a_(a), rules_(lowered, a) {}

  void routine() {
    using enum Register;
    for (const Register r : {rbp, rbx, r12, r13, r14, r15}) a_.push(r);
    a_.move(use::stack, rsp);
    a_.load(use::state, in_frame(at::state));
    a_.load(use::successor, in_frame(at::successors));
    a_.load(use::rule, in_frame(at::rules));
    const Label next_state = a_.label(), done = a_.label();
    a_.bind(next_state);
    a_.compare(use::state, in_frame(at::states_end));
    a_.jump_if(Condition::not_below, done);
    state();
    a_.add(use::state, static_cast<std::int32_t>(lowered_.words * 8));
    a_.jump(next_state);
    a_.bind(done);
    a_.store(in_frame(at::successors), use::successor);
    a_.store(in_frame(at::rules), use::rule);
    for (const Register r : {r15, r14, r13, r12, rbx, rbp}) a_.pop(r);
    a_.ret();
    failures();
    jump_tables();
    rules_.tables();
  }

 private:
  void state() {
    if (lowered_.words == 1) a_.load(use::only_word, {use::state});
    a_.move(use::state_began, use::successor);
    a_.clear(rax);
    a_.store(in_frame(at::failed_here), rax);
    a_.store(in_frame(at::suspicious), rax);
    const Label behind = a_.label();
    for (const LoweredRound& round : lowered_.rounds)
      if (round.waits_for_awaited) a_.store(in_frame(at::awaited), rax);
    for (const LoweredRound& round : lowered_.rounds) {
      const Label next = a_.label();
      if (round.waits_for_awaited) {
        a_.compare(in_frame(at::awaited), 0);
        a_.jump_if(Condition::not_equal, next);
      }
      if (round.is_last_resort) {
        a_.compare(use::successor, use::state_began);
        a_.jump_if(Condition::not_equal, behind);
        a_.compare(in_frame(at::failed_here), 0);
        a_.jump_if(Condition::not_equal, behind);
      }
      for (const LoweredProcess& process : round.processes) control(process);
      a_.bind(next);
    }
    a_.bind(behind);
    count_successors();
    note_suspect();
    a_.add(in_frame(at::state_number), 1);
  }

  // Leaves the number of failures in rax.
  void count_successors() {
    a_.move(rax, use::rule);
    a_.subtract(rax, in_frame(at::rules_begin));
    a_.shift_right(rax, 2);
    append_to(at::first);
    a_.load(rax, in_frame(at::failed_here));
    append_to(at::failed);
  }

  // rax, where the frame's pointer points to.
  void append_to(std::size_t pointer) {
    a_.load(rcx, in_frame(pointer));
    a_.store({.base = rcx, .size = 4}, rax);
    a_.add(in_frame(pointer), 4);
  }

  // Stuck, or a process that may face a message it does not accept, or an alarm.
  void note_suspect() {
    const Label suspect = a_.label(), sound = a_.label();
    sound_alarms();
    a_.compare(in_frame(at::suspicious), 0);
    a_.jump_if(Condition::not_equal, suspect);
    a_.compare(use::successor, use::state_began);
    a_.jump_if(Condition::not_equal, sound);
    a_.test(rax);
    a_.jump_if(Condition::not_equal, sound);
    a_.bind(suspect);
    a_.load(rax, in_frame(at::state_number));
    append_to(at::suspects);
    a_.bind(sound);
  }

  // Keeps rax. An alarm without a value is one: whoever examines the state will tell.
  void sound_alarms() {
    if (lowered_.alarms.empty()) return;
    const Label alarmed = a_.label(), quiet = a_.label();
    FailureExit unknown(a_.label());
    for (const std::uint32_t alarm : lowered_.alarms) {
      rules_.expressions().value(alarm, unknown);
      a_.test(rax);
      a_.jump_if(Condition::not_equal, alarmed);
    }
    a_.jump(quiet);
    a_.bind(unknown.at());
    a_.move(Register::rsp, use::stack);
    a_.bind(alarmed);
    a_.store(in_frame(at::suspicious), 1);
    a_.bind(quiet);
    a_.load(rax, in_frame(at::failed_here));
  }

  // Jumps to the code of the process's control state; all come out behind.
  void control(const LoweredProcess& process) {
    const Label behind = a_.label(), table = a_.label();
    std::vector<Label> entries;
    for (const LoweredControl& state : process.states)
      entries.push_back(state.does_nothing() ? behind : a_.label());
    rules_.words().load(process.control, rax);
    a_.address_of(rcx, table);
    a_.jump_to({.base = rcx, .has_index = true, .index = rax});
    for (std::size_t s = 0; s < entries.size(); ++s) {
      const LoweredControl& state = process.states[s];
      if (state.does_nothing()) continue;
      a_.bind(entries[s]);
      const bool may_wait = state.first_head < state.end_head;
      if (may_wait) a_.move(use::process_began, use::successor);
      for (std::uint32_t id = state.first; id < state.end; ++id) rules_.rule(id);
      if (may_wait) suspect_reception(state, behind);
      a_.jump(behind);
    }
    a_.bind(behind);
    jump_tables_.push_back({table, std::move(entries)});
  }

  // None of its receives was enabled, yet one of the channels it reads here has a message.
  void suspect_reception(const LoweredControl& state, Label behind) {
    a_.compare(use::successor, use::process_began);
    a_.jump_if(Condition::not_equal, behind);
    const Label suspicious = a_.label();
    for (std::uint32_t head = state.first_head; head < state.end_head; ++head) {
      rules_.words().load(lowered_.tags[head], rax);
      a_.test(rax);
      a_.jump_if(Condition::not_equal, suspicious);
    }
    a_.jump(behind);
    a_.bind(suspicious);
    a_.store(in_frame(at::suspicious), 1);
  }

  // ---- out of line -----------------------------------------------------------------------------

  // A rule that fires into an error: noted for the interpreter, which says what is wrong.
  void failures() {
    for (const RuleCode::Failure& failure : rules_.failures()) {
      a_.bind(failure.at);
      a_.move(Register::rsp, use::stack);
      a_.add(in_frame(at::failed_here), 1);
      if (lowered_.rules[failure.rule].is_awaited) a_.add(in_frame(at::awaited), 1);
      a_.load(rcx, in_frame(at::failures));
      a_.load(rax, in_frame(at::state_number));
      a_.store({rcx}, rax);
      a_.store({rcx, 8}, static_cast<std::int32_t>(failure.rule));
      a_.add(in_frame(at::failures), 16);
      // For processes that may wait: this one has moved, whatever became of it.
      a_.clear(use::process_began);
      a_.jump(failure.back);
    }
  }

  void jump_tables() {
    a_.align_words();
    for (const JumpTable& table : jump_tables_) {
      a_.bind(table.at);
      for (const Label& entry : table.entries) a_.embed_address(entry);
    }
  }

  struct JumpTable {
    Label at;
    std::vector<Label> entries;
  };

  const Lowered& lowered_;
  Assembler& a_;
  RuleCode rules_;
  std::vector<JumpTable> jump_tables_;
};

class Compiled final : public NativeCode {
 public:
  Compiled(std::unique_ptr<const Executable> code, Lowered lowered)
      : code_(std::move(code)),
        tables_(std::move(lowered.tables)),
        most_successors_(lowered.most_successors),
        is_alarmed_(lowered.is_alarmed) {}

  void run(NativeFrame& frame) const override { code_->run(&frame); }
  std::size_t most_successors() const override { return most_successors_; }
  bool is_alarmed() const override { return is_alarmed_; }

 private:
  std::unique_ptr<const Executable> code_;
  std::vector<std::vector<std::uint32_t>> tables_;  // which the code reads
  std::size_t most_successors_;
  bool is_alarmed_;
};

}  // namespace
}  // namespace native

std::shared_ptr<const NativeCode> compile_native(Lowered lowered) {
  const auto assembler = native::Assembler::make();
  if (!assembler) return nullptr;
  native::ExpansionCode(lowered, *assembler).routine();
  auto code = assembler->finish();
  if (!code) return nullptr;
  return std::make_shared<native::Compiled>(std::move(code), std::move(lowered));
}

}  // namespace panoptes
