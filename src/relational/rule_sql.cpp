// SPDX-License-Identifier: Apache-2.0
#include "relational/rule_sql.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <map>

namespace panoptes {
namespace {

// Conditions that bits of words have certain values, gathered by word.
class BitTests {
 public:
  void add(std::uint32_t word, Word mask, Word bits) {
    if (mask == 0) return;
    tests_[word].first |= mask;
    tests_[word].second |= bits;
  }
  void add(const Slot& slot, Word bits) {
    if (slot.bits > 0) add(slot.word, slot.mask() << slot.shift, bits << slot.shift);
  }
  std::string sql(const Dialect& dialect) const {
    std::string text;
    for (const auto& [word, test] : tests_)
      text += fmt::format("{}({} & {}) = {}", text.empty() ? "" : " AND ", StateSql::word(word),
                          dialect.word(test.first), dialect.word(test.second));
    return text.empty() ? "TRUE" : text;
  }

 private:
  std::map<std::uint32_t, std::pair<Word, Word>> tests_;  // mask, bits
};

// What becomes of a word: bits that are replaced, constants and expressions that come in.
class WordChanges {
 public:
  explicit WordChanges(const Dialect& dialect) : dialect_(dialect) {}

  void clear(std::uint32_t word, Word mask) { changes_[word].cleared |= mask; }
  void put(std::uint32_t word, Word bits) { changes_[word].bits |= bits; }
  void put(std::uint32_t word, std::string sql) { changes_[word].parts.push_back(std::move(sql)); }

  std::vector<std::string> sql(std::uint32_t words) const {
    std::vector<std::string> result;
    for (std::uint32_t i = 0; i < words; ++i) {
      const auto found = changes_.find(i);
      std::string text = StateSql::word(i);
      if (found != changes_.end()) {
        const Change& change = found->second;
        if (change.cleared != 0)
          text = fmt::format("({} & {})", text, dialect_.word(~change.cleared));
        if (change.bits != 0) text = fmt::format("({} | {})", text, dialect_.word(change.bits));
        for (const std::string& part : change.parts) text = fmt::format("({} | {})", text, part);
      }
      result.push_back(std::move(text));
    }
    return result;
  }

 private:
  struct Change {
    Word cleared = 0, bits = 0;
    std::vector<std::string> parts;
  };
  Dialect dialect_;
  std::map<std::uint32_t, Change> changes_;
};

// Where the tag of message slot `index` lies.
std::pair<std::uint32_t, std::uint32_t> tag_place(const ChannelLayout& channel,
                                                  std::uint32_t index) {
  for (const ChannelPiece& piece : channel.pieces) {
    if (index < piece.slots) return {piece.word, piece.shift + index * channel.slot_bits};
    index -= piece.slots;
  }
  return {};
}

void test_tag(const ChannelLayout& channel, std::uint32_t index, Word tag, BitTests& tests) {
  const auto [word, shift] = tag_place(channel, index);
  tests.add(word, channel.tag_mask() << shift, tag << shift);
}

class Translation {
 public:
  Translation(const StateSql& state, const Rule& rule)
      : state_(state),
        rule_(rule),
        dialect_(state.dialect()),
        layout_(state.program().layout),
        expressions_(state, rule.kind == ActionKind::receive ? rule.channel : none, rule.tag) {}

  RuleSql result() {
    RuleSql result;
    result.enabled = enabled();
    result.outcome = outcome(result);
    result.next = next();
    return result;
  }

 private:
  // The error of a fault, as an outcome.
  static std::string fault_outcome(const std::string& fault) {
    return fmt::format("CASE {} WHEN {} THEN {} ELSE {} END", fault,
                       static_cast<int>(Fault::division_by_zero),
                       1 + static_cast<int>(ErrorKind::division_by_zero),
                       1 + static_cast<int>(ErrorKind::index_out_of_range));
  }

  // Which condition has no value while all before it hold; "" where none can be so.
  std::string condition_fault() const {
    std::string text, before;
    for (const ExpressionId condition : rule_.conditions) {
      if (const std::string fault = expressions_.fault(condition); !fault.empty())
        text += fmt::format(" WHEN {}{} <> 0 THEN {}", before, fault, fault);
      before += expressions_.condition(condition) + " AND ";
    }
    return text.empty() ? text : fmt::format("(CASE{} ELSE 0 END)", text);
  }

