// SPDX-License-Identifier: Apache-2.0
#include "search/reduce_order.hpp"

#include <algorithm>
#include <array>
#include <bit>

#include "rules/circles.hpp"
#include "rules/visible.hpp"
#include "step/interpreter.hpp"

namespace panoptes {
namespace {

// Processes, at most 64 in every word.
template <std::size_t size>
struct ProcessSet {
  std::array<Word, size> words{};

  void add(ProcessId p) { words[p / 64] |= Word{1} << p % 64; }
  bool has(ProcessId p) const { return (words[p / 64] >> p % 64 & 1) != 0; }
  bool empty() const {
    return std::all_of(words.begin(), words.end(), [](Word word) { return word == 0; });
  }
  bool has_all(const ProcessSet& others) const { return (others - *this).empty(); }
  bool meets(const ProcessSet& others) const {
    for (std::size_t i = 0; i < size; ++i)
      if ((words[i] & others.words[i]) != 0) return true;
    return false;
  }
  ProcessSet operator-(const ProcessSet& others) const {
    ProcessSet result;
    for (std::size_t i = 0; i < size; ++i) result.words[i] = words[i] & ~others.words[i];
    return result;
  }
  template <typename Use>
  void for_each(Use use) const {
    for (std::size_t i = 0; i < size; ++i)
      for (Word rest = words[i]; rest != 0; rest &= rest - 1)
        use(static_cast<ProcessId>(i * 64 + static_cast<std::size_t>(std::countr_zero(rest))));
  }
  ProcessId take_first() {
    for (std::size_t i = 0; i < size; ++i) {
      if (words[i] == 0) continue;
      const auto bit = static_cast<std::size_t>(std::countr_zero(words[i]));
      words[i] &= words[i] - 1;
      return static_cast<ProcessId>(i * 64 + bit);
    }
    return none;
  }
};

template <std::size_t size>
class OrderReduction final : public Selector {
 public:
  OrderReduction(const Program& program, OrderTables tables)
      : program_(program), interpreter_(program), tables_(std::move(tables)) {
    for (const RuleRound& round : program.rounds)
      if (round.rule_class == 0) first_class_end_ = std::max(first_class_end_, round.end);
    needs_exchange_ = program.has_quiet_timeouts();
    std::vector<std::vector<RuleId>> at(tables_.dependence.places());
    for (RuleId id = 0; id < program.rules.size(); ++id) {
      const Rule& rule = program.rules[id];
      owners_.push_back(rule.owner().process);
      if (id >= first_class_end_) continue;
      for (const ProcessMove& move : rule.moves)
        at[tables_.dependence.place(move.process, move.from)].push_back(id);
    }
    for (const auto& list : at) {
      first_at_.push_back(static_cast<std::uint32_t>(rules_at_.size()));
      rules_at_.insert(rules_at_.end(), list.begin(), list.end());
    }
    first_at_.push_back(static_cast<std::uint32_t>(rules_at_.size()));
  }

  std::uint64_t select(const StateBatch& batch, SuccessorBatch& successors, std::uint64_t,
                       SelectorScratch&) const override {
    const std::size_t width = successors.states.width;
    std::uint32_t begin = 0, written = 0;
    for (std::size_t i = 0; i + 1 < successors.first.size(); ++i) {
      const std::uint32_t end = successors.first[i + 1];
      Processes chosen;
      const bool is_reduced = choose(batch[i], successors, i, begin, end, chosen);
      for (std::uint32_t s = begin; s < end; ++s) {
        if (is_reduced && !chosen.has(owners_[successors.rules[s]])) continue;
        if (written != s) {
          Word* const words = successors.states.words.data();
          std::copy_n(words + s * width, width, words + written * width);
          successors.rules[written] = successors.rules[s];
        }
        ++written;
      }
      successors.first[i + 1] = written;
      begin = end;
    }
    successors.states.words.resize(written * width);
    successors.rules.resize(written);
    return 0;
  }

 private:
  using Processes = ProcessSet<size>;
  using Row = Dependence::Row;

