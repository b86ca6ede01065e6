// SPDX-License-Identifier: Apache-2.0
// The table of errors by word and mask: not which error it is, but which states must be examined,
// by the policy that asks for least.
#pragma once

#include <map>
#include <utility>
#include <vector>

#include "rules/lower_expression.hpp"
#include "rules/lowered.hpp"
#include "rules/program.hpp"

namespace panoptes {

// Where a process must not wait with a message before it, by the rows that say so.
class WaitingHeads {
 public:
  explicit WaitingHeads(const Program& program);

  // Adds the channels of one control state to `out`, each once.
  void add(ProcessId process, StateId at, LoweredControl& state, Lowered& out) const;

 private:
  const Layout& layout_;
  std::map<std::pair<ProcessId, StateId>, std::vector<ChannelId>> channels_;
};

// Adds what else makes a state suspicious, whether or not anybody moves.
void add_alarms(const Program& program, ExpressionLowering& expressions, Lowered& out);

}  // namespace panoptes
