// SPDX-License-Identifier: Apache-2.0
#include "argos/cost.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "argos/hints.hpp"
#include "argos/names.hpp"

namespace panoptes {
namespace {

class CostResolver {
 public:
  CostResolver(const Protocol& protocol, Diagnostics& diagnostics)
      : protocol_(protocol), diagnostics_(diagnostics) {}

  std::optional<CostExpression> run(const argos::Expression& expression) {
    const auto root = resolve(expression);
    if (!root) return {};
    result_.root = *root;
    return std::move(result_);
  }

 private:
  using Id = std::optional<ExpressionId>;

  Id resolve(const argos::Expression& e) {
    Expressions& pool = result_.pool;
    if (const auto* number = std::get_if<argos::Number>(&e.node))
      return pool.constant(number->value);
    if (const auto* use = std::get_if<argos::NameUse>(&e.node)) return name(use->text, e.place);
    if (const auto* question = std::get_if<argos::AskChannel>(&e.node)) return ask(*question);
    if (const auto* unary = std::get_if<argos::Unary>(&e.node)) {
      const Id operand = resolve(*unary->operand);
      return operand ? Id(pool.unary(to_op(unary->operation), *operand)) : Id();
    }
    const auto& binary = std::get<argos::Binary>(e.node);
    const Id left = resolve(*binary.left), right = resolve(*binary.right);
    if (!left || !right) return {};
    return pool.binary(to_op(binary.operation), *left, *right);
  }

  // `retries`, `sender.retries`, `sender@wait`, `depth`.
  Id name(const std::string& text, Place place) {
    if (const std::size_t at = text.find('@'); at != std::string::npos)
      return location(text.substr(0, at), text.substr(at + 1), place);
    std::vector<VariableId> meant;
    std::vector<std::string> names{"depth"};
    for (const NamedConstant& constant : protocol_.constants) {
      if (constant.name == text) return result_.pool.constant(constant.value);
      names.push_back(constant.name);
    }
    for (VariableId v = 0; v < protocol_.variables.size(); ++v) {
      const Variable& variable = protocol_.variables[v];
      names.push_back(qualified(variable));
      // A shared variable hides those of processes.
      if (names.back() == text) return result_.pool.variable(v);
      if (variable.name == text) meant.push_back(v);
    }
    if (meant.size() == 1) return result_.pool.variable(meant.front());
    if (meant.size() > 1) {
      diagnostics_.error(
          place, fmt::format("several processes have a variable `{}`", text),
          fmt::format("name one: `{}` or `{}`", qualified(protocol_.variables[meant[0]]),
                      qualified(protocol_.variables[meant[1]])));
      return {};
    }
    if (text == "true" || text == "false") return result_.pool.constant(text == "true");
    if (text == "depth") return result_.pool.variable(CostExpression::depth);
    std::string suggestion = argos::value_hint(text);
    if (suggestion.empty()) suggestion = did_you_mean(text, names);
    if (suggestion.empty())
      suggestion = "an expression may name variables, `process@label`, `len(channel)` and `depth`";
    diagnostics_.error(place, fmt::format("no variable is called `{}`", text), suggestion);
    return {};
  }

  std::string qualified(const Variable& variable) const {
    if (variable.process == none) return variable.name;
    return fmt::format("{}.{}", protocol_.processes[variable.process].name, variable.name);
  }

  Id location(const std::string& process, const std::string& label, Place place) {
    std::vector<std::string> names;
    for (ProcessId p = 0; p < protocol_.processes.size(); ++p) {
      names.push_back(protocol_.processes[p].name);
      if (names.back() == process) return location(p, label, place);
    }
    diagnostics_.error(place, fmt::format("no process is called `{}`", process),
                       did_you_mean(process, names));
    return {};
  }

  Id location(ProcessId process, const std::string& label, Place place) {
    CostExpression::Location location{process, {}};
    std::vector<std::string> names;
    for (const ControlState& state : protocol_.processes[process].automaton.states) {
      names.push_back(state.name);
      names.insert(names.end(), state.labels.begin(), state.labels.end());
      const bool is_here =
          std::find(state.labels.begin(), state.labels.end(), label) != state.labels.end() ||
          fmt::format("|{}|", state.name).find(fmt::format("|{}|", label)) != std::string::npos;
      location.states.push_back(is_here);
      if (!is_here || state.name.find('|') == std::string::npos) continue;
      diagnostics_.error(place,
                         fmt::format("`{}` is not told apart from others: {}", label, state.name),
                         fmt::format("--labels {} keeps it apart", label));
      return {};
    }
    if (std::find(location.states.begin(), location.states.end(), true) == location.states.end()) {
      diagnostics_.error(place,
                         fmt::format("process `{}` has no state called `{}`",
                                     protocol_.processes[process].name, label),
                         did_you_mean(label, names));
      return {};
    }
    const auto number = protocol_.variables.size() + result_.locations.size();
    result_.locations.push_back(std::move(location));
    return result_.pool.variable(static_cast<VariableId>(number));
  }

  // A member of a family has a constant index: there is no process whose variables it could use.
  Id ask(const argos::AskChannel& question) {
    std::string wanted = question.channel.name.text;
    if (question.channel.index) {
      const Id index = resolve(*question.channel.index);
      if (!index) return {};
      if (!result_.pool.is_constant(*index)) {
        diagnostics_.error(question.channel.index->place, "an index must be constant here");
        return {};
      }
      wanted = fmt::format("{}[{}]", wanted, result_.pool[*index].value);
    }
    std::vector<std::string> names;
    for (ChannelId c = 0; c < protocol_.channels.size(); ++c) {
      names.push_back(protocol_.channels[c].name);
      if (names.back() == wanted) return result_.pool.ask(to_op(question.question), c);
    }
    diagnostics_.error(question.channel.place, fmt::format("no channel is called `{}`", wanted),
                       did_you_mean(wanted, names));
    return {};
  }

  const Protocol& protocol_;
  Diagnostics& diagnostics_;
  CostExpression result_;
};

void add_asked_names(const argos::Expression& e, std::set<std::string>& names) {
  if (const auto* use = std::get_if<argos::NameUse>(&e.node)) {
    if (const std::size_t at = use->text.find('@'); at != std::string::npos)
      names.insert(use->text.substr(at + 1));
  } else if (const auto* unary = std::get_if<argos::Unary>(&e.node)) {
    add_asked_names(*unary->operand, names);
  } else if (const auto* binary = std::get_if<argos::Binary>(&e.node)) {
    add_asked_names(*binary->left, names);
    add_asked_names(*binary->right, names);
  }
}

}  // namespace

std::set<std::string> asked_names(const argos::Expression& expression) {
  std::set<std::string> names;
  add_asked_names(expression, names);
  return names;
}

std::optional<CostExpression> resolve_cost(const argos::Expression& expression,
                                           const Protocol& protocol, Diagnostics& diagnostics) {
  return CostResolver(protocol, diagnostics).run(expression);
}

}  // namespace panoptes
