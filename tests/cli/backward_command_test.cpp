// SPDX-License-Identifier: Apache-2.0
// What `backward` and `certify` say, and with which exit codes.
#include <gtest/gtest.h>

#include <nlohmann/json.hpp>

#include "base/sha256.hpp"
#include "cli/child.hpp"
#include "models/run_program.hpp"
#include "support/json.hpp"

namespace panoptes::cli {
namespace {

using Words = std::vector<std::string>;

struct BackwardCase {
  std::string text;
  Words options;
  int exit_code;
  std::string sentence;
};

// Each was, or could have been, another answer than that of `check`.
TEST(BackwardCommand, SaysWhatCheckSays) {
  const std::vector<BackwardCase> cases{
      // Values that are far beyond those of a state.
      {"var x : 0..30000;\nproc p { x = 30000; x = 1 }\n",
       {"--never", "x * 2000000000 + 1 > 5"},
       1,
       "violated: 1 error, and no other of 1 targets can be reached"},
      // A sequence that goes round from one process to another.
      {"channel c[0], d[0];\nproc p { atomic { do :: c!m -> d?n od } }\n"
       "proc q { atomic { do :: c?m -> d!n od } }\n",
       {},
       3,
       "unknown: 1 of 7 targets could not be settled\npromise: partial\n"
       "what may take it further: `panoptes check`\n"},
      // An index that has none itself.
      {"channel c[0..1][1];\nvar a[2];\nvar i : 0..5;\nproc p { i = 5; c[a[i]]!m }\n",
       {},
       1,
       "violated: 1 error"},
      {"channel a[2];\nproc p { a!x; a!y }\nproc q { a?x }\n",
       {},
       0,
       "targets can be reached, which is worth a warning"},
  };
  const TemporaryFolder folder;
  for (const BackwardCase& expected : cases) {
    const std::string path = folder.write("m.argos", expected.text);
    Words words{"backward", path};
    words.insert(words.end(), expected.options.begin(), expected.options.end());
    const Result result = run(words);
    EXPECT_EQ(result.exit_code, expected.exit_code) << expected.text << result.errors;
    EXPECT_TRUE(contains(result.output, expected.sentence)) << expected.text << result.output;
  }
}

TEST(BackwardCommand, LooksAtTargetsThatAreChosen) {
  const Words words{"backward", model("mistakes"), "--target"};
  const auto chosen = [&](const std::string& word) {
    Words all = words;
    all.push_back(word);
    return run(all);
  };
  for (const char* const name : {"division_by_zero", "no value", "no_value"})
    EXPECT_EQ(chosen(name).exit_code, 1) << name;
  const Result family =
      run({"backward", model("dining_philosophers"), "-D", "N=2", "--target", "philosopher"});
  EXPECT_LE(family.exit_code, 1) << family.errors;
  EXPECT_EQ(chosen("deadlock").exit_code, 0);
  const Result none = chosen("nothing_of_the_kind");
  EXPECT_EQ(none.exit_code, 2);
  EXPECT_TRUE(contains(none.errors, "--target nothing_of_the_kind: no target goes by that"));
}

TEST(BackwardCommand, HasItsTargetsInJson) {
  const auto json = test::parse_json(run({"backward", model("setup_handshake"), "--json"}).output);
  EXPECT_EQ(json["candidates"], 459);
  EXPECT_LT(json["after_pruning"], 10);
  ASSERT_EQ(json["targets"].size(), 459u);
  std::size_t reachable = 0;
  for (const auto& target : json["targets"]) {
    if (target["answer"] != "reachable") {
      EXPECT_EQ(target["answer"], "unreachable") << target;
      EXPECT_TRUE(target["trail"].is_null());
      continue;
    }
    ++reachable;
    EXPECT_EQ(target["steps"], target["trail"].size());
  }
  EXPECT_EQ(reachable, 1u);
  EXPECT_EQ(json["verdict"], "violated");
}

// It visits no state, and does not know what is never executed.
TEST(BackwardCommand, SaysNothingOfStatesAndCode) {
  const TemporaryFolder folder;
  const std::string page = folder.path("page.html");
  const auto json = test::parse_json(
      run({"backward", model("setup_handshake"), "--json", "--report", page}).output);
  EXPECT_EQ(json["dead_code_certain"], false);
  for (const char* const name : {"states", "bytes_per_state", "states_per_second"})
    EXPECT_TRUE(json[name].is_null()) << name;
  const std::string html = read_all(page);
  EXPECT_TRUE(contains(html, "no other target can be reached.")) << html;
  EXPECT_TRUE(contains(html, "<dt>targets</dt><dd>459</dd>")) << html;
  for (const char* const said :
       {"visited", "executed</li>", "not reached", "id=\"coverage\"", "#coverage", "href=\"#L"})
    EXPECT_FALSE(contains(html, said)) << said;
}

// A page that has errors, warnings, or a property of runs says of targets what is true of them.
TEST(BackwardCommand, SaysOnAPageWhatFollows) {
  struct Case {
    std::string text, sentence;
    std::vector<std::string> options = {};
  };
  const std::string warned = "channel a[2];\nproc p { a!x; a!y }\nproc q { a?x }\n";
  const std::string wrong =
      "channel a[2];\nvar n : 0..1;\nnever set (n == 1);\nproc p { a!x; a!y; n = 1 }\n"
      "proc q { a?x }\n";
  const std::vector<Case> cases{
      {"proc p { assert(1) }\n", "No target can be reached: a proof"},
      {warned, "No target can be reached but those that are listed, which are worth a warning"},
      {wrong, "What is listed is real, and no other target can be reached."},
      {wrong, "No target that was chosen can be reached: a proof", {"--target", "deadlock"}},
      {wrong,
       "What is listed is real, and no other target that was chosen can be reached.",
       {"--target", "invariant"}},
      {"var n : 0..1;\nltl p { always eventually (n == 1) }\nproc s { do :: n = 1 od }\n",
       "Of temporal properties a backward search knows nothing"},
  };
  const TemporaryFolder folder;
  const std::string page = folder.path("page.html");
  for (const auto& [text, sentence, options] : cases) {
    std::vector<std::string> arguments{"backward", folder.write("m.argos", text), "--report", page};
    arguments.insert(arguments.end(), options.begin(), options.end());
    run(arguments);
    EXPECT_TRUE(contains(read_all(page), sentence)) << text;
  }
}

// With N=30 forty seconds were not enough. Where a machine is so busy that a second leaves no time
// for the report, ten do.
TEST(BackwardCommand, LeavesWhatItHasNoTimeForUnknown) {
  const TemporaryFolder folder;
  // What is kept for a certificate is time, too.
  for (const std::vector<std::string>& more :
       {std::vector<std::string>{}, {"--certificate", folder.path("proof.txt")}}) {
    std::vector<std::string> arguments = {
        "backward", model("dining_philosophers"), "-D", "N=30", "-D", "LEFT_HANDED=0"};
    arguments.insert(arguments.end(), more.begin(), more.end());
    arguments.insert(arguments.end(), {"--time", "1s"});
    Result result = run(arguments);
    if (contains(result.errors, "--time 1s is over")) {
      arguments.back() = "10s";
      result = run(arguments);
    }
    EXPECT_EQ(result.exit_code, 3) << result.errors;
    EXPECT_TRUE(contains(result.output, "dining_philosophers.argos: unknown: ")) << result.output;
    EXPECT_TRUE(contains(result.output, "further: a larger --time\n")) << result.output;
    // Of the deadlock where there was time to find the targets, of all of them otherwise.
    EXPECT_TRUE(contains(result.output, ": too little time\n")) << result.output;
  }
}

TEST(BackwardCommand, SaysWhatMayTakeItFurther) {
  const Result result = run({"backward", model("dining_philosophers"), "--engine", "claims"});
  EXPECT_EQ(result.exit_code, 3) << result.errors;
  EXPECT_TRUE(contains(result.output, "further: --engine auto\n")) << result.output;
}

// What happens inside of a sequence is part of the way, and found already.
TEST(BackwardCommand, ShowsTrailsThroughIndivisibleSequences) {
  const TemporaryFolder folder;
  for (const char* const text :
       {"var t : 0..2;\nproc a { atomic { t = 1; t = 2 }; assert(t != 2) }\n",
        "channel c[0..1][1];\nproc a { c[*]!m; assert(0) }\nproc b[i : 0..1] { c[i]?m }\n"})
    for (const char* const engine : {"claims", "induction"}) {
      const Result result =
          run({"backward", folder.write("m.argos", text), "--json", "--engine", engine});
      EXPECT_EQ(result.exit_code, 1) << text << result.errors;
      const auto json = test::parse_json(result.output);
      ASSERT_FALSE(json["errors"].empty()) << text;
      for (const auto& error : json["errors"])
        EXPECT_FALSE(error["trail"].is_null()) << text << error["trail_left_out"];
    }
}

// One rule that can fail in two ways is one target, and two errors of `check`.
TEST(BackwardCommand, CountsARuleWithoutAValueOnce) {
  const TemporaryFolder folder;
  const std::string path =
      folder.write("m.argos",
                   "channel b[1], a[1];\nvar n : 0..3;\nproc a { do :: b!x; a?ok; n++ od }\n"
                   "proc b { var k : 0..2; do :: b?x -> a!ok; k = 4 / (3 - n) od }\n");
  const Result result = run({"check", path, "--confirm"});
  EXPECT_EQ(result.exit_code, 1) << result.errors;
  EXPECT_TRUE(contains(result.output, "violated: 2 errors")) << result.output;
  EXPECT_TRUE(contains(result.output,
                       "1 of 1 errors found in both; forwards 1 more, of rules that backwards are "
                       "one target; "))
      << result.output;
}

TEST(BackwardCommand, IsConfirmedInBothDirections) {
  for (const char* const name :
       {"setup_handshake", "two_phase_commit", "mistakes", "raft_election"})
    for (const char* const command : {"check", "backward"}) {
      const Result result = run({command, model(name), "--confirm"});
      EXPECT_LE(result.exit_code, 1) << result.errors;
      EXPECT_TRUE(contains(result.output, "both directions: ")) << result.output;
      EXPECT_FALSE(contains(result.output, "not settled")) << result.output;
    }
}

// A run that was done leaves the last checkpoint it had time for: who begins with that comes to the
// same end.
TEST(BackwardCommand, GoesOnWithWhatItHasGuessed) {
  const TemporaryFolder folder;
  const Words words{"backward", model("dining_philosophers"),
                    "-D",       "N=3",
                    "-D",       "LEFT_HANDED=0",
                    "--engine", "induction",
                    "--json"};
  const auto with = [&](const Words& more) {
    Words all = words;
    all.insert(all.end(), more.begin(), more.end());
    return run(all);
  };
  const auto answers = [](const Result& result) {
    std::string text;
    const nlohmann::json report = test::parse_json(result.output);
    for (const nlohmann::json& target : report["targets"])
      text += target["what"].get<std::string>() + ": " + target["answer"].get<std::string>() + "\n";
    return text;
  };
  const std::string kept = folder.path("kept");
  const Result first = with({"--checkpoint", kept, "--every", "1ms"});
  EXPECT_TRUE(contains(first.errors, " written in ")) << first.errors;
  const Result second = with({"--resume", kept});
  EXPECT_TRUE(contains(second.errors, "note: it began with ")) << second.errors;
  EXPECT_FALSE(contains(second.errors, "with no guesses")) << second.errors;
  EXPECT_EQ(first.exit_code, 0);
  EXPECT_EQ(second.exit_code, 0);
  EXPECT_NE(answers(first), "");
  EXPECT_EQ(answers(second), answers(first));

  const auto refused = [&](const Words& refused_words, const std::string& why) {
    const Result result = run(refused_words);
    EXPECT_EQ(result.exit_code, 2);
    EXPECT_TRUE(contains(result.errors, why)) << result.errors;
  };
  refused({"backward", model("dining_philosophers"), "--resume", kept},
          "it was written with -D N=3");
  refused(
      {"check", model("dining_philosophers"), "-D", "N=3", "-D", "LEFT_HANDED=0", "--resume", kept},
      "it is a checkpoint of `panoptes backward`");
  refused({"backward", model("lease"), "--engine", "claims", "--checkpoint", kept},
          "which guesses nothing");
}

// A program that is copied alone has no modules beside it.
TEST(BackwardCommand, DoesWithoutCadicalWhatItCan) {
  const TemporaryFolder folder;
  std::filesystem::create_directories(folder.path("alone/bin"));
  const std::string program = folder.path("alone/bin/panoptes");
  std::filesystem::copy_file(PANOPTES_PROGRAM, program);
  const auto alone = [&](const std::string& command, const std::string& options) {
    return models::run_shell("'" + program + "' " + command + " '" + model("peterson") + "' " +
                             options + " 2>&1");
  };
  const std::string missing =
      "panoptes: CaDiCaL is not there: panoptes-cadical.so was not built or installed\n"
      "install libcadical-dev and build again";
  const models::Run backward = alone("backward", "");
  EXPECT_EQ(backward.exit_code, 2);
  EXPECT_EQ(backward.output, missing + ", or use --engine claims without --certificate\n");
  for (const auto& [command, options] :
       {std::pair{"check", "--confirm"}, {"certify", "proof.txt"}}) {
    const models::Run other = alone(command, options);
    EXPECT_EQ(other.exit_code, 2);
    EXPECT_EQ(other.output, missing + "\n");
  }
  EXPECT_EQ(alone("backward", "--engine claims").exit_code, 0);
  EXPECT_EQ(alone("check", "").exit_code, 0);
}

TEST(CertifyCommand, AcceptsProofsAndNothingElse) {
  const TemporaryFolder folder;
  const std::string proof = folder.path("proof.txt");
  ASSERT_EQ(run({"backward", model("peterson"), "--certificate", proof}).exit_code, 0);
  const Result proved = run({"certify", model("peterson"), proof});
  EXPECT_EQ(proved.exit_code, 0) << proved.errors;
  EXPECT_TRUE(contains(proved.output, "cannot happen: deadlock\n")) << proved.output;
  EXPECT_TRUE(contains(proved.output, "proved: no target of the model can be reached"))
      << proved.output;
  // Of another model, or with other options.
  EXPECT_EQ(run({"certify", model("readers_writer"), proof}).exit_code, 2);
  EXPECT_EQ(run({"certify", model("peterson"), proof, "-D", "SWAPPED"}).exit_code, 2);
  // Damaged, with its digest and with another one.
  const std::string text = read_all(proof);
  const std::size_t last = text.rfind("never\n"), digest = text.rfind("digest ");
  const std::string less = text.substr(0, last);
  const std::string cut = folder.write("cut.txt", less + text.substr(digest));
  EXPECT_EQ(run({"certify", model("peterson"), cut}).exit_code, 2);
  const std::string again = folder.write("again.txt", less + "digest " + sha256_hex(less) + "\n");
  EXPECT_EQ(run({"certify", model("peterson"), again}).exit_code, 1);
  // Its options are none, or stand twice.
  const std::size_t at = text.find("option ");
  for (const char* const line : {"option wibble 3\n", "option time 3\n", "option capacity 2\n"}) {
    const std::string more = text.substr(0, at) + line + text.substr(at, digest - at);
    const std::string named =
        folder.write("options.txt", more + "digest " + sha256_hex(more) + "\n");
    const Result result = run({"certify", model("peterson"), named});
    EXPECT_EQ(result.exit_code, 2) << line;
    EXPECT_TRUE(contains(result.errors, line[7] == 'c' ? "it has the option capacity twice"
                                                       : "is no option that a proof depends on"))
        << result.errors;
  }
  // It names nothing.
  const std::string head = text.substr(0, text.find("target "));
  const std::string empty = folder.write("empty.txt", head + "digest " + sha256_hex(head) + "\n");
  EXPECT_EQ(run({"certify", model("peterson"), empty}).exit_code, 2);
  EXPECT_EQ(run({"certify", model("peterson"), model("peterson")}).exit_code, 2);
}

// In whatever order, and those that are left out are in it.
TEST(CertifyCommand, TakesOptionsFromTheCertificate) {
  const TemporaryFolder folder;
  const std::string path = model("dining_philosophers"), proof = folder.path("proof.txt");
  ASSERT_EQ(
      run({"backward", path, "-D", "N=3", "-D", "LEFT_HANDED=0", "--certificate", proof}).exit_code,
      0);
  for (const Words& options :
       {Words{}, Words{"-D", "LEFT_HANDED=0", "-D", "N=3"}, Words{"-D", "LEFT_HANDED=0"}}) {
    Words words{"certify", path, proof};
    words.insert(words.end(), options.begin(), options.end());
    EXPECT_EQ(run(words).exit_code, 0) << options.size();
  }
  const Result other = run({"certify", path, proof, "-D", "N=4"});
  EXPECT_EQ(other.exit_code, 2);
  EXPECT_TRUE(contains(other.errors, "was made with -D N=3 -D LEFT_HANDED=0, not with -D N=4"))
      << other.errors;
}

// Of which errors of the model nothing is known, whatever the certificate names.
TEST(CertifyCommand, SaysOfHowManyOthersItSaysNothing) {
  const TemporaryFolder folder;
  const std::string proof = folder.path("proof.txt");
  const std::string path = folder.write(
      "m.argos",
      "channel c[1];\nvar n : 0..3;\nproc p { c!x; n = 1; assert(n == 1); assert(n == 2) }\n"
      "proc q { c?x }\n");
  ASSERT_EQ(run({"backward", path, "--certificate", proof}).exit_code, 1);
  const Result some = run({"certify", path, proof});
  EXPECT_EQ(some.exit_code, 0) << some.errors;
  EXPECT_TRUE(contains(some.output, " cannot be reached; of 1 other it says nothing"))
      << some.output;
  ASSERT_EQ(run({"backward", model("peterson"), "--certificate", proof}).exit_code, 0);
  EXPECT_TRUE(contains(run({"certify", model("peterson"), proof}).output,
                       "proved: no target of the model can be reached"));
  // No claim tells that a sequence ends.
  for (const auto& [body, sentence] :
       {std::pair("n = 1; n = 0", "no target of the model can be reached"),
        std::pair("do :: n = 1 - n od", "of 1 other it says nothing")}) {
    const std::string sequence =
        folder.write("s.argos", "var n : 0..1;\nproc p { assert(n == 0); atomic { " +
                                    std::string(body) + " } }\n");
    run({"backward", sequence, "--certificate", folder.path("s.txt")});
    const Result result = run({"certify", sequence, folder.path("s.txt")});
    EXPECT_TRUE(contains(result.output, sentence)) << result.output << result.errors;
  }
  // Left out, a target is looked at all the same.
  std::string text = read_all(proof);
  const std::size_t digest = text.rfind("digest ");
  text.resize(digest);
  const std::size_t begin = text.find("target "), end = text.find('\n', begin) + 1;
  ASSERT_NE(text.find("target ", end), std::string::npos);
  text.erase(begin, end - begin);
  text += "digest " + sha256_hex(text) + "\n";
  const Result less = run({"certify", model("peterson"), folder.write("less.txt", text), "--json"});
  EXPECT_EQ(less.exit_code, 0) << less.errors;
  EXPECT_EQ(test::parse_json(less.output)["open"], 0);
}

// Whoever reads JSON learns why, too.
TEST(CertifyCommand, SaysInJsonWhyItRefuses) {
  const TemporaryFolder folder;
  const std::string proof = folder.path("proof.txt"), text = read_all(model("peterson"));
  ASSERT_EQ(run({"backward", model("peterson"), "--certificate", proof}).exit_code, 0);
  const auto reason_of = [&](const Words& words) {
    Words all{"certify", "--json"};
    all.insert(all.end(), words.begin(), words.end());
    const Result result = run(all);
    EXPECT_EQ(result.exit_code, 2) << result.errors;
    const auto json = test::parse_json(result.output);
    EXPECT_EQ(json["answer"], "refused");
    return json["reason"].get<std::string>();
  };
  EXPECT_TRUE(contains(reason_of({model("readers_writer"), proof}), "is of another program"));
  EXPECT_TRUE(contains(reason_of({model("peterson"), proof, "-D", "SWAPPED"}),
                       "was made without -D; leave options out"));
  EXPECT_TRUE(contains(reason_of({model("peterson"), folder.write("x.txt", "x\n")}),
                       "a certificate begins with"));
  const std::string moved = folder.write("moved.argos", "// a line more\n" + text);
  EXPECT_TRUE(contains(reason_of({moved, proof}), "in other places: lines were added"));
}

TEST(CertifyCommand, KeepsToItsMemory) {
  if (is_sanitized) GTEST_SKIP() << "a sanitizer takes more than there is";
  const TemporaryFolder folder;
  const std::string proof = folder.path("proof.txt");
  const Words words{"certify", model("setup_handshake"), proof, "--memory"};
  run({"backward", model("setup_handshake"), "--certificate", proof});
  const auto with = [&](const std::string& memory) {
    Words all = words;
    all.push_back(memory);
    return run(all);
  };
  EXPECT_EQ(with("64M").exit_code, 0);
  const Result little = with("1M");
  EXPECT_EQ(little.exit_code, 3) << little.output;
  EXPECT_TRUE(contains(little.output, "unknown: too little memory")) << little.output;
}

// An engine that has no end leaves time for a proof of what was settled before.
TEST(BackwardCommand, HasTimeLeftForAProof) {
  const TemporaryFolder folder;
  const std::string proof = folder.path("proof.txt");
  const Result result = run({"backward", model("sliding_window"), "--engine", "claims", "--time",
                             "2s", "--certificate", proof});
  EXPECT_EQ(result.exit_code, 3) << result.output;
  const Result proved = run({"certify", model("sliding_window"), proof});
  EXPECT_EQ(proved.exit_code, 0) << result.errors << proved.errors;
}

// Hundreds of errors at the end of one way of two thousand steps: it is walked once for all, and
// there is no room for all trails of it.
TEST(BackwardCommand, IsDoneWithManyErrorsBehindALongWay) {
  if (is_sanitized) GTEST_SKIP() << "a sanitizer takes more than there is";
  std::string asserts;
  for (int i = 0; i < 300; ++i) asserts += " :: assert(x == " + std::to_string(i) + ")";
  const TemporaryFolder folder;
  const std::string path = folder.write(
      "m.argos", "proc p { var x; do :: (x < 1000) -> x++ :: (x == 1000) -> break od; if" +
                     asserts + " fi }\n");
  const Result result = run({"backward", path, "--memory", "32M"});
  EXPECT_EQ(result.exit_code, 1) << result.errors;
  EXPECT_TRUE(contains(result.output, "violated: 300 errors, and no other of 301 targets"))
      << result.output.substr(0, 1000);
  EXPECT_LT(result.peak_kilobytes, 48L << 10);
}

}  // namespace
}  // namespace panoptes::cli
