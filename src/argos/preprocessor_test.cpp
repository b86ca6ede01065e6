// SPDX-License-Identifier: Apache-2.0
// What the preprocessor makes of text: the tokens are shown as their texts with blanks between.
#include "argos/preprocessor.hpp"

#include <gtest/gtest.h>

#include <map>
#include <string>

#include "argos/parse.hpp"
#include "argos/unparse.hpp"

namespace panoptes::argos {
namespace {

using Files = std::map<std::string, std::string>;

ReadFile reader(const Files& files) {
  return [files](const std::string& path) -> std::optional<std::string> {
    const auto found = files.find(path);
    if (found == files.end()) return std::nullopt;
    return found->second;
  };
}

struct Result {
  SourceSet sources;
  Diagnostics diagnostics;
  std::vector<Token> tokens;
  std::string text;
  std::string shown() const { return diagnostics.render(sources); }
};

// REQUIRES: `files` holds "m", the model.
Result preprocessed(const Files& files, const std::vector<Definition>& definitions = {}) {
  Result result;
  Preprocessor preprocessor(result.sources, result.diagnostics, reader(files));
  preprocessor.open_model(result.sources.add("m", files.at("m")));
  preprocessor.open_definitions(definitions);
  for (Token token = preprocessor.next(); token.kind != TokenKind::end_of_file;
       token = preprocessor.next()) {
    if (!result.text.empty()) result.text += ' ';
    result.text += text_of(token, result.sources);
    result.tokens.push_back(token);
  }
  return result;
}

// The tokens of a text without mistakes.
std::string expanded(const std::string& text, const std::vector<Definition>& definitions = {}) {
  const Result result = preprocessed({{"m", text}}, definitions);
  EXPECT_EQ(result.shown(), "");
  return result.text;
}

std::string diagnosed(const std::string& text) { return preprocessed({{"m", text}}).shown(); }

// ---- tokens

TEST(Lexer, CutsTheLongestOperators) {
  EXPECT_EQ(
      expanded("a::b:c;d->e,f..g!h!=i<>j<=k>=l++m--n+%o&&p||q==r=s<t>u+v-w*x/y%z(){}[]?"),
      "a :: b : c ; d -> e , f .. g ! h != i <> j <= k >= l ++ m -- n +% o && p || q == r = s "
      "< t > u + v - w * x / y % z ( ) { } [ ] ?");
}

TEST(Lexer, SkipsCommentsAndJoinsContinuedLines) {
  EXPECT_EQ(expanded("a /* b \n c */ d // e\nf \\\n g /**/ h /***/ i // end"), "a d f g h i");
}

// ---- macros

TEST(Preprocessor, ReplacesMacrosAndTheirMacros) {
  EXPECT_EQ(expanded("# define N 128\n#define M (N+1)\n  #  define  EMPTY\nN M EMPTY x"),
            "128 ( 128 + 1 ) x");
}

TEST(Preprocessor, TakesParametersOnlyRightBehindTheName) {
  EXPECT_EQ(expanded("#define F(x) x x\n#define G (x)\nF(1) G(2) F"), "1 1 ( x ) ( 2 ) F");
}

TEST(Preprocessor, PassesArgumentsWithParenthesesCommasAndLines) {
  EXPECT_EQ(expanded("#define F(a,b) b:a\nF((1,2), g(3)\n)\n#define Z() z\nZ() Z( )\n"
                     "#define O(a) [a]\nO()"),
            "g ( 3 ) : ( 1 , 2 ) z z [ ]");
}

TEST(Preprocessor, ExpandsArgumentsBeforeTheyAreUsed) {
  EXPECT_EQ(expanded("#define MAX(a,b) a>b\nMAX(MAX(1,2),3)"), "1 > 2 > 3");
}

TEST(Preprocessor, NeverExpandsAMacroInsideItself) {
  EXPECT_EQ(expanded("#define A B A\n#define B A B\nA"), "A B A");
  EXPECT_EQ(expanded("#define F(x) F(x) + x\nF(F(1))"), "F ( F ( 1 ) + 1 ) + F ( 1 ) + 1");
  EXPECT_EQ(expanded("#define f(a) a*g\n#define g(a) f(a)\nf(2)(9)"), "2 * 9 * g");
}

TEST(Preprocessor, ForgetsAndReplacesDefinitions) {
  EXPECT_EQ(expanded("#define A 1\nA\n#undef A\nA\n#define A 2\nA\n#undef NEVER\n#define A 2\n"),
            "1 A 2");
  EXPECT_EQ(diagnosed("#define A 1\n#define A 2\n"),
            "m:2:9: warning: macro `A` is defined again\n"
            "  #define A 2\n"
            "          ^\n"
            "  put `#undef` before it, or `#ifndef` around it\n"
            "m:1:9: note: the definition before is here\n"
            "  #define A 1\n"
            "          ^\n");
}

TEST(Preprocessor, ContinuesALongMacroPastItsComments) {
  EXPECT_EQ(expanded("#define A 1 // one \\\n 2 /* two \n */ 3 \\\r\n 4\nA"), "1 2 3 4");
}

TEST(Preprocessor, GivesEveryTokenThePlaceTheUserWrote) {
  const Result result =
      preprocessed({{"m", "#define IN(x) (x+one)\n#define OUT IN(two)\nOUT IN(three)"}});
  ASSERT_EQ(result.text, "( two + one ) ( three + one )");
  // All of the first use is at `OUT`; `one` is spelled in IN, which is used in OUT.
  const Token& one = result.tokens[3];
  EXPECT_EQ(result.sources.describe(one.place), "m:3:1");
  const Expansion& inner = result.sources.expansion(one.place.expansion);
  EXPECT_EQ(inner.macro, "IN");
  EXPECT_EQ(result.sources.describe(inner.spelling), "m:1:18");
  const Expansion& outer = result.sources.expansion(inner.spelling.expansion);
  EXPECT_EQ(outer.macro, "OUT");
  EXPECT_EQ(result.sources.describe(outer.spelling), "m:2:13");
  EXPECT_EQ(outer.spelling.expansion, 0u);
  // `two` is spelled in OUT as an argument.
  const Token& two = result.tokens[1];
  EXPECT_EQ(result.sources.describe(two.place), "m:3:1");
  EXPECT_EQ(result.sources.expansion(two.place.expansion).macro, "OUT");
  // An argument written by the user keeps its place.
  const Token& three = result.tokens[6];
  EXPECT_EQ(result.sources.describe(three.place), "m:3:8");
  EXPECT_EQ(three.place.expansion, 0u);
}

TEST(Preprocessor, SharesTheExpansionsOfEqualUses) {
  const Result result = preprocessed({{"m", "#define N 1\nN N N"}});
  EXPECT_EQ(result.tokens[0].place.expansion, result.tokens[2].place.expansion);
}

TEST(Preprocessor, ReportsWrongArgumentsAndGoesOn) {
  const Result result = preprocessed({{"m", "#define F(a,b) a b\nx F(1) y"}});
  EXPECT_EQ(result.shown(),
            "m:2:3: error: macro `F` takes 2 arguments, not 1\n"
            "  x F(1) y\n"
            "    ^\n"
            "m:1:9: note: `F` is defined here\n"
            "  #define F(a,b) a b\n"
            "          ^\n");
  EXPECT_EQ(result.text, "x F y");
  EXPECT_EQ(result.tokens[1].kind, TokenKind::broken);
}

// ---- conditions

TEST(Preprocessor, ReadsOnlyThePartThatHolds) {
  const std::string text =
      "#if A == 1\none\n#elif A == 2\ntwo\n#elif 1 / 0\n#else\nother\n#endif\n";
  EXPECT_EQ(expanded(text, {{"A", "1"}}), "one");
  EXPECT_EQ(expanded(text, {{"A", "2"}}), "two");
  EXPECT_EQ(expanded("#ifdef A\nyes\n#else\nno\n#endif", {{"A"}}), "yes");
  EXPECT_EQ(expanded("#ifndef A\nyes\n#else\nno\n#endif", {{"A"}}), "no");
}

TEST(Preprocessor, SkipsNestedConditionsAndAnythingInThem) {
  EXPECT_EQ(expanded("#if 0\n#if 1\n@ ' \" #x \n#else\nb\n#endif\n#bogus\n#error e\n"
                     "#include \"none\"\n#else\nc\n#endif"),
            "c");
}

TEST(Preprocessor, ComputesConditionsAsTheLanguageDoes) {
  const auto holds = [](const std::string& condition) {
    return expanded("#define ONE 1\n#define ADD(a,b) a+b\n#if " + condition + "\nyes\n#endif") ==
           "yes";
  };
  EXPECT_TRUE(holds("defined ONE && defined(ONE) && !defined(TWO)"));
  EXPECT_TRUE(holds("ADD(ONE, 2) * 2 == 5"));
  EXPECT_TRUE(holds("-7 % 3 == 2 && -7 / 3 == -2"));
  EXPECT_TRUE(holds("0 && 1 / 0 || 1"));
  EXPECT_TRUE(holds("UNDEFINED == 0"));
  EXPECT_FALSE(holds("(1 < 2) != (3 >= 3)"));
  EXPECT_TRUE(holds("0x10 == 16 // comment"));
}

TEST(Preprocessor, ReportsBrokenConditions) {
  EXPECT_EQ(
      diagnosed("#if 1 +\n#endif\n#if 1 / 0\n#endif\n#if (1\n#endif\n#if\n#endif\n#if 1 2\n#endif"),
      "m:1:7: error: the condition ends too early\n"
      "  #if 1 +\n"
      "        ^\n"
      "m:3:7: error: division by zero in the condition\n"
      "  #if 1 / 0\n"
      "        ^\n"
      "m:5:5: error: this `(` is never closed\n"
      "  #if (1\n"
      "      ^\n"
      "m:7:2: error: this directive needs a condition\n"
      "  #if\n"
      "   ^~\n"
      "m:9:7: error: unexpected `2` in the condition\n"
      "  #if 1 2\n"
      "        ^\n");
}

TEST(Preprocessor, ReportsUnbalancedConditions) {
  EXPECT_EQ(diagnosed("#else\n#endif x\n#if 1\n#else\n#else\n#endif\n#ifdef A\n"),
            "m:1:2: error: `#else` without `#if`\n"
            "  #else\n"
            "   ^~~~\n"
            "m:2:2: error: `#endif` without `#if`\n"
            "  #endif x\n"
            "   ^~~~~\n"
            "m:5:2: error: `#else` after `#else`\n"
            "  #else\n"
            "   ^~~~\n"
            "m:3:1: note: in the directive that begins here\n"
            "  #if 1\n"
            "  ^~~\n"
            "m:7:1: error: this directive has no `#endif`\n"
            "  #ifdef A\n"
            "  ^~~~~~\n");
}

// ---- the command line

TEST(Preprocessor, TakesDefinitionsOfTheCommandLine) {
  EXPECT_EQ(expanded("A B C", {{"A"}, {"B", "x + 1"}, {"C", ""}}), "1 x + 1");
  const Result result = preprocessed({{"m", "N"}}, {{"2N", "1"}, {"N", "1\n#define X 2"}});
  EXPECT_EQ(result.shown(),
            "<command line>:1:9: error: `#define` needs a name, not `2N`\n"
            "  #define 2N 1 \n"
            "          ^~\n"
            "<command line>:2:13: error: a directive must be the first thing in its line\n"
            "  #define N 1 #define X 2 \n"
            "              ^\n"
            "  `not equal` is written `!=`\n");
}

TEST(Preprocessor, ShowsThatAMacroCameFromTheCommandLine) {
  SourceSet sources;
  Diagnostics diagnostics;
  parse("m", reader({{"m", "proc p { x = N; }"}}), {{"N", ")"}}, sources, diagnostics);
  EXPECT_EQ(diagnostics.render(sources),
            "m:1:14: error: expected a value, found `)`\n"
            "  proc p { x = N; }\n"
            "               ^\n"
            "<command line>:1:11: note: expanded from macro `N`\n"
            "  #define N ) \n"
            "            ^\n");
}

// ---- includes

TEST(Preprocessor, IncludesFilesRelativeToTheIncludingOne) {
  const Result result = preprocessed({{"m", "a\n#include \"lib/x\" // comment\nb"},
                                      {"lib/x", "x1\n#include \"../lib/deep/y\"\nx2"},
                                      {"lib/deep/y", "y1\n#include \"z\""},
                                      {"lib/deep/z", "z"}});
  EXPECT_EQ(result.shown(), "");
  EXPECT_EQ(result.text, "a x1 y1 z x2 b");
}

TEST(Preprocessor, IncludesAFileTwiceButKeepsItOnce) {
  const Result result = preprocessed({{"m", "#include \"x\"\n#include \"x\""}, {"x", "x"}});
  EXPECT_EQ(result.text, "x x");
  EXPECT_EQ(result.sources.file_count(), 2u);
}

TEST(Preprocessor, NamesTheChainOfFilesThatIncludeThemselves) {
  const Result result = preprocessed({{"m", "#include \"a\""},
                                      {"a", "#include \"./b\""},
                                      {"b", "#include \"x/../a\"\nstill read"}});
  EXPECT_EQ(result.shown(),
            "b:1:10: error: file `a` includes itself: a -> b -> a\n"
            "  #include \"x/../a\"\n"
            "           ^~~~~~~~\n");
  EXPECT_EQ(result.text, "still read");
}

TEST(Preprocessor, StopsAtTheLimitOfIncludeDepth) {
  Files files = {{"m", "#include \"0\""}};
  for (int i = 0; i < 100; ++i)
    files[std::to_string(i)] = "#include \"" + std::to_string(i + 1) + "\"\n" + std::to_string(i);
  const Result result = preprocessed(files);
  EXPECT_EQ(result.diagnostics.error_count(), 1u);
  EXPECT_NE(result.shown().find("files include each other more than 32 deep"), std::string::npos);
}

TEST(Preprocessor, StopsIncludesThatMultiply) {
  Files files;
  for (int i = 0; i < 30; ++i) {
    const std::string next = std::to_string(i + 1);
    files[i == 0 ? "m" : std::to_string(i)] =
        "#include \"" + next + "\"\n#include \"" + next + "\"\n";
  }
  files["30"] = "";
  const Result result = preprocessed(files);
  EXPECT_EQ(result.diagnostics.error_count(), 1u);
  EXPECT_NE(result.shown().find("the included files are too many or too long"), std::string::npos);
}

TEST(Preprocessor, ReportsBadIncludes) {
  EXPECT_EQ(diagnosed("#include\n#include <x>\n#include \"x\n#include \"\"\n#include \"no\" y"),
            "m:1:2: error: `#include` needs the name of a file in double quotes\n"
            "  #include\n"
            "   ^~~~~~~\n"
            "m:2:10: error: `#include` needs the name of a file in double quotes\n"
            "  #include <x>\n"
            "           ^~~\n"
            "m:3:10: error: `#include` needs the name of a file in double quotes\n"
            "  #include \"x\n"
            "           ^~\n"
            "m:4:10: error: this is no name of a file\n"
            "  #include \"\"\n"
            "           ^~\n"
            "m:5:10: error: cannot read file `no`\n"
            "  #include \"no\" y\n"
            "           ^~~~\n"
            "m:5:15: warning: text after `#include` is ignored\n"
            "  #include \"no\" y\n"
            "                ^\n");
}

TEST(Preprocessor, ReportsAModelThatCannotBeRead) {
  SourceSet sources;
  Diagnostics diagnostics;
  parse("nowhere", reader({}), {}, sources, diagnostics);
  EXPECT_EQ(diagnostics.render(sources), "error: cannot read file `nowhere`\n");
}

// ---- hostile text

std::string doubling(const std::string& innermost) {
  std::string text = "#define A0 " + innermost + "\n";
  for (int i = 1; i <= 40; ++i) {
    const std::string before = " A" + std::to_string(i - 1);
    text += "#define A" + std::to_string(i) + before + before + "\n";
  }
  return text + "A40";
}

TEST(Preprocessor, StopsMacrosThatDouble) {
  for (const char* const innermost : {"x", ""}) {
    const Result result = preprocessed({{"m", doubling(innermost)}});
    EXPECT_EQ(result.diagnostics.error_count(), 1u);
    EXPECT_NE(result.shown().find("macros and directives come to more than 2000000 tokens"),
              std::string::npos);
  }
}

TEST(Preprocessor, StopsArgumentsThatDouble) {
  std::string use = "x";
  for (int i = 0; i < 40; ++i) use = "D(" + use + ")";
  EXPECT_EQ(preprocessed({{"m", "#define D(x) x x\n" + use}}).diagnostics.error_count(), 1u);
}

TEST(Preprocessor, StopsArgumentsNestedTooDeep) {
  std::string use;
  for (int i = 0; i < 1000; ++i) use += "D(";
  use += std::string(1000, ')');
  const Result result = preprocessed({{"m", "#define D(x) x\n" + use}});
  EXPECT_EQ(result.diagnostics.error_count(), 1u);
  EXPECT_NE(result.shown().find("macro arguments are nested more than 200 deep"),
            std::string::npos);
}

TEST(Preprocessor, FollowsALongChainOfMacros) {
  std::string text = "#define A0 end\n";
  for (int i = 1; i <= 20'000; ++i)
    text += "#define A" + std::to_string(i) + " A" + std::to_string(i - 1) + "\n";
  EXPECT_EQ(expanded(text + "A20000"), "end");
}

TEST(Preprocessor, ReportsBytesThatAreNoTextOncePerLine) {
  EXPECT_EQ(diagnosed(std::string("a \0\0\x01 b\n\xC3\xA4 @\n@ $", 16)),
            "m:1:3: error: byte 0x00 is no text\n"
            "  a ??? b\n"
            "    ^\n"
            "m:2:1: error: byte 0xC3 is no text\n"
            "  ?? @\n"
            "  ^\n"
            "m:3:3: error: unexpected character `$`\n"
            "  @ $\n"
            "    ^\n");
}

}  // namespace
}  // namespace panoptes::argos
