// SPDX-License-Identifier: Apache-2.0
// Two parts of a program side by side: are they the same but for numbers that an exchange turns
// into each other, and what holds those numbers?
//
// Idea: a rule of `node[0]` and one of `node[1]` come from one text. Where the one has 0 and the
// other 1, that is the member's own number, and what it is assigned to, compared with or sent as
// holds member numbers. It is only a guess, which is proved or not when all is compared.
#pragma once

#include <set>
#include <utility>

#include "rules/exchanged_terms.hpp"

namespace panoptes {

class Alignment {
 public:
  Alignment(const Program& program, const MemberNumbers& numbers, const MarkedKinds& marked,
            const Exchange& exchange)
      : program_(program), numbers_(numbers), marked_(marked), exchange_(exchange) {}

  // Whether the second is the image of the first if the kinds in differing() are marked, too.
  bool rules(const Rule& one, const Rule& other);
  bool sends(const Rule& one, const Rule& other);  // wherever they stand
  bool rows(const StateError& one, const StateError& other);
  bool values(VariableId one, VariableId other, std::int64_t value, std::int64_t other_value);

  const std::set<MemberNumbers::Site>& differing() const { return differing_; }

 private:
  using Site = MemberNumbers::Site;

  void start(const Rule& rule) {
    differing_.clear();
    known_.clear();
    at_hand_ = {rule.channel, rule.position, rule.tag};
  }
  bool number(Site site, std::int64_t one, std::int64_t other);
  bool process(ProcessId one, ProcessId other);
  bool channel(ChannelId one, ChannelId other);
  bool assertion(std::uint32_t one, std::uint32_t other);
  bool variable(VariableId one, VariableId other);
  bool expression(ExpressionId one, ExpressionId other, Site context = none);
  bool leaves(const ExpressionNode& a, const ExpressionNode& b, Site context);
  bool operands(const ExpressionNode& a, const ExpressionNode& b, Site context);
  bool expressions(const std::vector<ExpressionId>& one, const std::vector<ExpressionId>& other);
  bool assignments(const std::vector<Assignment>& one, const std::vector<Assignment>& other);
  Site site_of(ExpressionId id) const;

  const Program& program_;
  const MemberNumbers& numbers_;
  const MarkedKinds& marked_;
  const Exchange& exchange_;
  std::set<Site> differing_;
  std::set<std::tuple<ExpressionId, ExpressionId, Site>> known_;
  MessageAtHand at_hand_;
};

}  // namespace panoptes
