// SPDX-License-Identifier: Apache-2.0
#include "search/state_cost.hpp"

#include <limits>

#include "rules/cost_value.hpp"

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

class ExpressionCost final : public StateCost {
 public:
  ExpressionCost(const Program& program, CostExpression expression)
      : program_(program), expression_(std::move(expression)) {}
  void of(const StateBatch& states, std::uint64_t depth,
          Buffer<std::int64_t>& costs) const override {
    costs.resize(states.size());
    for (std::size_t i = 0; i < states.size(); ++i) {
      const Evaluation value = cost_value(program_, expression_, states[i], depth);
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
