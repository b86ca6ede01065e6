// SPDX-License-Identifier: Apache-2.0
// All ranks of a search over several, as the one that runs on this rank sees them: they are told
// when it must end, hear of its progress, and bring what they have found before one judge.
//
// Thread safety: together() by whoever looks at the search; the rest by one thread, when no worker
// runs.
#pragma once

#include "search/monitor.hpp"
#include "search/neighbours.hpp"
#include "verdict/error_log.hpp"
#include "verdict/judge.hpp"

namespace panoptes {

class Ranks : public Neighbours {
 public:
  // The monitor of this rank's search, which is ended when another rank ends. It stays until
  // gather().
  virtual void watch(Monitor& monitor) = 0;

  // How far this rank is. Gives how far all are, as far as is known here.
  virtual Progress together(const Progress& own) = 0;

  // The search has ended on this rank; waits until it has on all. On the rank that judges, adds
  // what all others have found, and gives true. On others gives false when the judge is done.
  virtual bool gather(Evidence& evidence, ErrorLog& errors) = 0;
  // The judge is done: no ways are asked for any more.
  virtual void dismiss() = 0;
};

}  // namespace panoptes
