// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <nlohmann/json.hpp>

#include "api/plan_model.hpp"
#include "base/json_text.hpp"
#include "report/number_text.hpp"

namespace panoptes {
namespace {

using Json = nlohmann::ordered_json;

std::string whole(double number) {
  return with_commas(static_cast<std::uint64_t>(std::llround(std::min(number, 9e18))));
}

// Two digits that count: nothing here is known better.
std::string about(double number) {
  if (number < 100) return fmt::format("{:.0f}", number);
  const double unit = std::pow(10.0, std::floor(std::log10(number)) - 1);
  return whole(std::round(number / unit) * unit);
}

std::string bytes_about(double bytes) {
  return as_bytes(static_cast<std::uint64_t>(std::llround(std::min(bytes, 9e18))));
}

std::string time_about(double seconds) {
  if (seconds < 1e-6) return fmt::format("{:.0f} ns", seconds * 1e9);
  if (seconds < 1e-3) return fmt::format("{:.0f} us", seconds * 1e6);
  if (seconds < 1) return fmt::format("{:.0f} ms", seconds * 1e3);
  if (seconds < 120) return fmt::format("{:.1f} s", seconds);
  if (seconds < 7200) return fmt::format("{:.0f} min", seconds / 60);
  return seconds < 172'800 ? fmt::format("{:.1f} h", seconds / 3600)
                           : fmt::format("{:.1f} days", seconds / 86'400);
}

const char* to_string(PlannedRun::Bound bound) {
  switch (bound) {
    case PlannedRun::Bound::processors: return "processors";
    case PlannedRun::Bound::link: return "link";
    case PlannedRun::Bound::messages: break;
  }
  return "messages";
}

const char* to_string(Plan::Source source) {
  switch (source) {
    case Plan::Source::sample: return "sample";
    case Plan::Source::given: return "given";
    case Plan::Source::levels: return "levels";
    case Plan::Source::unknown: break;
  }
  return "unknown";
}

std::string states_text(const Plan& plan) {
  const StateEstimate& states = plan.states;
  switch (plan.source) {
    case Plan::Source::sample: return whole(states.states) + ": the sample has seen all";
    case Plan::Source::given: return whole(states.states) + ", as --states says";
    case Plan::Source::levels:
      return fmt::format(
          "about {}, perhaps {} to {}: as the levels grew and will shrink, if they do",
          about(states.states), about(states.low), about(states.high));
    case Plan::Source::unknown: break;
  }
  return fmt::format(
      "more than {}, and nobody knows how many: what follows is for those that were seen; "
      "--states N asks about N, a longer --sample may tell",
      whole(states.states));
}

std::string assumptions_text(const Plan& plan) {
  const PlannedNode& node = plan.node;
  std::string text = fmt::format(
      "Assumed: nodes of {:.0f} {} (--cores), each beside the first adds {:.0f} %; {} of memory "
      "(--node-memory);\n"
      "  links of {}/s (--link), {} until a message arrives (--latency), {} to send or receive "
      "one, "
      "{} in it;\n"
      "  {} of a core to send a state to another node and take it in there;\n"
      "  states belong to nodes by their hash, evenly; nothing else runs on nodes and links\n",
      node.cores, node.cores == 1 ? "core" : "cores", 100 * node.further_core,
      bytes_about(node.memory_bytes), bytes_about(node.link_bytes_per_second),
      time_about(node.latency_seconds), time_about(node.message_seconds),
      bytes_about(node.batch_bytes), time_about(node.exchange_seconds));
  if (plan.join)
    text += fmt::format(
        "  join: the last of the five steps, {} transitions of {:.0f} bytes by {} rules, {:.0f} ns "
        "a "
        "tuple\n",
        about(plan.join->transitions), plan.join->tuple_bytes, whole(plan.join->rules),
        node.seconds_per_comparison * 1e9);
  return text;
}

std::string runs_text(const Plan& plan) {
  std::string text = fmt::format("  {:>6}  {:>10}  {:>10}  {:>8}  {:<10}{}\n", "nodes", "memory",
                                 "search", "times", "limited by", plan.join ? "        join" : "");
  const double alone = plan_search(plan.search, plan.node, 1).seconds;
  for (const PlannedRun& run : plan.runs) {
    const std::string join =
        run.join_seconds > 0 ? fmt::format("{:>12}", time_about(run.join_seconds)) : "";
    std::string line =
        fmt::format("  {:>6}  {:>10}  {:>10}  {:>8.1f}  {:<10}{}", with_commas(run.nodes),
                    bytes_about(run.node_bytes), run.fits ? time_about(run.seconds) : "no room",
                    alone / run.seconds, to_string(run.bound), join);
    line.erase(line.find_last_not_of(' ') + 1);
    text += line + "\n";
  }
  return text;
}

Json number_or_null(const std::optional<unsigned>& number) {
  return number ? Json(*number) : Json(nullptr);
}

}  // namespace

std::string plan_text(const Plan& plan) {
  std::string text = fmt::format(
      "{}: how many nodes would it want? An estimate, no promise.\n\n"
      "Sample: {} states in {} on one core, {} levels{}\n"
      "  {} states a second; of a state, {:.1f} transitions, {:.1f} bytes to keep it and {:.0f} to "
      "send it\n"
      "States: {}\n{}\n",
      plan.model, with_commas(plan.sample_states), time_about(plan.sample_seconds),
      plan.sample_levels,
      plan.says_little() ? "; too few to measure speed and memory: assumed" : "",
      about(plan.search.states_per_second), plan.search.transitions_per_state,
      plan.search.bytes_per_state, plan.search.message_bytes, states_text(plan),
      assumptions_text(plan));
  text += runs_text(plan);
  if (!plan.fewest) return text + "\nNone of these has room for it.\n";
  text += fmt::format("\nOf these, {} {} the fewest with room for it, {} the fastest", *plan.fewest,
                      *plan.fewest == 1 ? "is" : "are", *plan.fastest);
  if (plan.useful) text += fmt::format(", {} the most that are half used", *plan.useful);
  return text + ".\n";
}

std::string plan_json(const Plan& plan) {
  Json runs = Json::array();
  for (const PlannedRun& run : plan.runs)
    runs.push_back(
        {{"nodes", run.nodes},
         {"node_bytes", run.node_bytes},
         {"fits", run.fits},
         {"seconds", run.seconds},
         {"limited_by", to_string(run.bound)},
         {"join_seconds", run.join_seconds > 0 ? Json(run.join_seconds) : Json(nullptr)}});
  const Json json = {
      {"schema", "panoptes-plan-1"},
      {"model", plan.model},
      {"sample",
       {{"states", plan.sample_states},
        {"transitions", plan.sample_transitions},
        {"levels", plan.sample_levels},
        {"seconds", plan.sample_seconds},
        {"is_complete", plan.is_complete},
        {"states_per_second", plan.search.states_per_second},
        {"transitions_per_state", plan.search.transitions_per_state},
        {"bytes_per_state", plan.search.bytes_per_state},
        {"message_bytes", plan.search.message_bytes}}},
      {"estimated",
       {{"source", to_string(plan.source)},
        {"states", plan.states.states},
        {"low", plan.states.low},
        {"high", plan.source == Plan::Source::unknown ? Json(nullptr) : Json(plan.states.high)},
        {"levels", plan.states.levels}}},
      {"assumed",
       {{"cores", static_cast<std::uint64_t>(plan.node.cores)},
        {"further_core", plan.node.further_core},
        {"memory_bytes", plan.node.memory_bytes},
        {"link_bytes_per_second", plan.node.link_bytes_per_second},
        {"latency_seconds", plan.node.latency_seconds},
        {"message_seconds", plan.node.message_seconds},
        {"batch_bytes", plan.node.batch_bytes},
        {"exchange_seconds", plan.node.exchange_seconds},
        {"seconds_per_comparison", plan.node.seconds_per_comparison}}},
      {"join", plan.join ? Json{{"rules", plan.join->rules},
                                {"transitions", plan.join->transitions},
                                {"tuple_bytes", plan.join->tuple_bytes}}
                         : Json(nullptr)},
      {"runs", runs},
      {"fewest", number_or_null(plan.fewest)},
      {"fastest", number_or_null(plan.fastest)},
      {"useful", number_or_null(plan.useful)}};
  return json_text(json);
}

}  // namespace panoptes
