// SPDX-License-Identifier: Apache-2.0
#include "app/ranks.hpp"

#include <fcntl.h>
#include <fmt/format.h>
#include <sched.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <exception>
#include <new>
#include <thread>

#include "app/arguments.hpp"
#include "app/memory.hpp"
#include "app/system.hpp"
#include "base/clock.hpp"
#include "cluster/refusal.hpp"

namespace panoptes {
namespace {

// The processors this process may run on: mpirun often gives each rank one.
unsigned own_processors() {
  cpu_set_t processors;
  CPU_ZERO(&processors);
  if (sched_getaffinity(0, sizeof processors, &processors) != 0) return 1;
  return std::max(1u, static_cast<unsigned>(CPU_COUNT(&processors)));
}

std::string host_name() {
  std::array<char, 256> name{};
  if (gethostname(name.data(), name.size() - 1) != 0) return "?";
  return name.data();
}

// Rank 0 writes down which checkpoint is the last one when all have written their parts of it.
class RanksFolder final : public CommonCheckpoint {
 public:
  RanksFolder(Transport& transport, std::string path, std::uint64_t number)
      : transport_(transport), path_(std::move(path)), number_(number) {}

  const std::string& path() const override { return path_; }
  std::uint64_t number() const override { return number_; }

  bool agree(bool is_written, std::string& problem) override {
    std::array<std::uint64_t, 2> missing{is_written ? 0u : 1u, 0};
    if (!transport_.all_sum(missing)) {
      problem = "a rank is gone";
      return false;
    }
    if (missing[0] == 0 && transport_.rank() == 0) {
      const std::string failure = write_ranks_checkpoint(path_, {transport_.ranks(), number_ + 1});
      if (!failure.empty()) problem = failure;
      missing[1] = failure.empty() ? 0 : 1;
    }
    std::array<std::uint64_t, 1> failed{missing[1]};
    if (!transport_.all_sum(failed)) failed[0] = 1;
    const bool is_whole = missing[0] == 0 && failed[0] == 0;
    if (is_whole)
      ++number_;
    else if (problem.empty())
      problem = "another rank could not write its part";
    return is_whole;
  }

