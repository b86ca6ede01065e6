// SPDX-License-Identifier: Apache-2.0
// Parentheses are written only where the table of precedences asks for them, and around every
// statement that is a condition, since a name alone is none.
#include "argos/unparse.hpp"

#include <fmt/format.h>

#include <array>
#include <string_view>
#include <type_traits>

#include "argos/precedence.hpp"

namespace panoptes::argos {
namespace {

template <class... Functions>
struct Overload : Functions... {
  using Functions::operator()...;
};
template <class... Functions>
Overload(Functions...) -> Overload<Functions...>;

int precedence_of(const Expression& expression) {
  return std::visit(Overload{
                        [](const Number& n) -> int {
                          return n.value < 0 ? precedence_unary : precedence_primary;
                        },
                        [](const Unary&) -> int { return precedence_unary; },
                        [](const Binary& b) { return find_operator(b.operation).precedence; },
                        // As an operand it needs its parentheses.
                        [](const Quantifier&) -> int { return precedence_lowest - 1; },
                        [](const auto&) -> int { return precedence_primary; },
                    },
                    expression.node);
}

std::string_view timeout_text(TimeoutWord kind) {
  switch (kind) {
    case TimeoutWord::empty: return "empty";
    case TimeoutWord::lock: return "lock";
    case TimeoutWord::quiet: return "quiet";
  }
  return {};
}

// How the operators of formulas are written, in their order; "" for what is none.
struct TemporalSign {
  std::string_view text;
  int precedence;
  bool chains_left = false, chains_right = false;
};
constexpr std::array<TemporalSign, 15> temporal_signs = {{
    {"", 7},
    {"", 7},
    {"", 7},
    {"!", 6},
    {"X", 6},
    {"<>", 6},
    {"[]", 6},
    {"&&", 4, true, false},
    {"||", 3, true, false},
    {"->", 2, false, true},
    {"<->", 1, true, false},
    {"U", 5},
    {"W", 5},
    {"R", 5},
    {"leads to", 2, false, true},
}};

class Writer {
 public:
  std::string take() { return std::move(out_); }

  // ---- expressions

  // In parentheses if it binds looser than `lowest`.
  void expression(const Expression& e, int lowest = precedence_lowest - 1) {
    const bool parentheses = precedence_of(e) < lowest;
    if (parentheses) out_ += '(';
    std::visit([this](const auto& node) { this->node(node); }, e.node);
    if (parentheses) out_ += ')';
  }

  void node(const Number& n) { out_ += fmt::format("{}", n.value); }
  void node(const NameUse& n) { out_ += n.text; }
  void node(const Element& e) {
    out_ += e.array.text;
    index(e.index);
  }
  void node(const AskChannel& ask) {
    switch (ask.question) {
      case ChannelQuestion::length: out_ += "len("; break;
      case ChannelQuestion::full: out_ += "full("; break;
      case ChannelQuestion::empty: out_ += "empty("; break;
    }
    channel_use(ask.channel);
    out_ += ')';
  }
  void node(const RemoteVariable& r) {
    channel_use(r.process);
    out_ += '.';
    variable_use(r.variable);
  }
  void node(const AtState& a) {
    channel_use(a.process);
    out_ += '@' + a.state.text;
  }
  void node(const HeadIs& h) {
    out_ += "head(";
    channel_use(h.channel);
    out_ += fmt::format(") {} {}", h.is_other ? "!=" : "==", h.message.text);
  }
  // `--` is a token, so a sign never stands right next to another one.
  void node(const Unary& u) {
    const bool negate = u.operation == UnaryOperator::negate;
    out_ += negate ? '-' : '!';
    const std::size_t operand = out_.size();
    expression(*u.operand, precedence_unary);
    if (negate && out_[operand] == '-') out_.insert(operand, 1, ' ');
  }
  void node(const Binary& b) {
    const OperatorEntry& entry = find_operator(b.operation);
    // A comparison of a comparison is warned of without parentheses.
    expression(*b.left, entry.precedence + (is_comparison(entry) ? 1 : 0));
    out_ += fmt::format(" {} ", entry.text);
    expression(*b.right, entry.precedence + 1);
  }

