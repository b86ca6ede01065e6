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
  for (const auto* option : {&option::checkpoint, &option::resume})
    if (arguments.is_given(*option))
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

void RankedRun::share_host(const Arguments& arguments, CheckOptions& options) const {
  const unsigned here = std::max(1u, launch_.ranks_here);
  if (!arguments.is_given(option::memory)) options.limits.memory_bytes /= here;
  if (!arguments.is_given(option::threads))
    options.threads = std::clamp(std::thread::hardware_concurrency() / here, 1u, own_processors());
  // Where it is not asked for by name, it is left out instead of being refused.
  const bool is_automatic = std::ranges::count(arguments.get(option::reduce), Reduce::automatic) > 0;
  if (is_automatic && transport_->ranks() > 1) options.reduce.symmetry = false;
}

// Only ranks that are asked the same refuse for the same reason: that they are comes first.
bool RankedRun::divide(const Program& program, CheckOptions& options) {
  const std::string refusal = why_not_over_ranks(options);
  if (!refusal.empty() && transport_->ranks() == 1) return true;  // it has all to itself
  const auto taken = [fixed = options.explore.fixed_bytes] {
    const std::uint64_t peak = peak_resident_bytes();
    return peak - std::min(peak, fixed);
  };
  std::string problem;
  cluster_ = Cluster::make(*transport_, program,
                           {.threads = options.threads,
                            .memory_bytes = options.limits.memory_bytes,
                            .taken = taken,
                            .asked = print_of(options),
                            .symmetry = options.symmetry},
                           problem);
  if (cluster_ && !refusal.empty()) {
    problem = refusal;
    cluster_.reset();
  }
  if (!cluster_) complain(problem);
  options.ranks = cluster_.get();
  return cluster_ != nullptr;
}

bool RankedRun::has_lost_rank() const {
  const auto failure = transport_->failure();
  if (failure) tell_as_rank(*failure + "\n");
  return failure.has_value();
}

}  // namespace panoptes