  std::string enabled() const {
    BitTests tests, room;
    tests.add(layout_.control[rule_.process], rule_.source);
    if (rule_.kind == ActionKind::receive || rule_.kind == ActionKind::timeout) {
      const ChannelLayout& channel = layout_.channels[rule_.channel];
      const Word tag = rule_.kind == ActionKind::receive ? rule_.tag : 0;
      if (!channel.pieces.empty())
        test_tag(channel, 0, tag, tests);
      else if (tag != 0)
        return "FALSE";
    }
    const std::string fault = condition_fault();
    std::string holds;
    for (const ExpressionId condition : rule_.conditions)
      holds += " AND " + expressions_.condition(condition);
    if (waits()) {
      const ChannelLayout& channel = layout_.channels[rule_.channel];
      test_tag(channel, channel.last_slot, 0, fault.empty() ? tests : room);
    }
    if (fault.empty()) return fmt::format("({}{})", tests.sql(dialect_), holds);
    return fmt::format("({} AND ({} <> 0 OR ({}{})))", tests.sql(dialect_), fault,
                       room.sql(dialect_), holds);
  }

  // Whether the rule is not enabled where its channel is full.
  bool waits() const {
    return rule_.kind == ActionKind::send && state_.program().overflow == OverflowPolicy::wait &&
           !layout_.channels[rule_.channel].pieces.empty();
  }

  std::string outcome(RuleSql& result) const {
    std::string cases;
    const auto add = [&](const std::string& condition, const std::string& then) {
      cases += fmt::format(" WHEN {} THEN {}", condition, then);
    };
    const auto add_fault = [&](const std::string& fault) {
      if (!fault.empty()) add(fmt::format("{} <> 0", fault), fault_outcome(fault));
    };
    const auto of = [](ErrorKind kind) { return std::to_string(1 + static_cast<int>(kind)); };
    add_fault(condition_fault());
    if (rule_.kind == ActionKind::bad_index) add("TRUE", of(ErrorKind::index_out_of_range));
    if (rule_.kind == ActionKind::check) {
      add_fault(expressions_.fault(rule_.check));
      add(fmt::format("NOT {}", expressions_.condition(rule_.check)), of(ErrorKind::assertion));
    }
    if (rule_.kind == ActionKind::send && !waits() &&
        !layout_.channels[rule_.channel].pieces.empty())
      add(state_.is_full(layout_.channels[rule_.channel]), of(ErrorKind::overflow));
    for (const ExpressionId value : rule_.values) add_fault(expressions_.fault(value));
    for (const Assignment& a : rule_.assignments) add_fault(expressions_.fault(a.value));
    for (const AssertionMove& move : rule_.moves) {
      std::vector<std::size_t> without;
      const auto& next = state_.program().protocol.assertions[move.assertion].next;
      for (std::size_t subset = 0; subset < next.size(); ++subset)
        if (next[subset][move.symbol] == none) without.push_back(subset);
      if (without.empty()) continue;
      result.violated.emplace_back(
          move.assertion, fmt::format("{} IN ({})", state_.slot(layout_.assertions[move.assertion]),
                                      fmt::join(without, ", ")));
      add(result.violated.back().second, std::to_string(RuleSql::violation));
    }
    return cases.empty() ? cases : fmt::format("(CASE{} ELSE 0 END)", cases);
  }

  std::vector<std::string> next() const {
    WordChanges changes(dialect_);
    const Slot& control = layout_.control[rule_.process];
    if (control.bits > 0 && rule_.source != rule_.target) {
      changes.clear(control.word, control.mask() << control.shift);
      changes.put(control.word, Word{rule_.target} << control.shift);
    }
    if (rule_.kind == ActionKind::receive) take(changes);
    if (rule_.kind == ActionKind::send) append(changes);
    for (const Assignment& a : rule_.assignments) assign(a, changes);
    for (const AssertionMove& move : rule_.moves) move_assertion(move, changes);
    return changes.sql(layout_.words);
  }

  // Every message moves one slot towards the head, from piece to piece too.
  void take(WordChanges& changes) const {
    const ChannelLayout& channel = layout_.channels[rule_.channel];
    for (std::size_t i = 0; i < channel.pieces.size(); ++i) {
      const ChannelPiece& piece = channel.pieces[i];
      const std::uint32_t last_shift = piece.shift + (piece.slots - 1) * channel.slot_bits;
      changes.clear(piece.word, piece.mask);
      if (piece.slots > 1) {
        const Word stays = piece.mask & ~(channel.slot_mask() << last_shift);
        changes.put(piece.word,
                    fmt::format("({} & {})",
                                dialect_.shift_right(StateSql::word(piece.word), channel.slot_bits),
                                dialect_.word(stays)));
      }
      if (i + 1 == channel.pieces.size()) continue;
      const ChannelPiece& following = channel.pieces[i + 1];
      const std::string carried = fmt::format(
          "({} & {})", dialect_.shift_right(StateSql::word(following.word), following.shift),
          dialect_.word(piece.carry_mask));
      changes.put(piece.word, dialect_.shift_left(carried, last_shift));
    }
  }

