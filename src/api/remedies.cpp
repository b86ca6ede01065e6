// SPDX-License-Identifier: Apache-2.0
#include "api/remedies.hpp"

#include <fmt/format.h>

#include <optional>
#include <set>

#include "options/clashes.hpp"
#include "options/table.hpp"

namespace panoptes {
namespace {

// What a remedy makes smaller.
enum class Part { states, store, waiting };

struct Remedy {
  OptionName option;
  const char* value;
  Part part;
  std::optional<OptionName> instead_of = {};  // an option that it makes superfluous
};

constexpr Remedy remedies[] = {
    {option::reduce, "auto", Part::states},   // fewer states
    {option::store, "compact", Part::store},  // less for each
    {option::spill, "DIR", Part::waiting},    // those that wait on disk
    {option::search, "supertrace", Part::store,
     option::store},  // a few bits for each, and some are missed
};

// Whether it was that part, among others, which took the memory.
bool is_large(Part part, const Verdict& verdict) {
  constexpr std::uint64_t share = 4;
  const std::uint64_t waiting = verdict.trail_bytes + verdict.frontier_bytes;
  const std::uint64_t all = verdict.store_bytes + waiting;
  switch (part) {
    case Part::states: return true;
    case Part::store: return verdict.store_bytes >= all / share;
    case Part::waiting: return waiting >= all / share;
  }
  return false;
}

// `values` as if the remedy had been typed, too.
OptionValues with(const Remedy& remedy, OptionValues values) {
  if (remedy.instead_of) values.take_back(*remedy.instead_of);
  values.give(remedy.option, remedy.value);
  return values;
}

bool is_taken_already(const Remedy& remedy, const OptionValues& values) {
  const bool has_words = !row_of(remedy.option, "check").choices.empty();
  return has_words ? values.is_there(std::string(remedy.option.text()), remedy.value)
                   : values.has(remedy.option);
}

std::vector<std::string> remedies_for_memory(const OptionValues& values, const Verdict& verdict) {
  std::vector<std::string> result;
  constexpr std::uint64_t few_states = 1000;  // they are not what takes the memory
  for (const Remedy& remedy : remedies) {
    if (verdict.states_analysed < few_states || !is_large(remedy.part, verdict)) continue;
    if (is_taken_already(remedy, values)) continue;
    // Of a graph that is kept nothing is left out, whoever chooses.
    if (remedy.part == Part::states && values.has(option::keep_graph)) continue;
    if (!options_that_clash(with(remedy, values)).empty()) continue;
    result.push_back(fmt::format("--{} {}", remedy.option.text(), remedy.value));
    if (remedy.instead_of && values.is_given(*remedy.instead_of))
      result.back() += fmt::format(" instead of --{} {}", remedy.instead_of->text(),
                                   values.text(*remedy.instead_of));
  }
  if (values.is_given(option::memory)) result.emplace_back("a larger --memory");
  // Proofs that need no states: whether they work out, nobody knows before.
  if (values.command() == "check" && verdict.states_analysed >= few_states)
    result.emplace_back("`panoptes backward`");
  return result;
}

// What was taken for others: more memory leaves less of it, and three runs tell how much it is.
std::vector<std::string> remedies_for_omissions(const OptionValues& values,
                                                const Verdict& verdict) {
  if (values.get(option::store) == StoreWord::hash) return {"--store exact"};
  std::vector<std::string> result{values.is_given(option::arena) ? "a larger --arena"
                                                                 : "a larger --memory"};
  if (verdict.kept != Kept::whole) return result;
  if (verdict.runs < least_runs_for_coverage)
    result.push_back(fmt::format("--runs {} (tells how much was seen)", least_runs_for_coverage));
  result.emplace_back("--search exhaustive (may prove it)");
  return result;
}

// Of a search that has left targets open.
std::vector<std::string> remedies_backwards(const OptionValues& values,
                                            const BackwardReport& report) {
  std::set<std::string> reasons{report.reason};
  for (const BackwardReport::Target& target : report.targets) reasons.insert(target.reason);
  std::vector<std::string> result;
  if (reasons.contains("time")) result.emplace_back("a larger --time");
  if (reasons.contains("memory")) result.emplace_back("a larger --memory");
  const bool has_no_way = reasons.contains("work") || reasons.contains("claims");
  if (has_no_way && values.get(option::engine) == BackwardEngine::claims)
    result.emplace_back("--engine auto");
  else if (has_no_way || reasons.contains("means"))
    result.emplace_back("`panoptes check`");
  return result;
}

}  // namespace

std::vector<std::string> remedies_for(const OptionValues& values, const Verdict& verdict) {
  if (verdict.backward) return remedies_backwards(values, *verdict.backward);
  if (values.command() != "check") return {};
  if (verdict.stop == Stop::memory || verdict.dropped > 0)
    return remedies_for_memory(values, verdict);
  switch (verdict.stop) {
    case Stop::time: return {"a larger --time"};
    case Stop::depth: return {"a larger --depth"};
    case Stop::sample: return {"--search exhaustive"};
    case Stop::selection: return {"no --keep"};
    case Stop::folding: return {"no --fold"};
    case Stop::omission: return remedies_for_omissions(values, verdict);
    default: return {};
  }
}

}  // namespace panoptes
