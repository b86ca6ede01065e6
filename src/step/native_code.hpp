// SPDX-License-Identifier: Apache-2.0
// The routine a program is compiled to.
#pragma once

#include <cstdint>
#include <memory>

#include "rules/lowered.hpp"
#include "step/native_frame.hpp"

namespace panoptes {

class NativeCode {
 public:
  virtual ~NativeCode() = default;
  virtual void run(NativeFrame& frame) const = 0;
  // No state has more successors and failures than this.
  virtual std::size_t most_successors() const = 0;
  // Any state may be wrong itself, whether or not it is among the suspects.
  virtual bool is_alarmed() const = 0;
};

// Nothing where this machine cannot run it.
std::shared_ptr<const NativeCode> compile_native(Lowered lowered);

}  // namespace panoptes
