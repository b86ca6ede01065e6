// SPDX-License-Identifier: Apache-2.0
// Rows are one for each process and channel it may receive from, not one for each control state:
// what differs between control states is a set of tags, and equal sets are one.
#include "rules/make_error_table.hpp"

#include <algorithm>
#include <map>
#include <utility>

#include "rules/program.hpp"
#include "rules/stuck.hpp"

namespace panoptes {
namespace {

constexpr std::uint8_t only(ReceptionPolicy policy) {
  return static_cast<std::uint8_t>(1u << static_cast<unsigned>(policy));
}

class ErrorRows {
 public:
  explicit ErrorRows(Program& program)
      : program_(program),
        pool_(program.protocol.expressions),
        layout_(program.layout),
        stuck_(program) {}

  ErrorTable table() {
    out_.first_expression = pool_.size();
    for (ProcessId p = 0; p < program_.control.size(); ++p) add_receptions(p);
    add_deadlocks();
    add_ends();
    add_invariants();
    for (const Rule& rule : program_.rules) {
      out_.first_check.push_back(static_cast<std::uint32_t>(out_.checks.size()));
      add_checks(rule);
    }
    out_.first_check.push_back(static_cast<std::uint32_t>(out_.checks.size()));
    return std::move(out_);
  }

 private:
  // ---- messages that a process does not accept --------------------------------------------------

  // What a process receives from one channel, by control state.
  using Receptions = std::map<StateId, std::vector<const Reception*>>;

  void add_receptions(ProcessId process) {
    std::map<ChannelId, Receptions> channels;
    for (ChannelId c = 0; c < program_.protocol.channels.size(); ++c)
      if (program_.protocol.channels[c].reader() == process) channels[c];
    for (StateId s = 0; s < program_.control[process].size(); ++s)
      for (const Reception& reception : program_.at(process, s).receptions)
        channels[reception.channel][s].push_back(&reception);
    for (const auto& [channel, receptions] : channels)
      if (!layout_.channels[channel].pieces.empty()) add_receptions(process, channel, receptions);
  }

  void add_receptions(ProcessId process, ChannelId channel, const Receptions& receptions) {
    const bool is_reader = program_.protocol.channels[channel].reader() == process;
    StateError blocked, reading, any;
    for (const auto& [state, here] : receptions) {
      const ControlInfo& info = program_.at(process, state);
      if (info.is_end) continue;
      const ExpressionId refused = refuses(here, channel, false);
      add_at(reading, state, refused);
      if (!is_never(refused))
        add_at(blocked, state, and_also(refused, stuck_.at(process, state, channel)));
      any.at.emplace_back(state, refuses(here, channel, true));
    }
    blocked.idle = Idle::process;
    blocked.policies = only(ReceptionPolicy::blocked);
    reading.policies = only(ReceptionPolicy::reading);
    any.policies = only(ReceptionPolicy::any);
    if (is_reader)
      any.predicate = is_at(process, [](const ControlInfo& info) { return !info.is_end; });
    else
      reading.policies |= std::exchange(any.policies, 0);
    for (StateError* row : {&blocked, &reading, &any}) {
      if (row->policies == 0 || (row->at.empty() && row->predicate == none)) continue;
      row->kind = ErrorKind::unspecified_reception;
      row->process = process;
      row->channel = channel;
      row->names_message = true;
      out_.states.push_back(std::move(*row));
    }
  }

  void add_at(StateError& row, StateId state, ExpressionId predicate) const {
    if (!is_never(predicate)) row.at.emplace_back(state, predicate);
  }

  bool is_never(ExpressionId predicate) const {
    return pool_.is_constant(predicate) && pool_[predicate].value == 0;
  }

  ExpressionId and_also(ExpressionId left, ExpressionId right) {
    return pool_.is_constant(right) ? (is_never(right) ? right : left)
                                    : pool_.binary(Op::logical_and, left, right);
  }

