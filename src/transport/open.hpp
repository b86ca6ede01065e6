// SPDX-License-Identifier: Apache-2.0
// From a process that mpirun or a batch system has started to a Transport.
//
// Idea: MPI is a module (base/module.hpp), loaded where the environment says that this process is
// one of several. How it can fail: the module is not there, or MPI cannot be started; the failure
// says what to do.
#pragma once

#include <memory>
#include <optional>
#include <string>

#include "base/result.hpp"
#include "transport/transport.hpp"

namespace panoptes {

// Which of how many processes this is, as whoever started them has told.
struct Launched {
  unsigned rank = 0, ranks = 1;
  unsigned ranks_here = 1;  // on this host
};

// Nothing where it was started alone. Looks at the environment only: OpenMPI's, PMIx's, Slurm's.
// Slurm's alone is no sign, for what it starts once has its variables too.
std::optional<Launched> launched();

// Starts MPI. All ranks do, once.
Result<std::unique_ptr<Transport>, std::string> open_transport();

// What the module exports as `panoptes_open_transport`: a transport, or in `failure` why there is
// none.
using OpenTransport = void(std::unique_ptr<Transport>& transport, std::string& failure);

}  // namespace panoptes
