// SPDX-License-Identifier: Apache-2.0
#include "backward/search_backward.hpp"

#include <algorithm>
#include <cmath>
#include <new>

#include "backward/balance.hpp"
#include "backward/endless.hpp"
#include "backward/guesses.hpp"
#include "backward/induction.hpp"
#include "backward/search_claims.hpp"
#include "base/clock.hpp"
#include "step/examine.hpp"
#include "step/turn.hpp"

namespace panoptes {
namespace {

constexpr std::size_t most_sampled = 200'000;  // states
constexpr std::uint64_t most_answer_bytes = 32 << 20;
constexpr std::uint64_t claims_before_others = 50;  // of a target, before the other engine has it
constexpr const char* out_of_memory = "memory";
constexpr std::uint64_t work_before_others = 20'000;
constexpr double share_behind_pruning = 2.0 / 3;  // of the time, at least
constexpr double share_of_proof = 1.0 / 3;        // likewise, where there shall be one
// Claims of a proof that also has what excludes each other, before one without is looked for.
constexpr std::uint64_t claims_before_alone = 1'000;

bool is_same(const Finding& finding, const Target& target) {
  if (finding.rule != target.rule) return false;
  if (target.has_no_value)
    return finding.kind == ErrorKind::division_by_zero ||
           finding.kind == ErrorKind::index_out_of_range || finding.kind == ErrorKind::out_of_range;
  if (finding.kind != target.kind || finding.assertion != target.assertion) return false;
  if (target.rule != none) return true;
  return finding.process == target.process && finding.channel == target.channel &&
         finding.tag == target.tag;
}

// Walks ways on the reference, and looks at their ends for what targets mean. Many targets have the
// same way, or nearly, so it goes on from the end of the last where it can.
class Walk {
 public:
  Walk(const Program& program, ReceptionPolicy receptions)
      : program_(program), receptions_(receptions), turn_(program) {
    restart();
  }

  BackwardFinding found_at_the_end(const Target& target, const std::vector<RuleId>& way) {
    if (way.size() < walked_.size() || !std::equal(walked_.begin(), walked_.end(), way.begin()))
      restart();
    while (walked_.size() < way.size()) take(way[walked_.size()]);
    findings_.clear();
    turn_.expand(batch_, successors_, findings_);
    if (target.rule == none) examine(program_, batch_, successors_, receptions_, findings_);
    const StateView last = batch_[0];
    for (const Finding& finding : findings_)
      if (is_same(finding, target)) return {way, finding, StateWords(last.begin(), last.end())};
    throw InternalFault("what was found backwards does not show: " + to_text(program_, target));
  }

 private:
  void restart() {
    turn_.restart();
    walked_.clear();
    batch_ = {.width = program_.initial.size(), .words = {}};
    batch_.push_back(program_.initial);
  }

  void take(RuleId rule) {
    findings_.clear();
    turn_.expand(batch_, successors_, findings_);
    const auto taken = std::find(successors_.rules.begin(), successors_.rules.end(), rule);
    if (taken == successors_.rules.end())
      throw InternalFault("a way that was found backwards cannot be taken: " +
                          program_.rules[rule].text);
    const StateView view =
        successors_.states[static_cast<std::size_t>(taken - successors_.rules.begin())];
    const StateWords next(view.begin(), view.end());
    turn_.take(rule, batch_[0], next);
    batch_.assign(next);
    walked_.push_back(rule);
  }

  const Program& program_;
  ReceptionPolicy receptions_;
  Turn turn_;
  std::vector<RuleId> walked_;  // from the initial state
  StateBatch batch_;            // where that leads
  SuccessorBatch successors_;
  std::vector<Finding> findings_;
};

// Everything that the steps of a backward search share.
class Run {
 public:
  Run(ReversedProgram& reversed, const BackwardOptions& options)
      : reversed_(reversed),
        options_(options),
        limits_(options.limits),
        walk_(reversed.program, options.receptions),
        guesses_(stages) {
    if (options.checkpoints != nullptr)
      read_guesses(options.checkpoints->known, reversed.space, guesses_);
    for (const Guesses& some : guesses_) outcome_.first_guesses += some.claims.size();
    if (options.interrupted != nullptr)
      limits_.deadline = Deadline([this] { return options_.limits.deadline.seconds_left(); },
                                  options_.interrupted);
  }

