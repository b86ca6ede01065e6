// SPDX-License-Identifier: Apache-2.0
#include "step/indivisible.hpp"

#include <algorithm>
#include <map>
#include <new>
#include <set>
#include <utility>

#include "base/hash.hpp"
#include "step/interpreter.hpp"

namespace panoptes {
namespace {

// So many states of a sequence are looked through one by one.
constexpr std::size_t few = 16;

std::uint64_t key_of(std::uint32_t sequence, StateView state) {
  return hash_word(hash_state(state) + sequence);
}

// State `i` of one batch is state `k` of the other.
bool is_same(const StateBatch& batch, std::size_t i, const StateBatch& other, std::size_t k) {
  return batch.width == 1 ? batch.words[i] == other.words[k]
                          : std::ranges::equal(batch[i], other[k]);
}

}  // namespace

IndivisibleStepper::IndivisibleStepper(std::unique_ptr<Stepper> stepper)
    : stepper_(std::move(stepper)) {
  for (const Rule& rule : stepper_->program().rules) alone_after_.push_back(alone_after(rule));
  noted_.resize(alone_after_.size());
}

IndivisibleStepper::~IndivisibleStepper() = default;

void IndivisibleStepper::expand(const StateBatch& batch, SuccessorBatch& out,
                                std::vector<Finding>& findings) {
  origins_.clear();
  nodes_.clear();
  stepper_->expand(batch, out, findings);
  const auto is_single = [&](RuleId rule) { return alone_after_[rule] == none; };
  if (std::all_of(out.rules.begin(), out.rules.end(), is_single)) {
    for (const RuleId rule : out.rules) origins_.push_back({none, rule});
    return;
  }
  std::swap(out, steps_);
  batch_ = &batch;
  findings_ = &findings;
  begin();
  if (batch.size() > 1) follow_chains();
  for (std::size_t first = 0; first < branching_.size();) {
    const std::size_t count = std::min(branching_.size() - first, at_once_);
    follow_all({branching_.data() + first, count});
    first += count;
  }
  hand_out(out);
}

void IndivisibleStepper::begin() {
  used_ = 0;
  ++expansion_;
  ends_.clear();
  branching_.clear();
  for (StateBatch* states : {&inside_, &outside_, &group_, &links_}) {
    states->width = batch_->width;
    states->clear();
  }
  for (Number i = 0; i < batch_->size(); ++i)
    for (std::uint32_t s = steps_.first[i]; s < steps_.first[i + 1]; ++s) {
      if (alone_after_[steps_.rules[s]] == none) continue;
      if (used_ == sequences_.size()) sequences_.emplace_back();
      branching_.push_back(static_cast<Number>(used_));
      Sequence& sequence = sequences_[used_++];
      sequence.source = i;
      sequence.step = s;
      sequence.nodes.clear();
      sequence.ends.clear();
      sequence.meetings.clear();
      sequence.is_given_up = false;
    }
}

// Most sequences are short and do not branch: those are followed without any account of them. The
// others are left to be followed from their beginning.
void IndivisibleStepper::follow_chains() {
  const auto process_of = [&](Number i) { return alone_after_[steps_.rules[sequences_[i].step]]; };
  const auto is_before = [&](Number a, Number b) { return process_of(a) < process_of(b); };
  std::swap(chains_, branching_);
  branching_.clear();
  std::stable_sort(chains_.begin(), chains_.end(), is_before);
  for (std::size_t first = 0; first < chains_.size();) {
    std::size_t end = first + 1;
    while (end < chains_.size() && process_of(chains_[end]) == process_of(chains_[first])) ++end;
    group_.clear();
    for (std::size_t i = first; i < end; ++i)
      group_.push_back(steps_.states, sequences_[chains_[i]].step);
    std::size_t left = end - first;
    for (std::size_t step = 0; step < few && left > 0; ++step)
      left = follow_links(process_of(chains_[first]), {chains_.data() + first, left});
    for (std::size_t i = first; i < first + left; ++i) branching_.push_back(chains_[i]);
    first = end;
  }
  std::sort(branching_.begin(), branching_.end());
}

// One step of each, from the states in `group_`. Says how many have not ended; they, and their
// states, come first then.
std::size_t IndivisibleStepper::follow_links(ProcessId process, std::span<Number> chains) {
  failures_.clear();
  stepper_->expand_alone(process, group_, moves_, failures_);
  std::size_t left = 0;
  links_.clear();
  for (std::size_t i = 0; i < chains.size(); ++i) {
    const std::uint32_t s = moves_.first[i], count = moves_.first[i + 1] - s;
    const RuleId rule = count == 1 ? moves_.rules[s] : none;
    const ProcessId alone = count == 1 ? alone_after_[rule] : none;
    if (count > 1 || moves_.failed[i] > 0 || (alone != none && alone != process)) {
      branching_.push_back(chains[i]);
      continue;
    }
    if (rule != none) note_inside(rule);
    if (alone == none) {
      sequences_[chains[i]].ends.push_back(static_cast<Number>(ends_.size()));
      ends_.push_back({none, rule});
      outside_.push_back(count == 1 ? moves_.states : group_, count == 1 ? s : i);
    } else {
      chains[left++] = chains[i];
      links_.push_back(moves_.states, s);
    }
  }
  std::swap(group_, links_);
  return left;
}

// Each rule once for all that are expanded together.
void IndivisibleStepper::note_inside(RuleId rule) {
  if (std::exchange(noted_[rule], expansion_) != expansion_) steps_.inside.push_back(rule);
}

// How many are followed at once depends on how long they are: their states are all held until they
// have ended.
void IndivisibleStepper::follow_all(std::span<const Number> sequences) {
  constexpr std::size_t many_states = 65'536, most_sequences = 512;
  if (batch_->size() > 1) {
    nodes_.clear();
    inside_.clear();
  }
  known_nodes_.clear();
  known_ends_.clear();
  next_level_.clear();
  const std::size_t before = nodes_.size();
  for (const Number i : sequences) {
    const RuleId rule = steps_.rules[sequences_[i].step];
    add_node({i, none, rule, alone_after_[rule], 0}, steps_.states, sequences_[i].step);
  }
  std::swap(level_, next_level_);
  while (!level_.empty()) follow_level();
  for (const Number i : sequences) {
    if (sequences_[i].is_given_up)
      give_up(sequences_[i]);
    else
      find_endless(sequences_[i]);
  }
  if (nodes_.size() - before > many_states)
    at_once_ = std::max<std::size_t>(1, at_once_ / 2);
  else if (nodes_.size() - before < many_states / 4)
    at_once_ = std::min(most_sequences, at_once_ * 2);
}

void IndivisibleStepper::add_node(const Node& node, const StateBatch& states, std::size_t i) {
  const auto number = static_cast<Number>(nodes_.size());
  std::vector<Number>& all = sequences_[node.sequence].nodes;
  all.push_back(number);
  nodes_.push_back(node);
  inside_.push_back(states, i);
  next_level_.push_back(number);
  if (all.size() == few)
    for (const Number each : all) known_nodes_.emplace(key_of(node.sequence, inside_[each]), each);
  else if (all.size() > few)
    known_nodes_.emplace(key_of(node.sequence, states[i]), number);
}

// Those that move alone together. The order within a sequence is the same whatever else is in the
// batch.
void IndivisibleStepper::follow_level() {
  next_level_.clear();
  const auto is_before = [&](Number a, Number b) { return nodes_[a].alone < nodes_[b].alone; };
  if (!std::is_sorted(level_.begin(), level_.end(), is_before))
    std::stable_sort(level_.begin(), level_.end(), is_before);
  for (std::size_t first = 0; first < level_.size();) {
    std::size_t end = first + 1;
    while (end < level_.size() && nodes_[level_[end]].alone == nodes_[level_[first]].alone) ++end;
    follow_group(first, end);
    first = end;
  }
  std::swap(level_, next_level_);
}

void IndivisibleStepper::follow_group(std::size_t first, std::size_t end) {
  group_.clear();
  for (std::size_t i = first; i < end; ++i) group_.push_back(inside_, level_[i]);
  failures_.clear();
  stepper_->expand_alone(nodes_[level_[first]].alone, group_, moves_, failures_);
  std::size_t failure = 0;
  for (std::size_t i = 0; i < group_.size(); ++i) {
    const Number node = level_[first + i];
    if (sequences_[nodes_[node].sequence].is_given_up) continue;
    if (moves_.first[i] == moves_.first[i + 1] && moves_.failed[i] == 0)
      come_out(node, none, group_, i);
    for (std::uint32_t s = moves_.first[i]; s < moves_.first[i + 1]; ++s) {
      note_inside(moves_.rules[s]);
      if (alone_after_[moves_.rules[s]] == none)
        come_out(node, moves_.rules[s], moves_.states, s);
      else
        come_to(node, moves_.rules[s], moves_.states, s);
    }
    steps_.failed[sequences_[nodes_[node].sequence].source] += moves_.failed[i];
    while (failure < failures_.size() && failures_[failure].source < i) ++failure;
    for (; failure < failures_.size() && failures_[failure].source == i; ++failure)
      fail(node, failures_[failure], way_to(node));
  }
}

void IndivisibleStepper::come_to(Number from, RuleId rule, const StateBatch& states,
                                 std::size_t i) {
  const Node next{nodes_[from].sequence, from, rule, alone_after_[rule], nodes_[from].depth + 1};
  Sequence& sequence = sequences_[next.sequence];
  const auto is_it = [&](Number other) {
    return nodes_[other].alone == next.alone && is_same(inside_, other, states, i);
  };
  if (sequence.nodes.size() < few) {
    const auto known = std::find_if(sequence.nodes.begin(), sequence.nodes.end(), is_it);
    if (known != sequence.nodes.end()) {
      sequence.meetings.push_back({from, *known, rule});
      return;
    }
  } else {
    const auto [begin, end] = known_nodes_.equal_range(key_of(next.sequence, states[i]));
    for (auto known = begin; known != end; ++known)
      if (nodes_[known->second].sequence == next.sequence && is_it(known->second)) {
        sequence.meetings.push_back({from, known->second, rule});
        return;
      }
  }
  if (sequence.nodes.size() == most_inside)
    sequence.is_given_up = true;
  else
    add_node(next, states, i);
}

void IndivisibleStepper::come_out(Number node, RuleId rule, const StateBatch& states,
                                  std::size_t i) {
  const Number number = nodes_[node].sequence;
  std::vector<Number>& all = sequences_[number].ends;
  const auto is_it = [&](Number other) { return is_same(outside_, other, states, i); };
  if (all.size() < few) {
    if (std::any_of(all.begin(), all.end(), is_it)) return;
  } else {
    const auto [begin, end] = known_ends_.equal_range(key_of(number, states[i]));
    for (auto known = begin; known != end; ++known)
      if (nodes_[ends_[known->second].node].sequence == number && is_it(known->second)) return;
  }
  all.push_back(static_cast<Number>(ends_.size()));
  ends_.push_back({node, rule});
  outside_.push_back(states, i);
  if (all.size() == few)
    for (const Number each : all) known_ends_.emplace(key_of(number, outside_[each]), each);
  else if (all.size() > few)
    known_ends_.emplace(key_of(number, states[i]), all.back());
}

std::vector<RuleId> IndivisibleStepper::way_to(Number node) const {
  std::vector<RuleId> rules;
  for (; node != none; node = nodes_[node].parent) rules.push_back(nodes_[node].rule);
  std::reverse(rules.begin(), rules.end());
  return rules;
}

// `way` leads to the node.
void IndivisibleStepper::fail(Number node, const Finding& failure, std::vector<RuleId> way) {
  const StateView from = (*batch_)[sequences_[nodes_[node].sequence].source];
  const StateView state = inside_[node];
  Finding finding = failure;
  finding.source = sequences_[nodes_[node].sequence].source;
  const bool is_same_step =
      !findings_->empty() && findings_->back().inside && findings_->back().rule == finding.rule &&
      findings_->back().source == finding.source && findings_->back().inside->rules == way;
  finding.inside =
      is_same_step ? findings_->back().inside
                   : std::make_shared<const Inside>(Inside{
                         {from.begin(), from.end()}, std::move(way), {state.begin(), state.end()}});
  findings_->push_back(std::move(finding));
}

IndivisibleStepper::Steps IndivisibleStepper::steps_inside(const Sequence& sequence) const {
  Steps steps;
  for (const Number node : sequence.nodes)
    if (nodes_[node].parent != none)
      steps.emplace(nodes_[node].parent, std::pair(node, nodes_[node].rule));
  for (const Meeting& meeting : sequence.meetings)
    steps.emplace(meeting.from, std::pair(meeting.to, meeting.rule));
  return steps;
}

// The rules of a shortest way from `first` to `last`, past no node that is nearer to where the
// sequence began than the first; nothing where there is none.
std::optional<std::vector<RuleId>> IndivisibleStepper::way_round(const Steps& steps, Number first,
                                                                 Number last) const {
  std::map<Number, std::pair<Number, RuleId>> came_from{{first, {none, none}}};
  std::vector<Number> waiting{first};
  for (std::size_t i = 0; i < waiting.size() && !came_from.contains(last); ++i) {
    const auto [begin, end] = steps.equal_range(waiting[i]);
    for (auto step = begin; step != end; ++step) {
      const auto [to, rule] = step->second;
      if (nodes_[to].depth >= nodes_[first].depth &&
          came_from.try_emplace(to, std::pair(waiting[i], rule)).second)
        waiting.push_back(to);
    }
  }
  if (!came_from.contains(last)) return {};
  std::vector<RuleId> rules;
  for (Number at = last; at != first; at = came_from[at].first)
    rules.push_back(came_from[at].second);
  std::reverse(rules.begin(), rules.end());
  return rules;
}

// Of each round that a sequence can go, the step to the state of it that is nearest to where the
// sequence began. The way there and once round passes no state twice: what is nearer lies on the
// way alone. Any other step of the round may lead back only behind one that does so before.
void IndivisibleStepper::find_endless(const Sequence& sequence) {
  if (sequence.meetings.empty()) return;
  const Steps steps = steps_inside(sequence);
  std::set<RuleId> found;
  for (const auto& [from, to, rule] : sequence.meetings) {
    if (nodes_[to].depth > nodes_[from].depth || found.contains(rule)) continue;
    const auto round = way_round(steps, to, from);
    if (!round) continue;
    found.insert(rule);
    std::vector<RuleId> way = way_to(to);
    way.insert(way.end(), round->begin(), round->end());
    Finding finding;
    finding.kind = ErrorKind::endless_atomic;
    finding.rule = rule;
    ++steps_.failed[sequence.source];
    fail(from, finding, std::move(way));
  }
}

// A sequence of very many states: one that takes the first way on at each of them comes back most
// likely.
void IndivisibleStepper::give_up(Sequence& sequence) {
  sequence.ends.clear();
  sequence.meetings.clear();
  const Number first = sequence.nodes.front();
  const Number number = nodes_[first].sequence;
  StateBatch state{batch_->width, {}};
  state.assign(inside_[first]);
  ProcessId alone = nodes_[first].alone;
  sequence.nodes.clear();
  known_nodes_.clear();
  add_node({number, none, nodes_[first].rule, alone, 0}, state, 0);
  while (sequence.nodes.size() < most_inside && sequence.meetings.empty()) {
    stepper_->expand_alone(alone, state, moves_, failures_);
    const auto inside = std::find_if(moves_.rules.begin(), moves_.rules.end(),
                                     [&](RuleId rule) { return alone_after_[rule] != none; });
    if (inside == moves_.rules.end()) break;
    alone = alone_after_[*inside];
    state.assign(moves_.states[static_cast<std::size_t>(inside - moves_.rules.begin())]);
    come_to(sequence.nodes.back(), *inside, state, 0);
  }
  if (sequence.meetings.empty()) throw std::bad_alloc();  // no room for the rest of it
  find_endless(sequence);
}

void IndivisibleStepper::hand_out(SuccessorBatch& out) {
  out.clear(batch_->width);
  std::size_t sequence = 0;
  for (std::size_t i = 0; i < batch_->size(); ++i) {
    for (std::uint32_t s = steps_.first[i]; s < steps_.first[i + 1]; ++s) {
      const RuleId rule = steps_.rules[s];
      if (alone_after_[rule] == none) {
        out.states.push_back(steps_.states, s);
        out.rules.push_back(rule);
        origins_.push_back({none, rule});
        continue;
      }
      for (const Number end : sequences_[sequence].ends) {
        out.states.push_back(outside_, end);
        out.rules.push_back(rule);
        origins_.push_back(ends_[end]);
      }
      ++sequence;
    }
    out.close_state(steps_.failed[i]);
  }
  std::swap(out.suspects, steps_.suspects);
  std::swap(out.inside, steps_.inside);
  out.has_suspects = steps_.has_suspects;
}

std::vector<RuleId> IndivisibleStepper::rules_to(std::size_t i) const {
  const auto [node, rule] = origins_[i];
  std::vector<RuleId> rules = way_to(node);
  if (rule != none) rules.push_back(rule);
  return rules;
}

std::unique_ptr<Stepper> in_whole_sequences(std::unique_ptr<Stepper> stepper) {
  if (!has_indivisible(stepper->program())) return stepper;
  return std::make_unique<IndivisibleStepper>(std::move(stepper));
}

namespace {

// A path by its first rules, searched depth first: which of several ends of a sequence was meant,
// only the states behind it tell. A state is tried once at each place of the path.
class PathSearch {
 public:
  PathSearch(const Program& program, const std::vector<RuleId>& firsts, StateView to,
             const Deadline& deadline)
      : firsts_(firsts),
        to_(to),
        deadline_(deadline),
        stepper_(std::make_unique<Interpreter>(program)),
        tried_(firsts.size() + 1) {}

