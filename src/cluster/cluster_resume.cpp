// SPDX-License-Identifier: Apache-2.0
// A search over ranks that is written down, and gone on with.
//
// Idea: how states are divided is part of the checkpoint, so that everybody owns again what he
// owned, under the same names. When the search ends early, every rank tells the others that its
// workers have left, and takes in what comes until all have: then nothing is under way, and what
// each has is all there is. To go on, ranks ask each other for the states they had found for each
// other (search/breadth_resume.cpp).
#include <algorithm>
#include <utility>

#include "base/record.hpp"
#include "cluster/cluster.hpp"
#include "cluster/findings.hpp"
#include "step/interpreter.hpp"

namespace panoptes {

namespace {

struct Saved {
  std::vector<std::uint32_t> first_owners;
  Division division;
};

std::optional<Saved> saved_in(std::string_view bytes, std::size_t words) {
  RecordReader record(bytes);
  Saved saved;
  for (std::size_t left = record.length(); left > 0; --left)
    saved.first_owners.push_back(record.number<std::uint32_t>());
  for (std::size_t left = record.length(); left > 0; --left)
    saved.division.bits.push_back(record.number());
  for (std::size_t left = record.length(); left > 0; --left)
    saved.division.owners.push_back(record.number<std::uint16_t>());
  const bool is_whole = record.is_done() && saved.first_owners.size() > 1 &&
                        !saved.division.owners.empty() &&
                        (words == 0 || saved.division.bits.size() == words);
  if (!is_whole) return {};
  return saved;
}

}  // namespace

std::string Cluster::saved() const {
  RecordWriter record;
  record.numbers(first_owners_);
  record.numbers(ownership_.division().bits);
  record.numbers(ownership_.division().owners);
  return record.bytes();
}

std::vector<std::uint32_t> Cluster::threads_in(std::string_view saved) {
  std::vector<std::uint32_t> threads;
  const auto found = saved_in(saved, 0);
  for (std::size_t rank = 0; found && rank + 1 < found->first_owners.size(); ++rank)
    threads.push_back(found->first_owners[rank + 1] - found->first_owners[rank]);
  return threads;
}

std::unique_ptr<Cluster> Cluster::go_on_with(Transport& transport, const Program& program,
                                             const ClusterMember& member, std::string& problem) {
  auto saved = saved_in(member.saved, program.layout.words);
  if (!saved || saved->first_owners.size() != transport.ranks() + 1) {
    problem = "the checkpoint is one of another number of ranks";
    return nullptr;
  }
  return std::unique_ptr<Cluster>(new Cluster(transport, program, std::move(saved->first_owners),
                                              Ownership(std::move(saved->division)), member));
}

bool Cluster::come_to_rest(FoundStates& found, const std::function<void()>& adopt) {
  if (ranks_ == 1) return true;
  must_have_lent_nothing();
  post_.put_to_others(Letter::resting, bytes_of(monitor_.load()->stop()));
  const auto are_all_resting = [this] {
    const std::lock_guard lock(guard_);
    is_resting_[rank_] = 1;
    return std::find(is_resting_.begin(), is_resting_.end(), 0) == is_resting_.end();
  };
  while (true) {
    post_.move();
    while (const auto letter = post_.take()) {
      open_letter(shape_, letter->bytes, found);
      adopt();
      post_.settle(letter->from);
    }
    if (post_.has_failed()) return false;
    if (are_all_resting() && post_.is_settled()) return true;
    post_.rest();
  }
}

bool Cluster::add_up(std::span<std::uint64_t> numbers) {
  return ranks_ == 1 || post_.all_sum(numbers);
}

// A rank that has all its answers says so to all others, as where a level is over.
bool Cluster::ask(std::vector<Question> questions, const Answer& answer, const TakeAnswer& take) {
  std::vector<std::deque<std::size_t>> open(ranks_);  // questions that have no answer, by rank
  for (std::size_t i = 0; i < questions.size(); ++i) {
    const unsigned to = rank_of({questions[i].owner, 0});
    open[to].push_back(i);
    post_.put(to, Letter::recall, std::move(questions[i].bytes));
  }
  std::size_t left = questions.size();
  bool has_said = false;
  while (true) {
    post_.move();
    if (left == 0 && !std::exchange(has_said, true)) {
      post_.put_to_others(Letter::level, {});
      const std::lock_guard lock(guard_);
      has_said_[rank_] = 1;
    }
    std::optional<Post::Message> message;
    {
      const std::lock_guard lock(guard_);
      if (!letters_.empty()) {
        message = std::move(letters_.front());
        letters_.pop_front();
      } else if (std::find(has_said_.begin(), has_said_.end(), 0) == has_said_.end()) {
        std::fill(has_said_.begin(), has_said_.end(), std::uint8_t{0});
        break;
      }
    }
    if (post_.has_failed()) return false;
    if (!message) {
      post_.rest();
    } else if (message->kind == static_cast<std::uint16_t>(Letter::recall)) {
      post_.put(message->from, Letter::recalled, answer(message->bytes));
    } else {
      auto& its = open[message->from];
      if (its.empty()) throw InternalFault("an answer that nobody has asked for");
      take(its.front(), message->bytes);
      its.pop_front();
      --left;
    }
  }
  while (!post_.is_settled() && !post_.has_failed()) post_.move();
  return !post_.has_failed();
}

}  // namespace panoptes
