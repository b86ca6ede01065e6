// SPDX-License-Identifier: Apache-2.0
#include "backward/induction.hpp"

#include <algorithm>
#include <bit>
#include <utility>

namespace panoptes {

namespace {

// The same way without what leads back to where it has been: an indivisible sequence may not.
// REQUIRES: it is a way.
std::vector<RuleId> without_rounds(const Program& program, const std::vector<RuleId>& way) {
  using Place = std::pair<std::vector<Word>, ProcessId>;  // a state, and who moves alone
  const Interpreter interpreter(program);
  std::vector<RuleId> rules;
  StateWords state = program.initial, next;
  std::vector<Place> places{{{state.begin(), state.end()}, none}};
  std::vector<Finding> findings;
  for (const RuleId rule : way) {
    if (interpreter.fire(rule, state, next, findings) != Interpreter::Firing::successor)
      throw InternalFault("a way that was found backwards cannot be taken: " +
                          program.rules[rule].text);
    std::swap(state, next);
    Place place{{state.begin(), state.end()}, alone_after(program.rules[rule])};
    const auto known = std::find(places.begin(), places.end(), place);
    if (known != places.end()) {
      places.erase(known + 1, places.end());
      rules.resize(places.size() - 1);
      continue;
    }
    rules.push_back(rule);
    places.push_back(std::move(place));
  }
  return rules;
}

}  // namespace

Induction::Induction(ReversedProgram& reversed, const PossibleTogether& together,
                     ReachableSample& sample)
    : reversed_(reversed),
      program_(reversed.program),
      space_(reversed.space),
      predecessors_(reversed.predecessors),
      together_(together),
      sample_(sample) {
  for (RuleId id = 0; id < program_.rules.size(); ++id) order_.push_back(id);
  begin_anew();
}

Induction::~Induction() = default;

// ---- questions --------------------------------------------------------------------------------

void Induction::add_clause(const Claim& claim) {
  literals_->parts_of(claim, parts_);
  std::vector<Literal> clause;
  for (const ClaimPart& part : parts_) clause.push_back(-part.literal);
  sat_->add(clause);
}

// A solver that knows what is excluded now, and nothing of what was.
void Induction::begin_anew() {
  literals_.reset();
  sat_.emplace();
  literals_.emplace(space_, *sat_);
  for (const std::vector<Claim>* claims : {&known_, &proved_})
    for (const Claim& claim : *claims) add_clause(claim);
  for (const Lemma& lemma : lemmas_)
    if (lemma.is_there) add_clause(lemma.claim);
}

// Asks with what `assume` assumes, until an answer is possible as far as is known of states
// without looking at them.
template <typename Assume>
SatSolver::Answer Induction::ask(Assume assume) {
  while (true) {
    const bool is_late = questions_ % 32 == 0 && limits_.deadline.has_passed();
    if (++questions_ > limits_.claims || is_late) shortage_ = is_late ? "time" : "claims";
    if (questions_ % 256 == 0 && space_.bytes() + sample_.bytes() > limits_.bytes)
      shortage_ = "memory";
    if (!shortage_.empty()) return SatSolver::Answer::given_up;
    assume();
    const SatSolver::Answer answer = sat_->ask(limits_.deadline);
    if (answer == SatSolver::Answer::given_up) shortage_ = "time";
    if (answer != SatSolver::Answer::possible) return answer;
    point_ = literals_->point_of_model();
    const std::optional<Claim> conflict = together_.conflict_in(point_);
    if (!conflict) return answer;
    known_.push_back(*conflict);
    add_clause(*conflict);
  }
}

// Whether the claim has a state that is not excluded.
SatSolver::Answer Induction::ask_rest_of(const Claim& claim) {
  return ask([&] {
    literals_->parts_of(claim, parts_);
    for (const ClaimPart& part : parts_) sat_->assume(part.literal);
  });
}

// ---- generalisation ---------------------------------------------------------------------------

// Few of the base's places that together keep the sample out, each chosen for keeping out most.
Claim Induction::free_of_sample(const Claim& base) {
  const Claim& all = space_.everything();
  Claim wide = all;
  ReachableSample::Bits left((sample_.size() + 63) / 64, ~std::uint64_t{0});
  if (sample_.size() % 64 != 0) left.back() = (std::uint64_t{1} << sample_.size() % 64) - 1;
  while (true) {
    std::size_t best = base.size(), fewest = SIZE_MAX;
    for (std::size_t place = 0; place < base.size(); ++place) {
      if (base[place] == all[place] || wide[place] == base[place]) continue;
      const ReachableSample::Bits& in = sample_.true_in(place, base[place]);
      std::size_t count = 0;
      for (std::size_t w = 0; w < left.size(); ++w)
        count += static_cast<std::size_t>(std::popcount(left[w] & in[w]));
      if (count < fewest) {
        fewest = count;
        best = place;
      }
    }
    if (best == base.size()) return base;  // REQUIRES: the base is free of it, so never
    wide[best] = base[best];
    const ReachableSample::Bits& in = sample_.true_in(best, base[best]);
    for (std::size_t w = 0; w < left.size(); ++w) left[w] &= in[w];
    if (fewest == 0) return wide;
  }
}

// Adds to every number that is said something of the values that no state of the sample has beside
// the rest.
void Induction::widen_numbers(Claim& wide, const Claim& base) {
  const Claim& all = space_.everything();
  for (std::size_t place = 0; place < space_.numbers(); ++place) {
    if (wide[place] == all[place]) continue;
    Claim others = wide;
    others[place] = all[place];
    // Which states are in all of the rest?
    ReachableSample::Bits in;
    for (std::size_t other = 0; other < others.size(); ++other) {
      if (others[other] == all[other]) continue;
      const ReachableSample::Bits& bits = sample_.true_in(other, others[other]);
      if (in.empty()) in = bits;
      for (std::size_t w = 0; w < in.size(); ++w) in[w] &= bits[w];
    }
    ValueSet values = space_.number(all, place);
    const auto leave_out = [&](std::size_t i) {
      const ValueSet& one = space_.number(sample_[i], place);
      if (values.contains(one.low())) values = values - one;
    };
    if (in.empty())
      for (std::size_t i = 0; i < sample_.size(); ++i) leave_out(i);
    for (std::size_t w = 0; w < in.size(); ++w)
      for (std::uint64_t bits = in[w]; bits != 0; bits &= bits - 1)
        leave_out(w * 64 + static_cast<std::size_t>(std::countr_zero(bits)));
    space_.put(wide, place, values | space_.number(base, place));
  }
}

// As little of what is known of the channel as keeps the sample out.
void Induction::loosen_channel(Claim& wide, ChannelId channel) {
  const auto attempt = [&](ChannelClaim&& said) {
    Claim wider = wide;
    space_.put(wider, channel, std::move(said));
    if (wider == wide || sample_.first_in(wider)) return false;
    wide = std::move(wider);
    return true;
  };
  const auto room_behind = [&](const ChannelClaim& said) {
    return space_.capacity(channel) - static_cast<std::uint32_t>(said.known.size());
  };
  const auto said = [&]() -> const ChannelClaim& { return space_.channel(wide, channel); };
  ChannelClaim less = said();
  less.least = 0;
  less.most = room_behind(less);
  if (!attempt(std::move(less))) {
    less = said();
    less.most = room_behind(less);
    attempt(std::move(less));
    less = said();
    less.least = 0;
    attempt(std::move(less));
  }
  while (!said().known.empty()) {
    less = said();
    less.known.pop_back();
    less.least = 0;
    less.most = room_behind(less);
    if (!attempt(std::move(less))) break;
  }
  for (std::size_t i = 0; i < said().known.size(); ++i) {
    less = said();
    less.known[i] = space_.any_message(channel);
    if (attempt(std::move(less))) continue;
    for (std::size_t v = 0; i < said().known.size() && v < said().known[i].values.size(); ++v) {
      less = said();
      const auto tag = static_cast<std::uint32_t>(less.known[i].tags.low());
      less.known[i].values[v] = space_.message(channel, tag).values[v];
      attempt(std::move(less));
    }
  }
}

// A claim around the base that no state of the sample is in.
Claim Induction::generalised(const Claim& base) {
  Claim wide = free_of_sample(base);
  widen_numbers(wide, base);
  for (ChannelId c = 0; c < program_.layout.channels.size(); ++c)
    if (wide[space_.numbers() + c] != space_.everything()[space_.numbers() + c])
      loosen_channel(wide, c);
  return wide;
}

// ---- lemmas -----------------------------------------------------------------------------------

void Induction::add_lemma(Lemma&& lemma) {
  lemma.claim = generalised(lemma.base);
  add_clause(lemma.claim);
  lemmas_.push_back(std::move(lemma));
}

// Excludes what leads into the lemma.
void Induction::close(std::size_t index) {
  // Behind a contradiction the lemma is gone, or another one.
  const Claim claim = lemmas_[index].claim;
  const std::size_t target = lemmas_[index].target;
  lemmas_[index].is_closed = true;
  for_each_step_into(reversed_, claim, limits_, order_, [&](RuleId rule, const Claim& before) {
    while (lemmas_[index].is_there) {
      const auto answer = ask_rest_of(before);
      if (answer == SatSolver::Answer::impossible) return true;
      if (answer == SatSolver::Answer::given_up) return false;
      if (const auto state = sample_.first_in(before)) {
        contradict(index, sample_.step(*state, rule));
        return false;
      }
      add_lemma({{}, before, index, rule, target});
    }
    return false;
  });
}

// The state of the sample is in the lemma's claim.
void Induction::contradict(std::size_t index, std::size_t state) {
  drop_reachable(state);
  // Where it is in what must be excluded, the way goes on from there.
  while (space_.is_within(sample_[state], lemmas_[index].base)) {
    const Lemma& lemma = lemmas_[index];
    if (lemma.parent == none) {
      reached_[lemma.target] = state;
      break;
    }
    state = sample_.step(state, lemma.rule);
    index = lemma.parent;
    drop_reachable(state);
  }
  begin_anew();
}

// Gives up what the state is in.
void Induction::drop_reachable(std::size_t state) {
  for (Lemma& lemma : lemmas_) {
    lemma.is_closed = false;
    if (lemma.is_there && space_.is_within(sample_[state], lemma.claim)) lemma.is_there = false;
  }
}

std::vector<BackwardAnswer> Induction::search(const std::vector<Targets::Candidate>& candidates,
                                              const BackwardLimits& limits) {
  limits_ = limits;
  questions_ = 0;
  shortage_.clear();
  reached_.assign(candidates.size(), {});
  std::vector<BackwardAnswer> answers(candidates.size());
  std::vector<std::size_t> open;
  const auto settle = [&](std::size_t target, std::optional<std::size_t> state) {
    BackwardAnswer& answer = answers[target];
    answer.reachability = state ? Reachability::reachable : Reachability::unreachable;
    answer.claims = questions_;
    if (state) answer.rules = without_rounds(program_, sample_.way_to(*state));
  };
  for (std::size_t i = 0; i < candidates.size(); ++i) open.push_back(i);
  // Whether nothing was left to do for the target.
  const auto look_at = [&](std::size_t target) {
    for (const Claim& claim : candidates[target].claims) {
      if (const auto state = sample_.first_in(claim)) {
        reached_[target] = state;
        return true;
      }
      while (!reached_[target]) {
        const auto answer = ask_rest_of(claim);
        if (answer == SatSolver::Answer::impossible) break;
        if (answer == SatSolver::Answer::given_up) return false;
        add_lemma({{}, claim, none, none, target});
        return false;
      }
    }
    return true;
  };
  try {
    bool is_done = false;
    while (!is_done && shortage_.empty()) {
      is_done = true;
      for (std::size_t i = 0; i < open.size() && shortage_.empty();) {
        const std::size_t target = open[i];
        if (!reached_[target]) is_done = look_at(target) && is_done;
        if (reached_[target]) {
          settle(target, reached_[target]);
          open.erase(open.begin() + static_cast<std::ptrdiff_t>(i));
        } else {
          ++i;
        }
      }
      for (std::size_t i = 0; i < lemmas_.size() && shortage_.empty(); ++i) {
        if (!lemmas_[i].is_there || lemmas_[i].is_closed) continue;
        is_done = false;
        close(i);
      }
    }
  } catch (const TooMuchWork& much) {
    shortage_ = much.what();
  }
  for (const std::size_t target : open) {
    if (shortage_.empty())
      settle(target, {});
    else
      answers[target].reason = shortage_;
  }
  // What is closed is proved; what is not was a guess.
  for (const Lemma& lemma : lemmas_)
    if (lemma.is_there && shortage_.empty()) proved_.push_back(lemma.claim);
  lemmas_.clear();
  begin_anew();
  return answers;
}

}  // namespace panoptes
