// SPDX-License-Identifier: Apache-2.0
#include "argos/format/format.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <vector>

#include "argos/format/pieces.hpp"
#include "argos/parse.hpp"
#include "argos/unparse.hpp"

namespace panoptes::argos {
namespace {

// The text, laid out; the complaints where it is refused.
std::string laid_out(const std::string& text) {
  SourceSet sources;
  Diagnostics diagnostics;
  const auto result = format(sources, sources.add("text", text), diagnostics);
  return result ? *result : diagnostics.render(sources);
}

// Holds every case to both promises, too.
void expect_format(const std::string& text, const std::string& wanted) {
  EXPECT_EQ(laid_out(text), wanted);
  EXPECT_EQ(laid_out(wanted), wanted) << "the second time";
}

std::string text_of(const std::filesystem::path& path) {
  std::ifstream file(path, std::ios::binary);
  return {std::istreambuf_iterator<char>(file), {}};
}

std::vector<std::filesystem::path> every_model() {
  std::vector<std::filesystem::path> paths;
  for (const char* folder : {"models", "bench/pairs", "tests/regress"})
    for (const auto& entry :
         std::filesystem::directory_iterator(std::filesystem::path(PANOPTES_SOURCE_DIR) / folder))
      if (entry.path().extension() == ".argos") paths.push_back(entry.path());
  std::sort(paths.begin(), paths.end());
  return paths;
}

// The model that a text is, written out: what every engine gets to see of it.
std::string model_of(const std::filesystem::path& path, const std::string& text) {
  SourceSet sources;
  Diagnostics diagnostics;
  const ReadFile read_file = [&](const std::string& wanted) {
    return std::optional(wanted == path.string() ? text : text_of(wanted));
  };
  const Model model = parse(path.string(), read_file, {}, sources, diagnostics);
  EXPECT_FALSE(diagnostics.has_errors()) << diagnostics.render(sources);
  return unparse(model);
}

// The text with all that a formatter may change changed: `between` before every token, and lines
// that begin and end in some other way.
std::string deformed(const std::string& text, const std::string& between) {
  SourceSet sources;
  Diagnostics diagnostics;
  const auto pieces = cut(sources, sources.add("text", text), diagnostics);
  std::string result;
  for (const Piece& piece : *pieces) {
    const bool needs_line = piece.kind == PieceKind::directive;
    result += needs_line && !result.ends_with('\n') ? "\n" : between;
    result += piece.text;
    if (piece.kind != PieceKind::token)
      result += piece.kind == PieceKind::block_comment ? "" : "\n";
  }
  return result;
}

TEST(Format, SetsConditionsApart) {
  expect_format("proc p{when(x>0)c!m;c?m( ==x ,y)when( y>1 )->skip;do::else->c?timeout( quiet )od}",
                "proc p { when (x > 0) c!m; c?m(== x, y) when (y > 1) -> skip; "
                "do :: else -> c?timeout(quiet) od }\n");
}

TEST(Format, SetsWhatAQuantifierAsksApart) {
  expect_format("always(exists(i:0..last)!answered[i]);always((forall (i : 0..1)-a[i]<0)&&b-a[0]);",
                "always (exists (i : 0..last) !answered[i]);\n"
                "always ((forall (i : 0..1) -a[i] < 0) && b - a[0]);\n");
}

TEST(Format, LeavesModelsOfTheRepositoryAlone) {
  for (const auto& path : every_model()) {
    if (path.parent_path().filename() == "regress") continue;  // as a shrinker wrote them
    EXPECT_EQ(laid_out(text_of(path)), text_of(path)) << path;
  }
}

TEST(Format, IsSafeAndStableWhateverTheLayoutWas) {
  ASSERT_GT(every_model().size(), 40u);
  for (const auto& path : every_model()) {
    const std::string text = text_of(path);
    const std::string model = model_of(path, text);
    for (const char* between : {" ", "\n", "\t\r\n\r\n\r\n ", " /* c */ "}) {
      const std::string once = laid_out(deformed(text, between));
      EXPECT_EQ(laid_out(once), once) << path;
      EXPECT_EQ(model_of(path, once), model) << path;
    }
  }
}

TEST(Format, RestoresIndentationAndLineEnds) {
  for (const auto& path : every_model()) {
    if (path.parent_path().filename() == "regress") continue;
    std::string flat;
    bool continues = false;  // a line of a macro, which is left as it is
    for (const char c : text_of(path)) {
      const bool is_start = flat.empty() || flat.back() == '\n';
      if (c == '\n') continues = flat.ends_with('\\');
      if (is_start && !continues && c == ' ') continue;
      flat += c == '\n' && !continues ? "  \r\n\t" : std::string(1, c);
      if (flat.ends_with('\t')) flat.pop_back();
    }
    EXPECT_EQ(laid_out(flat), text_of(path)) << path;
  }
}

TEST(Format, SetsBlanksBetweenTokens) {
  expect_format("channel a [ 1 ],b[0 .. 1][ 2 ]={m( 1 ),k} , c = {  } ;var x:0..3=0;sink s ;",
                "channel a[1], b[0..1][2] = { m(1), k }, c = { };\n"
                "var x : 0..3 = 0;\n"
                "sink s;\n");
  expect_format("const n=3,m=-n ;proc p{true->x=n}",
                "const n = 3, m = -n;\nproc p { true -> x = n }\n");
  expect_format("proc p [ i:0 .. N-1 ] { b [ i ] ! m ( - 1 , ! full ( a ) ) ; a ?k( _ ) ; x ++ }",
                "proc p[i : 0..N - 1] { b[i]!m(-1, !full(a)); a?k(_); x++ }\n");
  expect_format("proc p { x=(a+b)*-c%2;(x!=1||y<>2&&!z)->x+%2;goto out }",
                "proc p { x = (a + b) * -c % 2; (x != 1 || y <> 2 && !z) -> x +% 2; goto out }\n");
}

TEST(Format, KeepsSeveralAssignmentsTogether) {
  expect_format("proc p { x+=1,y=x ;z*=-2, w%=3 -> x -=y }",
                "proc p { x += 1, y = x; z *= -2, w %= 3 -> x -= y }\n");
}

TEST(Format, LaysOutEnumerationsAsBodies) {
  expect_format("enum{a,b}enum  e {c,d};var x:e=c ;proc p{x=d}",
                "enum { a, b }\nenum e { c, d };\nvar x : e = c;\nproc p { x = d }\n");
  expect_format("enum e {c,d,\ne}\nvar x : e;", "enum e\n{\n  c, d,\n  e\n}\nvar x : e;\n");
}

TEST(Format, NeverJoinsWhatWouldBeAnotherToken) {
  expect_format("x = - - 1; y = a - -1; z = ! = 1; a : : b; 0 .. .. 1; < > ; / / ; w = - = 2; + %",
                "x = - -1;\n"
                "y = a - -1;\n"
                "z = ! = 1;\n"
                "a: : b;\n"
                "0.. ..1;\n"
                "< >;\n"
                "/ /;\n"
                "w = - = 2;\n"
                "+ %\n");
}

// What begins the next option or ends the group starts a line, and a comment behind a statement
// stays with the statement.
TEST(Format, KeepsCommentsBehindStatementsWithThem) {
  expect_format("proc p { do ::(x>1)->x=0/*z*/::(x<=1)->skip/*a*//*b*/\nod }",
                "proc p\n"
                "{\n"
                "  do\n"
                "  :: (x > 1) -> x = 0        /*z*/\n"
                "  :: (x <= 1) -> skip /*a*/  /*b*/\n"
                "  od\n"
                "}\n");
  expect_format("proc p { do :: x = 0 /*z*/ :: x = 1 /*y*/ od }",
                "proc p { do :: x = 0 /*z*/ :: x = 1 /*y*/ od }\n");
  expect_format("proc p {\ndo\n/*z*/ :: x = 0\n:: x = 1 /*y*/ od }",
                "proc p\n"
                "{\n"
                "  do\n"
                "  /*z*/ :: x = 0\n"
                "  :: x = 1  /*y*/\n"
                "  od\n"
                "}\n");
}

TEST(Format, KeepsShortGroupsInTheirLineAndOpensOthers) {
  expect_format(R"(proc p {
if :: a!m :: skip fi; do :: a?m -> break
:: a?k -> if :: x -> y::z fi od }
assert order { a!m; a!k }
)",
                R"(proc p
{
  if :: a!m :: skip fi;
  do
  :: a?m -> break
  :: a?k -> if :: x -> y :: z fi
  od
}

assert order { a!m; a!k }
)");
}