  void node(const Quantifier& q) {
    switch (q.kind) {
      case QuantifierKind::forall: out_ += "forall ("; break;
      case QuantifierKind::exists: out_ += "exists ("; break;
      case QuantifierKind::count: out_ += "count ("; break;
    }
    out_ += q.index.text + " : ";
    range(q.range);
    out_ += ") ";
    expression(*q.body);
  }

  void channel_use(const ChannelUse& use) {
    out_ += use.name.text;
    index(use.index);
  }
  void variable_use(const VariableUse& use) {
    out_ += use.name.text;
    index(use.index);
  }
  void index(const ExpressionPtr& e) {
    if (e == nullptr) return;
    out_ += '[';
    expression(*e);
    out_ += ']';
  }

  void values(const std::vector<ExpressionPtr>& list, bool always) {
    if (list.empty() && !always) return;
    out_ += '(';
    for (std::size_t i = 0; i < list.size(); ++i) {
      if (i > 0) out_ += ", ";
      expression(*list[i]);
    }
    out_ += ')';
  }

  void names(const std::vector<Name>& list) {
    out_ += '(';
    for (std::size_t i = 0; i < list.size(); ++i) {
      if (i > 0) out_ += ", ";
      out_ += list[i].text;
    }
    out_ += ')';
  }

  void parameters(const std::vector<Parameter>& list) {
    constexpr std::string_view words[] = {"", "channel ", "message ", "var "};
    out_ += '(';
    for (std::size_t i = 0; i < list.size(); ++i)
      out_ += fmt::format("{}{}{}", i > 0 ? ", " : "",
                          words[static_cast<std::size_t>(list[i].kind)], list[i].name.text);
    out_ += ')';
  }

  // ---- statements

  void when(const Expression& condition) {
    out_ += "when (";
    expression(condition);
    out_ += ')';
  }

  void statement(const Statement& s) {
    for (const Name& label : s.labels) out_ += label.text + ": ";
    if (s.when != nullptr) {
      when(*s.when);
      out_ += ' ';
    }
    std::visit([this](const auto& a) { action(a); }, s.action);
  }

  void action(const Send& a) {
    channel_use(a.channel);
    out_ += '!' + a.message.text;
    values(a.values, false);
  }
  void action(const Broadcast& a) {
    out_ += a.channel.name.text + "[*]!" + a.message.text;
    values(a.values, false);
  }
  void action(const Receive& a) {
    channel_use(a.channel);
    out_ += '?' + a.message.text;
    for (std::size_t i = 0; i < a.targets.size(); ++i) {
      out_ += i == 0 ? "(" : ", ";
      const bool is_expected = i < a.expected.size() && a.expected[i] != nullptr;
      if (!is_expected) variable_use(a.targets[i]);
      if (!is_expected) continue;
      out_ += "== ";
      expression(*a.expected[i]);
    }
    if (!a.targets.empty()) out_ += ')';
    if (a.when == nullptr) return;
    out_ += ' ';
    when(*a.when);
  }
  void action(const ReceiveDefault& a) {
    channel_use(a.channel);
    out_ += "?default";
  }
  void action(const Timeout& a) {
    channel_use(a.channel);
    out_ += "?timeout";
    if (a.kind) out_ += fmt::format("({})", timeout_text(*a.kind));
  }
  void action(const Assign& a) {
    for (std::size_t i = 0; i < a.parts.size(); ++i) {
      if (i > 0) out_ += ", ";
      variable_use(a.parts[i].variable);
      out_ += " = ";
      expression(*a.parts[i].value);
    }
  }
  void action(const Test& a) {
    out_ += '(';
    expression(*a.condition);
    out_ += ')';
  }
  void action(const Check& a) {
    out_ += "assert(";
    expression(*a.condition);
    out_ += ')';
  }
  void action(const Else&) { out_ += "else"; }
  void action(const Flush& a) {
    out_ += "flush ";
    channel_use(a.channel);
  }
  void action(const Skip&) { out_ += "skip"; }
  void action(const Break&) { out_ += "break"; }
  void action(const Goto& a) { out_ += "goto " + a.label.text; }
  void action(const Call& a) {
    out_ += a.procedure.text;
    values(a.arguments, true);
  }
  void action(const If& a) { options("if", a.options, "fi"); }
  void action(const Do& a) { options("do", a.options, "od"); }

