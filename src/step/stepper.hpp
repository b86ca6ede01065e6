// SPDX-License-Identifier: Apache-2.0
// A Stepper turns rules into successors: the whole seam between a protocol and a search.
//
// Every stepper gives the same successors in the same order as the interpreter, rule for rule.
//
// Thread safety: a stepper may keep scratch space; each thread uses its own.
#pragma once

#include <vector>

#include "base/batch.hpp"
#include "rules/finding.hpp"
#include "rules/program.hpp"

namespace panoptes {

class Stepper {
 public:
  virtual ~Stepper() = default;

  virtual const Program& program() const = 0;

  // Replaces `out` by the successors of every state of `batch`. Rules that fire into an error have
  // no successor; each error is added to `findings`.
  virtual void expand(const StateBatch& batch, SuccessorBatch& out,
                      std::vector<Finding>& findings) = 0;
  // The same, as if there were no other rules than those of the first class whose owner `process`
  // is; about what may be wrong with the states themselves nothing is said.
  virtual void expand_alone(ProcessId process, const StateBatch& batch, SuccessorBatch& out,
                            std::vector<Finding>& findings) = 0;
};

}  // namespace panoptes
