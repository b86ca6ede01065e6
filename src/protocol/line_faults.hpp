// SPDX-License-Identifier: Apache-2.0
// What lines do to messages in one run, whatever the model says of them.
//
// Idea: words say what all lines do, else they do what is declared; others what some do, by name.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/diagnostic.hpp"
#include "protocol/protocol.hpp"

namespace panoptes {

enum class LineFault { declared, perfect, lossy, duplicating, reordering };

struct LineFaults {
  struct Given {
    LineFault fault;
    std::string channel;  // or family; "": every channel
  };
  std::vector<Given> given = {};  // none: as declared
};

// Words joined by commas, each for all channels or for one: `declared`; `lossy,duplicating`;
// `lossy:line,reordering:ack`; `none,lossy:line`. Nothing where it is none of that, with the reason
// in `problem` and perhaps what was meant in `suggestion`.
std::optional<LineFaults> read_line_faults(std::string_view text, std::string& problem,
                                           std::string& suggestion);

// Makes the line of a channel what it is to be; a sink or a rendezvous has none. One that is named
// does what is said of it and of all, and nothing else; `none:line` and `declared:line` except it
// from what is said of all. What is said of a member counts before what is said of its family.
void set_line(const LineFaults& faults, Channel& channel);

// Complains of the first channel that is named and not there, or has no line.
void check_line_faults(const LineFaults& faults, const Protocol& protocol,
                       Diagnostics& diagnostics);

// Whether something is said of some line that the model need not say.
bool are_given(const LineFaults& faults);

// "c lossy, ring[0] lossy reordering, the others perfect": what lines do, in words.
std::string lines_in_words(const Protocol& protocol);

// Of a channel without slots that is said to do something to messages.
inline constexpr std::string_view no_line_problem =
    "a rendezvous has no line that could do something to messages";
inline constexpr std::string_view no_line_suggestion =
    "give the channel slots, or leave out what its line does";

}  // namespace panoptes
