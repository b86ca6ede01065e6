// SPDX-License-Identifier: Apache-2.0
// Edits have numbers: the n-th one in a fixed walk over the tree. A candidate is the text parsed
// afresh with one edit made, so trees need not be copied and nothing has to be undone.
#include "differential/shrink.hpp"

#include <chrono>
#include <cstdint>
#include <iterator>
#include <optional>
#include <utility>
#include <variant>
#include <vector>

#include "argos/parse.hpp"
#include "argos/syntax.hpp"
#include "argos/unparse.hpp"
#include "base/diagnostic.hpp"
#include "base/source.hpp"

namespace panoptes::differential {
namespace {

using argos::Block;
using argos::Expression;
using argos::ExpressionPtr;
using argos::Model;
using argos::Option;
using argos::Statement;

// Makes the edit with a given number. Every edit makes the text shorter or a number smaller, so
// edits come to an end.
class Editor {
 public:
  explicit Editor(std::size_t number) : left_(number) {}

  bool edit(Model& model) {
    leave_out_one(model.processes);
    leave_out_one(model.assertions);
    leave_out_one(model.invariants);
    leave_out_one(model.procedures);
    leave_out_one(model.constants);
    leave_out_one(model.enumerations);
    for (argos::ProcessDeclaration& process : model.processes) edit_block(process.body);
    for (argos::ProcedureDeclaration& procedure : model.procedures) {
      edit_block(procedure.body);
      leave_out_one(procedure.variables);
    }
    for (argos::AssertionDeclaration& assertion : model.assertions) edit_block(assertion.body);
    for (argos::InvariantDeclaration& invariant : model.invariants)
      edit_expression(invariant.condition);
    edit_declarations(model.channels, model.variables);
    for (argos::ProcessDeclaration& process : model.processes) {
      edit_declarations(process.channels, process.variables);
      if (process.family) edit_expression(process.family->range.high);
    }
    return is_done_;
  }

 private:
  // Whether it is now the turn of the wanted edit.
  bool is_wanted() {
    if (is_done_) return false;
    if (left_ > 0) {
      --left_;
      return false;
    }
    is_done_ = true;
    return true;
  }

  template <class Item>
  void leave_out_one(std::vector<Item>& items, std::size_t least = 0) {
    for (std::size_t i = 0; items.size() > least && i < items.size(); ++i)
      if (is_wanted()) {
        items.erase(items.begin() + static_cast<std::ptrdiff_t>(i));
        return;
      }
  }

  void edit_declarations(std::vector<argos::ChannelDeclaration>& channels,
                         std::vector<argos::VariableDeclaration>& variables) {
    leave_out_one(channels);
    leave_out_one(variables);
    for (argos::ChannelDeclaration& channel : channels) {
      leave_out_one(channel.contents);
      for (argos::InitialMessage& message : channel.contents) edit_values(message.values);
      edit_expression(channel.capacity, 1);
      for (bool* fault : {&channel.is_lossy, &channel.is_duplicating, &channel.is_reordering})
        if (*fault && is_wanted()) *fault = false;
      if (channel.family) edit_expression(channel.family->high);
    }
    for (argos::VariableDeclaration& variable : variables) {
      if (variable.initial && is_wanted()) variable.initial = nullptr;
      if (!variable.elements.empty() && is_wanted()) variable.elements.clear();
      if (variable.range && is_wanted()) variable.range.reset();
      edit_expression(variable.initial);
      for (ExpressionPtr& element : variable.elements) edit_expression(element);
      if (variable.range) edit_expression(variable.range->high);
    }
  }

  void edit_block(Block& block, std::size_t least = 0) {
    leave_out_one(block, least);
    for (std::size_t i = 0; i < block.size() && !is_done_; ++i) {
      if (std::vector<Option>* options = options_of(block[i])) {
        unwrap(block, i, *options);
        if (is_done_) return;
        edit_options(*options);
      }
      if (auto* atomic = std::get_if<argos::Atomic>(&block[i].action)) {
        if (is_wanted()) return open_up(block, i, std::move(atomic->body));
        edit_block(atomic->body, 1);
      }
      edit_statement(block[i]);
    }
  }

  static std::vector<Option>* options_of(Statement& statement) {
    if (auto* choice = std::get_if<argos::If>(&statement.action)) return &choice->options;
    if (auto* loop = std::get_if<argos::Do>(&statement.action)) return &loop->options;
    return nullptr;
  }

  // One of the options instead of the choice.
  void unwrap(Block& block, std::size_t at, std::vector<Option>& options) {
    for (Option& option : options) {
      if (!is_wanted()) continue;
      return open_up(block, at, std::move(option.body));
    }
  }

  // What is in a statement instead of the statement.
  static void open_up(Block& block, std::size_t at, Block body) {
    const auto place = block.erase(block.begin() + static_cast<std::ptrdiff_t>(at));
    block.insert(place, std::make_move_iterator(body.begin()), std::make_move_iterator(body.end()));
  }

