// SPDX-License-Identifier: Apache-2.0
#include "report/show.hpp"

#include <fmt/format.h>

#include <cmath>
#include <functional>
#include <nlohmann/json.hpp>

#include "protocol/sorts.hpp"
#include "rules/values.hpp"

namespace panoptes {
namespace {

using Json = nlohmann::ordered_json;

std::string dump(const Json& json) {
  return json.dump(2, ' ', false, Json::error_handler_t::replace) + "\n";
}

std::string message_name(const MessageType& type) {
  if (type.values.empty()) return type.name;
  std::string out = type.name + "(";
  for (std::size_t i = 0; i < type.values.size(); ++i)
    out += fmt::format("{}{}..{}", i == 0 ? "" : ", ", type.values[i].low, type.values[i].high);
  return out + ")";
}

// "link: ack0, ack1": what can arrive at this state and is not accepted.
std::vector<std::string> holes(const Program& program, const ControlState& state) {
  std::vector<std::string> result;
  for (const OpenReception& open : open_receptions(program.protocol, state)) {
    const Channel& channel = program.protocol.channels[open.channel];
    std::string line = channel.name + ":";
    for (const std::uint32_t i : open.not_accepted) line += " " + channel.sort[i].name;
    result.push_back(std::move(line));
  }
  return result;
}

std::string flags(const ControlState& state) {
  std::string out;
  if (state.is_end) out += " (end)";
  if (state.may_stop && !state.is_end) out += " (may stop)";
  if (state.is_labelled) out += " (labelled)";
  return out;
}

std::string action_text(const Program& program, const Transition& t) {
  std::string out = t.text;
  if (t.kind == ActionKind::bad_index) out += " with an index out of range";
  for (const ExpressionId condition : t.conditions)
    if (t.channel != none)
      out += fmt::format(
          " if {}", to_text(program.protocol.expressions, condition, program.protocol.names()));
  return out;
}

std::string automaton_text(const Program& program, const std::string& title,
                           const Automaton& automaton) {
  std::string out =
      fmt::format("{}: {} states raw, {} without transit states, {} {}\n", title,
                  automaton.raw_size, automaton.transit_free_size, automaton.states.size(),
                  automaton.states.size() < automaton.transit_free_size ? "minimised" : "used");
  for (StateId s = 0; s < automaton.states.size(); ++s) {
    const ControlState& state = automaton.states[s];
    out += fmt::format("  {} {}{}{}\n", s, state.name, s == automaton.initial ? " (start)" : "",
                       flags(state));
    for (const Transition& t : state.transitions)
      out += fmt::format("      {} -> {}\n", action_text(program, t), t.target);
    for (const std::string& hole : holes(program, state))
      out += fmt::format("      not accepted from {}\n", hole);
  }
  return out;
}

Json automaton_json(const Program& program, const Automaton& automaton, const SourceSet& sources) {
  Json states = Json::array();
  for (const ControlState& state : automaton.states) {
    Json transitions = Json::array();
    for (const Transition& t : state.transitions)
      transitions.push_back({{"action", action_text(program, t)}, {"target", t.target}});
    const LineColumn at = sources.line_column(state.place);
    states.push_back({{"name", state.name},
                      {"line", at.line},
                      {"column", at.column},
                      {"labels", state.labels},
                      {"is_end", state.is_end},
                      {"may_stop", state.may_stop},
                      {"labelled", state.is_labelled},
                      {"merged", state.merged},
                      {"not_accepted", holes(program, state)},
                      {"transitions", transitions}});
  }
  return {{"raw", automaton.raw_size},
          {"without_transit_states", automaton.transit_free_size},
          {"minimised", automaton.states.size()},
          {"initial", automaton.initial},
          {"end", automaton.end},
          {"states", states}};
}

// Calls `visit(name, kind, word, shift, bits)` for every part of the vector.
struct Part {
  std::string name;
  std::string kind;
  std::uint32_t word, shift, bits;
  std::string values;
};

std::vector<Part> parts(const Program& program) {
  std::vector<Part> result;
  const Protocol& protocol = program.protocol;
  const auto add = [&](std::string name, std::string kind, const Slot& slot) {
    result.push_back({std::move(name), std::move(kind), slot.word, slot.shift, slot.bits,
                      fmt::format("{}..{}", slot.minimum, slot.maximum)});
  };
  for (ProcessId p = 0; p < protocol.processes.size(); ++p)
    add(protocol.processes[p].name, "control", program.layout.control[p]);
  for (VariableId v = 0; v < protocol.variables.size(); ++v)
    add(variable_name(protocol, v), "variable", program.layout.variables[v]);
  for (std::size_t a = 0; a < protocol.assertions.size(); ++a)
    add(protocol.assertions[a].name, "assertion", program.layout.assertions[a]);
  for (ChannelId c = 0; c < protocol.channels.size(); ++c) {
    std::string sort;
    for (const MessageType& type : protocol.channels[c].sort)
      sort += (sort.empty() ? "" : " ") + message_name(type);
    std::uint32_t first = 0;
    const ChannelLayout& layout = program.layout.channels[c];
    for (const ChannelPiece& piece : layout.pieces) {
      result.push_back({protocol.channels[c].name,
                        fmt::format("channel slots {}..{}", first, first + piece.slots - 1),
                        piece.word, piece.shift, piece.slots * layout.slot_bits, sort});
      first += piece.slots;
    }
  }
  return result;
}

std::string rule_conditions(const Program& program, const Rule& rule) {
  const Protocol& protocol = program.protocol;
  std::string out = fmt::format("{} at {}", protocol.processes[rule.process].name,
                                program.state(rule.process, rule.source).name);
  for (const ExpressionId condition : rule.conditions)
    out += fmt::format(", {}", to_text(protocol.expressions, condition, protocol.names()));
  if (rule.channel == none) return out;
  const Channel& channel = protocol.channels[rule.channel];
  if (rule.kind == ActionKind::receive)
    out += fmt::format(", head of {} is {}", channel.name, channel.sort[rule.tag - 1].name);
  if (rule.kind == ActionKind::timeout) out += fmt::format(", {} is empty", channel.name);
  if (rule.kind == ActionKind::send && !channel.is_sink && program.overflow == OverflowPolicy::wait)
    out += fmt::format(", {} is not full", channel.name);
  if (rule.rule_class > 0) out += ", nothing else can move";
  return out;
}

std::string rule_effects(const Program& program, const Rule& rule) {
  const Protocol& protocol = program.protocol;
  const auto text = [&](ExpressionId id) {
    return to_text(protocol.expressions, id, protocol.names());
  };
  std::string out = fmt::format("{} to {}", protocol.processes[rule.process].name,
                                program.state(rule.process, rule.target).name);
  if (rule.check != none) out = fmt::format("check {}, ", text(rule.check)) + out;
  if (rule.kind == ActionKind::bad_index) return "index out of range";
  if (rule.kind == ActionKind::receive)
    out += fmt::format(", take from {}", protocol.channels[rule.channel].name);
  if (rule.kind == ActionKind::send) {
    const Channel& channel = protocol.channels[rule.channel];
    out += fmt::format(", add {} to {}", channel.sort[rule.tag - 1].name, channel.name);
    for (const ExpressionId value : rule.values) out += fmt::format(" ({})", text(value));
  }
  for (const Assignment& a : rule.assignments)
    out += fmt::format(", {} = {}", protocol.variables[a.variable].name, text(a.value));
  for (const AssertionMove& move : rule.moves)
    out += fmt::format(", {} moves", protocol.assertions[move.assertion].name);
  return out;
}

}  // namespace

std::string show_automata(const Program& program, const SourceSet&) {
  std::string out;
  for (const Process& process : program.protocol.processes)
    out += automaton_text(program, "process " + process.name, process.automaton) + "\n";
  for (const Assertion& assertion : program.protocol.assertions)
    out += automaton_text(program, assertion.name, assertion.automaton) +
           fmt::format("  {} subsets\n\n", assertion.next.size());
  for (const Channel& channel : program.protocol.channels) {
    out += fmt::format("channel {}: {}, sort", channel.name,
                       channel.is_sink ? "sink"
                                       : fmt::format("{} {}", channel.capacity,
                                                     channel.capacity == 1 ? "slot" : "slots"));
    for (const MessageType& type : channel.sort) out += " " + message_name(type);
    out += fmt::format(", read by {}\n", channel.reader == none
                                             ? std::string("nobody")
                                             : program.protocol.processes[channel.reader].name);
  }
  out += fmt::format("worst case: 10^{:.2f} states\n", worst_case_log10(program.protocol));
  return out;
}

std::string show_automata_json(const Program& program, const SourceSet& sources) {
  Json json{{"schema", "panoptes-automata-1"}};
  json["processes"] = Json::array();
  for (const Process& process : program.protocol.processes) {
    Json entry{{"name", process.name}};
    entry.update(automaton_json(program, process.automaton, sources));
    json["processes"].push_back(std::move(entry));
  }
  json["assertions"] = Json::array();
  for (const Assertion& assertion : program.protocol.assertions) {
    Json entry{{"name", assertion.name}, {"subsets", assertion.next.size()}};
    entry.update(automaton_json(program, assertion.automaton, sources));
    json["assertions"].push_back(std::move(entry));
  }
  json["channels"] = Json::array();
  for (const Channel& channel : program.protocol.channels) {
    Json sort = Json::array();
    for (const MessageType& type : channel.sort) sort.push_back(message_name(type));
    json["channels"].push_back(
        {{"name", channel.name},
         {"capacity", channel.capacity},
         {"sink", channel.is_sink},
         {"sort", sort},
         {"reader", channel.reader == none
                        ? Json(nullptr)
                        : Json(program.protocol.processes[channel.reader].name)}});
  }
  json["worst_case_log10"] = worst_case_log10(program.protocol);
  return dump(json);
}

std::string show_rules(const Program& program) {
  std::string out = fmt::format("{} rules\n", program.rules.size());
  for (RuleId id = 0; id < program.rules.size(); ++id) {
    const Rule& rule = program.rules[id];
    out += fmt::format("{:>4}  {}\n      when {}\n      then {}\n", id, rule.text,
                       rule_conditions(program, rule), rule_effects(program, rule));
  }
  return out;
}

std::string show_rules_json(const Program& program) {
  Json rules = Json::array();
  const Protocol& protocol = program.protocol;
  for (RuleId id = 0; id < program.rules.size(); ++id) {
    const Rule& rule = program.rules[id];
    const Footprint foot = footprint(program, rule);
    const auto variables = [&](const std::vector<VariableId>& list) {
      Json names = Json::array();
      for (const VariableId v : list) names.push_back(protocol.variables[v].name);
      return names;
    };
    const auto channel = [&](ChannelId c) {
      return c == none ? Json(nullptr) : Json(protocol.channels[c].name);
    };
    rules.push_back({{"rule", id},
                     {"process", protocol.processes[rule.process].name},
                     {"class", rule.rule_class},
                     {"text", rule.text},
                     {"when", rule_conditions(program, rule)},
                     {"then", rule_effects(program, rule)},
                     {"reads", variables(foot.reads)},
                     {"writes", variables(foot.writes)},
                     {"sends_to", channel(foot.sends_to)},
                     {"receives_from", channel(foot.receives_from)}});
  }
  return dump({{"schema", "panoptes-rules-1"}, {"rules", rules}});
}

std::string show_layout(const Program& program) {
  std::string out = fmt::format("{} bits in {} {} of 64\n", program.layout.bits,
                                program.layout.words, program.layout.words == 1 ? "word" : "words");
  std::size_t name_width = 0, kind_width = 0;
  for (const Part& part : parts(program)) {
    name_width = std::max(name_width, part.name.size());
    kind_width = std::max(kind_width, part.kind.size());
  }
  for (const Part& part : parts(program))
    out += fmt::format("  {:<{}}  {:<{}}  word {:<2}  bits {:>2}..{:<2}  {:>2} bits  {}\n",
                       part.name, name_width, part.kind, kind_width, part.word, part.shift,
                       part.bits == 0 ? part.shift : part.shift + part.bits - 1, part.bits,
                       part.values);
  return out;
}

std::string show_layout_json(const Program& program) {
  Json list = Json::array();
  for (const Part& part : parts(program))
    list.push_back({{"name", part.name},
                    {"kind", part.kind},
                    {"word", part.word},
                    {"shift", part.shift},
                    {"bits", part.bits},
                    {"values", part.values}});
  return dump({{"schema", "panoptes-layout-1"},
               {"bits", program.layout.bits},
               {"words", program.layout.words},
               {"parts", list}});
}

}  // namespace panoptes