 private:
  Transport& transport_;
  std::string path_;
  std::uint64_t number_;
};

// Of the one that is being handled; the exit code. Where even that throws, the process ends here.
int tell_of_exception(const Arguments& arguments) noexcept {
  try {
    throw;
  } catch (const std::bad_alloc&) {
    if (!is_quiet_rank()) return out_of_memory(arguments);
    tell_as_rank("out of memory\n");
    return ExitCode::unknown;
  } catch (const std::exception& error) {
    tell_as_rank(fmt::format("internal failure: {}\n", error.what()));
  } catch (...) {
    tell_as_rank("internal failure\n");
  }
  return ExitCode::internal_failure;
}

}  // namespace

bool is_quiet_rank() {
  const auto launch = launched();
  return launch && launch->rank > 0;
}

void be_quiet_unless_first() {
  if (!is_quiet_rank()) return;
  const int nowhere = ::open("/dev/null", O_WRONLY);
  if (nowhere < 0) return;
  ::dup2(nowhere, STDOUT_FILENO);
  ::close(nowhere);
  set_quiet();
}

void tell_as_rank(const std::string& text) {
  const auto launch = launched();
  tell_anyway(launch && launch->rank > 0
                  ? fmt::format("panoptes: rank {} on {}: {}", launch->rank, host_name(), text)
                  : fmt::format("panoptes: {}", text));
}

int run_as_rank(Transport& transport, const Arguments& arguments,
                const std::function<int()>& command) {
  if (transport.ranks() == 1) return command();
  int code = ExitCode::internal_failure;
  try {
    code = command();
    if (code != ExitCode::internal_failure) return code;
  } catch (...) {
    code = tell_of_exception(arguments);
  }
  transport.abort(code);
  return code;  // it does not get here, which not every compiler sees
}

std::string why_not_on_ranks(const Arguments& arguments) {
  const auto launch = launched();
  if (!launch || launch->ranks == 1) return {};
  const bool is_on_hypercube =
      arguments.command() == "relate" && arguments.get(option::on) == RelateOn::hypercube;
  if (is_on_hypercube) return {};
  if (arguments.command() != "check")
    return fmt::format("`{}` has no use for {} processes: `check` has, and `relate --on hypercube`",
                       arguments.command(), launch->ranks);
  if (arguments.model == "-")
    return "standard input is there once: several ranks need a file that each of them can read";
  for (const auto* option : {&option::watch, &option::confirm})
    if (arguments.has(*option))
      return fmt::format("--{} is for one process, and these are {}", option->name, launch->ranks);
  return {};
}

Result<std::unique_ptr<RankedRun>, std::string> RankedRun::join() {
  auto transport = open_transport();
  if (!transport) return transport.failure();
  catch_forwarded_interrupts();
  return std::unique_ptr<RankedRun>(new RankedRun(std::move(*transport), *launched()));
}

RankedRun::Readiness RankedRun::readiness(bool is_this_one) {
  std::array<std::uint64_t, 2> not_ready{is_this_one ? 0u : 1u,
                                         is_this_one || !is_first() ? 0u : 1u};
  if (!transport_->all_sum(not_ready)) return {};
  return {not_ready[0] == 0, not_ready[1] == 0};
}

Result<std::unique_ptr<Checkpoints>, std::string> RankedRun::open_checkpoints(
    const Arguments& arguments, const Loaded& loaded) {
  const std::string path = checkpoint_path(arguments);
  std::string problem;
  // How many ranks, the number, whether it cannot be read; who wants one.
  std::array<std::uint64_t, 4> last{0, 0, 0, path.empty() ? 0u : 1u};
  if (is_first() && !path.empty()) {
    const auto found = read_ranks_checkpoint(path);
    if (found)
      last = {found->ranks, found->number, 0, 1};
    else
      problem = found.failure();
    if (problem.empty() && CheckpointFolder::has_checkpoint(path))
      problem = fmt::format("{} has a checkpoint of one process: go on without mpirun", path);
    if (!problem.empty()) last[2] = 1;
  }
  if (!transport_->all_sum(last)) return std::string("a rank is gone");
  if (last[3] == 0) return std::unique_ptr<Checkpoints>();
  if (last[3] < transport_->ranks())
    return std::string("--checkpoint and --resume are for all ranks or for none");
  if (last[2] > 0) return problem;
  if (last[0] > 0 && last[0] != transport_->ranks())
    return fmt::format("{} has a checkpoint of {} ranks, and these are {}: start as many", path,
                       last[0], transport_->ranks());
  auto checkpoints =
      panoptes::open_checkpoints(arguments, loaded, {last[0], last[1]}, transport_->rank());
  if (checkpoints && is_first() && last[1] == 0)
    problem = write_ranks_checkpoint(path, {transport_->ranks(), 0});
  if (!problem.empty()) return problem;
  common_ = std::make_unique<RanksFolder>(*transport_, path, last[1]);
  return checkpoints;
}

void RankedRun::share_host(const Arguments& arguments, CheckOptions& options) const {
  const unsigned here = std::max(1u, launch_.ranks_here);
  if (!arguments.is_given(option::memory)) options.limits.memory_bytes /= here;
  if (!arguments.is_given(option::threads))
    options.threads = std::clamp(std::thread::hardware_concurrency() / here, 1u, own_processors());
}

// Only ranks that are asked the same refuse for the same reason: that they are comes first.
bool RankedRun::divide(const Program& program, CheckOptions& options, const Deadline& deadline) {
  const std::string refusal = why_not_over_ranks(options);
  Checkpoints* const checkpoints = options.checkpoints;
  if (!are_several() && (!refusal.empty() || checkpoints)) return true;  // it has all to itself
  const std::string saved(checkpoints ? checkpoints->folder().section(Checkpoints::ranks_section)
                                      : std::string_view());
  // Owners are those of the run before.
  if (const auto threads = Cluster::threads_in(saved); threads.size() > transport_->rank())
    options.threads = std::min(options.threads, threads[transport_->rank()]);
  const auto taken = [fixed = options.explore.fixed_bytes] {
    const std::uint64_t peak = peak_resident_bytes();
    return peak - std::min(peak, fixed);
  };
  // Most of the time is for the search.
  const double until = steady_seconds() + deadline.seconds_left() / 4;
  std::string problem;
  cluster_ = Cluster::make(*transport_, program,
                           {.threads = options.threads,
                            .memory_bytes = options.limits.memory_bytes,
                            .taken = taken,
                            .asked = print_of(options),
                            .saved = saved,
                            .deadline = Deadline([until] { return until - steady_seconds(); }),
                            .symmetry = options.symmetry,
                            .lending = {.is_allowed = !checkpoints}},
                           problem);
  if (cluster_ && !refusal.empty()) {
    problem = refusal;
    cluster_.reset();
  }
  if (!cluster_) complain(problem);
  if (cluster_ && checkpoints) checkpoints->divide(*common_, cluster_->saved());
  options.ranks = cluster_.get();
  return cluster_ != nullptr;
}

bool RankedRun::has_lost_rank() const {
  const auto failure = transport_->failure();
  if (failure) tell_as_rank(*failure + "\n");
  return failure.has_value();
}

}  // namespace panoptes
