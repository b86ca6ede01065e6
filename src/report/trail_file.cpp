// SPDX-License-Identifier: Apache-2.0
#include "report/trail_file.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <nlohmann/json.hpp>

#include "base/json_text.hpp"
#include "report/kinds.hpp"

namespace panoptes {
namespace {

using Json = nlohmann::ordered_json;

constexpr std::string_view schema = "panoptes-trail-1";

// A file of nothing but brackets takes 80 times its size in memory.
constexpr int most_nesting = 8;

// ---- writing ------------------------------------------------------------------------------------

Json options_json(const TrailFile& file) {
  Json json = Json::object();
  for (const auto& [name, value] : file.options) json[name] = value;
  json["D"] = file.definitions;
  if (!file.never.empty()) json["never"] = file.never;
  if (!file.ltl.empty()) json["ltl"] = file.ltl;
  return json;
}

Json error_json(const RecordedTrail& trail) {
  if (!trail.error) return nullptr;
  const ErrorDescription& error = *trail.error;
  return {
      {"kind", to_string(error.kind)}, {"process", error.process}, {"state", error.state},
      {"message", error.message},      {"text", error.text},       {"warning", trail.is_warning}};
}

// The rule, and what it is for whoever reads the file.
Json step_json(const Program& program, RuleId id, const SourceSet& sources) {
  const Rule& rule = program.rules[id];
  Json json{{"rule", id},
            {"process", program.protocol.processes[rule.owner().process].name},
            {"action", rule.text}};
  if (const Place place = place_of(program, rule); place.known())
    json["line"] = sources.line_column(place).line;
  if (rule.tag != 0)
    json["message"] = program.protocol.channels[rule.channel].sort[rule.tag - 1].name;
  return json;
}

bool write_steps(const Program& program, std::string_view name, const std::vector<RuleId>& steps,
                 const SourceSet& sources, const Sink& sink) {
  bool is_written = sink(fmt::format("    \"{}\": [", name));
  for (std::size_t i = 0; i < steps.size() && is_written; ++i)
    is_written = sink(fmt::format("{}\n      {}", i == 0 ? "" : ",",
                                  json_line(step_json(program, steps[i], sources))));
  return is_written && sink(steps.empty() ? "]" : "\n    ]");
}

// ---- reading ------------------------------------------------------------------------------------

// A text of the file as a message may show it: quoted, and not all of it where it is long.
std::string shown(const std::string& text) {
  constexpr std::size_t most = 60;
  return json_line(Json(text.size() <= most ? text : text.substr(0, most) + "..."));
}

// What is wrong with a file; thrown and caught here, so that the functions below read as the file.
struct Complaint {
  std::string text;
};

std::string_view type_of(const Json& value) {
  if (value.is_null()) return "null";
  if (value.is_string()) return "a text";
  if (value.is_boolean()) return "true or false";
  if (value.is_number()) return "a number";
  return value.is_array() ? "a list" : "an object";
}

[[noreturn]] void wanted(const std::string& field, std::string_view what, const Json& found) {
  throw Complaint{fmt::format("{}: wanted {}, found {}", field, what, type_of(found))};
}

const Json& field_of(const Json& object, const char* name, const std::string& path) {
  const auto found = object.find(name);
  if (found == object.end()) throw Complaint{fmt::format("{}{}: is missing", path, name)};
  return *found;
}

std::string text_of(const Json& object, const char* name, const std::string& path) {
  const Json& value = field_of(object, name, path);
  if (!value.is_string()) wanted(path + name, "a text", value);
  return value.get<std::string>();
}

const Json& list_of(const Json& object, const char* name, const std::string& path) {
  const Json& value = field_of(object, name, path);
  if (!value.is_array()) wanted(path + name, "a list", value);
  return value;
}

const Json& object_of(const Json& value, const std::string& field) {
  if (!value.is_object()) wanted(field, "an object", value);
  return value;
}

std::uint64_t fingerprint_of(const Json& object) {
  const std::string text = text_of(object, "rules", "");
  std::uint64_t value = 0;
  const char* const end = text.data() + text.size();
  const auto read = std::from_chars(text.data(), end, value, 16);
  if (text.size() != 16 || read.ec != std::errc{} || read.ptr != end)
    throw Complaint{fmt::format("rules: wanted 16 hexadecimal digits, found {}", shown(text))};
  return value;
}

void read_options(const Json& object, TrailFile& file) {
  for (const auto& [name, value] : object_of(field_of(object, "options", ""), "options").items()) {
    const std::string field = "options " + shown(name);
    if (name == "D" || name == "never" || name == "ltl") {
      std::vector<std::string>& list = name == "D"       ? file.definitions
                                       : name == "never" ? file.never
                                                         : file.ltl;
      if (!value.is_array()) wanted(field, "a list", value);
      for (const Json& each : value) {
        if (!each.is_string()) wanted(field + "[]", "a text", each);
        list.push_back(each.get<std::string>());
      }
    } else if (value.is_string()) {
      file.options[name] = value.get<std::string>();
    } else {
      wanted(field, "a text", value);
    }
  }
}

ErrorKind kind_of(const std::string& text, const std::string& path) {
  for (const KindInfo& info : kind_table())
    if (text == to_string(info.kind)) return info.kind;
  throw Complaint{fmt::format("{}kind: there is no error {}", path, shown(text))};
}

void read_error(const Json& json, const std::string& path, RecordedTrail& trail) {
  const Json& value = field_of(json, "error", path);
  if (value.is_null()) return;
  const std::string field = path + "error.";
  object_of(value, path + "error");
  ErrorDescription error;
  error.kind = kind_of(text_of(value, "kind", field), field);
  error.process = text_of(value, "process", field);
  error.state = text_of(value, "state", field);
  error.message = text_of(value, "message", field);
  error.text = text_of(value, "text", field);
  const Json& warning = field_of(value, "warning", field);
  if (!warning.is_boolean()) wanted(field + "warning", "true or false", warning);
  trail.is_warning = warning.get<bool>();
  trail.error = std::move(error);
}

std::vector<RuleId> read_steps(const Json& json, const char* name, const std::string& path) {
  std::vector<RuleId> rules;
  for (const Json& step : list_of(json, name, path)) {
    const std::string field = fmt::format("{}{}[{}]", path, name, rules.size());
    const Json& rule = field_of(object_of(step, field), "rule", field + ".");
    if (!rule.is_number_unsigned() || rule.get<std::uint64_t>() >= none)
      throw Complaint{fmt::format("{}.rule: wanted the number of a rule", field)};
    rules.push_back(rule.get<RuleId>());
  }
  return rules;
}

// A run that a formula does not hold of may end.
void check_cycle(const RecordedTrail& trail, const std::string& path) {
  if (trail.error && is_of_property(trail.error->kind)) return;
  if ((trail.error && is_of_run(trail.error->kind)) == trail.cycle.empty())
    throw Complaint{fmt::format("{}.cycle: only a run without end has one", path)};
}

TrailFile read(const Json& json) {
  object_of(json, "the file");
  if (const std::string found = text_of(json, "schema", ""); found != schema)
    throw Complaint{fmt::format("schema: wanted \"{}\", found {}", schema, shown(found))};
  TrailFile file;
  file.model = text_of(json, "model", "");
  file.fingerprint = fingerprint_of(json);
  read_options(json, file);
  for (const Json& each : list_of(json, "trails", "")) {
    const std::string path = fmt::format("trails[{}]", file.trails.size());
    object_of(each, path);
    RecordedTrail trail;
    read_error(each, path + ".", trail);
    trail.steps = read_steps(each, "steps", path + ".");
    if (each.contains("cycle")) trail.cycle = read_steps(each, "cycle", path + ".");
    check_cycle(trail, path);
    file.trails.push_back(std::move(trail));
  }
  if (file.trails.empty()) throw Complaint{"trails: there is none"};
  return file;
}

// Where in the text an error of JSON is.
std::string place_of_byte(std::string_view text, std::size_t byte) {
  const std::string_view before = text.substr(0, std::min(byte, text.size()));
  const auto line = 1 + std::count(before.begin(), before.end(), '\n');
  const std::size_t start = before.rfind('\n') + 1;  // npos + 1 is 0
  return fmt::format("line {}, column {}", line, std::max<std::size_t>(1, before.size() - start));
}

}  // namespace

RecordedTrail record(const ErrorReport& error) {
  RecordedTrail trail;
  if (!error.description.text.empty()) trail.error = error.description;
  trail.is_warning = error.is_warning;
  trail.steps = error.rules();
  for (const TrailStep& step : error.cycle.steps) trail.cycle.push_back(step.rule);
  return trail;
}

bool write_trail_file(const TrailFile& file, const Program& program, const SourceSet& sources,
                      const Sink& sink) {
  bool is_written = sink(fmt::format(
      "{{\n  \"schema\": \"{}\",\n  \"model\": {},\n  \"rules\": \"{:016x}\",\n"
      "  \"options\": {},\n  \"trails\": [",
      schema, json_line(Json(file.model)), file.fingerprint, json_line(options_json(file))));
  for (std::size_t i = 0; i < file.trails.size() && is_written; ++i) {
    const RecordedTrail& trail = file.trails[i];
    is_written = sink(fmt::format("{}{{\n    \"error\": {},\n", i == 0 ? "" : ", ",
                                  json_line(error_json(trail)))) &&
                 write_steps(program, "steps", trail.steps, sources, sink);
    if (!trail.cycle.empty())
      is_written =
          is_written && sink(",\n") && write_steps(program, "cycle", trail.cycle, sources, sink);
    is_written = is_written && sink("\n  }");
  }
  return is_written && sink("]\n}\n");
}

Result<TrailFile, std::string> read_trail_file(std::string_view text) {
  const auto refuse_nesting = [](int depth, Json::parse_event_t event, const Json&) {
    const bool opens =
        event == Json::parse_event_t::object_start || event == Json::parse_event_t::array_start;
    if (opens && depth >= most_nesting)
      throw Complaint{
          fmt::format("lists and objects lie more than {} deep in each other, which "
                      "those of a trail file do not",
                      most_nesting)};
    return true;
  };
  try {
    return read(Json::parse(text, refuse_nesting));
  } catch (const Json::parse_error& error) {
    return fmt::format("{}: this is no JSON", place_of_byte(text, error.byte));
  } catch (const Json::exception& error) {
    return fmt::format("this is no JSON: {}", error.what());
  } catch (const Complaint& complaint) {
    return complaint.text;
  }
}

}  // namespace panoptes
