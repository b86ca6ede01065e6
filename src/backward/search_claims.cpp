// SPDX-License-Identifier: Apache-2.0
#include "backward/search_claims.hpp"

namespace panoptes {

ClaimSearch::ClaimSearch(ReversedProgram& reversed)
    : program_(reversed.program),
      space_(reversed.space),
      solver_(reversed.solver),
      predecessors_(reversed.predecessors),
      unreachable_(space_),
      met_(space_) {}

// What is proved and what is known of sets stays from one search to the next, and counts.
void ClaimSearch::allow(const BackwardLimits& limits) {
  solver_.allow(limits.work, [this, limits]() -> const char* {
    if (limits.deadline.has_passed()) return "time";
    return bytes() > limits.bytes ? "memory" : nullptr;
  });
}

std::uint64_t ClaimSearch::bytes() const {
  const std::uint64_t node = sizeof(Node) + space_.everything().size() * sizeof(std::uint32_t) + 16;
  return space_.bytes() + solver_.bytes() + met_->bytes() + unreachable_.bytes() +
         (nodes_.size() + proved_.size()) * node;
}

// Whether the initial state is in it.
bool ClaimSearch::add(const Claim& claim, RuleId rule, std::uint32_t next) {
  if (is_found_ || unreachable_.has_around(claim) || met_->has_around(claim)) return is_found_;
  met_->add(claim);
  nodes_.push_back({claim, rule, next});
  is_found_ = space_.contains(claim, program_.initial);
  return is_found_;
}

void ClaimSearch::expand(std::uint32_t node, const BackwardLimits& limits) {
  allow(limits);
  const Claim claim = nodes_[node].claim;
  for (const ProcessId process : predecessors_.loners())
    for (const Claim& before : predecessors_.before_waiting(claim, process))
      add(before, none, node);
  for (ProcessId p = 0; p < program_.control.size() && !is_found_; ++p) {
    const ValueSet states = space_.number(claim, space_.control(p));
    states.for_each([&](std::int64_t state) {
      for (const RuleId rule : predecessors_.leading_to(p, static_cast<StateId>(state))) {
        if (is_found_ || predecessors_.is_beside(claim, rule)) continue;
        for (const Claim& before : predecessors_.before(claim, rule)) add(before, rule, node);
      }
    });
  }
}

BackwardAnswer ClaimSearch::search(const Targets::Candidate& candidate,
                                   const BackwardLimits& limits) {
  BackwardAnswer answer;
  nodes_.clear();
  met_.emplace(space_);
  is_found_ = false;
  const auto finish = [&](Reachability reachability, const char* reason) {
    answer.reachability = reachability;
    answer.reason = reason;
    answer.claims = nodes_.size();
    return answer;
  };
  if (!candidate.unless.empty() || !candidate.open.empty())
    return finish(Reachability::unknown, "work");
  try {
    for (const Claim& claim : candidate.claims) add(claim, none, none);
    for (std::uint32_t at = 0; at < nodes_.size() && !is_found_; ++at) {
      if (nodes_.size() > limits.claims) return finish(Reachability::unknown, "claims");
      if (limits.deadline.has_passed()) return finish(Reachability::unknown, "time");
      expand(at, limits);
    }
  } catch (const TooMuchWork& much) {
    return finish(Reachability::unknown, much.what());
  }
  if (!is_found_) {
    for (const Node& node : nodes_) {
      unreachable_.add(node.claim);
      proved_.push_back(node.claim);
    }
    return finish(Reachability::unreachable, "");
  }
  std::vector<RuleId>& way = answer.ways.emplace_back();
  for (std::uint32_t at = static_cast<std::uint32_t>(nodes_.size()) - 1; at != none;
       at = nodes_[at].next)
    if (nodes_[at].rule != none) way.push_back(nodes_[at].rule);
  return finish(Reachability::reachable, "");
}

}  // namespace panoptes
