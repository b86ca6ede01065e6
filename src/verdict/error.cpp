// SPDX-License-Identifier: Apache-2.0
#include "verdict/error.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <set>

#include "rules/values.hpp"
#include "verdict/failing_step.hpp"

namespace panoptes {
namespace {

StateId control_state(const Program& program, ProcessId process, StateView state) {
  return static_cast<StateId>(read(program.layout.control[process], state));
}

// The statement to blame for a rule that fails by itself; of merged ones, the first.
StatementId statement_of(const Rule& rule) { return rule.statements.front(); }

std::string event_text(const Program& program, const Rule& rule) {
  const Channel& channel = program.protocol.channels[rule.channel];
  return fmt::format("{}{}{}", channel.name, rule.written_as == ActionKind::send ? "!" : "?",
                     channel.sort[rule.tag - 1].name);
}

std::string place_text(const ControlState& state, const SourceSet& sources) {
  return state.is_end ? "end" : sources.line_and_column(state.place);
}

// `, where got = 2, len(link) = 1`: what a step that failed has looked at, as its own text calls
// it; of an array, the elements that were asked for.
std::string values_text(const Program& program, const Rule& rule, StateView state) {
  const Footprint looked_at = footprint(program, rule);
  std::vector<std::string> values;
  for (const VariableId v : variables_read(program, rule, state))
    values.push_back(
        fmt::format("{} = {}", program.protocol.variables[v].name,
                    value_text(program.protocol, v, read(program.layout.variables[v], state))));
  for (const ChannelId c : looked_at.asks)
    values.push_back(fmt::format("len({}) = {}", program.protocol.channels[c].name,
                                 length(program.layout.channels[c], state)));
  return values.empty() ? "" : fmt::format(", where {}", fmt::join(values, ", "));
}

// The same of an expression from outside of all processes, which says where they are itself.
std::string looked_at_text(const Program& program, ExpressionId id, StateView state) {
  const Protocol& protocol = program.protocol;
  std::set<std::string> values;
  const auto variable = [&](VariableId v) {
    const Variable& at = protocol.variables[v];
    values.insert(fmt::format(
        "{}{} = {}", at.process == none ? "" : protocol.processes[at.process].name + ".", at.name,
        value_text(protocol, v, read(program.layout.variables[v], state))));
  };
  protocol.expressions.visit(id, [&](const ExpressionNode& node) {
    if (node.op == Op::variable) variable(node.a);
    if (node.op == Op::element)
      for (VariableId i = 0; i < node.value; ++i) variable(node.b + i);
    if (node.op == Op::length)
      values.insert(fmt::format("len({}) = {}", protocol.channels[node.a].name,
                                length(program.layout.channels[node.a], state)));
  });
  return values.empty() ? "" : fmt::format(", where {}", fmt::join(values, ", "));
}

// `c?m(1)`: a message with its values, where it is these that keep the process from taking it.
std::string refused_text(const Program& program, const Finding& finding, const ErrorDescription& d,
                         StateView state) {
  const StateId id = control_state(program, finding.process, state);
  bool is_taken_sometimes = false;
  for (const Reception& reception : program.at(finding.process, id).receptions)
    is_taken_sometimes |= reception.channel == finding.channel && reception.accepts[finding.tag] &&
                          !reception.guards.empty();
  if (!is_taken_sometimes) return d.message;
  const Message first = contents(program.layout.channels[finding.channel], state).front();
  return fmt::format("{}?{}", program.protocol.channels[finding.channel].name,
                     message_text(program.protocol, finding.channel, first.tag, first.values));
}

std::string run_sentence(const TemporalProperty& property) {
  if (property.origin == PropertyOrigin::progress)
    return "it goes on for ever and passes no label that begins with progress";
  if (property.origin == PropertyOrigin::acceptance)
    return "a label that begins with accept is passed again and again, or rested at for ever";
  return fmt::format("{} does not hold{}", property.name,
                     property.name == property.text ? "" : ": " + property.text);
}

std::string invariant_sentence(const Program& program, const Invariant& invariant,
                               StateView state) {
  return fmt::format("{} does not hold{}{}", invariant.name,
                     invariant.name == invariant.text ? "" : ": " + invariant.text,
                     looked_at_text(program, invariant.broken, state));
}

// `position` is where the process of the error is, for people.
std::string sentence(const Program& program, const Finding& finding, const ErrorDescription& d,
                     const std::string& position, StateView state) {
  const std::string where = fmt::format("process {} at {}", d.process, position);
  switch (d.kind) {
    case ErrorKind::deadlock: return "no process can move";
    case ErrorKind::unspecified_reception:
      return fmt::format("{} cannot receive {}, which is first in its channel", where, d.refused);
    case ErrorKind::assertion:
      if (finding.assertion == none)
        return fmt::format("{}: {} does not hold{}", where, program.rules[finding.rule].text,
                           values_text(program, program.rules[finding.rule], state));
      if (finding.rule == none)
        return fmt::format("the protocol ends before {} is complete",
                           program.protocol.assertions[finding.assertion].name);
      return fmt::format("{} is violated by {}",
                         program.protocol.assertions[finding.assertion].name,
                         event_text(program, program.rules[finding.rule]));
    case ErrorKind::unread_messages:
      return fmt::format("all processes have ended and {} is not empty", d.message);
    case ErrorKind::overflow: return fmt::format("{}: {} finds the channel full", where, d.message);
    case ErrorKind::division_by_zero:
      return fmt::format("{}: {} divides by zero{}", where, program.rules[finding.rule].text,
                         values_text(program, program.rules[finding.rule], state));
    case ErrorKind::index_out_of_range:
      if (const auto wrong = failing_index(program, program.rules[finding.rule], state))
        return fmt::format("{}: {} has an index out of range, {} in array {}, which has {} {}{}",
                           where, program.rules[finding.rule].text, wrong->index, wrong->array,
                           wrong->length, wrong->length == 1 ? "element" : "elements",
                           values_text(program, program.rules[finding.rule], state));
      return fmt::format("{}: the index of {} is out of range{}", where,
                         program.rules[finding.rule].text,
                         values_text(program, program.rules[finding.rule], state));
    case ErrorKind::out_of_range: {
      const Rule& rule = program.rules[finding.rule];
      const auto wrong = failing_value(program, rule, state);
      if (!wrong) return fmt::format("{}: {} leaves a range", where, rule.text);
      return fmt::format("{}: {} gives {} the value {}, which is not in {}..{}{}", where, rule.text,
                         wrong->variable, wrong->value, wrong->range.low, wrong->range.high,
                         values_text(program, rule, state));
    }
    case ErrorKind::endless_atomic:
      return fmt::format("{}: {} leads back to where the indivisible sequence has been", where,
                         program.rules[finding.rule].text);
    case ErrorKind::invariant:
      return invariant_sentence(program, program.protocol.invariants[finding.assertion], state);
    case ErrorKind::reached:
      return fmt::format(
          "{} holds{}", d.message,
          looked_at_text(program, program.protocol.invariants[finding.assertion].broken, state));
    case ErrorKind::ltl:
    case ErrorKind::progress:
    case ErrorKind::acceptance: return run_sentence(program.protocol.temporal[finding.assertion]);
    case ErrorKind::stuck: return where + " can never move again, while others go on";
    case ErrorKind::livelock: break;
  }
  return "";
}

}  // namespace

ErrorDescription describe(const Program& program, const Finding& finding, StateView state,
                          const SourceSet& sources, const Whereabouts& whereabouts) {
  ErrorDescription d;
  std::string position;
  d.kind = finding.kind;
  const Protocol& protocol = program.protocol;
  const Rule* rule = finding.rule == none ? nullptr : &program.rules[finding.rule];
  const auto at = [&](ProcessId process, StateId id) {
    d.process = protocol.processes[process].name;
    d.state = program.state(process, id).name;
    d.place = place_text(program.state(process, id), sources);
    position = position_words(program, process, id, places_of(whereabouts, process), sources);
  };
  if (finding.kind == ErrorKind::deadlock) {
    for (ProcessId p = 0; p < program.control.size(); ++p) {
      const ControlState& control = program.state(p, control_state(program, p, state));
      d.state += (p == 0 ? "" : ",") + control.name;
      d.place += (p == 0 ? "" : ",") + place_text(control, sources);
    }
  } else if (finding.kind == ErrorKind::unspecified_reception) {
    at(finding.process, control_state(program, finding.process, state));
    const Channel& channel = protocol.channels[finding.channel];
    d.message = fmt::format("{}?{}", channel.name, channel.sort[finding.tag - 1].name);
    d.refused = refused_text(program, finding, d, state);
  } else if (finding.kind == ErrorKind::stuck) {
    at(finding.process, control_state(program, finding.process, state));
  } else if (finding.kind == ErrorKind::unread_messages) {
    d.message = protocol.channels[finding.channel].name;
  } else if (finding.kind == ErrorKind::invariant || finding.kind == ErrorKind::reached) {
    d.message = protocol.invariants[finding.assertion].name;
  } else if (is_of_property(finding.kind)) {
    d.message = protocol.temporal[finding.assertion].name;
  } else if (finding.assertion != none) {
    d.message = fmt::format("{} {}", protocol.assertions[finding.assertion].name,
                            rule ? event_text(program, *rule) : "end");
  } else {
    at(rule->owner().process, rule->owner().from);
    if (finding.kind == ErrorKind::overflow)
      d.message = event_text(program, *rule);
    else
      d.statement = sources.line_and_column(program.protocol.statements[statement_of(*rule)].place);
  }
  d.text = sentence(program, finding, d, position, state);
  return d;
}

ErrorDescription describe(const Program& program, const LivelockShape& shape,
                          const SourceSet& sources) {
  ErrorDescription d;
  d.kind = ErrorKind::livelock;
  for (ProcessId p = 0; p < shape.places.size(); ++p) {
    std::set<std::string> names, places;
    for (const StateId id : shape.places[p]) {
      names.insert(program.state(p, id).name);
      places.insert(place_text(program.state(p, id), sources));
    }
    d.state += fmt::format("{}{}", p == 0 ? "" : ",", fmt::join(names, "|"));
    d.place += fmt::format("{}{}", p == 0 ? "" : ",", fmt::join(places, "|"));
  }
  std::vector<std::string> moving;
  for (const ProcessId p : shape.moving) moving.push_back(program.protocol.processes[p].name);
  d.process = fmt::format("{}", fmt::join(moving, ","));
  d.text =
      fmt::format("{} can only go on with internal steps for ever", fmt::join(moving, " and "));
  return d;
}

}  // namespace panoptes
