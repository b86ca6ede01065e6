// SPDX-License-Identifier: Apache-2.0
// What text gives what tree. Trees are compared as the text unparse() makes of them, which shows
// every construct in one way; diagnostics are compared whole.
#include <gtest/gtest.h>

#include <random>
#include <string>
#include <vector>

#include "argos/parse.hpp"
#include "argos/precedence.hpp"
#include "argos/unparse.hpp"

namespace panoptes::argos {
namespace {

struct Parsed {
  Model model;
  std::string text;         // the tree written out again
  std::string diagnostics;  // as shown to the user
  std::size_t errors = 0;
};

Parsed parsed(std::string text) {
  SourceSet sources;
  Diagnostics diagnostics;
  Parsed result;
  result.model = parse_text("m", std::move(text), sources, diagnostics);
  result.errors = diagnostics.error_count();
  result.diagnostics = diagnostics.render(sources);
  if (result.errors == 0) result.text = unparse(result.model);
  return result;
}

// The statements of a body, as they are written out.
std::string body(const std::string& text) {
  const Parsed result = parsed("proc p {" + text + "}");
  EXPECT_EQ(result.diagnostics, "");
  if (result.model.processes.empty()) return "no process";
  std::string out;
  for (const Statement& s : result.model.processes[0].body) out += unparse(s) + "\n";
  return out;
}

// ---- declarations

TEST(Parser, AcceptsTheWordsOfAllDialects) {
  const Parsed result = parsed(
      "queue a[1]; channel b; sink c; var x; variable y;\n"
      "proc p { skip } process q { skip } procedure r() { skip }");
  EXPECT_EQ(result.diagnostics, "");
  EXPECT_EQ(result.text,
            "channel a[1];\nchannel b;\nsink c;\nvar x;\nvar y;\n"
            "proc p {\n  skip\n}\nproc q {\n  skip\n}\nprocedure r() {\n  skip\n}\n");
}

TEST(Parser, ReadsFamiliesCapacitiesAndContentsOfChannels) {
  const Parsed result =
      parsed("channel a[2], b, c[N] = { m, n(3, -1) }, ring[0..3][1]; queue E = { };");
  EXPECT_EQ(result.diagnostics, "");
  EXPECT_EQ(result.text,
            "channel a[2];\nchannel b;\nchannel c[N] = { m, n(3, -1) };\n"
            "channel ring[0..3][1];\nchannel E;\n");
}

TEST(Parser, ReadsARangeBeforeAnInitialValue) {
  const Parsed result = parsed("var x, y = 3, z : -4..2 * 4 - 1 = 2;");
  EXPECT_EQ(result.diagnostics, "");
  EXPECT_EQ(result.text, "var x;\nvar y = 3;\nvar z : -4..2 * 4 - 1 = 2;\n");
}

TEST(Parser, TakesDeclarationsBeforeAndInsideTheBodyOfAProcess) {
  const Parsed result =
      parsed("proc p queue p[1]; var a; { var b = 1; channel c; ; sink d; skip }");
  EXPECT_EQ(result.diagnostics, "");
  EXPECT_EQ(
      result.text,
      "proc p {\n  channel p[1];\n  channel c;\n  sink d;\n  var a;\n  var b = 1;\n  skip\n}\n");
}

TEST(Parser, LetsNamesBeWordsWhereTheyCannotBeMistaken) {
  const Parsed result = parsed(
      "queue channel = { }; var proc;\n"
      "proc channel { channel?setup; channel!msg(proc); proc = 1; len!empty; var: goto var }");
  EXPECT_EQ(result.diagnostics, "");
  EXPECT_EQ(result.text,
            "channel channel;\nvar proc;\nproc channel {\n  channel?setup;\n  channel!msg(proc);\n"
            "  proc = 1;\n  len!empty;\n  var: goto var\n}\n");
}

TEST(Parser, ReadsFamiliesOfProcessesAndAssertions) {
  const Parsed result = parsed(
      "proc node[i : 0..N - 1] { ring[(i + 1) % N]!m(i) }\n"
      "assert { } assert order { a!m } assert each[k : 1..3] { ring[k]?m }");
  EXPECT_EQ(result.diagnostics, "");
  EXPECT_EQ(result.text,
            "proc node[i : 0..N - 1] {\n  ring[(i + 1) % N]!m(i)\n}\n"
            "assert {\n}\nassert order {\n  a!m\n}\nassert each[k : 1..3] {\n  ring[k]?m\n}\n");
}

// ---- statements

TEST(Parser, TakesSemicolonAndArrowForTheSame) {
  EXPECT_EQ(body(";; skip -> break; -> goto L;;"), "skip\nbreak\ngoto L\n");
}

TEST(Parser, NeedsNoSeparatorAfterFiAndOd) {
  EXPECT_EQ(body("if skip fi do break od skip"), "if\n:: skip\nfi\ndo\n:: break\nod\nskip\n");
}

TEST(Parser, WarnsOfAMissingSeparatorAndGoesOn) {
  const Parsed result = parsed("proc p { if :: a?m goto s2 :: a?n -> skip fi; s2: }");
  EXPECT_EQ(result.diagnostics,
            "m:1:20: warning: missing `;` before `goto`\n"
            "  proc p { if :: a?m goto s2 :: a?n -> skip fi; s2: }\n"
            "                     ^~~~\n");
  EXPECT_EQ(
      result.text,
      "proc p {\n  if\n  :: a?m;\n     goto s2\n  :: a?n;\n     skip\n  fi;\n  s2: skip\n}\n");
}

TEST(Parser, ReadsSendsAndReceives) {
  EXPECT_EQ(body("c!m; c!m(1, x + 1, 3); c?m; c?m(x, _, y); c?default; c?timeout; c!m()"),
            "c!m\nc!m(1, x + 1, 3)\nc?m\nc?m(x, _, y)\nc?default\nc?timeout\nc!m\n");
}

TEST(Parser, ReadsBroadcasts) {
  EXPECT_EQ(body("c[*]!m; c [ * ] !m(1, x); when (x > 0) c[*]!m(); L: c[*]!m"),
            "c[*]!m\nc[*]!m(1, x)\nwhen (x > 0) c[*]!m\nL: c[*]!m\n");
}

TEST(Parser, WritesOutCountingStatements) {
  EXPECT_EQ(body("v++; v--; v +% 2; v +% n + 1"),
            "v = v + 1\nv = v - 1\nv = (v + 1) % 2\nv = (v + 1) % (n + 1)\n");
}

TEST(Parser, WritesOutAssignmentsThatCompute) {
  EXPECT_EQ(body("v += 2; v -= a - b; v *= 1 + n; v /= -2; v %= n || m"),
            "v = v + 2\nv = v - (a - b)\nv = v * (1 + n)\nv = v / -2\nv = v % (n || m)\n");
}

TEST(Parser, TakesSeveralAssignmentsForOneStatement) {
  EXPECT_EQ(body("x = y, y = x; a++, b += a, c +% 2 -> skip"),
            "x = y, y = x\na = a + 1, b = b + a, c = (c + 1) % 2\nskip\n");
}

TEST(Parser, TellsTestsFromCallsByTheFirstTokens) {
  EXPECT_EQ(body("(x); x == 1; !x; -x < 2; 3 > x; len(c) > 1; full(c); empty(r[1]); p(1, x); q()"),
            "(x)\n(x == 1)\n(!x)\n(-x < 2)\n(3 > x)\n(len(c) > 1)\n(full(c))\n(empty(r[1]))\n"
            "p(1, x)\nq()\n");
}

TEST(Parser, TakesTrueAndFalseForTestsAlsoAlone) {
  EXPECT_EQ(body("true -> x = false; false; true!m; true?true; true = 1"),
            "(true)\nx = false\n(false)\ntrue!m\ntrue?true\ntrue = 1\n");
}

TEST(Parser, ReadsConstants) {
  EXPECT_EQ(parsed("const a = 1, b = a + 1; ; const const = 2; proc const { const!const }").text,
            "const a = 1;\nconst b = a + 1;\nconst const = 2;\nproc const {\n  "
            "const!const\n}\n");
}

TEST(Parser, ReadsEnumerations) {
  EXPECT_EQ(parsed("enum { a } enum enum { b, c, }; var x : enum = b, y : n..3;").text,
            "enum { a }\nenum enum { b, c }\nvar x : enum = b;\nvar y : n..3;\n");
}

TEST(Parser, ReadsVariablesOfProcedures) {
  EXPECT_EQ(parsed("procedure p(x) var t : 0..3 = 1; { var u, w = 2; skip }").text,
            "procedure p(x) {\n  var t : 0..3 = 1;\n  var u;\n  var w = 2;\n  skip\n}\n");
}

TEST(Parser, ReadsTheKindsOfParameters) {
  EXPECT_EQ(parsed("procedure p(channel c, message m, var v, x, channel, message, var) { }").text,
            "procedure p(channel c, message m, var v, x, channel, message, var) {\n}\n");
}

TEST(Parser, PutsLabelsBeforeAnImpliedSkipAtTheEnd) {
  EXPECT_EQ(body("a: b: skip; do :: c: x?m -> d: :: e: od; f: ; g:"),
            "a: b: skip\ndo\n:: c: x?m;\n   d: skip\n:: e: skip\nod\nf: skip\ng: skip\n");
}

TEST(Parser, ReadsTheTagsOfOptions) {
  EXPECT_EQ(body("if :: [low] c!a; skip :: [ high ] (x) :: skip fi"),
            "if\n:: [low] c!a;\n   skip\n:: [high] (x)\n:: skip\nfi\n");
  EXPECT_EQ(body("low = high; do :: low = 1 :: [high] high[1]!low od"),
            "low = high\ndo\n:: low = 1\n:: [high] high[1]!low\nod\n")
      << "elsewhere they are names";
}

TEST(Parser, LetsTheOnlyOptionGoWithoutItsMark) {
  EXPECT_EQ(body("do a!m; b!m od; assert(x != 1 && y <> 2)"),
            "do\n:: a!m;\n   b!m\nod\nassert(x != 1 && y != 2)\n");
}

TEST(Parser, GivesStatementsThePlaceTheyBeginAt) {
  const std::string text = "proc p {\n  a: c!m(1);\n  if :: x = 2 fi }";
  const Parsed result = parsed(text);
  const Block& block = result.model.processes[0].body;
  EXPECT_EQ(text.substr(block[0].place.offset, block[0].place.length), "c!m(1)");
  EXPECT_EQ(text.substr(block[1].place.offset, block[1].place.length), "if");
  const Option& option = std::get<If>(block[1].action).options[0];
  EXPECT_EQ(text.substr(option.place.offset, option.place.length), "::");
  EXPECT_EQ(text.substr(option.body[0].place.offset, option.body[0].place.length), "x = 2");
  EXPECT_EQ(text.substr(result.model.processes[0].end.offset), "}");
}

// ---- expressions

// An expression with all its parentheses.
std::string shape(const Expression& e) {
  if (const auto* n = std::get_if<Number>(&e.node)) return std::to_string(n->value);
  if (const auto* n = std::get_if<NameUse>(&e.node)) return n->text;
  if (const auto* u = std::get_if<Unary>(&e.node))
    return (u->operation == UnaryOperator::negate ? "(- " : "(! ") + shape(*u->operand) + ")";
  if (const auto* b = std::get_if<Binary>(&e.node))
    return "(" + shape(*b->left) + " " + std::string(find_operator(b->operation).text) + " " +
           shape(*b->right) + ")";
  if (const auto* part = std::get_if<Element>(&e.node))
    return part->array.text + "[" + shape(*part->index) + "]";
  if (const auto* q = std::get_if<Quantifier>(&e.node))
    return "Q" + std::to_string(static_cast<int>(q->kind)) + " " + q->index.text + " " +
           shape(*q->range.low) + ".." + shape(*q->range.high) + " {" + shape(*q->body) + "}";
  const auto& ask = std::get<AskChannel>(e.node);
  const std::string index = ask.channel.index ? "[" + shape(*ask.channel.index) + "]" : "";
  return "ask" + std::to_string(static_cast<int>(ask.question)) + " " + ask.channel.name.text +
         index;
}

std::string expression(const std::string& text) {
  const Parsed result = parsed("proc p { x = " + text + " }");
  EXPECT_EQ(result.diagnostics, "") << text;
  if (result.errors > 0) return {};
  return shape(*std::get<Assign>(result.model.processes[0].body.at(0).action).parts.at(0).value);
}

TEST(Parser, GivesOperatorsThePrecedenceOfC) {
  EXPECT_EQ(expression("a || b && c == d < e + f * g"), "(a || (b && (c == (d < (e + (f * g))))))");
  EXPECT_EQ(expression("a * b + c < d == e && f || g"), "((((((a * b) + c) < d) == e) && f) || g)");
  EXPECT_EQ(expression("a - b - c / d % e"), "((a - b) - ((c / d) % e))");
  EXPECT_EQ(expression("!a + -b * (c <> 0x1F)"), "((! a) + ((- b) * (c != 31)))");
  EXPECT_EQ(expression("- -a - -1"), "((- (- a)) - (- 1))");
  EXPECT_EQ(expression("len(c) + full(r[i + 1])"), "(ask0 c + ask1 r[(i + 1)])");
}

ExpressionPtr random_expression(std::mt19937& random, int depth) {
  const auto pick = [&](int n) { return static_cast<int>(random() % static_cast<unsigned>(n)); };
  const auto make = [](auto node) {
    return std::make_unique<Expression>(Expression{std::move(node), {}});
  };
  switch (depth == 0 ? pick(2) : pick(10)) {
    case 0: return make(Number{pick(100)});
    case 1: return make(NameUse{pick(2) == 0 ? "a" : "len"});
    case 2: {
      ChannelUse use{{"c", {}}, pick(2) == 0 ? nullptr : random_expression(random, depth - 1), {}};
      return make(AskChannel{static_cast<ChannelQuestion>(pick(3)), std::move(use)});
    }
    case 3: return make(Element{{"a", {}}, random_expression(random, depth - 1)});
    case 4: {
      Range range{random_expression(random, depth - 1), random_expression(random, depth - 1), {}};
      return make(Quantifier{static_cast<QuantifierKind>(pick(3)),
                             {"i", {}},
                             std::move(range),
                             random_expression(random, depth - 1)});
    }
    case 5:
      return make(Unary{static_cast<UnaryOperator>(pick(2)), random_expression(random, depth - 1)});
    default:
      return make(Binary{static_cast<BinaryOperator>(pick(13)),
                         random_expression(random, depth - 1),
                         random_expression(random, depth - 1)});
  }
}

TEST(Unparse, GivesTextThatParsesToTheSameExpression) {
  std::mt19937 random(42);
  for (int i = 0; i < 2000; ++i) {
    const ExpressionPtr tree = random_expression(random, 6);
    ASSERT_EQ(expression(unparse(*tree)), shape(*tree)) << unparse(*tree);
  }
}

TEST(Parser, LetsQuantifiersGoAsFarAsTheyCan) {
  EXPECT_EQ(expression("a && forall (i : 0..n - 1) b[i] || c"),
            "(a && Q0 i 0..(n - 1) {(b[i] || c)})");
  EXPECT_EQ(expression("(exists (i : 0..1) i) + count (i : 0..1) exists (j : i..2) j"),
            "(Q1 i 0..1 {i} + Q2 i 0..1 {Q1 j i..2 {j}})");
  // A name where nothing else is meant.
  EXPECT_EQ(expression("count + forall"), "(count + forall)");
}

TEST(Parser, ReadsElementsOfArrays) {
  EXPECT_EQ(expression("a[i + 1] * a[b[0]]"), "(a[(i + 1)] * a[b[0]])");
  const Parsed result = parsed(
      "var a[2 * n] : 0..7 = { 1, 2 }, b[2] = 3; proc p { a[i]++; a[b[0]] +% 3; c?m(a[1], _); "
      "a[0] < 3 -> c[a[0]]!m(a[1]) }");
  EXPECT_EQ(result.diagnostics, "");
  EXPECT_EQ(result.text,
            "var a[2 * n] : 0..7 = { 1, 2 };\n"
            "var b[2] = 3;\n"
            "proc p {\n"
            "  a[i] = a[i] + 1;\n"
            "  a[b[0]] = (a[b[0]] + 1) % 3;\n"
            "  c?m(a[1], _);\n"
            "  (a[0] < 3);\n"
            "  c[a[0]]!m(a[1])\n"
            "}\n");
  EXPECT_EQ(parsed(result.text).text, result.text);
}

TEST(Unparse, GivesTextThatIsItsOwnUnparse) {
  const Parsed first = parsed(
      "channel ring[(a < b)..3][x == 1] = { m(1) }; sink s[0..1]; var v : (1 < 2)..3 = 1 == 2;\n"
      "proc p[i : 0..1] var a; { do :: if :: a: skip :: c?m(_) fi; b: do break od :: q() od; e: }");
  EXPECT_EQ(first.diagnostics, "");
  EXPECT_EQ(parsed(first.text).text, first.text);
}

// ---- errors

TEST(Parser, ReportsSeveralMistakesOnceEach) {
  const Parsed result =
      parsed("proces p {\n  x = ;\n  c!;\n  (a == 1;\n  skip\n}\nproc q {\n  od;\n  y = 1 +\n}\n");
  EXPECT_EQ(result.diagnostics,
            "m:1:1: error: unknown word `proces`\n"
            "  proces p {\n"
            "  ^~~~~~\n"
            "  did you mean `process`?\n"
            "m:2:7: error: expected a value, found `;`\n"
            "    x = ;\n"
            "        ^\n"
            "m:3:5: error: expected the name of a message, found `;`\n"
            "    c!;\n"
            "      ^\n"
            "m:4:10: error: expected `)`, found `;`\n"
            "    (a == 1;\n"
            "           ^\n"
            "m:4:3: note: the `(` is here\n"
            "    (a == 1;\n"
            "    ^\n"
            "m:8:3: error: `od` without `do`\n"
            "    od;\n"
            "    ^~\n"
            "m:10:1: error: expected a value, found `}`\n"
            "  }\n"
            "  ^\n");
}

TEST(Parser, GoesOnWithTheNextProcessAfterAnUnclosedOne) {
  const Parsed result = parsed("proc p { do :: skip\nproc q { skip }");
  EXPECT_EQ(result.errors, 2u);
  EXPECT_EQ(result.model.processes.size(), 2u);
}

TEST(Parser, UnderstandsAMissingFiBeforeOd) {
  const Parsed result = parsed("proc p {\n  do\n  :: if :: skip\n  od\n}");
  EXPECT_EQ(result.diagnostics,
            "m:4:3: error: expected `fi`, found `od`\n"
            "    od\n"
            "    ^~\n"
            "m:3:6: note: the `if` begins here\n"
            "    :: if :: skip\n"
            "       ^~\n");
}

TEST(Parser, KeepsWhatCouldBeRead) {
  const Parsed result = parsed("channel a[; var x; proc p { skip; ) ; break }");
  EXPECT_EQ(result.errors, 2u);
  EXPECT_EQ(result.model.variables.size(), 1u);
  ASSERT_EQ(result.model.processes.size(), 1u);
  EXPECT_EQ(result.model.processes[0].body.size(), 3u);
}

// ---- any bytes

std::string repeated(const std::string& text, std::size_t times) {
  std::string out;
  for (std::size_t i = 0; i < times; ++i) out += text;
  return out;
}

TEST(Parser, RefusesExpressionsTooLongForLaterPasses) {
  const Parsed result = parsed("proc p { x = 1" + repeated("+1", 500'000) + "; y = }");
  ASSERT_EQ(result.errors, 2u);
  EXPECT_EQ(result.diagnostics.substr(0, 68),
            "m:1:14: error: expression too long: more than 1000 operators deep\n  ");
}

TEST(Parser, AcceptsTheDeepestNestingAndRefusesTheNext) {
  const auto nested = [](int depth) {
    return "proc p { " + repeated("if :: ", static_cast<std::size_t>(depth)) + "skip" +
           repeated(" fi", static_cast<std::size_t>(depth)) + " }";
  };
  EXPECT_EQ(parsed(nested(Limits::nesting)).errors, 0u);
  const Parsed result = parsed(nested(Limits::nesting + 1));
  EXPECT_EQ(result.errors, 1u);
  EXPECT_NE(result.diagnostics.find("statements are nested more than 200 deep"), std::string::npos);
  const auto parentheses = [](int depth) {
    return "proc p { x = " + repeated("(", static_cast<std::size_t>(depth)) + "1" +
           repeated(")", static_cast<std::size_t>(depth)) + " }";
  };
  EXPECT_EQ(parsed(parentheses(Limits::nesting - 1)).errors, 0u);
  EXPECT_EQ(parsed(parentheses(Limits::nesting)).errors, 1u);
}

TEST(Parser, AnswersHostileTextShortly) {
  const std::vector<std::string> texts = {
      repeated("::", 1'000'000),
      "proc p { " + repeated("::", 1'000'000),
      "proc p { " + repeated("if ", 300'000),
      "proc p { " + repeated("{", 300'000),
      "proc p { " + repeated("(", 300'000),
      "proc p { " + repeated("!", 300'000),
      "proc p { " + repeated("a:", 300'000),
      "proc p { " + repeated("if fi ", 300'000),
      "proc p { " + repeated("fi od ", 300'000),
      "proc p { " + repeated("x ", 300'000),
      "proc p { " + repeated("c?m(", 300'000),
      repeated("proc p {", 300'000),
      repeated("}", 300'000),
      "channel a" + repeated("[", 300'000),
      repeated("/*", 300'000),
      std::string(300'000, '\0'),
  };
  for (const std::string& text : texts) {
    const Parsed result = parsed(text);
    EXPECT_GE(result.errors, 1u) << text.substr(0, 20);
    EXPECT_LE(result.errors, Diagnostics::error_limit) << text.substr(0, 20);
  }
}

TEST(Parser, GivesAtMostTheLimitOfErrorsForRandomBytes) {
  std::mt19937 random(7);
  std::string text(1'000'000, ' ');
  for (char& c : text) c = static_cast<char>(random() & 0xff);
  const Parsed result = parsed(std::move(text));
  EXPECT_EQ(result.errors, Diagnostics::error_limit);
}

TEST(Parser, RefusesMoreTokensThanTheLimit) {
  const Parsed result =
      parsed("proc p { " + repeated("skip;", Limits::expanded_tokens / 2 + 1) + " }");
  EXPECT_EQ(result.errors, 1u);
  EXPECT_NE(result.diagnostics.find("the model has more than 2000000 tokens"), std::string::npos);
}

TEST(Parser, RefusesAFileLargerThanTheLimit) {
  EXPECT_EQ(parsed(std::string(SourceSet::file_bytes + 1, ' ')).diagnostics,
            "error: file `m` is larger than 16777216 bytes\n");
}

TEST(Parser, ReadsLineEndsOfAllSystemsAndAByteOrderMark) {
  const Parsed result = parsed("\xEF\xBB\xBFproc p {\r\n#define X \\\r\n  skip\r\n X; // x\r\n}");
  EXPECT_EQ(result.diagnostics, "");
  EXPECT_EQ(result.text, "proc p {\n  skip\n}\n");
}

}  // namespace
}  // namespace panoptes::argos
