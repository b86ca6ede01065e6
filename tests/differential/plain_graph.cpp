// SPDX-License-Identifier: Apache-2.0
// Statements to nodes, and nodes to a graph without transit nodes.
#include "differential/plain_graph.hpp"

#include <algorithm>
#include <stdexcept>
#include <utility>
#include <variant>

namespace panoptes::differential {
namespace {

using Labels = std::map<std::string, int>;

struct Context {
  const Scope* scope = nullptr;
  const Labels* labels = nullptr;
  int leave = 0;  // where `break` leads
};

template <class Kind>
bool is(const argos::Statement& statement) {
  return std::holds_alternative<Kind>(statement.action);
}

class Translation {
 public:
  Translation(const argos::Model& model, Surroundings& surroundings, std::deque<Scope>& scopes)
      : model_(model), surroundings_(surroundings), scopes_(scopes) {}

  PlainGraph translate(const argos::Block& body, const Scope& scope) {
    outermost_ = &scope;
    add_node();  // the end
    graph_.start = whole_body(body, PlainGraph::end, scope);
    return std::move(graph_);
  }

 private:
  int add_node() {
    graph_.nodes.emplace_back();
    graph_.nodes.back().is_inside = atomics_ > 0;
    return static_cast<int>(graph_.nodes.size()) - 1;
  }

  PlainNode& node(int number) { return graph_.nodes[static_cast<std::size_t>(number)]; }

  // The body of a process, an assertion or one call of a procedure: labels are its own.
  int whole_body(const argos::Block& body, int next, const Scope& scope) {
    Labels labels;
    find_labels(body, labels);
    return block(body, 0, next, Context{&scope, &labels, next});
  }

  void find_labels(const argos::Block& body, Labels& labels) {
    for (const argos::Statement& statement : body) {
      const int labelled = statement.labels.empty() ? 0 : add_node();
      for (const argos::Name& label : statement.labels) labels[label.text] = labelled;
      if (const auto* choice = std::get_if<argos::If>(&statement.action))
        for (const argos::Option& option : choice->options) find_labels(option.body, labels);
      if (const auto* loop = std::get_if<argos::Do>(&statement.action))
        for (const argos::Option& option : loop->options) find_labels(option.body, labels);
      if (const auto* atomic = std::get_if<argos::Atomic>(&statement.action))
        find_labels(atomic->body, labels);
    }
  }

  // The node of the first statement from `first` on, or `next` where there is none.
  int block(const argos::Block& body, std::size_t first, int next, const Context& context) {
    for (std::size_t i = body.size(); i > first; --i) next = statement(body[i - 1], next, context);
    return next;
  }

  int statement(const argos::Statement& statement, int next, const Context& context) {
    const int self =
        statement.labels.empty() ? add_node() : context.labels->at(statement.labels[0].text);
    node(self).place = statement.place;
    node(self).is_inside = atomics_ > 0;
    for (const argos::Name& label : statement.labels) node(self).labels.push_back(label.text);
    if (const auto* choice = std::get_if<argos::If>(&statement.action)) {
      choose(self, choice->options, next, context);
    } else if (const auto* loop = std::get_if<argos::Do>(&statement.action)) {
      choose(self, loop->options, self, Context{context.scope, context.labels, next});
    } else if (const auto* call = std::get_if<argos::Call>(&statement.action)) {
      enter(self, statement, *call, next, context);
    } else if (const auto* atomic = std::get_if<argos::Atomic>(&statement.action)) {
      ++atomics_;
      const int first = block(atomic->body, 0, next, context);
      --atomics_;
      node(self).options = {jump_to(first)};
      node(self).lent = node(first).lent;
    } else if (const auto* broadcast = std::get_if<argos::Broadcast>(&statement.action)) {
      send_to_all(self, statement, *broadcast, next, context);
    } else {
      only_way_out(self, simple(statement, next, context));
    }
    if (!statement.labels.empty() || is<argos::Do>(statement))
      for (PlainOption& option : node(self).lent) option.keeps_place = true;
    return self;
  }

