// SPDX-License-Identifier: Apache-2.0
#include "report/dot.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cstdint>

#include "base/utf8.hpp"

namespace panoptes::dot {
namespace {

// The length of the character that `text` begins with; 0 where it is none that a drawing can have.
std::size_t character_length(std::string_view text) {
  const auto character = first_character(text);
  if (!character) return 0;
  const std::uint32_t code = character->code;
  const bool is_control = code < 0x20 || (code >= 0x7F && code <= 0x9F);
  const bool is_character = (code & 0xFFFE) != 0xFFFE;
  return !is_control && is_character ? character->length : 0;
}

}  // namespace

std::string escape(std::string_view text) {
  std::string out;
  while (!text.empty()) {
    const std::size_t length = character_length(text);
    const char c = text[0];
    if (c == '&')
      out += "&amp;";
    else if (c == '<')
      out += "&lt;";
    else if (c == '>')
      out += "&gt;";
    else if (c == '"')
      out += "&quot;";
    else if (c == '\\')
      out += "\\\\";  // Graphviz would read `\N` as the name of the node
    else if (c == '\n' || c == '\t')
      out += ' ';
    else
      out += length == 0 ? replacement_character : text.substr(0, length);
    text.remove_prefix(std::max<std::size_t>(1, length));
  }
  return out;
}

std::string quote(std::string_view text) { return fmt::format("\"{}\"", escape(text)); }

std::string bold(std::string_view text) { return fmt::format("<b>{}</b>", text); }

std::string in_colour(std::string_view text, std::string_view colour) {
  return fmt::format("<font color=\"{}\">{}</font>", colour, text);
}

std::string small(std::string_view text) {
  return fmt::format("<font point-size=\"9\" color=\"{}\">{}</font>", faint_colour, text);
}

std::string lines(const std::vector<std::string>& all) {
  return fmt::format("<{}>", fmt::join(all, "<br/>"));
}

std::string_view colour_of(ActionKind kind) {
  switch (kind) {
    case ActionKind::receive:
    case ActionKind::copy:
    case ActionKind::flush:
    case ActionKind::receive_default: return receive_colour;
    case ActionKind::lose:
    case ActionKind::send: return send_colour;
    case ActionKind::timeout: return timeout_colour;
    case ActionKind::check:
    case ActionKind::bad_index:
    case ActionKind::internal: break;
  }
  return other_colour;
}

std::string edge(std::string_view from, std::string_view to, const std::vector<Action>& actions) {
  constexpr std::string_view room = "&#160;";  // between a label and what is beside it
  std::vector<std::string> marked_up, tips;
  std::string_view colour = actions.front().colour;
  for (const Action& action : actions) {
    if (std::find(tips.begin(), tips.end(), action.text) != tips.end()) continue;
    tips.push_back(action.text);
    marked_up.push_back(
        fmt::format("{0}{1}{0}", room, in_colour(escape(action.text), action.colour)));
    if (action.colour != colour) colour = other_colour;
  }
  return fmt::format("  {} -> {} [label={}, color=\"{}\", tooltip={}];\n", from, to,
                     lines(marked_up), colour, quote(fmt::format("{}", fmt::join(tips, "; "))));
}

std::string graph(std::string_view name, std::string_view body,
                  const std::vector<std::pair<std::string, std::string>>& legend) {
  std::string rows;
  for (const auto& [sample, meaning] : legend)
    rows += fmt::format("    <tr><td align=\"left\">{}</td><td align=\"left\">{}</td></tr>\n",
                        sample, meaning);
  return fmt::format(
      "digraph {0} {{\n"
      "  graph [fontname=\"Helvetica,Arial,sans-serif\", fontsize=10, labelloc=b, labeljust=l,\n"
      "    rankdir=TB, nodesep=0.35, ranksep=0.45, tooltip=\"{0}\"];\n"
      "  node [fontname=\"Helvetica,Arial,sans-serif\", fontsize=11, shape=box,\n"
      "    style=\"rounded,filled\", fillcolor=white, color=\"{1}\", margin=\"0.12,0.06\",\n"
      "    height=0.3, width=0.4];\n"
      "  edge [fontname=\"Helvetica,Arial,sans-serif\", fontsize=10, color=\"{1}\",\n"
      "    arrowsize=0.7];\n"
      "{2}"
      "  label=<<table border=\"0\" cellborder=\"0\" cellspacing=\"0\" cellpadding=\"2\">\n{3}  "
      "</table>>;\n"
      "}}\n",
      name, other_colour, body, rows);
}

}  // namespace panoptes::dot
