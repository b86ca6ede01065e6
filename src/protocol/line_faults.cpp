// SPDX-License-Identifier: Apache-2.0
#include "protocol/line_faults.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "base/parts.hpp"

namespace panoptes {
namespace {

constexpr std::pair<std::string_view, LineFault> words[] = {
    {"lossy", LineFault::lossy},
    {"duplicating", LineFault::duplicating},
    {"reordering", LineFault::reordering},
};

// Of that name, or a member of a family of that name.
bool is_called(const Channel& channel, const std::string& name) {
  return channel.name == name || channel.name.substr(0, channel.name.find('[')) == name;
}

}  // namespace

std::optional<LineFaults> read_line_faults(std::string_view text, std::string& problem) {
  LineFaults faults;
  if (text == "declared") return faults;
  faults.as_declared = false;
  if (text == "none") return faults;
  for (const std::string_view part : parts_of(text, ',')) {
    const std::string_view word = part.substr(0, part.find(':'));
    const auto found =
        std::ranges::find(words, word, [](const auto& entry) { return entry.first; });
    if (found == std::end(words)) {
      problem =
          fmt::format("wanted declared, none, lossy, duplicating or reordering, found `{}`", word);
      return {};
    }
    const std::string_view channel = part.substr(std::min(word.size() + 1, part.size()));
    if (channel.empty() && word.size() < part.size()) {
      problem = fmt::format("the name of a channel is missing behind `{}`", part);
      return {};
    }
    faults.given.push_back({found->second, std::string(channel)});
  }
  if (faults.given.empty()) {
    problem = "wanted declared, none, lossy, duplicating or reordering, found nothing";
    return {};
  }
  return faults;
}

void set_line(const LineFaults& faults, Channel& channel) {
  if (faults.as_declared || channel.capacity == 0) return;
  channel.is_lossy = channel.is_duplicating = channel.is_reordering = false;
  for (const LineFaults::Given& given : faults.given) {
    if (!given.channel.empty() && !is_called(channel, given.channel)) continue;
    switch (given.fault) {
      case LineFault::lossy: channel.is_lossy = true; break;
      case LineFault::duplicating: channel.is_duplicating = true; break;
      case LineFault::reordering: channel.is_reordering = true; break;
    }
  }
}

void check_line_faults(const LineFaults& faults, const Protocol& protocol,
                       Diagnostics& diagnostics) {
  for (const LineFaults::Given& given : faults.given) {
    if (given.channel.empty()) continue;
    std::vector<std::string> names;
    bool is_sink = false, is_there = false;
    for (const Channel& channel : protocol.channels) {
      names.push_back(channel.name);
      if (!is_called(channel, given.channel)) continue;
      is_there = true;
      is_sink = channel.is_sink;
    }
    if (is_there && !is_sink) continue;
    if (is_sink)
      diagnostics.error({},
                        fmt::format("--faults: `{}` is a sink, and holds nothing", given.channel));
    else
      diagnostics.error({}, fmt::format("--faults: no channel is called `{}`", given.channel),
                        did_you_mean(given.channel, names));
    return;
  }
}

}  // namespace panoptes