  // A node for each member, from the last one to the first, and all but the first within one step.
  // Where they are: see place_broadcasts().
  void send_to_all(int self, const argos::Statement& statement, const argos::Broadcast& broadcast,
                   int next, const Context& context) {
    const int count = surroundings_.family_size(broadcast.channel.name.text, *context.scope);
    for (int member = count - 1; member >= 0; --member) {
      const int at = member == 0 ? self : add_node();
      PlainOption option{{}, &statement, context.scope, nullptr, next, {}};
      option.member = member;
      option.members = count;
      only_way_out(at, option);
      node(at).options[0].is_inside |= member + 1 < count;
      node(at).lent = node(at).options;
      next = at;
      if (member == 0) continue;
      node(at).place = statement.place;
      node(at).is_inside = true;
    }
  }

  // A jump is an action only where it has a condition.
  static PlainOption simple(const argos::Statement& statement, int next, const Context& context) {
    const auto* jump = std::get_if<argos::Goto>(&statement.action);
    const bool jumps = jump != nullptr || is<argos::Break>(statement) || is<argos::Skip>(statement);
    if (jump != nullptr) next = context.labels->at(jump->label.text);
    if (is<argos::Break>(statement)) next = context.leave;
    if (jumps && statement.when == nullptr) return jump_to(next, &statement);
    return {{}, &statement, context.scope, nullptr, next, {}};
  }

  static PlainOption with_before(const ParameterSteps& before, int target) {
    PlainOption option;
    option.before = before;
    option.target = target;
    return option;
  }

  static PlainOption jump_to(int target, const argos::Statement* statement = nullptr) {
    PlainOption option = with_before({}, target);
    option.jump = statement;
    return option;
  }

  void only_way_out(int self, PlainOption option) {
    option.is_inside = atomics_ > 0;
    node(self).options = {option};
    node(self).lent = {option};
  }

  void choose(int self, const std::vector<argos::Option>& options, int next,
              const Context& context) {
    std::vector<PlainOption> lent;
    int guard = 0;
    for (const argos::Option& option : options) {
      guard = statement(option.body[0], block(option.body, 1, next, context), context);
      const std::vector<PlainOption>& more = node(guard).lent;
      lent.insert(lent.end(), more.begin(), more.end());
    }
    node(self).lent = lent;
    if (options.size() > 1 || !jumped_to(options[0].body[0])) place_broadcasts(self);
    if (options.size() > 1) {
      node(self).options = lent;
    } else if (jumped_to(options[0].body[0])) {
      node(self).options = {jump_to(guard)};
    } else {
      node(self).options = node(guard).options;
    }
  }

  // What a broadcast does behind its first send is done where that is: at the choice it belongs to.
  void place_broadcasts(int choice) {
    for (const PlainOption& option : node(choice).lent)
      for (int i = 1, at = option.target; !option.keeps_place && i < option.members; ++i) {
        node(at).place = node(choice).place;
        at = node(at).options[0].target;
      }
  }

  // The guards that a choice without alternative is merely on the way to.
  static bool jumped_to(const argos::Statement& guard) {
    return is<argos::If>(guard) || is<argos::Do>(guard) || is<argos::Call>(guard) ||
           is<argos::Atomic>(guard);
  }

  void enter(int self, const argos::Statement& statement, const argos::Call& call, int next,
             const Context& context) {
    const argos::ProcedureDeclaration& procedure = find(call.procedure.text);
    Scope& inner = scopes_.emplace_back(*outermost_);  // the caller's parameters are not seen
    const ParameterSteps sets = surroundings_.enter(procedure, call, *context.scope, inner);
    ParameterSteps resets;
    for (const ParameterStep& set : sets)
      resets.push_back({set.variable, nullptr, nullptr, set.otherwise});

    const int leave = add_node();
    only_way_out(leave, with_before(resets, next));
    const int body = procedure.body.empty() ? empty_body(leave, statement)
                                            : whole_body(procedure.body, leave, inner);
    node(self).options = {with_before(sets, body)};
    node(self).lent = node(body).lent;
    for (PlainOption& option : node(self).lent)
      option.before.insert(option.before.begin(), sets.begin(), sets.end());
  }

