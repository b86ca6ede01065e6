// SPDX-License-Identifier: Apache-2.0
// --ltl, --fair and --non-progress, from the command line to the run that violates, and back.
#include <map>
#include <nlohmann/json.hpp>

#include "cli/child.hpp"
#include "support/json.hpp"

namespace panoptes::cli {
namespace {

using Json = nlohmann::json;

class TemporalOptions : public testing::Test {
 protected:
  Json checked(std::vector<std::string> options, int code) {
    options.insert(options.begin(), {"check", path_, "--json"});
    const Result result = run(options);
    EXPECT_EQ(result.exit_code, code) << result.errors;
    return test::parse_json(result.output);
  }
  std::string refused(std::vector<std::string> options) {
    options.insert(options.begin(), {"check", path_});
    const Result result = run(options);
    EXPECT_EQ(result.exit_code, 2) << result.output;
    return result.errors;
  }

  TemporaryFolder folder_;
  std::string path_ = folder_.write("m.argos",
                                    "var x : 0..1, y : 0..1; proc p { do :: y = 1 - y :: "
                                    "x == 2 -> progress: x = 0 od } "
                                    "proc q { x = 1 }");
};

TEST_F(TemporalOptions, AreThoseOfARun) {
  const Json both = checked({"--ltl", "<> x == 1", "--ltl", "[] (x == 0 || x == 1)"}, 1);
  ASSERT_EQ(both["errors"].size(), 1u);
  EXPECT_EQ(both["errors"][0]["kind"], "ltl");
  EXPECT_EQ(both["errors"][0]["message"], "<> (x == 1)");
  EXPECT_EQ(both["errors"][0]["cycle"].size(), 2u);
  EXPECT_EQ(both["errors"][0]["shortest"], true);
  EXPECT_EQ(both["options"]["ltl"], "<> x == 1; [] (x == 0 || x == 1)");
  EXPECT_EQ(both["properties"][0]["verdict"], "violated");
  EXPECT_EQ(both["properties"][1]["verdict"], "holds");
  EXPECT_EQ(both["fairness"], "none");
  EXPECT_FALSE(checked({"--keep-graph"}, 0).contains("properties"));
}

TEST_F(TemporalOptions, SayWhichRunsCount) {
  EXPECT_EQ(checked({"--ltl", "<> x == 1", "--fair", "weak"}, 0)["properties"][0]["verdict"],
            "holds");
  EXPECT_EQ(checked({"--ltl", "<> x == 1", "--fair", "weak,lines"}, 0)["fairness"], "weak,lines");
  EXPECT_TRUE(contains(refused({"--ltl", "<> x == 1", "--fair", "often"}), "--fair often"));
}

TEST_F(TemporalOptions, MayLimitThePathOfWhoFollowsRuns) {
  const Json report = checked({"--search", "cycles", "--depth", "9", "--ltl", "<> x == 1"}, 1);
  EXPECT_EQ(report["properties"][0]["verdict"], "violated");
}

TEST_F(TemporalOptions, AreAllThatFairnessIsFor) {
  const std::string warning = "--fair says which runs";
  EXPECT_TRUE(contains(run({"check", path_, "--fair", "weak"}).errors, warning));
  for (const std::vector<std::string>& asked :
       {std::vector<std::string>{"--acceptance"}, {"--non-progress"}, {"--ltl", "<> [] ("}}) {
    std::vector<std::string> arguments{"check", path_, "--fair", "weak"};
    arguments.insert(arguments.end(), asked.begin(), asked.end());
    EXPECT_FALSE(contains(run(arguments).errors, warning)) << asked[0];
  }
}

TEST_F(TemporalOptions, AreUnknownToASearchThatCannotPromise) {
  for (const std::vector<std::string>& options : {std::vector<std::string>{"--store", "hash"},
                                                  {"--store", "bits"},
                                                  {"--search", "stack"},
                                                  {"--search", "walk"},
                                                  {"--depth", "3"},
                                                  {"--reduce", "internal"},
                                                  {"--keep", "1"}}) {
    std::vector<std::string> asked = options;
    asked.insert(asked.end(), {"--ltl", "<> x == 1"});
    EXPECT_TRUE(contains(refused(asked), "--ltl is not for " + options[0])) << options[1];
  }
  path_ = folder_.write("n.argos", "var x : 0..1; proc p { x = 0; x = 1 } ltl { <> x == 1 }");
  EXPECT_EQ(checked({}, 0)["verdict"], "holds");
  for (const std::vector<std::string>& options :
       {std::vector<std::string>{"--store", "hash"}, {"--search", "walk"}, {"--depth", "1"}}) {
    const Json report = checked(options, 3);
    EXPECT_EQ(report["properties"][0]["verdict"], "unknown") << options[1];
    EXPECT_NE(report["properties"][0]["reason"], "") << options[1];
  }
}

TEST_F(TemporalOptions, AreLookedAtOnTheFlyWhereThatWasAsked) {
  for (const std::vector<std::string>& how : {std::vector<std::string>{"--search", "cycles"},
                                              {"--store", "compact"},
                                              {"--threads", "2"}}) {
    std::vector<std::string> asked = {"--ltl", "<> x == 1"};
    asked.insert(asked.end(), how.begin(), how.end());
    EXPECT_EQ(checked(asked, 1)["properties"][0]["verdict"], "violated") << how[1];
    asked.insert(asked.end(), {"--fair", "weak"});
    EXPECT_EQ(checked(asked, 0)["properties"][0]["verdict"], "holds") << how[1];
  }
  EXPECT_TRUE(contains(refused({"--search", "cycles", "--keep-graph"}),
                       "--search cycles is not for --keep-graph"));
}

TEST_F(TemporalOptions, AreConfirmedByTheirRuns) {
  const std::string trail = folder_.path("t.json");
  for (const std::vector<std::string>& options : {std::vector<std::string>{"--ltl", "<> x == 1"},
                                                  {"--ltl", "<> x == 1", "--search", "cycles"},
                                                  {"--ltl", "<> x == 1", "--store", "compact"},
                                                  {"--non-progress"}}) {
    std::vector<std::string> asked = {"check", path_, "--trail", trail};
    asked.insert(asked.end(), options.begin(), options.end());
    run(asked);
    const Result replayed = run({"replay", path_, trail});
    EXPECT_EQ(replayed.exit_code, 1) << replayed.errors;
    EXPECT_TRUE(contains(replayed.output, "then repeats:")) << replayed.output;
  }
  const Result other = run({"replay", path_, trail, "--ltl", "<> x == 1"});
  EXPECT_EQ(other.exit_code, 2);
  EXPECT_TRUE(contains(other.errors, "the trail was made without --ltl")) << other.errors;
}

// A run that is said to violate what it does not is one of another protocol, or nobody's.
TEST_F(TemporalOptions, DoNotBelieveAFile) {
  const std::string trail = folder_.path("t.json");
  run({"check", path_, "--ltl", "<> x == 1", "--trail", trail});
  Json file = test::parse_json(read_all(trail));
  file["options"]["fair"] = "weak";
  folder_.write("t.json", file.dump());
  const Result replayed = run({"replay", path_, trail});
  EXPECT_EQ(replayed.exit_code, 2) << replayed.output;
  EXPECT_TRUE(contains(replayed.errors, "is not fair to q")) << replayed.errors;
}

TEST_F(TemporalOptions, KnowLabelsThatMustNotBePassedForEver) {
  path_ = folder_.write(
      "a.argos",
      "var y : 0..1; proc p { do :: (y == 0) -> accept_y: y = 1 :: (y == 1) -> y = 0 od }");
  const Json found = checked({"--acceptance"}, 1);
  ASSERT_EQ(found["errors"].size(), 1u);
  EXPECT_EQ(found["errors"][0]["kind"], "acceptance");
  EXPECT_EQ(found["errors"][0]["text"],
            "a label that begins with accept is passed again and again, or rested at for ever");
  EXPECT_EQ(found["properties"][0]["formula"], "<> [] !accept");
  const std::string trail = folder_.path("t.json");
  run({"check", path_, "--acceptance", "--trail", trail});
  const Result replayed = run({"replay", path_, trail});
  EXPECT_EQ(replayed.exit_code, 1) << replayed.errors;
  EXPECT_TRUE(contains(replayed.output, "then repeats:")) << replayed.output;
  path_ = folder_.write("e.argos", "var x : 0..1; proc p { x = 1; accept: (x == 0) }");
  EXPECT_EQ(checked({"--acceptance"}, 1)["properties"][0]["verdict"], "violated");
  run({"check", path_, "--acceptance", "--only", "acceptance", "--trail", trail});
  EXPECT_EQ(run({"replay", path_, trail}).exit_code, 1);
  path_ = folder_.write("n.argos", "proc p { do :: skip od }");
  EXPECT_TRUE(contains(refused({"--acceptance"}), "no label begins with accept"));
}

// Where a `skip` with such a label leads to, others lead as well, and pass no label.
TEST_F(TemporalOptions, TakeASkipWithALabelForAStep) {
  for (const std::string label : {"progress", "accept_it"}) {
    path_ = folder_.write("s.argos",
                          "channel c[1]; proc p { do :: c!m od } proc q { do :: c?m :: c?m "
                          "-> " +
                              label + ": skip od }");
    const bool is_progress = label == "progress";
    const Json found = checked({is_progress ? "--non-progress" : "--acceptance"}, 1);
    EXPECT_EQ(found["states"], 4);
    EXPECT_EQ(found["errors"][0]["cycle"].size(), is_progress ? 2u : 3u);
  }
}

// What is no statement is no step either, and what is indivisible has no moments inside.
TEST_F(TemporalOptions, TakeLabelsOfWhatIsIndivisibleAndOfCallsForThoseOfPlaces) {
  path_ = folder_.write(
      "i.argos", "var x : 0..1; proc p { do :: atomic { x = 1 - x; progress_it: skip } od }");
  EXPECT_EQ(checked({"--non-progress"}, 0)["properties"][0]["verdict"], "holds");
  path_ = folder_.write("w.argos",
                        "channel c[1]; var x : 0..1, y : 0..1;\n"
                        "proc p { accept_w: atomic { c?m; x = 1 } }\n"
                        "proc q { do :: y = 1 - y od }\n");
  const Json found = checked({"--acceptance", "--fair", "weak"}, 1);
  EXPECT_EQ(found["properties"][0]["verdict"], "violated");
  path_ = folder_.write("c.argos",
                        "var x : 0..3; procedure f(v) { x = v }\n"
                        "proc p { x = 0; progress_c: f(1 / x) }\n");
  EXPECT_EQ(checked({}, 1)["errors"].size(), 1u);
}

// Where nothing follows a label, the process rests at it.
TEST_F(TemporalOptions, TakeALabelBeforeTheEndForThatOfTheEnd) {
  path_ = folder_.write("f.argos",
                        "var x : 0..1; proc a { x = 1; accept_fin: }\n"
                        "proc b { do :: x == 1 -> skip od }\n");
  const Json found = checked({"--acceptance", "--fair", "weak", "--ltl", "<> [] a@accept_fin"}, 1);
  std::map<std::string, std::string> answers;
  for (const Json& property : found["properties"])
    answers[property["formula"]] = property["verdict"];
  EXPECT_EQ(answers["<> [] !accept"], "violated");
  EXPECT_EQ(answers["<> [] a@accept_fin"], "holds");
}

TEST_F(TemporalOptions, TellOfALabelThatNobodyIsAt) {
  path_ = folder_.write("l.argos",
                        "channel c[1]; proc q { do :: c!m od }\n"
                        "proc p { do :: accept_a: c?m -> accept_b: skip od }\n");
  const Result result = run({"check", path_, "--acceptance"});
  EXPECT_TRUE(contains(result.errors, "accept_a of p is nowhere a process may be"))
      << result.errors;
  const std::string asked = run({"check", path_, "--ltl", "[] !p@accept_a"}).errors;
  EXPECT_TRUE(contains(asked, "--ltl:1:5: warning: process `p` is never at `accept_a`")) << asked;
}

// What lies inside of one step is no moment of a run, and no state that an invariant is asked
// about.
TEST_F(TemporalOptions, TellOfALabelInsideOfAStep) {
  path_ = folder_.write(
      "i.argos", "var x : 0..2; proc p { atomic { x = 1; inside: x = 2; x = 0 }; behind: skip }\n");
  const std::string warning = "warning: process `p` is seen at `inside` only where it waits there";
  for (const char* const option : {"--ltl", "--never"}) {
    const std::string asked = run({"check", path_, option, "p@inside"}).errors;
    EXPECT_TRUE(contains(asked, warning)) << asked;
  }
  const std::string asked = run({"check", path_, "--never", "p@behind && x == 1"}).errors;
  EXPECT_FALSE(contains(asked, "is seen at")) << asked;
  // A sender is where its rendezvous leads to, for everybody to see.
  path_ = folder_.write("r.argos",
                        "var x : 0..2; channel c[0];\n"
                        "proc p { atomic { c!m; inside: x = 2 } } proc q { c?m }\n");
  const Result met = run({"check", path_, "--reach", "p@inside"});
  EXPECT_EQ(met.exit_code, 1) << met.output;
  EXPECT_FALSE(contains(met.errors, "is seen at")) << met.errors;
}

TEST_F(TemporalOptions, NeedALabelToMakeProgress) {
  path_ = folder_.write("n.argos", "proc p { do :: skip od }");
  EXPECT_TRUE(contains(refused({"--non-progress"}), "no label begins with progress"));
}

}  // namespace
}  // namespace panoptes::cli