TEST(Format, KeepsCommentsWhereverTheyAre) {
  expect_format(R"(channel a[1]; /* two */ var x;
proc p{


  // first
  a!m( x+1 )  ;   // sends
   a?n;b ! k // and this


  if :: x==1->skip // one
  /* two */ :: x  ==  2 -> // guard
  a!m
  // nothing else
  fi
 // last
}
proc q
var y ; // its own
{ x = ( x + // why
 1 ) * - 2 /* inside */ ; /* a
  * b
    */ skip /* free
text */ }
/* in front */ proc r { skip /* behind */
})",
                R"(channel a[1];
/* two */ var x;
proc p
{
  // first
  a!m(x + 1);  // sends
  a?n; b!k     // and this

  if
  :: x == 1 -> skip       // one
  /* two */ :: x == 2 ->  // guard
     a!m
  // nothing else
  fi
  // last
}

proc q
  var y;  // its own
{
  x = (x +  // why
      1) * -2 /* inside */;
  /* a
   * b
   */
  skip
  /* free
text */
}
/* in front */ proc r
{
  skip  /* behind */
}
)");
}

TEST(Format, KeepsDirectivesAsTheyAre) {
  expect_format(
      "proc p\n{\n  do\n    #if  defined(X)   // odd  \n :: x<3->x ++\n#else\n"
      " ::(x>=3)->goto again\n  #endif\n::[high]a?timeout->break od }\n"
      "#define LONG(y)   \\\n   a!m(y);  \\\n   skip\n",
      R"(proc p
{
  do
#if  defined(X)   // odd
  :: x < 3 -> x++
#else
  :: (x >= 3) -> goto again
#endif
  :: [high] a?timeout -> break
  od
}
#define LONG(y)   \
   a!m(y);  \
   skip
)");
  expect_format("  #include \"a/*b.argos\"  \nvar  x;\n", "#include \"a/*b.argos\"\nvar x;\n");
  // A blank behind the backslash ends the directive; without it the next line would belong to it.
  expect_format("#define A 1 \\   \nvar x;\n", "#define A 1 \\ \nvar x;\n");
  expect_format("#define A 1 \\", "#define A 1 \\ \n");
}