  // That none of them takes the first message, although one reads the channel (or, `in_any_case`,
  // whether or not one does).
  ExpressionId refuses(const std::vector<const Reception*>& receptions, ChannelId channel,
                       bool in_any_case) {
    bool always_reads = in_any_case;
    std::vector<bool> others(program_.protocol.channels[channel].sort.size() + 1, true);
    others[0] = false;
    std::vector<ExpressionId> idle, all;  // conditions that do not hold; what must hold
    for (const Reception* reception : receptions) {
      if (!reception->conditions.empty()) continue;
      always_reads = true;
      if (!reception->guards.empty()) continue;
      for (std::size_t tag = 1; tag < others.size(); ++tag)
        if (reception->accepts[tag]) others[tag] = false;
    }
    const bool is_reordering = program_.protocol.channels[channel].is_reordering;
    all.push_back(is_reordering ? behind_help(receptions, channel) : among(channel, others));
    for (const Reception* reception : receptions) {
      if (reception->conditions.empty() && reception->guards.empty()) continue;
      std::vector<ExpressionId> conditions;
      for (const ExpressionId id : reception->conditions) conditions.push_back(pool_.holds(id));
      const ExpressionId reads = pool_.all_of(std::move(conditions));
      if (!reception->conditions.empty()) idle.push_back(pool_.unary(Op::logical_not, reads));
      for (std::uint32_t p = 0; p < places(channel); ++p) {
        const ExpressionId takes =
            pool_.binary(Op::logical_and, reads, among(channel, reception->accepts, p));
        all.push_back(pool_.unary(Op::logical_not,
                                  pool_.binary(Op::logical_and, takes,
                                               may_hold(at_place(p, channel, reception->guards)))));
      }
    }
    if (!always_reads) all.push_back(pool_.unary(Op::logical_not, pool_.all_of(std::move(idle))));
    if (pool_.is_constant(all[0])) return pool_.constant(0);
    return pool_.all_of(std::move(all));
  }

  // That none of them is 0 before one without a value: there the step is taken, and fails.
  ExpressionId may_hold(const std::vector<ExpressionId>& conditions) {
    std::vector<ExpressionId> all;
    for (auto id = conditions.rbegin(); id != conditions.rend(); ++id) {
      if (!pool_.can_fail(*id)) {
        all.insert(all.begin(), *id);
        continue;
      }
      const ExpressionId others = pool_.unary(Op::logical_not, pool_.all_of(std::move(all)));
      all = {pool_.unary(Op::logical_not, pool_.holds(pool_.unary(Op::logical_not, *id))),
             pool_.unary(Op::logical_not, pool_.binary(Op::logical_and, pool_.holds(*id), others))};
    }
    return pool_.all_of(std::move(all));
  }

  // Conditions that look at the first message of the channel, of the one that is there instead.
  std::vector<ExpressionId> at_place(std::uint32_t place, ChannelId channel,
                                     std::vector<ExpressionId> conditions) {
    for (ExpressionId& id : conditions)
      id = pool_.substitute(id, [&](const ExpressionNode& node) -> std::optional<ExpressionId> {
        if (node.op != Op::field || node.a != channel || node.value != 0 || place == 0) return {};
        return pool_.field(node.a, node.b, node.c, place);
      });
    return conditions;
  }

  // On a line that reorders any message may be the next one. None is taken for ever where no
  // message that is there is taken by what is always read, and no more can come, or none that comes
  // would be taken either.
  ExpressionId behind_help(const std::vector<const Reception*>& receptions, ChannelId channel) {
    std::vector<ExpressionId> all;
    bool takes_any = false;
    for (const Reception* reception : receptions) {
      takes_any = takes_any || std::find(reception->accepts.begin() + 1, reception->accepts.end(),
                                         true) != reception->accepts.end();
      if (!reception->conditions.empty() || !reception->guards.empty()) continue;
      for (std::uint32_t p = 0; p < places(channel); ++p)
        all.push_back(pool_.unary(Op::logical_not, among(channel, reception->accepts, p)));
    }
    if (takes_any) all.push_back(pool_.ask(Op::full, channel));
    all.push_back(pool_.unary(Op::logical_not, pool_.ask(Op::empty, channel)));
    return pool_.all_of(std::move(all));
  }

  std::uint32_t places(ChannelId channel) const {
    return program_.protocol.channels[channel].places_to_receive();
  }

  // That the message there has one of these tags; 0 where there are none.
  ExpressionId among(ChannelId channel, std::vector<bool> tags, std::uint32_t place = 0) {
    tags[0] = false;
    if (std::find(tags.begin(), tags.end(), true) == tags.end()) return pool_.constant(0);
    return pool_.member(pool_.tag(channel, place), tags);
  }

  // ---- nobody moves -----------------------------------------------------------------------------

  // The process is at a control state for which `is_so`.
  template <typename Fact>
  ExpressionId is_at(ProcessId process, Fact is_so) {
    std::vector<bool> states;
    for (const ControlInfo& info : program_.control[process]) states.push_back(is_so(info));
    if (std::find(states.begin(), states.end(), true) == states.end()) return pool_.constant(0);
    if (std::find(states.begin(), states.end(), false) == states.end()) return pool_.constant(1);
    return pool_.member(pool_.ask(Op::control, process), states);
  }

