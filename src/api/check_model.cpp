// SPDX-License-Identifier: Apache-2.0
#include "api/check_model.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <thread>

#include "api/memory.hpp"
#include "api/trails.hpp"
#include "options/search_plan.hpp"
#include "protocol/quiet_moments.hpp"
#include "search/spill_file.hpp"
#include "verdict/make_reports.hpp"
#include "verdict/minimise_trail.hpp"

namespace panoptes {
namespace {

// Which reductions are made, and why no others are, where nobody has said which.
struct ChosenReductions {
  Reductions reduce;
  std::string unreduced;
};

// A search that leaves something out has its own rules beside those of the model: unasked, in no
// more than some thirty megabytes.
constexpr std::size_t most_rules_copied = 20'000;

// Why nothing may be left out at all; "" where something may. A graph is kept for the sake of what
// reductions hide, and whoever sees but a part of it is told which.
std::string why_plain(const OptionValues& values, const Program& program) {
  if (values.has(option::keep_graph)) return "--keep-graph keeps the whole graph";
  if (values.get(option::search) == SearchWord::walk)
    return "--search walk is a sample of all runs";
  if (values.has(option::keep)) return "--keep chooses among all successors";
  if (program.rules.size() > most_rules_copied)
    return fmt::format("there are more than {} rules, and they would be there twice",
                       most_rules_copied);
  return {};
}

// Why no step may be left out; the same of orders alone, where internal steps may be.
std::string why_every_step(const OptionValues& values) {
  if (values.is_given(option::depth)) return "--depth counts every step";
  if (values.get(option::expand) == Expand::sound)
    return "with --expand sound it matters which states lie on the way";
  if (values.has(option::store_labelled)) return "--store-labelled goes by the labels on the way";
  return {};
}

// Why members are told apart that are alike.
std::string why_members_differ(const OptionValues& values, const Loaded& loaded) {
  if (!loaded.folded.empty()) return "--fold may fold members apart";
  if (values.get(option::search) == SearchWord::stack)
    return "--search stack does not remember where it has been";
  return {};
}

bool has_properties(const Program& program) {
  return !program.protocol.temporal.empty() && !program.errors.is_question;
}

// Whether properties are judged on a graph, in memory.
bool may_keep_graph(const OptionValues& values) {
  const SearchPlan plan = search_plan(values);
  const auto* const search = std::get_if<ExhaustiveSearch>(&plan);
  return search && !search->follows_runs && std::holds_alternative<ExactStates>(search->storage) &&
         !values.has(option::checkpoint) && !values.has(option::resume) &&
         !values.has(option::spill) && !values.has(option::fold);
}

// Runs have the same properties in another order, unless these see the difference.
ChosenReductions best_for_properties(const OptionValues& values, const Program& program) {
  std::string reason = why_every_step(values);
  if (reason.empty() && values.get(option::receptions) != ReceptionPolicy::blocked)
    reason = fmt::format("--receptions {} looks at every state", values.text(option::receptions));
  if (reason.empty() && values.has(option::shortest)) reason = "--shortest goes for runs, too";
  if (reason.empty()) reason = why_orders_matter(program.protocol);
  if (reason.empty() && !may_keep_graph(values))
    reason = "runs are looked at without keeping the graph";
  if (!reason.empty())
    return {{}, fmt::format("temporal properties are judged on the whole graph: {}", reason)};
  return {{.order = true}, "no values, no symmetry: temporal properties tell states apart"};
}

// All that keeps what is looked for.
ChosenReductions best_reductions(const OptionValues& values, const Loaded& loaded) {
  if (std::string reason = why_plain(values, *loaded.program); !reason.empty())
    return {{}, std::move(reason)};
  if (has_properties(*loaded.program)) return best_for_properties(values, *loaded.program);
  ChosenReductions best{{.internal = true, .order = true, .values = true, .symmetry = false}, {}};
  const auto leave = [&](std::string_view what, const std::string& reason) {
    best.unreduced += fmt::format("{}no {}: {}", best.unreduced.empty() ? "" : "; ", what, reason);
  };
  if (const std::string reason = why_every_step(values); !reason.empty()) {
    best.reduce.internal = best.reduce.order = false;
    leave("orders", reason);
  } else if (values.get(option::receptions) != ReceptionPolicy::blocked) {
    best.reduce.order = false;
    leave("orders but of internal steps",
          fmt::format("--receptions {} looks at every state", values.text(option::receptions)));
  }
  if (!loaded.are_members_compared)
    leave("symmetry", "many members would have to be compared; --reduce symmetry does it");
  if (!loaded.symmetry) return best;
  const std::string reason = why_members_differ(values, loaded);
  best.reduce.symmetry = reason.empty();
  if (!reason.empty()) leave("symmetry", reason);
  return best;
}

ChosenReductions reductions_of(const OptionValues& values, const Loaded& loaded) {
  Reductions result;
  for (const Reduce reduction : values.get(option::reduce)) switch (reduction) {
      case Reduce::nothing: break;
      case Reduce::automatic: return best_reductions(values, loaded);
      case Reduce::internal: result.internal = true; break;
      case Reduce::values: result.values = true; break;
      case Reduce::order: result.order = true; break;
      case Reduce::symmetry: result.symmetry = true; break;
    }
  return {result, {}};
}

// Which successors are followed, and which states are told apart.
void choose(const OptionValues& values, const Loaded& loaded, CheckOptions& options) {
  options.choice.preference = values.get(option::choose);
  options.choice.keep = values.get(option::keep).value_or(0);
  options.choice.per_process = values.get(option::per) == KeepPer::process;
  options.choice.seed = *values.get(option::seed);
  ChosenReductions reductions = reductions_of(values, loaded);
  options.reduce = reductions.reduce;
  const std::vector<Reduce> words = values.get(option::reduce);
  if (std::ranges::count(words, Reduce::automatic) > 0)
    options.steps_that_tell = SelectByLevel::usual_steps;
  options.unreduced = std::move(reductions.unreduced);
  options.symmetry = loaded.symmetry;
  options.cost = loaded.cost;
  options.spill_folder = values.get(option::spill);
  options.folded = loaded.folded;
}

// Of those that a report may have. Where only the way is kept of a trail, that stays so: there is
// room for no more of them.
void shorten_trails(const OptionValues& values, const Loaded& loaded,
                    const std::function<bool()>& has_to_end, const Deadline& deadline,
                    Verdict& verdict) {
  const Program& program = *loaded.program;
  const ErrorList list(program, verdict, error_request(values), trails_for_programs);
  TrailEffort effort;
  effort.interrupted = has_to_end;
  for (std::size_t i = 0; i < list.all().size() && effort.steps > 0 && !has_to_end(); ++i) {
    if (!list.all()[i].has_trail) continue;
    const std::size_t errors = verdict.errors.size();
    ErrorReport& error = i < errors ? verdict.errors[i] : verdict.warnings[i - errors];
    const bool is_way = error.gap == TrailGap::unasked;
    if (is_way) {
      ErrorReport whole = with_trail(program, error, deadline);
      if (whole.gap != TrailGap::no_gap) return;  // it keeps its way
      error = std::move(whole);
    }
    if (error.gap != TrailGap::no_gap) continue;
    minimise_trail(program, error, values.get(option::receptions), loaded.sources, effort);
    if (is_way) keep_way(program, error);
  }
}

// What all runs do is told by the graph, or on the fly. A search that was asked for and can
// do neither says that it does not know.
void keep_graph_for_properties(const OptionValues& values, const Program& program,
                               CheckOptions& options) {
  if (!has_properties(program)) return;
  if (values.has(option::checkpoint) || values.has(option::resume)) return;
  auto* const search = std::get_if<ExhaustiveSearch>(&options.search);
  if (!search || search->follows_runs || !options.spill_folder.empty() || !options.folded.empty() ||
      !options.reduce.keeps_runs())
    return;
  if (std::holds_alternative<ExactStates>(search->storage))
    search->storage = WholeGraph{.looks_for_livelocks = false};
  // Who has no memory to spare has none for the graph.
  if (std::holds_alternative<CompactStates>(search->storage)) search->follows_runs = true;
}

}  // namespace

std::string wrong_folder(const OptionValues& values) {
  const std::string folder = values.get(option::spill);
  std::string problem;
  if (folder.empty() || SpillFile::make(folder, problem)) return {};
  return fmt::format("--spill {}: cannot write there: {}", folder, problem);
}

CheckOptions check_options(const OptionValues& values, const Loaded& loaded) {
  CheckOptions options;
  options.search = search_plan(values);
  options.seed = *values.get(option::seed);
  options.count_distinct = values.has(option::count_distinct);
  options.stepper = values.get(option::stepper);
  options.threads = static_cast<unsigned>(
      values.get(option::threads).value_or(std::max(1u, std::thread::hardware_concurrency())));
  options.strict = values.has(option::strict);
  options.shortest = values.has(option::shortest);
  options.explore.first_error_only = values.has(option::first) || values.has(option::reach);
  options.explore.receptions = values.get(option::receptions);
  options.explore.expands_faulty = values.get(option::expand) != Expand::sound;
  options.limits.memory_bytes = memory_of(values);
  options.limits.seconds = values.get(option::time).value_or(0.0);
  const bool is_limited = is_bounded(values.get(option::search));
  options.limits.depth =
      values.get(option::depth).value_or(is_limited ? default_depth_limit(*loaded.program) : 0);
  choose(values, loaded, options);
  keep_graph_for_properties(values, *loaded.program, options);
  return options;
}

Result<Verdict, std::string> check_model(const OptionValues& values, const Loaded& loaded,
                                         const CheckOptions& options, const Deadline& deadline) {
  auto verdict = check_program(*loaded.program, loaded.sources, options);
  if (!verdict || !values.has(option::minimise_trail)) return verdict;
  const auto has_to_end = [&] {
    return (options.interrupted && options.interrupted->load()) || deadline.has_passed();
  };
  shorten_trails(values, loaded, has_to_end, deadline, *verdict);
  return verdict;
}

}  // namespace panoptes
