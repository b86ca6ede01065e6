// SPDX-License-Identifier: Apache-2.0
// Which numbers of a program may be numbers of members: of `node[i : 0..3]` the `i`, wherever it is
// kept, sent, compared or used to choose what belongs to a member.
//
// Idea: everything that has a number is a *site*: a variable, a value of a message, the index of an
// array, of a family of processes, channels, assertions or invariants. Sites between which numbers
// go, or which are compared for equality, are one kind. What is done with a kind beside that is
// noted as a use: a calculation, an order, a range. A kind can be one of member numbers where no
// use can tell members apart. Members of one family have one site for what each of them has.
//
// How it can be wrong: not to anybody's harm. It says what may be; that the program is the same
// with members exchanged is proved by comparing all of it (symmetry.cpp).
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <tuple>
#include <vector>

#include "protocol/cost.hpp"
#include "rules/program.hpp"

namespace panoptes {

// The message that a rule is about: its fields are those of `tag`.
struct MessageAtHand {
  ChannelId channel = none;
  std::uint32_t position = 0;
  std::uint32_t tag = 0;
};

// The number in `node[2]`; nothing where there is none.
std::optional<std::int64_t> number_in(const std::string& name);

class MemberNumbers {
 public:
  using Site = std::uint32_t;

  // `cost`, which may be null, is looked at as predicates of the program are.
  MemberNumbers(const Program& program, const CostExpression* cost);

  // Sites that are one kind have one answer.
  Site kind(Site site) const;

  Site of_process(ProcessId process) const {
    return processes_[program_.families.process[process]];
  }
  Site of_channel(ChannelId channel) const { return channels_[program_.families.channel[channel]]; }
  Site of_assertion(std::uint32_t assertion) const {
    return assertions_[program_.families.assertion[assertion]];
  }
  Site of_invariant(std::uint32_t invariant) const {
    return invariants_[program_.families.invariant[invariant]];
  }
  // A value of a message. REQUIRES: the message has it.
  Site of_field(ChannelId channel, std::uint32_t tag, std::uint32_t field) const;
  // Of a field whose message is not known: that of every message which has it, if they are one
  // kind or none of them satisfies `matters`; nothing else.
  template <typename Matters>
  std::optional<Site> of_field(const ExpressionNode& field, const MessageAtHand& at_hand,
                               Matters matters) const;

  // What a variable is to its process, the same for all members; an array is one.
  struct Role {
    Site value = none;
    Site index = none;  // of an array
  };
  std::uint32_t role_of(VariableId variable) const { return variable_roles_[variable]; }
  const Role& role(std::uint32_t number) const { return roles_[number]; }
  // Which of them: the number of the process, if it is a member's; the element of an array, or 0.
  std::int64_t element_of(VariableId variable) const {
    return program_.protocol.variables[variable].element;
  }

  // By name; 0 of what is no member.
  std::int64_t number_of_process(ProcessId process) const { return process_numbers_[process]; }
  std::int64_t number_of_channel(ChannelId channel) const { return channel_numbers_[channel]; }
  std::int64_t number_of_assertion(std::uint32_t a) const { return assertion_numbers_[a]; }
  std::int64_t number_of_invariant(std::uint32_t i) const { return invariant_numbers_[i]; }

  // Why numbers low..high of that kind can be told apart, and where; nothing where they cannot.
  struct Use {
    Site site = none;
    Place place;
    std::string what;  // is done with it
    Op op = Op::constant;
    std::int64_t low = 0, high = 0;  // a constant it is compared with, or a range
    std::vector<bool> set = {};
  };
  const Use* what_tells_apart(Site kind, std::int64_t low, std::int64_t high) const;

 private:
  // The number an expression gives.
  struct Result {
    Site site = none;
    bool is_constant = false;
    std::int64_t value = 0;
  };

  Site add() {
    parents_.push_back(static_cast<Site>(parents_.size()));
    return parents_.back();
  }
  void unite(Site one, Site other) { parents_[kind(one)] = kind(other); }
  void add_sites();
  void add_variables();
  void add_fields();
  void look_at_rules();
  void look_at(const Rule& rule, RuleId id);
  void look_at_receptions();
  void look_at_rows();
  Result look_at(ExpressionId id);
  bool lies_in(ExpressionId id, const Interval& range) const;
  Result look_at_pair(const ExpressionNode& node);
  void look_at_condition(ExpressionId id) { ask_truth(look_at(id)); }
  void come_together(const Result& one, const Result& other);
  void give(Site site, const Result& value);
  void ask_truth(const Result& value);
  void compare(Op op, const Result& left, const Result& right);
  void note(Site site, std::string what, Op op = Op::constant, std::int64_t low = 0,
            std::int64_t high = 0);
  std::vector<Site> sites_of(const ExpressionNode& field) const;

  const Program& program_;
  mutable std::vector<Site> parents_;
  std::vector<Site> processes_, channels_, assertions_, invariants_;  // by first member
  std::vector<std::int64_t> process_numbers_, channel_numbers_, assertion_numbers_,
      invariant_numbers_;
  std::vector<std::uint32_t> variable_roles_;
  std::vector<Role> roles_;
  std::map<std::tuple<ChannelId, std::string, std::size_t>, std::vector<Site>> fields_;
  std::vector<Use> uses_;
  // Of what is looked at:
  const Expressions* pool_ = nullptr;
  bool is_row_ = false;
  Place place_;
  MessageAtHand at_hand_;
  std::map<ExpressionId, Result> known_;
};

template <typename Matters>
std::optional<MemberNumbers::Site> MemberNumbers::of_field(const ExpressionNode& field,
                                                           const MessageAtHand& at_hand,
                                                           Matters matters) const {
  if (field.a == at_hand.channel && field.value == at_hand.position && at_hand.tag > 0) {
    const MessageType& type = program_.protocol.channels[field.a].sort[at_hand.tag - 1];
    if (field.b < type.values.size()) return of_field(field.a, at_hand.tag, field.b);
  }
  const std::vector<Site> sites = sites_of(field);
  if (sites.empty()) return none;
  bool is_one = true, any_matters = false;
  for (const Site site : sites) {
    is_one = is_one && kind(site) == kind(sites.front());
    any_matters = any_matters || matters(kind(site));
  }
  if (!is_one && any_matters) return {};
  return sites.front();
}

}  // namespace panoptes
