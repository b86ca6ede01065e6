// SPDX-License-Identifier: Apache-2.0
// Members of a family that are shown once.
//
// Each member has an automaton of its own, in which the index is a number. Members whose automata
// are the same but for that number are shown as one, with expressions as they were written. They
// may differ: by a number of values that only one channel has, or where states were merged in one
// that are different in another. Then each group of equal ones is shown once, and one that is like
// no other with the names it has.
#pragma once

#include <string>
#include <vector>

#include "report/reception_matrix.hpp"
#include "report/show_content.hpp"

namespace panoptes {

// Processes, or behaviour assertions, with the same automaton.
struct AlikeAutomata {
  std::vector<std::uint32_t> members;  // by number, in order
  std::vector<std::string> names;      // of the members
  // `node[i : 0..3]`, `node[i : 0..3], i = 1, 2`, or the name of the only one
  std::string title;
  const Automaton* automaton = nullptr;  // of the first

  Wording wording() const { return members.size() > 1 ? Wording::written : Wording::resolved; }
};
std::vector<AlikeAutomata> alike_processes(const Program& program);
std::vector<AlikeAutomata> alike_assertions(const Program& program);

// Channels with the same capacity, sort and family of readers, by number.
std::vector<std::vector<ChannelId>> alike_channels(const Program& program);

// A process, or several that are alike in what arrives where, in rows of places or of labels.
struct AlikeMatrices {
  AlikeAutomata processes;
  ReceptionMatrix matrix;  // of the first
  // By column: the channels of the members, and the name they go by, `ring[i]`.
  std::vector<std::vector<ChannelId>> channels;
  std::vector<std::string> channel_names;
};
std::vector<AlikeMatrices> alike_matrices(const Program& program, const Arrivals& arrivals,
                                          RowsBy by);

}  // namespace panoptes
