// SPDX-License-Identifier: Apache-2.0
#include "app/load.hpp"

#include <fmt/format.h>

#include "app/memory.hpp"
#include "app/system.hpp"
#include "base/options.hpp"
#include "lang/argos/parse.hpp"
#include "protocol/build.hpp"
#include "protocol/cost.hpp"
#include "rules/fold.hpp"
#include "rules/narrow.hpp"

namespace panoptes {
namespace {

// What complaints call a text that has no file. It has no folder either, so what it includes is
// looked for in the one the program was started in.
constexpr const char* standard_input = "<standard input>";

std::vector<argos::Definition> definitions_of(const Arguments& arguments) {
  std::vector<argos::Definition> result;
  for (const std::string& text : arguments.all("D")) {
    const std::size_t equals = text.find('=');
    if (equals == std::string::npos)
      result.push_back({text, "1"});
    else
      result.push_back({text.substr(0, equals), text.substr(equals + 1)});
  }
  return result;
}

// The cost of --cost; complaints about it go to `loaded`.
std::optional<CostExpression> cost_of(const Arguments& arguments, const Protocol& protocol,
                                      Loaded& loaded) {
  const argos::ExpressionPtr expression =
      argos::parse_cost("--cost", arguments.get("cost"), loaded.sources, loaded.diagnostics);
  if (!expression) return {};
  return resolve_cost(*expression, protocol, loaded.diagnostics);
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

Loaded load(const Arguments& arguments) {
  std::vector<FileStamp> files;
  std::string problem;  // of the model itself
  Loaded loaded = load(arguments, [&](const std::string& path) {
    const std::string real = path == standard_input ? "/dev/stdin" : path;
    files.push_back(stamp_of(real));
    auto text = read_file(real, argos::Limits::file_bytes);
    if (!text && files.size() == 1) problem = cannot_read(real);
    return text;
  });
  if (!problem.empty()) {
    loaded.diagnostics = {};
    loaded.diagnostics.error({}, problem);
  }
  loaded.files = std::move(files);
  return loaded;
}

Loaded load(const Arguments& arguments, const argos::ReadFile& read_file) {
  const LoadCeiling ceiling(arguments);
  Loaded loaded;
  const argos::Model model =
      argos::parse(arguments.model == "-" ? standard_input : arguments.model, read_file,
                   definitions_of(arguments), loaded.sources, loaded.diagnostics);
  BuildOptions options;
  options.default_capacity =
      static_cast<std::uint32_t>(parse_count(arguments.get("capacity")).value_or(2));
  options.minimise = !arguments.has("no-minimise");
  if (const auto slots = parse_count(arguments.get("at-most-slots")))
    options.most_slots = static_cast<std::uint32_t>(*slots);
  auto protocol = build_protocol(model, options, loaded.sources, loaded.diagnostics);
  if (!protocol) return loaded;
  if (const std::string channels = narrowed_channels(*protocol); !channels.empty())
    loaded.diagnostics.warning({}, fmt::format("--at-most-slots narrows {}", channels));
  if (arguments.has("cost")) {
    loaded.cost = cost_of(arguments, *protocol, loaded);
    if (!loaded.cost) return loaded;
  }
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
