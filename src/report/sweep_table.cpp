// SPDX-License-Identifier: Apache-2.0
#include "report/sweep_table.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <numeric>

#include "report/number_text.hpp"

namespace panoptes {
namespace {

// A value as it is compared: not defined, a number or a name.
struct Rank {
  bool is_defined = false;
  std::optional<std::int64_t> number;

  bool is_less(const Rank& other) const {
    if (!is_defined || !other.is_defined) return other.is_defined && !is_defined;
    return number && other.number && *number < *other.number;
  }
};
using Ranks = std::vector<Rank>;  // of the values of a parameter

std::vector<Ranks> ranks_of(const std::vector<Parameter>& parameters) {
  std::vector<Ranks> all;
  for (const Parameter& parameter : parameters) {
    Ranks& ranks = all.emplace_back();
    for (const Parameter::Value& value : parameter.values)
      ranks.push_back({value.has_value(), number_of(value)});
  }
  return all;
}

// How many values of a parameter are less than each of them.
std::vector<std::size_t> heights_of(const Ranks& ranks) {
  std::vector<std::int64_t> numbers;
  for (const Rank& rank : ranks)
    if (rank.number) numbers.push_back(*rank.number);
  std::ranges::sort(numbers);
  const bool has_undefined = !std::ranges::all_of(ranks, &Rank::is_defined);
  std::vector<std::size_t> heights;
  for (const Rank& rank : ranks) {
    std::size_t height = rank.is_defined && has_undefined ? 1 : 0;
    if (rank.number)
      height += static_cast<std::size_t>(std::ranges::lower_bound(numbers, *rank.number) -
                                         numbers.begin());
    heights.push_back(height);
  }
  return heights;
}

// Whether the combination with the values `a` is smaller than that with `b`. REQUIRES: they differ.
bool is_smaller(const std::vector<Ranks>& ranks, const std::vector<std::size_t>& a,
                const std::vector<std::size_t>& b) {
  for (std::size_t p = 0; p < ranks.size(); ++p)
    if (a[p] != b[p] && !ranks[p][a[p]].is_less(ranks[p][b[p]])) return false;
  return true;
}

bool is_violated(const SweepRun& run) {
  return run.end == SweepEnd::checked && run.outcome == Outcome::violated;
}

// Whether there certainly is no error: what is no protocol has none either.
bool is_clean(const SweepRun& run) {
  return run.end == SweepEnd::not_compiled ||
         (run.end == SweepEnd::checked && run.outcome == Outcome::holds &&
          run.promise == Promise::exhaustive);
}

}  // namespace

std::vector<std::size_t> values_in(const std::vector<Parameter>& parameters,
                                   std::size_t combination) {
  std::vector<std::size_t> values(parameters.size());
  for (std::size_t p = parameters.size(); p-- > 0;) {
    values[p] = combination % parameters[p].values.size();
    combination /= parameters[p].values.size();
  }
  return values;
}

// The sum of heights grows with every value that does.
std::vector<std::size_t> smaller_first(const std::vector<Parameter>& parameters) {
  std::vector<std::vector<std::size_t>> heights;
  for (const Ranks& ranks : ranks_of(parameters)) heights.push_back(heights_of(ranks));
  const std::size_t count = count_combinations(parameters);
  std::vector<std::size_t> sums(count, 0), order(count);
  for (std::size_t c = 0; c < count; ++c) {
    const std::vector<std::size_t> values = values_in(parameters, c);
    for (std::size_t p = 0; p < values.size(); ++p) sums[c] += heights[p][values[p]];
  }
  std::iota(order.begin(), order.end(), std::size_t{0});
  std::ranges::stable_sort(order, {}, [&](std::size_t c) { return sums[c]; });
  return order;
}

std::string combination_text(const SweepTable& table, std::size_t combination) {
  const std::vector<std::size_t> values = values_in(table.parameters, combination);
  std::string text;
  for (std::size_t p = 0; p < values.size(); ++p)
    text += (p == 0 ? "" : " ") + setting_text(table.parameters[p], values[p]);
  return text.empty() ? "nothing defined" : text;
}

std::vector<SmallestError> smallest_errors(const SweepTable& table) {
  const std::vector<Ranks> ranks = ranks_of(table.parameters);
  std::vector<std::vector<std::size_t>> values;
  for (std::size_t c = 0; c < table.runs.size(); ++c)
    values.push_back(values_in(table.parameters, c));
  std::vector<SmallestError> found;
  for (std::size_t c = 0; c < table.runs.size(); ++c) {
    if (!is_violated(table.runs[c])) continue;
    SmallestError error{c, true};
    bool is_smallest = true;
    for (std::size_t other = 0; other < table.runs.size() && is_smallest; ++other) {
      if (other == c || is_clean(table.runs[other])) continue;
      if (!is_smaller(ranks, values[other], values[c])) continue;
      is_smallest = !is_violated(table.runs[other]);
      error.is_certain = false;
    }
    if (is_smallest) found.push_back(error);
  }
  return found;
}

SweepSize::SweepSize(const SweepTable& table)
    : are_distinct_(std::ranges::all_of(table.runs, [](const SweepRun& run) {
        return run.end != SweepEnd::checked || run.states;
      })) {}

std::string_view verdict_word(const SweepRun& run) {
  switch (run.end) {
    case SweepEnd::not_run: return "not_run";
    case SweepEnd::checked: return to_string(run.outcome);
    case SweepEnd::not_compiled: return "not_compiled";
    case SweepEnd::no_memory: return to_string(Outcome::unknown);
    case SweepEnd::failed: return "failed";
  }
  return "";
}

Outcome outcome_of(const SweepTable& table) {
  if (std::ranges::any_of(table.runs, is_violated)) return Outcome::violated;
  const bool all_hold = std::ranges::all_of(table.runs, [](const SweepRun& run) {
    return run.end == SweepEnd::checked && run.outcome == Outcome::holds;
  });
  return all_hold ? Outcome::holds : Outcome::unknown;
}

std::string tally(const SweepTable& table) {
  struct Words {
    std::string_view verdict, one, many;
  };
  constexpr Words words[] = {
      {"holds", "holds", "hold"},        {"violated", "violated", "violated"},
      {"unknown", "unknown", "unknown"}, {"not_compiled", "does not compile", "do not compile"},
      {"failed", "failed", "failed"},    {"not_run", "not run", "not run"}};
  std::string text;
  for (const Words& each : words) {
    const auto count = static_cast<std::size_t>(std::ranges::count(
        table.runs, each.verdict, [](const SweepRun& run) { return verdict_word(run); }));
    if (count == 0) continue;
    text += fmt::format("{}{} {}", text.empty() ? "" : ", ", with_commas(count),
                        count == 1 ? each.one : each.many);
  }
  return text;
}

}  // namespace panoptes
