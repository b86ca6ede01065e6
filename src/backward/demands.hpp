// SPDX-License-Identifier: Apache-2.0
// Demands that are left open: what an expression must be in a state, where the states in which it
// is so are too many to be claims.
//
// Idea: nobody needs all of those states. A SAT solver is asked for one, as if the demand were not
// there; if it is not met in that one, why not is learnt, as a claim around it in which it is met
// nowhere, and the solver is asked again. So a product of conditions is never written out, each
// condition is learnt for itself, and of each only as much as questions come to.
//
// What is learnt is true of all states, so it stays from one solver to the next.
// How it can be wrong: not; a claim around a state is widened only where the rules backwards
// (solve.hpp) can tell that all of it is alike.
// Thread safety: one thread.
#pragma once

#include <cstdint>
#include <functional>
#include <map>
#include <tuple>
#include <unordered_map>
#include <utility>
#include <vector>

#include "backward/claim_literals.hpp"
#include "backward/solve.hpp"

namespace panoptes {

class Demands {
 public:
  using Id = std::uint32_t;
  using Ids = std::vector<Id>;

  // All outlive it.
  Demands(ClaimSpace& space, Solver& solver) : space_(space), solver_(solver) {}
  Demands(const Demands&) = delete;
  Demands& operator=(const Demands&) = delete;

  Id id_of(const Demand& demand);
  // Whether all are met in a state. REQUIRES: the claim is one state.
  bool are_met(const Ids& demands, const Claim& point);
  // The same; learns why not.
  bool are_met_or_learn(const Ids& demands, const Claim& point);
  // Where it is known not to be met.
  const std::vector<Claim>& refusals(Id demand) const { return entries_[demand].refusals; }
  // A claim around the state and within `outer`, in which all of them are met.
  // REQUIRES: they are in `point`, one state, which is in `outer`.
  Claim met_around(const Claim& point, const Claim& outer, const Ids& demands);

  std::uint64_t bytes() const;

 private:
  struct Entry {
    Demand demand;
    std::vector<std::size_t> places;  // of a claim that it looks at, in order
    std::vector<Claim> refusals = {};
  };
  using Bounds = std::vector<std::pair<std::int64_t, std::int64_t>>;
  using Key = std::tuple<ExpressionId, Demand::Kind, Bounds>;
  // What of a claim must not be in it; nothing where that is not known.
  using Avoided = std::function<std::optional<std::vector<Claim>>(const Claim&)>;

  void widen(Claim& claim, const Claim& outer, std::size_t place, const Avoided& avoided);
  Claim refused_around(const Claim& point, const Entry& entry);

  ClaimSpace& space_;
  Solver& solver_;
  std::vector<Entry> entries_;
  std::map<Key, Id> known_;
  std::uint64_t refusals_ = 0;  // of all of them
};

// Demands as literals of a solver.
class DemandLiterals {
 public:
  // All outlive it.
  DemandLiterals(const Demands& demands, ClaimLiterals& literals)
      : demands_(demands), literals_(literals) {}
  DemandLiterals(const DemandLiterals&) = delete;
  DemandLiterals& operator=(const DemandLiterals&) = delete;

  // That they are met, as far as is known when they are not.
  std::vector<Literal> of(const Demands::Ids& demands);

 private:
  struct Said {
    Literal literal = 0;
    std::size_t refusals = 0;  // that the solver knows
  };
  const Demands& demands_;
  ClaimLiterals& literals_;
  std::unordered_map<Demands::Id, Said> said_;
};

}  // namespace panoptes
