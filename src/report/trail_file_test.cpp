// SPDX-License-Identifier: Apache-2.0
// Trail files come back as they were written, and a file that is none is told why.
#include "report/trail_file.hpp"

#include <gtest/gtest.h>

#include "rules/fingerprint.hpp"
#include "support/model.hpp"

namespace panoptes {
namespace {

TrailFile file_of(const test::Compiled& compiled, const Verdict& verdict) {
  TrailFile file;
  file.model = "a \"model\"\n\xff.argos";
  file.fingerprint = fingerprint(compiled.program);
  file.options = {{"timeouts", "lock"}, {"strict", "on"}};
  file.definitions = {"A", "B=2"};
  for (const ErrorReport& error : verdict.errors) file.trails.push_back(record(error));
  return file;
}

TEST(TrailFiles, ComeBackAsTheyWere) {
  const test::Compiled compiled = test::compile(test::model_text("polling"));
  CheckOptions options;
  options.search = ExhaustiveSearch{.storage = WholeGraph{}};
  TrailFile file = file_of(compiled, test::check(compiled, options));
  file.trails.push_back({{}, false, {0}, {}});
  const std::string text = collected([&](const Sink& sink) {
    return write_trail_file(file, compiled.program, compiled.sources, sink);
  });
  const auto read = read_trail_file(text);
  ASSERT_TRUE(read) << read.failure();
  EXPECT_EQ(read->model, "a \"model\"\n\xef\xbf\xbd.argos");
  EXPECT_EQ(read->fingerprint, file.fingerprint);
  EXPECT_EQ(read->options, file.options);
  EXPECT_EQ(read->definitions, file.definitions);
  ASSERT_EQ(read->trails.size(), file.trails.size());
  bool has_cycle = false;
  for (std::size_t i = 0; i < file.trails.size(); ++i) {
    const RecordedTrail &wanted = file.trails[i], &found = read->trails[i];
    EXPECT_EQ(found.steps, wanted.steps);
    EXPECT_EQ(found.cycle, wanted.cycle);
    has_cycle = has_cycle || !found.cycle.empty();
    ASSERT_EQ(found.error.has_value(), wanted.error.has_value());
    if (!found.error) continue;
    EXPECT_EQ(found.error->kind, wanted.error->kind);
    EXPECT_EQ(found.error->process, wanted.error->process);
    EXPECT_EQ(found.error->state, wanted.error->state);
    EXPECT_EQ(found.error->message, wanted.error->message);
    EXPECT_EQ(found.error->text, wanted.error->text);
    EXPECT_EQ(found.is_warning, wanted.is_warning);
  }
  EXPECT_TRUE(has_cycle);
}

const std::string whole =
    "{\n"
    "  \"schema\": \"panoptes-trail-1\",\n"
    "  \"model\": \"m\",\n"
    "  \"rules\": \"00000000000000ff\",\n"
    "  \"options\": {\"capacity\": \"2\", \"D\": [\"A\"]},\n"
    "  \"trails\": [{\"error\": {\"kind\": \"deadlock\", \"process\": \"\", \"state\": \"x\", "
    "\"message\": \"\", \"text\": \"t\", \"warning\": false}, \"steps\": [{\"rule\": 4}]}]\n"
    "}\n";

std::string complaint_about(const std::string& what, const std::string& by) {
  std::string text = whole;
  const std::size_t at = text.find(what);
  if (at == std::string::npos) throw std::runtime_error("no " + what);
  const auto file = read_trail_file(text.replace(at, what.size(), by));
  return file ? "" : file.failure();
}

TEST(TrailFiles, SayWhichFieldIsWrong) {
  EXPECT_EQ(complaint_about("4", "4"), "");
  EXPECT_EQ(complaint_about("4", "4, \"more\": [1]"), "");
  EXPECT_EQ(complaint_about("trail-1", "trail-2"),
            "schema: wanted \"panoptes-trail-1\", found \"panoptes-trail-2\"");
  EXPECT_EQ(complaint_about("\"panoptes-trail-1\"", "7"), "schema: wanted a text, found a number");
  EXPECT_EQ(complaint_about("\"model\"", "\"motel\""), "model: is missing");
  EXPECT_EQ(complaint_about("ff", "fg"),
            "rules: wanted 16 hexadecimal digits, found \"00000000000000fg\"");
  EXPECT_EQ(complaint_about("ff", "f"),
            "rules: wanted 16 hexadecimal digits, found \"00000000000000f\"");
  EXPECT_EQ(complaint_about("\"2\"", "2"), "options \"capacity\": wanted a text, found a number");
  EXPECT_EQ(complaint_about("[\"A\"]", "\"A\""), "options \"D\": wanted a list, found a text");
  EXPECT_EQ(complaint_about("[\"A\"]", "[null]"), "options \"D\"[]: wanted a text, found null");
  EXPECT_EQ(complaint_about("{\"capacity\": \"2\", \"D\": [\"A\"]}", "[]"),
            "options: wanted an object, found a list");
  EXPECT_EQ(complaint_about("deadlock", "dead\\u001block"),
            "trails[0].error.kind: there is no error \"dead\\u001block\"");
  EXPECT_EQ(complaint_about("\"t\"", "true"),
            "trails[0].error.text: wanted a text, found true or false");
  EXPECT_EQ(complaint_about("false", "0"),
            "trails[0].error.warning: wanted true or false, found a number");
  EXPECT_EQ(complaint_about("{\"rule\": 4}", "4"),
            "trails[0].steps[0]: wanted an object, found a number");
  for (const char* number : {"-4", "4.5", "4294967295", "99999999999999999999", "\"4\"", "null"})
    EXPECT_EQ(complaint_about("4}", std::string(number) + "}"),
              "trails[0].steps[0].rule: wanted the number of a rule");
  EXPECT_EQ(complaint_about("\"rule\"", "\"role\""), "trails[0].steps[0].rule: is missing");
  EXPECT_EQ(complaint_about("deadlock", "livelock"),
            "trails[0].cycle: only a run without end has one");
  EXPECT_EQ(complaint_about("4}]", "4}], \"cycle\": [{\"rule\": 1}]"),
            "trails[0].cycle: only a run without end has one");
}

TEST(TrailFiles, ThatAreNoJsonAreToldWhere) {
  EXPECT_EQ(complaint_about("\"model\"", "model"), "line 3, column 3: this is no JSON");
  EXPECT_EQ(read_trail_file("").failure(), "line 1, column 1: this is no JSON");
  EXPECT_EQ(read_trail_file("[]").failure(), "the file: wanted an object, found a list");
  EXPECT_EQ(read_trail_file(std::string(1'000'000, '[')).failure(),
            "lists and objects lie more than 8 deep in each other, which those of a trail file do "
            "not");
  EXPECT_EQ(read_trail_file(std::string(8, '[') + std::string(8, ']')).failure(),
            "the file: wanted an object, found a list");
}

}  // namespace
}  // namespace panoptes