  void action(const Atomic& a) {
    out_ += "atomic {";
    indentation_ += 2;
    new_line();
    block(a.body);
    indentation_ -= 2;
    new_line();
    out_ += '}';
  }

  // The first statement of an option stands beside its `::`, the others below it.
  void options(std::string_view open, const std::vector<Option>& list, std::string_view close) {
    out_ += open;
    for (const Option& option : list) {
      new_line();
      out_ += ":: ";
      if (option.likelihood == Likelihood::high) out_ += "[high] ";
      if (option.likelihood == Likelihood::low) out_ += "[low] ";
      indentation_ += 3;
      block(option.body);
      indentation_ -= 3;
    }
    new_line();
    out_ += close;
  }

  void block(const Block& body) {
    for (std::size_t i = 0; i < body.size(); ++i) {
      if (i > 0) {
        out_ += ';';
        new_line();
      }
      statement(body[i]);
    }
  }

  // ---- declarations

  void range(const Range& r) {
    expression(*r.low, precedence_sum);
    out_ += "..";
    expression(*r.high, precedence_sum);
  }

  void family(const std::optional<FamilyIndex>& index) {
    if (!index) return;
    out_ += fmt::format("[{} : ", index->name.text);
    range(index->range);
    out_ += ']';
  }

  void channel(const ChannelDeclaration& c) {
    out_ += fmt::format("{} {}", c.is_sink ? "sink" : "channel", c.name.text);
    if (c.family) {
      out_ += '[';
      range(*c.family);
      out_ += ']';
    }
    if (c.capacity != nullptr) {
      out_ += '[';
      expression(*c.capacity);
      out_ += ']';
    }
    if (c.is_lossy) out_ += " lossy";
    if (c.is_duplicating) out_ += " duplicating";
    if (c.is_reordering) out_ += " reordering";
    if (!c.contents.empty()) {
      out_ += " = { ";
      for (std::size_t i = 0; i < c.contents.size(); ++i) {
        if (i > 0) out_ += ", ";
        out_ += c.contents[i].message.text;
        values(c.contents[i].values, false);
      }
      out_ += " }";
    }
    out_ += ';';
    new_line();
  }

  void constant(const ConstantDeclaration& c) {
    out_ += fmt::format("const {} = ", c.name.text);
    expression(*c.value);
    out_ += ';';
    new_line();
  }

  void enumeration(const EnumerationDeclaration& e) {
    out_ += "enum ";
    if (e.name) out_ += e.name->text + ' ';
    for (std::size_t i = 0; i < e.names.size(); ++i)
      out_ += (i == 0 ? "{ " : ", ") + e.names[i].text;
    out_ += " }";
    new_line();
  }

  void variable(const VariableDeclaration& v) {
    out_ += "var " + v.name.text;
    index(v.size);
    if (v.enumeration) out_ += " : " + v.enumeration->text;
    if (v.range) {
      out_ += " : ";
      range(*v.range);
      if (v.wraps) out_ += " wraps";
    }
    if (v.initial != nullptr) {
      out_ += " = ";
      expression(*v.initial);
    }
    for (std::size_t i = 0; i < v.elements.size(); ++i) {
      out_ += i == 0 ? " = { " : ", ";
      expression(*v.elements[i]);
    }
    if (!v.elements.empty()) out_ += " }";
    out_ += ';';
    new_line();
  }

  void process(const ProcessDeclaration& p) {
    out_ += "proc " + p.name.text;
    family(p.family);
    out_ += " {";
    indentation_ += 2;
    new_line();
    for (const ChannelDeclaration& c : p.channels) channel(c);
    for (const VariableDeclaration& v : p.variables) variable(v);
    close_body(p.body);
  }

  void procedure(const ProcedureDeclaration& p) {
    out_ += "procedure " + p.name.text;
    parameters(p.parameters);
    out_ += " {";
    indentation_ += 2;
    new_line();
    for (const VariableDeclaration& v : p.variables) variable(v);
    close_body(p.body);
  }

  void assertion(const AssertionDeclaration& a) {
    out_ += "assert";
    if (a.name) out_ += ' ' + a.name->text;
    family(a.family);
    out_ += " {";
    indentation_ += 2;
    new_line();
    close_body(a.body);
  }