  BackwardOutcome outcome() {
    if (!has_memory([this] { find_candidates(); })) outcome_.reason = out_of_memory;
    if (!outcome_.reason.empty()) return std::move(outcome_);
    const Target endless{.kind = ErrorKind::endless_atomic};
    bool has_endless = goes_by(reversed_.program, endless, options_.words);
    const BackwardLimits all = limits_;
    if (options_.wants_proof) limits_ = all_but(share_of_proof, all);
    const bool is_enough = has_memory([&] { settle_targets(has_endless); });
    const bool is_late = limits_.deadline.has_passed();
    limits_ = all;
    if (!is_enough)
      for (const std::size_t i : open()) outcome_.targets[i].reason = out_of_memory;
    else if (options_.wants_proof)
      static_cast<void>(has_memory([this] { prove(); }));
    if (has_endless) add_unknown(endless);
    // Whatever an engine stopped at, there may have been other ways if there had been time.
    if (is_late || limits_.deadline.has_passed())
      for (const std::size_t i : open()) outcome_.targets[i].reason = reason_of("time");
    return std::move(outcome_);
  }

 private:
  using Settled = BackwardOutcome::Settled;

  // Whether there was enough for it; where there was not, what it has settled so far is left of it.
  template <typename Work>
  bool has_memory(Work work) {
    try {
      work();
      return true;
    } catch (const std::bad_alloc&) {
      induction_.reset();
      sample_.reset();
      claims_.reset();
      return false;
    }
  }

  void tell(const std::string& what) const {
    if (options_.progress) options_.progress(what);
  }
  std::string reason_of(const std::string& shortage) const {
    const bool is_interrupted = options_.interrupted != nullptr && options_.interrupted->load();
    return is_interrupted && !shortage.empty() ? "interrupt" : shortage;
  }

  // The same, with this share of the time that is left for others.
  static BackwardLimits all_but(double share, const BackwardLimits& limits) {
    const double end = limits.deadline.seconds_left() * share;
    BackwardLimits fewer = limits;
    fewer.deadline = Deadline([whole = limits.deadline, end] {
      const double left = whole.seconds_left();
      return std::isinf(left) ? left : left - end;
    });
    return fewer;
  }

  void find_candidates() {
    tell("targets");
    BackwardLimits limits = limits_;
    limits.work = std::max<std::uint64_t>(limits.work, 10'000'000);
    auto found = reversed_.candidates(options_.receptions, limits);
    if (!found) outcome_.reason = reason_of(found.failure());
    if (!found) return;
    candidates_ = std::move(*found);
    if (options_.has_potential && !add_potential(limits)) return;
    std::erase_if(candidates_, [&](const Targets::Candidate& candidate) {
      return !goes_by(reversed_.program, candidate.target, options_.words);
    });
    for (const Targets::Candidate& candidate : candidates_)
      outcome_.targets.push_back({candidate.target});
    outcome_.left.emplace_back("all", candidates_.size());
  }

  // Also whether a sequence may be endless, where that is asked.
  void settle_targets(bool& has_endless) {
    prune();
    has_endless = has_endless && may_be_endless(reversed_, *together_, limits_);
    if (options_.engine == BackwardEngine::claims)
      search_claims(limits_);
    else
      search_both();
  }

  bool add_potential(const BackwardLimits& limits) {
    auto found = reversed_.potential_deadlocks(limits);
    if (!found) outcome_.reason = reason_of(found.failure());
    if (!found) return false;
    for (Targets::Candidate& candidate : *found) candidates_.push_back(std::move(candidate));
    return true;
  }

