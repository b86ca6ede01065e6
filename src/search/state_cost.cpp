// SPDX-License-Identifier: Apache-2.0
#include "search/state_cost.hpp"

#include <limits>

namespace panoptes {
namespace {

std::int64_t messages_in_transit(const Program& program, StateView state) {
  std::int64_t count = 0;
  for (const ChannelLayout& channel : program.layout.channels) count += length(channel, state);
  return count;
}

class TransitCost final : public StateCost {
 public:
  explicit TransitCost(const Program& program) : program_(program) {}
  void of(const StateBatch& states, std::uint64_t, Buffer<std::int64_t>& costs) const override {
    costs.resize(states.size());
    for (std::size_t i = 0; i < states.size(); ++i)
      costs[i] = -messages_in_transit(program_, states[i]);
  }

 private:
  const Program& program_;
};

class ScatterCost final : public StateCost {
 public:
  explicit ScatterCost(const Program& program) : program_(program) {
    for (const auto& states : program.control) {
      auto& active = active_.emplace_back();
      for (const ControlInfo& info : states)
        active.push_back(!info.receives_only && !info.is_end ? 1 : 0);
    }
  }
  void of(const StateBatch& states, std::uint64_t, Buffer<std::int64_t>& costs) const override {
    costs.resize(states.size());
    for (std::size_t i = 0; i < states.size(); ++i) {
      std::int64_t cost = messages_in_transit(program_, states[i]);
      for (ProcessId p = 0; p < active_.size(); ++p)
        cost += active_[p][static_cast<StateId>(read(program_.layout.control[p], states[i]))];
      costs[i] = cost;
    }
  }

 private:
  const Program& program_;
  std::vector<std::vector<std::uint8_t>> active_;  // 1: could do something else than wait for input
};

// The state a cost is computed in; names beyond the variables are those of CostExpression.
struct Environment {
  const Program& program;
  const CostExpression& cost;
  StateView state;
  std::uint64_t depth;

  std::int64_t variable(VariableId v) const {
    const std::size_t declared = program.layout.variables.size();
    if (v < declared) return read(program.layout.variables[v], state);
    if (v == CostExpression::depth) return static_cast<std::int64_t>(depth);
    const CostExpression::Location& at = cost.locations[v - declared];
    return at.states[static_cast<std::size_t>(read(program.layout.control[at.process], state))];
  }
  const ChannelLayout& channel(ChannelId c) const { return program.layout.channels[c]; }
  std::int64_t length(ChannelId c) const { return panoptes::length(channel(c), state); }
  std::int64_t full(ChannelId c) const { return is_full(channel(c), state); }
  std::int64_t empty(ChannelId c) const { return head_tag(channel(c), state) == 0; }
  std::int64_t field(ChannelId, std::uint32_t) const { return 0; }
};

class ExpressionCost final : public StateCost {
 public:
  ExpressionCost(const Program& program, CostExpression expression)
      : program_(program), expression_(std::move(expression)) {}
  void of(const StateBatch& states, std::uint64_t depth,
          Buffer<std::int64_t>& costs) const override {
    costs.resize(states.size());
    for (std::size_t i = 0; i < states.size(); ++i) {
      const Evaluation value = evaluate(expression_.pool, expression_.root,
                                        Environment{program_, expression_, states[i], depth});
      costs[i] =
          value.fault == Fault::absent ? value.value : std::numeric_limits<std::int64_t>::max();
    }
  }

 private:
  const Program& program_;
  CostExpression expression_;
};

}  // namespace

std::unique_ptr<StateCost> transit_cost(const Program& program) {
  return std::make_unique<TransitCost>(program);
}

std::unique_ptr<StateCost> scatter_cost(const Program& program) {
  return std::make_unique<ScatterCost>(program);
}

std::unique_ptr<StateCost> expression_cost(const Program& program, CostExpression expression) {
  return std::make_unique<ExpressionCost>(program, std::move(expression));
}

}  // namespace panoptes
