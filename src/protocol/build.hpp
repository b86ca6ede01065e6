// SPDX-License-Identifier: Apache-2.0
// Syntax tree to checked protocol: resolves names, writes out families, inlines procedures,
// translates, removes transit states, infers sorts and ranges, minimises.
#pragma once

#include <optional>

#include "base/diagnostic.hpp"
#include "lang/argos/syntax.hpp"
#include "protocol/build_options.hpp"
#include "protocol/limits.hpp"
#include "protocol/protocol.hpp"

namespace panoptes {

// The protocol of `model`, or nothing where it has errors, which are reported.
std::optional<Protocol> build_protocol(const argos::Model& model, const BuildOptions& options,
                                       const SourceSet& sources, Diagnostics& diagnostics);

}  // namespace panoptes
