// SPDX-License-Identifier: Apache-2.0
// What the comparison of checkers relies on: random protocols are the same everywhere, parse
// without errors, are neither trivial nor endless, and between them show every construct and every
// kind of error.
#include "differential/generator.hpp"

#include <gtest/gtest.h>

#include <set>
#include <string>
#include <variant>
#include <vector>

#include "argos/parse.hpp"
#include "argos/unparse.hpp"
#include "base/diagnostic.hpp"
#include "base/source.hpp"
#include "differential/plain_checker.hpp"

namespace panoptes::differential {
namespace {

constexpr std::uint64_t protocol_count = 400;

// Notes what is in a model, by name.
class Constructs {
 public:
  explicit Constructs(std::set<std::string>& found) : found_(found) {}

  void look_at(const argos::Model& model) {
    if (!model.constants.empty()) note("constant");
    for (const argos::ChannelDeclaration& channel : model.channels) look_at(channel);
    for (const argos::VariableDeclaration& variable : model.variables) look_at(variable, "shared");
    for (const argos::ProcessDeclaration& process : model.processes) look_at(process);
    for (const argos::ProcedureDeclaration& procedure : model.procedures) {
      note(procedure.parameters.empty() ? "procedure" : "procedure with parameters");
      look_at(procedure.body, "procedure");
    }
    for (const argos::AssertionDeclaration& assertion : model.assertions) {
      note(assertion.name ? "named assertion" : "unnamed assertion");
      if (assertion.family) note("family of assertions");
      look_at(assertion.body, "assertion");
    }
  }

 private:
  void note(const std::string& construct) { found_.insert(construct); }

  void look_at(const argos::ChannelDeclaration& channel) {
    if (channel.is_sink) note("sink");
    if (!channel.capacity) note("channel without capacity");
    if (!channel.contents.empty()) note("initial contents");
    if (channel.family) note("family of channels");
  }

  void look_at(const argos::VariableDeclaration& variable, const std::string& where) {
    note(where + (variable.range ? " variable with range" : " variable without range"));
    if (variable.initial) note("initial value");
  }

  void look_at(const argos::ProcessDeclaration& process) {
    for (const argos::ChannelDeclaration& channel : process.channels) {
      note("channel in a process");
      look_at(channel);
    }
    for (const argos::VariableDeclaration& variable : process.variables) look_at(variable, "local");
    if (process.family) note("family of processes");
    look_at(process.body, "process");
  }

  void look_at(const argos::Block& block, const std::string& where) {
    for (const argos::Statement& statement : block) look_at(statement, where, "sequence");
  }

  void look_at(const std::vector<argos::Option>& options, const std::string& where) {
    note(options.size() == 1 ? "one option" : "several options");
    for (const argos::Option& option : options) {
      look_at(option.body[0], where, options.size() == 1 ? "only guard" : "guard");
      for (std::size_t i = 1; i < option.body.size(); ++i)
        look_at(option.body[i], where, "sequence");
    }
  }

  void look_at(const argos::Statement& statement, const std::string& where,
               const std::string& position) {
    static const char* const names[] = {"send", "receive", "default", "timeout", "assign",
                                        "test", "check",   "skip",    "break",   "goto",
                                        "call", "if",      "do",      "else"};
    const std::string name = names[statement.action.index()];
    note(where + " " + name);
    note(position + " " + name);
    if (!statement.labels.empty()) note(position + " with label");
    if (statement.when) note("when " + name);
    for (const argos::Name& label : statement.labels)
      if (label.text.rfind("end", 0) == 0) note("end label");
    look_inside(statement, where);
  }

