// SPDX-License-Identifier: Apache-2.0
// The contract of `check --json`: every field of it, by name and type.
#include "report/json.hpp"

#include <gtest/gtest.h>

#include <map>
#include <nlohmann/json.hpp>

#include "support/model.hpp"

namespace panoptes {
namespace {

using Json = nlohmann::json;

Json json_of(const std::string& text, const CheckOptions& options = {},
             const test::Setup& setup = {}, bool show_states = false) {
  const test::Compiled compiled = test::compile(text, setup);
  RunFacts facts;
  facts.model = "dir/m.argos";
  facts.fixed_bytes = 4096;
  facts.memory_bytes = 8192;
  facts.show_states = show_states;
  return Json::parse(collected([&](const Sink& sink) {
    return json_report(compiled.program, test::check(compiled, options), compiled.sources,
                       compiled.diagnostics, {{"order", "breadth"}, {"strict", "on"}}, facts, sink);
  }));
}

enum class Type { text, count, number, list, object };

std::string problem_with(const Json& json, const std::map<std::string, Type>& contract) {
  for (const auto& [name, type] : contract) {
    if (!json.contains(name)) return "no field " + name;
    const Json& field = json[name];
    const bool right = type == Type::text     ? field.is_string()
                       : type == Type::count  ? field.is_number_unsigned()
                       : type == Type::number ? field.is_number()
                       : type == Type::list   ? field.is_array()
                                              : field.is_object();
    if (!right) return name + " is " + field.dump();
  }
  return "none";
}

const std::map<std::string, Type> report_contract{
    {"schema", Type::text},          {"model", Type::text},
    {"verdict", Type::text},         {"promise", Type::text},
    {"states", Type::count},         {"transitions", Type::count},
    {"depth", Type::count},          {"state_bits", Type::count},
    {"memory_bytes", Type::count},   {"fixed_bytes", Type::count},
    {"store_bytes", Type::count},    {"trail_bytes", Type::count},
    {"frontier_bytes", Type::count}, {"bytes_per_state", Type::number},
    {"seconds", Type::number},       {"states_per_second", Type::number},
    {"options", Type::object},       {"errors", Type::list},
    {"warnings", Type::list},        {"dead_code", Type::list}};

const std::map<std::string, Type> error_contract{{"kind", Type::text},   {"process", Type::text},
                                                 {"state", Type::text},  {"message", Type::text},
                                                 {"count", Type::count}, {"events", Type::count},
                                                 {"steps", Type::count}, {"trail", Type::list}};

TEST(JsonReport, HasEveryFieldOfTheContract) {
  for (const char* model : {"alternating_bit", "exchange", "mistakes", "early_choice"}) {
    const Json json = json_of(test::model_text(model));
    EXPECT_EQ(problem_with(json, report_contract), "none") << model;
    for (const Json& error : json["errors"]) {
      EXPECT_EQ(problem_with(error, error_contract), "none") << model;
      EXPECT_EQ(error["trail"].size(), error["steps"]) << model;
    }
  }
}

TEST(JsonReport, OfASearchThatForgetsDoesNotClaimToKnowDistinctStates) {
  const std::string square =
      "proc p var x; { x = 1; x = 2; x = 3 } proc q var y; { y = 1; y = 2; y = 3 }";
  CheckOptions options;
  options.search = StackSearch{};
  const Json stack = json_of(square, options);
  EXPECT_TRUE(stack["states"].is_null());
  EXPECT_TRUE(stack["parameters"]["R"].is_null());
  EXPECT_EQ(stack["states_analysed"], 69);
  EXPECT_FALSE(stack.contains("cache"));
  options.search = CacheSearch{};
  const Json cache = json_of(square, options);
  EXPECT_EQ(cache["states"], 16) << "nothing was given up, so they are distinct";
  EXPECT_EQ(cache["cache"]["given_up"], 0);
  EXPECT_EQ(cache["recurrence"], (Json{7, 9}));
  EXPECT_EQ(cache["parameters"]["R"], 16);
  EXPECT_DOUBLE_EQ(cache["parameters"]["L"], 24.0 / 16);
}

TEST(JsonReport, OfAProtocolThatHolds) {
  const Json json = json_of(test::model_text("alternating_bit"), {}, {.minimise = false});
  EXPECT_EQ(json["schema"], "panoptes-check-1");
  EXPECT_EQ(json["model"], "dir/m.argos");
  EXPECT_EQ(json["verdict"], "holds");
  EXPECT_EQ(json["promise"], "exhaustive");
  EXPECT_EQ(json["states"], 56);
  EXPECT_EQ(json["transitions"], 72);
  EXPECT_EQ(json["state_bits"], 9);
  EXPECT_EQ(json["fixed_bytes"], 4096);
  EXPECT_EQ(json["memory_bytes"], 8192);
  EXPECT_DOUBLE_EQ(json["bytes_per_state"], 8192.0 / 56);
  EXPECT_EQ(json["options"], (Json{{"order", "breadth"}, {"strict", "on"}}));
  EXPECT_EQ(json["errors"], Json::array());
}

TEST(JsonReport, OfAnErrorHasItsTrailStepByStep) {
  const Json json = json_of(
      "channel c[2];\n"
      "proc p { c!m(7); c!n; L: c!k }\n"
      "proc q { c?m(_); c?k }\n");
  EXPECT_EQ(json["verdict"], "violated");
  Json error = json["errors"][0];
  const Json trail = error["trail"];
  error.erase("trail");
  const Json last = error["last_state"];
  error.erase("last_state");
  EXPECT_EQ(last, Json::parse(R"({"control": [{"process": "p", "state": "L", "at": "L"},
                                             {"process": "q", "state": "3:18", "at": "3:18"}],
                                 "variables": [],
                                 "contents": [{"channel": "c", "contents": "n"}]})"));
  EXPECT_EQ(error, (Json{{"number", 1},
                         {"kind", "unspecified_reception"},
                         {"process", "q"},
                         {"state", "3:18"},
                         {"state_place", "3:18"},
                         {"message", "c?n"},
                         {"text",
                          "process q at 3:18 cannot receive c?n, which is first in its "
                          "channel"},
                         {"count", 2},
                         {"members", Json::array()},
                         {"events", 2},
                         {"steps", 3},
                         {"depth", 3},
                         {"shortest", true}}));
  EXPECT_EQ(trail[0], (Json{{"step", 1},
                            {"process", "p"},
                            {"kind", "send"},
                            {"action", "c!m(7)"},
                            {"from", "2:10"},
                            {"to", "2:18"},
                            {"place", {{"file", "m"}, {"line", 2}, {"column", 10}}},
                            {"rule", 0},
                            {"changes", Json::array()},
                            {"concurrent", false},
                            {"channel", "c"},
                            {"message", "m(7)"},
                            {"received_at_step", 3}}));
  EXPECT_EQ(trail[1]["received_at_step"], nullptr);
  EXPECT_EQ(trail[1]["to"], "L");
  EXPECT_EQ(trail[2]["kind"], "receive");
}

// A state is known without the way there, and left out only where there is no time to write it.
TEST(JsonReport, HasTheStateOfAnErrorWhoseTrailIsLeftOut) {
  const test::Compiled compiled = test::compile("channel c[1]; proc p { c?m }");
  Verdict verdict = test::check(compiled);
  ASSERT_EQ(verdict.errors.size(), 1u);
  RunFacts facts;
  const auto error = [&] {
    return Json::parse(collected([&](const Sink& sink) {
      return json_report(compiled.program, verdict, compiled.sources, compiled.diagnostics, {},
                         facts, sink);
    }))["errors"][0];
  };
  const Json whole = error();
  EXPECT_FALSE(whole.contains("trail_left_out"));
  for (const TrailGap gap : {TrailGap::time, TrailGap::memory}) {
    verdict.errors[0].gap = gap;
    const Json without = error();
    EXPECT_EQ(without["trail"], nullptr);
    EXPECT_EQ(without["trail_left_out"], to_string(gap));
    EXPECT_EQ(without["last_state"], whole["last_state"]);
  }
  facts.deadline = Deadline([] { return -1.0; });
  EXPECT_FALSE(error().contains("last_state"));
}

// Every error is listed; those that nobody asks for are short.
TEST(JsonReport, HasTheTrailsThatAreAskedFor) {
  const test::Compiled compiled = test::compile(
      "channel c[1]; proc p { if :: skip -> c?a :: skip -> c?b :: assert(0) :: c!m fi }");
  const Verdict verdict = test::check(compiled);
  const auto trails = [&](const ErrorRequest& request) {
    RunFacts facts;
    facts.request = request;
    const Json json = Json::parse(collected([&](const Sink& sink) {
      return json_report(compiled.program, verdict, compiled.sources, compiled.diagnostics, {},
                         facts, sink);
    }));
    std::string text;
    for (const char* list : {"errors", "warnings"})
      for (const Json& error : json[list]) {
        if (!error.contains("number")) continue;
        const bool is_there = error["trail"].is_array();
        EXPECT_EQ(error.contains("last_state"), is_there);
        EXPECT_EQ(error.value("trail_left_out", ""), is_there ? "" : "not asked for");
        EXPECT_TRUE(error["events"].is_number());
        text += fmt::format("{}{} ", error["number"].get<int>(), is_there ? "+" : "");
      }
    return text;
  };
  EXPECT_EQ(trails({}), "1+ 2+ 3+ 4+ ");
  EXPECT_EQ(trails({.trails = 2}), "1+ 2+ 3 4 ");
  EXPECT_EQ(trails({.show = {{2, 2}, {4, 4}}}), "1 2+ 3 4+ ");
  EXPECT_EQ(trails({.only = {"assertion"}}), "1+ 2 3 4 ");
  EXPECT_EQ(trails({.only = {"nonsense"}}), "1 2 3 4 ");
}

TEST(JsonReport, OfAFailureHasNoStateAfterTheLastStep) {
  const Json trail = json_of("proc p var x; { x = 1; assert(x == 0) }")["errors"][0]["trail"];
  ASSERT_EQ(trail.size(), 2u);
  EXPECT_EQ(trail[1]["kind"], "assert");
  EXPECT_EQ(trail[1]["to"], nullptr);
  EXPECT_EQ(trail[0]["to"], trail[1]["from"]);
  EXPECT_EQ(trail[0]["changes"], Json::parse(R"([{"variable": "p.x", "before": 0, "after": 1}])"));
  EXPECT_EQ(trail[1]["changes"], Json::array());
}

TEST(JsonReport, HasTheWholeStateAtEachStepWhereAsked) {
  const std::string text =
      "channel c[2]; var total;\n"
      "proc p var x; { c!m(7); L: x = 2; assert(x == 0) }\n"
      "proc q { c?m(total) }\n";
  const Json brief = json_of(text);
  EXPECT_FALSE(brief.contains("initial_state"));
  EXPECT_FALSE(brief["errors"][0]["trail"][0].contains("state"));
  const Json json = json_of(text, {}, {}, true);
  EXPECT_EQ(json["initial_state"],
            Json::parse(R"({"control": [{"process": "p", "state": "2:17", "at": "2:17"},
                                        {"process": "q", "state": "3:10", "at": "3:10"}],
                            "variables": [{"variable": "total", "value": 0},
                                          {"variable": "p.x", "value": 0}],
                            "contents": []})"));
  const Json& trail = json["errors"][0]["trail"];
  ASSERT_EQ(trail.size(), 3u);
  EXPECT_EQ(trail[0]["state"]["control"][0]["at"], "L");
  EXPECT_EQ(trail[0]["state"]["contents"], Json::array({{{"channel", "c"}, {"contents", "m(7)"}}}));
  EXPECT_EQ(trail[1]["state"]["variables"][1]["value"], 2);
  EXPECT_EQ(trail[1]["state"], json["errors"][0]["last_state"]);
  EXPECT_EQ(trail[2]["state"], nullptr);  // it fails
}

