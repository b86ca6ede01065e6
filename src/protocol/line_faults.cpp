// SPDX-License-Identifier: Apache-2.0
#include "protocol/line_faults.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "base/display.hpp"
#include "base/parts.hpp"

namespace panoptes {
namespace {

constexpr std::pair<std::string_view, LineFault> fault_words[] = {
    {"declared", LineFault::declared},     {"none", LineFault::perfect},
    {"lossy", LineFault::lossy},           {"duplicating", LineFault::duplicating},
    {"reordering", LineFault::reordering},
};

std::string_view word_of(LineFault fault) {
  return std::ranges::find(fault_words, fault, [](const auto& entry) { return entry.second; })
      ->first;
}

std::string family_of(const std::string& channel) { return channel.substr(0, channel.find('[')); }

// How closely a name fits a channel; nothing where it does not.
enum class Fit { everyone, family, exact };
std::optional<Fit> fit(const std::string& name, const Channel& channel) {
  if (name.empty()) return Fit::everyone;
  if (name == channel.name) return Fit::exact;
  if (name == family_of(channel.name)) return Fit::family;
  return {};
}

// Whether a word leaves no room for another one about the same channels.
bool stands_alone(LineFault fault) {
  return fault == LineFault::declared || fault == LineFault::perfect;
}

std::optional<LineFaults::Given> read_part(std::string_view part, std::string& problem,
                                           std::string& suggestion) {
  const std::string_view word = part.substr(0, part.find(':'));
  const auto found =
      std::ranges::find(fault_words, word, [](const auto& entry) { return entry.first; });
  if (found == std::end(fault_words)) {
    problem = fmt::format("wanted declared, none, lossy, duplicating or reordering, found {}",
                          word.empty() ? "nothing" : fmt::format("`{}`", word));
    std::vector<std::string> words;
    for (const auto& entry : fault_words) words.emplace_back(entry.first);
    suggestion = did_you_mean(word, words);
    return {};
  }
  const std::string_view channel = part.substr(std::min(word.size() + 1, part.size()));
  if (channel.empty() && word.size() < part.size()) {
    problem = fmt::format("the name of a channel is missing behind `{}`", part);
    return {};
  }
  return LineFaults::Given{found->second, std::string(channel)};
}

// Complains where there is no line of this name that could do something.
void check_name(const std::string& name, const Protocol& protocol, Diagnostics& diagnostics) {
  std::vector<std::string> names, families;
  for (const Channel& channel : protocol.channels) {
    names.push_back(channel.name);
    if (const std::string family = family_of(channel.name);
        families.empty() || families.back() != family)
      families.push_back(family);
    if (!fit(name, channel)) continue;
    if (channel.is_sink)
      diagnostics.error({}, fmt::format("--faults: `{}` is a sink, and holds nothing", name));
    else if (channel.is_rendezvous())
      diagnostics.error({}, fmt::format("--faults: `{}`: {}", name, no_line_problem),
                        std::string(no_line_suggestion));
    return;
  }
  names.insert(names.end(), families.begin(), families.end());
  const std::string meant = did_you_mean(name, names);
  diagnostics.error({}, fmt::format("--faults: no channel is called `{}`", name),
                    meant.empty() ? fmt::format("there are: {}", few_of(families)) : meant);
}

}  // namespace

std::optional<LineFaults> read_line_faults(std::string_view text, std::string& problem,
                                           std::string& suggestion) {
  LineFaults faults;
  std::vector<std::string_view> parts = parts_of(text, ',');
  if (parts.empty()) parts.emplace_back();
  for (const std::string_view part : parts) {
    auto given = read_part(part, problem, suggestion);
    if (!given) return {};
    for (const LineFaults::Given& other : faults.given) {
      if (other.channel != given->channel || other.fault == given->fault) continue;
      if (!stands_alone(other.fault) && !stands_alone(given->fault)) continue;
      problem = fmt::format(
          "`{}` and `{}` cannot both be so of {}", word_of(other.fault), word_of(given->fault),
          given->channel.empty() ? "all channels" : fmt::format("`{}`", given->channel));
      return {};
    }
    faults.given.push_back(std::move(*given));
  }
  return faults;
}

// From what is said of all to what is said of one: `declared` and `none` forget what came before.
void set_line(const LineFaults& faults, Channel& channel) {
  if (channel.capacity == 0) return;
  const Channel declared = channel;
  bool is_given = false;
  const auto set = [&](bool lossy, bool duplicating, bool reordering) {
    channel.is_lossy = lossy;
    channel.is_duplicating = duplicating;
    channel.is_reordering = reordering;
  };
  for (const Fit level : {Fit::everyone, Fit::family, Fit::exact})
    for (const LineFaults::Given& given : faults.given) {
      if (fit(given.channel, channel) != level) continue;
      if (given.fault == LineFault::declared)
        set(declared.is_lossy, declared.is_duplicating, declared.is_reordering);
      else if (!is_given || given.fault == LineFault::perfect)
        set(false, false, false);
      is_given = given.fault != LineFault::declared;
      channel.is_lossy |= given.fault == LineFault::lossy;
      channel.is_duplicating |= given.fault == LineFault::duplicating;
      channel.is_reordering |= given.fault == LineFault::reordering;
    }
}

void check_line_faults(const LineFaults& faults, const Protocol& protocol,
                       Diagnostics& diagnostics) {
  for (const LineFaults::Given& given : faults.given) {
    if (!given.channel.empty()) check_name(given.channel, protocol, diagnostics);
    if (diagnostics.has_errors()) return;
  }
}

bool are_given(const LineFaults& faults) {
  return std::ranges::any_of(faults.given, [](const LineFaults::Given& given) {
    return given.fault != LineFault::declared;
  });
}

std::string lines_in_words(const Protocol& protocol) {
  std::vector<std::string> texts;
  std::size_t lines = 0;
  for (const Channel& channel : protocol.channels) {
    if (channel.capacity == 0) continue;
    ++lines;
    std::string text = channel.name;
    if (channel.is_lossy) text += " lossy";
    if (channel.is_duplicating) text += " duplicating";
    if (channel.is_reordering) text += " reordering";
    if (text != channel.name) texts.push_back(std::move(text));
  }
  if (texts.empty()) return "all perfect";
  return few_of(texts) + (texts.size() == lines ? "" : ", the others perfect");
}

}  // namespace panoptes
