// SPDX-License-Identifier: Apache-2.0
#include "rules/dependence.hpp"

#include <algorithm>
#include <bit>
#include <map>
#include <set>
#include <tuple>

namespace panoptes {
namespace dependence {

// What a rule does that another may depend on, and of what.
enum class Deed : std::uint8_t {
  reads,          // a variable
  writes,         // a variable
  sends,          // to a channel
  takes,          // out of a channel: receive, flush
  flushes,        // a channel
  asks,           // a channel, for whatever
  needs_room,     // a channel must not be full, or must be empty: a send may be in the way
  needs_message,  // a channel must be full, or must not be empty: a receive may be in the way
  concerns,       // an assertion
  looks_where,    // a process is
  moves,          // a process
  is_wild,        // independent of nothing
  // For the reasons why rules are disabled:
  sends_message,  // to a channel: a tag
  comes_to,       // a process: a control state
};

struct Key {
  Deed deed;
  std::uint32_t what = 0, which = 0;
  friend auto operator<=>(const Key&, const Key&) = default;
};

// What must not be done by others for a deed to be independent of what they do.
std::vector<Deed> opposites(Deed deed) {
  switch (deed) {
    case Deed::reads: return {Deed::writes};
    case Deed::writes: return {Deed::reads, Deed::writes};
    case Deed::sends: return {Deed::sends, Deed::flushes, Deed::asks, Deed::needs_room};
    case Deed::takes: return {Deed::takes, Deed::asks, Deed::needs_message};
    case Deed::flushes: return {Deed::sends};
    case Deed::asks: return {Deed::sends, Deed::takes};
    case Deed::needs_room: return {Deed::sends};
    case Deed::needs_message: return {Deed::takes};
    case Deed::concerns: return {Deed::concerns};
    case Deed::looks_where: return {Deed::moves};
    case Deed::moves: return {Deed::looks_where};
    default: return {};
  }
}

// A condition that is a question to a channel: what its rule needs, and who can make it hold.
struct Question {
  Deed needs, comes;
  ChannelId channel;
};
std::optional<Question> question_of(const Expressions& pool, ExpressionId id) {
  const bool is_not = pool[id].op == Op::logical_not;
  const ExpressionNode& node = pool[is_not ? pool[id].a : id];
  if (node.op != Op::full && node.op != Op::empty) return {};
  // Not full, or empty: others may send in between; one that takes something out may make it so.
  if ((node.op == Op::full) == is_not) return Question{Deed::needs_room, Deed::takes, node.a};
  return Question{Deed::needs_message, Deed::sends, node.a};
}

}  // namespace dependence

std::vector<RuleId> rules_of_step(const Program& program, RuleId first) {
  std::vector<RuleId> result{first};
  std::set<RuleId> known{first};
  for (std::size_t i = 0; i < result.size(); ++i) {
    const Rule& rule = program.rules[result[i]];
    const ProcessId alone = alone_after(rule);
    if (alone == none) continue;
    for_each_rule(program.at(alone, rule.moves[rule.moves.size() - 1].to), [&](RuleId id) {
      if (program.class_of(id) == 0 && known.insert(id).second) result.push_back(id);
    });
  }
  return result;
}

class DependenceMaker {
 public:
  DependenceMaker(const Program& program, Dependence& out) : program_(program), out_(out) {
    number_places();
    add_row(empty());
    Places all(out_.row_words_);
    for (std::uint32_t place = 0; place < out_.places(); ++place) set(all, place);
    rows_of_[all] = add_row(all);
    collect();
    for (RuleId id = 0; id < program.rules.size(); ++id)
      out_.rules.push_back(counts(id) ? of_rule(id) : Dependence::OfRule{});
  }

 private:
  using Deed = dependence::Deed;
  using Key = dependence::Key;
  using Row = Dependence::Row;
  using Places = std::vector<Word>;
  using Keys = std::set<Key>;
  static constexpr std::size_t most_bytes = 64u << 20;

  struct Step {
    RuleId rule;
    std::uint32_t from;  // place
  };

  bool counts(RuleId id) const { return program_.class_of(id) == 0; }
  std::uint32_t place(const ProcessMove& move) const { return out_.place(move.process, move.from); }
  static void set(Places& places, std::uint32_t place) {
    places[place / 64] |= Word{1} << place % 64;
  }

  void number_places() {
    out_.first_.push_back(0);
    for (const auto& states : program_.control)
      out_.first_.push_back(out_.first_.back() + static_cast<std::uint32_t>(states.size()));
    out_.row_words_ = out_.places() / 64 + 1;
    out_.process_words_ = static_cast<std::uint32_t>(program_.control.size()) / 64 + 1;
  }

  // ---- what rules do ----------------------------------------------------------------------------

