// SPDX-License-Identifier: Apache-2.0
#include "search/choose.hpp"

#include <vector>

#include "search/keep_chosen.hpp"

namespace panoptes {
namespace {

using Candidate = SelectorScratch::Candidate;

class Chooser final : public Selector {
 public:
  Chooser(const Program& program, const Choice& choice, const CostExpression* cost)
      : ranking_(program, choice, cost), keep_(choice.keep) {}

  std::uint64_t select(const StateBatch& batch, SuccessorBatch& successors, std::uint64_t depth,
                       SelectorScratch& scratch) const override {
    ranking_.look_at(successors, depth, scratch);
    return keep_chosen(successors, scratch,
                       [&](std::size_t i, std::uint32_t begin, std::uint32_t end) {
                         ranking_.sort(batch[i], successors, begin, end, scratch);
                         if (keep_ > 0) drop(scratch.candidates);
                       });
  }

 private:
  // Keeps the first of each group.
  void drop(Buffer<Candidate>& candidates) const {
    std::uint64_t place = 0;
    std::uint32_t group = 0;
    std::erase_if(candidates, [&](const Candidate& c) {
      place = c.group == group ? place + 1 : 1;
      group = c.group;
      return place > keep_;
    });
  }

  Ranking ranking_;
  std::uint64_t keep_;
};

}  // namespace

std::unique_ptr<Selector> make_selector(const Program& program, const Choice& choice,
                                        const CostExpression* cost) {
  if (choice.preference == Preference::as_written && choice.keep == 0) return nullptr;
  return std::make_unique<Chooser>(program, choice, cost);
}

}  // namespace panoptes
