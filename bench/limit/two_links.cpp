// SPDX-License-Identifier: Apache-2.0
// The limit for pairs/two_links: what a program written for this one protocol can do on one core.
//
// Everything is known beforehand: the layout, the rules, and that a table of 2^23 places is right
// for 5.8 million states. One link is 18 bits, two links are one word; breadth first; successors
// are collected, their places in the table prefetched, and then looked up.
// Prints states, transitions, seconds, bytes.
#include <sys/mman.h>

#include <chrono>
#include <cstdint>
#include <cstdio>
#include <vector>

namespace {

using Word = std::uint64_t;

constexpr unsigned link_bits = 18;
constexpr Word link_mask = (Word{1} << link_bits) - 1;

// Slots of one link: place of the lowest bit. Control states begin at 0.
constexpr unsigned sender = 0;          // 3 bits: send 1, wait 1, again 1, send 0, wait 0, again 0
constexpr unsigned receiver = 3;        // 3 bits: await 1, ack 1, give 1, repeat 0, and for 0
constexpr unsigned line = 6;            // 3 bits: idle, then what it carries
constexpr unsigned sender_channel = 9;  // 2 bits: empty, ack 0, ack 1
constexpr unsigned receiver_channel = 11;  // 2 bits: empty, message 0, message 1
constexpr unsigned line_channel = 13;      // 3 bits: empty, messages 0 and 1, acks 0 and 1
constexpr unsigned user_channel = 16;      // 2 bits: empty, message 0, message 1

enum LineMessage : Word { message0 = 1, message1 = 2, ack0 = 3, ack1 = 4 };

constexpr Word at(Word value, unsigned slot) { return value << slot; }

// Calls emit(state after) for every step of the link whose bits begin at `shift`.
template <typename Emit>
inline void step_link(Word state, unsigned shift, Emit emit) {
  const Word link = state >> shift & link_mask;
  const Word to_sender = link >> sender_channel & 3;
  const Word to_receiver = link >> receiver_channel & 3;
  const Word to_line = link >> line_channel & 7;
  const Word to_user = link >> user_channel & 3;
  // Adds `change` (modulo 2^64: it may be negative) to the bits of this link.
  const auto go = [&](Word change) { emit(state + (change << shift)); };

  const Word sender_at = link >> sender & 7;
  switch (sender_at) {
    case 0:  // send 1
    case 2:  // again 1
      if (to_line == 0) go(at(message1, line_channel) + at(1, sender) - at(sender_at, sender));
      break;
    case 1:  // wait 1
      if (to_sender == 2) go(at(2, sender) - at(2, sender_channel));
      if (to_sender == 1) go(-at(1, sender_channel));
      if (to_sender == 0) go(at(1, sender));
      break;
    case 3:  // send 0
    case 5:  // again 0
      if (to_line == 0) go(at(message0, line_channel) + at(4, sender) - at(sender_at, sender));
      break;
    case 4:  // wait 0
      if (to_sender == 1) go(-at(4, sender) - at(1, sender_channel));
      if (to_sender == 2) go(-at(2, sender_channel));
      if (to_sender == 0) go(at(1, sender));
      break;
  }
  const Word receiver_at = link >> receiver & 7;
  switch (receiver_at) {
    case 0:  // await 1
      if (to_receiver == 2) go(at(1, receiver) - at(2, receiver_channel));
      if (to_receiver == 1) go(at(3, receiver) - at(1, receiver_channel));
      break;
    case 1:  // ack 1
      if (to_line == 0) go(at(1, receiver) + at(ack1, line_channel));
      break;
    case 2:  // give 1
      if (to_user == 0) go(at(2, receiver) + at(2, user_channel));
      break;
    case 3:  // repeat 0
      if (to_line == 0) go(-at(3, receiver) + at(ack0, line_channel));
      break;
    case 4:  // await 0
      if (to_receiver == 1) go(at(1, receiver) - at(1, receiver_channel));
      if (to_receiver == 2) go(at(3, receiver) - at(2, receiver_channel));
      break;
    case 5:  // ack 0
      if (to_line == 0) go(at(1, receiver) + at(ack0, line_channel));
      break;
    case 6:  // give 0
      if (to_user == 0) go(-at(6, receiver) + at(1, user_channel));
      break;
    case 7:  // repeat 1
      if (to_line == 0) go(-at(3, receiver) + at(ack1, line_channel));
      break;
  }
  if (to_user != 0) go(-at(to_user, user_channel));
  const Word line_at = link >> line & 7;
  switch (line_at) {
    case 0:
      if (to_line != 0) go(at(to_line, line) - at(to_line, line_channel));
      break;
    case message0:
    case message1:
      if (to_receiver == 0) go(at(line_at, receiver_channel) - at(line_at, line));
      go(-at(line_at, line));  // lost
      break;
    case ack0:
    case ack1:
      if (to_sender == 0) go(at(line_at - 2, sender_channel) - at(line_at, line));
      go(-at(line_at, line));
      break;
  }
}

// Open addressing, linear probing. States are kept as state + 1, because 0 is a vacant place.
class Table {
 public:
  static constexpr unsigned bits = 23;
  static constexpr std::size_t bytes = sizeof(Word) << bits;

