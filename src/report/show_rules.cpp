// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include "report/show.hpp"
#include "report/show_content.hpp"
#include "rules/lower.hpp"
#include "rules/lowered_c.hpp"

namespace panoptes {
namespace {

// The processes of a rule and where they are, before or behind it.
std::string control_text(const Program& program, const Rule& rule, const char* word,
                         StateId ProcessMove::*where) {
  std::string out;
  for (const ProcessMove& move : rule.moves)
    out += fmt::format("{}{} {} {}", out.empty() ? "" : ", ",
                       program.protocol.processes[move.process].name, word,
                       program.state(move.process, move.*where).name);
  return out;
}

}  // namespace

std::string message_place(const Rule& rule) {
  return rule.position == 0 ? "head" : fmt::format("message {}", rule.position + 1);
}

std::string target_text(const Protocol& protocol, const Assignment& a) {
  const std::string& name = protocol.variables[a.variable].name;
  if (a.index == none) return name;
  return fmt::format("{}[{}]", array_name(name),
                     to_text(protocol.expressions, a.index, protocol.names()));
}

std::string rule_conditions(const Program& program, RuleId id) {
  const Rule& rule = program.rules[id];
  const Protocol& protocol = program.protocol;
  std::string out = control_text(program, rule, "at", &ProcessMove::from);
  for (const ExpressionId condition : rule.conditions)
    out += fmt::format(", {}", to_text(protocol.expressions, condition, protocol.names()));
  if (rule.channel == none) return out;
  const Channel& channel = protocol.channels[rule.channel];
  if (rule.kind == ActionKind::receive)
    out += fmt::format(", {} of {} is {}", message_place(rule), channel.name,
                       channel.sort[rule.tag - 1].name);
  if (rule.kind == ActionKind::timeout) out += fmt::format(", {} is empty", channel.name);
  if (rule.kind == ActionKind::send && channel.capacity > 0 &&
      program.overflow == OverflowPolicy::wait)
    out += fmt::format(", {} is not full", channel.name);
  if (program.round_of(id).waits_for_exchanges)
    out += ", nothing can be sent or received";
  else if (program.class_of(id) > 0)
    out += ", nothing else can move";
  return out;
}

std::string rule_effects(const Program& program, const Rule& rule) {
  const Protocol& protocol = program.protocol;
  const auto text = [&](ExpressionId id) {
    return to_text(protocol.expressions, id, protocol.names());
  };
  std::string out = control_text(program, rule, "to", &ProcessMove::to);
  if (rule.check != none) out = fmt::format("check {}, ", text(rule.check)) + out;
  if (rule.kind == ActionKind::bad_index) return "index out of range";
  if (rule.kind == ActionKind::receive)
    out += fmt::format(", take {}from {}", rule.position == 0 ? "" : message_place(rule) + " ",
                       protocol.channels[rule.channel].name);
  if (rule.kind == ActionKind::flush)
    out += fmt::format(", flush {}", protocol.channels[rule.channel].name);
  if (rule.kind == ActionKind::send) {
    const Channel& channel = protocol.channels[rule.channel];
    const std::string& message = channel.sort[rule.tag - 1].name;
    out += channel.is_rendezvous() ? fmt::format(", hand over {} by {}", message, channel.name)
                                   : fmt::format(", add {} to {}", message, channel.name);
    for (const ExpressionId value : rule.values) out += fmt::format(" ({})", text(value));
  }
  for (const Assignment& a : rule.assignments)
    out += fmt::format(", {} = {}", target_text(protocol, a), text(a.value));
  for (const AssertionMove& move : rule.assertion_moves)
    out += fmt::format(", {} moves", protocol.assertions[move.assertion].name);
  if (rule.ends_inside) out += ", inside an indivisible sequence";
  return out;
}

std::string show_rules(const Program& program) {
  std::string out = fmt::format("{} rules\n", program.rules.size());
  for (RuleId id = 0; id < program.rules.size(); ++id) {
    const Rule& rule = program.rules[id];
    out += fmt::format("{:>4}  {}\n      when {}\n      then {}\n", id, rule.text,
                       rule_conditions(program, id), rule_effects(program, rule));
  }
  return out;
}

std::string show_rules_c(const Program& program) {
  return c_text(lower(program), [&](RuleId id) {
    const Rule& rule = program.rules[id];
    return fmt::format("{}: {}", program.protocol.processes[rule.owner().process].name, rule.text);
  });
}

}  // namespace panoptes