  // The bits of a value in a slot of that size, not shifted. One that does not fit is cut off, so
  // that it never runs over into its neighbour.
  std::string bits_of(const ExpressionSql::Value& value, std::int64_t minimum, std::int64_t maximum,
                      Word mask) const {
    const std::string offset =
        minimum == 0 ? value.sql : fmt::format("({} - {})", value.sql, integer_sql(minimum));
    if (value.low >= minimum && value.high <= maximum) return dialect_.to_word(offset);
    return dialect_.to_word(
        fmt::format("({} & {})", offset, integer_sql(static_cast<std::int64_t>(mask))));
  }

  // The message sent, tag lowest.
  std::string message() const {
    const ChannelLayout& channel = layout_.channels[rule_.channel];
    std::string text = dialect_.word(rule_.tag);
    for (std::size_t i = 0; i < rule_.values.size(); ++i) {
      const ValueField& field = channel.tags[rule_.tag - 1][i];
      if (field.bits == 0) continue;
      const std::string bits =
          bits_of(expressions_.value(rule_.values[i]), field.minimum, field.maximum, field.mask());
      text = fmt::format("({} | {})", text, dialect_.shift_left(bits, field.shift));
    }
    return text;
  }

  // The message goes to the first vacant slot, which is all zero.
  void append(WordChanges& changes) const {
    const ChannelLayout& channel = layout_.channels[rule_.channel];
    if (channel.pieces.empty()) return;
    const std::string text = message();
    std::uint32_t first = 0;
    for (const ChannelPiece& piece : channel.pieces) {
      std::string cases;
      if (first > 0)
        cases +=
            fmt::format(" WHEN {} = 0 THEN {}", state_.tag(channel, first - 1), dialect_.word(0));
      for (std::uint32_t i = 0; i < piece.slots; ++i)
        cases += fmt::format(" WHEN {} = 0 THEN {}", state_.tag(channel, first + i),
                             dialect_.shift_left(text, piece.shift + i * channel.slot_bits));
      changes.put(piece.word, fmt::format("CASE{} ELSE {} END", cases, dialect_.word(0)));
      first += piece.slots;
    }
  }

  void assign(const Assignment& a, WordChanges& changes) const {
    const Slot& slot = layout_.variables[a.variable];
    if (slot.bits == 0) return;
    changes.clear(slot.word, slot.mask() << slot.shift);
    const std::string bits =
        bits_of(expressions_.value(a.value), slot.minimum, slot.maximum, slot.mask());
    changes.put(slot.word, dialect_.shift_left(bits, slot.shift));
  }

  void move_assertion(const AssertionMove& move, WordChanges& changes) const {
    const Slot& slot = layout_.assertions[move.assertion];
    const auto& next = state_.program().protocol.assertions[move.assertion].next;
    if (slot.bits == 0) return;
    std::string cases;
    for (std::size_t subset = 0; subset < next.size(); ++subset)
      if (const std::uint32_t to = next[subset][move.symbol]; to != none)
        cases += fmt::format(" WHEN {} THEN {}", subset, dialect_.word(Word{to} << slot.shift));
    changes.clear(slot.word, slot.mask() << slot.shift);
    if (!cases.empty())
      changes.put(slot.word,
                  fmt::format("CASE {}{} ELSE {} END", state_.slot(slot), cases, dialect_.word(0)));
  }

  const StateSql& state_;
  const Rule& rule_;
  const Dialect& dialect_;
  const Layout& layout_;
  ExpressionSql expressions_;
};

}  // namespace

RuleSql rule_sql(const StateSql& state, const Rule& rule) {
  return Translation(state, rule).result();
}

std::string busy_sql(const Program& program, const std::vector<RuleSql>& rules) {
  std::string text;
  for (RuleId id = 0; id < rules.size(); ++id)
    if (program.rules[id].rule_class == 0)
      text += fmt::format("{}{}", text.empty() ? "" : " OR ", rules[id].enabled);
  return text.empty() ? "FALSE" : text;
}

std::string at_sql(const StateSql& state, ProcessId process, const std::vector<StateId>& states) {
  if (states.empty()) return "FALSE";
  if (states.size() == state.program().control[process].size()) return "TRUE";
  return fmt::format("{} IN ({})", state.control(process), fmt::join(states, ", "));
}

}  // namespace panoptes
