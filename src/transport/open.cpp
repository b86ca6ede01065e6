// SPDX-License-Identifier: Apache-2.0
#include "transport/open.hpp"

#include <fmt/format.h>

#include <charconv>
#include <cstdlib>
#include <string_view>

#include "base/module.hpp"

namespace panoptes {
namespace {

std::optional<unsigned> number_in(const char* variable) {
  const char* const text = std::getenv(variable);
  if (!text) return {};
  const std::string_view whole(text);
  unsigned number = 0;
  const auto [end, error] = std::from_chars(whole.data(), whole.data() + whole.size(), number);
  if (error != std::errc() || whole.empty()) return {};  // Slurm writes "4(x2)" of several hosts
  return number;
}

}  // namespace

std::optional<Launched> launched() {
  if (const auto ranks = number_in("OMPI_COMM_WORLD_SIZE"))
    return Launched{number_in("OMPI_COMM_WORLD_RANK").value_or(0), *ranks,
                    number_in("OMPI_COMM_WORLD_LOCAL_SIZE").value_or(1)};
  // Slurm's `srun --mpi=pmix` or `--mpi=pmi2`.
  if (!number_in("PMIX_RANK") && !number_in("PMI_RANK")) return {};
  const auto ranks = number_in("PMI_SIZE") ? number_in("PMI_SIZE") : number_in("SLURM_NTASKS");
  const auto rank = number_in("PMIX_RANK") ? number_in("PMIX_RANK") : number_in("PMI_RANK");
  return Launched{rank.value_or(0), ranks.value_or(1),
                  number_in("SLURM_NTASKS_PER_NODE")
                      .value_or(number_in("SLURM_STEP_TASKS_PER_NODE").value_or(1))};
}

Result<std::unique_ptr<Transport>, std::string> open_transport() {
  const auto found = find_in_module("mpi", "panoptes_open_transport");
  if (!found)
    return fmt::format(
        "MPI is not there: {}\ninstall libopenmpi3 (to build it, libopenmpi-dev), or run without "
        "mpirun",
        found.failure());
  auto* const open = reinterpret_cast<OpenTransport*>(*found);
  std::unique_ptr<Transport> transport;
  std::string failure;
  open(transport, failure);
  if (!transport) return fmt::format("MPI cannot be started: {}", failure);
  return transport;
}

}  // namespace panoptes