  Table() {
    places_ = static_cast<Word*>(
        mmap(nullptr, bytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0));
    madvise(places_, bytes, MADV_HUGEPAGE);
  }
  ~Table() { munmap(places_, bytes); }
  Table(const Table&) = delete;
  Table& operator=(const Table&) = delete;

  static std::size_t place(Word state) {
    Word mixed = state * 0x9E3779B97F4A7C15U;
    mixed ^= mixed >> 32;
    return mixed * 0xD6E8FEB86659FD93U >> (64 - bits);
  }
  void prefetch(std::size_t place) const { __builtin_prefetch(places_ + place, 1); }
  bool insert(std::size_t place, Word state) {
    for (;; place = (place + 1) & (bytes / sizeof(Word) - 1)) {
      if (places_[place] == state + 1) return false;
      if (places_[place] == 0) {
        places_[place] = state + 1;
        return true;
      }
    }
  }

 private:
  Word* places_;
};

}  // namespace

int main() {
  constexpr std::size_t batch = 32;            // states expanded before any is looked up
  constexpr std::size_t most_successors = 32;  // of one state
  const auto start = std::chrono::steady_clock::now();
  Table table;
  std::vector<Word> level{0};
  std::vector<Word> next;
  std::vector<Word> found(batch * most_successors);
  std::vector<std::size_t> places(batch * most_successors);
  table.insert(Table::place(0), 0);
  std::uint64_t states = 1;
  std::uint64_t transitions = 0;
  std::size_t widest = 0;

  while (!level.empty()) {
    next.clear();
    for (std::size_t first = 0; first < level.size(); first += batch) {
      const std::size_t last = first + batch < level.size() ? first + batch : level.size();
      std::size_t count = 0;
      for (std::size_t i = first; i < last; ++i) {
        const auto emit = [&](Word state) {
          found[count] = state;
          places[count] = Table::place(state);
          table.prefetch(places[count++]);
        };
        step_link(level[i], 0, emit);
        step_link(level[i], link_bits, emit);
      }
      transitions += count;
      for (std::size_t i = 0; i < count; ++i) {
        if (table.insert(places[i], found[i])) next.push_back(found[i]);
      }
    }
    states += next.size();
    if (level.size() + next.size() > widest) widest = level.size() + next.size();
    level.swap(next);
  }
  const std::chrono::duration<double> seconds = std::chrono::steady_clock::now() - start;
  std::printf("%llu %llu %.6f %llu\n", static_cast<unsigned long long>(states),
              static_cast<unsigned long long>(transitions), seconds.count(),
              static_cast<unsigned long long>(Table::bytes + widest * sizeof(Word)));
  return 0;
}
