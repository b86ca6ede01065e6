// SPDX-License-Identifier: Apache-2.0
#include "report/executed.hpp"

#include <gtest/gtest.h>

#include <map>
#include <set>

#include "report/shown_source.hpp"
#include "support/model.hpp"

namespace panoptes {
namespace {

using test::compile;
using test::Compiled;
using Words = std::map<std::string, Execution>;

// Checked, and what was executed of it.
struct Seen {
  explicit Seen(const std::string& text, const CheckOptions& options = {})
      : compiled(compile(text)), verdict(test::check(compiled, options)) {}

  // By line and column.
  Words statements() const {
    const Executed executed(compiled.program, verdict);
    Words words;
    const auto& all = compiled.program.protocol.statements;
    for (StatementId s = 0; s < all.size(); ++s)
      words[compiled.sources.line_and_column(all[s].place)] = executed.of(s);
    return words;
  }

  Compiled compiled;
  Verdict verdict;
};

// What is missing is the dead code of the verdict, and nothing else.
TEST(Executed, MissesTheDeadCodeOfEveryModel) {
  std::size_t dead = 0;
  CheckOptions options;
  options.limits.seconds = 0.2;  // of the large ones, what is reached by then
  for (const std::string& name : test::model_names()) {
    const Seen seen(test::model_text(name), options);
    const Executed executed(seen.compiled.program, seen.verdict);
    std::set<StatementId> missing, listed;
    for (StatementId s = 0; s < seen.compiled.program.protocol.statements.size(); ++s)
      if (is_missing(executed.of(s))) missing.insert(s);
    for (const DeadStatement& each : seen.verdict.dead_code) listed.insert(each.statement);
    EXPECT_EQ(missing, listed) << name;
    dead += listed.size();
    // Whoever was never anywhere has executed nothing there.
    for (ProcessId p = 0; p < seen.compiled.program.control.size(); ++p) {
      const auto& states = seen.compiled.program.protocol.processes[p].automaton.states;
      for (StateId state = 0; state < states.size(); ++state)
        for (const Transition& t : states[state].transitions)
          EXPECT_TRUE(executed.was_in(p, state) || !executed.has_taken(p, state, t)) << name;
    }
  }
  EXPECT_GT(dead, 10u);
}

TEST(Executed, TellsWhatCanNeverBeExecutedFromWhatWasNotReached) {
  const std::string text = "proc p var x : 0..9; { do :: (x < 9) -> x++ :: (x > 9) -> skip od }";
  EXPECT_EQ(Seen(text).statements().at("1:48"), Execution::never);
  CheckOptions options;
  options.limits.depth = 3;
  EXPECT_EQ(Seen(text, options).statements().at("1:48"), Execution::not_reached);
  // A step that fails hides what lies behind it.
  EXPECT_EQ(Seen("proc p { if :: assert(0) :: (0) fi; skip }").statements().at("1:29"),
            Execution::not_reached);
}

TEST(Executed, DoesNotSayWhichOfMergedStatementsItWas) {
  const Words words = Seen(
                          "channel c[1], d[2];\n"
                          "proc p { if\n"
                          ":: c?one -> d!a\n"
                          ":: c?two -> d!a\n"
                          "fi }\n"
                          "proc q { c!one }\n")
                          .statements();
  EXPECT_EQ(words.at("3:4"), Execution::executed);
  EXPECT_EQ(words.at("4:4"), Execution::never);
  EXPECT_EQ(words.at("3:13"), Execution::merged);
  EXPECT_EQ(words.at("4:13"), Execution::merged);
}

TEST(Executed, KnowsMembersThatNeverExecuteWhatOthersDo) {
  const Seen seen("channel c[0..1][1]; proc p { c[0]!m }\nproc q[i : 0..1] { c[i]?m }\n");
  EXPECT_EQ(seen.statements().at("2:20"), Execution::in_some);
  const Executed executed(seen.compiled.program, seen.verdict);
  for (StatementId s = 0; s < seen.compiled.program.protocol.statements.size(); ++s)
    EXPECT_EQ(executed.never_in(s), executed.of(s) == Execution::in_some
                                        ? std::vector<ProcessId>{2}
                                        : std::vector<ProcessId>{});
}

// A statement that fails leads nowhere; one that fails sometimes does.
TEST(Executed, KnowsWhereAStepThatFailsDoesNotLead) {
  const auto end_is_visited = [](const std::string& text) {
    const Seen seen(text);
    const Executed executed(seen.compiled.program, seen.verdict);
    const Automaton& automaton = seen.compiled.program.protocol.processes[0].automaton;
    bool has_failed = false;
    for (StateId s = 0; s < automaton.states.size(); ++s)
      for (const Transition& t : automaton.states[s].transitions)
        has_failed = has_failed || executed.has_failed(0, s, t);
    EXPECT_TRUE(has_failed);
    return executed.was_in(0, automaton.end);
  };
  EXPECT_FALSE(end_is_visited("proc p { assert(0) }"));
  EXPECT_TRUE(end_is_visited("proc p var x : 0..1; { if :: x = 1 :: skip fi; assert(x == 1) }"));
}

TEST(Executed, KnowsWhereProcessesAreStuck) {
  const Seen seen("channel c[1]; proc p { c?m } proc q { end: c!k; done: c!m }");
  const Executed executed(seen.compiled.program, seen.verdict);
  const Process& p = seen.compiled.program.protocol.processes[0];
  EXPECT_TRUE(executed.is_blocked(0, p.automaton.initial));
  EXPECT_FALSE(executed.is_blocked(0, p.automaton.end));
  const Process& q = seen.compiled.program.protocol.processes[1];
  EXPECT_FALSE(executed.is_blocked(1, q.automaton.initial));
}

TEST(ShownSource, HasAllLinesOfAShortTextAndThoseThatMatterOfALongOne) {
  const std::string blank(ShownSource::most_lines, '\n');
  for (const bool is_long : {false, true}) {
    const Seen seen("proc p { skip;\n (0) }\n" + (is_long ? blank : "") + "proc q { skip }\n");
    const ShownSource shown(seen.compiled.program, Executed(seen.compiled.program, seen.verdict),
                            seen.compiled.sources);
    ASSERT_EQ(shown.files().size(), 1u);
    EXPECT_TRUE(shown.is_shown(0, 2));
    EXPECT_EQ(shown.is_shown(0, static_cast<std::uint32_t>(shown.files()[0].all_lines)), !is_long);
    EXPECT_EQ(shown.files()[0].lines.size() + shown.left_out(), shown.files()[0].all_lines);
    EXPECT_EQ(shown.left_out() > 0, is_long);
  }
}

}  // namespace
}  // namespace panoptes
