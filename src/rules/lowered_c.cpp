// SPDX-License-Identifier: Apache-2.0
// Names in the text: s the state, n its successor, m a message being made, v a value; `failed`
// points to what is set once an expression has no value.
#include "rules/lowered_c.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <string_view>
#include <utility>

namespace panoptes {
namespace {

using Kind = WordStep::Kind;

constexpr std::string_view opening =
    R"(/* The rules of a protocol, as a function from a state to its successors.

   A state is PANOPTES_WORDS words of which PANOPTES_BITS bits are in use; panoptes_initial is the
   first. PANOPTES_RULES rules are numbered from 0 on.

   panoptes_expand() finds the rules that fire in `state`, in the order in which they are tried,
   and gives their number. Of the first `most` of them, rule i is rules[i], and its successor are
   the PANOPTES_WORDS words from successors[i * PANOPTES_WORDS] on. No state has more than
   PANOPTES_MOST of them, so with that many nothing is left out. A rule that fires into an error
   has no successor: PANOPTES_FAILED is set in its rules[i], and its words are left as they were.
   Those are an assert() that does not hold, a violated assertion, a message for a full channel
   where that is an error, a division by zero, an index out of range; and a value outside the bits
   it has, which no state that is reachable from the initial one should come to.

   `state` must be reachable from the initial state. Nothing is kept between calls: any number of
   threads may make them. */
)";

// What expressions and steps call; each is there where something does.
struct Helper {
  std::string_view name, text;
};
constexpr Helper helpers[] = {
    {"sum", R"(
static inline int64_t sum(int64_t a, int64_t b) { return (int64_t)((uint64_t)a + (uint64_t)b); }
)"},
    {"difference", R"(
static inline int64_t difference(int64_t a, int64_t b) {
  return (int64_t)((uint64_t)a - (uint64_t)b);
}
)"},
    {"product", R"(
static inline int64_t product(int64_t a, int64_t b) { return (int64_t)((uint64_t)a * (uint64_t)b); }
)"},
    {"quotient", R"(
static inline int64_t quotient(int64_t a, int64_t b, int *failed) {
  if (b == 0) *failed = 1;
  return b == 0 ? 0 : b == -1 ? (int64_t)(0 - (uint64_t)a) : a / b;
}
)"},
    {"modulo", R"(
/* Never negative. */
static inline int64_t modulo(int64_t a, int64_t b) {
  const int64_t rest = b == -1 ? 0 : a % b;
  if (rest >= 0) return rest;
  return (int64_t)((uint64_t)rest + (b < 0 ? 0 - (uint64_t)b : (uint64_t)b));
}
)"},
    {"rest", R"(
static inline int64_t rest(int64_t a, int64_t b, int *failed) {
  if (b == 0) *failed = 1;
  return b == 0 ? 0 : modulo(a, b);
}
)"},
    {"wrapped", R"(
/* Folded into low..high. */
static inline int64_t wrapped(int64_t a, int64_t low, int64_t high) {
  const int64_t size = high - low + 1;
  if (a >= low && a <= high) return a;
  return low + modulo(modulo(a, size) - modulo(low, size), size);
}
)"},
    {"element", R"(
/* A number of an array, in a state whose table says where each of them begins. */
static inline int64_t element(const uint64_t *s, const uint32_t *table, int64_t index,
                              int64_t length, uint64_t mask, int64_t minimum, int *failed) {
  if (index < 0 || index >= length) {
    *failed = 1;
    return 0;
  }
  return (int64_t)(s[table[index] >> 6] >> (table[index] & 63) & mask) + minimum;
}
)"},
    {"vacant", R"(
/* Where the first slot of so many bits begins behind all that are in use. */
static inline unsigned vacant(uint64_t bits, unsigned slot) {
  unsigned at = 0;
  while (at < 64 && bits >> at != 0) at += slot;
  return at;
}
)"},
};

constexpr std::string_view machinery = R"(
enum { disabled, fired, failing };

struct expansion {
  const uint64_t *state;
  uint64_t *successors;
  uint32_t *rules;
  size_t most, count;
};

static inline void note(struct expansion *x, uint32_t rule, int outcome, const uint64_t *n) {
  if (outcome == disabled) return;
  if (x->count < x->most) {
    x->rules[x->count] = outcome == failing ? rule | PANOPTES_FAILED : rule;
    if (outcome == fired)
      memcpy(x->successors + x->count * PANOPTES_WORDS, n, sizeof(uint64_t[PANOPTES_WORDS]));
  }
  ++x->count;
}
)";

std::string word(Word value) { return fmt::format("UINT64_C({:#x})", value); }

std::string number(std::int64_t value) {
  if (value == INT64_MIN) return "INT64_MIN";
  return value < 0 ? fmt::format("(-INT64_C({}))", -value) : fmt::format("INT64_C({})", value);
}

