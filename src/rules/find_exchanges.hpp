// SPDX-License-Identifier: Apache-2.0
// Which exchanges of a family's members leave a program as it is: guessed from rules side by side,
// proved by comparing all of the program (symmetry.hpp).
#pragma once

#include <map>
#include <optional>
#include <set>
#include <vector>

#include "rules/alignment.hpp"
#include "rules/broadcasts.hpp"
#include "rules/exchanged_terms.hpp"
#include "rules/member_group.hpp"

namespace panoptes {

class ExchangeFinder {
 public:
  ExchangeFinder(const Program& program, const MemberNumbers& numbers, const CostExpression* cost);

  // Adds to `marked` what holds members' numbers of the family whose first member is `family`, so
  // that the program is the same with those exchanged: any two, or all rotated where the group is a
  // ring. Nothing where it is not, and `why`.
  std::optional<MarkedKinds> find(ProcessId family, const MemberGroup& group, std::uint32_t number,
                                  MarkedKinds marked, NotAlike& why);

  // By rule: the first of those that the exchanges found so far turn into each other.
  std::vector<RuleId> same_rules() const;
  // By exchange found so far, in order: what it makes of each rule (symmetry.hpp).
  const std::vector<std::vector<RuleId>>& images() const { return images_; }

 private:
  using Term = ExchangedTerms::Term;
  // All terms of a program, by what they are of.
  struct Table {
    std::vector<Term> rules, broadcasts, control, rows, channels, variables, assertions, cost;
  };
  // What is tried.
  struct Trial {
    const MemberGroup& group;
    MarkedKinds& marked;
    NotAlike& why;
    std::vector<Exchange> exchanges = {};
    bool has_more = false;  // kinds were marked
  };

  Table table();
  void guess(Trial& trial);
  void guess_by_rules(const Exchange& exchange, Trial& trial);
  void guess_by_broadcasts(const Exchange& exchange, Trial& trial);
  void guess_by_rows(const Exchange& exchange, Trial& trial);
  void guess_by_values(const Exchange& exchange, Trial& trial);
  void mark(const std::set<MemberNumbers::Site>& kinds, const Exchange& exchange, Trial& trial);
  bool prove(Trial& trial);
  bool is_same(const Exchange& exchange, Trial& trial);
  bool begins_the_same(const Exchange& exchange, Trial& trial);
  void unite_rules(const Trial& trial);
  void add_images(const Trial& trial);
  bool marked_process(ProcessId process, const Exchange& exchange, const MarkedKinds& marked) const;
  bool holds_the_same(ChannelId channel, const Exchange& exchange, const MarkedKinds& marked) const;

  ProcessId image(ProcessId process, const Exchange& exchange) const;
  VariableId image(VariableId variable, const Exchange& exchange, const MarkedKinds& marked) const;
  std::string describe(MemberNumbers::Site site) const;
  std::string two_members(const Exchange& exchange, const MarkedKinds& marked) const;
  RuleId same_rule(RuleId rule) const;

  const Program& program_;
  const MemberNumbers& numbers_;
  const CostExpression* cost_;
  Broadcasts broadcasts_;
  ExchangedTerms terms_;
  MarkedKinds unmarked_;
  Exchange nothing_;
  Table plain_;  // before any exchange
  std::set<Term> known_rules_, known_rows_, known_broadcasts_;
  std::map<Term, RuleId> rule_of_;  // and of sends of broadcasts
  std::map<std::tuple<std::uint32_t, ProcessId, std::int64_t>, VariableId> variable_at_;
  mutable std::vector<RuleId> same_;
  std::vector<std::vector<RuleId>> images_;
};

}  // namespace panoptes