  // Every process is.
  template <typename Fact>
  ExpressionId everywhere(Fact is_so) {
    std::vector<ExpressionId> parts;
    for (ProcessId p = 0; p < program_.control.size(); ++p) {
      const ExpressionId part = is_at(p, is_so);
      if (!pool_.is_constant(part))
        parts.push_back(part);
      else if (pool_[part].value == 0)
        return part;
    }
    return pool_.all_of(std::move(parts));
  }

  void add_deadlocks() {
    StateError row;
    row.kind = ErrorKind::deadlock;
    row.idle = Idle::everybody;
    row.concerns_all = true;
    row.predicate = pool_.unary(Op::logical_not,
                                everywhere([](const ControlInfo& info) { return info.may_stop; }));
    out_.states.push_back(std::move(row));
  }

  // Who has ended does not move, so these are looked for where nobody does.
  void add_ends() {
    const ExpressionId ended = everywhere([](const ControlInfo& info) { return info.is_end; });
    if (pool_.is_constant(ended) && pool_[ended].value == 0) return;
    StateError row;
    row.idle = Idle::everybody;
    row.kind = ErrorKind::unread_messages;
    row.predicate = ended;
    for (row.channel = 0; row.channel < layout_.channels.size(); ++row.channel)
      if (!layout_.channels[row.channel].pieces.empty()) out_.states.push_back(row);
    row.kind = ErrorKind::assertion;
    row.channel = none;
    for (std::uint32_t a = 0; a < program_.protocol.assertions.size(); ++a) {
      std::vector<bool> unfinished = program_.protocol.assertions[a].accepts_end;
      unfinished.flip();
      if (std::find(unfinished.begin(), unfinished.end(), true) == unfinished.end()) continue;
      row.assertion = a;
      row.predicate =
          pool_.binary(Op::logical_and, ended, pool_.member(pool_.ask(Op::subset, a), unfinished));
      out_.states.push_back(row);
    }
  }

  // ---- what must hold in every state ------------------------------------------------------------

  // Where there is a question, nothing else is looked for.
  void add_invariants() {
    const auto& invariants = program_.protocol.invariants;
    out_.is_question = std::any_of(invariants.begin(), invariants.end(), &is_question);
    if (out_.is_question) out_.states.clear();
    for (std::uint32_t i = 0; i < invariants.size(); ++i) {
      const ExpressionId broken = invariants[i].broken;
      if (pool_.is_constant(broken) && pool_[broken].value == 0) continue;
      if (is_question(invariants[i]) != out_.is_question) continue;
      StateError row;
      row.kind = out_.is_question ? ErrorKind::reached : ErrorKind::invariant;
      row.assertion = i;
      row.predicate = broken;
      out_.states.push_back(std::move(row));
    }
  }
  static bool is_question(const Invariant& invariant) { return invariant.is_question; }

  // ---- steps ------------------------------------------------------------------------------------

  void add_checks(const Rule& rule) {
    if (rule.kind == ActionKind::bad_index)
      out_.checks.push_back({ErrorKind::index_out_of_range, none, pool_.constant(0)});
    if (rule.kind == ActionKind::check)
      out_.checks.push_back({ErrorKind::assertion, none, rule.check});
    if (rule.kind == ActionKind::send && program_.overflow == OverflowPolicy::error &&
        !layout_.channels[rule.channel].pieces.empty())
      out_.checks.push_back({ErrorKind::overflow, none,
                             pool_.unary(Op::logical_not, pool_.ask(Op::full, rule.channel))});
    for (const AssertionMove& move : rule.assertion_moves) {
      std::vector<bool> going_on;
      for (const auto& next : program_.protocol.assertions[move.assertion].next)
        going_on.push_back(next[move.symbol] != none);
      if (std::find(going_on.begin(), going_on.end(), false) != going_on.end())
        out_.checks.push_back({ErrorKind::assertion, move.assertion,
                               pool_.member(pool_.ask(Op::subset, move.assertion), going_on)});
    }
  }

  Program& program_;
  Expressions& pool_;
  const Layout& layout_;
  StuckPredicates stuck_;
  ErrorTable out_;
};

}  // namespace

void make_error_table(Program& program) { program.errors = ErrorRows(program).table(); }

}  // namespace panoptes
