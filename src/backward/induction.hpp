// SPDX-License-Identifier: Apache-2.0
// Proof by induction: property-directed reachability, a backward search that learns.
//
// Idea: a frame is what is known of all states that so many steps lead to, as cubes (states that
// agree in some bits) that are none of them. From a state that is wrong one asks for a step into it
// from what the frame before allows. Where there is none, the state is excluded, and with it as
// many others as the same reason excludes; where there is one, its first state is asked about in
// turn, until the initial state is among them. When two frames are the same, no step leads out of
// them: an inductive invariant, in which nothing is wrong. What was proved for one target holds for
// the next.
//
// How it can be wrong: ways that are found are those of the rules, and are walked once more by
// whoever shows them; proofs rest on the encoding and the solver until somebody checks the
// invariant.
// Thread safety: one thread.
#pragma once

#include <functional>
#include <optional>
#include <vector>

#include "backward/encoding.hpp"
#include "backward/sat_solver.hpp"
#include "backward/search_claims.hpp"

namespace panoptes {

// Literals of bits of the state, in order: states in which all of them are true.
using Cube = std::vector<Literal>;

class Induction {
 public:
  // Keeps a copy of the program.
  explicit Induction(const Program& program);
  ~Induction();
  Induction(const Induction&) = delete;
  Induction& operator=(const Induction&) = delete;

  // Of all targets together: what excludes one may exclude others.
  std::vector<BackwardAnswer> search(const std::vector<Target>& targets,
                                     const BackwardLimits& limits);

 private:
  struct Obligation {
    Cube cube;
    std::size_t level;
    std::size_t step;  // that leads on; none behind the last one
    std::size_t next;
  };
  enum class Outcome { blocked, reached, given_up };

  Literal literal_of(const Target& target);
  SatSolver::Answer ask();
  SatSolver::Answer ask_frame(std::size_t level, const std::vector<Literal>& bad);
  std::vector<RuleId> way() const;
  SatSolver::Answer ask_step_into(const Cube& cube, std::size_t level);
  void assume_frame(std::size_t level);
  std::vector<Literal> state_of_model() const;
  std::size_t step_of_model() const;
  Cube needed(const Cube& cube, bool next) const;
  Cube lifted(const std::vector<Literal>& state, std::optional<std::size_t> step,
              const std::vector<Literal>& target);
  bool has_initial(const Cube& cube) const;
  void keep_out_initial(Cube& cube, const Cube& whole) const;
  Outcome block(std::size_t first);
  Cube generalised(Cube cube, std::size_t level);
  bool try_without(Cube& cube, const std::function<bool(Literal)>& leave_out, std::size_t level);
  void spread(Cube& cube, std::size_t level);
  std::uint32_t group_of(Literal literal) const;
  void exclude(const Cube& cube, std::size_t level);
  bool push_forward();
  void open_frame();
  Literal next_of(Literal literal) const;

  Program program_;
  RuleConditions conditions_;
  SatSolver solver_;
  Encoding encoding_;
  std::vector<bool> initial_;
  std::vector<Literal> active_;            // by frame
  std::vector<std::vector<Cube>> frames_;  // what each has beside those behind it
  std::vector<Obligation> obligations_;
  BackwardLimits limits_;
  std::uint64_t questions_ = 0;
  const char* shortage_ = "";  // why a question was given up
};

}  // namespace panoptes
