// SPDX-License-Identifier: Apache-2.0
// The letters of a rank: a queue for each receiver, and one of what has come.
//
// Idea: workers put letters into queues and take what has come from one; whoever finds the network
// free moves letters on. A rank may have a few letters of states under way to each other rank; it
// may send more when those were taken, which the receiver tells it (a credit). So nobody is sent
// more than he has room for, however slow he is. Other letters are short and few: they need no
// credit, but wait behind those before them, so that letters arrive in the order they were put.
//
// How it can fail: as the transport does.
//
// Thread safety: everything may be called concurrently; `read` is called by one thread at a time,
// with no lock held.
#pragma once

#include <atomic>
#include <deque>
#include <functional>
#include <mutex>
#include <vector>

#include "transport/transport.hpp"

namespace panoptes {

// What a letter is about.
enum class Letter : std::uint16_t {
  states,    // for their owner
  credit,    // so many letters of states were taken
  level,     // nothing more will come for the next level
  stop,      // please end, for this reason
  finished,  // this rank has ended, for this reason; nothing more will come
  progress,  // how far this rank is
  findings,  // what it has found
  question,  // where does this state come from?
  answer,
  dismissed,  // there are no more questions
  resting,    // this rank's workers have left: no more states come from it
  recall,     // which states were found from these? ...
  recalled,   // ... these
  borrow,     // is there anything of the level that I could expand? ...
  lent,       // ... these states, or none
};

class Post {
 public:
  using Message = Transport::Message;
  // Called with every letter but those of states and credits.
  using Read = std::function<void(Message&&)>;

  // So many letters of states may be under way to each rank.
  Post(Transport& transport, unsigned window, Read read);

  void put(unsigned to, Letter letter, std::vector<std::byte> bytes);
  void put_to_others(Letter letter, const std::vector<std::byte>& bytes);

  // Moves letters on, unless somebody else does.
  void move();
  // Waits a little, where there is nothing to do.
  void rest();

  // A letter of states that has come; settle() when its states are recorded.
  std::optional<Message> take();
  void settle(unsigned from);

  // Whether some rank does not take letters as fast as they are put.
  bool is_congested() const { return congested_.load(std::memory_order_relaxed) > 0; }
  // Whether all that was put was sent, and all that came was settled.
  bool is_settled() const;
  // Forgets what has come, and the other one also what was not sent and credits that are owed; the
  // number of letters of states, or of lent ones, among them.
  std::uint64_t forget_come();
  std::uint64_t forget();

  // All ranks call it; nobody else uses the post meanwhile.
  bool all_sum(std::span<std::uint64_t> numbers);
  // Whether a rank is gone, as far as was noticed.
  bool has_failed() const { return has_failed_.load(std::memory_order_relaxed); }
  std::uint64_t sent_bytes() const { return sent_bytes_.load(std::memory_order_relaxed); }

 private:
  struct Outgoing {
    Letter letter;
    std::vector<std::byte> bytes;
  };
  struct Box {
    std::deque<Outgoing> letters;
    unsigned credits = 0;
    unsigned owed = 0;    // letters of states from there that were settled, and it does not know
    unsigned states = 0;  // of `letters`
  };

  void send_what_may_go();
  void read_what_has_come();

  Transport& transport_;
  unsigned window_;
  Read read_;
  std::mutex network_;        // of transport_; taken before any other lock
  mutable std::mutex guard_;  // of what follows
  std::vector<Box> boxes_;    // by rank
  std::deque<Message> come_;
  unsigned open_ = 0;                   // taken and not settled
  std::atomic<unsigned> congested_{0};  // receivers with too many letters in their box
  std::atomic<std::uint64_t> sent_bytes_{0};
  std::atomic<bool> has_failed_{false};
};

}  // namespace panoptes
