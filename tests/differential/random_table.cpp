// SPDX-License-Identifier: Apache-2.0
#include "differential/random_table.hpp"

#include <random>

#include "support/table.hpp"

namespace panoptes::differential {
namespace {

constexpr Interval small{0, 3}, signed_32{INT32_MIN, INT32_MAX}, unsigned_32{0, UINT32_MAX};

class TableGenerator {
 public:
  explicit TableGenerator(std::uint64_t seed) : random_(seed * 7919 + 17) {}

  Program run() {
    const auto processes = static_cast<ProcessId>(2 + pick(2));
    for (ProcessId p = 0; p < processes; ++p) {
      states_.push_back(static_cast<StateId>(2 + pick(2)));
      table_.process(std::string(1, static_cast<char>('p' + p)), states_[p]);
    }
    index_ = table_.variable("i", small);
    wide_range_ = pick(2) == 0 ? signed_32 : unsigned_32;
    wide_ = table_.variable("w", wide_range_, wide_range_.high);
    length_ = static_cast<std::uint32_t>(2 + pick(2));
    array_ = table_.array("a", length_, {-1, 1});
    wide_array_ = table_.array("b", 2, wide_range_, wide_range_.low);
    channels_ = static_cast<ChannelId>(1 + pick(2));
    for (ChannelId c = 0; c < channels_; ++c) add_channel(c);
    for (ProcessId p = 0; p < processes; ++p)
      for (StateId s = 0; s < states_[p]; ++s)
        for (std::uint64_t rules = 2 + pick(3); rules > 0; --rules) add_rule(p, s);
    return table_.make(pick(3) == 0 ? OverflowPolicy::error : OverflowPolicy::wait);
  }

 private:
  std::uint64_t pick(std::uint64_t size) { return random_() % size; }
  bool one_in(std::uint64_t size) { return pick(size) == 0; }
  Expressions& pool() { return table_.pool(); }

  // m(small), n(wide), k: at times the room for them takes several words.
  void add_channel(ChannelId c) {
    std::vector<InitialContent> contents;
    if (one_in(2)) contents.push_back({"n", {wide_range_.low}});
    if (one_in(2)) contents.push_back({"m", {2}});
    table_.channel(c == 0 ? "c" : "d", static_cast<std::uint32_t>(2 + pick(2)),
                   {{"m", {small}}, {"n", {wide_range_}}, {"k", {}}}, std::move(contents));
  }

  ChannelId some_channel() { return static_cast<ChannelId>(pick(channels_)); }
  std::uint32_t some_position() { return static_cast<std::uint32_t>(pick(3)); }

  ExpressionId wide_constant() {
    const std::int64_t values[] = {wide_range_.low, wide_range_.high, wide_range_.high / 2 + 1,
                                   wide_range_.low + 1};
    return pool().constant(values[pick(4)]);
  }

  // Mostly inside an array.
  ExpressionId some_index() {
    const ExpressionId i = pool().variable(index_);
    switch (pick(5)) {
      case 0: return i;
      case 1: return pool().binary(Op::subtract, i, pool().constant(1));
      default: return pool().binary(Op::remainder, i, pool().constant(2));
    }
  }

  ExpressionId small_value() {
    switch (pick(7)) {
      case 0: return pool().constant(static_cast<std::int64_t>(pick(4)));
      case 1: return pool().element(array_, length_, some_index());
      case 2: return pool().tag(some_channel(), some_position());
      case 3: return pool().field(some_channel(), 0, none, some_position());
      case 4: return pool().ask(Op::length, some_channel());
      case 5: return pool().binary(Op::divide, pool().constant(6), pool().variable(index_));
      default: return pool().variable(index_);
    }
  }

  ExpressionId wide_value() {
    switch (pick(5)) {
      case 0: return wide_constant();
      case 1: return pool().element(wide_array_, 2, some_index());
      case 2: return pool().unary(Op::negate, pool().variable(wide_));
      case 3: return pool().field(some_channel(), 0, none, some_position());
      default: return pool().variable(wide_);
    }
  }

