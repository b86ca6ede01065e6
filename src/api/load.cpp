// SPDX-License-Identifier: Apache-2.0
#include "api/load.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>

#include "api/front_ends.hpp"
#include "base/options.hpp"
#include "base/parse_value.hpp"
#include "rules/fold.hpp"
#include "rules/narrow.hpp"

namespace panoptes {
namespace {

// The values of --labels that are no names.
constexpr const char* all_labels = "all";
constexpr const char* no_labels = "none";

std::vector<Definition> definitions_of(const Arguments& arguments) {
  std::vector<Definition> result;
  for (const std::string& text : arguments.all("D")) {
    const std::size_t equals = text.find('=');
    if (equals == std::string::npos)
      result.push_back({text, "1"});
    else
      result.push_back({text.substr(0, equals), text.substr(equals + 1)});
  }
  return result;
}

// What --labels names, and `cost`, which may be missing.
AskedNames asked_by(const Arguments& arguments, const ParsedExpression* cost) {
  AskedNames asked;
  if (cost) asked.names = cost->state_names();
  const std::string labels = arguments.get("labels");
  for (const std::string_view name : parts_of(labels, ','))
    if (name == all_labels)
      asked.all_labels = true;
    else if (name != no_labels)
      asked.names.emplace(name);
  return asked;
}

// The same as a value of --labels.
std::string labels_text(const AskedNames& asked) {
  if (asked.all_labels) return all_labels;
  return asked.names.empty() ? no_labels : fmt::format("{}", fmt::join(asked.names, ","));
}

// Every name of --labels is that of some state; complains of the first that is not.
void check_labels(const Arguments& arguments, const Protocol& protocol, Diagnostics& diagnostics) {
  std::vector<std::string> known{all_labels, no_labels};
  for (const Process& process : protocol.processes)
    for (const ControlState& state : process.automaton.states) {
      known.push_back(state.name);
      known.insert(known.end(), state.labels.begin(), state.labels.end());
    }
  const std::string labels = arguments.get("labels");
  for (const std::string_view name : parts_of(labels, ','))
    if (std::ranges::find(known, name) == known.end()) {
      diagnostics.error({}, fmt::format("--labels {}: no process has such a label", name),
                        did_you_mean(name, known));
      return;
    }
}

// The bits of all --fold; false where one names nothing.
bool fold(const Arguments& arguments, const Program& program, Loaded& loaded) {
  for (const std::string& what : arguments.all("fold")) {
    std::string problem;
    const auto bits = folded_bits(program, what, problem);
    if (!bits) {
      loaded.diagnostics.error({}, fmt::format("--fold {}: {}", what, problem));
      return false;
    }
    loaded.folded.resize(bits->size(), 0);
    for (std::size_t i = 0; i < bits->size(); ++i) loaded.folded[i] |= (*bits)[i];
  }
  return true;
}

}  // namespace

Loaded load(const Arguments& arguments, const ReadFile& read_file) {
  Loaded loaded;
  const FrontEnd& front_end = front_end_of(arguments.model);
  const auto model =
      front_end.parse(arguments.model == "-" ? standard_input : arguments.model, read_file,
                      definitions_of(arguments), loaded.sources, loaded.diagnostics);
  BuildOptions options;
  options.default_capacity =
      static_cast<std::uint32_t>(parse_count(arguments.get("capacity")).value_or(2));
  options.minimise = !arguments.has("no-minimise");
  if (const auto slots = parse_count(arguments.get("at-most-slots")))
    options.most_slots = static_cast<std::uint32_t>(*slots);
  std::unique_ptr<ParsedExpression> cost;
  if (arguments.has("cost"))
    cost = front_end.parse_expression("--cost", arguments.get("cost"), loaded.sources,
                                      loaded.diagnostics);
  options.asked = asked_by(arguments, cost.get());
  auto protocol = model->build(options, loaded.sources, loaded.diagnostics);
  if (!protocol) return loaded;
  if (const std::string channels = narrowed_channels(*protocol); !channels.empty())
    loaded.diagnostics.warning({}, fmt::format("--at-most-slots narrows {}", channels));
  loaded.labels = labels_text(options.asked);
  check_labels(arguments, *protocol, loaded.diagnostics);
  if (cost) loaded.cost = cost->resolve(*protocol, loaded.diagnostics);
  if (loaded.diagnostics.has_errors()) return loaded;
  RuleOptions rules;
  if (arguments.get("timeouts") == "lock") rules.timeouts = TimeoutPolicy::lock;
  if (arguments.get("overflow") == "error") rules.overflow = OverflowPolicy::error;
  std::string problem;
  loaded.program = compile_rules(std::move(*protocol), rules, problem);
  if (!loaded.program) loaded.diagnostics.error({}, problem);
  if (loaded.program && !fold(arguments, *loaded.program, loaded)) loaded.program.reset();
  // Whatever was said to be an error, in the model or in an option: nothing is done with it.
  if (loaded.diagnostics.has_errors()) loaded.program.reset();
  return loaded;
}

}  // namespace panoptes
