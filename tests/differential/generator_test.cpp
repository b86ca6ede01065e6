// SPDX-License-Identifier: Apache-2.0
// What the comparison of checkers relies on: random protocols are the same everywhere, parse
// without errors, are neither trivial nor endless, and between them show every construct and every
// kind of error.
#include "differential/generator.hpp"

#include <gtest/gtest.h>

#include <map>
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
    if (!model.enumerations.empty()) note("enum");
    for (const argos::ChannelDeclaration& channel : model.channels) look_at(channel);
    for (const argos::VariableDeclaration& variable : model.variables) look_at(variable, "shared");
    for (const argos::ProcessDeclaration& process : model.processes) look_at(process);
    for (const argos::ProcedureDeclaration& procedure : model.procedures) {
      note(procedure.parameters.empty() ? "procedure" : "procedure with parameters");
      for (const argos::Parameter& parameter : procedure.parameters)
        note("parameter " + std::to_string(static_cast<int>(parameter.kind)));
      if (!procedure.variables.empty()) note("variable in a procedure");
      look_at(procedure.body, "procedure");
    }
    for (const argos::AssertionDeclaration& assertion : model.assertions) {
      note(assertion.name ? "named assertion" : "unnamed assertion");
      if (assertion.family) note("family of assertions");
      look_at(assertion.body, "assertion");
    }
    for (const argos::InvariantDeclaration& invariant : model.invariants) {
      note(invariant.name ? "named invariant" : "unnamed invariant");
      note(invariant.is_never ? "never" : "always");
      if (invariant.family) note("family of invariants");
      look_at(*invariant.condition);
    }
  }

 private:
  void note(const std::string& construct) { found_.insert(construct); }

  void look_at(const argos::ChannelDeclaration& channel) {
    if (channel.is_sink) note("sink");
    if (!channel.capacity) note("channel without capacity");
    if (!channel.contents.empty()) note("initial contents");
    if (channel.family) note("family of channels");
    if (const auto* slots =
            channel.capacity ? std::get_if<argos::Number>(&channel.capacity->node) : nullptr;
        slots && slots->value == 0)
      note(channel.family ? "family of rendezvous" : "rendezvous");
    if (channel.is_lossy) note("lossy");
    if (channel.is_duplicating) note("duplicating");
    if (channel.is_reordering) note("reordering");
  }

  void look_at(const argos::VariableDeclaration& variable, const std::string& where) {
    if (variable.size) {
      note("array");
      note(where + " array");
      if (!variable.elements.empty()) note("array with values");
    }
    note(where + (variable.range ? " variable with range" : " variable without range"));
    if (variable.initial) note("initial value");
    if (variable.enumeration) note("variable of an enum");
    if (variable.range) note(variable.wraps ? "range that wraps" : "range that is a promise");
  }

  void look_at(const argos::ProcessDeclaration& process) {
    for (const argos::ChannelDeclaration& channel : process.channels) {
      note("channel in a process");
      look_at(channel);
    }
    for (const argos::VariableDeclaration& variable : process.variables) look_at(variable, "local");
    if (process.family) note("family of processes");
    for (const argos::VariableDeclaration& variable : process.variables)
      if (process.family && variable.size) note("array in a family");
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
    static const char* const names[] = {
        "send", "receive", "default", "timeout", "assign", "test",   "check", "skip",     "break",
        "goto", "call",    "if",      "do",      "else",   "atomic", "flush", "broadcast"};
    const std::string name = names[statement.action.index()];
    note(name);
    note(where + " " + name);
    note(position + " " + name);
    if (!statement.labels.empty()) note(position + " with label");
    if (statement.when) note("when");
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
    } else if (const auto* atomic = std::get_if<argos::Atomic>(&statement.action)) {
      look_at(atomic->body, "atomic");
    } else if (const auto* send = std::get_if<argos::Send>(&statement.action)) {
      note("send of " + std::to_string(send->values.size()) + " values");
      if (send->values.size() > 3) note("send of more than 3 values");
      for (const argos::ExpressionPtr& value : send->values) look_at(*value);
    } else if (const auto* broadcast = std::get_if<argos::Broadcast>(&statement.action)) {
      note("broadcast");
      for (const argos::ExpressionPtr& value : broadcast->values) {
        note("broadcast of values");
        if (std::holds_alternative<argos::AskChannel>(value->node))
          note("broadcast of how full a channel is");
        look_at(*value);
      }
    } else if (const auto* timeout = std::get_if<argos::Timeout>(&statement.action)) {
      if (timeout->kind)
        note("timeout of kind " + std::to_string(static_cast<int>(*timeout->kind)));
    } else if (const auto* receive = std::get_if<argos::Receive>(&statement.action)) {
      if (receive->when) note("reception with condition");
      if (!receive->expected.empty()) note("expected value");
      for (const argos::VariableUse& target : receive->targets)
        if (target.index) note("received element");
    } else if (const auto* assignment = std::get_if<argos::Assign>(&statement.action)) {
      if (assignment->parts.size() > 1) note("several assignments");
      for (const argos::Assignment& part : assignment->parts) {
        if (part.variable.index) note("assigned element");
        look_at(*part.value);
      }
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
    } else if (const auto* element = std::get_if<argos::Element>(&expression.node)) {
      note("element");
      look_at(*element->index);
    } else if (const auto* remote = std::get_if<argos::RemoteVariable>(&expression.node)) {
      note(remote->process.index ? "variable of a member" : "variable of a process");
    } else if (const auto* at = std::get_if<argos::AtState>(&expression.node)) {
      note("place");
      note(at->process.index ? "place of a member" : "place of a process");
    } else if (const auto* head = std::get_if<argos::HeadIs>(&expression.node)) {
      note("head");
      note(head->is_other ? "head is not" : "head is");
    } else if (const auto* unary = std::get_if<argos::Unary>(&expression.node)) {
      note("unary " + std::to_string(static_cast<int>(unary->operation)));
      look_at(*unary->operand);
    } else if (const auto* binary = std::get_if<argos::Binary>(&expression.node)) {
      note("binary " + std::to_string(static_cast<int>(binary->operation)));
      look_at(*binary->left);
      look_at(*binary->right);
    } else if (const auto* all = std::get_if<argos::Quantifier>(&expression.node)) {
      note("quantifier");
      note("quantifier " + std::to_string(static_cast<int>(all->kind)));
      look_at(*all->body);
    }
  }

  std::set<std::string>& found_;
};

