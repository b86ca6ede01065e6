// SPDX-License-Identifier: Apache-2.0
// A command that mpirun or a batch system has started several times: each process is a rank, and
// rank 0 alone speaks.
#pragma once

#include <functional>
#include <memory>
#include <optional>
#include <string>

#include "api/check_model.hpp"
#include "api/checkpoints.hpp"
#include "app/commands.hpp"
#include "base/deadline.hpp"
#include "cluster/cluster.hpp"
#include "transport/open.hpp"

namespace panoptes {

// The ranks of this command.
class RankedRun {
 public:
  // Starts MPI, once for each process. REQUIRES: launched() says that this is a rank.
  static Result<std::unique_ptr<RankedRun>, std::string> join();

  bool is_first() const { return transport_->rank() == 0; }

  // Whether all ranks are ready, and the first is; waits for them. Where one is not, the search
  // does not begin.
  struct Readiness {
    bool of_all = false, of_first = false;
  };
  Readiness readiness(bool is_this_one);

  bool are_several() const { return transport_->ranks() > 1; }
  // The part of this rank of the checkpoint that is asked for; all ranks call it. REQUIRES: there
  // are several.
  Result<std::unique_ptr<Checkpoints>, std::string> open_checkpoints(const Arguments& arguments,
                                                                     const Loaded& loaded);

  // The memory and the threads of this rank, where nobody has given any: its share of the host.
  void share_host(const Arguments& arguments, CheckOptions& options) const;
  // Makes `options` those of a search over all ranks. False, with a complaint, where that cannot
  // be.
  bool divide(const Program& program, CheckOptions& options, const Deadline& deadline);
  // When the search has ended: whether a rank was lost meanwhile, which is then told.
  bool has_lost_rank() const;
  Transport& transport() { return *transport_; }

 private:
  RankedRun(std::unique_ptr<Transport> transport, const Launched& launch)
      : launch_(launch), transport_(std::move(transport)) {}

  Launched launch_;
  std::unique_ptr<Transport> transport_;
  std::unique_ptr<Cluster> cluster_;
  std::unique_ptr<CommonCheckpoint> common_;
};

// Runs a command as a rank of several. Where it throws, or fails by a fault of ours, this is told
// and ends all ranks at once: others may wait for this one, and MPI cannot be left before all come
// to that.
int run_as_rank(Transport& transport, const Arguments& arguments,
                const std::function<int()>& command);

// Why this command cannot run on several ranks; "" where it can, or this is not one of several.
std::string why_not_on_ranks(const Arguments& arguments);

// On all ranks but the first, nothing is said from now on, but for tell_as_rank().
void be_quiet_unless_first();
bool is_quiet_rank();
// What only this rank knows.
void tell_as_rank(const std::string& text);

}  // namespace panoptes
