// SPDX-License-Identifier: Apache-2.0
#include "app/checkpoint_notes.hpp"

#include <fmt/format.h>

#include "app/system.hpp"
#include "report/number_text.hpp"

namespace panoptes {

bool ended_early(const Verdict& verdict) {
  return verdict.stop == Stop::interrupted || verdict.stop == Stop::time ||
         verdict.stop == Stop::memory;
}

void tell_what_was_written(const Checkpoints& checkpoints, bool may_go_on) {
  if (!checkpoints.problem().empty())
    tell(fmt::format(
        "note: {}: {}\n",
        checkpoints.number() > 0 ? "the last checkpoint was not written" : "there is no checkpoint",
        checkpoints.problem()));
  if (checkpoints.count() > 0)
    tell(fmt::format("note: {} written in {:.3f} s; {} has {}\n",
                     checkpoints.count() == 1
                         ? "one checkpoint was"
                         : fmt::format("{} checkpoints were", with_commas(checkpoints.count())),
                     checkpoints.seconds(), checkpoints.folder().path(),
                     as_bytes(checkpoints.folder().disk_bytes())));
  if (may_go_on && checkpoints.number() > 0)
    tell(fmt::format("note: the same command with --resume {} goes on\n", checkpoints.path()));
}

}  // namespace panoptes
