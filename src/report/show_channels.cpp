// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>

#include "base/display.hpp"
#include "report/show.hpp"
#include "report/show_content.hpp"

namespace panoptes {
namespace {

constexpr std::size_t listed_width = 40;  // a longer list is folded

// A sender and what it can send, in lines of the list.
struct Source {
  std::string name;
  std::vector<std::string> messages;
};

std::string line_of(std::size_t length) {
  std::string out;
  for (std::size_t i = 0; i < length; ++i) out += "─";
  return out;
}

std::vector<Source> sources_of(const Program& program, const ChannelUse& use) {
  std::vector<Source> result;
  for (const ChannelUse::Sender& sender : use.senders)
    result.push_back({sender.process == none ? "(at the start)"
                                             : program.protocol.processes[sender.process].name,
                      folded_list(sender.texts(), listed_width)});
  if (result.empty()) result.push_back({"nobody", {}});
  return result;
}

// "──► link[2] ──► receiver (default, timeout)"
std::string way_on(const Program& program, const Channel& channel, const ChannelUse& use,
                   std::size_t title_width, const TextStyle& style) {
  std::string out = "► " + coloured(channel_title(channel), Colour::heading, style);
  if (channel.is_sink) return out;
  out += " ──" + line_of(title_width - display_width(channel_title(channel))) + "► ";
  if (channel.readers.empty()) return out + coloured("nobody", Colour::bad, style);
  out += program.protocol.reader_names(channel);
  std::vector<std::string> facts;
  if (use.takes_default) facts.emplace_back("default");
  if (use.has_timeout) facts.emplace_back("timeout");
  return facts.empty() ? out : fmt::format("{} ({})", out, fmt::join(facts, ", "));
}

}  // namespace

std::string show_channels(const Program& program, const TextStyle& style) {
  const std::vector<Channel>& channels = program.protocol.channels;
  const std::vector<ChannelUse> uses = channel_uses(program);
  std::size_t name_width = 0, list_width = 0, title_width = 0;
  for (const Channel& channel : channels)
    if (!channel.is_sink)
      title_width = std::max(title_width, display_width(channel_title(channel)));
  for (const ChannelUse& use : uses)
    for (const Source& source : sources_of(program, use)) {
      name_width = std::max(name_width, display_width(source.name));
      for (const std::string& line : source.messages)
        list_width = std::max(list_width, display_width(line));
    }
  std::string out;
  for (ChannelId c = 0; c < channels.size(); ++c) {
    const std::vector<Source> sources = sources_of(program, uses[c]);
    for (std::size_t i = 0; i < sources.size(); ++i) {
      const Source& source = sources[i];
      const bool is_last = i + 1 == sources.size();
      const std::string list = source.messages.empty() ? "" : " " + source.messages.front() + " ";
      out += fmt::format("{}{} ──{}{}", source.name,
                         std::string(name_width - display_width(source.name), ' '), list,
                         line_of(list_width + 4 - display_width(list)));
      if (i == 0)
        out += (is_last ? "──" : "┬─") + way_on(program, channels[c], uses[c], title_width, style);
      else
        out += is_last ? "┘" : "┤";
      out += "\n";
      for (std::size_t l = 1; l < source.messages.size(); ++l) {
        out += std::string(name_width + 4, ' ') + source.messages[l];
        if (!is_last)
          out += std::string(list_width + 3 - display_width(source.messages[l]), ' ') + "│";
        out += "\n";
      }
    }
    const auto note = [&](std::string_view what, const std::vector<std::string>& messages) {
      if (messages.empty()) return;
      const std::string text = fmt::format("{}: {}", what, fmt::join(messages, ", "));
      out += std::string(name_width + 4, ' ') + coloured(text, Colour::bad, style) + "\n";
    };
    note("sent, but never received", uses[c].never_received);
    note("received, but never sent", uses[c].never_sent);
  }
  for (const std::string& process : silent_processes(program))
    out += process + " neither sends nor receives\n";
  return out.empty() ? "no channels\n" : out;
}

}  // namespace panoptes
