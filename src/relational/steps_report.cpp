// SPDX-License-Identifier: Apache-2.0
#include "relational/steps_report.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cctype>
#include <nlohmann/json.hpp>

#include "base/json_text.hpp"

namespace panoptes {
namespace {

using Json = nlohmann::ordered_json;

std::string counted(std::uint64_t number, const std::string& what) {
  std::string digits = std::to_string(number);
  for (std::size_t i = digits.size(); i > 3; i -= 3) digits.insert(i - 3, 1, ',');
  return fmt::format("{} {}{}", digits, what, number == 1 ? "" : "s");
}

std::string step_title(const StepsReport& report, int step) {
  const std::uint32_t a = report.protocol.a.capacity, b = report.protocol.b.capacity;
  switch (step) {
    case 1:
      return report.protocol.is_extended ? "what each process does, by states and procedures"
                                         : "what each process transmits and receives";
    case 2: return "the steady system, one message at a time";
    case 3: return "its transmissions and receptions one by one";
    case 4:
      return a == b ? fmt::format("up to {} in each channel", counted(a, "message"))
                    : fmt::format("up to {} to A and {} to B", counted(a, "message"), b);
    case 5: return "what is wrong";
    default: return "the ways there, backwards from what is wrong";
  }
}

std::string capitals(std::string text) {
  for (char& c : text) c = static_cast<char>(std::toupper(static_cast<unsigned char>(c)));
  return text;
}

// present_b_to_a_1 is PRESENT, B_TO_A, [1], one below the other, and a variable its name and
// process.
std::vector<std::string> heading(std::string column, const TwoProcess& protocol) {
  std::vector<std::string> words;
  const auto take = [&](const std::string& prefix) {
    if (!column.starts_with(prefix)) return;
    words.push_back(capitals(prefix.substr(0, prefix.size() - 1)));
    column.erase(0, prefix.size());
  };
  take(at_present);
  take(in_future);
  for (const TwoProcess::Attribute& attribute : protocol.attributes) {
    if (attribute.column != column) continue;
    words.push_back(attribute.name);
    words.push_back(attribute.process);
    return words;
  }
  for (const char* prefix : {"state_", "trigger_", "procedure_", "steps_"}) take(prefix);
  const std::size_t at = column.find("_to_");
  if (at == std::string::npos) {
    words.push_back(capitals(column));
    return words;
  }
  const std::size_t channel = at + std::string_view("_to_a").size();
  words.push_back(capitals(column.substr(0, channel)));
  const std::size_t value = column.find("_value_");
  words.push_back(fmt::format("[{}]", column.substr(channel + 1, value - channel - 1)));
  if (value != std::string::npos)
    words.push_back(fmt::format("value {}", column.substr(value + 7)));
  return words;
}

std::string line(const std::vector<std::string>& cells, const std::vector<std::size_t>& widths) {
  std::string out = " ";
  for (std::size_t c = 0; c < cells.size(); ++c)
    out += fmt::format(" {:<{}}", cells[c], widths[c] + 1);
  out.erase(out.find_last_not_of(' ') + 1);
  return out + "\n";
}

std::string table_text(const StepsReport::Shown& shown, const TwoProcess& protocol) {
  std::vector<std::vector<std::string>> headings;
  std::vector<std::size_t> widths;
  std::size_t height = 0;
  for (std::size_t c = 0; c < shown.relation.columns.size(); ++c) {
    headings.push_back(heading(shown.relation.columns[c], protocol));
    height = std::max(height, headings.back().size());
    widths.push_back(0);
    for (const std::string& word : headings.back()) widths[c] = std::max(widths[c], word.size());
    for (const auto& row : shown.rows) widths[c] = std::max(widths[c], row[c].size());
  }
  std::string out;
  for (std::size_t i = 0; i < height; ++i) {
    std::vector<std::string> cells;
    for (const auto& words : headings) cells.push_back(i < words.size() ? words[i] : "");
    out += line(cells, widths);
  }
  for (const auto& row : shown.rows) out += line(row, widths);
  return out;
}

std::string relation_text(const StepsReport::Shown& shown, const TwoProcess& protocol) {
  const StepRelation& relation = shown.relation;
  std::string out =
      fmt::format("{}: {}, {}", relation.name, relation.meaning, counted(relation.rows, "row"));
  if (relation.rounds > 0) out += fmt::format(" in {}", counted(relation.rounds, "join"));
  if (!relation.is_built) return out + ", counted and not built\n";
  out += "\n";
  if (!shown.rows.empty()) out += table_text(shown, protocol);
  if (relation.rows > shown.rows.size())
    out += fmt::format("  ... and {}\n", counted(relation.rows - shown.rows.size(), "row"));
  return out;
}

std::string side_text(const std::string& name, const TwoProcess::Side& side,
                      const std::string& channel) {
  const std::string out = fmt::format("{} is process {}", name, side.process);
  if (side.channel.empty()) return out + "; nothing is sent to it\n";
  return out + fmt::format("; {} is channel {} with {}\n", channel, side.channel,
                           counted(side.capacity, "slot"));
}

// The sizes by which the paper compares protocols.
std::string sizes_text(const StepsReport& report) {
  const auto size = [&](const std::string& table) {
    for (const StepsReport::Shown& shown : report.relations)
      if (shown.relation.table == table) return shown.relation.rows;
    return std::uint64_t{0};
  };
  std::string others;
  for (const auto& [name, table] : {std::pair("I", "i_"), {"T", "t_"}}) {
    const std::uint64_t a = size(table + std::string("a")), b = size(table + std::string("b"));
    if (a + b > 0) others += fmt::format("|{}| {} of A, {} of B; ", name, a, b);
  }
  return fmt::format("\n|H + R| {} of A, {} of B; {}|Z| {}, |J| {}, |G| {}, |S| {}\n",
                     size("h_a") + size("r_a"), size("h_b") + size("r_b"), others, size("z"),
                     size("j"), size("g"), size("s"));
}

std::string paths_text(const FaultyPaths& paths) {
  if (paths.found == 0 && paths.is_all) return "Nothing is wrong, so there is no faulty path.\n";
  const std::string found = counted(paths.found, "path");
  if (!paths.is_all)
    return fmt::format(
        "More than {} visit no state twice, and not all were counted; the {} shortest are here.\n",
        found, paths.listed);
  if (paths.listed < paths.found)
    return fmt::format("{} visit no state twice; the {} shortest are here.\n", found, paths.listed);
  return paths.found == 1 ? "No other path gets there without visiting a state twice.\n"
                          : fmt::format("These {} are all that visit no state twice.\n", found);
}

Json side_json(const TwoProcess::Side& side) {
  return {{"process", side.process},
          {"initial", side.states[side.initial]},
          {"channel", side.channel},
          {"capacity", side.capacity}};
}

}  // namespace

bool StepsReport::finds_errors() const {
  return std::any_of(relations.begin(), relations.end(), [](const Shown& shown) {
    const std::string& table = shown.relation.table;
    return shown.relation.rows > 0 &&
           (table == "deadlocks" || table == "unspecified_receptions" || table == "failures");
  });
}

DatabaseResult<StepsReport> steps_report(FiveSteps& steps, std::uint64_t most_rows) {
  StepsReport report;
  const NamedSteps names(steps.protocol());
  report.protocol = steps.protocol();
  for (const StepRelation& relation : steps.relations()) {
    auto rows = names.first_rows(relation, steps.tables().engine(),
                                 relation.table == "paths" ? relation.rows : most_rows);
    if (!rows) return rows.failure();
    report.relations.push_back({relation, std::move(*rows)});
  }
  return report;
}

std::string steps_text(const StepsReport& report) {
  std::string out = fmt::format("{}: the five steps, by {}\n", report.model, report.engine);
  if (report.nodes)
    out = fmt::format("{}: the five steps, by a {} of {}\n", report.model, report.engine,
                      counted(*report.nodes, "node"));
  out += side_text("A", report.protocol.a, "B_TO_A");
  out += side_text("B", report.protocol.b, "A_TO_B");
  int step = 0;
  for (const StepsReport::Shown& shown : report.relations) {
    if (shown.relation.step != step) {
      step = shown.relation.step;
      out += fmt::format("\nStep {}: {}\n", step, step_title(report, step));
    }
    out += "\n" + relation_text(shown, report.protocol);
  }
  if (report.paths) out += paths_text(*report.paths);
  return out + sizes_text(report);
}

std::string steps_json(const StepsReport& report) {
  Json relations = Json::array();
  for (const auto& [relation, rows] : report.relations)
    relations.push_back({{"step", relation.step},
                         {"name", relation.name},
                         {"table", relation.table},
                         {"meaning", relation.meaning},
                         {"columns", relation.columns},
                         {"cardinality", relation.rows},
                         {"joins", relation.rounds == 0 ? Json(nullptr) : Json(relation.rounds)},
                         {"seconds", relation.seconds},
                         {"built", relation.is_built},
                         {"rows", rows}});
  Json variables = Json::array();
  for (const TwoProcess::Attribute& attribute : report.protocol.attributes)
    variables.push_back({{"column", attribute.column},
                         {"name", attribute.name},
                         {"process", attribute.process},
                         {"initial", attribute.initial}});
  Json procedures = Json::array();
  for (const TwoProcess::Procedure& procedure : report.protocol.procedures)
    procedures.push_back(procedure.text);
  const Json json = {{"schema", "panoptes-steps-1"},
                     {"model", report.model},
                     {"engine", report.engine},
                     {"nodes", report.nodes ? Json(*report.nodes) : Json(nullptr)},
                     {"a", side_json(report.protocol.a)},
                     {"b", side_json(report.protocol.b)},
                     {"messages", report.protocol.messages},
                     {"variables", variables},
                     {"procedures", procedures},
                     {"seconds", report.seconds},
                     {"relations", relations},
                     {"paths", report.paths ? Json{{"listed", report.paths->listed},
                                                   {"found", report.paths->found},
                                                   {"is_all", report.paths->is_all}}
                                            : Json(nullptr)}};
  return json_text(json);
}

}  // namespace panoptes
