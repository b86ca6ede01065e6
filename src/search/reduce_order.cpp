// SPDX-License-Identifier: Apache-2.0
#include "search/reduce_order.hpp"

#include <algorithm>
#include <array>
#include <bit>
#include <map>

#include "rules/circles.hpp"
#include "rules/visible.hpp"
#include "search/step_reduction.hpp"
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
  bool is_one() const {
    int count = 0;
    for (const Word word : words) count += std::popcount(word);
    return count == 1;
  }
  bool operator==(const ProcessSet&) const = default;
  ProcessSet& operator+=(const ProcessSet& others) {
    for (std::size_t i = 0; i < size; ++i) words[i] |= others.words[i];
    return *this;
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
class OrderReduction final : public StepReduction {
 public:
  OrderReduction(const Program& program, OrderTables tables, const Symmetry* symmetry)
      : StepReduction(program, symmetry),
        program_(program),
        interpreter_(program),
        tables_(std::move(tables)) {
    for (const RuleRound& round : program.rounds)
      if (round.rule_class == 0) first_class_end_ = std::max(first_class_end_, round.end);
    needs_exchange_ = program.has_quiet_timeouts();
    std::vector<std::vector<RuleId>> at(dependence().places());
    for (RuleId id = 0; id < program.rules.size(); ++id) {
      const Rule& rule = program.rules[id];
      facts_.push_back({rule.owner().process, dependence().rules[id].disturbed,
                        tables_.is_never_chosen[id], rule.moves.size() > 1,
                        tables_.is_known_by_name[id]});
      if (id >= first_class_end_) continue;
      for (const ProcessMove& move : rule.moves)
        at[dependence().place(move.process, move.from)].push_back(id);
    }
    for (const auto& list : at) add_place(list);
    mark_ends();
  }

 protected:
  Choice choose(StateView state, const StepsOfState& steps, bool may_be_unclear,
                std::span<std::uint8_t> kept) const override {
    View view;
    if (!has_choice(steps, view)) return Choice::all;
    view.state = state;
    view.has_alike = has_alike();
    view.may_be_unclear = may_be_unclear;
    for (ProcessId p = 0; p < program_.control.size(); ++p)
      view.places[p] =
          dependence().place(p, static_cast<StateId>(read(program_.layout.control[p], view.state)));
    Processes chosen;
    const std::size_t fewest = choose_least(view, chosen);
    if (view.is_unclear) return Choice::unclear;
    if (fewest == steps.rules.size()) return Choice::all;
    for (std::size_t i = 0; i < steps.rules.size(); ++i)
      kept[i] = chosen.has(facts_[steps.rules[i]].owner) ? 1 : 0;
    return Choice::some;
  }

 private:
  using Processes = ProcessSet<size>;
  using Row = Dependence::Row;

  struct Facts {
    ProcessId owner;
    Row disturbed;
    bool is_never_chosen;
    bool has_partners;
    bool is_known_by_name;  // see OrderTables
  };

  // A state, and who can move in it.
  struct View {
    StateView state;
    const RuleId* begin;
    const RuleId* end;
    Processes movers;                 // owners of enabled rules
    Processes never;                  // who would be moved by a rule that is never chosen
    Processes vain;                   // from whom everybody is reached
    bool has_alike = false;           // members may be exchanged, ...
    bool may_be_unclear = false;      // ... which may make a difference to the choice, ...
    mutable bool is_unclear = false;  // ... and does
    std::array<std::uint32_t, size * 64> places;  // by process
  };

  const Dependence& dependence() const { return tables_.dependence; }

  // Receives of one channel: which of them is enabled, if any, its message tells.
  struct Receives {
    ChannelId channel;
    std::uint32_t position;
    Row taken;
    std::uint32_t first_sent, end_sent;  // rows: who may send one of the messages
    std::uint32_t begin, end;            // rules
  };

  // The rules that move a process from one of its control states.
  void add_place(std::vector<RuleId> rules) {
    mark_ends();
    Processes awaited;
    for (const RuleId id : rules) {
      const Dependence::OfRule& rule = dependence().rules[id];
      for (const Row row : {rule.sent, rule.taken}) awaited += processes(row);
      for (const auto& condition : rule.conditions) awaited += processes(condition.changed);
      for (const Row row : rule.arrived) awaited += processes(row);
    }
    awaited_.push_back(awaited);
    const auto is_receive = [&](RuleId id) {
      const Rule& rule = program_.rules[id];
      return rule.kind == ActionKind::receive && rule.moves.size() == 1;
    };
    const auto place = [&](RuleId id) {
      return std::pair(program_.rules[id].channel, program_.rules[id].position);
    };
    const auto others = std::stable_partition(rules.begin(), rules.end(), is_receive);
    std::stable_sort(rules.begin(), others,
                     [&](RuleId a, RuleId b) { return place(a) < place(b); });
    for (auto first = rules.begin(); first != others;) {
      const auto end =
          std::find_if(first, others, [&](RuleId id) { return place(id) != place(*first); });
      add_receives({first, end});
      first = end;
    }
    rules_at_.insert(rules_at_.end(), others, rules.end());
  }

  void add_receives(const std::vector<RuleId>& rules) {
    const Rule& rule = program_.rules[rules.front()];
    Receives receives{rule.channel,
                      rule.position,
                      dependence().rules[rules.front()].taken,
                      size_of(sent_),
                      0,
                      size_of(received_),
                      0};
    for (const RuleId id : rules) {
      const Row row = dependence().rules[id].sent;
      if (std::find(sent_.begin() + receives.first_sent, sent_.end(), row) == sent_.end())
        sent_.push_back(row);
      received_.push_back(id);
    }
    receives.end_sent = size_of(sent_);
    receives.end = size_of(received_);
    receives_at_.push_back(receives);
  }

  void mark_ends() {
    first_at_.push_back(size_of(rules_at_));
    first_receives_at_.push_back(size_of(receives_at_));
  }
  template <typename List>
  static std::uint32_t size_of(const List& list) {
    return static_cast<std::uint32_t>(list.size());
  }

  // False where all successors must be kept. Notes who can move.
  bool has_choice(const StepsOfState& steps, View& view) const {
    if (steps.failed > 0 || steps.rules.back() >= first_class_end_) return false;
    view.begin = steps.rules.data();
    view.end = view.begin + steps.rules.size();
    for (const RuleId* rule = view.begin; rule != view.end; ++rule) {
      const Facts& facts = facts_[*rule];
      view.movers.add(facts.owner);
      if (!facts.is_never_chosen) continue;
      view.never.add(facts.owner);
      if (facts.has_partners)
        for (const ProcessMove& move : program_.rules[*rule].moves) view.never.add(move.process);
    }
    return !view.never.has_all(view.movers) && !view.movers.is_one();
  }

  // Out of `seeds`, those of the first who are alike that are furthest; who cannot be exchanged, in
  // order.
  Processes take_alike(const View& view, Processes& seeds) const {
    Processes result;
    if (!view.has_alike) {
      result.add(seeds.take_first());
      return result;
    }
    std::pair<ProcessId, std::uint32_t> least{none, 0};
    seeds.for_each([&](ProcessId p) {
      const std::pair rank(first_alike(p), dependence().place(p + 1, 0) - view.places[p]);
      if (rank > least) return;
      if (rank < least) result = {};
      least = rank;
      result.add(p);
    });
    seeds = seeds - result;
    return result;
  }

  // Of the closed sets around each who can move, the one with the fewest successors; of several,
  // that of the first who are alike, and of these of who is furthest. Gives how many are kept.
  std::size_t choose_least(View& view, Processes& chosen) const {
    Processes seeds = view.movers - view.never;
    auto fewest = static_cast<std::size_t>(view.end - view.begin);
    bool is_tied = false;
    while (!seeds.empty() && fewest > 1 && !view.is_unclear) {
      const Processes tried = take_alike(view, seeds);
      const std::size_t before = fewest;
      tried.for_each([&](ProcessId seed) {
        if (view.is_unclear || (fewest == 1 && !view.may_be_unclear)) return;
        const Processes closed = closure(seed, view);
        if (closed.empty()) return view.vain.add(seed);
        const std::size_t count = count_steps(closed, view);
        if (count < fewest) is_tied = false;
        if (count == fewest && fewest < before && closed != chosen) is_tied = true;
        if (count >= fewest) return;
        fewest = count;
        chosen = closed;
      });
    }
    view.is_unclear = view.is_unclear || (is_tied && view.may_be_unclear);
    return fewest;
  }

  // How many successors are kept; all where they would not do.
  std::size_t count_steps(const Processes& closed, const View& view) const {
    std::size_t count = 0;
    bool has_exchange = !needs_exchange_;
    for (const RuleId* rule = view.begin; rule != view.end; ++rule) {
      if (!closed.has(facts_[*rule].owner)) continue;
      ++count;
      has_exchange = has_exchange || is_exchange(program_.rules[*rule]);
    }
    return has_exchange ? count : static_cast<std::size_t>(view.end - view.begin);
  }

  // The least set with this process; empty where it is no use. What is enabled comes first: mostly
  // it is seen from that.
  Processes closure(ProcessId seed, const View& view) const {
    Processes closed, undisturbed, done;
    closed.add(seed);
    const auto is_vain = [&] {
      return closed.meets(view.never) || closed.meets(view.vain) || closed.has_all(view.movers);
    };
    while (closed != done) {
      while (closed != undisturbed) {
        const Processes before = undisturbed;
        undisturbed = closed;
        add_who_disturbs(before, view, closed);
        if (is_vain()) return {};
      }
      Processes fresh = closed - done;
      add_who_enables(fresh.take_first(), view, closed, done);
      if (is_vain()) return {};
    }
    return closed;
  }

  // Of the enabled rules of `closed`, but for those of `before`.
  void add_who_disturbs(const Processes& before, const View& view, Processes& closed) const {
    const Processes these = closed - before;
    for (const RuleId* rule = view.begin; rule != view.end; ++rule) {
      const Facts& facts = facts_[*rule];
      if (facts.has_partners) {
        const auto& moves = program_.rules[*rule].moves;
        if (std::none_of(moves.begin(), moves.end(),
                         [&](const ProcessMove& move) { return these.has(move.process); }))
          continue;
        for (const ProcessMove& move : moves) closed.add(move.process);
      } else if (!these.has(facts.owner)) {
        continue;
      }
      note_name(*rule, view);
      add(facts.disturbed, view, closed);
    }
  }

  void note_name(RuleId id, const View& view) const {
    if (view.may_be_unclear && facts_[id].is_known_by_name) view.is_unclear = true;
  }

  // What is found may depend on who was looked at before.
  static void note_order(const View& view) {
    if (view.may_be_unclear) view.is_unclear = true;
  }

  // Who may enable a rule of a process that is disabled.
  void add_who_enables(ProcessId p, const View& view, Processes& closed, Processes& done) const {
    done.add(p);
    const std::uint32_t place = view.places[p];
    if (closed.has_all(awaited_[place])) return;
    for (std::uint32_t i = first_receives_at_[place]; i < first_receives_at_[place + 1]; ++i)
      add_who_sends(receives_at_[i], view, closed);
    for (std::uint32_t i = first_at_[place]; i < first_at_[place + 1]; ++i)
      if (!std::binary_search(view.begin, view.end, rules_at_[i]))
        add_reason(rules_at_[i], view, closed);
  }

  void add_who_sends(const Receives& receives, const View& view, Processes& closed) const {
    const std::uint32_t tag =
        tag_at(program_.layout.channels[receives.channel], receives.position, view.state);
    if (tag == 0) {
      for (std::uint32_t i = receives.first_sent; i < receives.end_sent; ++i)
        add(sent_[i], view, closed);
      return;
    }
    add(receives.taken, view, closed);
    for (std::uint32_t i = receives.begin; i < receives.end; ++i)
      if (program_.rules[received_[i]].tag == tag &&
          !std::binary_search(view.begin, view.end, received_[i]))
        add_conditions(received_[i], view, closed);
  }

  // Who may change what keeps a rule from being enabled.
  void add_reason(RuleId id, const View& view, Processes& closed) const {
    const Rule& rule = program_.rules[id];
    const Dependence::OfRule& facts = dependence().rules[id];
    note_name(id, view);
    if (rule.moves.size() > 1 && add_who_is_elsewhere(rule, facts, view, closed)) return;
    if (rule.channel != none) {
      const ChannelLayout& channel = program_.layout.channels[rule.channel];
      if (rule.kind == ActionKind::receive) {  // by one of several processes
        const std::uint32_t tag = tag_at(channel, rule.position, view.state);
        if (tag != rule.tag) return add(tag == 0 ? facts.sent : facts.taken, view, closed);
      }
      if (rule.kind == ActionKind::timeout && head_tag(channel, view.state) != 0)
        return add(facts.taken, view, closed);
      if (rule.kind == ActionKind::send && program_.overflow == OverflowPolicy::wait &&
          is_full(channel, view.state)) {
        add(facts.failed, view, closed);  // conditions are looked at first
        return add(facts.taken, view, closed);
      }
    }
    add_conditions(id, view, closed);
  }

  // One of the conditions is 0. Where none of them adds anybody, no matter which.
  void add_conditions(RuleId id, const View& view, Processes& closed) const {
    const Dependence::OfRule& facts = dependence().rules[id];
    note_name(id, view);
    const auto adds_nobody = [&](const Dependence::Condition& condition) {
      return who_may(condition.changed, view, closed).empty();
    };
    if (std::all_of(facts.conditions.begin(), facts.conditions.end(), adds_nobody)) return;
    add(facts.failed, view, closed);
    for (const Dependence::Condition& condition : facts.conditions)
      if (&condition == &facts.conditions.back() || is_zero(condition.holds, view))
        return add(condition.changed, view, closed);
  }

  // One without a value is not 0: if it were the first that is not 1, the rule would fail.
  bool is_zero(ExpressionId condition, const View& view) const {
    const Evaluation holds = interpreter_.value(condition, view.state);
    return holds.fault == Fault::absent && holds.value == 0;
  }

  // False where all that it moves are where they must be.
  bool add_who_is_elsewhere(const Rule& rule, const Dependence::OfRule& facts, const View& view,
                            Processes& closed) const {
    std::size_t elsewhere = rule.moves.size();
    for (std::size_t i = 0; i < rule.moves.size(); ++i) {
      const ProcessMove& move = rule.moves[i];
      if (view.places[move.process] == dependence().place(move.process, move.from)) continue;
      if (closed.has(move.process)) {  // and it stays there
        note_order(view);
        return true;
      }
      elsewhere = i;
    }
    if (elsewhere == rule.moves.size()) return false;
    note_order(view);
    add(facts.arrived[elsewhere], view, closed);
    return true;
  }

  void add(Row row, const View& view, Processes& closed) const {
    if (row != Dependence::nobody) closed += who_may(row, view, closed);
  }

  // Those of a row that are where they may still come to it from, and not among `closed`.
  Processes who_may(Row row, const View& view, const Processes& closed) const {
    Processes result;
    (processes(row) - closed).for_each([&](ProcessId q) {
      if (dependence().has(row, view.places[q])) result.add(q);
    });
    return result;
  }

  Processes processes(Row row) const {
    Processes result;
    std::copy_n(dependence().processes(row), dependence().process_words(), result.words.begin());
    return result;
  }

  const Program& program_;
  const Interpreter interpreter_;
  const OrderTables tables_;
  RuleId first_class_end_ = 0;
  bool needs_exchange_ = false;
  std::vector<Facts> facts_;  // by rule
  // By place: rules of the first class that move its process from there, receives by channel, and
  // for whom all these may wait.
  std::vector<std::uint32_t> first_at_, first_receives_at_;
  std::vector<RuleId> rules_at_;
  std::vector<Receives> receives_at_;
  std::vector<RuleId> received_;
  std::vector<Row> sent_;
  std::vector<Processes> awaited_;
};

constexpr std::size_t most_processes = 256;

// Where one rule of those that members exchanged make of each other is marked, all are.
void mark_alike(const Symmetry& symmetry, std::vector<bool>& is_marked) {
  const auto spread = [&is_marked](const std::vector<RuleId>& image) {
    bool is_new = false;
    for (RuleId id = 0; id < image.size(); ++id) {
      if (is_marked[id] == is_marked[image[id]]) continue;
      is_marked[id] = is_marked[image[id]] = is_new = true;
    }
    return is_new;
  };
  for (bool has_more = true; has_more;) {
    has_more = spread(symmetry.same_rule);
    for (const auto& image : symmetry.exchanged_rules) has_more = spread(image) || has_more;
  }
}

// Of several rules that become one, the state tells which it is.
void mark_ambiguous(const Symmetry& symmetry, std::vector<bool>& is_marked) {
  for (const auto& image : symmetry.exchanged_rules) {
    std::vector<RuleId> comes_from(image.size(), none);
    for (RuleId id = 0; id < image.size(); ++id) {
      RuleId& other = comes_from[image[id]];
      if (other != none) is_marked[id] = is_marked[other] = true;
      other = id;
    }
  }
}

// Compares what is known of rules with what is known of what they become when members are
// exchanged.
class ExchangedRows {
 public:
  ExchangedRows(const Program& program, const Dependence& dependence,
                const std::vector<RuleId>& image)
      : program_(program), dependence_(dependence), image_(image) {
    for (ProcessId p = 0; p < program.control.size(); ++p) becomes_.push_back(p);
    for (RuleId id = 0; id < image.size(); ++id)
      becomes_[program.rules[id].owner().process] = program.rules[image[id]].owner().process;
  }

  bool are_same(RuleId id) {
    const RuleId other = image_[id];
    // The others of a broadcast do not begin a step.
    if (program_.rules[id].owner().from != program_.rules[other].owner().from) return true;
    const Dependence::OfRule &one = dependence_.rules[id], &two = dependence_.rules[other];
    const auto same = [this](Row a, Row b) { return becomes(a, b); };
    return becomes(one.disturbed, two.disturbed) && becomes(one.sent, two.sent) &&
           becomes(one.taken, two.taken) && becomes(one.failed, two.failed) &&
           std::ranges::equal(one.conditions, two.conditions, same, &Dependence::Condition::changed,
                              &Dependence::Condition::changed) &&
           std::equal(one.arrived.begin(), one.arrived.end(), two.arrived.begin(),
                      two.arrived.end(), same);
  }

 private:
  using Row = Dependence::Row;

  bool becomes(Row one, Row other) {
    const auto [known, is_new] = known_.try_emplace({one, other}, false);
    if (!is_new) return known->second;
    bool& result = known->second;
    for (ProcessId p = 0; p < becomes_.size(); ++p)
      for (StateId s = 0; s < program_.control[p].size(); ++s)
        if (dependence_.has(one, dependence_.place(p, s)) !=
            dependence_.has(other, dependence_.place(becomes_[p], s)))
          return result = false;
    return result = true;
  }

  const Program& program_;
  const Dependence& dependence_;
  const std::vector<RuleId>& image_;
  std::vector<ProcessId> becomes_;  // by process
  std::map<std::pair<Row, Row>, bool> known_;
};

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
  is_known_by_name.resize(program.rules.size());
  if (!symmetry) return;
  mark_ambiguous(*symmetry, is_never_chosen);
  mark_alike(*symmetry, is_never_chosen);
  for (const auto& image : symmetry->exchanged_rules) {
    ExchangedRows rows(program, dependence, image);
    for (RuleId id = 0; id < image.size(); ++id)
      if (!rows.are_same(id)) is_known_by_name[id] = true;
  }
  mark_alike(*symmetry, is_known_by_name);
}

std::unique_ptr<Selector> make_order_reduction(const Program& program, OrderTables tables,
                                               const Symmetry* symmetry) {
  const auto& never = tables.is_never_chosen;
  if (std::find(never.begin(), never.end(), false) == never.end()) return nullptr;
  const std::size_t processes = program.control.size();
  if (processes < 2 || processes >= most_processes) return nullptr;
  if (processes < 64)
    return std::make_unique<OrderReduction<1>>(program, std::move(tables), symmetry);
  return std::make_unique<OrderReduction<most_processes / 64>>(program, std::move(tables),
                                                               symmetry);
}

std::unique_ptr<Selector> make_order_reduction(const Program& program, ReceptionPolicy receptions,
                                               const Symmetry* symmetry) {
  if (receptions != ReceptionPolicy::blocked || program.control.size() < 2 ||
      program.control.size() >= most_processes)
    return nullptr;
  return make_order_reduction(program, OrderTables(program, symmetry), symmetry);
}

}  // namespace panoptes