  void collect() {
    steps_to_.resize(out_.places());
    for (RuleId id = 0; id < program_.rules.size(); ++id) {
      if (!counts(id)) continue;
      for (const ProcessMove& move : program_.rules[id].moves)
        steps_to_[out_.place(move.process, move.to)].push_back({id, place(move)});
      for (const Key& key : deeds_of_step(id)) doers_[key].push_back(id);
    }
  }

  Keys deeds_of_step(RuleId first) const {
    Keys keys;
    const std::vector<RuleId> rules = rules_of_step(program_, first);
    for (const RuleId id : rules) {
      add_deeds(id, id != first, keys);
      if (id != first && program_.rules[id].moves.size() > 1) keys.insert({Deed::is_wild});
    }
    return keys;
  }

  // Of a rule inside a step, it makes a difference whether it is enabled.
  void add_deeds(RuleId id, bool is_inside, Keys& keys) const {
    const Rule& rule = program_.rules[id];
    for (const ExpressionId condition : rule.conditions) {
      const auto question = dependence::question_of(pool(), condition);
      if (question && !is_inside)
        keys.insert({question->needs, question->channel});
      else
        look(condition, rule, keys);
    }
    for (const ExpressionId value : rule.values) look(value, rule, keys);
    for (const StepCheck& check : program_.errors.checks_of(id)) look(check.holds, rule, keys);
    if (rule.check != none) look(rule.check, rule, keys);
    for (const Assignment& a : rule.assignments) {
      look(a.value, rule, keys);
      if (a.index != none) look(a.index, rule, keys);
      for (VariableId i = 0; i < a.length; ++i) keys.insert({Deed::writes, a.variable + i});
    }
    for (const AssertionMove& move : rule.assertion_moves)
      keys.insert({Deed::concerns, move.assertion});
    for (const ProcessMove& move : rule.moves) keys.insert({Deed::moves, move.process});
    add_exchange(rule, is_inside, keys);
  }

  void add_exchange(const Rule& rule, bool is_inside, Keys& keys) const {
    if (rule.channel == none || program_.layout.channels[rule.channel].pieces.empty()) return;
    const bool takes = rule.kind == ActionKind::receive || rule.kind == ActionKind::flush;
    if (rule.kind == ActionKind::send) {
      keys.insert({Deed::sends, rule.channel});
      keys.insert({Deed::sends_message, rule.channel, rule.tag});
    }
    if (takes) keys.insert({Deed::takes, rule.channel});
    if (rule.kind == ActionKind::flush) keys.insert({Deed::flushes, rule.channel});
    if (rule.kind == ActionKind::timeout) keys.insert({Deed::needs_room, rule.channel});
    const bool asks_for_room =
        rule.kind == ActionKind::send && program_.overflow == OverflowPolicy::error;
    if (is_inside || asks_for_room) keys.insert({Deed::asks, rule.channel});
  }

  void look(ExpressionId id, const Rule& rule, Keys& keys) const {
    pool().visit(id, [&](const ExpressionNode& node) {
      for_each_thing(node, rule, [&](const Key& key) { keys.insert(key); });
    });
  }

  // What a node looks at. The message that the rule itself takes is there as long as nobody else
  // takes it.
  template <typename Use>
  void for_each_thing(const ExpressionNode& node, const Rule& rule, Use use) const {
    switch (node.op) {
      case Op::variable: use(Key{Deed::reads, node.a}); break;
      case Op::element:
        for (VariableId i = 0; i < node.value; ++i) use(Key{Deed::reads, node.b + i});
        break;
      case Op::field:
        if (rule.kind == ActionKind::receive && node.a == rule.channel &&
            node.value == rule.position) {
          use(Key{Deed::needs_message, node.a});
          break;
        }
        [[fallthrough]];
      case Op::tag:
      case Op::length:
      case Op::full:
      case Op::empty: use(Key{Deed::asks, node.a}); break;
      case Op::control: use(Key{Deed::looks_where, node.a}); break;
      case Op::subset: use(Key{Deed::concerns, node.a}); break;
      default: break;
    }
  }

  // ---- of a rule --------------------------------------------------------------------------------

  Dependence::OfRule of_rule(RuleId id) {
    const Rule& rule = program_.rules[id];
    Dependence::OfRule result;
    const Keys deeds = deeds_of_step(id);
    result.disturbed = deeds.contains({Deed::is_wild}) ? Dependence::everybody
                                                       : disturbed(deeds, rule.owner().process);
    // While one of several is where it is, another may go away and come back.
    const bool is_alone = rule.moves.size() == 1;
    const ProcessId still = is_alone ? rule.owner().process : none;
    if (rule.channel != none) {
      Places sent = empty(), taken = empty();
      add({Deed::sends_message, rule.channel, rule.tag}, still, sent);
      add({Deed::takes, rule.channel}, still, taken);
      result.sent = row_of(sent);
      result.taken = row_of(taken);
    }
    Places failed = empty();
    for (const ExpressionId condition : rule.conditions) {
      result.conditions.push_back({condition, changed(condition, rule, still)});
      if (pool().can_fail(condition)) add(result.conditions.back().changed, failed);
    }
    result.failed = row_of(failed);
    std::stable_sort(result.conditions.begin(), result.conditions.end(),
                     [&](const Dependence::Condition& a, const Dependence::Condition& b) {
                       return out_.width(a.changed) < out_.width(b.changed);
                     });
    for (const ProcessMove& move : rule.moves) {
      Places arrived = empty();
      if (!is_alone)
        add({Deed::comes_to, move.process, move.from}, other_than(move.process, rule), arrived);
      result.arrived.push_back(row_of(arrived));
    }
    return result;
  }