  // What does not pass is settled, by the name of the step.
  template <typename Allows>
  void keep(const std::string& name, Allows allows) {
    std::uint64_t left = 0;
    for (std::size_t i = 0; i < candidates_.size(); ++i) {
      Settled& settled = outcome_.targets[i];
      if (settled.reachability != Reachability::unknown) continue;
      std::vector<Claim>& claims = rest_[i].claims;
      std::erase_if(claims, [&](const Claim& claim) { return !allows(claim); });
      if (claims.empty()) {
        settled.reachability = Reachability::unreachable;
        settled.by = name;
      } else {
        ++left;
      }
    }
    outcome_.left.emplace_back(name, left);
  }

  void prune() {
    tell("what can be true together");
    // What is not known by then is for the engines.
    together_.emplace(reversed_, all_but(share_behind_pruning, limits_));
    outcome_.facts = together_->fact_count();
    rest_ = candidates_;
    keep("facts", [&](const Claim& claim) { return together_->allows_one_by_one(claim); });
    keep("together", [&](const Claim& claim) { return together_->allows(claim); });
    // That numbers must balance is no claim, so a proof has to do without.
    if (options_.wants_proof) return;
    const MessageBalance balance(reversed_.space);
    keep("balance", [&](const Claim& claim) { return balance.allows(claim); });
  }

  // What there are no means for.
  void add_unknown(const Target& target) {
    outcome_.targets.push_back({target, Reachability::unknown, "means"});
    for (auto& [step, left] : outcome_.left) ++left;
  }

  std::vector<std::size_t> open() const {
    std::vector<std::size_t> found;
    for (std::size_t i = 0; i < candidates_.size(); ++i)
      if (outcome_.targets[i].reachability == Reachability::unknown) found.push_back(i);
    return found;
  }

  void settle(std::size_t index, const BackwardAnswer& answer, const char* engine) {
    Settled settled{outcome_.targets[index].target, answer.reachability};
    settled.reason = reason_of(answer.reason);
    settled.by = answer.reachability == Reachability::unknown ? "" : engine;
    for (const std::vector<RuleId>& way : answer.ways)
      settled.findings.push_back(walk_.found_at_the_end(settled.target, way));
    outcome_.targets[index] = std::move(settled);
  }

  void search_claims(BackwardLimits limits) {
    if (!claims_) claims_.emplace(reversed_);
    limits.bytes = limits.bytes / 2;
    for (const std::size_t i : open()) {
      tell("claims: " + to_text(reversed_.program, candidates_[i].target));
      const BackwardAnswer answer = claims_->search(rest_[i], limits);
      outcome_.questions += answer.claims;
      settle(i, answer, "claims");
    }
  }

  void make_sample() {
    tell("a sample of reachable states");
    const std::uint64_t state_bytes = 600 + 16 * reversed_.program.initial.size();
    sample_.emplace(reversed_,
                    std::min<std::uint64_t>(most_sampled, limits_.bytes / 4 / state_bytes),
                    limits_.deadline, std::min(most_answer_bytes, limits_.bytes / 4));
  }

  // A search for a proof is another one than that for answers, with other guesses.
  enum Stage : std::size_t { for_answers, for_a_proof, stages };

  std::vector<BackwardAnswer> search_by_induction(
      Stage stage, const std::vector<Targets::Candidate>& candidates) {
    induction_.emplace(reversed_, stage == for_answers ? &*together_ : nullptr, *sample_);
    if (options_.checkpoints != nullptr) {
      induction_->begin_with(guesses_[stage], limits_);
      induction_->set_pause([this, stage](bool is_over) {
        if (!is_over && !options_.checkpoints->is_due()) return;
        options_.checkpoints->write([this, stage] {
          guesses_[stage] = induction_->guesses();
          return write_guesses(guesses_, reversed_.space);
        });
      });
    }
    return induction_->search(candidates, limits_);
  }

