// SPDX-License-Identifier: Apache-2.0
// What the parts of a state are called in SQL.
//
// Idea: nobody should have to put a column into quotes. So names are in small letters, what a model
// writes as `node[2]`, `lane[-1]` or `sender.retries` is node_2, lane_minus_1 and sender_retries,
// and a name that SQL reserves or another column has already gets its kind behind it: a channel
// `sender` beside a process of that name is sender_channel. Processes come first, then variables,
// then channels. What has more than 63 bytes, the most PostgreSQL takes, is cut in the middle.
//
// How it can be wrong: not at all, but a model that changes may change a name; `--schema` tells.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "protocol/protocol.hpp"

namespace panoptes {

// Columns of the view `states`, by process, variable and channel.
struct StateColumns {
  std::vector<std::string> processes, variables, channels;
  std::vector<std::string> value_names;  // by variable; "" where it is of no enumeration
};
StateColumns state_columns(const Protocol& protocol);

// "process sensor[-1] is column sensor_minus_1": a line for each name that is no name in SQL and
// that `sql` has all the same, as the model writes it.
std::string columns_meant(const Protocol& protocol, std::string_view sql);

}  // namespace panoptes
