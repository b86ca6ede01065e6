// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>

#include "report/dot.hpp"
#include "report/show.hpp"
#include "report/show_content.hpp"

namespace panoptes {
namespace {

constexpr std::string_view process_fill = "#dfe9f5";
constexpr std::size_t messages_width = 30;  // a longer list is folded

// `list` folded, in one colour.
std::vector<std::string> marked_up(const std::vector<std::string>& list, std::string_view colour,
                                   std::string_view mark = {}) {
  std::vector<std::string> lines;
  for (const std::string& line : folded_list(list, messages_width))
    lines.push_back(dot::in_colour(fmt::format("{}{}", mark, dot::escape(line)), colour));
  return lines;
}

std::string channel_node(const Channel& channel, const ChannelUse& use, ChannelId c) {
  std::vector<std::string> lines{dot::escape(channel_title(channel))};
  for (const ChannelUse::Sender& sender : use.senders)
    if (sender.process == none)
      for (const std::string& line : folded_list(sender.texts(), messages_width))
        lines.push_back(dot::small("at the start: " + dot::escape(line)));
  const bool is_unread = channel.readers.empty() && !channel.is_sink;
  if (is_unread) lines.push_back(dot::in_colour("nobody reads it", dot::error_colour));
  if (use.senders.empty()) lines.push_back(dot::in_colour("nobody sends", dot::error_colour));
  return fmt::format(
      "  c{} [label={}, shape={}, style=filled, fillcolor=\"#f3f3f3\"{}, tooltip={}];\n", c,
      dot::lines(lines), channel.is_sink ? "invhouse" : "box",
      is_unread ? fmt::format(", color=\"{}\"", dot::error_colour) : "",
      dot::quote(channel_title(channel)));
}

// What is sent, and below it what of that nobody receives.
std::string send_edge(const ChannelUse::Sender& sender, ChannelId c) {
  std::vector<std::string> lines = marked_up(sender.texts(true), dot::send_colour);
  for (const std::string& line : marked_up(sender.texts(false), dot::error_colour, "✗ "))
    lines.push_back(line);
  return fmt::format("  p{} -> c{} [label={}, color=\"{}\", tooltip={}];\n", sender.process, c,
                     dot::lines(lines), dot::send_colour,
                     dot::quote(fmt::format("{}", fmt::join(sender.texts(), ", "))));
}

std::string receive_edge(ProcessId reader, const ChannelUse& use, ChannelId c) {
  std::vector<std::string> lines;
  if (use.takes_default) lines.push_back(dot::in_colour("default", dot::receive_colour));
  if (use.has_timeout) lines.push_back(dot::in_colour("timeout", dot::timeout_colour));
  for (const std::string& line : marked_up(use.never_sent, dot::error_colour, "✗ "))
    lines.push_back(line);
  return fmt::format("  c{} -> p{} [color=\"{}\"{}, tooltip=\"received\"];\n", c, reader,
                     dot::receive_colour,
                     lines.empty() ? "" : fmt::format(", label={}", dot::lines(lines)));
}

}  // namespace

std::string show_channels_dot(const Program& program) {
  const Protocol& protocol = program.protocol;
  const std::vector<ChannelUse> uses = channel_uses(program);
  std::string body;
  for (ProcessId p = 0; p < protocol.processes.size(); ++p)
    body += fmt::format("  p{} [label={}, fillcolor=\"{}\", tooltip={}];\n", p,
                        dot::lines({dot::bold(dot::escape(protocol.processes[p].name))}),
                        process_fill, dot::quote("process " + protocol.processes[p].name));
  for (ChannelId c = 0; c < protocol.channels.size(); ++c) {
    body += channel_node(protocol.channels[c], uses[c], c);
    for (const ChannelUse::Sender& sender : uses[c].senders)
      if (sender.process != none) body += send_edge(sender, c);
    for (const ProcessId reader : protocol.channels[c].readers)
      body += receive_edge(reader, uses[c], c);
  }
  return dot::graph(
      "channels", body,
      {{dot::bold("process"), "a process"},
       {"c[2]", "a channel with two slots"},
       {dot::in_colour("m", dot::send_colour), "a message that is sent there"},
       {dot::in_colour("✗ m", dot::error_colour), "sent, but never received; or the reverse"}});
}

}  // namespace panoptes