  // A state, and who can move in it.
  struct View {
    StateView state;
    const RuleId* begin;
    const RuleId* end;
    Processes movers;  // owners of enabled rules
    Processes never;   // who would be moved by a rule that is never chosen
    Processes vain;    // from whom everybody is reached
  };

  // False where all successors must be kept.
  bool choose(StateView state, const SuccessorBatch& successors, std::size_t i, std::uint32_t begin,
              std::uint32_t end, Processes& chosen) const {
    if (end - begin < 2 || successors.failed[i] > 0) return false;
    const RuleId* const rules = successors.rules.data();
    if (rules[end - 1] >= first_class_end_) return false;
    View view{state, rules + begin, rules + end, {}, {}, {}};
    for (const RuleId* rule = view.begin; rule != view.end; ++rule) {
      view.movers.add(owners_[*rule]);
      if (!tables_.is_never_chosen[*rule]) continue;
      for (const ProcessMove& move : program_.rules[*rule].moves) view.never.add(move.process);
    }
    Processes seeds = view.movers - view.never;
    std::size_t fewest = end - begin;
    while (!seeds.empty() && fewest > 1) {
      const ProcessId seed = seeds.take_first();
      const Processes closed = closure(seed, view);
      if (closed.empty()) {
        view.vain.add(seed);
        continue;
      }
      const std::size_t count = count_steps(closed, view);
      if (count >= fewest) continue;
      fewest = count;
      chosen = closed;
    }
    return fewest < end - begin;
  }

  // How many successors are kept; all where they would not do.
  std::size_t count_steps(const Processes& closed, const View& view) const {
    std::size_t count = 0;
    bool has_exchange = !needs_exchange_;
    for (const RuleId* rule = view.begin; rule != view.end; ++rule) {
      if (!closed.has(owners_[*rule])) continue;
      ++count;
      has_exchange = has_exchange || is_exchange(program_.rules[*rule]);
    }
    return has_exchange ? count : static_cast<std::size_t>(view.end - view.begin);
  }

  // The least set with this process; empty where it is no use.
  Processes closure(ProcessId seed, const View& view) const {
    Processes closed, waiting;
    closed.add(seed);
    waiting.add(seed);
    while (!waiting.empty()) {
      const ProcessId p = waiting.take_first();
      const std::uint32_t place = place_of(p, view);
      Processes more;
      for (std::uint32_t i = first_at_[place]; i < first_at_[place + 1]; ++i)
        add_who_matters(rules_at_[i], closed, view, more);
      more = more - closed;
      more.for_each([&](ProcessId q) {
        closed.add(q);
        waiting.add(q);
      });
      if (closed.meets(view.never) || closed.meets(view.vain) || closed.has_all(view.movers))
        return {};
    }
    return closed;
  }

  std::uint32_t place_of(ProcessId p, const View& view) const {
    return tables_.dependence.place(
        p, static_cast<StateId>(read(program_.layout.control[p], view.state)));
  }

  void add_who_matters(RuleId id, const Processes& closed, const View& view,
                       Processes& more) const {
    const Dependence::OfRule& facts = tables_.dependence.rules[id];
    if (std::binary_search(view.begin, view.end, id)) {
      for (const ProcessMove& move : program_.rules[id].moves) more.add(move.process);
      add(facts.disturbed, closed, view, more);
    } else {
      add_reason(id, facts, closed, view, more);
    }
  }

  // Who may change what keeps a rule from being enabled.
  void add_reason(RuleId id, const Dependence::OfRule& facts, const Processes& closed,
                  const View& view, Processes& more) const {
    const Rule& rule = program_.rules[id];
    if (rule.moves.size() > 1 && add_who_is_elsewhere(rule, facts, closed, view, more)) return;
    if (rule.channel != none) {
      const ChannelLayout& channel = program_.layout.channels[rule.channel];
      if (rule.kind == ActionKind::receive) {
        const std::uint32_t tag = tag_at(channel, rule.position, view.state);
        if (tag != rule.tag) return add(tag == 0 ? facts.sent : facts.taken, closed, view, more);
      }
      if ((rule.kind == ActionKind::timeout && head_tag(channel, view.state) != 0) ||
          (rule.kind == ActionKind::send && program_.overflow == OverflowPolicy::wait &&
           is_full(channel, view.state)))
        return add(facts.taken, closed, view, more);
    }
    for (const Dependence::Condition& condition : facts.conditions)
      if (&condition == &facts.conditions.back() ||
          interpreter_.value(condition.holds, view.state).value == 0)
        return add(condition.changed, closed, view, more);
  }