  void search_induction() {
    const std::vector<std::size_t> left = open();
    if (left.empty()) return;
    make_sample();
    tell("induction");
    std::vector<Targets::Candidate> some;
    for (const std::size_t i : left) some.push_back(rest_[i]);
    const std::vector<BackwardAnswer> answers = search_by_induction(for_answers, some);
    for (std::size_t i = 0; i < left.size(); ++i) settle(left[i], answers[i], "induction");
    if (!answers.empty()) outcome_.questions += answers.front().claims;
    outcome_.sample_states = sample_->size();
    outcome_.claims = induction_->excluded().size();
  }

  // What is next to a target costs little by claims, and its way is the shortest.
  void search_both() {
    const bool is_automatic = options_.engine == BackwardEngine::automatic;
    BackwardLimits few = limits_;
    few.claims = std::min(few.claims, claims_before_others);
    few.work = std::min(few.work, work_before_others);
    if (is_automatic) search_claims(few);
    search_induction();
    if (is_automatic) search_claims(limits_);
  }

  void prove() {
    tell("what of it is needed for a proof");
    std::vector<Targets::Candidate> wrong;
    std::vector<Claim> proved;
    // What guesses begin with decides how many there will be: first what was hard to settle.
    for (const bool is_pruned : {false, true})
      for (std::size_t i = 0; i < candidates_.size(); ++i)
        if (outcome_.targets[i].reachability == Reachability::unreachable &&
            rest_[i].claims.empty() == is_pruned)
          wrong.push_back(candidates_[i]);
    if (induction_) proved = induction_->excluded();
    if (claims_) proved.insert(proved.end(), claims_->proved().begin(), claims_->proved().end());
    BackwardLimits limits = limits_;
    const auto try_all = [&] {
      outcome_.invariant = invariant_against(reversed_, wrong, proved, &*together_, limits);
    };
    // Of what excludes each other there may be very much that needs one another.
    const bool may_be_complete = !sample_ || sample_->is_complete();
    if (may_be_complete) limits.claims = std::min(limits.claims, claims_before_alone);
    try_all();
    if (outcome_.invariant || !may_be_complete) return;
    prove_alone(wrong);
    if (outcome_.invariant) return;
    limits.claims = limits_.claims;
    try_all();
  }

  // Where all states are known no guess is wrong, and a proof is found without what excludes each
  // other.
  void prove_alone(const std::vector<Targets::Candidate>& wrong) {
    if (!sample_) make_sample();
    if (!sample_->is_complete()) return;
    tell("induction for a proof");
    const std::vector<BackwardAnswer> answers = search_by_induction(for_a_proof, wrong);
    if (std::all_of(answers.begin(), answers.end(), [](const BackwardAnswer& answer) {
          return answer.reachability == Reachability::unreachable;
        }))
      outcome_.invariant = induction_->excluded();
  }

  ReversedProgram& reversed_;
  const BackwardOptions& options_;
  BackwardLimits limits_;
  BackwardOutcome outcome_;
  Walk walk_;
  std::vector<Targets::Candidate> candidates_, rest_;  // the latter without what is impossible
  std::optional<PossibleTogether> together_;
  std::optional<ReachableSample> sample_;
  std::optional<ClaimSearch> claims_;
  std::optional<Induction> induction_;
  std::vector<Guesses> guesses_;  // by stage
};

}  // namespace

BackwardOutcome search_backward(ReversedProgram& reversed, const BackwardOptions& options) {
  const double start = steady_seconds(), processor_start = processor_seconds();
  BackwardOutcome outcome = Run(reversed, options).outcome();
  outcome.seconds = steady_seconds() - start;
  outcome.processor_seconds = processor_seconds() - processor_start;
  return outcome;
}

}  // namespace panoptes