  ExpressionId condition() {
    constexpr Op comparisons[] = {Op::equal, Op::not_equal, Op::less, Op::greater_equal};
    const Op op = comparisons[pick(4)];
    switch (pick(4)) {
      case 0: return pool().binary(op, wide_value(), wide_constant());
      case 1:
        return pool().binary(op, pool().tag(some_channel(), some_position()),
                             pool().constant(static_cast<std::int64_t>(pick(4))));
      case 2:
        return pool().binary(Op::equal, pool().element(array_, length_, some_index()),
                             pool().constant(static_cast<std::int64_t>(pick(2))));
      default: return pool().binary(op, small_value(), small_value());
    }
  }

  Assignment assignment() {
    Expressions& e = pool();
    switch (pick(4)) {
      case 0:
        return {index_, promises_() % 3 == 0 ? e.bound(small_value(), small.low, small.high)
                                             : e.wrap(small_value(), small.low, small.high)};
      case 1: return {wide_, e.wrap(wide_value(), wide_range_.low, wide_range_.high)};
      case 2:
        return {wide_array_, e.wrap(wide_value(), wide_range_.low, wide_range_.high), some_index(),
                2};
      default: return {array_, e.wrap(small_value(), -1, 1), some_index(), length_};
    }
  }

  ProcessMoves moves(ProcessId p, StateId s) {
    ProcessMoves result{{p, s, static_cast<StateId>(pick(states_[p]))}};
    const auto other = static_cast<ProcessId>(pick(states_.size()));
    if (other != p && one_in(5))
      result.push_back({other, static_cast<StateId>(pick(states_[other])),
                        static_cast<StateId>(pick(states_[other]))});
    return result;
  }

  Rule& some_rule(ProcessId p, StateId s) {
    const auto tag = static_cast<std::uint32_t>(1 + pick(3));
    switch (pick(8)) {
      case 0: {
        Rule& rule = table_.rule(moves(p, s), "timeout");
        rule.kind = ActionKind::timeout;
        rule.channel = some_channel();
        return rule;
      }
      case 1:
      case 6: {
        std::vector<ExpressionId> values;
        if (tag == 1) values = {pool().wrap(small_value(), small.low, small.high)};
        if (tag == 2) values = {pool().wrap(wide_value(), wide_range_.low, wide_range_.high)};
        return table_.send(moves(p, s), some_channel(), tag, values);
      }
      case 2:
      case 3: return received(table_.receive(moves(p, s), some_channel(), tag, some_position()));
      case 4: {
        Rule& rule = table_.rule(moves(p, s), "assert");
        rule.kind = ActionKind::check;
        rule.check = condition();
        return rule;
      }
      default: return table_.rule(moves(p, s), "step");
    }
  }

  Rule& received(Rule& rule) {
    const ExpressionId field = pool().field(rule.channel, 0, none, rule.position);
    if (rule.tag == 1) rule.assignments.push_back({index_, field});
    if (rule.tag == 2) rule.assignments.push_back({wide_array_, field, some_index(), 2});
    return rule;
  }

  void add_rule(ProcessId p, StateId s) {
    Rule& rule = some_rule(p, s);
    if (one_in(4)) table_.of_class(static_cast<std::uint32_t>(1 + pick(2)));
    if (one_in(3)) rule.conditions.push_back(condition());
    for (std::uint64_t more = pick(3); more > 0; --more) rule.assignments.push_back(assignment());
    rule.ends_inside = one_in(4);
  }

  std::mt19937_64 random_;
  std::mt19937_64 promises_{7};
  test::Table table_;
  std::vector<StateId> states_;
  ChannelId channels_ = 0;
  VariableId index_ = 0, wide_ = 0, array_ = 0, wide_array_ = 0;
  std::uint32_t length_ = 0;
  Interval wide_range_;
};

}  // namespace

Program random_table(std::uint64_t seed) { return TableGenerator(seed).run(); }

}  // namespace panoptes::differential
