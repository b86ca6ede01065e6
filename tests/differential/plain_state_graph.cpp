// SPDX-License-Identifier: Apache-2.0
#include "differential/plain_state_graph.hpp"

#include <map>

namespace panoptes::differential {
namespace {

class GraphBuilder : public PlainWatcher {
 public:
  explicit GraphBuilder(const std::vector<PlainAtom>& atoms) : atoms_(atoms) {}

  void begin(const PlainProtocol& protocol) override {
    protocol_ = &protocol;
    for (const PlainProcess& process : protocol.processes) whole.processes.push_back(process.name);
    number(protocol.initial);
  }

  void step(const PlainState& before, const PlainMove& move, const PlainState& after) override {
    PlainStep step{number(after), move.processes};
    for (const PlainEvent& event : move.events)
      for (std::size_t atom = 0; atom < atoms_.size(); ++atom)
        if (atoms_[atom].is_event && atoms_[atom].is_event(*protocol_, event))
          step.events.insert(static_cast<int>(atom));
    whole.has_sequences |= move.is_sequence;
    whole.graph.steps[number(before)].push_back(std::move(step));
  }

  PlainWholeGraph whole;

 private:
  std::size_t number(const PlainState& state) {
    const auto [at, is_new] = numbers_.emplace(state, numbers_.size());
    if (!is_new) return at->second;
    std::set<int> holding;
    for (std::size_t atom = 0; atom < atoms_.size(); ++atom)
      if (atoms_[atom].holds && atoms_[atom].holds(*protocol_, state))
        holding.insert(static_cast<int>(atom));
    whole.graph.atoms.push_back(std::move(holding));
    whole.graph.steps.emplace_back();
    return at->second;
  }

  const std::vector<PlainAtom>& atoms_;
  const PlainProtocol* protocol_ = nullptr;
  std::map<PlainState, std::size_t> numbers_;
};

}  // namespace

PlainAtom invariant_atom(std::size_t number) {
  return {[number](const PlainProtocol& protocol, const PlainState& state) {
    return protocol.holds(protocol.invariants.at(number), state);
  }};
}

PlainAtom event_atom(const std::string& text) {
  return {nullptr, [text](const PlainProtocol& protocol, const PlainEvent& event) {
            return text == protocol.channel(event.channel).name + (event.is_send ? "!" : "?") +
                               protocol.message_names[static_cast<std::size_t>(event.message)];
          }};
}

std::optional<PlainWholeGraph> plain_state_graph(const argos::Model& model,
                                                 const SourceSet& sources,
                                                 const PlainOptions& options,
                                                 const std::vector<PlainAtom>& atoms) {
  GraphBuilder builder(atoms);
  if (!plain_check(model, sources, options, &builder).complete) return {};
  return std::move(builder.whole);
}

}  // namespace panoptes::differential
