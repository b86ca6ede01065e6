// SPDX-License-Identifier: Apache-2.0
#include "search/arranged_steps.hpp"

#include <algorithm>
#include <utility>

namespace panoptes {

ArrangedSteps::ArrangedSteps(const Program& program, const Symmetry& symmetry)
    : arranger_(program, symmetry), exchanged_(symmetry.exchanged_rules) {}

void ArrangedSteps::exchange(const std::vector<RuleId>& image, Buffer<RuleId>& rules) const {
  for (RuleId& rule : rules) rule = image[rule];
}

void ArrangedSteps::arrange(StateView state, std::span<const RuleId> rules,
                            Scratch& scratch) const {
  scratch.state.resize(state.size());
  arranger_.arrange(state, scratch.state, scratch.arranging);
  Buffer<RuleId>& arranged = scratch.rules;
  arranged.assign(rules.begin(), rules.end());
  const auto places = scratch.arranging.places();
  std::size_t first = 0, next = 0;  // member of a group, and its exchange
  for (const MemberGroup& group : arranger_.groups()) {
    const std::size_t size = group.size();
    if (group.is_ring) {
      for (std::uint32_t i = 0; i < places[first]; ++i) exchange(exchanged_[next], arranged);
      next += 1;
    } else {
      // Who is behind somebody who goes further changes places with him.
      scratch.order.assign(places.begin() + static_cast<std::ptrdiff_t>(first),
                           places.begin() + static_cast<std::ptrdiff_t>(first + size));
      for (std::size_t i = 1; i < size; ++i)
        for (std::size_t k = i; k > 0 && scratch.order[k] < scratch.order[k - 1]; --k) {
          std::swap(scratch.order[k], scratch.order[k - 1]);
          exchange(exchanged_[next + k - 1], arranged);
        }
      next += size - 1;
    }
    first += size;
  }
  scratch.sorted.clear();
  for (std::uint64_t i = 0; i < arranged.size(); ++i)
    scratch.sorted.push_back(std::uint64_t{arranged[i]} << 32 | i);
  std::sort(scratch.sorted.begin(), scratch.sorted.end());
  scratch.number_of.resize(arranged.size());
  for (std::size_t i = 0; i < arranged.size(); ++i) {
    arranged[i] = static_cast<RuleId>(scratch.sorted[i] >> 32);
    scratch.number_of[i] = static_cast<std::uint32_t>(scratch.sorted[i]);
  }
}

}  // namespace panoptes
