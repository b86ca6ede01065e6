// SPDX-License-Identifier: Apache-2.0
// Every vector that is a state of a small program, whether or not it can be reached, and what the
// interpreter says of it: an answer to all questions about sets of states, by looking.
#pragma once

#include <algorithm>
#include <cstdint>
#include <map>
#include <utility>
#include <vector>

#include "backward/certificate.hpp"
#include "backward/rule_conditions.hpp"
#include "step/interpreter.hpp"

namespace panoptes::backward {

class EveryState {
 public:
  // Keeps a copy of the program. Nothing is looked at where there are more than `most`.
  EveryState(const Program& program, std::size_t most)
      : program_(program), conditions_(program_), interpreter_(program_) {
    for (const auto* slots :
         {&program_.layout.control, &program_.layout.variables, &program_.layout.assertions})
      for (const Slot& slot : *slots) sizes_.push_back(size_of(slot.minimum, slot.maximum));
    has_alone_ = has_indivisible(program_);
    std::size_t alone = has_alone_ ? program_.control.size() + 1 : 1;
    for (const std::size_t size : sizes_) alone = product(alone, size, most);
    for (const ChannelLayout& channel : program_.layout.channels) {
      if (alone > most) return;
      contents_.push_back(contents_of(channel, most));
      alone = product(alone, contents_.back().size(), most);
    }
    if (alone > most) return;
    is_complete_ = true;
    States::value_type state;
    enumerate(0, state);
    for (std::uint32_t i = 0; i < states_.size(); ++i) numbers_.emplace(words_of(states_[i]), i);
    for (std::uint32_t i = 0; i < states_.size(); ++i) look_at(i);
  }

  bool is_complete() const { return is_complete_; }
  std::size_t size() const { return states_.size(); }
  // Without who moves alone.
  std::vector<Word> words(std::size_t state) const { return words_of(states_[state]).first; }
  bool is_in(const Claim& claim, const ClaimSpace& space, std::size_t state) const {
    return contains(claim, space, states_[state]);
  }
  struct Step {
    RuleId rule;  // none: of waiting
    std::uint32_t next;
  };
  const std::vector<Step>& steps(std::size_t state) const { return looks_[state].next; }

  // No initial state is in the claims, no step leads into them from outside of them, and outside of
  // them nothing shows a target.
  bool proves(const Certificate& certificate, const ClaimSpace& space) const {
    std::vector<bool> is_out(states_.size());
    for (std::size_t i = 0; i < states_.size(); ++i)
      for (const Claim& claim : certificate.excluded)
        if (!is_out[i]) is_out[i] = contains(claim, space, states_[i]);
    if (is_out[numbers_.at({{program_.initial.begin(), program_.initial.end()}, 0})]) return false;
    for (std::size_t i = 0; i < states_.size(); ++i) {
      if (is_out[i]) continue;
      for (const Step& step : looks_[i].next)
        if (is_out[step.next]) return false;
      for (const Target& target : certificate.targets)
        if (shows(i, target)) return false;
    }
    return true;
  }

 private:
  using Content = std::vector<Message>;
  // Numbers of control states, variables and assertions; contents of channels; who moves alone.
  struct State {
    std::vector<std::int64_t> numbers;
    std::vector<std::size_t> contents;
    std::int64_t alone = 0;
  };
  using States = std::vector<State>;
  using Key = std::pair<std::vector<Word>, std::int64_t>;
  struct Look {
    std::vector<RuleId> moving;  // may be taken there, be it into an error
    std::vector<Step> next;
  };

  static std::size_t size_of(std::int64_t low, std::int64_t high) {
    return static_cast<std::size_t>(high - low) + 1;
  }
  static std::size_t product(std::size_t left, std::size_t right, std::size_t most) {
    return left > most || right > most ? most + 1 : left * right;
  }

