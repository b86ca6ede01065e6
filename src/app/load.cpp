// SPDX-License-Identifier: Apache-2.0
#include "app/load.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>

#include "app/front_ends.hpp"
#include "app/memory.hpp"
#include "app/system.hpp"
#include "app/trails.hpp"
#include "base/parse_value.hpp"
#include "options/table.hpp"
#include "rules/fold.hpp"
#include "rules/narrow.hpp"

namespace panoptes {
namespace {

// What complaints call a text that has no file. It has no folder either, so what it includes is
// looked for in the one the program was started in.
constexpr const char* standard_input = "<standard input>";

// The values of --labels that are no names.
constexpr const char* all_labels = "all";
constexpr const char* no_labels = "none";

// What --labels names, and `cost`, which may be missing.
AskedNames asked_by(const Arguments& arguments, const ParsedExpression* cost) {
  AskedNames asked;
  if (cost) asked.names = cost->state_names();
  const std::string labels = arguments.get(option::labels);
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
  const std::string labels = arguments.get(option::labels);
  for (const std::string_view name : parts_of(labels, ','))
    if (std::ranges::find(known, name) == known.end()) {
      diagnostics.error({}, fmt::format("--labels {}: no process has such a label", name),
                        did_you_mean(name, known));
      return;
    }
}

// The bits of all --fold; false where one names nothing.
bool fold(const Arguments& arguments, const Program& program, Loaded& loaded) {
  for (const std::string& what : arguments.all(option::fold)) {
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

// What a text is that is no model, and what to do with it; "" where it may be one.
std::string why_no_model(const std::string& path, const std::string& text) {
  const std::size_t begin = text.find_first_not_of(" \t\r\n");
  if (begin == std::string::npos || text[begin] != '{' || path == standard_input) return {};
  const auto trails = read_trail_file(text);
  if (!trails) return {};
  return fmt::format("{} is a trail and no model; this walks it: panoptes replay {} {}", path,
                     as_word(trails->model), as_word(path));
}

}  // namespace

Loaded load(const Arguments& arguments) {
  std::vector<FileStamp> files;
  std::string problem;  // of the model itself
  Loaded loaded = load(arguments, [&](const std::string& path) {
    const std::string real = path == standard_input ? "/dev/stdin" : path;
    files.push_back(stamp_of(real));
    auto text = read_file(real, SourceSet::file_bytes);
    if (files.size() == 1) problem = text ? why_no_model(path, *text) : cannot_read(real);
    return text;
  });
  if (!problem.empty()) {
    loaded.diagnostics = {};
    loaded.program.reset();
    loaded.diagnostics.error({}, problem);
  }
  loaded.files = std::move(files);
  return loaded;
}

Loaded load(const Arguments& arguments, const ReadFile& read_file) {
  const LoadCeiling ceiling(arguments);
  Loaded loaded;
  const FrontEnd& front_end = front_end_of(arguments.model);
  const auto model =
      front_end.parse(arguments.model == "-" ? standard_input : arguments.model, read_file,
                      arguments.all(option::define), loaded.sources, loaded.diagnostics);
  BuildOptions options;
  options.default_capacity = static_cast<std::uint32_t>(*arguments.get(option::capacity));
  options.minimise = !arguments.has(option::no_minimise);
  if (const auto slots = arguments.get(option::at_most_slots))
    options.most_slots = static_cast<std::uint32_t>(*slots);
  std::unique_ptr<ParsedExpression> cost;
  if (arguments.has(option::cost))
    cost = front_end.parse_expression("--cost", arguments.get(option::cost), loaded.sources,
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
  rules.timeouts = arguments.get(option::timeouts);
  rules.overflow = arguments.get(option::overflow);
  std::string problem;
  loaded.program = compile_rules(std::move(*protocol), rules, problem);
  if (!loaded.program) loaded.diagnostics.error({}, problem);
  if (loaded.program && !fold(arguments, *loaded.program, loaded)) loaded.program.reset();
  // Whatever was said to be an error, in the model or in an option: nothing is done with it.
  if (loaded.diagnostics.has_errors()) loaded.program.reset();
  return loaded;
}

}  // namespace panoptes
