// SPDX-License-Identifier: Apache-2.0
// Runs that are killed at any moment, also while they write a checkpoint, and disks that are full:
// whoever goes on from what is left finds what a run that nobody disturbed finds.
#include <fmt/format.h>
#include <sys/resource.h>

#include <functional>
#include <nlohmann/json.hpp>
#include <random>

#include "cli/child.hpp"
#include "support/disturbed_protocol.hpp"
#include "support/json.hpp"
#include "support/sample.hpp"

namespace panoptes::cli {
namespace {

using Json = nlohmann::json;
using Words = std::vector<std::string>;

// A million states of one word, or some hundred thousand of several.
std::string disturbed_model(bool is_wide) {
  return test::disturbed_protocol(3, is_wide ? 2 : 3, is_wide ? 12'000 : 1);
}

// Of a JSON report, what does not depend on time, on memory or on how it was run.
Json lasting(const std::string& report) {
  Json json = test::parse_json(report);
  for (const char* name :
       {"seconds", "states_per_second", "memory_bytes", "fixed_bytes", "store_bytes", "trail_bytes",
        "frontier_bytes", "bytes_per_state", "options", "first_error_seconds", "first_error_states",
        "processor_seconds", "states_per_processor_second", "parameters", "samples",
        "expected_omissions"})
    json.erase(name);
  return json;
}

struct Setting {
  std::string name;
  bool is_wide;
  Words options;
};
const std::vector<Setting>& settings() {
  static const std::vector<Setting> all{
      {"exact", false, {"--reduce", "none"}},
      {"exact, wide", true, {"--reduce", "none"}},
      {"compact", false, {"--reduce", "none", "--store", "compact"}},
      {"hash, wide", true, {"--reduce", "none", "--store", "hash"}},
      {"bits", false, {"--reduce", "none", "--store", "bits", "--arena", "16M", "--threads", "1"}},
      {"reduced", false, {"--reduce", "internal"}},
      {"by default, one thread", false, {"--threads", "1"}},
      {"one thread", false, {"--reduce", "none", "--threads", "1"}},
      {"spilled", false, {"--reduce", "none", "--store", "compact", "--memory", "24M", "--spill"}},
  };
  return all;
}

// One setting, how it ends when nobody disturbs it, and runs that somebody does.
class Disturbed {
 public:
  explicit Disturbed(const Setting& setting) : setting_(setting) {
    model_ = folder_.write("disturbed.argos", disturbed_model(setting.is_wide));
    const Result whole = run(command({}));
    EXPECT_EQ(whole.exit_code, 1) << whole.errors;
    expected_ = lasting(whole.output);
  }

  Words command(const Words& more) const {
    Words words{"check", model_, "--json", "--search", "exhaustive"};
    words.insert(words.end(), setting_.options.begin(), setting_.options.end());
    if (words.back() == "--spill") words.push_back(folder_.path(""));
    words.insert(words.end(), more.begin(), more.end());
    return words;
  }
  // Goes on where there is something to go on with.
  Words resumed(const std::string& kept) const {
    return command({"--checkpoint", kept, "--resume", kept, "--every", "1ms"});
  }
  std::string kept(const std::string& name) const { return folder_.path(name); }

  void expect_end(const std::string& kept) const {
    const Result last = run(resumed(kept));
    EXPECT_EQ(last.exit_code, 1) << setting_.name << ": " << last.errors;
    if (last.exit_code == 1) {
      EXPECT_EQ(Json::diff(expected_, lasting(last.output)).dump(), "[]") << setting_.name;
    }
  }

 private:
  const Setting& setting_;
  TemporaryFolder folder_;
  std::string model_;
  Json expected_;
};

// Each third by chance, when a manifest is being written, and a moment after one was.
void kill_at_some_moment(const Child& child, const std::string& kept, unsigned moment,
                         const std::function<unsigned(unsigned)>& random) {
  const auto file = [&](const std::string& name) { return std::filesystem::exists(kept + name); };
  const auto wait_for = [&](const std::string& name) {
    for (int i = 0; i < 20'000 && !file(name); ++i) usleep(20);
  };
  if (moment == 0) usleep(random(400'000));
  if (moment == 1) wait_for("/manifest.unfinished");
  if (moment == 2) {
    wait_for("/manifest-2");
    usleep(random(20'000));
  }
  child.signal(SIGKILL);
}

TEST(KilledRuns, GoOnAsIfNothingHadHappened) {
  const std::size_t runs = test::has_all_samples() ? 13 : 1;  // of each setting, with three kills
  std::mt19937 generator(17);
  const auto random = [&](unsigned below) { return static_cast<unsigned>(generator() % below); };
  for (std::size_t s = 0; s < settings().size(); ++s) {
    if (!test::has_all_samples() && s % 2 != 0) continue;
    const Disturbed disturbed(settings()[s]);
    for (std::size_t i = 0; i < runs; ++i) {
      const std::string kept = disturbed.kept(fmt::format("kept{}", i));
      for (unsigned moment = 0; moment < 3; ++moment) {
        Child child(disturbed.resumed(kept));
        kill_at_some_moment(child, kept, moment, random);
        static_cast<void>(child.wait());
      }
      disturbed.expect_end(kept);
    }
  }
}

// Files may not become larger than that, as on a disk that is full.
class FullDisk {
 public:
  explicit FullDisk(rlim_t bytes) {
    getrlimit(RLIMIT_FSIZE, &before_);
    const rlimit limit{bytes, before_.rlim_max};
    setrlimit(RLIMIT_FSIZE, &limit);
  }
  ~FullDisk() { setrlimit(RLIMIT_FSIZE, &before_); }
  FullDisk(const FullDisk&) = delete;
  FullDisk& operator=(const FullDisk&) = delete;

 private:
  rlimit before_{};
};

TEST(FullDisks, LeaveTheLastCheckpointThatHadRoom) {
  const int disks = test::has_all_samples() ? 20 : 4;
  const Disturbed disturbed(settings()[0]);
  int full_disks = 0;  // that were noticed: a run may end before it needs the room
  for (int i = 0; i < disks; ++i) {
    const std::string kept = disturbed.kept(fmt::format("full{}", i));
    {
      const FullDisk full(10'000 +
                          200'000u / static_cast<unsigned>(disks) * static_cast<unsigned>(i));
      Child child(disturbed.resumed(kept));
      if (i % 2 == 0) usleep(150'000);
      child.signal(i % 2 == 0 ? SIGKILL : 0);
      const Result result = child.wait();
      const bool is_noticed =
          contains(result.errors, "the last checkpoint was not written: cannot write ");
      full_disks += is_noticed ? 1 : 0;
      if (i % 2 != 0) {
        EXPECT_TRUE(is_noticed || contains(result.errors, "written in") ||
                    contains(result.errors, "there is no checkpoint: cannot write "))
            << result.errors;
      }
    }
    disturbed.expect_end(kept);
  }
  EXPECT_GE(full_disks, 1);
}

}  // namespace
}  // namespace panoptes::cli
