// SPDX-License-Identifier: Apache-2.0
#include "report/json.hpp"

#include <algorithm>
#include <nlohmann/json.hpp>

#include "base/json_text.hpp"
#include "protocol/fairness.hpp"
#include "report/alike_text.hpp"
#include "report/json_stream.hpp"
#include "rules/values.hpp"
#include "verdict/causality.hpp"

namespace panoptes {
namespace {

using Json = nlohmann::ordered_json;
using Stream = JsonStream<Json>;

Json place_json(Place place, const SourceSet& sources) {
  if (!place.known()) return nullptr;
  const LineColumn at = sources.line_column(place);
  return {{"file", sources.name(place.file)}, {"line", at.line}, {"column", at.column}};
}

Json changes_json(const Program& program, StateView before, StateView after) {
  Json list = Json::array();
  const Protocol& protocol = program.protocol;
  for (const auto& [variable, old, value] : changed_variables(program, before, after)) {
    list.push_back(
        {{"variable", variable_name(protocol, variable)}, {"before", old}, {"after", value}});
    if (protocol.variables[variable].enumeration == none) continue;
    list.back()["before_name"] = value_text(protocol, variable, old);
    list.back()["after_name"] = value_text(protocol, variable, value);
  }
  return list;
}

// What is in the channels that are not empty.
Json contents_json(const Program& program, StateView state) {
  Json channels = Json::array();
  for (ChannelId c = 0; c < program.protocol.channels.size(); ++c)
    if (const auto text = contents_text(program, c, state); !text.empty())
      channels.push_back({{"channel", program.protocol.channels[c].name}, {"contents", text}});
  return channels;
}

// A whole state.
Json state_json(const Program& program, StateView state, const Whereabouts& whereabouts,
                const SourceSet& sources) {
  Json control = Json::array(), variables = Json::array();
  for (ProcessId p = 0; p < program.control.size(); ++p) {
    const auto id = static_cast<StateId>(read(program.layout.control[p], state));
    control.push_back({{"process", program.protocol.processes[p].name},
                       {"state", program.state(p, id).name},
                       {"at", position_text(program, p, id, places_of(whereabouts, p), sources)}});
  }
  for (VariableId v = 0; v < program.layout.variables.size(); ++v) {
    const std::int64_t value = read(program.layout.variables[v], state);
    variables.push_back({{"variable", variable_name(program.protocol, v)}, {"value", value}});
    if (program.protocol.variables[v].enumeration != none)
      variables.back()["value_name"] = value_text(program.protocol, v, value);
  }
  return {
      {"control", control}, {"variables", variables}, {"contents", contents_json(program, state)}};
}

Json initial_json(const Program& program, const SourceSet& sources) {
  return state_json(program, program.initial, Positions(program).of_all(), sources);
}

// Follows a trail. Where whole states are wanted, each goes to the step behind which it is, null to
// one that fails.
class StateFollower {
 public:
  // `start`: where everybody is before the first step; none in the initial state.
  StateFollower(const Program& program, const SourceSet& sources, bool is_wanted,
                const Whereabouts& start)
      : program_(program),
        sources_(sources),
        is_wanted_(is_wanted),
        whereabouts_(start.empty() ? Positions(program).of_all() : start) {}

  // Where a process is.
  const std::vector<StateId>& at(ProcessId process) const { return whereabouts_[process]; }

  void add_state(const Trail& trail, std::size_t index, Json& step) {
    const bool fails = trail.ends_in_failure && index + 1 == trail.steps.size();
    const Rule& rule = program_.rules[trail.steps[index].rule];
    whereabouts_[rule.owner().process] = trail.steps[index].to;
    if (!fails) move_others(program_, rule, whereabouts_);
    if (is_wanted_)
      step["state"] =
          fails ? Json(nullptr) : state_json(program_, trail.after(index), whereabouts_, sources_);
  }

