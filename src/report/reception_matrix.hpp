// SPDX-License-Identifier: Apache-2.0
// What becomes of each message that a process may find in the channels it reads, by where it is.
//
// Idea: where it is, is a control state, or a label. A standard knows a dozen states, and a process
// that does what it says has hundreds of places between them; its labels say which of them are the
// states of the standard. So by label a row is all control states of one label, and a message that
// is accepted leads to the labels that come next, whatever happens in between. What lies behind a
// label and before the next is a row, too: nothing that is wrong there is lost.
// How it can be wrong: as `Arrivals` are, which say how complete they are. A place that lies behind
// several labels is in the rows of all of them.
//
// Cost: a cell for each row and message. Thread safety: functions of their arguments.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "protocol/sorts.hpp"
#include "rules/program.hpp"
#include "verdict/arrivals.hpp"

namespace panoptes {

enum class RowsBy : std::uint8_t { label, place };

struct ReceptionMatrix {
  struct Column {
    ChannelId channel;
    std::string message;              // "": the channel is empty, for timeouts
    std::vector<std::uint32_t> tags;  // with that name; none: nobody sends it
    bool is_timeout() const { return message.empty(); }
  };
  enum class Acceptance : std::uint8_t { no, conditional, always };
  struct Cell {
    Acceptance acceptance = Acceptance::no;
    bool by_default = false;             // no statement here names the message
    std::vector<std::uint32_t> targets;  // rows that it leads to
    bool is_seen = false;                // it was first in its channel here
    // It was, and could not be taken: by the strictest policy that reports it.
    std::optional<ReceptionPolicy> hole;
  };
  struct Row {
    std::string name;             // that of its states
    std::vector<StateId> states;  // by place, the one whose number is that of the row
    bool is_between = false;      // places behind a label and before the next one
    bool is_reached = false;      // some of them were
    std::vector<Cell> cells;      // by column
  };
  struct Hole {
    std::size_t row, column;
    ReceptionPolicy policy;
  };

  std::vector<Column> columns;
  std::vector<Row> rows;
  RowsBy by = RowsBy::place;

  // Those that `policy` reports, the worst first.
  std::vector<Hole> holes(ReceptionPolicy policy) const;
  // The same of one row.
  bool has_hole(const Row& row, ReceptionPolicy policy) const;
  // How many cells have just this; by label, of those at one.
  std::size_t count(ReceptionPolicy policy) const;
};

std::string_view to_string(ReceptionMatrix::Acceptance acceptance);
// "arrives", "never", "not seen" or "never sent".
std::string_view arrival_text(const ReceptionMatrix::Column& column,
                              const ReceptionMatrix::Cell& cell, bool is_complete);

// Whether a process is written as one that goes from label to label: two control states at least
// have labels that are not the same.
bool has_labels(const Automaton& automaton);

// How many cells the matrices of all processes have at most.
std::size_t matrix_cells(const Program& program, RowsBy by);

// `traffic` is that of the protocol (protocol/sorts.hpp), collected once for all processes. By
// place where the process has no labels to go by.
ReceptionMatrix reception_matrix(const Program& program, ProcessId process,
                                 const std::vector<Traffic>& traffic, const Arrivals& arrivals,
                                 RowsBy by = RowsBy::place);

}  // namespace panoptes