  void edit_options(std::vector<Option>& options) {
    leave_out_one(options, 1);
    for (Option& option : options) edit_block(option.body, 1);
  }

  void edit_statement(Statement& statement) {
    leave_out_one(statement.labels);
    edit_condition(statement.when);
    if (!std::holds_alternative<argos::Skip>(statement.action) && is_wanted())
      statement.action = argos::Skip{};
    if (auto* send = std::get_if<argos::Send>(&statement.action)) {
      edit_values(send->values);
    } else if (auto* broadcast = std::get_if<argos::Broadcast>(&statement.action)) {
      edit_values(broadcast->values);
    } else if (auto* receive = std::get_if<argos::Receive>(&statement.action)) {
      edit_condition(receive->when);
      if (!receive->expected.empty() && is_wanted()) receive->expected.clear();
      if (receive->expected.empty()) leave_out_one(receive->targets);
      for (argos::VariableUse& target : receive->targets) edit_expression(target.index);
    } else if (auto* assignment = std::get_if<argos::Assign>(&statement.action)) {
      leave_out_one(assignment->parts, 1);
      for (argos::Assignment& part : assignment->parts) {
        edit_expression(part.variable.index);
        edit_expression(part.value);
      }
    } else if (auto* test = std::get_if<argos::Test>(&statement.action)) {
      edit_expression(test->condition);
    } else if (auto* check = std::get_if<argos::Check>(&statement.action)) {
      edit_expression(check->condition);
    } else if (auto* call = std::get_if<argos::Call>(&statement.action)) {
      for (ExpressionPtr& argument : call->arguments) edit_expression(argument);
    }
  }

  void edit_condition(ExpressionPtr& condition) {
    if (condition && is_wanted()) condition = nullptr;
    edit_expression(condition);
  }

  void edit_values(std::vector<ExpressionPtr>& values) {
    leave_out_one(values);
    for (ExpressionPtr& value : values) edit_expression(value);
  }

  void edit_expression(ExpressionPtr& expression, std::int64_t least = 0) {
    if (!expression) return;
    if (auto* number = std::get_if<argos::Number>(&expression->node)) {
      if (number->value / 2 >= least && number->value > 0 && is_wanted()) number->value /= 2;
      if (number->value > least && is_wanted()) number->value -= 1;
      return;
    }
    if (is_wanted()) {
      expression = std::make_unique<Expression>(Expression{argos::Number{0}, {}});
      return;
    }
    if (auto* element = std::get_if<argos::Element>(&expression->node)) {
      edit_operand(expression, element->index);
    } else if (auto* unary = std::get_if<argos::Unary>(&expression->node)) {
      edit_operand(expression, unary->operand);
    } else if (auto* binary = std::get_if<argos::Binary>(&expression->node)) {
      edit_operand(expression, binary->left);
      if (!is_done_) edit_operand(expression, binary->right);
    } else if (auto* all = std::get_if<argos::Quantifier>(&expression->node)) {
      edit_expression(all->range.high);
      edit_expression(all->body);
    }
  }

  void edit_operand(ExpressionPtr& whole, ExpressionPtr& operand) {
    if (is_wanted()) {
      ExpressionPtr part = std::move(operand);
      whole = std::move(part);
    } else {
      edit_expression(operand);
    }
  }

  std::size_t left_;
  bool is_done_ = false;
};

std::optional<Model> parsed(const std::string& text) {
  SourceSet sources;
  Diagnostics diagnostics;
  Model model = argos::parse_text("shrunk.argos", text, sources, diagnostics);
  if (diagnostics.has_errors()) return std::nullopt;
  return model;
}

// The text with edit `number` made; nothing when there is no such edit.
std::optional<std::string> edited(const std::string& text, std::size_t number) {
  std::optional<Model> model = parsed(text);
  if (!model || !Editor(number).edit(*model)) return std::nullopt;
  return argos::unparse(*model);
}

}  // namespace

std::string shrink(const std::string& text,
                   const std::function<bool(const std::string& text)>& still_fails,
                   const ShrinkBudget& budget) {
  using Clock = std::chrono::steady_clock;
  const auto deadline = Clock::now() + std::chrono::duration<double>(budget.seconds);
  const std::optional<Model> model = parsed(text);
  if (!model) return text;
  std::string smallest = argos::unparse(*model);
  if (!still_fails(smallest)) return text;

  std::size_t number = 0;
  bool is_smaller = false;  // in this round
  for (std::size_t i = 0; i < budget.attempts && Clock::now() < deadline; ++i) {
    const std::optional<std::string> candidate = edited(smallest, number);
    if (!candidate) {
      if (!is_smaller) break;
      is_smaller = false;
      number = 0;
    } else if (*candidate != smallest && parsed(*candidate) && still_fails(*candidate)) {
      smallest = *candidate;  // the next edit now has this number
      is_smaller = true;
    } else {
      ++number;
    }
  }
  return smallest;
}

}  // namespace panoptes::differential
