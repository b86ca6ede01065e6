// SPDX-License-Identifier: Apache-2.0
// Ranks in network namespaces of their own, joined by virtual links that are slow, lose packets, or
// are down for a while. That takes the rights to make them; without, the tests say that they are
// skipped.
#include <fmt/format.h>
#include <gtest/gtest.h>
#include <unistd.h>

#include <filesystem>
#include <fstream>
#include <thread>

#include "models/run_program.hpp"
#include "support/json.hpp"
#include "support/sample.hpp"

namespace panoptes {
namespace {

using models::run_shell;

// Two namespaces, 10.n.0.1 and 10.n.0.2, while this is there. mpirun reaches each through a script
// in place of ssh.
class Namespaces {
 public:
  Namespaces() : name_(fmt::format("panoptes{}", getpid())), net_(getpid() % 200 + 20) {
    is_there_ =
        run_shell(fmt::format("(ip netns add {0}a && ip netns add {0}b && "
                              "ip link add {1}a netns {0}a type veth peer {1}b netns {0}b && "
                              "ip -n {0}a addr add 10.{2}.0.1/24 dev {1}a && "
                              "ip -n {0}b addr add 10.{2}.0.2/24 dev {1}b && "
                              "ip -n {0}a link set {1}a up && ip -n {0}b link set {1}b up && "
                              "ip -n {0}a link set lo up && ip -n {0}b link set lo up"
                              ") >/dev/null 2>&1",
                              name_, link(), net_))
            .exit_code == 0;
    agent_ = std::filesystem::temp_directory_path() / (name_ + ".sh");
    // Called as ssh is: options, a host, a command. Only the second host is ever asked.
    std::ofstream(agent_) << fmt::format(
        "#!/bin/sh\nwhile [ \"${{1#-}}\" != \"$1\" ]; do shift; done\nshift\n"
        "exec ip netns exec {}b sh -c \"$*\"\n",
        name_);
    std::filesystem::permissions(agent_, std::filesystem::perms::owner_all);
  }
  ~Namespaces() {
    run_shell(fmt::format("ip netns del {0}a 2>/dev/null; ip netns del {0}b 2>/dev/null", name_));
    std::filesystem::remove(agent_);
  }
  Namespaces(const Namespaces&) = delete;
  Namespaces& operator=(const Namespaces&) = delete;

  bool are_there() const { return is_there_; }

  // By `tc`, on both ends.
  bool shape(const std::string& how) {
    return run_shell(fmt::format("(tc -n {0}a qdisc replace dev {1}a root {2} && "
                                 "tc -n {0}b qdisc replace dev {1}b root {2}) 2>/dev/null",
                                 name_, link(), how))
               .exit_code == 0;
  }
  // Slow, late and lossy. Not every kernel has the first; the second has a queue of a few packets
  // that are late, and loses the others.
  bool spoil() {
    return shape("netem delay 1ms 500us loss 1% rate 50mbit") ||
           shape("tbf rate 50mbit burst 8kb latency 2ms");
  }
  void set_link(bool up) {
    run_shell(fmt::format("ip -n {}a link set {}a {}", name_, link(), up ? "up" : "down"));
  }
  // Bytes that the first has sent over it.
  std::uint64_t sent() const {
    const models::Run run = run_shell(
        fmt::format("ip netns exec {}a cat /sys/class/net/{}a/statistics/tx_bytes", name_, link()));
    return run.output.empty() ? 0 : std::stoull(run.output);
  }

