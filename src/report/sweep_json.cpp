// SPDX-License-Identifier: Apache-2.0
#include <nlohmann/json.hpp>

#include "report/json_stream.hpp"
#include "report/sweep.hpp"

namespace panoptes {
namespace {

using Json = nlohmann::ordered_json;

Json value_json(const Parameter::Value& value) { return value ? Json(*value) : Json(nullptr); }

Json definitions_json(const SweepTable& table, std::size_t combination) {
  const std::vector<std::size_t> values = values_in(table.parameters, combination);
  Json json = Json::object();
  for (std::size_t p = 0; p < values.size(); ++p)
    json[table.parameters[p].name] = value_json(table.parameters[p].values[values[p]]);
  return json;
}

Json varied_json(const SweepTable& table) {
  Json list = Json::array();
  for (const Parameter& parameter : table.parameters) {
    Json values = Json::array();
    for (const Parameter::Value& value : parameter.values) values.push_back(value_json(value));
    list.push_back({{"name", parameter.name}, {"values", std::move(values)}});
  }
  return list;
}

Json smallest_json(const SweepTable& table) {
  Json list = Json::array();
  for (const SmallestError& error : smallest_errors(table))
    list.push_back({{"definitions", definitions_json(table, error.combination)},
                    {"certain", error.is_certain}});
  return list;
}

Json shortest_json(const ShortestError& error) {
  return {{"kind", error.kind},
          {"text", error.text},
          {"events", error.events ? Json(*error.events) : Json(nullptr)},
          {"steps", error.steps},
          {"shortest", error.is_shortest}};
}

Json run_json(const SweepTable& table, std::size_t combination) {
  const SweepRun& run = table.runs[combination];
  Json json = {{"definitions", definitions_json(table, combination)},
               {"verdict", verdict_word(run)}};
  if (run.end != SweepEnd::not_run) json["seconds"] = run.seconds;
  if (!run.problem.empty()) json["problem"] = run.problem;
  if (run.end != SweepEnd::checked) return json;
  json["promise"] = to_string(run.promise);
  json["stop"] = to_string(run.stop);
  json["states"] = run.states ? Json(*run.states) : Json(nullptr);
  json["states_analysed"] = run.states_analysed;
  json["transitions"] = run.transitions;
  json["depth"] = run.depth;
  json["memory_bytes"] = run.memory_bytes;
  json["errors"] = run.errors;
  if (!run.narrowed.empty()) json["narrowed"] = run.narrowed;
  if (!run.lines.empty()) json["lines"] = run.lines;
  if (run.shortest) json["shortest_error"] = shortest_json(*run.shortest);
  return json;
}

}  // namespace

bool sweep_json(const SweepTable& table, const SweepFacts& facts, const Sink& sink) {
  JsonStream<Json> stream(sink);
  stream.begin_object();
  stream.add("schema", "panoptes-sweep-1");
  stream.add("model", table.model);
  stream.add("verdict", to_string(outcome_of(table)));
  stream.add("stop", to_string(table.ended_by));
  stream.add("options", Json(facts.options));
  stream.add("parameters", varied_json(table));
  stream.add("combinations", table.runs.size());
  stream.add("smallest", smallest_json(table));
  stream.begin_list("runs");
  for (std::size_t c = 0; c < table.runs.size(); ++c) stream.add(run_json(table, c));
  stream.end();
  stream.end();
  return stream.finish();
}

}  // namespace panoptes
