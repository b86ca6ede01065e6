// SPDX-License-Identifier: Apache-2.0
#include "rules/cost_value.hpp"

namespace panoptes {
namespace {

// The state a cost is computed in.
struct Environment {
  const Program& program;
  StateView state;
  std::uint64_t depth;

  std::int64_t variable(VariableId v) const {
    if (v == CostExpression::depth) return static_cast<std::int64_t>(depth);
    return read(program.layout.variables[v], state);
  }
  std::int64_t part(Op op, std::uint32_t id) const {
    return read((op == Op::control ? program.layout.control : program.layout.assertions)[id],
                state);
  }
  const ChannelLayout& channel(ChannelId c) const { return program.layout.channels[c]; }
  std::int64_t length(ChannelId c) const { return panoptes::length(channel(c), state); }
  std::int64_t full(ChannelId c) const { return is_full(channel(c), state); }
  std::int64_t empty(ChannelId c) const { return head_tag(channel(c), state) == 0; }
  std::int64_t field(ChannelId c, std::uint32_t index, std::uint32_t position) const {
    return value_at(channel(c), position, index, state);
  }
  std::int64_t tag(ChannelId c, std::uint32_t position) const {
    return tag_at(channel(c), position, state);
  }
};

}  // namespace

Evaluation cost_value(const Program& program, const CostExpression& cost, StateView state,
                      std::uint64_t depth) {
  return evaluate(cost.pool, cost.root, Environment{program, state, depth});
}

}  // namespace panoptes
