// SPDX-License-Identifier: Apache-2.0
// A table of rules made by hand, without any language: what no front end says yet can be tried.
// Throws where it does not fit.
#pragma once

#include <fmt/format.h>

#include <algorithm>
#include <deque>
#include <stdexcept>
#include <string>
#include <tuple>
#include <utility>
#include <vector>

#include "rules/make_error_table.hpp"
#include "rules/program.hpp"

namespace panoptes::test {

class Table {
 public:
  Expressions& pool() { return protocol_.expressions; }

  // With so many control states, at first in 0.
  ProcessId process(const std::string& name, std::size_t states) {
    Process process;
    process.name = process.declaration = name;
    process.automaton.labels.resize(states);
    process.automaton.places.resize(states);
    for (StateId s = 0; s < states; ++s) {
      ControlState& state = process.automaton.states.emplace_back();
      state.name = std::to_string(s);
      state.merged = {s};
    }
    protocol_.processes.push_back(std::move(process));
    return static_cast<ProcessId>(protocol_.processes.size() - 1);
  }

  VariableId variable(const std::string& name, Interval range, std::int64_t initial = 0) {
    protocol_.variables.push_back({name, {}, none, range, initial, range});
    return static_cast<VariableId>(protocol_.variables.size() - 1);
  }

  // The first of so many variables.
  VariableId array(const std::string& name, std::uint32_t length, Interval range,
                   std::int64_t initial = 0) {
    const auto first = static_cast<VariableId>(protocol_.variables.size());
    for (std::uint32_t i = 0; i < length; ++i)
      variable(fmt::format("{}[{}]", name, i), range, initial);
    return first;
  }

  ChannelId channel(const std::string& name, std::uint32_t capacity, std::vector<MessageType> sort,
                    std::vector<InitialContent> contents = {}) {
    Channel channel;
    channel.name = name;
    channel.capacity = channel.declared_capacity = capacity;
    channel.contents = std::move(contents);
    channel.sort = std::move(sort);
    protocol_.channels.push_back(std::move(channel));
    return static_cast<ChannelId>(protocol_.channels.size() - 1);
  }

  // Internal, until it is told otherwise. What it gives is good until make().
  Rule& rule(ProcessMoves moves, const std::string& text, std::uint32_t rule_class = 0) {
    Rule& rule = rules_.emplace_back().second;
    rules_.back().first = rule_class;
    rule.moves = std::move(moves);
    rule.text = text;
    return rule;
  }
  // Puts the last rule there was into another class.
  void of_class(std::uint32_t rule_class) { rules_.back().first = rule_class; }
  Rule& send(ProcessMoves moves, ChannelId channel, std::uint32_t tag,
             std::vector<ExpressionId> values = {}) {
    const Channel& to = protocol_.channels[channel];
    Rule& made = rule(std::move(moves), fmt::format("{}!{}", to.name, to.sort[tag - 1].name));
    made.kind = ActionKind::send;
    made.channel = channel;
    made.tag = tag;
    made.values = std::move(values);
    return made;
  }
  Rule& receive(ProcessMoves moves, ChannelId channel, std::uint32_t tag,
                std::uint32_t position = 0) {
    Channel& from = protocol_.channels[channel];
    const ProcessId reader = moves.front().process;
    if (std::find(from.readers.begin(), from.readers.end(), reader) == from.readers.end())
      from.readers.push_back(reader);
    Rule& made = rule(std::move(moves), fmt::format("{}?{}", from.name, from.sort[tag - 1].name));
    made.kind = ActionKind::receive;
    made.channel = channel;
    made.tag = tag;
    made.position = position;
    return made;
  }

  Program make(OverflowPolicy overflow = OverflowPolicy::wait) {
    Program program;
    program.overflow = overflow;
    std::string problem;
    auto layout = make_layout(protocol_, problem);
    if (!layout) throw std::runtime_error(problem);
    program.layout = std::move(*layout);
    std::stable_sort(rules_.begin(), rules_.end(), [](const auto& a, const auto& b) {
      const auto key = [](const auto& entry) {
        return std::tuple(entry.first, entry.second.owner().process, entry.second.owner().from);
      };
      return key(a) < key(b);
    });
    for (auto& entry : rules_) {
      Rule& rule = entry.second;
      rule.statements = {static_cast<StatementId>(protocol_.statements.size())};
      rule.origins = {{rule.owner().from, rule.owner().to, rule.statements}};
      protocol_.statements.push_back(
          {{}, protocol_.processes[rule.owner().process].name, rule.text});
    }
    program.protocol = std::move(protocol_);
    program.families = families_of(program.protocol);
    add_rules(program);
    fill(program);
    make_error_table(program);
    return program;
  }

 private:
  // A round for each class.
  void add_rules(Program& program) {
    for (const Process& process : program.protocol.processes)
      program.control.emplace_back(process.automaton.states.size());
    const std::uint32_t classes = rules_.empty() ? 1 : rules_.back().first + 1;
    for (auto& states : program.control)
      for (ControlInfo& info : states) info.rules.resize(classes);
    program.rounds.resize(classes);
    for (std::uint32_t round = 0; round < classes; ++round) {
      program.rounds[round].rule_class = round;
      program.rounds[round].first = next_id(program);
      for (auto& [rule_class, rule] : rules_) {
        if (rule_class != round) continue;
        RuleRange& range = program.control[rule.owner().process][rule.owner().from].rules[round];
        if (range.first == range.end) range.first = next_id(program);
        program.rules.push_back(std::move(rule));
        range.end = next_id(program);
      }
      program.rounds[round].end = next_id(program);
    }
  }
  static RuleId next_id(const Program& program) {
    return static_cast<RuleId>(program.rules.size());
  }

  static void fill(Program& program) {
    const Layout& layout = program.layout;
    program.initial.assign(layout.words, 0);
    for (VariableId v = 0; v < layout.variables.size(); ++v)
      if (!write(layout.variables[v], program.protocol.variables[v].initial, program.initial))
        throw std::runtime_error("an initial value is outside its range");
    for (ChannelId c = 0; c < layout.channels.size(); ++c) {
      std::uint32_t at = 0;
      for (const InitialContent& content : program.protocol.channels[c].contents)
        put(program, c, at++, content);
    }
  }
  static void put(Program& program, ChannelId c, std::uint32_t at, const InitialContent& content) {
    const ChannelLayout& layout = program.layout.channels[c];
    Word message = 0;
    for (std::uint32_t tag = 1; tag <= layout.tags.size(); ++tag)
      if (program.protocol.channels[c].sort[tag - 1].name == content.name) message = tag;
    for (std::size_t i = 0; i < content.values.size(); ++i) {
      const ValueField& field = layout.tags[message % (Word{1} << layout.tag_bits) - 1][i];
      message |= static_cast<Word>(content.values[i] - field.minimum) << field.shift;
    }
    for (const ChannelPiece& piece : layout.pieces) {
      if (at < piece.slots) {
        program.initial[piece.word] |= message << (piece.shift + at * layout.slot_bits);
        return;
      }
      at -= piece.slots;
    }
  }

  Protocol protocol_;
  std::deque<std::pair<std::uint32_t, Rule>> rules_;  // with their classes
};

}  // namespace panoptes::test
