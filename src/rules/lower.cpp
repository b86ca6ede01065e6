// SPDX-License-Identifier: Apache-2.0
#include "rules/lower.hpp"

#include <bit>
#include <map>

#include "rules/lower_errors.hpp"
#include "rules/lower_expression.hpp"
#include "rules/program.hpp"

namespace panoptes {
namespace {

using Kind = WordStep::Kind;
using Otherwise = WordStep::Otherwise;

BitField whole(const ChannelLayout& channel, const ChannelPiece& piece) {
  return {piece.word, piece.shift, piece.slots * channel.slot_bits};
}

BitField field_of(const Slot& slot) { return {slot.word, slot.shift, slot.bits}; }

class Lowering {
 public:
  explicit Lowering(const Program& program)
      : program_(program), layout_(program.layout), expressions_(program, out_), heads_(program) {}

  Lowered run() {
    out_.words = layout_.words;
    out_.bits = layout_.bits;
    out_.initial = program_.initial;
    out_.most_successors = most_successors(program_);
    const bool is_waited_for = program_.has_quiet_timeouts();
    for (const Rule& rule : program_.rules) {
      const std::size_t first = out_.steps.size();
      lower_rule(rule);
      out_.rules.push_back({static_cast<std::uint32_t>(first),
                            static_cast<std::uint32_t>(out_.steps.size()), rule.ends_inside,
                            is_waited_for && is_exchange(rule)});
    }
    for (std::size_t round = 0; round < program_.rounds.size(); ++round) add_round(round);
    add_alarms(program_, expressions_, out_);
    return std::move(out_);
  }

 private:
  WordStep& step(Kind kind) {
    out_.steps.push_back({.kind = kind});
    return out_.steps.back();
  }

  void lower_rule(const Rule& rule) {
    taken_ = {};
    if (rule.kind == ActionKind::receive) taken_ = {rule.channel, rule.position, rule.tag};
    add_tests(rule);
    if (!add_checks(rule)) return;
    step(Kind::copy);
    if (rule.kind == ActionKind::receive) take(layout_.channels[rule.channel], rule.position);
    if (rule.kind == ActionKind::send) send(rule, layout_.channels[rule.channel]);
    for (const Assignment& a : rule.assignments) assign(a);
    for (const AssertionMove& move : rule.assertion_moves) {
      WordStep& moved = step(Kind::look_up);
      moved.at = field_of(layout_.assertions[move.assertion]);
      moved.expression = table_of(move);
    }
    for (const ProcessMove& move : rule.moves) {
      const Slot& control = layout_.control[move.process];
      add((static_cast<Word>(move.to) - static_cast<Word>(move.from)) << control.shift,
          field_of(control));
    }
  }

  // ---- tests -----------------------------------------------------------------------------------

  void add_tests(const Rule& rule) {
    // Where its own process is, a rule is tried; the others may be anywhere.
    for (std::size_t i = 1; i < rule.moves.size(); ++i) {
      WordStep& other = step(Kind::equal);
      other.at = field_of(layout_.control[rule.moves[i].process]);
      other.constant = rule.moves[i].from;
    }
    if (rule.kind == ActionKind::receive || rule.kind == ActionKind::timeout) {
      WordStep& head = step(Kind::equal);
      head.at = tag_field(layout_.channels[rule.channel], taken_.position);
      head.constant = taken_.tag;
    }
    for (const ExpressionId condition : rule.conditions) add_test(condition, Otherwise::disabled);
    if (rule.kind == ActionKind::send && program_.overflow == OverflowPolicy::wait)
      add_room_test(rule.channel, Otherwise::disabled);
  }

  // Those of assertions are part of their moves. False where the rule never fires into a successor.
  bool add_checks(const Rule& rule) {
    const Expressions& pool = program_.protocol.expressions;
    for (const StepCheck& check :
         program_.errors.checks_of(static_cast<RuleId>(&rule - program_.rules.data()))) {
      if (check.assertion != none) continue;
      const ExpressionNode& holds = pool[check.holds];
      if (holds.op == Op::constant && holds.value == 0) {
        step(Kind::fail);
        return false;
      }
      if (holds.op == Op::logical_not && pool[holds.a].op == Op::full)
        add_room_test(pool[holds.a].a, Otherwise::failure);
      else
        add_test(check.holds, Otherwise::failure);
    }
    return true;
  }

  void add_room_test(ChannelId channel, Otherwise otherwise) {
    const ChannelLayout& layout = layout_.channels[channel];
    if (layout.pieces.empty()) return;
    WordStep& last = step(Kind::equal);
    last.at = tag_field(layout, layout.last_slot);
    last.otherwise = otherwise;
  }

  void add_test(ExpressionId expression, Otherwise otherwise) {
    const std::uint32_t node = expressions_.node(expression, taken_);
    WordStep& test = step(Kind::holds);
    test.expression = node;
    test.otherwise = otherwise;
  }

  // ---- the successor ---------------------------------------------------------------------------

  void add(Word constant, BitField at) {
    if (constant == 0 || at.bits == 0) return;
    WordStep& added = step(Kind::add);
    added.at = at;
    added.constant = constant;
  }

  // What a put and a pack have in common.
  void fit(WordStep& step, std::uint32_t node, std::int64_t minimum, std::int64_t maximum) {
    const Interval bound = expressions_.bound(node);
    step.expression = node;
    step.minimum = minimum;
    step.constant = static_cast<Word>(maximum - minimum);
    step.may_exceed = bound.low < minimum || bound.high > maximum;
  }