 private:
  const Program& program_;
  const SourceSet& sources_;
  bool is_wanted_;
  Whereabouts whereabouts_;
};

// The step `index` of a trail, which `states` has followed so far.
Json step_json(const Program& program, const Trail& trail, std::size_t index,
               const StateFollower& states, bool is_concurrent, const SourceSet& sources) {
  const TrailStep& step = trail.steps[index];
  const bool is_last = index + 1 == trail.steps.size();
  const bool fails = trail.ends_in_failure && is_last;
  const Rule& rule = program.rules[step.rule];
  Json json{{"step", index + 1},
            {"process", program.protocol.processes[rule.owner().process].name},
            {"kind", step_kind(rule.kind)},
            {"action", rule.text},
            {"from", position_text(program, rule.owner().process, rule.owner().from,
                                   states.at(rule.owner().process), sources)},
            {"to", fails ? Json(nullptr)
                         : Json(position_text(program, rule.owner().process, rule.owner().to,
                                              step.to, sources))},
            {"place", place_json(place_of(program, step), sources)},
            {"rule", step.rule},
            {"changes", changes_json(program, step.before, trail.after(index))},
            {"concurrent", is_concurrent}};
  if (rule.channel != none) json["channel"] = program.protocol.channels[rule.channel].name;
  if (!step.message.empty()) json["message"] = step.message;
  if (rule.kind == ActionKind::send)
    json["received_at_step"] = step.taken_at ? Json(*step.taken_at + 1) : Json(nullptr);
  return json;
}

// The steps of a trail; `needed` says which of them the error at its end needs, or is empty where
// there is none.
void add_trail(const Program& program, std::string_view key, const Trail& trail,
               const std::vector<bool>& needed, const SourceSet& sources, StateFollower states,
               Stream& out) {
  out.begin_list(key);
  for (std::size_t i = 0; i < trail.steps.size(); ++i) {
    Json step = step_json(program, trail, i, states, !needed.empty() && !needed[i], sources);
    states.add_state(trail, i, step);
    out.add(step);
  }
  out.end();
}

Json description_json(const ErrorDescription& d) {
  return {{"kind", to_string(d.kind)}, {"process", d.process}, {"state", d.state},
          {"state_place", d.place},    {"message", d.message}, {"text", d.text}};
}

// How things stand then.
Json last_json(const Program& program, const ErrorReport& error, const SourceSet& sources) {
  return state_json(program, error.trail.last, error.trail.whereabouts, sources);
}

// Steps, and how things stand behind them; or why they are left out.
void add_way(const Program& program, const ListedError& listed, const SourceSet& sources,
             const RunFacts& facts, Stream& out) {
  const TrailGap gap = gap_of(listed, facts);
  if (gap != TrailGap::no_gap) {
    out.add("trail", nullptr);
    out.add("trail_left_out", to_string(gap));
    return;
  }
  const WholeError whole(program, *listed.error);
  add_trail(program, "trail", whole->trail, needed_by(program, whole->trail, whole->finding),
            sources, {program, sources, facts.show_states, {}}, out);
  if (!whole->cycle.steps.empty())
    add_trail(program, "cycle", whole->cycle, {}, sources,
              {program, sources, facts.show_states, whole->trail.whereabouts}, out);
}

void add_error(const Program& program, const ListedError& listed, const SourceSet& sources,
               const RunFacts& facts, Stream& out) {
  const ErrorReport& error = *listed.error;
  out.begin_object();
  out.add("number", listed.number);
  const ErrorDescription& d = error.description;
  out.add("kind", to_string(d.kind));
  out.add("process", d.process);
  out.add("state", d.state);
  out.add("state_place", d.place);
  out.add("message", d.message);
  out.add("text", d.text);
  // A thousand states of a thousand processes take their time, too.
  if (listed.has_trail && !facts.deadline.has_passed())
    out.add("last_state", last_json(program, error, sources));
  const auto events = error.event_count(program);
  out.add("count", error.count > 0 ? Json(error.count) : Json(nullptr));
  out.add("members", names_of(program, error.members));
  out.add("events", events ? Json(*events) : Json(nullptr));
  out.add("steps", error.step_count());
  out.add("depth", error.search_step_count());
  out.add("shortest", error.is_shortest);
  if (!error.cause.empty()) out.add("cause", error.cause);
  add_way(program, listed, sources, facts, out);
  out.end();
}

Json diagnostics_json(const SourceSet& sources, const Diagnostics& diagnostics) {
  Json list = Json::array();
  for (const Diagnostic& d : diagnostics.all())
    list.push_back({{"kind", d.severity == Severity::error ? "input_error" : "input_warning"},
                    {"place", place_json(d.place, sources)},
                    {"text", d.message},
                    {"suggestion", d.suggestion}});
  return list;
}

Json dead_json(const Program& program, const DeadStatement& dead, const SourceSet& sources) {
  const StatementInfo& info = program.protocol.statements[dead.statement];
  Json merged = Json::array();
  for (const StatementId other : dead.merged_with)
    merged.push_back(place_json(program.protocol.statements[other].place, sources));
  return {{"owner", info.owner},
          {"statement", info.text},
          {"place", place_json(info.place, sources)},
          {"merged_with", merged}};
}

Json dead_json(const Program& program, const DeadInMembers& dead, const SourceSet& sources) {
  const StatementInfo& info = program.protocol.statements[dead.statement];
  return {{"owner", info.owner},
          {"statement", info.text},
          {"place", place_json(info.place, sources)},
          {"members", names_of(program, dead.members)}};
}

// By the symbols of the table they are from.
Json parameters_json(const Verdict& verdict) {
  const Parameters& p = verdict.parameters;
  return {{"M", p.memory_bytes},
          {"R", verdict.is_distinct ? Json(verdict.states) : nullptr},
          {"S", p.bytes_per_state},
          {"L", p.successors_per_state},
          {"E", p.seconds_per_state},
          {"D", p.sequence_states},
          {"D_max", p.longest_sequence_states}};
}

Json cache_json(const CacheReport& cache) {
  return {{"places", cache.places},
          {"given_up", cache.given_up},
          {"nearer", cache.nearer},
          {"looked_at", cache.looked_at},
          {"replacement_share", cache.replacement_share}};
}

double per(std::uint64_t all, std::uint64_t each) {
  return each == 0 ? 0.0 : static_cast<double>(all) / static_cast<double>(each);
}

Json cluster_json(const ClusterReport& cluster, std::uint64_t transitions) {
  const auto by_rank = [&](double ClusterReport::Seconds::*what) {
    Json list = Json::array();
    for (const ClusterReport::Seconds& seconds : cluster.seconds) list.push_back(seconds.*what);
    return list;
  };
  return {{"ranks", cluster.states.size()},
          {"states_by_rank", cluster.states},
          {"dividing_seconds", cluster.dividing_seconds},
          {"waiting_seconds_by_rank", by_rank(&ClusterReport::Seconds::waiting)},
          {"handing_over_seconds_by_rank", by_rank(&ClusterReport::Seconds::handing_over)},
          {"taking_in_seconds_by_rank", by_rank(&ClusterReport::Seconds::taking_in)},
          {"states_handed_over", cluster.handed_over},
          {"states_lent", cluster.lent},
          {"sent_bytes", cluster.sent_bytes},
          {"sent_bytes_per_transition", per(cluster.sent_bytes, transitions)},
          {"state_bytes", cluster.state_bytes}};
}

Json relational_json(const RelationalReport& report) {
  return {{"engine", report.engine},
          {"faulty_states", report.faulty_states},
          {"search_seconds", report.search_seconds}};
}

Json backward_json(const Program& program, const BackwardReport& report, const SourceSet& sources) {
  Json pruning = Json::array(), targets = Json::array();
  for (const auto& [step, left] : report.left) pruning.push_back({{"step", step}, {"left", left}});
  for (const BackwardReport::Target& target : report.targets) {
    Json trail = nullptr, steps = nullptr;
    if (!target.ways.empty()) {
      trail = Json::array();
      steps = target.ways.front().size();
      for (const RuleId rule : target.ways.front()) trail.push_back(program.rules[rule].text);
    }
    targets.push_back({{"what", target.what},
                       {"place", place_json(target.place, sources)},
                       {"answer", target.answer},
                       {"by", target.by},
                       {"reason", target.reason},
                       {"ways", target.ways.size()},
                       {"steps", steps},
                       {"trail", trail}});
  }
  return {{"engine", report.engine},
          {"candidates", report.left.empty() ? 0 : report.left.front().second},
          {"after_pruning", report.left.empty() ? 0 : report.left.back().second},
          {"pruning", pruning},
          {"targets", targets},
          {"facts", report.facts},
          {"sample_states", report.sample_states},
          {"questions", report.questions},
          {"claims_excluded", report.claims},
          {"reason", report.reason}};
}

// Channels with fewer slots than the model gives them.
Json narrowed_json(const Protocol& protocol) {
  Json list = Json::array();
  for (const Channel& channel : protocol.channels)
    if (channel.capacity < channel.declared_capacity)
      list.push_back({{"channel", channel.name},
                      {"slots", channel.capacity},
                      {"declared", channel.declared_capacity}});
  return list;
}

// What the line of each channel does that has one.
Json lines_json(const Protocol& protocol) {
  Json list = Json::array();
  for (const Channel& channel : protocol.channels)
    if (channel.capacity > 0)
      list.push_back({{"channel", channel.name},
                      {"lossy", channel.is_lossy},
                      {"duplicating", channel.is_duplicating},
                      {"reordering", channel.is_reordering}});
  return list;
}

Json properties_json(const Verdict& verdict) {
  Json list = Json::array();
  for (const PropertyReport& property : verdict.properties) {
    Json json{{"name", property.name},
              {"formula", property.formula},
              {"verdict", to_string(property.answer)}};
    if (!property.reason.empty()) json["reason"] = property.reason;
    if (property.product_states > 0) {
      json["automaton_states"] = property.automaton_states;
      json["product_states"] = property.product_states;
    }
    list.push_back(std::move(json));
  }
  return list;
}

Json graph_json(const GraphReport& graph) {
  const auto known = [&](std::uint64_t number) {
    return graph.is_complete ? Json(number) : Json(nullptr);
  };
  return {{"links", graph.links},
          {"bytes", graph.bytes},
          {"complete", graph.is_complete},
          {"cyclic_components", known(graph.cyclic_components)},
          {"cyclic_states", known(graph.cyclic_states)},
          {"largest_component", known(graph.largest_component)},
          {"livelocked_states", known(graph.livelocked_states)}};
}

// The steps of a trail with what each leaves in the channels.
void add_walk(const Program& program, std::string_view key, const Trail& trail,
              const SourceSet& sources, StateFollower states, Stream& out) {
  out.begin_list(key);
  for (std::size_t i = 0; i < trail.steps.size(); ++i) {
    const bool fails = trail.ends_in_failure && i + 1 == trail.steps.size();
    Json step = step_json(program, trail, i, states, false, sources);
    step.erase("concurrent");  // with what?
    step["contents"] = fails ? Json::array() : contents_json(program, trail.after(i));
    states.add_state(trail, i, step);
    out.add(step);
  }
  out.end();
}

Json reductions_json(const ReductionReport& reductions) {
  return {{"used", reductions.used},
          {"unused", reductions.unused},
          {"steps_left_out",
           reductions.steps_left_out ? Json(*reductions.steps_left_out) : Json(nullptr)}};
}

Json shortest_json(const ShortestReport& report) {
  return {{"depth", report.depth},
          {"states", report.states},
          {"seconds", report.seconds},
          {"stop", to_string(report.ended)}};
}

// Who begins at what must not happen visits no state.
Json states_per(double seconds, const Verdict& verdict) {
  if (verdict.backward) return nullptr;
  const auto analysed = static_cast<double>(std::max<std::uint64_t>(1, verdict.states_analysed));
  return seconds > 0.0 ? analysed / seconds : 0.0;
}

Json bytes_per_state(const Verdict& verdict, const RunFacts& facts) {
  if (verdict.backward) return nullptr;
  const std::uint64_t states = verdict.is_distinct ? verdict.states : verdict.states_analysed;
  return static_cast<double>(facts.memory_bytes) /
         static_cast<double>(std::max<std::uint64_t>(1, states));
}

// What was searched, how it ended and what it took.
void add_search(const Program& program, const Verdict& verdict,
                const std::map<std::string, std::string>& options, const RunFacts& facts,
                Stream& out) {
  const std::optional<Coverage>& coverage = verdict.coverage;
  out.add_all({
      {"schema", "panoptes-check-1"},
      {"model", facts.model},
      {"verdict", to_string(verdict.outcome)},
      {"promise", to_string(verdict.promise)},
      {"stop", to_string(verdict.stop)},
      {"reductions", reductions_json(verdict.reductions)},
      {"symmetry",
       verdict.reductions.symmetry.empty() ? Json(nullptr) : Json(verdict.reductions.symmetry)},
      {"shortest_search", verdict.shortest ? shortest_json(*verdict.shortest) : Json(nullptr)},
      {"remedies", facts.remedies},
      {"narrowed", narrowed_json(program.protocol)},
      {"states", verdict.is_distinct ? Json(verdict.states) : Json(nullptr)},
      {"states_analysed", verdict.states_analysed},
      {"states_waiting", verdict.states_waiting},
      {"successors_waiting", verdict.successors_waiting},
      {"dropped", verdict.dropped},
      {"needed_bytes", verdict.needed_bytes > 0 ? Json(verdict.needed_bytes) : Json(nullptr)},
      {"kept", to_string(verdict.kept)},
      {"expected_omissions",
       verdict.expected_omissions ? Json(*verdict.expected_omissions) : Json(nullptr)},
      {"coverage", coverage ? Json(coverage->at_most) : Json(nullptr)},
      {"states_at_least", coverage ? Json(coverage->states_at_least) : Json(nullptr)},
      {"states_together", coverage ? Json(coverage->states_together) : Json(nullptr)},
      {"sampled_states", coverage ? Json(coverage->sampled_states) : Json(nullptr)},
      {"sampled_share", coverage ? Json(coverage->sampled_share) : Json(nullptr)},
      {"runs", verdict.runs},
      {"transitions", verdict.transitions},
      {"depth", verdict.depth},
      {"depth_limit", verdict.depth_limit > 0 ? Json(verdict.depth_limit) : Json(nullptr)},
      {"unexpanded", verdict.unexpanded},
      {"state_bits", program.layout.bits},
      {"memory_bytes", facts.memory_bytes},
      {"fixed_bytes", facts.fixed_bytes},
      {"store_bytes", verdict.store_bytes},
      {"trail_bytes", verdict.trail_bytes},
      {"frontier_bytes", verdict.frontier_bytes},
      {"bytes_per_state", bytes_per_state(verdict, facts)},
      {"seconds", verdict.seconds},
      {"processor_seconds", verdict.processor_seconds},
      {"states_per_second", states_per(verdict.seconds, verdict)},
      {"states_per_processor_second", states_per(verdict.processor_seconds, verdict)},
      {"first_error_states", verdict.first_error_states},
      {"first_error_seconds", verdict.first_error_seconds},
      {"parameters", parameters_json(verdict)},
      {"options", options},
  });
}

// What is wrong, and what nobody can execute.
void add_findings(const Program& program, const Verdict& verdict, const SourceSet& sources,
                  const Diagnostics& diagnostics, const RunFacts& facts, Stream& out) {
  const ErrorList list(program, verdict, facts.request, trails_for_programs);
  const auto add_errors = [&](std::size_t begin, std::size_t end) {
    for (std::size_t i = begin; i < end; ++i)
      add_error(program, list.all()[i], sources, facts, out);
  };
  out.begin_list("errors");
  add_errors(0, verdict.errors.size());
  out.end();
  out.add("findings_left_out", verdict.findings_left_out);
  out.begin_list("warnings");
  for (const Json& warning : diagnostics_json(sources, diagnostics)) out.add(warning);
  add_errors(verdict.errors.size(), list.all().size());
  out.end();
  out.begin_list("dead_code");
  for (const DeadStatement& dead : verdict.dead_code) out.add(dead_json(program, dead, sources));
  out.end();
  out.add("dead_code_certain", verdict.is_dead_code_certain);
  out.begin_list("dead_in_members");
  for (const DeadInMembers& dead : verdict.dead_in_members)
    out.add(dead_json(program, dead, sources));
  out.end();
}

}  // namespace

std::string_view step_kind(ActionKind kind) {
  switch (kind) {
    case ActionKind::send: return "send";
    case ActionKind::receive:
    case ActionKind::receive_default: return "receive";
    case ActionKind::timeout: return "timeout";
    case ActionKind::flush: return "flush";
    case ActionKind::lose: return "lose";
    case ActionKind::copy: return "copy";
    case ActionKind::check: return "assert";
    case ActionKind::internal:
    case ActionKind::bad_index: return "internal";
  }
  return "";
}

bool json_report(const Program& program, const Verdict& verdict, const SourceSet& sources,
                 const Diagnostics& diagnostics, const std::map<std::string, std::string>& options,
                 const RunFacts& facts, const Sink& sink) {
  Stream out(sink);
  out.begin_object();
  add_search(program, verdict, options, facts, out);
  if (program.protocol.has_given_lines) out.add("lines", lines_json(program.protocol));
  if (facts.show_states) out.add("initial_state", initial_json(program, sources));
  add_findings(program, verdict, sources, diagnostics, facts, out);
  if (!verdict.properties.empty()) {
    out.add("fairness", fairness_text(program.protocol.fairness));
    out.add("properties", properties_json(verdict));
  }
  if (verdict.graph) out.add("graph", graph_json(*verdict.graph));
  if (verdict.cluster) out.add("cluster", cluster_json(*verdict.cluster, verdict.transitions));
  if (verdict.relational) out.add("relational", relational_json(*verdict.relational));
  if (!facts.confirmation.empty()) out.add("confirmed", facts.confirmation);
  if (verdict.backward) {
    Json backward = backward_json(program, *verdict.backward, sources);
    for (const char* const field : {"candidates", "after_pruning", "targets"}) {
      out.add(field, backward.at(field));
      backward.erase(field);
    }
    out.add("backward", backward);
  }
  if (verdict.cache) out.add("cache", cache_json(*verdict.cache));
  if (!verdict.recurrence.empty())
    out.add("recurrence",
            std::vector<std::uint64_t>(verdict.recurrence.begin() + 1, verdict.recurrence.end()));
  out.end();
  return out.finish();
}

bool json_run(const Program& program, const RunReport& run, const SourceSet& sources,
              const Sink& sink) {
  Json error = nullptr;
  if (run.error) {
    error = description_json(run.error->description);
    error["last_state"] = last_json(program, *run.error, sources);
    error["cause"] = run.error->cause;
    error["warning"] = run.error->is_warning;
  }
  Stream out(sink);
  out.begin_object();
  out.add_all({{"schema", "panoptes-run-1"},
               {"model", run.model},
               {"options", run.options},
               {"end", run.end},
               {"error", std::move(error)}});
  if (run.show_states) out.add("initial_state", initial_json(program, sources));
  add_walk(program, "steps", run.trail, sources, {program, sources, run.show_states, {}}, out);
  if (run.error && !run.error->cycle.steps.empty())
    add_walk(program, "cycle", run.error->cycle, sources,
             {program, sources, run.show_states, run.error->trail.whereabouts}, out);
  out.end();
  return out.finish();
}

std::string json_unknown(const std::string& model, Stop stop) {
  return json_text(Json{{"schema", "panoptes-check-1"},
                        {"model", model},
                        {"verdict", to_string(Outcome::unknown)},
                        {"promise", to_string(Promise::partial)},
                        {"stop", to_string(stop)},
                        {"states", 0},
                        {"errors", Json::array()}});
}

std::string json_input_error(const std::string& model, const SourceSet& sources,
                             const Diagnostics& diagnostics) {
  return json_text(Json{{"schema", "panoptes-check-1"},
                        {"model", model},
                        {"verdict", "unknown"},
                        {"promise", "partial"},
                        {"errors", diagnostics_json(sources, diagnostics)}});
}

}  // namespace panoptes