  // All that can be in a channel, or more than `most`.
  static std::vector<Content> contents_of(const ChannelLayout& channel, std::size_t most) {
    std::vector<Content> all{{}};
    for (std::size_t from = 0, length = 0; length < channel.slots(); ++length) {
      const std::size_t end = all.size();
      for (; from < end && all.size() <= most; ++from)
        for (std::uint32_t tag = 1; tag <= channel.tags.size(); ++tag)
          add_messages(channel.tags[tag - 1], all[from], {tag, {}}, most, all);
    }
    return all;
  }
  static void add_messages(const std::vector<ValueField>& fields, Content before, Message message,
                           std::size_t most, std::vector<Content>& all) {
    if (all.size() > most) return;
    if (message.values.size() == fields.size()) {
      before.push_back(std::move(message));
      all.push_back(std::move(before));
      return;
    }
    const ValueField& field = fields[message.values.size()];
    for (std::int64_t value = field.minimum; value <= field.maximum; ++value) {
      Message more = message;
      more.values.push_back(value);
      add_messages(fields, before, std::move(more), most, all);
    }
  }

  void enumerate(std::size_t place, State& state) {
    if (place < sizes_.size()) {
      for (std::size_t i = 0; i < sizes_[place]; ++i) {
        state.numbers.push_back(slot(place).minimum + static_cast<std::int64_t>(i));
        enumerate(place + 1, state);
        state.numbers.pop_back();
      }
    } else if (place < sizes_.size() + contents_.size()) {
      for (std::size_t i = 0; i < contents_[place - sizes_.size()].size(); ++i) {
        state.contents.push_back(i);
        enumerate(place + 1, state);
        state.contents.pop_back();
      }
    } else {
      for (state.alone = 0; state.alone <= (has_alone_ ? last_process() : 0); ++state.alone)
        states_.push_back(state);
    }
  }
  std::int64_t last_process() const { return static_cast<std::int64_t>(program_.control.size()); }
  const Slot& slot(std::size_t place) const {
    const Layout& layout = program_.layout;
    if (place < layout.control.size()) return layout.control[place];
    place -= layout.control.size();
    if (place < layout.variables.size()) return layout.variables[place];
    return layout.assertions[place - layout.variables.size()];
  }

  Key words_of(const State& state) const {
    std::vector<Word> words(program_.layout.words);
    for (std::size_t i = 0; i < state.numbers.size(); ++i) write(slot(i), state.numbers[i], words);
    for (ChannelId c = 0; c < contents_.size(); ++c) {
      std::uint32_t at = 0;
      for (const Message& message : contents_[c][state.contents[c]])
        put(program_.layout.channels[c], at++, message, words);
    }
    return {std::move(words), state.alone};
  }
  static void put(const ChannelLayout& channel, std::uint32_t at, const Message& message,
                  std::vector<Word>& words) {
    Word bits = message.tag;
    for (std::size_t v = 0; v < message.values.size(); ++v) {
      const ValueField& field = channel.tags[message.tag - 1][v];
      bits |= static_cast<Word>(message.values[v] - field.minimum) << field.shift;
    }
    for (const ChannelPiece& piece : channel.pieces) {
      if (at < piece.slots) {
        words[piece.word] |= bits << (piece.shift + at * channel.slot_bits);
        return;
      }
      at -= piece.slots;
    }
  }

  // What step/turn.hpp and Interpreter::expand() do, rule by rule: a value that does not fit is a
  // fault there, and no successor here.
  void look_at(std::uint32_t number) {
    const auto [words, alone] = words_of(states_[number]);
    Look& look = looks_.emplace_back();
    std::uint32_t exchanges = 0, rule_class = 0;
    for (std::size_t round = 0; round < program_.rounds.size(); ++round) {
      const RuleRound& of = program_.rounds[round];
      if (alone != 0 && of.rule_class > 0) break;
      if (of.waits_for_exchanges) {
        if (exchanges > 0) continue;
      } else if (of.rule_class > rule_class && !look.moving.empty()) {
        break;
      }
      rule_class = of.rule_class;
      for (RuleId rule = of.first; rule < of.end; ++rule) {
        if (alone != 0 && program_.rules[rule].owner().process != alone - 1) continue;
        if (fire(rule, words, look) && is_exchange(program_.rules[rule])) ++exchanges;
      }
    }
    if (alone != 0 && look.moving.empty()) look.next.push_back({none, numbers_.at({words, 0})});
  }
  bool fire(RuleId rule, const std::vector<Word>& words, Look& look) const {
    StateWords next;
    std::vector<Finding> findings;
    try {
      const auto firing = interpreter_.fire(rule, words, next, findings);
      if (firing == Interpreter::Firing::disabled) return false;
      if (firing == Interpreter::Firing::successor)
        look.next.push_back(
            {rule, numbers_.at({{next.begin(), next.end()},
                                number_of_loner(alone_after(program_.rules[rule]))})});
    } catch (const InternalFault&) {
    }
    look.moving.push_back(rule);
    return true;
  }

