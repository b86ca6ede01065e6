// SPDX-License-Identifier: Apache-2.0
// Drawings in the language of Graphviz.
//
// Labels are marked up, so that names can be told from places and receives from sends. Whatever is
// in a name, it is escaped here: a drawing never becomes invalid by it, nor the picture made of it.
#pragma once

#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "protocol/protocol.hpp"

namespace panoptes::dot {

inline constexpr std::string_view receive_colour = "#1f5fae";
inline constexpr std::string_view send_colour = "#b3470b";
inline constexpr std::string_view timeout_colour = "#7b3fa0";
inline constexpr std::string_view other_colour = "#333333";
inline constexpr std::string_view faint_colour = "#777777";
inline constexpr std::string_view error_colour = "#c00020";
inline constexpr std::string_view start_colour = "#2e7d32";

// Of what is received, sent or waited for.
std::string_view colour_of(ActionKind kind);

// For the text of a marked-up label. What is no UTF-8 or no character of XML is replaced.
std::string escape(std::string_view text);
// A quoted string that shows as `text`, for tooltips.
std::string quote(std::string_view text);

std::string bold(std::string_view text);
std::string in_colour(std::string_view text, std::string_view colour);
std::string small(std::string_view text);  // and faint
// Marked-up lines, one below the other; REQUIRES: there is one.
std::string lines(const std::vector<std::string>& lines);

// An edge between two nodes for all of `actions`, each once and in its colour.
struct Action {
  std::string text;
  std::string_view colour;
};
std::string edge(std::string_view from, std::string_view to, const std::vector<Action>& actions);

// `digraph NAME { ... }`, with settings that all drawings share. `legend`: sample and meaning, both
// marked up, shown at the bottom.
std::string graph(std::string_view name, std::string_view body,
                  const std::vector<std::pair<std::string, std::string>>& legend);

}  // namespace panoptes::dot
