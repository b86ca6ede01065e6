// SPDX-License-Identifier: Apache-2.0
#include "cluster/refusal.hpp"

namespace panoptes {
namespace {

// States of one level can be expanded by anybody; a path, or the best of all states, is one rank's.
std::string why_not(const ExhaustiveSearch& search) {
  switch (search.order) {
    case Order::breadth: break;
    case Order::depth: return "--order depth follows one path, which several ranks cannot share";
    case Order::scatter:
    case Order::cost:
      return "--search scatter and --search guided choose among all states that wait, which no "
             "rank "
             "knows of";
  }
  if (std::holds_alternative<WholeGraph>(search.storage))
    return "--keep-graph has the whole graph in one memory";
  const Runs* const runs = std::get_if<Runs>(&search.course);
  if (runs && runs->count > 1) return "--runs has several searches; start each by itself";
  return {};
}
std::string why_not(const StackSearch&) {
  return "--search stack follows one path, which several ranks cannot share";
}
std::string why_not(const CacheSearch&) {
  return "--search cache follows one path, which several ranks cannot share";
}
std::string why_not(const RandomWalks&) {
  return "--search walk needs no memory to be shared; start several with another --seed each";
}

}  // namespace

std::string why_not_over_ranks(const CheckOptions& options) {
  if (!options.folded.empty())
    return "--fold takes states for one as they come, and with several ranks nobody knows which "
           "comes first";
  if (options.checkpoints)
    return "--checkpoint and --resume are for one process: what other ranks have found is in no "
           "log of "
           "its own";
  return std::visit([](const auto& search) { return why_not(search); }, options.search);
}

}  // namespace panoptes
