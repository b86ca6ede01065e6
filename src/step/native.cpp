// SPDX-License-Identifier: Apache-2.0
#include "step/native.hpp"

#include "rules/lower.hpp"
#include "step/native_code.hpp"

namespace panoptes {

std::unique_ptr<NativeStepper> NativeStepper::make(const Program& program) {
  auto code = compile_native(lower(program));
  if (!code) return nullptr;
  auto alone = compile_alone(program);
  if (!alone) return nullptr;
  return std::unique_ptr<NativeStepper>(
      new NativeStepper(program, std::move(code), std::move(alone)));
}

// A routine of its own for each: the one for all processes is not slowed down by a question.
std::shared_ptr<const NativeStepper::CodeAlone> NativeStepper::compile_alone(
    const Program& program) {
  auto result = std::make_shared<CodeAlone>(program.control.size());
  for (const Rule& rule : program.rules) {
    const ProcessId process = alone_after(rule);
    if (process == none || (*result)[process]) continue;
    (*result)[process] = compile_native(lower_alone(program, process));
    if (!(*result)[process]) return nullptr;
  }
  return result;
}

std::unique_ptr<NativeStepper> NativeStepper::another() const {
  return std::unique_ptr<NativeStepper>(new NativeStepper(program_, code_, alone_));
}

NativeStepper::NativeStepper(const Program& program, std::shared_ptr<const NativeCode> code,
                             std::shared_ptr<const CodeAlone> alone)
    : program_(program), code_(std::move(code)), alone_(std::move(alone)), interpreter_(program) {}

NativeStepper::~NativeStepper() = default;

void NativeStepper::expand(const StateBatch& batch, SuccessorBatch& out,
                           std::vector<Finding>& findings) {
  run(*code_, batch, out, findings);
}

void NativeStepper::expand_alone(ProcessId process, const StateBatch& batch, SuccessorBatch& out,
                                 std::vector<Finding>& findings) {
  if (const auto& code = (*alone_)[process])
    run(*code, batch, out, findings);
  else
    interpreter_.expand_alone(process, batch, out, findings);
}

void NativeStepper::run(const NativeCode& code, const StateBatch& batch, SuccessorBatch& out,
                        std::vector<Finding>& findings) {
  const std::size_t states = batch.size();
  const std::size_t most = states * code.most_successors();
  out.clear(batch.width);
  out.states.words.resize(most * batch.width);
  out.rules.resize(most);
  out.first.resize(states + 1);
  out.first[0] = 0;
  out.failed.resize(states);
  failures_.resize(2 * most);
  suspects_.resize(states);
  out.has_suspects = !code.is_alarmed();

  NativeFrame frame{};
  frame.state = batch.words.data();
  frame.states_end = batch.words.data() + batch.words.size();
  frame.successors = out.states.words.data();
  frame.rules = out.rules.data();
  frame.first = out.first.data() + 1;
  frame.failed = out.failed.data();
  frame.failures = failures_.data();
  frame.suspects = suspects_.data();
  frame.rules_begin = out.rules.data();
  code.run(frame);

  const auto count = static_cast<std::size_t>(frame.rules - out.rules.data());
  out.rules.resize(count);
  out.states.words.resize(count * batch.width);
  if (frame.suspects != suspects_.data()) out.suspects.assign(suspects_.data(), frame.suspects);
  for (const std::uint64_t* f = failures_.data(); f != frame.failures; f += 2) {
    const std::size_t before = findings.size();
    const auto rule = static_cast<RuleId>(f[1]);
    if (interpreter_.fire(rule, batch[f[0]], scratch_, findings) != Interpreter::Firing::failure)
      throw InternalFault("compiled and interpreted rules disagree: " + program_.rules[rule].text);
    for (std::size_t i = before; i < findings.size(); ++i)
      findings[i].source = static_cast<std::uint32_t>(f[0]);
  }
}

}  // namespace panoptes