// A field of the state, as an unsigned number.
std::string field(const BitField& at) {
  if (at.bits == 0) return "UINT64_C(0)";
  std::string text = fmt::format("s[{}]", at.word);
  if (at.shift > 0) text += fmt::format(" >> {}", at.shift);
  if (at.shift + at.bits < 64) text += fmt::format(" & {}", word(at.low_mask()));
  return "(" + text + ")";
}

// Nothing in it ends a comment, or begins one.
std::string comment(const std::string& text) {
  std::string out;
  for (const char c : text) {
    if (!out.empty() && ((out.back() == '*' && c == '/') || (out.back() == '/' && c == '*')))
      out += ' ';
    out += static_cast<unsigned char>(c) < ' ' ? ' ' : c;
  }
  return fmt::format("/* {} */", out);
}

class CText {
 public:
  CText(const Lowered& lowered, const std::function<std::string(std::uint32_t)>& text_of)
      : lowered_(lowered), text_of_(text_of) {}

  std::string run() {
    for (std::uint32_t t = 0; t < lowered_.tables.size(); ++t)
      out_ += fmt::format("\nstatic const uint32_t table_{}[] = {{{}u}};\n", t,
                          fmt::join(lowered_.tables[t], "u, "));
    for (std::uint32_t node = 0; node < lowered_.nodes.size(); ++node) add_deep(node);
    for (std::uint32_t rule = 0; rule < lowered_.rules.size(); ++rule) add_rule(rule);
    std::string expand;
    for (std::size_t round = 0; round < lowered_.rounds.size(); ++round) {
      if (lowered_.rounds[round].is_last_resort) expand += "  if (x.count > 0) return x.count;\n";
      const std::string_view when =
          lowered_.rounds[round].waits_for_awaited ? "if (x.awaited == 0) " : "";
      for (std::size_t p = 0; p < lowered_.rounds[round].processes.size(); ++p) {
        add_process(fmt::format("round_{}_process_{}", round, p),
                    lowered_.rounds[round].processes[p]);
        expand += fmt::format("  {}round_{}_process_{}(&x);\n", when, round, p);
      }
    }
    out_ += fmt::format(
        "\nsize_t panoptes_expand(const uint64_t *state, uint64_t *successors, uint32_t *rules,\n"
        "                       size_t most) {{\n"
        "  struct expansion x = {{state, successors, rules, most, 0{}}};\n{}  return "
        "x.count;\n}}\n",
        awaits() ? ", 0" : "", expand);
    return preamble() + out_;
  }

 private:
  std::string preamble() const {
    std::vector<std::string> initial;
    for (const Word value : lowered_.initial) initial.push_back(word(value));
    std::string text = fmt::format(
        "{}#include <stddef.h>\n#include <stdint.h>\n#include <string.h>\n\n"
        "#define PANOPTES_WORDS {}\n#define PANOPTES_BITS {}\n#define PANOPTES_RULES {}\n"
        "#define PANOPTES_MOST {}\n#define PANOPTES_FAILED UINT32_C(0x80000000)\n\n"
        "extern const uint64_t panoptes_initial[PANOPTES_WORDS];\n"
        "size_t panoptes_expand(const uint64_t *state, uint64_t *successors, uint32_t *rules,\n"
        "                       size_t most);\n\n"
        "const uint64_t panoptes_initial[PANOPTES_WORDS] = {{{}}};\n",
        opening, lowered_.words, lowered_.bits, lowered_.rules.size(), lowered_.most_successors,
        fmt::join(initial, ", "));
    const bool wraps = out_.find("wrapped(") != std::string::npos;
    const bool rests = out_.find("rest(") != std::string::npos;
    for (const Helper& helper : helpers)
      if (out_.find(fmt::format("{}(", helper.name)) != std::string::npos ||
          (helper.name == "modulo" && (wraps || rests)))
        text += helper.text;
    std::string last(machinery);
    if (awaits()) last.replace(last.find("count;"), 6, "count, awaited;");
    return text += last;
  }

  bool awaits() const {
    return std::any_of(lowered_.rounds.begin(), lowered_.rounds.end(),
                       [](const LoweredRound& round) { return round.waits_for_awaited; });
  }

  // ---- expressions -----------------------------------------------------------------------------

  // Compilers do not like parentheses in hundreds: what is so deep becomes a function. Operands
  // come before what they are operands of.
  void add_deep(std::uint32_t id) {
    constexpr std::uint32_t deepest = 32;
    const LoweredNode& node = lowered_.nodes[id];
    std::uint32_t depth = 0;
    if (!is_leaf(node.op))
      for (const std::uint32_t operand : {node.a, node.op == Op::element ? none : node.b})
        if (operand != none) depth = std::max(depth, depths_[operand] + 1);
    depths_.push_back(depth == deepest ? 0 : depth);
    is_function_.push_back(false);
    if (depth < deepest) return;
    out_ += fmt::format(
        "\nstatic int64_t node_{}(const uint64_t *s, int *failed) {{\n"
        "  (void)failed;\n  return {};\n}}\n",
        id, value(id));
    is_function_[id] = true;
  }