std::vector<std::string> expected_constructs() {
  std::vector<std::string> all = {"constant",
                                  "enum",
                                  "variable of an enum",
                                  "variable in a procedure",
                                  "several assignments",
                                  "true or false",
                                  "sink",
                                  "rendezvous",
                                  "family of rendezvous",
                                  "channel without capacity",
                                  "initial contents",
                                  "family of channels",
                                  "lossy",
                                  "duplicating",
                                  "reordering",
                                  "channel in a process",
                                  "shared variable with range",
                                  "shared variable without range",
                                  "local variable with range",
                                  "local variable without range",
                                  "initial value",
                                  "procedure",
                                  "procedure with parameters",
                                  "shared array",
                                  "local array",
                                  "array with values",
                                  "received element",
                                  "assigned element",
                                  "element",
                                  "family of processes",
                                  "named assertion",
                                  "unnamed assertion",
                                  "family of assertions",
                                  "named invariant",
                                  "unnamed invariant",
                                  "family of invariants",
                                  "always",
                                  "never",
                                  "variable of a process",
                                  "variable of a member",
                                  "place of a process",
                                  "place of a member",
                                  "head is",
                                  "head is not",
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
                                  "procedure broadcast",
                                  "atomic broadcast",
                                  "broadcast of values",
                                  "broadcast of how full a channel is",
                                  "send of 0 values",
                                  "send of 1 values",
                                  "send of 2 values",
                                  "send of 3 values",
                                  "send of 4 values",
                                  "send of 7 values"};
  for (const char* name :
       {"send", "receive", "default", "timeout", "assign", "test", "check", "skip", "break", "goto",
        "call", "if", "do", "atomic", "flush", "broadcast"})
    for (const char* position : {"process ", "sequence ", "guard "})
      all.push_back(std::string(position) + name);
  for (const char* name : {"send", "receive", "default", "timeout", "assign", "test", "check",
                           "skip", "break", "goto", "broadcast"})
    all.push_back(std::string("when ") + name);
  for (int i = 0; i <= static_cast<int>(argos::ParameterKind::variable); ++i)
    all.push_back("parameter " + std::to_string(i));
  for (int i = 0; i <= static_cast<int>(argos::ChannelQuestion::empty); ++i)
    all.push_back("question " + std::to_string(i));
  for (int i = 0; i <= static_cast<int>(argos::QuantifierKind::count); ++i)
    all.push_back("quantifier " + std::to_string(i));
  for (int i = 0; i <= static_cast<int>(argos::UnaryOperator::logical_not); ++i)
    all.push_back("unary " + std::to_string(i));
  for (int i = 0; i <= static_cast<int>(argos::BinaryOperator::remainder); ++i)
    all.push_back("binary " + std::to_string(i));
  return all;
}