  // Of two, the other one.
  static ProcessId other_than(ProcessId process, const Rule& rule) {
    if (rule.moves.size() != 2) return none;
    return rule.moves[rule.moves[0].process == process ? 1 : 0].process;
  }

  Row disturbed(const Keys& deeds, ProcessId still) {
    Places result = empty();
    add({Deed::is_wild}, still, result);
    for (const Key& key : deeds)
      for (const Deed opposite : opposites(key.deed)) add({opposite, key.what}, still, result);
    return row_of(result);
  }

  // Who may change the value of a condition that does not hold.
  Row changed(ExpressionId condition, const Rule& rule, ProcessId still) {
    Places result = empty();
    if (const auto question = dependence::question_of(pool(), condition)) {
      add({question->comes, question->channel}, still, result);
      return row_of(result);
    }
    pool().visit(condition, [&](const ExpressionNode& node) {
      for_each_thing(node, rule, [&](const Key& key) {
        for (const Deed opposite : opposites(key.deed)) add({opposite, key.what}, still, result);
      });
    });
    return row_of(result);
  }

  // ---- rows -------------------------------------------------------------------------------------

  Places empty() const { return Places(out_.row_words_); }

  // From where somebody may come to a deed while `still` does not move.
  void add(const Key& key, ProcessId still, Places& to) {
    const auto [found, fresh] = deeds_.try_emplace({key, still});
    if (fresh) found->second = row_of(find(key, still));
    add(found->second, to);
  }
  void add(Row row, Places& to) const {
    const Word* const words = &out_.places_of_[row * out_.row_words_];
    for (std::uint32_t i = 0; i < out_.row_words_; ++i) to[i] |= words[i];
  }

  Places find(const Key& key, ProcessId still) const {
    Places result = empty();
    std::vector<std::uint32_t> waiting;
    const auto come = [&](std::uint32_t place) {
      if ((result[place / 64] >> place % 64 & 1) != 0) return;
      set(result, place);
      waiting.push_back(place);
    };
    if (key.deed == Deed::comes_to) come(out_.place(key.what, key.which));
    if (const auto doers = doers_.find(key); doers != doers_.end())
      for (const RuleId id : doers->second)
        if (!program_.rules[id].moves_process(still))
          for (const ProcessMove& move : program_.rules[id].moves) come(place(move));
    while (!waiting.empty()) {
      const std::uint32_t place = waiting.back();
      waiting.pop_back();
      for (const Step& step : steps_to_[place])
        if (!program_.rules[step.rule].moves_process(still)) come(step.from);
    }
    return result;
  }

  Row row_of(const Places& places) {
    if (std::all_of(places.begin(), places.end(), [](Word word) { return word == 0; }))
      return Dependence::nobody;
    if (const auto found = rows_of_.find(places); found != rows_of_.end()) return found->second;
    if (out_.places_of_.size() * sizeof(Word) > most_bytes) return Dependence::everybody;
    return rows_of_[places] = add_row(places);
  }

  Row add_row(const Places& places) {
    const Row row = static_cast<Row>(out_.places_of_.size() / out_.row_words_);
    out_.places_of_.insert(out_.places_of_.end(), places.begin(), places.end());
    out_.processes_of_.resize(out_.processes_of_.size() + out_.process_words_);
    Word* const processes = out_.processes_of_.data() + row * out_.process_words_;
    for (ProcessId p = 0; p < program_.control.size(); ++p)
      for (std::uint32_t i = out_.first_[p]; i < out_.first_[p + 1]; ++i)
        if ((places[i / 64] >> i % 64 & 1) != 0) processes[p / 64] |= Word{1} << p % 64;
    return row;
  }

  const Expressions& pool() const { return program_.protocol.expressions; }

  const Program& program_;
  Dependence& out_;
  std::vector<std::vector<Step>> steps_to_;  // by place
  std::map<Key, std::vector<RuleId>> doers_;
  std::map<std::pair<Key, ProcessId>, Row> deeds_;
  std::map<Places, Row> rows_of_;
};

Dependence::Dependence(const Program& program) { DependenceMaker(program, *this); }

std::uint32_t Dependence::width(Row row) const {
  std::uint32_t count = 0;
  for (std::uint32_t i = 0; i < process_words_; ++i)
    count += static_cast<std::uint32_t>(std::popcount(processes(row)[i]));
  return count;
}

}  // namespace panoptes