  void look_inside(const argos::Statement& statement, const std::string& where) {
    if (const auto* choice = std::get_if<argos::If>(&statement.action)) {
      look_at(choice->options, where);
    } else if (const auto* loop = std::get_if<argos::Do>(&statement.action)) {
      look_at(loop->options, where);
    } else if (const auto* send = std::get_if<argos::Send>(&statement.action)) {
      note("send of " + std::to_string(send->values.size()) + " values");
      for (const argos::ExpressionPtr& value : send->values) look_at(*value);
    } else if (const auto* timeout = std::get_if<argos::Timeout>(&statement.action)) {
      if (timeout->kind)
        note("timeout of kind " + std::to_string(static_cast<int>(*timeout->kind)));
    } else if (const auto* receive = std::get_if<argos::Receive>(&statement.action)) {
      if (receive->when) note("reception with condition");
      if (!receive->expected.empty()) note("expected value");
    } else if (const auto* assignment = std::get_if<argos::Assign>(&statement.action)) {
      if (assignment->parts.size() > 1) note("several assignments");
      for (const argos::Assignment& part : assignment->parts) look_at(*part.value);
    } else if (const auto* test = std::get_if<argos::Test>(&statement.action)) {
      look_at(*test->condition);
    } else if (const auto* check = std::get_if<argos::Check>(&statement.action)) {
      look_at(*check->condition);
    }
  }

  void look_at(const argos::Expression& expression) {
    if (const auto* name = std::get_if<argos::NameUse>(&expression.node)) {
      if (name->text == "true" || name->text == "false") note("true or false");
    } else if (const auto* question = std::get_if<argos::AskChannel>(&expression.node)) {
      note("question " + std::to_string(static_cast<int>(question->question)));
    } else if (const auto* unary = std::get_if<argos::Unary>(&expression.node)) {
      note("unary " + std::to_string(static_cast<int>(unary->operation)));
      look_at(*unary->operand);
    } else if (const auto* binary = std::get_if<argos::Binary>(&expression.node)) {
      note("binary " + std::to_string(static_cast<int>(binary->operation)));
      look_at(*binary->left);
      look_at(*binary->right);
    }
  }

