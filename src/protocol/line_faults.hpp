// SPDX-License-Identifier: Apache-2.0
// What lines do to messages in one run, whatever the model says of them.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/diagnostic.hpp"
#include "protocol/protocol.hpp"

namespace panoptes {

enum class LineFault { lossy, duplicating, reordering };

struct LineFaults {
  struct Given {
    LineFault fault;
    std::string channel;  // or family; "": every channel
  };
  bool as_declared = true;
  std::vector<Given> given = {};  // else, these and no others
};

// `declared`, `none`, or faults joined by commas, each for all channels or for one: `lossy`,
// `lossy:line,reordering:ack`. Nothing where it is none of that, with the reason in `problem`.
std::optional<LineFaults> read_line_faults(std::string_view text, std::string& problem);

// Makes the line of a channel what it is to be; a sink or a rendezvous has none.
void set_line(const LineFaults& faults, Channel& channel);

// Complains of the first channel that is named and not there.
void check_line_faults(const LineFaults& faults, const Protocol& protocol,
                       Diagnostics& diagnostics);

}  // namespace panoptes
