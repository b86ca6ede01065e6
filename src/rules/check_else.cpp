// SPDX-License-Identifier: Apache-2.0
#include "rules/check_else.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <set>

#include "rules/program.hpp"

namespace panoptes {
namespace {

// What an option of the analysis makes of a timeout is no mistake of the text.
void complain(const Transition& timeout, Place place, Place other, Diagnostics& diagnostics) {
  const std::string text =
      fmt::format("`{}` waits for others, and never comes beside an `else`", timeout.text);
  const std::string advice = "leave one of them out, or say `timeout(empty)`";
  if (timeout.timeout)
    diagnostics.error(place, text, advice, {{other, "the `else`"}});
  else
    diagnostics.warning(place, text, advice);
}

}  // namespace

void check_else(const Protocol& protocol, TimeoutPolicy standard, Diagnostics& diagnostics) {
  const auto place_of = [&](const Transition& t) {
    return protocol.statements[t.statements.front()].place;
  };
  std::set<Place> told;  // once for all members of a family
  for (const Process& process : protocol.processes)
    for (const ControlState& state : process.automaton.states) {
      const auto& all = state.transitions;
      const auto other =
          std::find_if(all.begin(), all.end(), [](const Transition& t) { return t.is_else; });
      if (other == all.end()) continue;
      for (const Transition& t : all)
        if (t.written_as == ActionKind::timeout &&
            kind_of_timeout(t, standard) != TimeoutPolicy::empty && told.insert(place_of(t)).second)
          complain(t, place_of(t), place_of(*other), diagnostics);
    }
}

}  // namespace panoptes
