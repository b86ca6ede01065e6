// SPDX-License-Identifier: Apache-2.0
#include "protocol/fairness.hpp"

namespace panoptes {

bool add_fairness(std::string_view word, FairnessDemands& demands) {
  if (word == "weak")
    demands.processes = std::max(demands.processes, Fairness::weak);
  else if (word == "strong")
    demands = {Fairness::strong, true};
  else if (word == "lines")
    demands.lines = true;
  else
    return word == "none";
  return true;
}

std::string fairness_text(const FairnessDemands& demands) {
  switch (demands.processes) {
    case Fairness::any: return demands.lines ? "lines" : "none";
    case Fairness::weak: return demands.lines ? "weak,lines" : "weak";
    case Fairness::strong: return "strong";
  }
  return {};
}

}  // namespace panoptes
