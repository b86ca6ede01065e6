// SPDX-License-Identifier: Apache-2.0
#include "report/sarif.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <map>
#include <nlohmann/json.hpp>

#include "base/display.hpp"
#include "base/version.hpp"
#include "report/alike_text.hpp"
#include "report/json_stream.hpp"
#include "report/kinds.hpp"
#include "rules/narrow.hpp"
#include "verdict/conclusions.hpp"

namespace panoptes {
namespace {

using Json = nlohmann::ordered_json;

// ---- places --------------------------------------------------------------------------------

// A path as a URI: every byte but the plain ones as %XX, so that any name is one.
std::string uri_of(const std::string& name) {
  const std::string path = std::filesystem::path(name).lexically_normal().string();
  std::string uri = path.starts_with('/') ? "file://" : "";
  for (const char c : path) {
    const bool is_plain = (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') ||
                          (c >= '0' && c <= '9') ||
                          std::string_view("/._-~").find(c) != std::string_view::npos;
    uri += is_plain ? std::string(1, c) : fmt::format("%{:02X}", static_cast<unsigned char>(c));
  }
  return uri;
}

// Not every text is a file: definitions and costs come from the command line.
bool is_file(const std::string& name) { return !name.starts_with('<') && !name.starts_with("--"); }

Json artifact_json(const std::string& name) {
  Json json{{"uri", uri_of(name)}};
  if (!name.starts_with('/')) json["uriBaseId"] = "%SRCROOT%";
  return json;
}

// Places count bytes, SARIF characters.
Json region_json(Place place, const SourceSet& sources) {
  const LineColumn at = sources.line_column(place);
  const std::string_view text = sources.text(place);
  const std::size_t start = display_width(sources.line(place).substr(0, at.column - 1)) + 1;
  Json json{{"startLine", at.line}, {"startColumn", start}};
  if (text.empty()) return json;
  const std::size_t last_line = text.rfind('\n');
  const bool is_one_line = last_line == std::string_view::npos;
  json["endLine"] = at.line + static_cast<std::size_t>(std::count(text.begin(), text.end(), '\n'));
  json["endColumn"] =
      is_one_line ? start + display_width(text) : display_width(text.substr(last_line + 1)) + 1;
  return json;
}

// A log with one run, written while it is made.
class Sarif {
 public:
  Sarif(const std::string& model, const SourceSet& sources, const Sink& sink)
      : model_(model), sources_(sources), out_(sink) {}

  Json location(Place place, const std::string& message = {}, const std::string& process = {}) {
    Json json;
    if (!place.known() || !is_file(sources_.name(place.file)))
      json["physicalLocation"]["artifactLocation"] = artifact_json(model_);
    else
      json["physicalLocation"] = {{"artifactLocation", artifact_json(sources_.name(place.file))},
                                  {"region", region_json(place, sources_)}};
    if (!process.empty())
      json["logicalLocations"] = Json::array({{{"name", process}, {"kind", "process"}}});
    if (!message.empty()) json["message"]["text"] = message;
    return json;
  }

  // Everything before the results.
  void begin(const Json& invocation);

  void add(const Diagnostics& diagnostics) {
    for (const Diagnostic& d : diagnostics.all()) {
      const bool is_error = d.severity == Severity::error;
      Json added =
          result(is_error ? "input_error" : "input_warning", is_error ? "error" : "warning",
                 d.suggestion.empty() ? d.message : d.message + "; " + d.suggestion);
      added["locations"] = Json::array({location(d.place)});
      for (const Note& note : d.notes)
        added["relatedLocations"].push_back(location(note.place, note.message));
      put(std::move(added));
    }
  }

  void add(const Program& program, const ListedError& listed, const RunFacts& facts);
  void add(const Program& program, const DeadStatement& dead, bool is_certain);

  // Everything behind them. False where something could not be written.
  bool end(const Json& properties);

 private:
  static Json result(const std::string& rule, std::string_view level, const std::string& text) {
    return {{"ruleId", rule}, {"level", level}, {"message", {{"text", text}}}};
  }
  void put(Json added);
  // Its steps, or in its message why there are none.
  void add_flow(const Program& program, const ListedError& listed, const RunFacts& facts,
                Json& added);
  Json flow(const Program& program, const Trail& trail, const Trail& cycle);

  const std::string& model_;
  const SourceSet& sources_;
  JsonStream<Json> out_;
  std::map<std::string, std::size_t> rules_;  // by name, the number of each
  // Viewers show hundreds of steps.
  static constexpr std::size_t most_flow_steps = 10'000;
  std::size_t flow_steps_ = 0;
};

// ---- results -------------------------------------------------------------------------------

// Where an error is, and who is there. The first place is the one to look at.
struct ErrorPlace {
  Place place;
  std::string process, text;
};

ErrorPlace statement_place(const Program& program, const TrailStep& step) {
  const Rule& rule = program.rules[step.rule];
  return {place_of(program, step), program.protocol.processes[rule.owner().process].name,
          rule.text};
}

// Where a process is at the end of a trail.
ErrorPlace position(const Program& program, ProcessId process, const Trail& trail,
                    const SourceSet& sources) {
  const auto id = static_cast<StateId>(read(program.layout.control[process], trail.last));
  const std::string& name = program.protocol.processes[process].name;
  const std::vector<StateId> at = places_of(trail.whereabouts, process);
  return {at.empty() ? program.state(process, id).place : text_places(program, process, at).front(),
          name, fmt::format("{} at {}", name, position_words(program, process, id, at, sources))};
}

std::vector<ErrorPlace> places_of_error(const Program& program, const ErrorReport& error,
                                        const SourceSet& sources) {
  const Finding& finding = error.finding;
  const Protocol& protocol = program.protocol;
  std::vector<ErrorPlace> places;
  if (!error.cycle.steps.empty())
    places.push_back(statement_place(program, error.cycle.steps.front()));
  else if (error.trail.ends_in_failure && !error.trail.steps.empty())
    places.push_back(statement_place(program, error.trail.steps.back()));
  else if (error.trail.ends_in_failure)
    places.push_back(statement_place(program, TrailStep{finding.rule, {}, {}, {}, {}, {}}));
  else if (finding.kind == ErrorKind::unspecified_reception)
    places.push_back(position(program, finding.process, error.trail, sources));
  const bool is_invariant = finding.kind == ErrorKind::invariant;
  if (is_invariant && protocol.invariants[finding.assertion].place.known())
    places.push_back({protocol.invariants[finding.assertion].place, "",
                      protocol.invariants[finding.assertion].name});
  if (finding.kind == ErrorKind::ltl && protocol.temporal[finding.assertion].place.known())
    places.push_back({protocol.temporal[finding.assertion].place, "",
                      protocol.temporal[finding.assertion].name});
  if (finding.assertion != none && finding.kind == ErrorKind::assertion)
    places.push_back({protocol.assertions[finding.assertion].place, "",
                      protocol.assertions[finding.assertion].name});
  if (finding.channel != none)
    places.push_back({protocol.channels[finding.channel].place, "",
                      fmt::format("channel {}", protocol.channels[finding.channel].name)});
  // Processes that have ended come last: what is wrong is where the others are.
  const ProcessId told =
      finding.rule == none ? finding.process : program.rules[finding.rule].owner().process;
  for (const bool has_ended : {false, true})
    for (ProcessId p = 0; p < program.control.size(); ++p) {
      const auto id = static_cast<StateId>(read(program.layout.control[p], error.trail.last));
      if (program.state(p, id).is_end == has_ended && p != told)
        places.push_back(position(program, p, error.trail, sources));
    }
  return places;
}

Json Sarif::flow(const Program& program, const Trail& trail, const Trail& cycle) {
  Json steps = Json::array();
  const auto add = [&](const Trail& part, std::string_view prefix) {
    for (std::size_t i = 0; i < part.steps.size(); ++i) {
      const TrailStep& step = part.steps[i];
      const ErrorPlace at = statement_place(program, step);
      const Rule& rule = program.rules[step.rule];
      const bool fails = part.ends_in_failure && i + 1 == part.steps.size();
      const std::string to = fails ? std::string("fails")
                                   : "to " + position_words(program, rule.owner().process,
                                                            rule.owner().to, step.to, sources_);
      // The statement says which message; its values are news.
      const std::string& message = step.message;
      const std::string values =
          message.find('(') == std::string::npos ? "" : fmt::format(" ({})", message);
      steps.push_back({{"location", location(at.place,
                                             fmt::format("{}{}: {}{}, {}", prefix, at.process,
                                                         at.text, values, to),
                                             at.process)},
                       {"executionOrder", steps.size() + 1}});
    }
  };
  add(trail, "");
  add(cycle, "for ever: ");
  return steps;
}

// A thread flow has at least one location: an error of the initial state has none.
void Sarif::add_flow(const Program& program, const ListedError& listed, const RunFacts& facts,
                     Json& added) {
  const TrailGap gap = gap_of(listed, facts);
  const std::uint64_t step_count = listed.error->step_count() + listed.error->cycle.steps.size();
  std::string missing(to_string(gap));
  if (gap == TrailGap::no_gap && step_count > most_flow_steps - flow_steps_)
    missing = fmt::format("a log has at most {} in all", with_commas(most_flow_steps));
  if (!missing.empty()) {
    added["message"]["text"] = fmt::format("{} (without its steps: {})",
                                           added["message"]["text"].get<std::string>(), missing);
    return;
  }
  const WholeError whole(program, *listed.error);
  Json steps = flow(program, whole->trail, whole->cycle);
  if (steps.empty()) return;
  flow_steps_ += step_count;
  added["codeFlows"] =
      Json::array({{{"threadFlows", Json::array({Json{{"locations", std::move(steps)}}})}}});
}

// Of several statements that were made one, only the trail knows which has failed. The place of an
// error is the same whether or not its trail is asked for.
bool needs_trail_for_place(const Program& program, const ErrorReport& error) {
  return error.gap == TrailGap::unasked && error.finding.rule != none &&
         program.rules[error.finding.rule].statements.size() > 1;
}

void Sarif::add(const Program& program, const ListedError& listed, const RunFacts& facts) {
  const ErrorReport& error = *listed.error;
  std::string text = error.description.text;
  if (!error.cause.empty()) text += ", because " + error.cause;
  if (const std::string alike = alike_text(program, error); !alike.empty()) text += ", " + alike;
  Json added = result(std::string(to_string(error.description.kind)),
                      error.is_warning ? "warning" : "error", text);
  const std::vector<ErrorPlace> places =
      needs_trail_for_place(program, error)
          ? places_of_error(program, *WholeError(program, error, facts.deadline), sources_)
          : places_of_error(program, error, sources_);
  added["locations"] = Json::array(
      {places.empty() ? location({}) : location(places.front().place, "", places.front().process)});
  for (std::size_t i = 1; i < places.size(); ++i)
    added["relatedLocations"].push_back(
        location(places[i].place, places[i].text, places[i].process));
  add_flow(program, listed, facts, added);
  added["occurrenceCount"] = std::max<std::uint64_t>(1, error.count);
  if (!error.members.empty()) added["properties"] = {{"members", names_of(program, error.members)}};
  put(std::move(added));
}

void Sarif::add(const Program& program, const DeadStatement& dead, bool is_certain) {
  const StatementInfo& info = program.protocol.statements[dead.statement];
  const std::string_view what =
      is_certain ? "can never be executed" : "was not reached by this search";
  Json added = result("dead_code", "note", fmt::format("{} in {} {}", info.text, info.owner, what));
  added["locations"] = Json::array({location(info.place)});
  for (const StatementId other : dead.merged_with)
    added["relatedLocations"].push_back(
        location(program.protocol.statements[other].place, "merged with this one"));
  put(std::move(added));
}

// ---- the whole -----------------------------------------------------------------------------

Json rule_json(std::string_view id, std::string_view title, std::string_view help,
               std::string_view level) {
  return {{"id", id},
          {"shortDescription", {{"text", title}}},
          {"fullDescription", {{"text", help}}},
          {"help", {{"text", help}}},
          {"defaultConfiguration", {{"level", level}}}};
}

Json rules_json() {
  Json rules = Json::array();
  for (const KindInfo& info : kind_table())
    rules.push_back(rule_json(to_string(info.kind), info.title, info.help,
                              is_warning(info.kind, {}) ? "warning" : "error"));
  rules.push_back(rule_json("dead_code", "A statement that is never executed",
                            "No state that can be reached executes this statement, or a search "
                            "that did not see everything has not come to it.",
                            "note"));
  rules.push_back(rule_json("input_error", "The model is wrong",
                            "The model could not be compiled, so that nothing was checked.",
                            "error"));
  rules.push_back(rule_json("input_warning", "The model is doubtful",
                            "The model could be compiled, but probably says something else than "
                            "was meant.",
                            "warning"));
  return rules;
}

void Sarif::begin(const Json& invocation) {
  const Json rules = rules_json();
  for (std::size_t i = 0; i < rules.size(); ++i) rules_[rules[i]["id"].get<std::string>()] = i;
  out_.begin_object();
  out_.add_all({{"$schema",
                 "https://docs.oasis-open.org/sarif/sarif/v2.1.0/errata01/os/schemas/"
                 "sarif-schema-2.1.0.json"},
                {"version", "2.1.0"}});
  out_.begin_list("runs");
  out_.begin_object();
  out_.add_all(
      {{"tool",
        {{"driver", {{"name", "Panoptes"}, {"semanticVersion", version}, {"rules", rules}}}}},
       {"invocations", Json::array({invocation})},
       {"columnKind", "unicodeCodePoints"},
       {"originalUriBaseIds",
        {{"%SRCROOT%", {{"description", {{"text", "where panoptes was started"}}}}}}}});
  out_.begin_list("results");
}

void Sarif::put(Json added) {
  added["ruleIndex"] = rules_.at(added["ruleId"].get<std::string>());
  out_.add(added);
}

bool Sarif::end(const Json& properties) {
  out_.end();
  out_.add("properties", properties);
  for (int level = 0; level < 3; ++level) out_.end();  // the run, the list of runs, the log
  return out_.finish();
}

}  // namespace

bool sarif_report(const Program& program, const Verdict& verdict, const SourceSet& sources,
                  const Diagnostics& diagnostics, const RunFacts& facts, const Sink& sink) {
  Json invocation{{"executionSuccessful", true}};
  if (verdict.promise == Promise::partial || hides_errors(verdict) ||
      !narrowed_channels(program.protocol).empty())
    invocation["toolExecutionNotifications"] = Json::array(
        {{{"level", "warning"}, {"message", {{"text", verdict_sentence(program, verdict)}}}}});
  Sarif sarif(facts.model, sources, sink);
  sarif.begin(invocation);
  sarif.add(diagnostics);
  const ErrorList list(program, verdict, facts.request, trails_for_programs);
  for (const ListedError& listed : list.all()) sarif.add(program, listed, facts);
  for (const DeadStatement& dead : verdict.dead_code)
    sarif.add(program, dead, verdict.is_dead_code_certain);
  return sarif.end({{"verdict", to_string(verdict.outcome)},
                    {"promise", to_string(verdict.promise)},
                    {"states_analysed", verdict.states_analysed},
                    {"transitions", verdict.transitions},
                    {"seconds", verdict.seconds}});
}

bool sarif_input_error(const std::string& model, const SourceSet& sources,
                       const Diagnostics& diagnostics, const Sink& sink) {
  Sarif sarif(model, sources, sink);
  sarif.begin({{"executionSuccessful", false}});
  sarif.add(diagnostics);
  return sarif.end({{"verdict", "unknown"}});
}

}  // namespace panoptes
