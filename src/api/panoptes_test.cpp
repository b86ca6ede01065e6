// SPDX-License-Identifier: Apache-2.0
// The library as its users see it: by its headers alone.
#include "api/panoptes.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <atomic>
#include <stdexcept>
#include <thread>

namespace {

using panoptes::Model;
using panoptes::Options;
using panoptes::Outcome;

std::string path_of(const std::string& model) {
  return std::string(PANOPTES_SOURCE_DIR) + "/models/" + model + ".argos";
}

Model loaded(const std::string& name, const Options& options = {}) {
  auto model = Model::load(path_of(name), options);
  if (!model) throw std::runtime_error(model.problem().text);
  return std::move(*model);
}

Model in_memory(const std::string& text, const Options& options = {}) {
  auto model = Model::from_texts({{"m.argos", text}}, options);
  if (!model) throw std::runtime_error(model.problem().text);
  return std::move(*model);
}

panoptes::Verdict checked(const Model& model, const Options& options = {}) {
  auto verdict = model.check(options);
  if (!verdict) throw std::runtime_error(verdict.problem().text);
  return std::move(*verdict);
}

// Six counters, no two of them alike: 2^42 states, none of them wrong.
constexpr const char* endless =
    "proc p[i : 0..5] var x : 0..127; { do :: x +% 128 od }\n"
    "never far (exists (i : 0..5) p[i].x * (i + 1) > 999);\n";

// ---- models -------------------------------------------------------------------------------------

TEST(LibraryModels, ComeFromFilesAndFromMemory) {
  EXPECT_EQ(checked(loaded("setup_handshake"), {{"reduce", "none"}}).states, 176u);
  EXPECT_LT(checked(loaded("setup_handshake")).states, 176u) << "as on the command line";
  const auto model = Model::from_texts({{"m.argos", "#include \"n.argos\"\nproc a { c!x }\n"},
                                        {"n.argos", "channel c[SLOTS];\nproc b { c?x }\n"}},
                                       {{"D", "SLOTS=1"}});
  ASSERT_TRUE(model) << model.problem().text;
  EXPECT_EQ(checked(*model).outcome, Outcome::holds);
}

TEST(LibraryModels, ThatAreWrongSayWhatAndWhere) {
  const auto model = Model::from_texts({{"m.argos", "channel c[1];\nproc a { d!x }\n"}});
  ASSERT_FALSE(model);
  EXPECT_EQ(model.problem().status, PANOPTES_BAD_INPUT);
  ASSERT_FALSE(model.problem().diagnostics.empty());
  const panoptes::Diagnostic& first = model.problem().diagnostics.front();
  EXPECT_TRUE(first.is_error);
  EXPECT_EQ(first.file, "m.argos");
  EXPECT_EQ(first.line, 2u);
  EXPECT_EQ(first.column, 10u);
  EXPECT_NE(model.problem().text.find("m.argos:2:10: error: "), std::string::npos)
      << model.problem().text;
}

TEST(LibraryModels, ThatAreNotThereSaySo) {
  const auto model = Model::load("/nowhere/m.argos");
  ASSERT_FALSE(model);
  EXPECT_EQ(model.problem().diagnostics.at(0).message,
            "cannot read file `/nowhere/m.argos`: No such file or directory");
  const auto included = Model::from_texts({{"m.argos", "#include \"/etc/passwd\"\n"}});
  ASSERT_FALSE(included);  // no file is read
}

TEST(LibraryModels, MayBeCalledLikeStandardInput) {
  const auto model = Model::from_texts({{"-", "proc a { d!x }\n"}});
  ASSERT_FALSE(model);
  EXPECT_EQ(model.problem().diagnostics.at(0).file, "-");
  const auto file = Model::load("-");
  ASSERT_FALSE(file);
  EXPECT_EQ(file.problem().diagnostics.at(0).message,
            "cannot read file `-`: No such file or directory");
}

TEST(LibraryModels, HaveWarnings) {
  const Model model =
      in_memory("channel c[3];\nproc a { c!x }\nproc b { c?x }\n", {{"at-most-slots", "1"}});
  ASSERT_EQ(model.warnings().size(), 1u);
  EXPECT_FALSE(model.warnings()[0].is_error);
}

// ---- options ------------------------------------------------------------------------------------

std::string complaint_of_model(const Options& options) {
  const auto model = Model::load(path_of("request"), options);
  return model ? "" : model.problem().diagnostics.at(0).message;
}

std::string complaint_of_check(const Options& options) {
  const auto verdict = loaded("request").check(options);
  return verdict ? "" : verdict.problem().diagnostics.at(0).message;
}

TEST(LibraryOptions, MustMakeSense) {
  EXPECT_EQ(complaint_of_model({{"timeouts", "lock"}, {"D", "X"}, {"strict"}}), "");
  EXPECT_EQ(complaint_of_model({{"timeouts", "never"}}),
            "--timeouts never: wanted one of empty|lock|quiet");
  EXPECT_EQ(complaint_of_model({{"timeouts", "locks"}}),
            "--timeouts locks: wanted one of empty|lock|quiet; did you mean `lock`?");
  EXPECT_EQ(complaint_of_model({{"D", "1X"}}), "-D 1X: wanted NAME or NAME=VALUE");
  EXPECT_EQ(complaint_of_model({{"strict", "yes"}}), "--strict yes: wanted on");
  EXPECT_EQ(complaint_of_model({{"timeout", "lock"}}),
            "there is no option timeout; did you mean `timeouts`?");
  EXPECT_EQ(complaint_of_model({{"search", "walk"}}),
            "search is an option of a check, not of a model");
  EXPECT_EQ(complaint_of_check({{"strict", "on"}}),
            "strict is an option of a model, given when it is loaded");
  EXPECT_EQ(complaint_of_check({{"threads", "0"}}),
            "--threads 0: wanted a whole number, from 1 to 1024");
  EXPECT_EQ(complaint_of_check({{"json"}}), "there is no option json");
  EXPECT_NE(complaint_of_check({{"keep-graph"}, {"search", "walk"}}), "");
}

TEST(LibraryOptions, DecideWhatIsFound) {
  EXPECT_EQ(checked(loaded("request")).outcome, Outcome::violated);
  EXPECT_EQ(checked(loaded("request", {{"timeouts", "lock"}})).outcome, Outcome::holds);
  const auto sample = checked(loaded("request", {{"timeouts", "lock"}}), {{"search", "walk"}});
  EXPECT_EQ(sample.outcome, Outcome::unknown);
  EXPECT_EQ(sample.promise, "partial");
}

// ---- verdicts -----------------------------------------------------------------------------------

TEST(LibraryVerdicts, HaveErrorsWithTheirTrails) {
  const auto verdict = checked(loaded("setup_handshake"), {{"reduce", "none"}});
  EXPECT_EQ(verdict.outcome, Outcome::violated);
  EXPECT_EQ(verdict.promise, "exhaustive");
  EXPECT_EQ(verdict.stop, "finished");
  EXPECT_EQ(verdict.transitions, 290u);
  ASSERT_EQ(verdict.errors.size(), 1u);
  const panoptes::Error& error = verdict.errors[0];
  EXPECT_EQ(error.kind, "deadlock");
  EXPECT_TRUE(error.is_shortest);
  EXPECT_EQ(error.left_out, "");
  ASSERT_EQ(error.steps.size(), 8u);
  const panoptes::Step& first = error.steps[0];
  EXPECT_EQ(first.process, "sender");
  EXPECT_EQ(first.kind, "send");
  EXPECT_EQ(first.action, "channel!setup");
  EXPECT_EQ(first.channel, "channel");
  EXPECT_EQ(first.message, "setup");
  EXPECT_EQ(first.line, 22u);
  EXPECT_EQ(first.to, "23:6");
  EXPECT_EQ(first.received_at, 3u);
  EXPECT_EQ(error.steps[2].action, "channel?setup");
}

TEST(LibraryVerdicts, HaveTheCyclesOfLivelocks) {
  const Model model =
      in_memory("proc a var x : 0..1; { do :: (x == 0) -> x = 1 :: (x == 1) -> x = 0 od }\n");
  const auto verdict = checked(model, {{"keep-graph"}, {"search", "exhaustive"}});
  ASSERT_EQ(verdict.errors.size(), 1u) << verdict.sentence;
  EXPECT_EQ(verdict.errors[0].kind, "livelock");
  EXPECT_EQ(verdict.errors[0].cycle.size(), 4u);
}

TEST(LibraryVerdicts, CanBeWrittenInEveryForm) {
  const auto verdict = checked(loaded("setup_handshake"));
  for (const char* form : {"text", "full", "mermaid", "plantuml", "svg", "columns", "steps"}) {
    const auto chart = verdict.chart(0, form);
    ASSERT_TRUE(chart) << form;
    EXPECT_NE(chart->find("setup"), std::string::npos) << form;
  }
  EXPECT_FALSE(verdict.chart(0, "bitmap"));
  EXPECT_FALSE(verdict.chart(1));
  EXPECT_NE(verdict.json()->find("\"schema\": \"panoptes-check-1\""), std::string::npos);
  EXPECT_NE(verdict.text()->find("deadlock: no process can move\n"), std::string::npos);
  EXPECT_EQ(*checked(loaded("alternating_bit")).trails(), "");
}

TEST(LibraryVerdicts, OutliveModels) {
  auto model = Model::load(path_of("setup_handshake"));
  ASSERT_TRUE(model);
  const auto verdict = checked(*model);
  model = panoptes::Problem{};
  EXPECT_NE(*verdict.chart(0), "");
}

// ---- progress and cancelling --------------------------------------------------------------------

TEST(LibraryChecks, TellHowFarTheyAreAndCanBeCancelled) {
  const Model model = in_memory(endless);
  int told = 0;
  const auto verdict = model.check({{"threads", "1"}}, [&](const panoptes::Progress& progress) {
    EXPECT_GT(progress.states, 0u);
    return ++told < 2;
  });
  ASSERT_TRUE(verdict) << verdict.problem().text;
  EXPECT_EQ(told, 2);
  EXPECT_EQ(verdict->outcome, Outcome::unknown);
  EXPECT_EQ(verdict->stop, "interrupted");
}

TEST(LibraryChecks, ThrowWhatTheirWatcherThrows) {
  const Model model = in_memory(endless);
  EXPECT_THROW(
      static_cast<void>(model.check(
          {}, [](const panoptes::Progress&) -> bool { throw std::runtime_error("enough"); })),
      std::runtime_error);
}

TEST(LibraryChecks, ObeyTheirLimits) {
  const Model model = in_memory(endless);
  const auto verdict = checked(model, {{"time", "1s"}, {"search", "exhaustive"}});
  EXPECT_EQ(verdict.outcome, Outcome::unknown);
  EXPECT_EQ(verdict.stop, "time limit reached");
}

TEST(LibraryThreads, CancelChecksOfOthers) {
  const Model model = in_memory(endless);
  panoptes::Canceller canceller;
  std::atomic<int> ended = 0;
  std::vector<std::thread> threads;
  for (int i = 0; i < 3; ++i)
    threads.emplace_back([&] {
      const auto verdict =
          model.check({{"threads", "1"}, {"stepper", "interpreter"}}, {}, &canceller);
      if (verdict && verdict->stop == "interrupted") ++ended;
    });
  canceller.cancel();
  for (std::thread& thread : threads) thread.join();
  EXPECT_EQ(ended, 3);
}

TEST(LibraryThreads, CheckTenModelsAsOneAfterTheOther) {
  const std::vector<std::string> names = {
      "setup_handshake", "alternating_bit", "request",    "connection", "three_way_handshake",
      "setup_handshake", "request",         "connection", "request",    "setup_handshake"};
  const auto answer = [](const std::string& name) {
    const auto verdict = checked(loaded(name), {{"threads", "2"}, {"stepper", "interpreter"}});
    std::string text = verdict.sentence + " " + std::to_string(verdict.states);
    for (std::size_t i = 0; i < verdict.errors.size(); ++i) text += "\n" + *verdict.chart(i);
    return text;
  };
  std::vector<std::string> together(names.size());
  std::vector<std::thread> threads;
  for (std::size_t i = 0; i < names.size(); ++i)
    threads.emplace_back([&, i] { together[i] = answer(names[i]); });
  for (std::thread& thread : threads) thread.join();
  for (std::size_t i = 0; i < names.size(); ++i) EXPECT_EQ(together[i], answer(names[i]));
}

TEST(LibraryThreads, MayShareAModel) {
  const Model model = loaded("setup_handshake");
  std::atomic<int> right = 0;
  std::vector<std::thread> threads;
  for (int i = 0; i < 4; ++i)
    threads.emplace_back([&] {
      const auto verdict =
          checked(model, {{"threads", "1"}, {"reduce", "none"}, {"stepper", "interpreter"}});
      const auto walk = model.walk();
      if (verdict.states == 176 && walk && walk->state().enabled.size() == 2) ++right;
    });
  for (std::thread& thread : threads) thread.join();
  EXPECT_EQ(right, 4);
}

// ---- replaying and stepping ---------------------------------------------------------------------

TEST(LibraryReplays, WalkATrailAgain) {
  const Model model = loaded("setup_handshake");
  const std::string trails = *checked(model).trails();
  const auto run = model.replay(trails);
  ASSERT_TRUE(run) << run.problem().text;
  EXPECT_EQ(run->error.kind, "deadlock");
  EXPECT_EQ(run->error.steps.size(), 8u);
  EXPECT_NE(run->chart("columns")->find("r_setup"), std::string::npos);
  EXPECT_NE(run->json()->find("\"end\": \"error\""), std::string::npos);

  EXPECT_FALSE(model.replay(trails, 2));
  EXPECT_FALSE(model.replay("{}"));
  const auto other = loaded("request").replay(trails);
  ASSERT_FALSE(other);
  EXPECT_NE(other.problem().text.find("its rules are not those of"), std::string::npos);
}

TEST(LibraryReplays, WantTheOptionsOfTheTrail) {
  const std::string trails = *checked(loaded("setup_handshake")).trails();
  const auto complaint = [&](const Options& options) {
    const auto run = loaded("setup_handshake", options).replay(trails);
    return run ? "" : run.problem().diagnostics.at(0).message;
  };
  EXPECT_EQ(complaint({{"receptions", "blocked"}}), "");
  EXPECT_EQ(complaint({{"strict"}}),
            "the trail was not made with the --strict that the model was loaded with");
  EXPECT_EQ(complaint({{"receptions", "any"}}),
            "the trail was not made with the --receptions that the model was loaded with");
  EXPECT_EQ(complaint({{"D", "X"}}),
            "the trail was not made with the -D that the model was loaded with");
}

TEST(LibraryWalks, GoForwardsAndBackwards) {
  const Model model = loaded("setup_handshake");
  auto walk = model.walk();
  ASSERT_TRUE(walk);
  const panoptes::State start = walk->state();
  EXPECT_EQ(start.step, 0u);
  EXPECT_EQ(start.processes.size(), 3u);
  ASSERT_EQ(start.enabled.size(), 2u);
  EXPECT_EQ(start.enabled[0].action, "channel!setup");
  EXPECT_EQ(start.enabled[0].to, "23:6");
  ASSERT_TRUE(walk->take(0));
  const panoptes::State then = walk->state();
  EXPECT_EQ(then.step, 1u);
  const auto channel = std::find_if(then.channels.begin(), then.channels.end(),
                                    [](const auto& value) { return value.name == "channel"; });
  ASSERT_NE(channel, then.channels.end());
  EXPECT_EQ(channel->value, "setup");
  EXPECT_FALSE(walk->take(100));
  ASSERT_TRUE(walk->go_to(0));
  EXPECT_EQ(walk->state().length, 1u);
  EXPECT_FALSE(walk->go_to(2));
}

TEST(LibraryWalks, ComeToErrorsAndCanBeKept) {
  const Model model = loaded("setup_handshake");
  const auto verdict = checked(model);
  auto walk = model.walk();
  ASSERT_TRUE(walk);
  for (const panoptes::Step& wanted : verdict.errors.at(0).steps) {
    const panoptes::State state = walk->state();
    std::size_t choice = 0;
    while (choice < state.enabled.size() && state.enabled[choice].rule != wanted.rule) ++choice;
    EXPECT_EQ(state.errors.size(), 0u);
    ASSERT_TRUE(walk->take(choice));
  }
  EXPECT_EQ(walk->state().errors, std::vector<std::string>{"no process can move"});
  const auto kept = model.replay(*walk->trail());
  ASSERT_TRUE(kept) << kept.problem().text;
  EXPECT_EQ(kept->error.kind, "");
  EXPECT_EQ(kept->error.steps.size(), 8u);
}

// ---- mistakes of callers ------------------------------------------------------------------------

TEST(LibraryCalls, WithoutWhatTheyNeedAreRefused) {
  panoptes_model* model = nullptr;
  panoptes_verdict* verdict = nullptr;
  panoptes_run* run = nullptr;
  panoptes_walk* walk = nullptr;
  EXPECT_EQ(panoptes_load_file(nullptr, nullptr, &model, nullptr), PANOPTES_BAD_CALL);
  EXPECT_EQ(panoptes_load_texts(nullptr, 1, nullptr, &model, nullptr), PANOPTES_BAD_CALL);
  EXPECT_EQ(panoptes_check_model(nullptr, nullptr, nullptr, nullptr, nullptr, &verdict, nullptr),
            PANOPTES_BAD_CALL);
  EXPECT_EQ(panoptes_replay(nullptr, "", 0, 1, &run, nullptr), PANOPTES_BAD_CALL);
  EXPECT_EQ(panoptes_walk_new(nullptr, &walk, nullptr), PANOPTES_BAD_CALL);
  EXPECT_EQ(panoptes_walk_take(nullptr, 0), PANOPTES_BAD_CALL);
  EXPECT_EQ(panoptes_options_set(nullptr, "D", "X"), PANOPTES_BAD_CALL);
  EXPECT_EQ(panoptes_load_file("/nowhere", nullptr, &model, nullptr), PANOPTES_BAD_INPUT);
  EXPECT_EQ(panoptes_verdict_json(nullptr), nullptr);
  EXPECT_EQ(panoptes_diagnostics_count(nullptr), 0u);
  panoptes_cancel(nullptr);
  panoptes_model_free(nullptr);
  panoptes_free(nullptr);
}

}  // namespace