TEST(JsonReport, HasTheNamesOfValuesBesideThem) {
  const Json json = json_of(
      "enum phase { idle, busy } channel c;\n"
      "proc p var now : phase, n; { now = busy, n = 1; c!m(now, n); assert(now == n + idle + 1) }\n"
      "proc q { c?m }",
      {}, {}, true);
  const Json& error = json["errors"][0];
  EXPECT_EQ(error["text"],
            "process p at 2:62: assert(now == n + idle + 1) does not hold, "
            "where now = busy, n = 1");
  EXPECT_EQ(error["trail"][0]["changes"],
            Json::parse(R"([{"variable": "p.now", "before": 0, "after": 1, "before_name": "idle",
                             "after_name": "busy"},
                            {"variable": "p.n", "before": 0, "after": 1}])"));
  EXPECT_EQ(error["trail"][0]["state"]["variables"],
            Json::parse(R"([{"variable": "p.now", "value": 1, "value_name": "busy"},
                            {"variable": "p.n", "value": 1}])"));
  EXPECT_EQ(error["trail"][1]["message"], "m(busy, 1)");
}

TEST(JsonReport, OfADeadlockHasItsCause) {
  const Json json = json_of(test::model_text("exchange"));
  ASSERT_EQ(json["errors"].size(), 2u);
  EXPECT_FALSE(json["errors"][0].contains("cause"));
  EXPECT_NE(json["errors"][1]["cause"].get<std::string>().find("cannot receive B?m2"),
            std::string::npos);
}