  std::string value(std::uint32_t id) const {
    if (is_function_[id]) return fmt::format("node_{}(s, failed)", id);
    const LoweredNode& node = lowered_.nodes[id];
    const auto both = [&](std::string_view form) {
      return fmt::format(fmt::runtime(form), value(node.a), value(node.b));
    };
    switch (node.op) {
      case Op::constant: return number(node.value);
      case Op::variable:
        return node.value == 0
                   ? fmt::format("(int64_t){}", field(node.at))
                   : fmt::format("((int64_t){} + {})", field(node.at), number(node.value));
      case Op::full: return fmt::format("({} != 0)", field(node.at));
      case Op::empty: return fmt::format("({} == 0)", field(node.at));
      case Op::length: return length(node);
      case Op::negate: return fmt::format("difference(0, {})", value(node.a));
      case Op::logical_not: return fmt::format("({} == 0)", value(node.a));
      case Op::wrap:
        return fmt::format("wrapped({}, {}, {})", value(node.a), number(node.value),
                           number(node.high));
      case Op::element:
        return fmt::format("element(s, table_{}, {}, {}, {}, {}, failed)", node.b, value(node.a),
                           number(node.high), word(node.at.low_mask()), number(node.value));
      case Op::logical_or: return both("({} != 0 || {} != 0)");
      case Op::logical_and: return both("({} != 0 && {} != 0)");
      case Op::equal: return both("({} == {})");
      case Op::not_equal: return both("({} != {})");
      case Op::less: return both("({} < {})");
      case Op::less_equal: return both("({} <= {})");
      case Op::greater: return both("({} > {})");
      case Op::greater_equal: return both("({} >= {})");
      case Op::add: return both("sum({}, {})");
      case Op::subtract: return both("difference({}, {})");
      case Op::multiply: return both("product({}, {})");
      case Op::divide: return both("quotient({}, {}, failed)");
      case Op::remainder: return both("rest({}, {}, failed)");
      case Op::require: return both("({1} != 0 ? {0} : (*failed = 1, 0))");
      default: return both("((void){}, {})");
    }
  }

  std::string length(const LoweredNode& node) const {
    std::string text;
    for (std::uint32_t tag = node.a; tag < node.b; ++tag)
      text += fmt::format("{}({} != 0)", tag == node.a ? "" : " + ", field(lowered_.tags[tag]));
    return "(" + text + ")";
  }

  // ---- rules -----------------------------------------------------------------------------------

  void add_rule(std::uint32_t id) {
    const LoweredRule& rule = lowered_.rules[id];
    std::string steps;
    bool has_successor = true, has_message = false, is_else = false;
    for (std::uint32_t i = rule.first; i < rule.end; ++i) {
      const WordStep& next = lowered_.steps[i];
      steps += next.kind == Kind::append ? append(next, is_else) : step(next);
      is_else = next.kind == Kind::append && next.from.bits > 0;
      has_message |= next.kind == Kind::message;
      has_successor = next.kind != Kind::fail;
    }
    out_ += fmt::format("\n{}\nstatic int rule_{}(const uint64_t *s, uint64_t *n) {{\n",
                        comment(text_of_(id)), id);
    if (steps.find("failed") != std::string::npos) out_ += "  int fault = 0, *failed = &fault;\n";
    if (has_message) out_ += "  uint64_t m;\n";
    if (!has_successor) out_ += "  (void)s;\n  (void)n;\n";
    out_ += steps + (has_successor ? "  return fired;\n}\n" : "}\n");
  }

  std::string step(const WordStep& step) const {
    const std::string otherwise =
        step.otherwise == WordStep::Otherwise::failure ? "failing" : "disabled";
    switch (step.kind) {
      case Kind::equal:
        return fmt::format("  if ({} != {}) return {};\n", field(step.at), word(step.constant),
                           otherwise);
      case Kind::holds:
        return fmt::format("  {{\n{}    if (v == 0) return {};\n  }}\n", computed(step.expression),
                           otherwise);
      case Kind::fail: return "  return failing;\n";
      case Kind::copy: return "  memcpy(n, s, sizeof(uint64_t[PANOPTES_WORDS]));\n";
      case Kind::evaluate:
        return fmt::format("  {{\n{}    (void)v;\n  }}\n", computed(step.expression));
      case Kind::add: return fmt::format("  n[{}] += {};\n", step.at.word, word(step.constant));
      case Kind::put: return fmt::format("  {{\n{}{}  }}\n", less_minimum(step), put(step.at, "u"));
      case Kind::put_element: return put_element(step);
      case Kind::shift: return shift(step);
      case Kind::look_up:
        return fmt::format(
            "  {{\n    const uint64_t u = table_{}[{}];\n    if (u == UINT32_MAX) return failing;\n"
            "{}  }}\n",
            step.expression, field(step.at), put(step.at, "u"));
      case Kind::message: return fmt::format("  m = {};\n", word(step.constant));
      default:  // pack
        return fmt::format("  {{\n{}    m |= u << {};\n  }}\n", less_minimum(step), step.up);
    }
  }

