// SPDX-License-Identifier: Apache-2.0
#include "backward/search_claims.hpp"

namespace panoptes {

std::string_view to_string(Reachability reachability) {
  switch (reachability) {
    case Reachability::reachable: return "reachable";
    case Reachability::unreachable: return "unreachable";
    default: return "unknown";
  }
}

ClaimSearch::ClaimSearch(const Program& program)
    : program_(program),
      conditions_(program_),
      space_(program_),
      solver_(space_, program_.protocol.expressions),
      predecessors_(program_, conditions_, space_, solver_),
      unreachable_(space_),
      met_(space_) {}

std::vector<Targets::Candidate> ClaimSearch::candidates(ReceptionPolicy receptions) {
  return Targets(program_, conditions_, space_, solver_, predecessors_).all(receptions);
}

std::uint64_t ClaimSearch::bytes() const {
  const std::uint64_t node = sizeof(Node) + space_.everything().size() * sizeof(std::uint32_t) + 16;
  return space_.bytes() + met_->bytes() + unreachable_.bytes() + nodes_.size() * node;
}

// Whether the initial state is in it.
bool ClaimSearch::add(const Claim& claim, RuleId rule, std::uint32_t next) {
  if (unreachable_.has_around(claim) || met_->has_around(claim)) return false;
  met_->add(claim);
  nodes_.push_back({claim, rule, next});
  return space_.contains(claim, program_.initial);
}

BackwardAnswer ClaimSearch::search(const Targets::Candidate& candidate,
                                   const BackwardLimits& limits) {
  BackwardAnswer answer;
  nodes_.clear();
  met_.emplace(space_);
  bool is_found = false;
  const auto meet = [&](const Claim& claim, RuleId rule, std::uint32_t next) {
    is_found = is_found || add(claim, rule, next);
  };
  const auto finish = [&](Reachability reachability, const char* reason) {
    answer.reachability = reachability;
    answer.reason = reason;
    answer.claims = nodes_.size();
    return answer;
  };
  try {
    for (const Claim& claim : candidate.claims) meet(claim, none, none);
    for (std::uint32_t at = 0; at < nodes_.size() && !is_found; ++at) {
      if (limits.deadline.has_passed()) return finish(Reachability::unknown, "time");
      if (bytes() > limits.bytes) return finish(Reachability::unknown, "memory");
      if (nodes_.size() > limits.claims) return finish(Reachability::unknown, "claims");
      solver_.allow(limits.work);
      const Claim claim = nodes_[at].claim;
      for (const ProcessId process : predecessors_.loners())
        for (const Claim& before : predecessors_.before_waiting(claim, process))
          meet(before, none, at);
      for (ProcessId p = 0; p < program_.control.size() && !is_found; ++p) {
        const ValueSet states = space_.number(claim, space_.control(p));
        states.for_each([&](std::int64_t state) {
          for (const RuleId rule : predecessors_.leading_to(p, static_cast<StateId>(state))) {
            if (is_found || predecessors_.is_beside(claim, rule)) continue;
            for (const Claim& before : predecessors_.before(claim, rule)) meet(before, rule, at);
          }
        });
      }
    }
  } catch (const TooMuchWork& much) {
    return finish(Reachability::unknown, much.what());
  }
  if (!is_found) {
    for (const Node& node : nodes_) unreachable_.add(node.claim);
    return finish(Reachability::unreachable, "");
  }
  for (std::uint32_t at = static_cast<std::uint32_t>(nodes_.size()) - 1; at != none;
       at = nodes_[at].next)
    if (nodes_[at].rule != none) answer.rules.push_back(nodes_[at].rule);
  return finish(Reachability::reachable, "");
}

}  // namespace panoptes