  // False where all that it moves are where they must be.
  bool add_who_is_elsewhere(const Rule& rule, const Dependence::OfRule& facts,
                            const Processes& closed, const View& view, Processes& more) const {
    std::size_t elsewhere = rule.moves.size();
    for (std::size_t i = 0; i < rule.moves.size(); ++i) {
      const ProcessMove& move = rule.moves[i];
      if (read(program_.layout.control[move.process], view.state) == move.from) continue;
      if (closed.has(move.process)) return true;  // and it stays there
      elsewhere = i;
    }
    if (elsewhere == rule.moves.size()) return false;
    add(facts.arrived[elsewhere], closed, view, more);
    return true;
  }

  // Those of a row that are where they may still come to it from.
  void add(Row row, const Processes& closed, const View& view, Processes& more) const {
    if (row == Dependence::nobody) return;
    Processes processes;
    std::copy_n(tables_.dependence.processes(row), tables_.dependence.process_words(),
                processes.words.begin());
    (processes - closed - more).for_each([&](ProcessId q) {
      if (tables_.dependence.has(row, place_of(q, view))) more.add(q);
    });
  }

  const Program& program_;
  const Interpreter interpreter_;
  const OrderTables tables_;
  RuleId first_class_end_ = 0;
  bool needs_exchange_ = false;
  std::vector<ProcessId> owners_;  // by rule
  // By place: rules of the first class that move its process from there.
  std::vector<std::uint32_t> first_at_;
  std::vector<RuleId> rules_at_;
};

constexpr std::size_t most_processes = 256;

}  // namespace

OrderTables::OrderTables(const Program& program, const Symmetry* symmetry)
    : dependence(program),
      is_visible(visible_rules(program)),
      is_never_chosen(program.rules.size()) {
  std::vector<bool> broken(program.rules.size());
  std::vector<std::uint32_t> weights;
  for (RuleId id = 0; id < program.rules.size(); ++id) {
    const Dependence::Row disturbed = dependence.rules[id].disturbed;
    broken[id] = program.class_of(id) > 0 || is_visible[id] || disturbed == Dependence::everybody;
    weights.push_back(dependence.width(disturbed));
  }
  breaks_circles = circle_breakers(program, broken, weights);
  for (RuleId id = 0; id < program.rules.size(); ++id)
    for (const RuleId part : rules_of_step(program, id))
      is_never_chosen[id] = is_never_chosen[id] || broken[part] || breaks_circles[part];
  if (!symmetry) return;
  for (RuleId id = 0; id < program.rules.size(); ++id)
    if (is_never_chosen[id]) is_never_chosen[symmetry->same_rule[id]] = true;
  for (RuleId id = 0; id < program.rules.size(); ++id)
    is_never_chosen[id] = is_never_chosen[symmetry->same_rule[id]];
}

std::unique_ptr<Selector> make_order_reduction(const Program& program, OrderTables tables) {
  const auto& never = tables.is_never_chosen;
  if (std::find(never.begin(), never.end(), false) == never.end()) return nullptr;
  const std::size_t processes = program.control.size();
  if (processes < 2 || processes >= most_processes) return nullptr;
  if (processes < 64) return std::make_unique<OrderReduction<1>>(program, std::move(tables));
  return std::make_unique<OrderReduction<most_processes / 64>>(program, std::move(tables));
}

std::unique_ptr<Selector> make_order_reduction(const Program& program, ReceptionPolicy receptions,
                                               const Symmetry* symmetry) {
  if (receptions != ReceptionPolicy::blocked || program.control.size() < 2 ||
      program.control.size() >= most_processes)
    return nullptr;
  return make_order_reduction(program, OrderTables(program, symmetry));
}

}  // namespace panoptes
