// SPDX-License-Identifier: Apache-2.0
#include "load/load.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>

#include "base/parts.hpp"
#include "load/front_ends.hpp"
#include "protocol/fairness.hpp"
#include "protocol/label_properties.hpp"
#include "rules/check_else.hpp"
#include "rules/fold.hpp"
#include "rules/narrow.hpp"

namespace panoptes {
namespace {

// The values of --labels that are no names.
constexpr const char* all_labels = "all";
constexpr const char* no_labels = "none";

// The expressions of a request, read; what is missing or no expression is null.
struct Asked {
  std::unique_ptr<ParsedExpression> cost, reach;
  std::vector<std::unique_ptr<ParsedExpression>> never;
  std::vector<std::unique_ptr<ParsedFormula>> ltl;
};

Asked read_expressions(const FrontEnd& front_end, const ModelRequest& request, Loaded& loaded) {
  const auto read = [&](const char* option, const std::string& text) {
    return front_end.parse_expression(option, text, loaded.sources, loaded.diagnostics);
  };
  Asked asked;
  if (!request.cost.empty()) asked.cost = read("--cost", request.cost);
  if (!request.reach.empty()) asked.reach = read("--reach", request.reach);
  for (const std::string& text : request.never) asked.never.push_back(read("--never", text));
  for (const std::string& text : request.ltl)
    asked.ltl.push_back(front_end.parse_formula("--ltl", text, loaded.sources, loaded.diagnostics));
  return asked;
}

// Adds what --never and --reach say to what the model does.
void add_invariants(const ModelRequest& request, const Asked& asked, Protocol& protocol,
                    Diagnostics& diagnostics) {
  const auto add = [&](const ParsedExpression* expression, std::string text, bool is_question) {
    if (!expression) return;
    const auto condition = expression->resolve_into(protocol, diagnostics);
    if (!condition) return;
    Invariant invariant;
    invariant.name = invariant.text = std::move(text);
    invariant.is_question = is_question;
    invariant.broken = is_question ? *condition : protocol.broken(*condition, true);
    protocol.invariants.push_back(std::move(invariant));
  };
  for (std::size_t i = 0; i < asked.never.size(); ++i)
    add(asked.never[i].get(), fmt::format("never ({})", request.never[i]), false);
  add(asked.reach.get(), request.reach, true);
}

// Adds what labels say that begin with `prefix`, for an option that asks for it.
void add_label_property(PropertyOrigin origin, const char* option, const char* prefix,
                        Protocol& protocol, Diagnostics& diagnostics) {
  bool has_lost = false;
  for (const Process& process : protocol.processes)
    for (const std::string& label : process.automaton.lost_labels) {
      if (!label.starts_with(prefix)) continue;
      diagnostics.warning({}, fmt::format("{}: {} of {} is nowhere a process may be: write a "
                                          "statement before it, if it begins an option",
                                          option, label, process.name));
      has_lost = true;
    }
  if (auto property = label_property(protocol, origin))
    protocol.temporal.push_back(std::move(*property));
  else if (has_lost)
    diagnostics.error({}, fmt::format("{}: no label of a place begins with {}", option, prefix));
  else
    diagnostics.error({}, fmt::format("{}: no label begins with {}: write one before what counts "
                                      "as that",
                                      option, prefix));
}

// Adds what --ltl, --non-progress, --acceptance and --fair say.
void add_temporal(const ModelRequest& request, const Asked& asked, Protocol& protocol,
                  Diagnostics& diagnostics) {
  for (const auto& formula : asked.ltl)
    if (formula)
      if (auto property = formula->resolve_into(protocol, diagnostics))
        protocol.temporal.push_back(std::move(*property));
  if (request.progress)
    add_label_property(PropertyOrigin::progress, "--non-progress", "progress", protocol,
                       diagnostics);
  if (request.acceptance)
    add_label_property(PropertyOrigin::acceptance, "--acceptance", "accept", protocol, diagnostics);
  if (request.fair == "declared") return;
  const bool are_asked = !asked.ltl.empty() || request.progress || request.acceptance;
  if (protocol.temporal.empty() && !are_asked)
    diagnostics.warning({},
                        "--fair says which runs temporal properties are about, and there is "
                        "none: write an ltl or give one with --ltl");
  protocol.fairness = {};
  for (const std::string_view word : parts_of(request.fair, ','))
    if (!add_fairness(word, protocol.fairness))
      diagnostics.error({}, fmt::format("--fair {}: {} is no fairness", request.fair, word),
                        "it is declared, none, weak, strong or lines");
}

// What --labels names, and expressions do.
AskedNames asked_by(const ModelRequest& request, const Asked& expressions) {
  AskedNames asked;
  const auto add = [&](const std::unique_ptr<ParsedExpression>& expression) {
    if (expression) asked.names.merge(expression->state_names());
  };
  add(expressions.cost);
  add(expressions.reach);
  for (const auto& never : expressions.never) add(never);
  for (const auto& formula : expressions.ltl)
    if (formula) asked.names.merge(formula->state_names());
  for (const std::string_view name : parts_of(request.labels, ','))
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
void check_labels(const ModelRequest& request, const Protocol& protocol, Diagnostics& diagnostics) {
  std::vector<std::string> known{all_labels, no_labels};
  for (const Process& process : protocol.processes)
    for (const ControlState& state : process.automaton.states) {
      known.push_back(state.name);
      known.insert(known.end(), state.labels.begin(), state.labels.end());
    }
  for (const std::string_view name : parts_of(request.labels, ','))
    if (std::ranges::find(known, name) == known.end()) {
      diagnostics.error({}, fmt::format("--labels {}: no process has such a label", name),
                        did_you_mean(name, known));
      return;
    }
}

// The bits of all --fold; false where one names nothing.
bool fold(const ModelRequest& request, const Program& program, Loaded& loaded) {
  for (const std::string& what : request.folds) {
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

// Members that are neighbours are exchanged, and every rule is compared with what becomes of it.
// Whoever has not asked for that does not wait for it.
bool is_quickly_compared(const Program& program) {
  constexpr std::size_t most_comparisons = 20'000;  // some tenths of a second
  const auto& family = program.families.process;
  std::size_t exchanges = 0;
  for (ProcessId p = 0; p < family.size(); ++p) exchanges += family[p] != p;
  return exchanges * program.rules.size() <= most_comparisons;
}

// Which members are alike; families whose are not are an error only where none are, and nothing to
// speak of where nobody has asked for it by name.
void find_alike(SymmetryWish wish, Loaded& loaded) {
  if (wish == SymmetryWish::unasked) return;
  loaded.are_members_compared =
      wish == SymmetryWish::required || is_quickly_compared(*loaded.program);
  if (!loaded.are_members_compared) return;
  auto found = std::make_shared<Symmetry>(
      find_symmetry(*loaded.program, loaded.cost ? &*loaded.cost : nullptr));
  if (wish == SymmetryWish::welcome) {
    if (!found->empty()) loaded.symmetry = std::move(found);
    return;
  }
  if (found->empty() && found->others.empty())
    loaded.diagnostics.error({}, "--reduce symmetry: there is no family of processes");
  for (const NotAlike& family : found->others) {
    std::vector<Note> notes;
    if (!family.ring_reason.empty() && family.ring_reason != family.reason)
      notes.push_back({family.ring_place, "nor are they a ring: " + family.ring_reason});
    std::string message = fmt::format("--reduce symmetry: members of `{}` are not alike: {}",
                                      family.family, family.reason);
    if (found->empty())
      loaded.diagnostics.error(family.place, std::move(message), {}, std::move(notes));
    else
      loaded.diagnostics.warning(family.place, std::move(message), {}, std::move(notes));
  }
  loaded.symmetry = std::move(found);
}

}  // namespace

Loaded load(const std::string& path, const ModelRequest& request, const ReadFile& read_file) {
  Loaded loaded;
  const FrontEnd& front_end = front_end_of(path);
  const auto model =
      front_end.parse(path, read_file, request.definitions, loaded.sources, loaded.diagnostics);
  const Asked asked = read_expressions(front_end, request, loaded);
  BuildOptions options = request.build;
  options.asked = asked_by(request, asked);
  std::string problem, suggestion;
  if (const auto faults = read_line_faults(request.faults, problem, suggestion))
    options.faults = *faults;
  else
    loaded.diagnostics.error({}, fmt::format("--faults {}: {}", request.faults, problem),
                             suggestion);
  auto protocol = model->build(options, loaded.sources, loaded.diagnostics);
  if (!protocol) return loaded;
  if (const std::string channels = narrowed_channels(*protocol); !channels.empty())
    loaded.diagnostics.warning({}, fmt::format("--at-most-slots narrows {}", channels));
  loaded.labels = labels_text(options.asked);
  check_labels(request, *protocol, loaded.diagnostics);
  check_line_faults(options.faults, *protocol, loaded.diagnostics);
  if (asked.cost) loaded.cost = asked.cost->resolve(*protocol, loaded.diagnostics);
  add_invariants(request, asked, *protocol, loaded.diagnostics);
  add_temporal(request, asked, *protocol, loaded.diagnostics);
  if (loaded.diagnostics.has_errors()) return loaded;
  check_else(*protocol, request.rules.timeouts, loaded.diagnostics);
  if (loaded.diagnostics.has_errors()) return loaded;
  loaded.program = compile_rules(std::move(*protocol), request.rules, problem);
  if (!loaded.program) loaded.diagnostics.error({}, problem);
  if (loaded.program && !fold(request, *loaded.program, loaded)) loaded.program.reset();
  if (loaded.program) find_alike(request.symmetry, loaded);
  // Whatever was said to be an error, in the model or in an option: nothing is done with it.
  if (loaded.diagnostics.has_errors()) loaded.program.reset();
  return loaded;
}

}  // namespace panoptes