  int empty_body(int next, const argos::Statement& call) {  // counts as `skip`
    const int skip = add_node();
    only_way_out(skip, jump_to(next, &call));
    return skip;
  }

  const argos::ProcedureDeclaration& find(const std::string& name) const {
    for (const argos::ProcedureDeclaration& procedure : model_.procedures)
      if (procedure.name.text == name) return procedure;
    throw std::out_of_range("no procedure " + name);
  }

  const argos::Model& model_;
  Surroundings& surroundings_;
  std::deque<Scope>& scopes_;
  const Scope* outermost_ = nullptr;
  int atomics_ = 0;  // that are around
  PlainGraph graph_;
};

class TransitRemoval {
 public:
  explicit TransitRemoval(PlainGraph& graph) : graph_(graph) {}

  void remove() {
    for (int i = 0; i < count(); ++i) break_cycle(i);
    for (int i = 0; i < count(); ++i) pass_labels_on(i);
    for (PlainNode& node : graph_.nodes) {
      if (is_transit(node)) continue;
      for (PlainOption& option : node.options)
        option.ends_inside = step_over(option.target, option.after) && option.is_inside;
    }
    step_over(graph_.start, graph_.before_start);
  }

 private:
  int count() const { return static_cast<int>(graph_.nodes.size()); }
  PlainNode& node(int number) { return graph_.nodes[static_cast<std::size_t>(number)]; }

  bool is_transit(const PlainNode& node) {
    return node.options.size() == 1 && node.options[0].action == nullptr &&
           &this->node(node.options[0].target) != &node;
  }

  // A cycle of jumps becomes one state with one internal step to itself: state and statement are
  // those that come first in the text, so that they do not depend on how it was found.
  void break_cycle(int first) {
    std::vector<int> cycle;
    for (int i = first; is_transit(node(i));) {
      cycle.push_back(i);
      i = node(i).options[0].target;
      if (i == first) return stay(cycle);
      if (cycle.size() > graph_.nodes.size()) return;  // leads to a cycle, but is not on it
    }
  }

  void stay(const std::vector<int>& cycle) {
    const int chosen = *std::min_element(cycle.begin(), cycle.end(), [&](int left, int right) {
      return node(left).place < node(right).place;
    });
    PlainOption again;
    again.target = chosen;
    int passed = chosen;
    do {  // what calls on the way set is set once more
      const PlainOption& jump = node(passed).options[0];
      again.before.insert(again.before.end(), jump.before.begin(), jump.before.end());
      if (jump.jump && (!again.jump || jump.jump->place < again.jump->place))
        again.jump = jump.jump;
      passed = jump.target;
    } while (passed != chosen);
    again.is_inside =
        std::all_of(cycle.begin(), cycle.end(), [&](int number) { return node(number).is_inside; });
    node(chosen).options = {again};
  }

  void pass_labels_on(int from) {
    if (!is_transit(node(from))) return;
    int to = from;
    ParameterSteps ignored;
    step_over(to, ignored);
    for (const std::string& label : node(from).labels) node(to).labels.push_back(label);
  }

  // Says whether all of the way was inside an atomic.
  bool step_over(int& target, ParameterSteps& passed) {
    bool is_inside = node(target).is_inside;
    while (is_transit(node(target))) {
      const PlainOption& jump = node(target).options[0];
      passed.insert(passed.end(), jump.before.begin(), jump.before.end());
      target = jump.target;
      is_inside = is_inside && node(target).is_inside;
    }
    return is_inside;
  }

  PlainGraph& graph_;
};

}  // namespace

PlainGraph plain_graph(const argos::Model& model, const argos::Block& body, const Scope& scope,
                       Surroundings& surroundings, std::deque<Scope>& scopes) {
  PlainGraph graph = Translation(model, surroundings, scopes).translate(body, scope);
  TransitRemoval(graph).remove();
  return graph;
}

}  // namespace panoptes::differential
