// SPDX-License-Identifier: Apache-2.0
// Tables of rules made by hand, word for word.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include "rules/lower.hpp"
#include "rules/lowered_c.hpp"
#include "rules/make_error_table.hpp"
#include "rules/program.hpp"

namespace panoptes {
namespace {

// One process of four control states in bits 0 and 1 of word 0, with a rule from state 1 to state 3
// in round 0.
Program one_process() {
  Program program;
  program.layout.words = 2;
  program.layout.control = {{0, 0, 2, 0, 3}};
  program.control = {std::vector<ControlInfo>(4)};
  program.rounds = {{{0, 1}, 0}};
  for (ControlInfo& info : program.control[0]) info.rules.resize(1);
  program.control[0][1].rules = {{0, 1}};
  program.rules.resize(1);
  program.rules[0].moves = {{0, 1, 3}};
  program.initial = {0, 0};
  return program;
}

// A channel of slots of five bits: a tag of two and a value 1..8 of three.
ChannelId add_channel(Program& program, std::vector<ChannelPiece> pieces) {
  ChannelLayout layout;
  layout.tag_bits = 2;
  layout.slot_bits = 5;
  for (ChannelPiece& piece : pieces) {
    piece.mask = ((Word{1} << 5 * piece.slots) - 1) << piece.shift;
    piece.carry_mask = layout.slot_mask();
    layout.last_slot += piece.slots;
  }
  if (!pieces.empty()) --layout.last_slot;
  layout.pieces = std::move(pieces);
  layout.tags = {{{2, 3, 1, 8}}, {}};
  program.layout.channels.push_back(layout);
  Channel channel;
  channel.capacity = layout.last_slot + 1;
  channel.is_sink = layout.pieces.empty();
  program.protocol.channels.push_back(channel);
  return static_cast<ChannelId>(program.layout.channels.size() - 1);
}

VariableId add_variable(Program& program, const Slot& slot) {
  program.layout.variables.push_back(slot);
  return static_cast<VariableId>(program.layout.variables.size() - 1);
}

std::string text(const BitField& at) {
  return at.bits == 0 ? "nothing" : fmt::format("{}:{}+{}", at.word, at.shift, at.bits);
}

std::string text(const Lowered& lowered, std::uint32_t id) {
  const LoweredNode& node = lowered.nodes[id];
  switch (node.op) {
    case Op::constant: return fmt::format("{}", node.value);
    case Op::variable: return fmt::format("[{}]{:+}", text(node.at), node.value);
    case Op::full: return fmt::format("full [{}]", text(node.at));
    case Op::empty: return fmt::format("empty [{}]", text(node.at));
    case Op::length: {
      std::string out = "count";
      for (std::uint32_t tag = node.a; tag < node.b; ++tag)
        out += fmt::format(" [{}]", text(lowered.tags[tag]));
      return out;
    }
    case Op::element:
      return fmt::format("table {}[{} of {}]+{}{:+}", node.b, text(lowered, node.a), node.high,
                         node.at.bits, node.value);
    case Op::bound:
      return fmt::format("bound({}, {}..{})", text(lowered, node.a), node.value, node.high);
    case Op::wrap:
      return fmt::format("wrap({}, {}..{})", text(lowered, node.a), node.value, node.high);
    default:
      return fmt::format("op{}({}{})", static_cast<int>(node.op), text(lowered, node.a),
                         node.b == none ? "" : ", " + text(lowered, node.b));
  }
}

std::string text(const Lowered& lowered, const WordStep& step) {
  using Kind = WordStep::Kind;
  const std::string otherwise =
      step.otherwise == WordStep::Otherwise::failure ? "else fail" : "else skip";
  const auto fitted = [&] {
    return fmt::format("{} - {}{}", text(lowered, step.expression), step.minimum,
                       step.may_exceed ? fmt::format(" to {}", step.constant) : "");
  };
  switch (step.kind) {
    case Kind::equal: return fmt::format("{} == {} {}", text(step.at), step.constant, otherwise);
    case Kind::holds: return fmt::format("{} {}", text(lowered, step.expression), otherwise);
    case Kind::fail: return "fail";
    case Kind::copy: return "copy";
    case Kind::evaluate: return "evaluate " + text(lowered, step.expression);
    case Kind::add:
      return fmt::format("{} += {}", step.at.word, static_cast<std::int64_t>(step.constant));
    case Kind::put: return fmt::format("{} = {}", text(step.at), fitted());
    case Kind::put_element:
      return fmt::format("table {}[{}]+{} = {}", step.by, text(lowered, step.up), step.at.bits,
                         fitted());
    case Kind::shift:
      return fmt::format("{} >>= {}, {} << {}", text(step.at), step.by, text(step.from), step.up);
    case Kind::look_up: return fmt::format("{} = table {}", text(step.at), step.expression);
    case Kind::message: return fmt::format("message = {}", step.constant);
    case Kind::pack: return fmt::format("message[{}] = {}", step.up, fitted());
    case Kind::append:
      return fmt::format("append to {} by {} unless {}", text(step.at), step.by, text(step.from));
  }
  return {};
}

using Steps = std::vector<std::string>;

Steps steps_of(Program& program, RuleId rule = 0) {
  make_error_table(program);
  const Lowered lowered = lower(program);
  Steps steps;
  for (std::uint32_t i = lowered.rules[rule].first; i < lowered.rules[rule].end; ++i)
    steps.push_back(text(lowered, lowered.steps[i]));
  return steps;
}

TEST(Lowered, MovesAProcessByOneAddition) {
  Program program = one_process();
  EXPECT_EQ(steps_of(program), (Steps{"copy", "0 += 2"}));
  program.layout.control[0].shift = 4;
  program.rules[0].moves = {{0, 3, 1}};
  EXPECT_EQ(steps_of(program), (Steps{"copy", "0 += -32"}));
  program.rules[0].moves = {{0, 3, 3}};
  EXPECT_EQ(steps_of(program), (Steps{"copy"}));
}

TEST(Lowered, PutsValuesIntoTheirBitsAndChecksThoseThatMayNotFit) {
  Program program = one_process();
  Expressions& pool = program.protocol.expressions;
  const VariableId x = add_variable(program, {0, 2, 3, -4, 3});
  const VariableId y = add_variable(program, {1, 60, 2, 0, 2});
  const VariableId fixed = add_variable(program, {0, 0, 0, 7, 7});
  const ExpressionId sum = pool.binary(Op::add, pool.variable(x), pool.variable(fixed));
  program.rules[0].conditions = {pool.variable(y)};
  program.rules[0].assignments = {{x, pool.wrap(sum, -4, 3)},
                                  {y, pool.wrap(pool.variable(y), 0, 5)},
                                  {y, pool.variable(x)},
                                  {fixed, pool.constant(7)},
                                  {fixed, pool.binary(Op::divide, sum, pool.variable(y))}};
  const std::string op_sum = fmt::format("op{}([0:2+3]-4, 7)", static_cast<int>(Op::add));
  EXPECT_EQ(steps_of(program), (Steps{"[1:60+2]+0 else skip", "copy",
                                      fmt::format("0:2+3 = wrap({}, -4..3) - -4", op_sum),
                                      "1:60+2 = [1:60+2]+0 - 0", "1:60+2 = [0:2+3]-4 - 0 to 2",
                                      fmt::format("nothing = op{}({}, [1:60+2]+0) - 7 to 0",
                                                  static_cast<int>(Op::divide), op_sum),
                                      "0 += 2"}));
}

TEST(Lowered, SendsAConstantToASingleSlotByOneAddition) {
  Program program = one_process();
  Expressions& pool = program.protocol.expressions;
  Rule& rule = program.rules[0];
  rule.kind = ActionKind::send;
  rule.channel = add_channel(program, {{1, 8, 1}});
  rule.tag = 1;
  rule.values = {pool.constant(3)};
  EXPECT_EQ(steps_of(program), (Steps{"1:8+2 == 0 else skip", "copy", "1 += 2304", "0 += 2"}));
  program.overflow = OverflowPolicy::error;
  rule.values = {pool.constant(9)};
  EXPECT_EQ(steps_of(program),
            (Steps{"1:8+2 == 0 else fail", "copy", "message = 1", "message[2] = 9 - 1 to 7",
                   "append to 1:8+5 by 0 unless nothing", "0 += 2"}))
      << "out of range";
}

TEST(Lowered, SendsToTheFirstPieceWithRoom) {
  Program program = one_process();
  Expressions& pool = program.protocol.expressions;
  const VariableId x = add_variable(program, {1, 60, 3, 1, 8});
  Rule& rule = program.rules[0];
  rule.kind = ActionKind::send;
  rule.channel = add_channel(program, {{0, 10, 3}, {1, 0, 1}});
  rule.tag = 1;
  rule.values = {pool.variable(x)};
  EXPECT_EQ(steps_of(program),
            (Steps{"1:0+2 == 0 else skip", "copy", "message = 1", "message[2] = [1:60+3]+1 - 1",
                   "append to 0:10+15 by 5 unless 0:20+2", "append to 1:0+5 by 0 unless nothing",
                   "0 += 2"}));
}

TEST(Lowered, SendsToASinkOnlyWhatMayHaveNoValue) {
  Program program = one_process();
  Expressions& pool = program.protocol.expressions;
  const VariableId x = add_variable(program, {1, 60, 3, 0, 7});
  Rule& rule = program.rules[0];
  rule.kind = ActionKind::send;
  rule.channel = add_channel(program, {});
  rule.tag = 1;
  rule.values = {pool.variable(x), pool.binary(Op::remainder, pool.constant(1), pool.variable(x))};
  EXPECT_EQ(
      steps_of(program),
      (Steps{"copy", fmt::format("evaluate op{}(1, [1:60+3]+0)", static_cast<int>(Op::remainder)),
             "0 += 2"}));
}

TEST(Lowered, ReceivesByShiftingPieceByPiece) {
  Program program = one_process();
  Expressions& pool = program.protocol.expressions;
  const VariableId x = add_variable(program, {0, 2, 3, 1, 8});
  Rule& rule = program.rules[0];
  rule.kind = ActionKind::receive;
  rule.channel = add_channel(program, {{0, 10, 3}, {1, 0, 1}});
  rule.tag = 1;
  rule.assignments = {{x, pool.field(rule.channel, 0, none)}};
  EXPECT_EQ(steps_of(program),
            (Steps{"0:10+2 == 1 else skip", "copy", "0:10+15 >>= 5, 1:0+5 << 20",
                   "1:0+5 >>= 0, nothing << 0", "0:2+3 = [0:12+3]+1 - 1", "0 += 2"}));
}

TEST(Lowered, AsksChannelsByTheirTags) {
  Program program = one_process();
  Expressions& pool = program.protocol.expressions;
  const ChannelId c = add_channel(program, {{0, 10, 2}, {1, 0, 1}});
  const ChannelId sink = add_channel(program, {});
  program.rules[0].conditions = {pool.ask(Op::full, c),     pool.ask(Op::empty, c),
                                 pool.ask(Op::length, c),   pool.ask(Op::full, sink),
                                 pool.ask(Op::empty, sink), pool.ask(Op::length, sink)};
  EXPECT_EQ(steps_of(program), (Steps{"full [1:0+2] else skip", "empty [0:10+2] else skip",
                                      "count [0:10+2] [0:15+2] [1:0+2] else skip", "0 else skip",
                                      "1 else skip", "0 else skip", "copy", "0 += 2"}));
}

TEST(Lowered, MovesAssertionsByTables) {
  Program program = one_process();
  program.layout.assertions = {{1, 5, 2, 0, 2}, {0, 0, 0, 0, 0}};
  program.protocol.assertions.resize(2);
  program.protocol.assertions[0].next = {{1, none}, {2, 0}, {none, 1}};
  program.protocol.assertions[1].next = {{0}};
  program.rules[0].assertion_moves = {{0, 1}, {1, 0}};
  program.rules.push_back(program.rules[0]);
  program.rules[1].assertion_moves = {{0, 1}, {0, 0}};
  EXPECT_EQ(steps_of(program, 0),
            (Steps{"copy", "1:5+2 = table 0", "nothing = table 1", "0 += 2"}));
  EXPECT_EQ(steps_of(program, 1), (Steps{"copy", "1:5+2 = table 0", "1:5+2 = table 2", "0 += 2"}));
  EXPECT_EQ(lower(program).tables,
            (std::vector<std::vector<std::uint32_t>>{{none, 0, 1}, {0}, {1, 2, none}}));
}

TEST(Lowered, FailsWhereAnIndexIsOutOfRangeOrACheckDoesNotHold) {
  Program program = one_process();
  Expressions& pool = program.protocol.expressions;
  program.rules[0].kind = ActionKind::bad_index;
  program.rules[0].conditions = {pool.constant(1)};
  EXPECT_EQ(steps_of(program), (Steps{"1 else skip", "fail"}));
  program.rules[0].kind = ActionKind::check;
  program.rules[0].check = pool.variable(add_variable(program, {1, 0, 1, 0, 1}));
  EXPECT_EQ(steps_of(program), (Steps{"1 else skip", "[1:0+1]+0 else fail", "copy", "0 += 2"}));
}

TEST(Lowered, HasARoundForEachClass) {
  Program program = one_process();
  const ChannelId c = add_channel(program, {{1, 0, 2}});
  program.rules.push_back(program.rules[0]);
  program.rules[1].kind = ActionKind::timeout;
  program.rules[1].channel = c;
  program.rounds.push_back({{1, 2}, 0});
  for (ControlInfo& info : program.control[0]) info.rules.resize(2);
  program.control[0][1].rules = {{0, 1}, {1, 2}};
  program.control[0][2].receives_only = true;
  program.protocol.channels[c].sort.resize(1);
  program.control[0][2].receptions = {{c, {}, {false, false}}, {c, {}, {false, false}}};
  program.layout.control.push_back({});
  program.control.emplace_back(1)[0].rules.resize(2);
  EXPECT_EQ(steps_of(program, 1), (Steps{"1:0+2 == 0 else skip", "copy", "0 += 2"}));
  const Lowered plain = lower(program);
  ASSERT_EQ(plain.rounds.size(), 2u);
  for (const LoweredRound& round : plain.rounds) {
    EXPECT_FALSE(round.is_last_resort);
    ASSERT_EQ(round.processes.size(), 1u) << "the other one does nothing";
    EXPECT_EQ(round.processes[0].control, (BitField{0, 0, 2}));
  }
  const LoweredControl& waiting = plain.rounds[0].processes[0].states[2];
  ASSERT_EQ(waiting.end_head - waiting.first_head, 1u);
  EXPECT_EQ(plain.tags[waiting.first_head], (BitField{1, 0, 2}));
  EXPECT_TRUE(plain.rounds[1].processes[0].states[2].does_nothing());
  EXPECT_EQ(plain.most_successors, 2u);

  program.rounds[1].rule_class = 1;
  EXPECT_FALSE(lower(program).rounds[0].is_last_resort);
  EXPECT_TRUE(lower(program).rounds[1].is_last_resort);
}

TEST(Lowered, TestsTheOtherProcessesOfARuleAndMovesAll) {
  Program program = one_process();
  program.layout.control.push_back({1, 8, 3, 0, 5});
  program.control.push_back(std::vector<ControlInfo>(6));
  for (ControlInfo& info : program.control[1]) info.rules.resize(1);
  program.rules[0].moves.push_back({1, 4, 2});
  EXPECT_EQ(steps_of(program), (Steps{"1:8+3 == 4 else skip", "copy", "0 += 2", "1 += -512"}));
}

TEST(Lowered, FindsElementsByATable) {
  Program program = one_process();
  Expressions& pool = program.protocol.expressions;
  const VariableId i = add_variable(program, {0, 2, 2, 0, 3});
  const VariableId a = add_variable(program, {0, 40, 3, 1, 8});
  add_variable(program, {1, 7, 3, 1, 8});
  const ExpressionId element = pool.element(a, 2, pool.variable(i));
  program.rules[0].conditions = {element};
  program.rules[0].assignments = {{a, pool.constant(5), pool.variable(i), 2}};
  EXPECT_EQ(steps_of(program), (Steps{"table 0[[0:2+2]+0 of 2]+3+1 else skip", "copy",
                                      "table 0[[0:2+2]+0]+3 = 5 - 1", "0 += 2"}));
  const Lowered lowered = lower(program);
  EXPECT_EQ(lowered.tables, (std::vector<std::vector<std::uint32_t>>{{40, 64 + 7}}));
  EXPECT_TRUE(lowered.nodes[lowered.steps[0].expression].can_fail);
  EXPECT_EQ(pool.element(a, 2, pool.constant(1)), pool.variable(a + 1));
}

TEST(Lowered, TakesAMessageOutOfTheMiddle) {
  Program program = one_process();
  Expressions& pool = program.protocol.expressions;
  const VariableId x = add_variable(program, {0, 2, 3, 1, 8});
  Rule& rule = program.rules[0];
  rule.kind = ActionKind::receive;
  rule.channel = add_channel(program, {{0, 10, 3}, {1, 0, 2}});
  rule.tag = 1;
  rule.position = 1;
  rule.assignments = {{x, pool.field(rule.channel, 0, none, 1)}};
  EXPECT_EQ(steps_of(program),
            (Steps{"0:15+2 == 1 else skip", "copy", "0:15+10 >>= 5, 1:0+5 << 20",
                   "1:0+10 >>= 5, nothing << 0", "0:2+3 = [0:17+3]+1 - 1", "0 += 2"}));
  rule.position = 2;
  rule.assignments.clear();
  EXPECT_EQ(steps_of(program), (Steps{"0:20+2 == 1 else skip", "copy", "0:20+5 >>= 0, 1:0+5 << 20",
                                      "1:0+10 >>= 5, nothing << 0", "0 += 2"}));
  rule.position = 4;
  EXPECT_EQ(steps_of(program),
            (Steps{"1:5+2 == 1 else skip", "copy", "1:5+5 >>= 0, nothing << 0", "0 += 2"}));
}

TEST(Lowered, CarriesWhereASequenceIsIndivisible) {
  Program program = one_process();
  EXPECT_FALSE(lower(program).rules[0].ends_inside);
  program.rules[0].ends_inside = true;
  EXPECT_TRUE(lower(program).rules[0].ends_inside);
}

TEST(Lowered, IsWrittenInCWithoutWhatWouldEndAComment) {
  const Lowered lowered = lower(one_process());
  const std::string c = c_text(lowered, [](std::uint32_t) { return "a */ b /* c\n\\"; });
  EXPECT_NE(c.find("/* a * / b / * c \\ */\nstatic int rule_0("), std::string::npos) << c;
}

}  // namespace
}  // namespace panoptes
