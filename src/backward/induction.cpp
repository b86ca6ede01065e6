// SPDX-License-Identifier: Apache-2.0
#include "backward/induction.hpp"

#include <algorithm>
#include <bit>
#include <cmath>
#include <limits>
#include <map>
#include <unordered_set>
#include <utility>

#include "backward/loosen_channel.hpp"

namespace panoptes {

namespace {

constexpr std::size_t first_contradictions = 300;  // before the sample grows

// The same way without what leads back to where it has been: an indivisible sequence may not.
// REQUIRES: it is a way.
std::vector<RuleId> without_rounds(const Program& program, const std::vector<RuleId>& way) {
  using Place = std::pair<std::vector<Word>, ProcessId>;  // a state, and who moves alone
  const Interpreter interpreter(program);
  std::vector<RuleId> rules;
  StateWords state = program.initial, next;
  std::vector<Place> places{{{state.begin(), state.end()}, none}};
  std::map<Place, std::size_t> numbers{{places[0], 0}};
  std::vector<Finding> findings;
  for (const RuleId rule : way) {
    if (interpreter.fire(rule, state, next, findings) != Interpreter::Firing::successor)
      throw InternalFault("a way that was found backwards cannot be taken: " +
                          program.rules[rule].text);
    std::swap(state, next);
    Place place{{state.begin(), state.end()}, alone_after(program.rules[rule])};
    const auto [known, is_new] = numbers.try_emplace(place, places.size());
    if (is_new) {
      rules.push_back(rule);
      places.push_back(std::move(place));
      continue;
    }
    rules.resize(known->second);
    for (; places.size() > rules.size() + 1; places.pop_back()) numbers.erase(places.back());
  }
  return rules;
}

std::size_t count_of(const ReachableSample::Bits& bits) {
  std::size_t count = 0;
  for (const std::uint64_t word : bits) count += static_cast<std::size_t>(std::popcount(word));
  return count;
}

template <typename Use>
void for_each_of(const ReachableSample::Bits& states, Use use) {
  for (std::size_t w = 0; w < states.size(); ++w)
    for (std::uint64_t bits = states[w]; bits != 0; bits &= bits - 1)
      use(w * 64 + static_cast<std::size_t>(std::countr_zero(bits)));
}

std::size_t count_of(const ReachableSample::Bits& left, const ReachableSample::Bits& right) {
  std::size_t count = 0;
  for (std::size_t w = 0; w < left.size(); ++w)
    count += static_cast<std::size_t>(std::popcount(left[w] & right[w]));
  return count;
}

}  // namespace

Induction::Induction(ReversedProgram& reversed, const PossibleTogether* together,
                     ReachableSample& sample)
    : reversed_(reversed),
      program_(reversed.program),
      space_(reversed.space),
      predecessors_(reversed.predecessors),
      demands_(reversed.steps.demands),
      together_(together),
      sample_(sample),
      cover_(reversed.space) {
  beside_.assign(space_.everything().size(), std::vector<bool>(space_.everything().size()));
  for (RuleId id = 0; id < program_.rules.size(); ++id) {
    const std::vector<std::size_t> touched = predecessors_.touches(id);
    for (const std::size_t one : touched)
      for (const std::size_t other : touched) beside_[one][other] = true;
  }
  forget_lemmas();
  begin_anew();
}

Induction::~Induction() = default;

// ---- questions --------------------------------------------------------------------------------

// A solver that knows what is excluded now, and nothing of what was.
void Induction::begin_anew() {
  demand_literals_.reset();
  literals_.reset();
  sat_.emplace();
  literals_.emplace(space_, *sat_);
  demand_literals_.emplace(demands_, *literals_);
  cover_.clear();
  never_at_.assign(program_.control.size(), {});
  for (const std::vector<Claim>* claims : {&known_, &proved_})
    for (const Claim& claim : *claims) exclude(claim);
  for (const Lemma& lemma : lemmas_) {
    if (!lemma.is_there) continue;
    exclude(lemma.claim);
    keep_in_mind(lemma.claim);
  }
  for (Goal& goal : goals_) {
    goal.is_meant = literals_->fresh();
    for (const Claim& claim : goal.unless) literals_->exclude(claim, -goal.is_meant);
  }
}

// From now on no state is in it.
void Induction::exclude(const Claim& claim) {
  literals_->exclude(claim);
  cover_.add(claim);
}

// What it takes, about; of a solver, so much for each clause.
std::uint64_t Induction::bytes() const {
  const std::uint64_t claim = space_.everything().size() * sizeof(std::uint32_t) + 64;
  std::uint64_t claims = 2 * (known_.size() + proved_.size());
  for (const Lemma& lemma : lemmas_) claims += 4 + lemma.steps.size();
  return space_.bytes() + reversed_.solver.bytes() + sample_.bytes() + demands_.bytes() +
         cover_.bytes() + claims * claim;
}

// Whether some state of the claim is not excluded in which demands are met, and `is_meant` is true
// if it is not 0. Asks until an answer is possible as far as is known of states without looking at
// them.
SatSolver::Answer Induction::ask(const Claim& claim, const Demands::Ids& open, Literal is_meant) {
  while (true) {
    const bool is_late = questions_ % 32 == 0 && limits_.deadline.has_passed();
    if (++questions_ > limits_.claims || is_late) shortage_ = is_late ? "time" : "claims";
    if (questions_ % 256 == 0 && bytes() > limits_.bytes) shortage_ = "memory";
    if (!shortage_.empty()) return SatSolver::Answer::given_up;
    const std::vector<Literal> met = demand_literals_->of(open);
    literals_->assume(claim);
    for (const Literal literal : met) sat_->assume(literal);
    if (is_meant != 0) sat_->assume(is_meant);
    const SatSolver::Answer answer = sat_->ask(limits_.deadline);
    if (answer == SatSolver::Answer::given_up) shortage_ = "time";
    if (answer != SatSolver::Answer::possible) return answer;
    point_ = literals_->point_of_model();
    const std::optional<Claim> conflict =
        together_ != nullptr ? together_->conflict_in(point_) : std::nullopt;
    if (conflict) {
      known_.push_back(*conflict);
      exclude(*conflict);
    } else if (demands_.are_met_or_learn(open, point_)) {
      return answer;
    }
  }
}

// ---- generalisation ---------------------------------------------------------------------------

// What is said of the base's places that matter. Where all states are in the sample every guess
// holds, and what counts is how much else must be excluded for its sake: places that earlier
// guesses are about already are better than others, and the first of them best. So what has little
// to do with the targets stays out of it as long as it can.
Claim Induction::of_first_places(const Claim& base) {
  if (!sample_.is_complete()) return base;
  const auto of_first = [&](std::size_t count) {
    Claim claim = space_.everything();
    for (std::size_t i = 0; i < count; ++i) claim[order_[i]] = base[order_[i]];
    return claim;
  };
  std::size_t few = 0, enough = order_.size();
  if (sample_.first_in(of_first(enough))) return base;
  while (few < enough) {
    const std::size_t middle = (few + enough) / 2;
    if (sample_.first_in(of_first(middle)))
      few = middle + 1;
    else
      enough = middle;
  }
  return of_first(enough);
}

// Few of the base's places that together keep the sample out. Of rare things it says little that
// the sample has no state with all of them; so it looks for places whose parts are each true in
// many states, and beside each other, in rules, and never true together.
Claim Induction::free_of_sample(const Claim& base) {
  const Claim& all = space_.everything();
  std::vector<std::size_t> places;
  std::vector<ReachableSample::Bits> in;
  std::vector<double> share;
  for (std::size_t place = 0; place < base.size(); ++place) {
    if (base[place] == all[place]) continue;
    places.push_back(place);
    in.push_back(sample_.true_in(place, base[place]));
    share.push_back((0.5 + static_cast<double>(count_of(in.back()))) /
                    static_cast<double>(sample_.size()));
  }
  std::vector<std::size_t> best;
  double best_score = -std::numeric_limits<double>::infinity();
  for (std::size_t seed = 0; seed < places.size(); ++seed) {
    std::vector<std::size_t> chosen{seed};
    ReachableSample::Bits left = in[seed];
    std::size_t count = count_of(left);
    double score = std::log(share[seed]);
    while (count > 0 && score > best_score) {
      std::size_t next = places.size();
      double least = std::numeric_limits<double>::infinity();
      for (const bool anywhere : {false, true}) {
        for (std::size_t i = 0; i < places.size(); ++i) {
          const bool is_near =
              anywhere || std::any_of(chosen.begin(), chosen.end(),
                                      [&](std::size_t c) { return beside_[places[c]][places[i]]; });
          if (!is_near || std::find(chosen.begin(), chosen.end(), i) != chosen.end()) continue;
          const std::size_t both = count_of(left, in[i]);
          const double ratio = (0.1 + static_cast<double>(both)) / share[i];
          if (both < count && ratio < least) {
            least = ratio;
            next = i;
          }
        }
        if (next < places.size()) break;
      }
      if (next == places.size()) break;
      chosen.push_back(next);
      score += std::log(share[next]);
      for (std::size_t w = 0; w < left.size(); ++w) left[w] &= in[next][w];
      count = count_of(left);
    }
    if (count > 0 || score <= best_score) continue;
    best_score = score;
    best = chosen;
  }
  if (best.empty()) return base;
  Claim wide = all;
  for (const std::size_t i : best) wide[places[i]] = base[places[i]];
  return wide;
}

// Adds to every number that is said something of the values that no state of the sample has beside
// the rest.
void Induction::widen_numbers(Claim& wide, const Claim& base) {
  const Claim& all = space_.everything();
  for (std::size_t place = 0; place < space_.numbers(); ++place) {
    if (wide[place] == all[place]) continue;
    Claim others = wide;
    others[place] = all[place];
    ValueSet values = space_.number(all, place);
    for_each_of(sample_.all_in(others), [&](std::size_t i) {
      const ValueSet& one = space_.number(sample_[i], place);
      if (values.contains(one.low())) values = values - one;
    });
    space_.put(wide, place, values | space_.number(base, place));
  }
}

// The same for every message of a channel of which nothing but its name is said: the names that no
// state of the sample has there.
void Induction::widen_messages(Claim& wide, ChannelId channel) {
  const std::size_t place = space_.numbers() + channel;
  const MessageClaim any = space_.any_message(channel);
  for (std::uint32_t m = 0; m < space_.channel(wide, channel).known.size(); ++m) {
    ChannelClaim said = space_.channel(wide, channel);
    const ValueSet before = said.known[m].tags;
    if (before.is_one() &&
        said.known[m] != space_.message(channel, static_cast<std::uint32_t>(before.low())))
      continue;
    Claim others = wide;
    said.known[m] = any;
    space_.put(others, channel, ChannelClaim(said));
    ValueSet tags = any.tags - before;
    std::unordered_set<std::uint32_t> seen;
    for_each_of(sample_.all_in(others), [&](std::size_t i) {
      if (!tags.is_empty() && seen.insert(sample_[i][place]).second)
        tags = tags - space_.message_at(sample_[i], channel, m).tags;
    });
    if (tags.is_empty()) continue;
    said.known[m] = {tags | before};
    space_.put(wide, channel, std::move(said));
  }
}

// A claim around the base that no state of the sample is in.
Claim Induction::generalised(const Claim& base) {
  Claim wide = free_of_sample(of_first_places(base));
  widen_numbers(wide, base);
  for (ChannelId c = 0; c < program_.layout.channels.size(); ++c) {
    if (wide[space_.numbers() + c] == space_.everything()[space_.numbers() + c]) continue;
    loosen_channel(space_, wide, c, space_.everything(),
                   [&](const Claim& wider) { return !sample_.first_in(wider); });
    widen_messages(wide, c);
  }
  return wide;
}

// ---- lemmas -----------------------------------------------------------------------------------

// Steps that begin in the claim itself need nothing else, and those from where nobody ever is
// neither.
std::vector<Induction::Step> Induction::steps_into(const Claim& claim) {
  const auto counts = [&](const Rule& rule) {
    return std::none_of(rule.moves.begin(), rule.moves.end(), [&](const ProcessMove& move) {
      return never_at_[move.process].contains(move.from);
    });
  };
  std::vector<Step> steps;
  for (StepInto& step : reversed_.steps.of(claim, limits_, counts))
    if (!space_.is_within(step.before, claim)) steps.push_back({std::move(step)});
  return steps;
}

void Induction::add_lemma(Lemma&& lemma) {
  lemma.claim = generalised(lemma.base);
  exclude(lemma.claim);
  keep_in_mind(lemma.claim);
  lemmas_.push_back(std::move(lemma));
}

// What an earlier run has guessed, but for what is known to be reachable by now.
void Induction::add_guesses() {
  for (const Claim& claim : first_.claims) {
    if (sample_.first_in(claim)) continue;
    exclude(claim);
    keep_in_mind(claim);
    lemmas_.push_back({claim, claim, none, none, none});
  }
  first_ = {};
}

// As far as there is room for it: `--memory` may be less than it was.
void Induction::begin_with(const Guesses& guesses, const BackwardLimits& limits) {
  first_ = guesses;
  for (std::uint64_t i = 0; i < guesses.growths; ++i) {
    if (limits.deadline.has_passed() || sample_.bytes() > limits.bytes / 4) break;
    sample_.grow(limits.deadline);
  }
  growths_ = guesses.growths;
}

Guesses Induction::guesses() const {
  Guesses guesses{growths_, proved_};
  for (const Lemma& lemma : lemmas_)
    if (lemma.is_there) guesses.claims.push_back(lemma.claim);
  return guesses;
}

// What it is about, and where nobody is if that is excluded.
void Induction::keep_in_mind(const Claim& claim) {
  for (std::size_t place = 0; place < claim.size(); ++place)
    if (claim[place] != space_.everything()[place] &&
        std::find(order_.begin(), order_.end(), place) == order_.end())
      order_.push_back(place);
  if (const auto process = only_process_in(claim))
    never_at_[*process] = never_at_[*process] | space_.number(claim, *process);
}

// The process of which the claim says where it is, if it says nothing else.
std::optional<ProcessId> Induction::only_process_in(const Claim& claim) const {
  std::optional<ProcessId> found;
  for (std::size_t place = 0; place < claim.size(); ++place) {
    if (claim[place] == space_.everything()[place]) continue;
    if (found || place >= program_.control.size()) return {};
    found = static_cast<ProcessId>(place);
  }
  return found;
}

void Induction::forget_lemmas() {
  lemmas_.clear();
  order_.clear();
}

// Excludes what leads into the lemma.
void Induction::close(std::size_t index) {
  Lemma& lemma = lemmas_[index];  // a deque: it stays where it is
  if (!lemma.has_steps) lemma.steps = steps_into(lemma.claim);
  lemma.has_steps = true;
  for (Step& step : lemma.steps) {
    step.is_closed = step.is_closed || cover_.has_around(step.before);
    while (!step.is_closed) {
      const auto answer = ask(step.before, step.open, 0);
      if (answer == SatSolver::Answer::given_up) return;
      if (answer == SatSolver::Answer::impossible) {
        step.is_closed = true;
        continue;
      }
      const Claim base =
          step.open.empty() ? step.before : demands_.met_around(point_, step.before, step.open);
      if (const auto state = sample_.first_in(base)) {
        contradict(index, sample_.step(*state, step.rule));
        return;  // with it went its steps
      }
      add_lemma({{}, base, index, step.rule, lemma.target});
    }
  }
  lemma.is_closed = std::all_of(lemma.steps.begin(), lemma.steps.end(),
                                [](const Step& step) { return step.is_closed; });
}

// The state of the sample is in the lemma's claim.
void Induction::contradict(std::size_t index, std::size_t state) {
  ++contradictions_;
  drop_reachable(state);
  // Where it is in what must be excluded, the way goes on from there.
  while (space_.is_within(sample_[state], lemmas_[index].base)) {
    const Lemma& lemma = lemmas_[index];
    if (lemma.is_from_before()) break;
    if (lemma.parent == none) {
      goals_[lemma.target].reached = state;
      break;
    }
    state = sample_.step(state, lemma.rule);
    index = lemma.parent;
    drop_reachable(state);
  }
  begin_anew();
}

// Gives up what the state is in; whatever that has closed is open again.
void Induction::drop_reachable(std::size_t state) {
  for (Lemma& lemma : lemmas_)
    if (lemma.is_there && space_.is_within(sample_[state], lemma.claim)) drop(lemma);
}

void Induction::drop(Lemma& lemma) {
  lemma.is_there = false;
  std::vector<Step>().swap(lemma.steps);
  const bool was_left_out = only_process_in(lemma.claim).has_value();  // where it leads from
  for (Lemma& other : lemmas_) {
    if (!other.is_there) continue;
    if (was_left_out) {
      std::vector<Step>().swap(other.steps);
      other.has_steps = other.is_closed = false;
    }
    for (Step& step : other.steps)
      if (step.is_closed && space_.meet(step.before, lemma.claim))
        step.is_closed = other.is_closed = false;
  }
}

// ---- targets ----------------------------------------------------------------------------------

// A claim with the state that is in `claim` and in none of `unless`: it says of few places what
// tells it from each of those.
Claim Induction::apart_from(const std::vector<Claim>& unless, const Claim& claim,
                            const Claim& point) {
  Claim found = claim;
  for (const Claim& other : unless) {
    std::size_t differs = claim.size();
    bool is_apart = false;
    for (std::size_t place = 0; place < claim.size() && !is_apart; ++place) {
      if (space_.is_within(place, point[place], other[place])) continue;
      if (differs == claim.size()) differs = place;
      is_apart = place < space_.numbers()
                     ? (space_.number(found, place) & space_.number(other, place)).is_empty()
                     : found[place] == point[place];
    }
    if (is_apart) continue;
    if (differs < space_.numbers())
      space_.put(found, differs, space_.number(found, differs) - space_.number(other, differs));
    else
      found[differs] = point[differs];
  }
  return found;
}

// Where everybody is in that state, as a claim.
Claim Induction::whereabouts_of(const Claim& point) const {
  Claim claim = space_.everything();
  std::copy_n(point.begin(), program_.control.size(), claim.begin());
  return claim;
}

// Excludes a state of the goal that is not excluded yet, or finds one that can be reached. Whether
// there was neither.
bool Induction::is_excluded(std::size_t index) {
  Goal& goal = goals_[index];
  if (goal.looked_at < sample_.size()) {
    const auto are_met = [&](const Claim& point) { return demands_.are_met(goal.open, point); };
    for (const Claim& claim : goal.claims) {
      if (limits_.deadline.has_passed()) shortage_ = "time";
      if (!shortage_.empty()) return false;
      goal.reached = sample_.first_in(claim, goal.unless, are_met);
      if (goal.reached) return false;
    }
    goal.looked_at = sample_.size();
  }
  for (const Claim& claim : goal.claims) {
    const auto answer = ask(claim, goal.open, goal.is_meant);
    if (answer == SatSolver::Answer::impossible) continue;
    if (answer == SatSolver::Answer::possible) {
      const Claim apart = apart_from(goal.unless, claim, point_);
      add_lemma({{}, demands_.met_around(point_, apart, goal.open), none, none, index});
    }
    return false;
  }
  return true;
}

// Where guesses are wrong again and again, the sample is too small to guess by.
void Induction::start_over() {
  sample_.grow(limits_.deadline);
  ++growths_;
  forget_lemmas();
  contradictions_ = 0;
  most_contradictions_ += most_contradictions_ / 2;
  begin_anew();
}

// One target less; what was guessed for its sake may be of no use to the others. Where it is for
// the sake of a guess of an earlier run, that goes, with what lies between: if it must be, it will
// be found again.
void Induction::give_up(Lemma& lemma, const std::string& reason) {
  if (lemma.target == none) {
    Lemma* wanted_by = &lemma;
    for (; !wanted_by->is_from_before(); wanted_by = &lemmas_[wanted_by->parent]) drop(*wanted_by);
    drop(*wanted_by);
  } else {
    goals_[lemma.target].is_settled = true;
    goals_[lemma.target].reason = reason;
    forget_lemmas();
  }
  begin_anew();
}

void Induction::prove() {
  bool is_done = false;
  while (!is_done && shortage_.empty()) {
    is_done = true;
    for (std::size_t i = 0; i < goals_.size() && shortage_.empty(); ++i) {
      Goal& goal = goals_[i];
      if (goal.is_settled) continue;
      if (!goal.reached) is_done = is_excluded(i) && is_done;
      while (goal.reached) {
        is_done = false;
        goal.ways.push_back(*goal.reached);
        goal.is_settled = !goal.is_one_of_many;
        if (goal.is_settled) break;
        // All that the sample has are found before anything is proved of the others.
        goal.unless.push_back(whereabouts_of(sample_[*goal.reached]));
        goal.reached.reset();
        begin_anew();
        static_cast<void>(is_excluded(i));
      }
    }
    for (std::size_t i = 0; i < lemmas_.size() && shortage_.empty(); ++i) {
      if (!lemmas_[i].is_there || lemmas_[i].is_closed) continue;
      is_done = false;
      try {
        close(i);
      } catch (const TooMuchWork& much) {
        if (limits_.deadline.has_passed()) throw;
        give_up(lemmas_[i], much.what());
      }
      if (contradictions_ > most_contradictions_) start_over();
      if (pause_ && shortage_.empty()) pause_(false);
    }
  }
}

std::vector<BackwardAnswer> Induction::search(const std::vector<Targets::Candidate>& candidates,
                                              const BackwardLimits& limits) {
  limits_ = limits;
  questions_ = 0;
  shortage_.clear();
  contradictions_ = 0;
  most_contradictions_ = first_contradictions;
  goals_.clear();
  for (const Targets::Candidate& candidate : candidates) {
    goals_.push_back({candidate.claims, candidate.unless, {}, candidate.is_one_of_many});
    for (const Demand& demand : candidate.open)
      goals_.back().open.push_back(demands_.id_of(demand));
  }
  reversed_.solver.allow(UINT64_MAX, {});
  try {
    begin_anew();
    add_guesses();
    prove();
  } catch (const TooMuchWork& much) {
    shortage_ = much.what();
  }
  if (pause_) pause_(true);
  std::vector<BackwardAnswer> answers(candidates.size());
  for (std::size_t i = 0; i < goals_.size(); ++i) {
    BackwardAnswer& answer = answers[i];
    answer.claims = questions_;
    // One that was found breadth first has no rounds.
    for (const std::size_t state : goals_[i].ways)
      answer.ways.push_back(sample_.is_complete()
                                ? sample_.way_to(state)
                                : without_rounds(program_, sample_.way_to(state)));
    answer.reason = goals_[i].is_settled ? goals_[i].reason : shortage_;
    answer.reachability = !answer.ways.empty()    ? Reachability::reachable
                          : answer.reason.empty() ? Reachability::unreachable
                                                  : Reachability::unknown;
  }
  // What is closed is proved; what is not was a guess.
  for (const Lemma& lemma : lemmas_)
    if (lemma.is_there && shortage_.empty()) proved_.push_back(lemma.claim);
  forget_lemmas();
  goals_.clear();
  begin_anew();
  return answers;
}

}  // namespace panoptes
