// SPDX-License-Identifier: Apache-2.0
#include "search/step_reduction.hpp"

#include <algorithm>

namespace panoptes {

StepReduction::StepReduction(const Program& program, const Symmetry* symmetry) {
  const bool is_arranged = symmetry && !symmetry->empty();
  if (is_arranged) arranged_.emplace(program, *symmetry);
  for (ProcessId p = 0; p < program.control.size(); ++p) {
    ProcessId first = is_arranged ? 0 : p;
    while (first < p && symmetry->processes[first].role != symmetry->processes[p].role) ++first;
    first_alike_.push_back(first);
  }
}

// Leaves in `scratch.kept` which steps are kept; false where all are.
bool StepReduction::is_reduced(StateView state, const StepsOfState& steps,
                               SelectorScratch& scratch) const {
  const std::size_t count = steps.rules.size();
  scratch.kept.resize(2 * count);
  const std::span<std::uint8_t> here(scratch.kept.data(), count), there(&here[0] + count, count);
  const Choice choice = choose(state, steps, arranged_.has_value(), here);
  if (choice != Choice::unclear) return choice == Choice::some;
  arranged_->arrange(state, steps.rules, scratch.arranged);
  const StepsOfState arranged{scratch.arranged.rules, steps.failed};
  if (choose(scratch.arranged.state, arranged, false, there) == Choice::all) return false;
  for (std::size_t i = 0; i < count; ++i) here[scratch.arranged.number_of[i]] = there[i];
  return true;
}

std::uint64_t StepReduction::select(const StateBatch& batch, SuccessorBatch& successors,
                                    std::uint64_t, SelectorScratch& scratch) const {
  const std::size_t width = successors.states.width;
  std::uint32_t begin = 0, written = 0;
  for (std::size_t i = 0; i + 1 < successors.first.size(); ++i) {
    const std::uint32_t end = successors.first[i + 1], count = end - begin;
    const StepsOfState steps{{successors.rules.data() + begin, count}, successors.failed[i]};
    const bool leaves_out = count > 1 && is_reduced(batch[i], steps, scratch);
    if (!leaves_out && written == begin) {
      begin = written = end;
      continue;
    }
    Word* const words = successors.states.words.data();
    RuleId* const rules = successors.rules.data();
    const auto move = [&](std::uint32_t first, std::uint32_t steps_moved) {
      std::copy_n(words + first * width, steps_moved * width, words + written * width);
      std::copy_n(rules + first, steps_moved, rules + written);
      written += steps_moved;
    };
    if (!leaves_out) {
      move(begin, count);
    } else {
      for (std::uint32_t s = begin; s < end; ++s)
        if (scratch.kept[s - begin] != 0) move(s, 1);
    }
    successors.first[i + 1] = written;
    begin = end;
  }
  successors.states.words.resize(written * width);
  successors.rules.resize(written);
  return 0;
}

}  // namespace panoptes
