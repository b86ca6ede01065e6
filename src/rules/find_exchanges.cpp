// SPDX-License-Identifier: Apache-2.0
#include "rules/find_exchanges.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <numeric>

namespace panoptes {
namespace {

// Neighbours exchanged, or all moved on by one.
std::vector<Exchange> generators(const MemberGroup& group, std::uint32_t number) {
  std::vector<std::int64_t> same(group.size());
  std::iota(same.begin(), same.end(), group.low);
  std::vector<Exchange> result;
  if (group.is_ring) {
    std::rotate(same.begin(), same.begin() + 1, same.end());
    return {{number, group.low, same}};
  }
  for (std::size_t i = 0; i + 1 < same.size(); ++i) {
    result.push_back({number, group.low, same});
    std::swap(result.back().image[i], result.back().image[i + 1]);
  }
  return result;
}

// The first number that is exchanged.
std::int64_t first_moved(const Exchange& exchange) {
  std::int64_t number = exchange.low;
  while (exchange(exchange.group, number) == number) ++number;
  return number;
}

// The first of `now` that `before` does not have; nothing where they have the same.
std::optional<std::size_t> first_stranger(const std::vector<std::uint32_t>& now,
                                          std::vector<std::uint32_t> before) {
  std::vector<std::uint32_t> sorted = now;
  std::sort(sorted.begin(), sorted.end());
  std::sort(before.begin(), before.end());
  if (sorted == before) return {};
  for (std::size_t i = 0; i < now.size(); ++i)
    if (!std::binary_search(before.begin(), before.end(), now[i])) return i;
  return 0;
}

}  // namespace

ExchangeFinder::ExchangeFinder(const Program& program, const MemberNumbers& numbers,
                               const CostExpression* cost)
    : program_(program),
      numbers_(numbers),
      cost_(cost),
      broadcasts_(program),
      terms_(program, numbers),
      unmarked_(numbers),
      same_(program.rules.size()) {
  terms_.begin(unmarked_, nothing_);
  plain_ = table();
  known_rules_.insert(plain_.rules.begin(), plain_.rules.end());
  known_rows_.insert(plain_.rows.begin(), plain_.rows.end());
  known_broadcasts_.insert(plain_.broadcasts.begin(), plain_.broadcasts.end());
  auto plain = plain_.rules.begin();
  for (RuleId id = 0; id < program.rules.size(); ++id)
    rule_of_.emplace(broadcasts_.has(id) ? terms_.send(id) : *plain++, id);
  for (VariableId v = 0; v < program.protocol.variables.size(); ++v)
    variable_at_[{numbers.role_of(v), program.protocol.variables[v].process,
                  numbers.element_of(v)}] = v;
  std::iota(same_.begin(), same_.end(), 0);
}

ExchangeFinder::Table ExchangeFinder::table() {
  Table result;
  for (RuleId id = 0; id < program_.rules.size(); ++id)
    if (!broadcasts_.has(id)) result.rules.push_back(terms_.rule(id));
  for (const Broadcast& cast : broadcasts_.all())
    result.broadcasts.push_back(terms_.broadcast(cast));
  for (ProcessId p = 0; p < program_.control.size(); ++p)
    for (StateId s = 0; s < program_.control[p].size(); ++s)
      result.control.push_back(terms_.control(p, s));
  for (const StateError& row : program_.errors.states) result.rows.push_back(terms_.row(row));
  for (ChannelId c = 0; c < program_.protocol.channels.size(); ++c)
    result.channels.push_back(terms_.channel(c));
  for (VariableId v = 0; v < program_.protocol.variables.size(); ++v)
    result.variables.push_back(terms_.variable_part(v));
  for (std::uint32_t a = 0; a < program_.protocol.assertions.size(); ++a)
    result.assertions.push_back(terms_.assertion(a));
  if (cost_) result.cost.push_back(terms_.predicate(cost_->pool, cost_->root));
  return result;
}

std::optional<MarkedKinds> ExchangeFinder::find(ProcessId family, const MemberGroup& group,
                                                std::uint32_t number, MarkedKinds marked,
                                                NotAlike& why) {
  Trial trial{group, marked, why};
  trial.exchanges = generators(group, number);
  mark({numbers_.kind(numbers_.of_process(family))}, trial.exchanges.front(), trial);
  guess(trial);
  if (!prove(trial)) return {};
  unite_rules(trial);
  add_images(trial);
  return marked;
}

// ---- guesses
// --------------------------------------------------------------------------------------

void ExchangeFinder::guess(Trial& trial) {
  do {
    trial.has_more = false;
    for (const Exchange& exchange : trial.exchanges) {
      terms_.begin(trial.marked, exchange);
      guess_by_rules(exchange, trial);
      guess_by_broadcasts(exchange, trial);
      guess_by_rows(exchange, trial);
      guess_by_values(exchange, trial);
    }
  } while (trial.has_more);
}

// The process that it would be, if its family is exchanged; itself where there is none.
ProcessId ExchangeFinder::image(ProcessId process, const Exchange& exchange) const {
  const auto& family = program_.families.process;
  const std::int64_t wanted = exchange(exchange.group, numbers_.number_of_process(process));
  for (ProcessId p = family[process]; p < family.size() && family[p] == family[process]; ++p)
    if (numbers_.number_of_process(p) == wanted) return p;
  return process;
}

// Of those that it can be the image of, the one with the fewest kinds that have to be marked.
void ExchangeFinder::guess_by_rules(const Exchange& exchange, Trial& trial) {
  Alignment alignment(program_, numbers_, trial.marked, exchange);
  for (RuleId id = 0; id < program_.rules.size(); ++id) {
    if (broadcasts_.has(id) || known_rules_.contains(terms_.rule(id))) continue;
    const Rule& rule = program_.rules[id];
    std::optional<std::set<MemberNumbers::Site>> fewest;
    const auto consider = [&](RuleId other) {
      if (!alignment.rules(rule, program_.rules[other])) return;
      if (!fewest || alignment.differing().size() < fewest->size()) fewest = alignment.differing();
    };
    const ProcessId own = rule.owner().process, other = image(own, exchange);
    for_each_rule(program_.at(own, rule.owner().from), consider);
    if (other != own && rule.owner().from < program_.control[other].size())
      for_each_rule(program_.at(other, rule.owner().from), consider);
    if (fewest) mark(*fewest, exchange, trial);
  }
}

void ExchangeFinder::guess_by_broadcasts(const Exchange& exchange, Trial& trial) {
  Alignment alignment(program_, numbers_, trial.marked, exchange);
  for (const Broadcast& cast : broadcasts_.all()) {
    if (known_broadcasts_.contains(terms_.broadcast(cast))) continue;
    for (const Broadcast& other : broadcasts_.all()) {
      const Rule &one = program_.rules[cast.first()], &two = program_.rules[other.first()];
      if (one.statements != two.statements || one.owner().from != two.owner().from) continue;
      for (const auto& rules : cast.sends)
        for (const auto& others : other.sends)
          if (alignment.sends(program_.rules[rules.front()], program_.rules[others.front()]))
            mark(alignment.differing(), exchange, trial);
    }
  }
}

void ExchangeFinder::guess_by_rows(const Exchange& exchange, Trial& trial) {
  Alignment alignment(program_, numbers_, trial.marked, exchange);
  for (const StateError& row : program_.errors.states) {
    if (row.kind == ErrorKind::deadlock || known_rows_.contains(terms_.row(row))) continue;
    for (const StateError& other : program_.errors.states)
      if (alignment.rows(row, other)) mark(alignment.differing(), exchange, trial);
  }
}

// A variable that is its member's number from the beginning.
void ExchangeFinder::guess_by_values(const Exchange& exchange, Trial& trial) {
  Alignment alignment(program_, numbers_, trial.marked, exchange);
  for (VariableId v = 0; v < program_.protocol.variables.size(); ++v) {
    const VariableId other = image(v, exchange, trial.marked);
    if (other == none) continue;
    const auto value = [&](VariableId of) {
      return read(program_.layout.variables[of], program_.initial);
    };
    if (value(v) != value(other) && alignment.values(v, other, value(v), value(other)))
      mark(alignment.differing(), exchange, trial);
  }
}

void ExchangeFinder::mark(const std::set<MemberNumbers::Site>& kinds, const Exchange& exchange,
                          Trial& trial) {
  for (const MemberNumbers::Site kind : kinds) {
    const auto* const use = numbers_.what_tells_apart(kind, trial.group.low, trial.group.high);
    if (use && trial.why.reason.empty())
      trial.why = {
          {},
          fmt::format("{} is the number of a member, and {}", describe(use->site), use->what),
          use->place};
    if (use || trial.marked.group_of(kind) != none) continue;
    trial.marked.mark(kind, exchange.group);
    trial.has_more = true;
  }
}

std::string ExchangeFinder::describe(MemberNumbers::Site site) const {
  const auto& variables = program_.protocol.variables;
  for (VariableId v = 0; v < variables.size(); ++v) {
    const MemberNumbers::Role& role = numbers_.role(numbers_.role_of(v));
    const std::string name =
        variables[v].elements > 0 ? array_name(variables[v].name) : variables[v].name;
    if (role.value == site) return fmt::format("`{}`", name);
    if (role.index == site) return fmt::format("the index of `{}`", name);
  }
  for (ChannelId c = 0; c < program_.protocol.channels.size(); ++c) {
    const Channel& channel = program_.protocol.channels[c];
    for (std::uint32_t tag = 1; tag <= channel.sort.size(); ++tag)
      for (std::uint32_t i = 0; i < channel.sort[tag - 1].values.size(); ++i)
        if (numbers_.of_field(c, tag, i) == site)
          return fmt::format("a value of `{}`", channel.sort[tag - 1].name);
  }
  return "an index";
}

// ---- proof
// ----------------------------------------------------------------------------------------

bool ExchangeFinder::prove(Trial& trial) {
  return std::ranges::all_of(trial.exchanges, [&](const Exchange& exchange) {
    return is_same(exchange, trial) && begins_the_same(exchange, trial);
  });
}

// "node[0] and node[1]": the first two that are exchanged, of the first family.
std::string ExchangeFinder::two_members(const Exchange& exchange, const MarkedKinds& marked) const {
  for (ProcessId p = 0; p < program_.control.size(); ++p)
    if (marked.group_of(numbers_.of_process(p)) == exchange.group &&
        numbers_.number_of_process(p) == first_moved(exchange))
      return fmt::format("{} and {}", program_.protocol.processes[p].name,
                         program_.protocol.processes[image(p, exchange)].name);
  return "members";
}

bool ExchangeFinder::is_same(const Exchange& exchange, Trial& trial) {
  terms_.begin(trial.marked, exchange);
  const Table now = table();
  const std::string members = two_members(exchange, trial.marked);
  const Protocol& protocol = program_.protocol;
  const auto refuse = [&](std::string reason, Place place) {
    if (trial.why.reason.empty()) trial.why = {{}, std::move(reason), place};
    return false;
  };
  if (const auto v = first_stranger(now.variables, plain_.variables))
    return refuse(fmt::format("not each of {} has a `{}`", members, protocol.variables[*v].name),
                  protocol.variables[*v].place);
  if (const auto c = first_stranger(now.channels, plain_.channels))
    return refuse(
        fmt::format("`{}` has no counterpart for {}", protocol.channels[*c].name, members),
        protocol.channels[*c].place);
  if (const auto a = first_stranger(now.assertions, plain_.assertions))
    return refuse(fmt::format("assertion `{}` does not treat {} alike",
                              protocol.assertions[*a].name, members),
                  protocol.assertions[*a].place);
  std::vector<RuleId> ids;
  for (RuleId id = 0; id < program_.rules.size(); ++id)
    if (!broadcasts_.has(id)) ids.push_back(id);
  std::optional<RuleId> rule;
  if (const auto r = first_stranger(now.rules, plain_.rules)) rule = ids[*r];
  if (const auto b = first_stranger(now.broadcasts, plain_.broadcasts); b && !rule)
    rule = broadcasts_.all()[*b].first();
  if (rule) {
    const Rule& one = program_.rules[*rule];
    const std::string& owner = protocol.processes[one.owner().process].name;
    return refuse(
        fmt::format("with {}, `{}` of {} has no counterpart",
                    trial.group.is_ring ? "all moved on by one" : members + " exchanged", one.text,
                    owner),
        one.statements.empty() ? Place{} : protocol.statements[one.statements.front()].place);
  }
  if (const auto r = first_stranger(now.rows, plain_.rows)) {
    const StateError& row = program_.errors.states[*r];
    const bool is_invariant = row.kind == ErrorKind::invariant || row.kind == ErrorKind::reached;
    return refuse(
        fmt::format("{} does not treat {} alike",
                    is_invariant ? fmt::format("`{}`", protocol.invariants[row.assertion].text)
                                 : "what is an error",
                    members),
        is_invariant ? protocol.invariants[row.assertion].place : Place{});
  }
  if (first_stranger(now.control, plain_.control))
    return refuse(fmt::format("{} do not accept the same messages at the same places", members),
                  {});
  if (now.cost != plain_.cost)
    return refuse(fmt::format("the cost of a state changes with {} exchanged", members), {});
  if (terms_.is_unclear()) return refuse("a value may be that of one message or of another", {});
  return true;
}

VariableId ExchangeFinder::image(VariableId variable, const Exchange& exchange,
                                 const MarkedKinds& marked) const {
  const ProcessId owner = program_.protocol.variables[variable].process;
  const bool moves = owner != none && marked.group_of(numbers_.of_process(owner)) == exchange.group;
  const std::uint32_t role = numbers_.role_of(variable);
  const auto found = variable_at_.find(
      {role, moves ? image(owner, exchange) : owner,
       exchange(marked.group_of(numbers_.role(role).index), numbers_.element_of(variable))});
  return found == variable_at_.end() ? none : found->second;
}

// The initial state is its own image.
bool ExchangeFinder::begins_the_same(const Exchange& exchange, Trial& trial) {
  const Protocol& protocol = program_.protocol;
  const auto refuse = [&](const std::string& name, Place place) {
    if (trial.why.reason.empty())
      trial.why = {{},
                   fmt::format("`{}` tells {} apart in the initial state", name,
                               two_members(exchange, trial.marked)),
                   place};
    return false;
  };
  const StateView initial = program_.initial;
  for (VariableId v = 0; v < protocol.variables.size(); ++v) {
    const std::uint32_t group = trial.marked.group_of(numbers_.role(numbers_.role_of(v)).value);
    const VariableId other = image(v, exchange, trial.marked);
    if (other == none || read(program_.layout.variables[other], initial) !=
                             exchange(group, read(program_.layout.variables[v], initial)))
      return refuse(protocol.variables[v].name, protocol.variables[v].place);
  }
  for (ProcessId p = 0; p < protocol.processes.size(); ++p)
    if (marked_process(p, exchange, trial.marked) &&
        read(program_.layout.control[p], initial) !=
            read(program_.layout.control[image(p, exchange)], initial))
      return refuse(protocol.processes[p].name, protocol.processes[p].place);
  for (ChannelId c = 0; c < protocol.channels.size(); ++c)
    if (!holds_the_same(c, exchange, trial.marked))
      return refuse(protocol.channels[c].name, protocol.channels[c].place);
  return true;
}

bool ExchangeFinder::marked_process(ProcessId process, const Exchange& exchange,
                                    const MarkedKinds& marked) const {
  return marked.group_of(numbers_.of_process(process)) == exchange.group;
}

// What is in a channel at first, and in its image.
bool ExchangeFinder::holds_the_same(ChannelId channel, const Exchange& exchange,
                                    const MarkedKinds& marked) const {
  const auto& family = program_.families.channel;
  const std::int64_t wanted =
      exchange(marked.group_of(numbers_.of_channel(channel)), numbers_.number_of_channel(channel));
  ChannelId other = family[channel];
  while (other < family.size() && family[other] == family[channel] &&
         numbers_.number_of_channel(other) != wanted)
    ++other;
  if (other == family.size() || family[other] != family[channel]) return false;
  const auto here = contents(program_.layout.channels[channel], program_.initial);
  const auto there = contents(program_.layout.channels[other], program_.initial);
  return std::ranges::equal(here, there, [&](const Message& one, const Message& two) {
    const MessageType& type = program_.protocol.channels[channel].sort[one.tag - 1];
    const MessageType& type_there = program_.protocol.channels[other].sort[two.tag - 1];
    if (type.name != type_there.name || one.values.size() != two.values.size()) return false;
    for (std::uint32_t i = 0; i < one.values.size(); ++i)
      if (two.values[i] !=
          exchange(marked.group_of(numbers_.of_field(channel, one.tag, i)), one.values[i]))
        return false;
    return true;
  });
}

// ---- rules that are one
// ---------------------------------------------------------------------------

RuleId ExchangeFinder::same_rule(RuleId rule) const {
  while (same_[rule] != rule) rule = same_[rule] = same_[same_[rule]];
  return rule;
}

void ExchangeFinder::unite_rules(const Trial& trial) {
  for (const Exchange& exchange : trial.exchanges) {
    terms_.begin(trial.marked, exchange);
    for (RuleId id = 0; id < program_.rules.size(); ++id) {
      const auto found = rule_of_.find(broadcasts_.has(id) ? terms_.send(id) : terms_.rule(id));
      if (found == rule_of_.end()) continue;
      const RuleId one = same_rule(id), other = same_rule(found->second);
      same_[std::max(one, other)] = std::min(one, other);
    }
  }
}

// Of rules that are the same, the first becomes the first, and so on. Broadcasts are compared as a
// whole, and so is their first rule, which is that of the step.
void ExchangeFinder::add_images(const Trial& trial) {
  const auto& casts = broadcasts_.all();
  std::map<Term, std::vector<RuleId>> left, left_casts;
  terms_.begin(unmarked_, nothing_);
  for (RuleId id = static_cast<RuleId>(program_.rules.size()); id-- > 0;)
    if (!broadcasts_.has(id)) left[terms_.rule(id)].push_back(id);
  for (std::size_t i = casts.size(); i-- > 0;)
    left_casts[terms_.broadcast(casts[i])].push_back(casts[i].first());
  const auto take = [](std::map<Term, std::vector<RuleId>>& from, Term term) {
    std::vector<RuleId>& rules = from.at(term);
    const RuleId rule = rules.back();
    rules.pop_back();
    return rule;
  };
  for (const Exchange& exchange : trial.exchanges) {
    terms_.begin(trial.marked, exchange);
    auto rest = left, rest_casts = left_casts;
    std::vector<RuleId>& image = images_.emplace_back(program_.rules.size());
    for (RuleId id = 0; id < image.size(); ++id)
      if (!broadcasts_.has(id)) image[id] = take(rest, terms_.rule(id));
    for (const Broadcast& cast : casts) {
      const RuleId first = take(rest_casts, terms_.broadcast(cast));
      for (const auto& ways : cast.sends)
        for (const RuleId id : ways) image[id] = first;
    }
  }
}

std::vector<RuleId> ExchangeFinder::same_rules() const {
  std::vector<RuleId> result;
  for (RuleId id = 0; id < same_.size(); ++id) result.push_back(same_rule(id));
  return result;
}

}  // namespace panoptes
