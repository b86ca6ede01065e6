// SPDX-License-Identifier: Apache-2.0
// An expression over the whole system, as Argos has it: that of an `always` or `never`, a cost, a
// breakpoint.
//
// It is an expression of the language, read from outside of all processes: shared variables by
// their name; those of a process as `sender.retries`, or `retries` alone where only one process has
// such a variable; len(c), full(c), empty(c); `head(c) == m`; `sender@wait`, which is 1 while that
// process is at the state with that label or name and 0 otherwise. A member of a family is written
// `node[2].x`, `node[2]@wait`, with any index. Where one is asked for that is not there, the
// expression has no value. A cost may also name `depth`, the number of steps from the start, unless
// a variable is called so.
#pragma once

#include <optional>
#include <set>
#include <string>

#include "argos/names.hpp"
#include "argos/syntax.hpp"
#include "base/diagnostic.hpp"
#include "protocol/cost.hpp"

namespace panoptes {

// The names of control states in it, which must not be merged with others for it to have a meaning.
std::set<std::string> asked_names(const argos::Expression& expression);

// What the declarations of a protocol were, as far as it still shows.
Declarations declarations_of(const Protocol& protocol);

// A channel, or the member of a family that a constant chooses; nothing where there is none, which
// is reported.
std::optional<ChannelId> resolve_channel(const argos::ChannelUse& use, const Bindings& index,
                                         Protocol& protocol, Declarations& declarations,
                                         Diagnostics& diagnostics);

// Nothing where a name has no meaning, which is reported.
std::optional<CostExpression> resolve_cost(const argos::Expression& expression,
                                           const Protocol& protocol, Diagnostics& diagnostics);

// The same as an expression of the protocol's own pool; it has no depth.
std::optional<ExpressionId> resolve_outside(const argos::Expression& expression, Protocol& protocol,
                                            Diagnostics& diagnostics);

// The same while the protocol is built, for which `declarations` still are there and are told what
// is read; `index` is that of its family. Only a try where `is_trial`: nothing is added to the
// pool, and control states may still be renumbered.
std::optional<ExpressionId> resolve_outside(const argos::Expression& expression,
                                            const Bindings& index, Protocol& protocol,
                                            Declarations& declarations, Diagnostics& diagnostics,
                                            bool is_trial);

}  // namespace panoptes