TEST(Format, ReadsEveryPartOfAnIfAsIfItWereTheOnlyOne) {
  expect_format(R"(#ifdef A
proc p {
#elif B
proc q {
#else
#error which?
#endif
skip
}
var x;
)",
                R"(#ifdef A
proc p
{
#elif B
proc q
{
#else
#error which?
#endif
  skip
}
var x;
)");
}

TEST(Format, PutsLabelsToTheLeft) {
  expect_format(R"(proc p {
again: a!m; end: a?k;
  first: second:
  do idle: a!m; skip
  od; do
  :: a?m -> here: skip
  :: there: skip
  od }
)",
                R"(proc p
{
again: a!m;
end: a?k;
first: second:
  do
  idle: a!m; skip
  od;
  do
  :: a?m ->
     here: skip
  :: there: skip
  od
}
)");
}

TEST(Format, PutsDeclarationsOnLinesOfTheirOwn) {
  expect_format(
      "process p queue p[1]; variable x; { var y; skip } proc empty { } procedure f(a,b)\n{}",
      R"(process p
  queue p[1];
  variable x;
{
  var y;
  skip
}

proc empty { }
procedure f(a, b)
{
}
)");
  // Words that declare elsewhere are names here.
  expect_format("proc channel\n{\n  channel!queue; queue[1]?var; var = 1\n}\n",
                "proc channel\n{\n  channel!queue; queue[1]?var; var = 1\n}\n");
}