  void assign(const Assignment& a) {
    const Slot& slot = layout_.variables[a.variable];
    WordStep put{.kind = Kind::put};
    put.at = field_of(slot);
    if (a.index != none) {
      put.kind = Kind::put_element;
      put.at = {0, 0, slot.bits};
      put.up = expressions_.node(a.index, taken_);
      put.by = expressions_.array_table(a.variable, a.length);
    }
    fit(put, expressions_.node(a.value, taken_), slot.minimum, slot.maximum);
    if (slot.bits > 0 || put.may_exceed || a.index != none)
      out_.steps.push_back(put);
    else
      evaluate(put.expression);
  }

  void evaluate(std::uint32_t node) {
    if (out_.nodes[node].can_fail) step(Kind::evaluate).expression = node;
  }

  // By number of the subset, where the assertion moves to.
  std::uint32_t table_of(const AssertionMove& move) {
    const auto [found, fresh] =
        tables_.try_emplace({move.assertion, move.symbol}, out_.tables.size());
    if (fresh) {
      auto& table = out_.tables.emplace_back();
      for (const auto& row : program_.protocol.assertions[move.assertion].next)
        table.push_back(row[move.symbol]);
    }
    return static_cast<std::uint32_t>(found->second);
  }

  // ---- channels --------------------------------------------------------------------------------

  // Every message behind it moves one slot towards the head, with a carry from piece to piece.
  void take(const ChannelLayout& channel, std::uint32_t position) {
    for (std::size_t i = 0; i < channel.pieces.size(); ++i) {
      ChannelPiece piece = channel.pieces[i];
      const std::uint32_t stay = std::min(position, piece.slots);
      position -= stay;
      piece.slots -= stay;
      piece.shift += stay * channel.slot_bits;
      if (piece.slots == 0) continue;
      WordStep& shift = step(Kind::shift);
      shift.at = whole(channel, piece);
      shift.by = piece.slots == 1 ? 0 : channel.slot_bits;
      if (i + 1 == channel.pieces.size()) continue;
      const ChannelPiece& next = channel.pieces[i + 1];
      shift.from = {next.word, next.shift,
                    static_cast<std::uint32_t>(std::bit_width(piece.carry_mask))};
      shift.up = piece.shift + (piece.slots - 1) * channel.slot_bits;
    }
  }

  void send(const Rule& rule, const ChannelLayout& channel) {
    std::vector<std::uint32_t> values;
    for (const ExpressionId id : rule.values) values.push_back(expressions_.node(id, taken_));
    if (channel.pieces.empty()) {
      for (const std::uint32_t value : values) evaluate(value);
      return;
    }
    // What is constant of it needs no step of its own.
    Word message = rule.tag;
    std::vector<WordStep> packs;
    for (std::size_t i = 0; i < values.size(); ++i) {
      const ValueField& field = channel.tags[rule.tag - 1][i];
      WordStep pack{.kind = Kind::pack};
      pack.up = field.shift;
      fit(pack, values[i], field.minimum, field.maximum);
      const LoweredNode& node = out_.nodes[values[i]];
      if (node.op == Op::constant && !pack.may_exceed)
        message |= static_cast<Word>(node.value - field.minimum) << field.shift;
      else
        packs.push_back(pack);
    }
    const ChannelPiece& head = channel.pieces.front();
    if (packs.empty() && channel.pieces.size() == 1 && head.slots == 1) {
      add(message << head.shift, whole(channel, head));
      return;
    }
    step(Kind::message).constant = message;
    out_.steps.insert(out_.steps.end(), packs.begin(), packs.end());
    append(channel);
  }

  // At the first vacant slot: in the first piece whose last slot has no tag.
  void append(const ChannelLayout& channel) {
    for (const ChannelPiece& piece : channel.pieces) {
      WordStep& append = step(Kind::append);
      append.at = whole(channel, piece);
      append.by = piece.slots == 1 ? 0 : channel.slot_bits;
      if (&piece != &channel.pieces.back())
        append.from = {piece.word, piece.shift + (piece.slots - 1) * channel.slot_bits,
                       channel.tag_bits};
    }
  }

  // ---- rounds ----------------------------------------------------------------------------------

  void add_round(std::size_t number) {
    LoweredRound round;
    round.waits_for_awaited = program_.rounds[number].waits_for_exchanges;
    round.is_last_resort =
        !round.waits_for_awaited && program_.rounds[number].rule_class > last_class_;
    for (ProcessId p = 0; p < program_.control.size(); ++p) {
      LoweredProcess process;
      process.control = field_of(layout_.control[p]);
      bool does_nothing = true;
      for (StateId s = 0; s < program_.control[p].size(); ++s) {
        const ControlInfo& info = program_.at(p, s);
        LoweredControl state;
        state.first = info.rules[number].first;
        state.end = info.rules[number].end;
        if (number == 0) heads_.add(p, s, state, out_);
        does_nothing &= state.does_nothing();
        process.states.push_back(state);
      }
      if (!does_nothing) round.processes.push_back(std::move(process));
    }
    if (round.processes.empty()) return;
    last_class_ = program_.rounds[number].rule_class;
    out_.rounds.push_back(std::move(round));
  }

  const Program& program_;
  const Layout& layout_;
  Lowered out_;
  ExpressionLowering expressions_;
  WaitingHeads heads_;
  TakenMessage taken_;            // by the rule
  std::uint32_t last_class_ = 0;  // of the round before
  std::map<std::pair<std::uint32_t, std::uint32_t>, std::size_t> tables_;
};

}  // namespace

Lowered lower(const Program& program) { return Lowering(program).run(); }

}  // namespace panoptes
