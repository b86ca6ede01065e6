// SPDX-License-Identifier: Apache-2.0
#include "transport/thread_transport.hpp"

#include <condition_variable>
#include <cstdlib>
#include <deque>
#include <mutex>
#include <utility>

#include "transport/patience.hpp"

namespace panoptes {
namespace {

// What all ranks share.
struct Exchange {
  explicit Exchange(unsigned count) : boxes(count), ranks(count) {}

  struct Box {
    std::mutex guard;
    std::deque<Transport::Message> messages;
  };
  std::vector<Box> boxes;  // by receiver
  unsigned ranks;

  // Meetings: who comes last adds one to `meetings`, and the others have waited for that.
  std::mutex guard;
  std::condition_variable changed;
  unsigned arrived = 0, gone = 0;
  std::uint64_t meetings = 0;
  std::vector<std::uint64_t> adding, sums;  // of this meeting, and of the one before
};

class ThreadTransport final : public Transport {
 public:
  ThreadTransport(std::shared_ptr<Exchange> exchange, unsigned rank)
      : exchange_(std::move(exchange)), rank_(rank), patience_(exchange_->ranks) {}
  ~ThreadTransport() override {
    const std::lock_guard lock(exchange_->guard);
    ++exchange_->gone;
    exchange_->changed.notify_all();
  }

  unsigned rank() const override { return rank_; }
  unsigned ranks() const override { return exchange_->ranks; }

  void send(unsigned to, std::uint16_t kind, std::vector<std::byte> bytes) override {
    if (to != rank_) sent_bytes_ += bytes.size();
    Exchange::Box& box = exchange_->boxes[to];
    const std::lock_guard lock(box.guard);
    box.messages.push_back({rank_, kind, std::move(bytes)});
  }
  std::optional<Message> receive() override {
    Exchange::Box& box = exchange_->boxes[rank_];
    const std::lock_guard lock(box.guard);
    if (box.messages.empty()) return {};
    Message message = std::move(box.messages.front());
    box.messages.pop_front();
    patience_.begin();
    return message;
  }
  std::uint64_t unsent() const override { return 0; }
  void rest() override { patience_.rest(); }

  bool meet() override { return all_sum({}); }
  bool all_sum(std::span<std::uint64_t> numbers) override {
    std::unique_lock lock(exchange_->guard);
    exchange_->adding.resize(numbers.size());
    for (std::size_t i = 0; i < numbers.size(); ++i) exchange_->adding[i] += numbers[i];
    const std::uint64_t meeting = exchange_->meetings;
    if (++exchange_->arrived == exchange_->ranks) {
      exchange_->sums = std::exchange(exchange_->adding, {});
      exchange_->arrived = 0;
      ++exchange_->meetings;
      exchange_->changed.notify_all();
    }
    exchange_->changed.wait(lock,
                            [&] { return exchange_->meetings > meeting || exchange_->gone > 0; });
    if (exchange_->meetings == meeting) return false;
    std::copy(exchange_->sums.begin(), exchange_->sums.end(), numbers.begin());
    return true;
  }

  std::optional<std::string> failure() const override {
    const std::lock_guard lock(exchange_->guard);
    if (exchange_->gone == 0) return {};
    return "a rank is gone";
  }
  [[noreturn]] void abort(int exit_code) override { std::_Exit(exit_code); }
  std::uint64_t sent_bytes() const override { return sent_bytes_; }

 private:
  std::shared_ptr<Exchange> exchange_;
  unsigned rank_;
  Patience patience_;
  std::uint64_t sent_bytes_ = 0;
};

}  // namespace

std::vector<std::unique_ptr<Transport>> thread_transports(unsigned ranks) {
  const auto exchange = std::make_shared<Exchange>(ranks);
  std::vector<std::unique_ptr<Transport>> transports;
  for (unsigned rank = 0; rank < ranks; ++rank)
    transports.push_back(std::make_unique<ThreadTransport>(exchange, rank));
  return transports;
}

}  // namespace panoptes