  std::string computed(std::uint32_t node) const {
    return fmt::format("    const int64_t v = {};\n{}", value(node),
                       lowered_.nodes[node].can_fail ? "    if (*failed) return failing;\n" : "");
  }

  std::string less_minimum(const WordStep& step) const {
    std::string text = computed(step.expression);
    text +=
        fmt::format("    const uint64_t u = (uint64_t)v - (uint64_t){};\n", number(step.minimum));
    if (step.may_exceed)
      text += fmt::format("    if (u > {}) return failing;\n", word(step.constant));
    return text;
  }

  static std::string put(const BitField& at, std::string_view what) {
    if (at.bits == 0) return {};
    return fmt::format("    n[{0}] = (n[{0}] & {1}) | {2} << {3};\n", at.word, word(~at.mask()),
                       what, at.shift);
  }

  std::string put_element(const WordStep& step) const {
    std::string text = fmt::format("  {{\n    const int64_t i = {};\n", value(step.up));
    if (lowered_.nodes[step.up].can_fail) text += "    if (*failed) return failing;\n";
    text += fmt::format("    if (i < 0 || i >= {}) return failing;\n{}",
                        lowered_.tables[step.by].size(), less_minimum(step));
    if (step.at.bits > 0)
      text += fmt::format(
          "    const uint32_t at = table_{}[i];\n"
          "    n[at >> 6] = (n[at >> 6] & ~({} << (at & 63))) | u << (at & 63);\n",
          step.by, word(step.at.low_mask()));
    return text + "  }\n";
  }

  static std::string shift(const WordStep& step) {
    std::string text =
        fmt::format("  n[{0}] = (n[{0}] & {1})", step.at.word, word(~step.at.mask()));
    if (step.by > 0)
      text += fmt::format(" | ((s[{0}] & {1}) >> {2} & {1})", step.at.word, word(step.at.mask()),
                          step.by);
    if (step.from.bits > 0) text += fmt::format(" | {} << {}", field(step.from), step.up);
    return text + ";\n";
  }

  // `is_else`: where the one before has found no room.
  static std::string append(const WordStep& step, bool is_else) {
    const std::string place =
        step.by == 0 ? fmt::format("{}", step.at.shift)
                     : fmt::format("({} + vacant({}, {}))", step.at.shift, field(step.at), step.by);
    const std::string added = fmt::format("n[{}] += m << {};\n", step.at.word, place);
    const std::string before = is_else ? " else " : "  ";
    if (step.from.bits > 0)
      return fmt::format("{}if ({} == 0) {{\n    {}  }}", before, field(step.from), added);
    return is_else ? fmt::format(" else {{\n    {}  }}\n", added) : before + added;
  }

  // ---- control states --------------------------------------------------------------------------

  void add_process(const std::string& name, const LoweredProcess& process) {
    out_ += fmt::format(
        "\nstatic void {}(struct expansion *x) {{\n  const uint64_t *s = x->state;\n"
        "  uint64_t n[PANOPTES_WORDS];\n  switch ({}) {{\n",
        name, field(process.control));
    for (std::size_t state = 0; state < process.states.size(); ++state) {
      const LoweredControl& control = process.states[state];
      if (control.first == control.end) continue;
      out_ += fmt::format("    case {}:\n", state);
      for (std::uint32_t id = control.first; id < control.end; ++id)
        out_ += lowered_.rules[id].is_awaited
                    ? fmt::format(
                          "      {{\n        const int outcome = rule_{0}(s, n);\n"
                          "        x->awaited += outcome != disabled;\n"
                          "        note(x, {0}, outcome, n);\n      }}\n",
                          id)
                    : fmt::format("      note(x, {0}, rule_{0}(s, n), n);\n", id);
      out_ += "      break;\n";
    }
    out_ += "    default: break;\n  }\n}\n";
  }

  const Lowered& lowered_;
  const std::function<std::string(std::uint32_t)>& text_of_;
  std::string out_;
  std::vector<std::uint32_t> depths_;  // by node, from the last function on
  std::vector<bool> is_function_;
};

}  // namespace

std::string c_text(const Lowered& lowered,
                   const std::function<std::string(std::uint32_t)>& text_of) {
  return CText(lowered, text_of).run();
}

}  // namespace panoptes