  void invariant(const InvariantDeclaration& i) {
    out_ += i.is_never ? "never" : "always";
    if (i.name) out_ += ' ' + i.name->text;
    family(i.family);
    out_ += " (";
    expression(*i.condition);
    out_ += ");";
    new_line();
  }

  // With parentheses around every expression that is more than a name or a question.
  void predicate(const Expression& e, bool is_alone) {
    const bool is_compound = std::holds_alternative<Binary>(e.node) ||
                             std::holds_alternative<Quantifier>(e.node) ||
                             std::holds_alternative<HeadIs>(e.node);
    out_ += is_compound && !is_alone ? "(" : "";
    expression(e);
    out_ += is_compound && !is_alone ? ")" : "";
  }

  void event(const TemporalFormula& f) {
    const bool is_sent = f.operation == TemporalOperator::sent;
    out_ += is_sent ? "sent(" : "received(";
    channel_use(f.channel);
    out_ += (is_sent ? '!' : '?') + f.message.text + ')';
  }

  // In parentheses where it binds less than `lowest`.
  void formula(const TemporalFormula& f, int lowest = 0) {
    const TemporalSign& sign = temporal_signs[static_cast<std::size_t>(f.operation)];
    if (f.operation == TemporalOperator::predicate) return predicate(*f.predicate, lowest == 0);
    if (sign.text.empty()) return event(f);
    const bool is_inner = sign.precedence < lowest;
    out_ += is_inner ? "(" : "";
    if (f.right) {
      formula(*f.left, sign.precedence + (sign.chains_left ? 0 : 1));
      out_ += fmt::format(" {} ", sign.text);
      formula(*f.right, sign.precedence + (sign.chains_right ? 0 : 1));
    } else {
      out_ += sign.text;
      if (f.operation != TemporalOperator::negation) out_ += ' ';
      formula(*f.left, sign.precedence);
    }
    out_ += is_inner ? ")" : "";
  }

  void temporal(const TemporalDeclaration& t) {
    out_ += "ltl";
    if (t.name) out_ += ' ' + t.name->text;
    family(t.family);
    out_ += " { ";
    formula(*t.formula);
    out_ += " }";
    new_line();
  }

  void model(const Model& m) {
    for (const EnumerationDeclaration& e : m.enumerations) enumeration(e);
    for (const ConstantDeclaration& c : m.constants) constant(c);
    for (const ChannelDeclaration& c : m.channels) channel(c);
    for (const VariableDeclaration& v : m.variables) variable(v);
    for (const ProcessDeclaration& p : m.processes) process(p);
    for (const ProcedureDeclaration& p : m.procedures) procedure(p);
    for (const AssertionDeclaration& a : m.assertions) assertion(a);
    for (const InvariantDeclaration& i : m.invariants) invariant(i);
    for (const TemporalDeclaration& t : m.temporal) temporal(t);
    for (const FairnessDeclaration& f : m.fairness) {
      out_ += fmt::format("fair {};", f.word.text);
      new_line();
    }
  }

 private:
  void close_body(const Block& body) {
    block(body);
    indentation_ -= 2;
    new_line();
    out_ += '}';
    new_line();
  }

  // Blanks of a line that stays empty, or of one that closes, are taken back.
  void new_line() {
    while (!out_.empty() && out_.back() == ' ') out_.pop_back();
    if (!out_.empty() && out_.back() != '\n') out_ += '\n';
    out_.append(indentation_, ' ');
  }

  std::string out_;
  std::size_t indentation_ = 0;
};

}  // namespace

std::string unparse(const VariableUse& use) {
  Writer writer;
  writer.variable_use(use);
  return writer.take();
}

std::string unparse(const TemporalFormula& formula) {
  Writer writer;
  writer.formula(formula);
  return writer.take();
}

std::string unparse(const Model& model) {
  Writer writer;
  writer.model(model);
  return writer.take();
}

std::string unparse(const Statement& statement) {
  Writer writer;
  writer.statement(statement);
  return writer.take();
}

std::string unparse(const Expression& expression) {
  Writer writer;
  writer.expression(expression);
  return writer.take();
}

}  // namespace panoptes::argos
