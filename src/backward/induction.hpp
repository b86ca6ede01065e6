// SPDX-License-Identifier: Apache-2.0
// Proof by induction: a backward search that guesses, and learns from wrong guesses.
//
// Idea: what is wrong is a claim, and shall be excluded: so must be every claim from which a rule
// leads into it (predecessors.hpp), unless what is excluded already, or known to be impossible
// (possible_together.hpp), has it; a SAT solver tells. Each is excluded together with as many other
// states as can be: all that a sample of reachable states (reachable_sample.hpp) does not
// contradict. When nothing is left to exclude, no step leads
// into what is: an inductive invariant, in which nothing is wrong. Where the sample is in a claim
// that must be excluded, a rule leads from there into what should not be reached: a state more for
// the sample. What it is in is no longer excluded, and if that is something that is wrong, it can
// be reached.
//
// So it is property-directed reachability (Bradley 2011) without its frames: a guess is kept until
// a reachable state contradicts it, not only where it is known to hold so many steps long.
// Tried and lost: frames. With the same sample ricart_agrawala, a model of 132 states, was not
// settled in 20 seconds, because lemmas of the first frames had to be found again for each that
// followed; without frames it takes less than one. Before that, all rules as clauses in one solver,
// with a second set of variables for the state behind a step: four fifths of the time went into
// propagating gates of rules that a question had nothing to do with. Here a question has the
// variables of one state and nothing else.
//
// How it can be wrong: ways that are found are those of the rules, and are walked once more by
// whoever shows them; proofs rest on the rules backwards and the solver until somebody checks the
// invariant (certify.hpp), which needs neither.
// Thread safety: one thread.
#pragma once

#include <deque>
#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "backward/claim_cover.hpp"
#include "backward/guesses.hpp"
#include "backward/invariant.hpp"
#include "backward/reachable_sample.hpp"
#include "backward/reversed_program.hpp"

namespace panoptes {

class Induction {
 public:
  // All outlive it. Without `together` what it excludes is a proof by itself.
  Induction(ReversedProgram& reversed, const PossibleTogether* together, ReachableSample& sample);
  ~Induction();
  Induction(const Induction&) = delete;
  Induction& operator=(const Induction&) = delete;

  // Before a search: these are its first guesses.
  void begin_with(const Guesses& guesses, const BackwardLimits& limits);
  // During a search `pause` is called between two guesses, and when it is over.
  void set_pause(std::function<void(bool is_over)> pause) { pause_ = std::move(pause); }
  // What is proved, and what is guessed beside it.
  Guesses guesses() const;

  // Of all targets together: what excludes one may exclude others.
  std::vector<BackwardAnswer> search(const std::vector<Targets::Candidate>& candidates,
                                     const BackwardLimits& limits);

  // What is proved: no state in one of these can be reached. They hold together, by induction.
  const std::vector<Claim>& excluded() const { return proved_; }

 private:
  // A step into what is excluded.
  struct Step : StepInto {
    bool is_closed = false;  // it begins in what is excluded
  };
  // Something that is to be excluded, for the sake of something else.
  struct Lemma {
    Claim claim;           // that is excluded
    Claim base;            // of it, what must be
    std::size_t parent;    // a lemma into whose claim a rule leads from the base; none: a target
    RuleId rule;           // that does; none where nobody moves
    std::size_t target;    // for which it was wanted first
    bool is_there = true;  // no reachable state is known to be in it
    std::vector<Step> steps = {};
    bool has_steps = false;  // they are there
    bool is_closed = false;  // all of them are

    // A guess of an earlier run, which knew why it must be: of its base nothing is known.
    bool is_from_before() const { return parent == none && target == none; }
  };

  // A target.
  struct Goal {
    std::vector<Claim> claims, unless;
    Demands::Ids open;
    bool is_one_of_many = false;              // each place where everybody is, is one
    Literal is_meant = 0;                     // that a state is in none of `unless`
    std::optional<std::size_t> reached = {};  // a state of the sample, just found
    std::vector<std::size_t> ways = {};       // those found so far
    std::size_t looked_at = 0;                // states of the sample, in vain
    bool is_settled = false;                  // no others are looked for
    std::string reason = {};                  // ... because it was given up
  };

  void exclude(const Claim& claim);
  SatSolver::Answer ask(const Claim& claim, const Demands::Ids& open, Literal is_meant);

  Claim generalised(const Claim& base);
  Claim of_first_places(const Claim& base);
  Claim free_of_sample(const Claim& base);
  void widen_numbers(Claim& wide, const Claim& base);
  void widen_messages(Claim& wide, ChannelId channel);

  void close(std::size_t lemma);
  std::vector<Step> steps_into(const Claim& claim);
  std::optional<ProcessId> only_process_in(const Claim& claim) const;
  void keep_in_mind(const Claim& claim);
  void forget_lemmas();
  void add_lemma(Lemma&& lemma);
  void add_guesses();
  void drop(Lemma& lemma);
  void contradict(std::size_t lemma, std::size_t state);
  void drop_reachable(std::size_t state);
  void begin_anew();
  std::uint64_t bytes() const;
  Claim apart_from(const std::vector<Claim>& unless, const Claim& claim, const Claim& point);
  Claim whereabouts_of(const Claim& point) const;
  bool is_excluded(std::size_t goal);
  void prove();
  void start_over();
  void give_up(Lemma& lemma, const std::string& reason);

  ReversedProgram& reversed_;
  const Program& program_;
  ClaimSpace& space_;
  Predecessors& predecessors_;
  Demands& demands_;
  const PossibleTogether* together_;
  ReachableSample& sample_;
  std::optional<SatSolver> sat_;
  std::optional<ClaimLiterals> literals_;
  std::optional<DemandLiterals> demand_literals_;
  ClaimCover cover_;           // of what is excluded
  std::vector<Claim> known_;   // of what is not possible together: what was asked for
  std::vector<Claim> proved_;  // by the searches before
  std::deque<Lemma> lemmas_;
  std::vector<std::size_t> order_;  // places that lemmas say something of, the first first
  std::vector<ValueSet> never_at_;  // by process: control states that one lemma excludes each
  std::vector<std::vector<bool>> beside_;  // by two places: some rule has to do with both
  std::vector<Goal> goals_;
  Claim point_;  // the state of the last answer that was possible
  BackwardLimits limits_;
  std::uint64_t questions_ = 0;
  std::size_t contradictions_ = 0, most_contradictions_ = 0;  // since the last start
  std::string shortage_;                                      // why a question was given up
  Guesses first_;                                             // of the next search
  std::uint64_t growths_ = 0;                                 // of the sample
  std::function<void(bool)> pause_;
};

}  // namespace panoptes
