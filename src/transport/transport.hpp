// SPDX-License-Identifier: Apache-2.0
// A Transport carries messages between the ranks of one run: processes on one machine or on many.
//
// It is all that a search over ranks, or a relational operator over them, knows of a network.
// Messages between two ranks arrive in the order they were sent, whole, once; between others in any
// order. Nothing here waits, but for meet() and all_sum(): who has nothing else to do calls
// receive() again, or rest().
//
// Implementations: MPI, a module that is loaded on demand (src/mpi); threads of one process, each a
// rank (thread_transport.hpp), for tests under sanitizers.
//
// How it can fail: a rank that is gone is noticed by the others, at the latest when they wait for
// it; failure() then says so, and every call that waits returns.
//
// Thread safety: one thread of each rank.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <vector>

namespace panoptes {

class Transport {
 public:
  virtual ~Transport() = default;

  virtual unsigned rank() const = 0;
  virtual unsigned ranks() const = 0;

  struct Message {
    unsigned from = 0;
    std::uint16_t kind = 0;  // whatever sender and receiver have agreed on
    std::vector<std::byte> bytes;
  };

  // Sends `bytes` without waiting: they are kept until they are gone. To send to oneself is
  // allowed.
  virtual void send(unsigned to, std::uint16_t kind, std::vector<std::byte> bytes) = 0;
  // The next message that has arrived, if there is one. Also moves on what is being sent.
  virtual std::optional<Message> receive() = 0;
  // Messages that were sent and are not known to be gone.
  virtual std::uint64_t unsent() const = 0;
  // Lets others have the processor for a moment, where there is nothing to do.
  virtual void rest() = 0;

  // Waits until all ranks have called it. False where one is gone.
  virtual bool meet() = 0;
  // Every number becomes the sum over all ranks; all call it with equally many. False where one is
  // gone.
  virtual bool all_sum(std::span<std::uint64_t> numbers) = 0;

  // What has gone wrong, if anything has: a rank that is gone, a message that could not be sent.
  virtual std::optional<std::string> failure() const = 0;
  // Ends all ranks, now, with this exit code. Does not return.
  [[noreturn]] virtual void abort(int exit_code) = 0;

  // Bytes of all messages sent to other ranks so far, as given to send().
  virtual std::uint64_t sent_bytes() const = 0;
};

}  // namespace panoptes
