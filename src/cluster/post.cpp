// SPDX-License-Identifier: Apache-2.0
#include "cluster/post.hpp"

#include <algorithm>
#include <cstring>
#include <thread>
#include <utility>

namespace panoptes {

Post::Post(Transport& transport, unsigned window, Read read)
    : transport_(transport), window_(window), read_(std::move(read)), boxes_(transport.ranks()) {
  for (Box& box : boxes_) box.credits = window;
}

void Post::put(unsigned to, Letter letter, std::vector<std::byte> bytes) {
  const std::lock_guard lock(guard_);
  Box& box = boxes_[to];
  box.letters.push_back({letter, std::move(bytes)});
  if (letter == Letter::states && ++box.states == window_ + 1) ++congested_;
}

void Post::put_to_others(Letter letter, const std::vector<std::byte>& bytes) {
  for (unsigned rank = 0; rank < boxes_.size(); ++rank)
    if (rank != transport_.rank()) put(rank, letter, bytes);
}

void Post::move() {
  const std::unique_lock network(network_, std::try_to_lock);
  if (!network) return;
  send_what_may_go();
  read_what_has_come();
  sent_bytes_.store(transport_.sent_bytes(), std::memory_order_relaxed);
  if (transport_.failure()) has_failed_ = true;
}

// Credits are told when half of the window is owed, so that letters of them are few.
void Post::send_what_may_go() {
  const std::lock_guard lock(guard_);
  for (unsigned to = 0; to < boxes_.size(); ++to) {
    Box& box = boxes_[to];
    if (box.owed * 2 >= window_) {
      std::vector<std::byte> bytes(sizeof(unsigned));
      std::memcpy(bytes.data(), &box.owed, sizeof(unsigned));
      transport_.send(to, static_cast<std::uint16_t>(Letter::credit), std::move(bytes));
      box.owed = 0;
    }
    while (!box.letters.empty()) {
      Outgoing& next = box.letters.front();
      if (next.letter == Letter::states) {
        if (box.credits == 0) break;
        --box.credits;
        if (box.states-- == window_ + 1) --congested_;
      }
      transport_.send(to, static_cast<std::uint16_t>(next.letter), std::move(next.bytes));
      box.letters.pop_front();
    }
  }
}

void Post::read_what_has_come() {
  constexpr unsigned most = 64;  // at once: whoever moves letters has other things to do
  for (unsigned i = 0; i < most; ++i) {
    auto message = transport_.receive();
    if (!message) return;
    if (message->kind == static_cast<std::uint16_t>(Letter::states)) {
      const std::lock_guard lock(guard_);
      come_.push_back(std::move(*message));
    } else if (message->kind == static_cast<std::uint16_t>(Letter::credit)) {
      unsigned credits = 0;
      std::memcpy(&credits, message->bytes.data(), sizeof credits);
      const std::lock_guard lock(guard_);
      boxes_[message->from].credits += credits;
    } else {
      read_(std::move(*message));
    }
  }
}

void Post::rest() {
  const std::unique_lock network(network_, std::try_to_lock);
  if (network)
    transport_.rest();
  else
    std::this_thread::yield();
}

std::optional<Post::Message> Post::take() {
  const std::lock_guard lock(guard_);
  if (come_.empty()) return {};
  Message message = std::move(come_.front());
  come_.pop_front();
  ++open_;
  return message;
}

void Post::settle(unsigned from) {
  const std::lock_guard lock(guard_);
  --open_;
  ++boxes_[from].owed;
}

bool Post::is_settled() const {
  const std::lock_guard lock(guard_);
  return come_.empty() && open_ == 0 &&
         std::all_of(boxes_.begin(), boxes_.end(),
                     [](const Box& box) { return box.letters.empty(); });
}

std::uint64_t Post::forget_come() {
  const std::lock_guard lock(guard_);
  const std::uint64_t lost = come_.size();
  come_.clear();
  return lost;
}

std::uint64_t Post::forget() {
  std::uint64_t lost = forget_come();
  const std::lock_guard lock(guard_);
  for (Box& box : boxes_) {
    for (const Outgoing& letter : box.letters)
      lost += letter.letter == Letter::states ||
                      (letter.letter == Letter::lent && !letter.bytes.empty())
                  ? 1
                  : 0;
    box.letters.clear();
    box.states = box.owed = 0;
  }
  congested_ = 0;
  return lost;
}

bool Post::all_sum(std::span<std::uint64_t> numbers) {
  const std::lock_guard network(network_);
  if (!transport_.all_sum(numbers)) has_failed_ = true;
  return !has_failed_;
}

}  // namespace panoptes
