// SPDX-License-Identifier: Apache-2.0
#include "report/alike_automata.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <map>

#include "base/display.hpp"

namespace panoptes {
namespace {

// `2` of `node[2]`.
std::string index_of(const std::string& member) {
  const std::size_t open = member.find('[');
  return open == std::string::npos ? "" : member.substr(open + 1, member.size() - open - 2);
}

// Everything that is shown of an automaton, as written: equal for members that are alike.
std::string signature(const Program& program, const Automaton& automaton) {
  std::string out = fmt::format("{} {} {} {}\n", automaton.raw_size, automaton.transit_free_size,
                                automaton.initial, automaton.end);
  for (const ControlState& state : automaton.states) {
    out += fmt::format("{} {} {}{}{} {}", state.name, fmt::join(state.labels, " "), state.is_end,
                       state.may_stop, state.is_labelled, fmt::join(state.merged, " "));
    for (const Transition& t : state.transitions)
      out += fmt::format("\n{} {} {}", static_cast<int>(t.kind),
                         action_text(program, t, Wording::written), t.target);
    for (const std::string& open : not_accepted(program, state, Wording::written))
      out += "\n" + open;
    out += "\n";
  }
  return out;
}

template <typename Declared>
std::string title_of(const std::vector<Declared>& all, std::uint32_t family, std::size_t size,
                     const AlikeAutomata& alike) {
  if (alike.members.size() == 1) return alike.names[0];
  const Declared& first = all[family];
  std::string title = fmt::format("{}[{} : {}..{}]", family_name(first.name), first.index,
                                  index_of(first.name), index_of(all[family + size - 1].name));
  if (alike.members.size() == size) return title;
  std::vector<std::string> indices;
  for (const std::string& name : alike.names) indices.push_back(index_of(name));
  return fmt::format("{}, {} = {}", title, first.index, few_of(indices));
}

// Those for which `key` is equal, within each family, in the order of the first of each.
template <typename Declared, typename Key>
std::vector<AlikeAutomata> alike(const std::vector<Declared>& all,
                                 const std::vector<std::uint32_t>& families, const Key& key) {
  std::vector<AlikeAutomata> result;
  for (std::uint32_t first = 0, end = 0; first < all.size(); first = end) {
    while (end < all.size() && families[end] == first) ++end;
    const std::size_t before = result.size();
    std::map<std::string, std::size_t> known;
    for (std::uint32_t i = first; i < end; ++i) {
      const auto [found, fresh] =
          known.try_emplace(end - first > 1 ? key(i) : std::string(), result.size());
      if (fresh) result.push_back({{}, {}, {}, &all[i].automaton});
      result[found->second].members.push_back(i);
      result[found->second].names.push_back(all[i].name);
    }
    for (std::size_t g = before; g < result.size(); ++g)
      result[g].title = title_of(all, first, end - first, result[g]);
  }
  return result;
}

// What is shown of a matrix, but for the names of channels.
std::string signature(const ReceptionMatrix& matrix, const Families& families) {
  std::string out;
  for (const ReceptionMatrix::Column& column : matrix.columns)
    out += fmt::format("{} {} {}\n", families.channel[column.channel], column.message,
                       column.tags.empty());
  for (const ReceptionMatrix::Row& row : matrix.rows) {
    out += fmt::format("{}:", row.is_reached);
    for (const ReceptionMatrix::Cell& cell : row.cells)
      out += fmt::format(" {}{}{}{} {}", static_cast<int>(cell.acceptance), cell.by_default,
                         cell.is_seen, cell.hole ? static_cast<int>(*cell.hole) : -1,
                         fmt::join(cell.targets, ","));
    out += "\n";
  }
  return out;
}

// The name under which alike processes read the channel of a column: `ring[i]` where each reads the
// one with its own index, else as a receive has it.
std::string name_of_channels(const Program& program, const AlikeAutomata& alike,
                             const std::vector<ChannelId>& channels) {
  const auto& all = program.protocol.channels;
  const std::string& first = all[channels[0]].name;
  if (alike.members.size() == 1) return first;
  const bool are_own = std::equal(channels.begin(), channels.end(), alike.names.begin(),
                                  [&](ChannelId c, const std::string& name) {
                                    return index_of(all[c].name) == index_of(name);
                                  });
  if (are_own)
    return fmt::format("{}[{}]", family_name(first),
                       program.protocol.processes[alike.members[0]].index);
  for (const ControlState& state : alike.automaton->states)
    for (const Transition& t : state.transitions)
      if (is_receive(t.kind) && t.channel == channels[0]) return written_channel(program, t);
  return family_name(first);
}

}  // namespace

std::vector<AlikeAutomata> alike_processes(const Program& program) {
  const auto& all = program.protocol.processes;
  return alike(all, program.families.process,
               [&](std::uint32_t p) { return signature(program, all[p].automaton); });
}

std::vector<AlikeAutomata> alike_assertions(const Program& program) {
  const auto& all = program.protocol.assertions;
  return alike(all, program.families.assertion, [&](std::uint32_t a) {
    return fmt::format("{}\n{}", all[a].next.size(), signature(program, all[a].automaton));
  });
}

std::vector<std::vector<ChannelId>> alike_channels(const Program& program) {
  std::vector<std::vector<ChannelId>> result;
  std::map<std::string, std::size_t> known;
  for (ChannelId c = 0; c < program.protocol.channels.size(); ++c) {
    const Channel& channel = program.protocol.channels[c];
    std::string key =
        fmt::format("{} {} {}", program.families.channel[c], channel.capacity, channel.is_sink);
    for (const ProcessId p : channel.readers)
      key += fmt::format(" {}", program.families.process[p]);
    key += " |";
    for (const MessageType& type : channel.sort) key += " " + message_name(type);
    const auto [found, fresh] = known.try_emplace(key, result.size());
    if (fresh) result.emplace_back();
    result[found->second].push_back(c);
  }
  return result;
}

std::vector<AlikeMatrices> alike_matrices(const Program& program, const Arrivals& arrivals,
                                          RowsBy by) {
  const auto& all = program.protocol.processes;
  const std::vector<Traffic> traffic = collect_traffic(program.protocol);
  std::vector<ReceptionMatrix> matrices;
  for (ProcessId p = 0; p < all.size(); ++p)
    matrices.push_back(reception_matrix(program, p, traffic, arrivals, by));
  std::vector<AlikeMatrices> result;
  for (AlikeAutomata& processes : alike(all, program.families.process, [&](std::uint32_t p) {
         return signature(program, all[p].automaton) + signature(matrices[p], program.families);
       })) {
    AlikeMatrices& added = result.emplace_back();
    for (std::size_t column = 0; column < matrices[processes.members[0]].columns.size(); ++column) {
      auto& channels = added.channels.emplace_back();
      for (const ProcessId p : processes.members)
        channels.push_back(matrices[p].columns[column].channel);
      added.channel_names.push_back(name_of_channels(program, processes, channels));
    }
    added.matrix = std::move(matrices[processes.members[0]]);
    added.processes = std::move(processes);
  }
  return result;
}

}  // namespace panoptes