  // ---- claims and targets -----------------------------------------------------------------------

  bool contains(const Claim& claim, const ClaimSpace& space, const State& state) const {
    for (std::size_t i = 0; i < state.numbers.size(); ++i)
      if (!space.number(claim, i).contains(state.numbers[i])) return false;
    if (has_alone_ && !space.number(claim, space.alone()).contains(state.alone)) return false;
    for (ChannelId c = 0; c < contents_.size(); ++c) {
      const ChannelClaim& said = space.channel(claim, c);
      const Content& content = contents_[c][state.contents[c]];
      if (content.size() < said.shortest() || content.size() > said.longest()) return false;
      for (std::size_t i = 0; i < said.known.size(); ++i) {
        if (!said.known[i].tags.contains(content[i].tag)) return false;
        for (std::size_t v = 0; v < said.known[i].values.size(); ++v)
          if (!said.known[i].values[v].contains(content[i].values[v])) return false;
      }
    }
    return true;
  }

  bool moves(const Look& look, ProcessId process) const {
    return std::any_of(look.moving.begin(), look.moving.end(),
                       [&](RuleId rule) { return program_.rules[rule].moves_process(process); });
  }
  bool holds(ExpressionId expression, StateView words) const {
    const Evaluation found = interpreter_.value(expression, words);
    return found.fault == Fault::absent && found.value != 0;
  }

  bool shows(std::size_t number, const Target& target) const {
    const State& state = states_[number];
    const Look& look = looks_[number];
    if (target.rule != none &&
        std::find(look.moving.begin(), look.moving.end(), target.rule) == look.moving.end())
      return false;
    if (target.rule == none && state.alone != 0) return false;
    const std::vector<Word> words = words_of(state).first;
    if (target.rule != none) {
      for (const RuleConditions::Failure& failure : conditions_.failures(target.rule)) {
        const bool is_meant = failure.check == nullptr
                                  ? target.has_no_value
                                  : !target.has_no_value && failure.check->kind == target.kind &&
                                        failure.check->assertion == target.assertion;
        if (is_meant && holds(failure.condition, words)) return true;
      }
      return false;
    }
    if (target.process != none && state.numbers[target.process] != target.state) return false;
    for (ProcessId p = 0; p < target.control.size(); ++p)
      if (state.numbers[p] != target.control[p]) return false;
    return std::any_of(program_.errors.states.begin(), program_.errors.states.end(),
                       [&](const StateError& row) { return shows(row, target, look, words); });
  }
  bool shows(const StateError& row, const Target& target, const Look& look, StateView words) const {
    if (row.kind != target.kind || row.process != target.process || row.channel != target.channel ||
        row.assertion != target.assertion || !target.is_of(row))
      return false;
    if (row.channel != none) {
      const std::uint32_t tag = head_tag(program_.layout.channels[row.channel], words);
      if (tag == 0 || (target.tag != 0 && tag != target.tag)) return false;
    }
    const ExpressionId predicate =
        row.process == none ? row.predicate : row.predicate_at(target.state);
    if (predicate == none || !holds(predicate, words)) return false;
    if (row.idle == Idle::everybody) return look.moving.empty();
    return row.idle != Idle::process || !moves(look, row.process);
  }

  Program program_;
  RuleConditions conditions_;
  Interpreter interpreter_;
  std::vector<std::size_t> sizes_;              // by number
  std::vector<std::vector<Content>> contents_;  // by channel
  bool has_alone_ = false, is_complete_ = false;
  States states_;
  std::map<Key, std::uint32_t> numbers_;
  std::vector<Look> looks_;
};

}  // namespace panoptes::backward