  // `panoptes ARGUMENTS` with ranks on both sides, by TCP alone.
  models::Run check(const std::string& arguments, unsigned ranks_on_each) {
    const std::string here = fmt::format("10.{}.0.1", net_), there = fmt::format("10.{}.0.2", net_);
    return run_shell(
        fmt::format("cd '{}' && ip netns exec {}a mpirun --allow-run-as-root --oversubscribe "
                    "--mca plm_rsh_agent '{}' --mca plm rsh --mca btl tcp,self --mca pml ob1 "
                    "--mca btl_tcp_if_include 10.{}.0.0/24 --mca oob_tcp_if_include 10.{}.0.0/24 "
                    "--host {}:{},{}:{} -n {} '{}' {} 2>/dev/null",
                    PANOPTES_SOURCE_DIR, name_, agent_.string(), net_, net_, here, ranks_on_each,
                    there, ranks_on_each, 2 * ranks_on_each, PANOPTES_PROGRAM, arguments));
  }

 private:
  std::string link() const { return "pv" + std::to_string(net_); }

  std::string name_;
  int net_;
  std::filesystem::path agent_;
  bool is_there_ = false;
};

const char* const command =
    "check models/sliding_window.argos --reduce none --search exhaustive --json";

std::string counts_in(const models::Run& run) {
  const auto report = test::parse_json_or_discard(run.output);
  if (report.is_discarded() || !report.contains("states")) return "no report: " + run.output;
  std::string text = fmt::format("{} {} states {} transitions depth {}",
                                 report.at("verdict").dump(), report.at("states").dump(),
                                 report.at("transitions").dump(), report.at("depth").dump());
  for (const auto& error : report.at("errors"))
    text += fmt::format("; {} {} {}", error.at("kind").dump(), error.at("count").dump(),
                        error.at("depth").dump());
  return text;
}

TEST(Network, GivesTheSameHoweverSlow) {
  Namespaces hosts;
  if (!hosts.are_there()) GTEST_SKIP() << "no network namespaces here";
  const std::string wanted = counts_in(models::run_program(command));
  EXPECT_EQ(counts_in(hosts.check(command, 1)), wanted);
  if (!hosts.spoil()) GTEST_SKIP() << "tc cannot make links slow here";
  EXPECT_EQ(counts_in(hosts.check(command, 1)), wanted);
  EXPECT_EQ(counts_in(hosts.check(command, 2)), wanted);
}

TEST(Network, MayBeDownForTenSeconds) {
  if (!test::has_all_samples()) GTEST_SKIP() << "takes a while: with PANOPTES_SAMPLES=all";
  Namespaces hosts;
  if (!hosts.are_there() || !hosts.shape("tbf rate 20mbit burst 8kb latency 50ms"))
    GTEST_SKIP() << "no network namespaces here";
  const std::string long_one =
      "check bench/pairs/window.argos --no-minimise --reduce none --search exhaustive --json";
  const std::string wanted = counts_in(models::run_program(long_one));
  // The seconds of a search whose link goes down when so many bytes more have gone over it: before
  // it, while ranks find out who owns what, and in it.
  const auto seconds_where_down_after = [&](std::uint64_t bytes) {
    const std::uint64_t enough = hosts.sent() + bytes;
    std::jthread trouble([&](const std::stop_token& stop) {
      while (hosts.sent() < enough && !stop.stop_requested())
        std::this_thread::sleep_for(std::chrono::milliseconds(20));
      hosts.set_link(false);
      std::this_thread::sleep_for(std::chrono::seconds(10));
      hosts.set_link(true);
    });
    const models::Run run = hosts.check(long_one, 1);
    trouble.request_stop();
    EXPECT_EQ(counts_in(run), wanted);
    const auto report = test::parse_json_or_discard(run.output);
    return std::pair<double, double>(report.at("cluster").at("dividing_seconds"),
                                     report.at("seconds"));
  };
  constexpr std::uint64_t to_begin = 300'000;  // to start ranks takes less
  EXPECT_GT(seconds_where_down_after(to_begin).first, 10.0) << "it was down too late";
  const std::uint64_t before = hosts.sent();
  hosts.check(long_one + " --depth 1", 1);
  EXPECT_GT(seconds_where_down_after(hosts.sent() - before + to_begin).second, 10.0)
      << "it was down too late";
}

}  // namespace
}  // namespace panoptes