// Those that must be met often, alone and with each other.
std::vector<std::string> newer_constructs() {
  return {"atomic",
          "when",
          "reception with condition",
          "expected value",
          "several assignments",
          "array",
          "array in a family",
          "received element",
          "assigned element",
          "quantifier 0",
          "quantifier 1",
          "quantifier 2",
          "constant",
          "enum",
          "variable of an enum",
          "true or false",
          "variable in a procedure",
          "parameter 1",
          "parameter 2",
          "parameter 3",
          "send of more than 3 values",
          "else",
          "broadcast",
          "always",
          "never",
          "place",
          "head",
          "lossy",
          "duplicating",
          "reordering",
          "flush",
          "rendezvous",
          "timeout of kind 0",
          "timeout of kind 1",
          "timeout of kind 2",
          "range that is a promise",
          "range that wraps"};
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
  EXPECT_EQ(sum, 8003679563699413798u) << "change the number only together with the generator";
}

TEST(Generator, WritesProtocolsThatParseAndShowEveryConstruct) {
  std::map<std::string, std::uint64_t> found;  // in how many protocols
  for (std::uint64_t seed = 0; seed < protocol_count; ++seed) {
    SourceSet sources;
    Diagnostics diagnostics;
    const argos::Model model =
        argos::parse_text("random.argos", random_protocol(seed), sources, diagnostics);
    EXPECT_FALSE(diagnostics.has_errors()) << "seed " << seed << diagnostics.render(sources);
    std::set<std::string> constructs;
    Constructs(constructs).look_at(model);
    for (const std::string& construct : constructs) ++found[construct];
  }
  for (const std::string& construct : expected_constructs())
    EXPECT_GE(found[construct], 1u) << construct;
}

// Of the protocols that the checkers are compared on.
TEST(Generator, WritesManyProtocolsWithEachOfTheNewerConstructs) {
  std::map<std::string, int> counts;
  for (std::uint64_t seed = 0; seed < compared_protocols; ++seed) {
    SourceSet sources;
    Diagnostics diagnostics;
    std::set<std::string> found;
    Constructs(found).look_at(
        argos::parse_text("random.argos", random_protocol(seed), sources, diagnostics));
    for (const std::string& construct : found) ++counts[construct];
  }
  for (const std::string& construct : newer_constructs())
    EXPECT_GE(counts[construct], 200) << construct;
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
    options.state_limit = 5'000;
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
  EXPECT_GE(large * 5, protocol_count * 2);
  EXPECT_LE(endless, protocol_count / 8);
  EXPECT_EQ(kinds, (std::set<std::string>{"assertion", "behaviour", "deadlock", "division_by_zero",
                                          "endless_atomic", "index_out_of_range", "invariant",
                                          "out_of_range", "overflow", "unread_messages",
                                          "unspecified_reception"}));
  EXPECT_GE(kinds_in_members.size() + 3, kinds.size()) << "found in several members of a family";
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