  std::optional<std::vector<RuleId>> run(StateView from) {
    enter(from, {});
    while (!path_.empty()) {
      if (deadline_.has_passed()) return {};
      const std::size_t at = path_.size() - 1;
      if (at == firsts_.size() && std::ranges::equal(path_[at].state, to_)) return rules();
      if (path_[at].ways.empty()) {
        path_.pop_back();
        continue;
      }
      const auto [state, way] = std::move(path_[at].ways.back());
      path_[at].ways.pop_back();
      if (tried_[at + 1].insert(state).second) enter(state, way);
    }
    return {};
  }

 private:
  using Way = std::pair<StateWords, std::vector<RuleId>>;
  struct Step {
    StateWords state;
    std::vector<RuleId> rules;  // that led here
    std::vector<Way> ways;      // to be tried, the last first
  };

  void enter(StateView state, std::vector<RuleId> rules) {
    Step step{{state.begin(), state.end()}, std::move(rules), {}};
    const std::size_t at = path_.size();
    if (at < firsts_.size()) {
      const StateBatch batch{step.state.size(), step.state};
      findings_.clear();
      stepper_.expand(batch, successors_, findings_);
      for (std::size_t i = successors_.size(); i-- > 0;)
        if (successors_.rules[i] == firsts_[at]) {
          const StateView next = successors_.states[i];
          step.ways.emplace_back(StateWords(next.begin(), next.end()), stepper_.rules_to(i));
        }
    }
    path_.push_back(std::move(step));
  }

  std::vector<RuleId> rules() const {
    std::vector<RuleId> result;
    for (const Step& step : path_)
      result.insert(result.end(), step.rules.begin(), step.rules.end());
    return result;
  }

  const std::vector<RuleId>& firsts_;
  StateView to_;
  const Deadline& deadline_;
  IndivisibleStepper stepper_;
  std::vector<std::set<StateWords>> tried_;  // by place on the path
  std::vector<Step> path_;
  SuccessorBatch successors_;
  std::vector<Finding> findings_;
};

}  // namespace

std::optional<std::vector<RuleId>> with_insides(const Program& program,
                                                const std::vector<RuleId>& firsts, StateView from,
                                                StateView to, const Deadline& deadline) {
  if (!has_indivisible(program)) return firsts;
  return PathSearch(program, firsts, to, deadline).run(from);
}

}  // namespace panoptes
