// SPDX-License-Identifier: Apache-2.0
// Whatever bytes the input has: a clear answer in bounded time and memory.
#include <random>

#include "cli/child.hpp"

namespace panoptes::cli {
namespace {

std::string repeated(const std::string& text, int times) {
  std::string out;
  out.reserve(text.size() * static_cast<std::size_t>(times));
  for (int i = 0; i < times; ++i) out += text;
  return out;
}

// Checks a model of this text and expects the exit code, little memory and a short answer.
Result check_text(const std::string& text, int exit_code, const std::string& wanted = {}) {
  const TemporaryFolder folder;
  const Result result = run({"check", folder.write("input.argos", text)});
  EXPECT_EQ(result.signal, 0) << "ended by a signal; " << SIGALRM << " is the alarm";
  EXPECT_EQ(result.exit_code, exit_code) << result.errors.substr(0, 2000);
  EXPECT_LT(result.peak_kilobytes, memory_limit_kilobytes);
  EXPECT_LT(result.errors.size(), 100'000u);
  EXPECT_NE(result.errors.find(wanted), std::string::npos) << result.errors.substr(0, 2000);
  if (exit_code == 2) {
    EXPECT_NE(result.errors.find("error: "), std::string::npos);
    EXPECT_EQ(result.output, "");
  }
  return result;
}

// ---- bytes that are no model -------------------------------------------------------------------

TEST(AnyInput, OfAMillionRandomBytesIsAnError) {
  std::mt19937 random(2);
  std::string text;
  for (int i = 0; i < 1'000'000; ++i) text += static_cast<char>(random());
  check_text(text, 2);
}

TEST(AnyInput, OfAMillionRandomPiecesOfTheLanguageIsAnError) {
  static const char* const pieces[] = {
      "proc p ", "{ ",    "} ",  "if ", "fi ", "do ", "od ", ":: ", "-> ",       "; ", "a!", "b?",
      "m ",      "goto ", "L: ", "(",   ")",   "x ",  "= ",  "1 ",  "channel c", "[",  "]",  "\n"};
  std::mt19937 random(3);
  std::string text;
  for (int i = 0; i < 1'000'000; ++i) text += pieces[random() % std::size(pieces)];
  check_text(text, 2);
}

TEST(AnyInput, OfTenMegabytesOfOptionMarksIsAnError) { check_text(repeated("::", 5 << 20), 2); }

TEST(AnyInput, WithoutAProcessIsAnError) {
  for (const std::string& text :
       {std::string(), std::string("\n"), std::string("\xef\xbb\xbf"), std::string("/* "),
        std::string(1, '\0'), std::string("\\"), std::string("#"), std::string("\"")})
    check_text(text, 2);
}

TEST(AnyInput, OnOneLineOfTenMegabytesIsAnError) {
  check_text("proc p { " + std::string(10 << 20, 'x') + " }", 2);
  check_text("proc p { x = " + std::string(1 << 20, '9') + " }", 2);
  check_text(std::string(10 << 20, ' '), 2);
}

TEST(AnyInput, LargerThanTheLimitIsAnError) {
  check_text(std::string(20 << 20, '\n'), 2, "is larger than");
}

TEST(AnyInput, WithoutAnEndIsAnError) {
  const Result result = run({"check", "/dev/zero"});
  EXPECT_EQ(result.exit_code, 2);
  EXPECT_LT(result.peak_kilobytes, memory_limit_kilobytes);
  check_text("#include \"/dev/zero\"\nproc p { skip }\n", 2);
}

// ---- nesting -----------------------------------------------------------------------------------

TEST(Nesting, AHundredThousandDeepIsAnError) {
  constexpr int depth = 100'000;
  check_text("proc p { " + repeated("if :: ", depth) + "skip" + repeated(" fi", depth) + " }", 2);
  check_text("proc p { " + repeated("do :: ", depth) + "skip" + repeated(" od", depth) + " }", 2);
  check_text("proc p { " + repeated("do :: ", depth), 2);
  check_text("proc p var x; { x = " + repeated("(", depth) + "x" + repeated(")", depth) + " }", 2);
  check_text("proc p var x; { x = " + repeated("!", depth) + "x }", 2);
  check_text("proc p var x; { x = " + repeated("- ", depth) + "x }", 2);
  check_text("proc p var x; { x = x" + repeated(" + x", depth) + " }", 2);
  check_text("channel c[0..1]; proc p { " + repeated("c[len(", depth) + "c" +
                 repeated(")]", depth) + "!m }",
             2);
  check_text(repeated("{", depth), 2);
  check_text(repeated("proc p { ", depth), 2);
}

TEST(Nesting, OfConditionsAHundredThousandDeepHasAnAnswer) {
  constexpr int depth = 100'000;
  check_text(repeated("#if 1\n", depth) + "proc p { skip }\n" + repeated("#endif\n", depth), 0);
  check_text(repeated("#if 1\n", depth) + "proc p { skip }\n", 2);
  check_text("#if " + repeated("(", depth) + "1" + repeated(")", depth) + "\n#endif\nproc p { }",
             2);
  check_text("#if " + repeated("!", depth) + "1\n#endif\nproc p { }", 2);
}

// ---- macros and files --------------------------------------------------------------------------

TEST(Macros, ThatDoubleThemselvesFortyTimesAreAnError) {
  std::string text = "#define M0 skip;\n#define F0(a) a a\n";
  for (int i = 1; i <= 40; ++i) {
    const std::string n = std::to_string(i), before = std::to_string(i - 1);
    text += "#define M" + n + " M" + before + " M" + before + "\n";
    text += "#define F" + n + "(a) F" + before + "(a a)\n";
  }
  check_text(text + "proc p { M40 }\n", 2, "M40");
  check_text(text + "proc p { F40(skip;) }\n", 2);
  check_text(text + "#if M40\n#endif\nproc p { }\n", 2);
}

TEST(Files, ThatIncludeThemselvesAreAnError) {
  const Result result = check_text("#include \"input.argos\"\nproc p { skip }\n", 2);
  EXPECT_NE(result.errors.find("input.argos"), std::string::npos);
}

TEST(Files, ThatIncludeEachOtherAreAnError) {
  const TemporaryFolder folder;
  folder.write("b.argos", "#include \"a.argos\"\n");
  const Result result =
      run({"check", folder.write("a.argos", "#include \"b.argos\"\nproc p { skip }\n")});
  EXPECT_EQ(result.exit_code, 2);
  EXPECT_NE(result.errors.find("b.argos"), std::string::npos);
}

TEST(Files, IncludedWithoutEndFromAListAreAnError) {
  // Each file includes the next one twice: 2^20 files.
  const TemporaryFolder folder;
  for (int i = 0; i < 20; ++i) {
    const std::string next = "#include \"f" + std::to_string(i + 1) + "\"\n";
    folder.write("f" + std::to_string(i), next + next);
  }
  folder.write("f20", repeated("skip; ", 100));
  const Result result = run({"check", folder.write("a.argos", "proc p {\n#include \"f0\"\n}\n")});
  EXPECT_EQ(result.exit_code, 2);
  EXPECT_LT(result.peak_kilobytes, memory_limit_kilobytes);
}

// ---- models that ask for too much --------------------------------------------------------------

TEST(ShortModels, ThatInlineToManyStatesAreAnError) {
  std::string text = "channel c[1];\nprocedure p0() { c!m; c!m }\n";
  for (int i = 1; i < 13; ++i) {
    const std::string n = std::to_string(i), call = "p" + std::to_string(i - 1) + "()";
    text += "procedure p" + n + "() { " + call + "; " + call + " }\n";
  }
  check_text(text + "proc a[i : 0..999] { p12() }\nproc r { c?m }\n", 2, "control states");
}

TEST(ShortModels, WithHugeChannelsAreAnError) {
  check_text(
      "channel c[0..3999][4096];\n"
      "proc p var x, y; { do :: x++ :: y++ :: c[x]!m(y, y, y) od }\n",
      2, "words of 64 bits");
}

TEST(ShortModels, OfManySkipsAreFine) {
  check_text("proc p { " + repeated("skip; ", 150'000) + "}\n", 0);
}

TEST(ShortModels, WithManyVariablesAndStatementsAreFine) {
  std::string text = "proc p var x0";
  for (int i = 1; i < 3000; ++i) text += ", x" + std::to_string(i);
  check_text(text + ";\n{ " + repeated("x0++; ", 30'000) + "}\n", 0);
}

TEST(ShortModels, WithAVeryLongChainOfCallsHaveAnAnswer) {
  std::string text = "channel c[1], d[1] = { m(1) };\n";
  for (int i = 0; i < 1400; ++i)
    text += "procedure p" + std::to_string(i) + "(a) { p" + std::to_string(i + 1) + "(a + 1) }\n";
  const TemporaryFolder folder;
  const Result result =
      run({"check", folder.write("chain.argos",
                                 text + "procedure p1400(a) { c!m(a) }\n"
                                        "proc q var v; { d?m(v); p0(v) }\nproc r { c?m(_) }\n")});
  EXPECT_TRUE(result.exit_code == 0 || result.exit_code == 2) << result.exit_code;
  EXPECT_LT(result.peak_kilobytes, memory_limit_kilobytes);
}

}  // namespace
}  // namespace panoptes::cli