TEST(Format, EndsLinesThatAreTooLong) {
  expect_format(
      "proc p { do :: (i != LEFT_HANDED) -> take(i, i); take((i + 1) % N, i); eat(i, (i + 1) % N); "
      "sleep(i) :: skip od; x = first_number_of_the_sequence + second_number_of_the_sequence * "
      "third_number_of_the_sequence - fourth_number; assert(first_number == 1 &&\n second == 2)\n}",
      R"(proc p
{
  do
  :: (i != LEFT_HANDED) -> take(i, i); take((i + 1) % N, i); eat(i, (i + 1) % N); sleep(i)
  :: skip
  od;
  x = first_number_of_the_sequence + second_number_of_the_sequence * third_number_of_the_sequence -
      fourth_number;
  assert(first_number == 1 &&
      second == 2)
}
)");
}

TEST(Format, CountsCharactersAndNotBytes) {
  expect_format("var a; /* \xC3\xA4\xC3\xB6\xC3\xBC */ // x\nvar bbb; /* abc */ // y\n",
                "var a; /* \xC3\xA4\xC3\xB6\xC3\xBC */    // x\nvar bbb; /* abc */  // y\n");
}

TEST(Format, TakesAnyEndOfALineAndOfTheText) {
  expect_format("\xEF\xBB\xBF\r\n\r\nvar a;\r\n\t\r\n\r\nvar b; // x \t\r\n/* 1\r\n2 */",
                "var a;\n\nvar b;  // x\n/* 1\n2 */\n");
  expect_format("", "");
  expect_format(" \n\n", "");
  expect_format("// only", "// only\n");
}

TEST(Format, LaysOutWhatDoesNotParse) {
  expect_format("} fi proc { :: if skip ) od ]", "}\nfi\nproc\n{\n:: if skip) od]\n");
}

TEST(Format, RefusesWhatIsNoTokens) {
  EXPECT_EQ(laid_out("var x;\nproc p { x = 1 $ 2 }\n"),
            "text:2:16: error: unexpected character `$`\n"
            "  proc p { x = 1 $ 2 }\n"
            "                 ^\n");
  EXPECT_EQ(laid_out("var x; /* and so on"),
            "text:1:8: error: this comment is never closed\n"
            "  var x; /* and so on\n"
            "         ^~\n"
            "  close it with `*/`\n");
  EXPECT_EQ(laid_out("var x; #define y\n"),
            "text:1:8: error: a directive must be the first thing in its line\n"
            "  var x; #define y\n"
            "         ^\n"
            "  `not equal` is written `!=`\n");
}

TEST(Format, LaysOutArraysAndQuantifiers) {
  expect_format(
      "var a [4]:0..7={1,2,3,4},b[2]=3;proc p{a [ i ] ++;a[0]=a [1]+1;"
      "forall(i:0..3)a[i]<7->c?m(a [0]);count(x)}",
      "var a[4] : 0..7 = { 1, 2, 3, 4 }, b[2] = 3;\n"
      "proc p { a[i]++; a[0] = a[1] + 1; forall (i : 0..3) a[i] < 7 -> c?m(a[0]); count(x) }\n");
}

TEST(Format, KeepsBroadcastsTogether) {
  expect_format("proc p{inbox [ * ] ! m ( 1 );when(x)inbox[*]!m->skip}",
                "proc p { inbox[*]!m(1); when (x) inbox[*]!m -> skip }\n");
  const std::string name(90, 'a');
  expect_format("proc p\n{\n  x = 1; " + name + "[*]!message(1)\n}\n",
                "proc p\n{\n  x = 1;\n  " + name + "[*]!message(1)\n}\n");
}

TEST(Format, RefusesWhatIsNestedWithoutEnd) {
  std::string text;
  for (int i = 0; i < 100'000; ++i) text += "do\n";
  EXPECT_NE(laid_out(text).find("error: this is nested too deep"), std::string::npos);
  std::string conditions;
  for (int i = 0; i < 100'000; ++i) conditions += "#if 1\n";
  EXPECT_NE(laid_out(conditions).find("error: this is nested too deep"), std::string::npos);
}

}  // namespace
}  // namespace panoptes::argos
