// SPDX-License-Identifier: Apache-2.0
#include <nlohmann/json.hpp>

#include "base/json_text.hpp"
#include "protocol/sorts.hpp"
#include "report/alike_automata.hpp"
#include "report/graph_view.hpp"
#include "report/show.hpp"

namespace panoptes {
namespace {

using Json = nlohmann::ordered_json;

// The fields that say where `place` is.
Json place_fields(Place place, const SourceSet& sources) {
  const LineColumn at = sources.line_column(place);
  return {{"file", place.known() ? Json(sources.name(place.file)) : Json(nullptr)},
          {"line", at.line},
          {"column", at.column}};
}

Json automaton_json(const Program& program, const AlikeAutomata& alike, const SourceSet& sources) {
  const Automaton& automaton = *alike.automaton;
  Json states = Json::array();
  for (const ControlState& state : automaton.states) {
    Json transitions = Json::array();
    for (const Transition& t : state.transitions)
      transitions.push_back(
          {{"action", action_text(program, t, alike.wording())}, {"target", t.target}});
    Json& added = states.emplace_back(Json{{"name", state.name}});
    added.update(place_fields(state.place, sources));
    added.update({{"labels", state.labels},
                  {"is_end", state.is_end},
                  {"may_stop", state.may_stop},
                  {"labelled", state.is_labelled},
                  {"merged", state.merged},
                  {"not_accepted", not_accepted(program, state, alike.wording())},
                  {"transitions", transitions}});
  }
  return {{"raw", automaton.raw_size},
          {"without_transit_states", automaton.transit_free_size},
          {"minimised", automaton.states.size()},
          {"initial", automaton.initial},
          {"end", automaton.end},
          {"states", states}};
}

// A state by number, and where it is written.
Json state_json(const Automaton& automaton, StateId id, const SourceSet& sources) {
  Json json{{"state", id}, {"name", automaton.states[id].name}};
  json.update(place_fields(automaton.states[id].place, sources));
  return json;
}

// Of several, all names.
Json reader_name(const Program& program, const Channel& channel) {
  return channel.readers.empty() ? Json(nullptr) : Json(program.protocol.reader_names(channel));
}

Json process_name(const Program& program, ProcessId process) {
  return process == none ? Json(nullptr) : Json(program.protocol.processes[process].name);
}

std::vector<std::string> channel_names(const Program& program,
                                       const std::vector<ChannelId>& channels) {
  std::vector<std::string> names;
  for (const ChannelId c : channels) names.push_back(program.protocol.channels[c].name);
  return names;
}

Json cells_json(const ReceptionMatrix& matrix, const ReceptionMatrix::Row& row,
                const Arrivals& arrivals) {
  Json cells = Json::array();
  for (std::size_t c = 0; c < matrix.columns.size(); ++c) {
    const ReceptionMatrix::Cell& cell = row.cells[c];
    cells.push_back({{"arrival", arrival_text(matrix.columns[c], cell, arrivals.is_complete())},
                     {"accepted", to_string(cell.acceptance)},
                     {"by_default", cell.by_default},
                     {"targets", cell.targets},
                     {"hole", cell.hole ? Json(to_string(*cell.hole)) : Json(nullptr)}});
  }
  return cells;
}

// The rows of labels, where the process has some.
Json labels_json(const ReceptionMatrix& matrix, const Arrivals& arrivals) {
  Json rows = Json::array();
  if (matrix.by == RowsBy::place) return rows;
  for (const ReceptionMatrix::Row& row : matrix.rows)
    rows.push_back({{"label", row.name},
                    {"between", row.is_between},
                    {"numbers", row.states},
                    {"reached", row.is_reached},
                    {"cells", cells_json(matrix, row, arrivals)}});
  return rows;
}

Json matrix_json(const Program& program, const AlikeMatrices& alike, const SourceSet& sources,
                 const Arrivals& arrivals, const ReceptionMatrix& by_label,
                 ReceptionPolicy receptions) {
  const ReceptionMatrix& matrix = alike.matrix;
  const Automaton& automaton = *alike.processes.automaton;
  Json columns = Json::array();
  for (std::size_t c = 0; c < matrix.columns.size(); ++c) {
    const ReceptionMatrix::Column& column = matrix.columns[c];
    columns.push_back({{"channel", alike.channel_names[c]},
                       {"channels", channel_names(program, alike.channels[c])},
                       {"message", column.is_timeout() ? Json(nullptr) : Json(column.message)}});
  }
  Json rows = Json::array();
  for (StateId s = 0; s < matrix.rows.size(); ++s) {
    Json row = state_json(automaton, s, sources);
    row["reached"] = matrix.rows[s].is_reached;
    row["cells"] = cells_json(matrix, matrix.rows[s], arrivals);
    rows.push_back(std::move(row));
  }
  return {{"process", alike.processes.title},
          {"members", alike.processes.names},
          {"holes", matrix.holes(receptions).size()},
          {"columns", columns},
          {"rows", rows},
          {"labels", labels_json(by_label, arrivals)}};
}

// An object for each pair.
template <typename Value>
Json named_json(const std::vector<std::pair<std::string, Value>>& pairs, const char* name,
                const char* value) {
  Json list = Json::array();
  for (const auto& [first, second] : pairs) list.push_back({{name, first}, {value, second}});
  return list;
}

Json variables_json(const std::vector<GraphView::State::Variable>& variables) {
  Json list = Json::array();
  for (const auto& [name, value, text, is_named] : variables) {
    list.push_back({{"variable", name}, {"value", value}});
    if (is_named) list.back()["value_name"] = text;
  }
  return list;
}

Json wrong_json(const std::vector<GraphView::Wrong>& all) {
  Json list = Json::array();
  for (const GraphView::Wrong& wrong : all)
    list.push_back(
        {{"kind", to_string(wrong.kind)}, {"text", wrong.text}, {"warning", wrong.is_warning}});
  return list;
}

}  // namespace

std::string show_tables_json(const Program& program, const SourceSet& sources) {
  Json tables = Json::array();
  for (const Process& process : program.protocol.processes) {
    const TransitionTable table = transition_table(program, process.automaton);
    Json states = Json::array();
    for (const TransitionTable::Row& row : table.rows) {
      states.push_back(state_json(process.automaton, row.state, sources));
      Json next = Json::array();
      for (const auto& [action, targets] : row.next)
        next.push_back({{"action", action}, {"states", targets}});
      states.back()["next"] = std::move(next);
    }
    tables.push_back({{"process", process.name},
                      {"initial", process.automaton.initial},
                      {"end", process.automaton.end},
                      {"actions", table.actions},
                      {"states", states}});
  }
  return json_text(Json{{"schema", "panoptes-tables-1"}, {"tables", tables}});
}

std::string show_backward_tables_json(const Program& program, const SourceSet& sources) {
  Json tables = Json::array();
  for (ProcessId p = 0; p < program.protocol.processes.size(); ++p) {
    const Process& process = program.protocol.processes[p];
    const BackwardTable table = backward_table(program, p);
    Json rows = Json::array();
    for (const BackwardTable::Row& row : table.rows) {
      Json& added = rows.emplace_back(Json{{"row", rows.size()}});
      added.update(state_json(process.automaton, row.state, sources));
      Json back = Json::array();
      for (const BackwardTable::Step& step : row.back)
        back.push_back({{"action", step.action}, {"row", step.row}, {"rule", step.rule}});
      added["back"] = std::move(back);
    }
    tables.push_back({{"process", process.name},
                      {"starts", table.starts},
                      {"end", table.end},
                      {"actions", table.actions},
                      {"rows", rows}});
  }
  return json_text(Json{{"schema", "panoptes-backward-tables-1"}, {"tables", tables}});
}

std::string show_channels_json(const Program& program) {
  const std::vector<ChannelUse> uses = channel_uses(program);
  Json list = Json::array();
  for (ChannelId c = 0; c < uses.size(); ++c) {
    const Channel& channel = program.protocol.channels[c];
    Json senders = Json::array();
    for (const ChannelUse::Sender& sender : uses[c].senders)
      senders.push_back(
          {{"process", process_name(program, sender.process)}, {"messages", sender.texts()}});
    list.push_back({{"name", channel.name},
                    {"capacity", channel.capacity},
                    {"sink", channel.is_sink},
                    {"senders", senders},
                    {"reader", reader_name(program, channel)},
                    {"default", uses[c].takes_default},
                    {"timeout", uses[c].has_timeout},
                    {"never_received", uses[c].never_received},
                    {"never_sent", uses[c].never_sent}});
  }
  return json_text(Json{{"schema", "panoptes-channels-1"},
                        {"channels", list},
                        {"silent_processes", silent_processes(program)}});
}

std::string show_holes_json(const Program& program, const SourceSet& sources,
                            const Arrivals& arrivals, ReceptionPolicy receptions) {
  Json matrices = Json::array();
  const std::vector<Traffic> traffic = collect_traffic(program.protocol);
  for (const AlikeMatrices& alike : alike_matrices(program, arrivals, RowsBy::place))
    matrices.push_back(matrix_json(
        program, alike, sources, arrivals,
        reception_matrix(program, alike.processes.members[0], traffic, arrivals, RowsBy::label),
        receptions));
  return json_text(Json{{"schema", "panoptes-holes-1"},
                        {"complete", arrivals.is_complete()},
                        {"ended_by", to_string(arrivals.stop)},
                        {"failing_steps", arrivals.has_failures},
                        {"state_count", arrivals.states},
                        {"receptions", to_string(receptions)},
                        {"matrices", matrices}});
}

std::string show_automata_json(const Program& program, const SourceSet& sources) {
  Json json{{"schema", "panoptes-automata-1"}};
  json["processes"] = Json::array();
  for (const AlikeAutomata& alike : alike_processes(program)) {
    Json entry{{"name", alike.title}, {"members", alike.names}};
    entry.update(automaton_json(program, alike, sources));
    json["processes"].push_back(std::move(entry));
  }
  json["assertions"] = Json::array();
  for (const AlikeAutomata& alike : alike_assertions(program)) {
    Json entry{{"name", alike.title},
               {"members", alike.names},
               {"subsets", program.protocol.assertions[alike.members[0]].next.size()}};
    entry.update(automaton_json(program, alike, sources));
    json["assertions"].push_back(std::move(entry));
  }
  json["channels"] = Json::array();
  for (const Channel& channel : program.protocol.channels) {
    Json sort = Json::array();
    for (const MessageType& type : channel.sort) sort.push_back(message_name(type));
    json["channels"].push_back({{"name", channel.name},
                                {"capacity", channel.capacity},
                                {"sink", channel.is_sink},
                                {"sort", sort},
                                {"reader", reader_name(program, channel)}});
  }
  json["worst_case_log10"] = worst_case_log10(program.protocol);
  return json_text(json);
}

std::string show_rules_json(const Program& program) {
  Json rules = Json::array();
  const Protocol& protocol = program.protocol;
  for (RuleId id = 0; id < program.rules.size(); ++id) {
    const Rule& rule = program.rules[id];
    const Footprint foot = footprint(program, rule);
    const auto variables = [&](const std::vector<VariableId>& list) {
      Json names = Json::array();
      for (const VariableId v : list) names.push_back(protocol.variables[v].name);
      return names;
    };
    const auto channel = [&](ChannelId c) {
      return c == none ? Json(nullptr) : Json(protocol.channels[c].name);
    };
    rules.push_back({{"rule", id},
                     {"process", protocol.processes[rule.owner().process].name},
                     {"class", program.class_of(id)},
                     {"text", rule.text},
                     {"when", rule_conditions(program, id)},
                     {"then", rule_effects(program, rule)},
                     {"reads", variables(foot.reads)},
                     {"writes", variables(foot.writes)},
                     {"sends_to", channel(foot.sends_to)},
                     {"receives_from", channel(foot.receives_from)}});
  }
  return json_text(Json{{"schema", "panoptes-rules-1"}, {"rules", rules}});
}

std::string show_layout_json(const Program& program) {
  Json list = Json::array();
  for (const Part& part : parts(program))
    list.push_back({{"name", part.name},
                    {"kind", part.kind},
                    {"word", part.word},
                    {"shift", part.shift},
                    {"bits", part.bits},
                    {"values", part.values}});
  return json_text(Json{{"schema", "panoptes-layout-1"},
                        {"bits", program.layout.bits},
                        {"words", program.layout.words},
                        {"parts", list}});
}

std::string show_graph_json(const Program& program, const GlobalGraph& graph,
                            const SourceSet& sources, const Strictness& strictness) {
  const GraphView view = graph_view(program, graph, sources, strictness);
  Json nodes = Json::array(), edges = Json::array();
  for (std::uint64_t s = 0; s < view.states.size(); ++s) {
    const GraphView::State& state = view.states[s];
    nodes.push_back({{"state", s},
                     {"control", named_json(state.control, "process", "state")},
                     {"in_channels", named_json(state.channels, "channel", "contents")},
                     {"variables", variables_json(state.variables)},
                     {"in_assertions", named_json(state.assertions, "assertion", "subset")},
                     {"may_end", state.may_end},
                     {"wrong", wrong_json(state.wrong)},
                     {"expanded", state.is_expanded},
                     {"steps_left_out", state.left_out}});
  }
  for (const GraphView::Step& step : view.steps)
    edges.push_back({{"source", step.source},
                     {"target", step.wrong.empty() ? Json(step.target) : nullptr},
                     {"process", step.process},
                     {"action", step.action},
                     {"rule", step.rule},
                     {"wrong", wrong_json(step.wrong)}});
  return json_text(Json{{"schema", "panoptes-graph-1"},
                        {"counted", graph.is_counted()},
                        {"ended_by", to_string(graph.stop())},
                        {"state_count", graph.state_count},
                        {"transition_count", graph.transition_count},
                        {"findings_left_out", graph.findings_left_out},
                        {"nodes", nodes},
                        {"edges", edges}});
}

}  // namespace panoptes
