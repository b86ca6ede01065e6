// SPDX-License-Identifier: Apache-2.0
// Parts of a program with members exchanged, as numbers: equal parts have equal numbers.
//
// Idea: a rule is written down as a term in which members stand by their numbers: that of its
// process, of its channel, of who owns a variable, and of what holds member numbers. With an
// exchange, those of its group are replaced. Terms are interned, so that a table of rules is the
// same after an exchange if it has the same numbers. What may be in any order is sorted: operands
// that can be told to have a value, conditions, assignments, the channels of a broadcast.
//
// How it can be wrong: two terms that differ may mean the same, and members are then not taken for
// alike that are.
#pragma once

#include <cstdint>
#include <map>
#include <span>
#include <unordered_map>
#include <vector>

#include "base/hash.hpp"
#include "protocol/cost.hpp"
#include "rules/broadcasts.hpp"
#include "rules/member_numbers.hpp"

namespace panoptes {

// Another number for each of `low`, `low + 1`, ... of one group.
struct Exchange {
  std::uint32_t group = none;
  std::int64_t low = 0;
  std::vector<std::int64_t> image = {};

  std::int64_t operator()(std::uint32_t of, std::int64_t number) const {
    if (of != group || of == none || number < low ||
        number - low >= static_cast<std::int64_t>(image.size()))
      return number;
    return image[static_cast<std::size_t>(number - low)];
  }
};

// Kinds whose numbers are those of members, and of which group.
class MarkedKinds {
 public:
  explicit MarkedKinds(const MemberNumbers& numbers) : numbers_(&numbers) {}
  void mark(MemberNumbers::Site site, std::uint32_t group) {
    groups_[numbers_->kind(site)] = group;
  }
  std::uint32_t group_of(MemberNumbers::Site site) const {
    if (site == none) return none;
    const auto found = groups_.find(numbers_->kind(site));
    return found == groups_.end() ? none : found->second;
  }

 private:
  const MemberNumbers* numbers_;
  std::map<MemberNumbers::Site, std::uint32_t> groups_;
};

class ExchangedTerms {
 public:
  using Term = std::uint32_t;

  ExchangedTerms(const Program& program, const MemberNumbers& numbers)
      : program_(program), numbers_(numbers) {}

  // All terms from now on are those after this exchange.
  void begin(const MarkedKinds& marked, const Exchange& exchange) {
    marked_ = &marked;
    exchange_ = &exchange;
    is_unclear_ = false;
  }

  Term rule(RuleId id);  // which is no part of a broadcast
  Term broadcast(const Broadcast& cast);
  Term control(ProcessId process, StateId state);
  Term row(const StateError& row);
  Term channel(ChannelId channel);
  Term variable_part(VariableId variable);
  Term assertion(std::uint32_t assertion);
  Term predicate(const Expressions& pool, ExpressionId id);
  // A rule of a broadcast, by itself.
  Term send(RuleId id);

  // Whether some value was met since then that may or may not be a member's number.
  bool is_unclear() const { return is_unclear_; }

 private:
  using Parts = std::vector<std::int64_t>;
  using Site = MemberNumbers::Site;
  struct Hash {
    std::size_t operator()(const Parts& parts) const {
      return hash_bytes(std::as_bytes(std::span(parts)), 0);
    }
  };

  void start(const Expressions& pool, const MessageAtHand& at_hand);
  Term intern(Parts parts);
  std::int64_t number(Site site, std::int64_t value) const {
    return (*exchange_)(marked_->group_of(site), value);
  }
  std::int64_t process(ProcessId process);
  std::int64_t channel_name(ChannelId channel);
  std::int64_t message(ChannelId channel, std::uint32_t tag);
  Term expression(ExpressionId id, Site context = none);
  Term leaf(const ExpressionNode& node, Site context);
  Term variable(VariableId variable);
  Term question(const ExpressionNode& node);
  Term joined(const ExpressionNode& node);
  Term pair(const ExpressionNode& node);
  void flatten(Op op, ExpressionId id, std::vector<ExpressionId>& operands) const;
  Site site_of(ExpressionId id);
  Term list(Parts terms, bool may_sort);
  Term expressions(const std::vector<ExpressionId>& ids);
  Term messages(ChannelId channel, const std::vector<bool>& tags);
  Term values(const Rule& rule);
  Term assignments(const std::vector<Assignment>& all);
  Term assertion_moves(const Rule& rule);
  Term checks(RuleId id);
  bool can_fail(const Rule& rule) const;

  const Program& program_;
  const MemberNumbers& numbers_;
  const MarkedKinds* marked_ = nullptr;
  const Exchange* exchange_ = nullptr;
  std::unordered_map<Parts, Term, Hash> terms_;
  std::map<std::string, std::int64_t> names_;
  bool is_unclear_ = false;
  // Of what is written down:
  const Expressions* pool_ = nullptr;
  MessageAtHand at_hand_;
  std::map<std::pair<ExpressionId, Site>, Term> known_;
};

}  // namespace panoptes