TEST(JsonReport, OfAPartialSearchIsUnknown) {
  CheckOptions options;
  options.limits.depth = 3;
  const Json json = json_of(test::model_text("alternating_bit"), options);
  EXPECT_EQ(json["verdict"], "unknown");
  EXPECT_EQ(json["promise"], "partial");
  EXPECT_EQ(json["depth"], 3);
}

TEST(JsonReport, HasWarningsOfTheTextAndOfTheSearch) {
  const Json json = json_of("channel c[1];\nvar x;\nproc p { c!m }\n");
  std::vector<std::string> kinds;
  for (const Json& warning : json["warnings"]) kinds.push_back(warning["kind"]);
  EXPECT_EQ(kinds, (std::vector<std::string>{"input_warning", "input_warning", "unread_messages"}));
  EXPECT_EQ(json["warnings"][1], (Json{{"kind", "input_warning"},
                                       {"place", {{"file", "m"}, {"line", 2}, {"column", 5}}},
                                       {"text", "`x` is never used"},
                                       {"suggestion", ""}}));
}

TEST(JsonReport, HasDeadCodeWithItsPlace) {
  const Json json = json_of("proc p { if :: skip :: (0) fi }\n");
  EXPECT_EQ(json["dead_code"], (Json{{{"owner", "p"},
                                      {"statement", "(0)"},
                                      {"place", {{"file", "m"}, {"line", 1}, {"column", 24}}},
                                      {"merged_with", Json::array()}}}));
}

TEST(JsonReport, OfBadInputHasTheDiagnostics) {
  const test::Built built = test::build("proc p { c!m }\n");
  const Json json = Json::parse(json_input_error("m.argos", built.sources, built.diagnostics));
  EXPECT_EQ(json["schema"], "panoptes-check-1");
  EXPECT_EQ(json["verdict"], "unknown");
  EXPECT_EQ(json["promise"], "partial");
  EXPECT_EQ(json["errors"], (Json{{{"kind", "input_error"},
                                   {"place", {{"file", "m"}, {"line", 1}, {"column", 10}}},
                                   {"text", "no channel is called `c`"},
                                   {"suggestion", "declare it with `channel c;`"}}}));
}

TEST(JsonReport, IsJsonWhateverBytesTheNamesHave) {
  SourceSet sources;
  Diagnostics diagnostics;
  const std::uint32_t file = sources.add("\xff\xfe.argos", "\x80");
  diagnostics.error({file, 0, 1, 0}, "no \xc3 text");
  EXPECT_TRUE(Json::accept(json_input_error("\xff\xfe.argos", sources, diagnostics)));
}

}  // namespace
}  // namespace panoptes