  std::set<std::string>& found_;
};

std::vector<std::string> expected_constructs() {
  std::vector<std::string> all = {"constant",
                                  "several assignments",
                                  "true or false",
                                  "sink",
                                  "channel without capacity",
                                  "initial contents",
                                  "family of channels",
                                  "channel in a process",
                                  "shared variable with range",
                                  "shared variable without range",
                                  "local variable with range",
                                  "local variable without range",
                                  "initial value",
                                  "procedure",
                                  "procedure with parameters",
                                  "family of processes",
                                  "named assertion",
                                  "unnamed assertion",
                                  "family of assertions",
                                  "one option",
                                  "several options",
                                  "end label",
                                  "guard with label",
                                  "sequence with label",
                                  "only guard do",
                                  "only guard send",
                                  "only guard skip",
                                  "assertion send",
                                  "assertion receive",
                                  "assertion skip",
                                  "assertion break",
                                  "assertion goto",
                                  "assertion call",
                                  "assertion if",
                                  "assertion do",
                                  "procedure if",
                                  "procedure goto",
                                  "procedure assign",
                                  "timeout of kind 0",
                                  "timeout of kind 1",
                                  "timeout of kind 2",
                                  "guard else",
                                  "reception with condition",
                                  "expected value",
                                  "send of 0 values",
                                  "send of 1 values",
                                  "send of 2 values",
                                  "send of 3 values"};
  for (const char* name : {"send", "receive", "default", "timeout", "assign", "test", "check",
                           "skip", "break", "goto", "call", "if", "do"})
    for (const char* position : {"process ", "sequence ", "guard "})
      all.push_back(std::string(position) + name);
  for (const char* name : {"send", "receive", "default", "timeout", "assign", "test", "check",
                           "skip", "break", "goto"})
    all.push_back(std::string("when ") + name);
  for (int i = 0; i <= static_cast<int>(argos::ChannelQuestion::empty); ++i)
    all.push_back("question " + std::to_string(i));
  for (int i = 0; i <= static_cast<int>(argos::UnaryOperator::logical_not); ++i)
    all.push_back("unary " + std::to_string(i));
  for (int i = 0; i <= static_cast<int>(argos::BinaryOperator::remainder); ++i)
    all.push_back("binary " + std::to_string(i));
  return all;
}

TEST(Generator, GivesTheSameTextForASeedAndOthersForOthers) {
  std::set<std::string> texts;
  for (std::uint64_t seed = 0; seed < protocol_count; ++seed) {
    const std::string text = random_protocol(seed);
    EXPECT_EQ(text, random_protocol(seed));
    texts.insert(text);
  }
  EXPECT_EQ(texts.size(), protocol_count);
}

// Another compiler or library must give the same text; this is what this one gave.
TEST(Generator, GivesTheSameTextOnEveryMachine) {
  std::uint64_t sum = 14695981039346656037u;  // FNV-1a
  for (std::uint64_t seed = 0; seed < 100; ++seed)
    for (const char letter : random_protocol(seed))
      sum = (sum ^ static_cast<unsigned char>(letter)) * 1099511628211u;
  EXPECT_EQ(sum, 2058221533502224120u) << "change the number only together with the generator";
}

TEST(Generator, WritesProtocolsThatParseAndShowEveryConstruct) {
  std::set<std::string> found;
  for (std::uint64_t seed = 0; seed < protocol_count; ++seed) {
    SourceSet sources;
    Diagnostics diagnostics;
    const argos::Model model =
        argos::parse_text("random.argos", random_protocol(seed), sources, diagnostics);
    EXPECT_FALSE(diagnostics.has_errors()) << "seed " << seed << diagnostics.render(sources);
    Constructs(found).look_at(model);
  }
  for (const std::string& construct : expected_constructs())
    EXPECT_EQ(found.count(construct), 1u) << construct;
}

TEST(Generator, WritesProtocolsThatAreNeitherTrivialNorEndless) {
  std::set<std::string> kinds, kinds_in_members;
  std::uint64_t large = 0;
  std::uint64_t endless = 0;
  for (std::uint64_t seed = 0; seed < protocol_count; ++seed) {
    SourceSet sources;
    Diagnostics diagnostics;
    const argos::Model model =
        argos::parse_text("random.argos", random_protocol(seed), sources, diagnostics);
    PlainOptions options;
    options.state_limit = 20'000;
    options.overflow_is_error = seed % 8 == 0;
    const PlainResult result = plain_check(model, sources, options);
    if (result.states > 100) ++large;
    if (!result.complete) ++endless;
    for (const PlainError& error : result.errors) {
      const std::string kind =
          error.kind == "assertion" && error.process.empty() ? "behaviour" : error.kind;
      kinds.insert(kind);
      if (!error.members.empty()) kinds_in_members.insert(kind);
    }
  }
  EXPECT_GE(large, protocol_count / 2);
  EXPECT_LE(endless, protocol_count / 12);
  EXPECT_EQ(kinds, (std::set<std::string>{"assertion", "behaviour", "deadlock", "division_by_zero",
                                          "index_out_of_range", "overflow", "unread_messages",
                                          "unspecified_reception"}));
  EXPECT_EQ(kinds_in_members, kinds) << "found in several members of a family";
}

// Two ways of writing the same model must mean the same: places apart, the plain checker sees no
// difference. This also holds the unparser to its word, on which the shrinker relies.
TEST(Generator, WritesProtocolsThatKeepTheirMeaningWhenWrittenAnew) {
  for (std::uint64_t seed = 0; seed < protocol_count / 4; ++seed) {
    SourceSet sources;
    Diagnostics diagnostics;
    const argos::Model model =
        argos::parse_text("random.argos", random_protocol(seed), sources, diagnostics);
    const argos::Model again =
        argos::parse_text("again.argos", argos::unparse(model), sources, diagnostics);
    ASSERT_FALSE(diagnostics.has_errors()) << diagnostics.render(sources);
    PlainOptions options;
    options.state_limit = 2'000;
    const PlainResult first = plain_check(model, sources, options);
    const PlainResult second = plain_check(again, sources, options);
    EXPECT_EQ(first.states, second.states) << "seed " << seed;
    EXPECT_EQ(first.transitions, second.transitions) << "seed " << seed;
    EXPECT_EQ(first.errors.size(), second.errors.size()) << "seed " << seed;
  }
}

}  // namespace
}  // namespace panoptes::differential
