// SPDX-License-Identifier: Apache-2.0
#include "cluster/lending.hpp"

#include <algorithm>
#include <array>
#include <cstring>
#include <utility>

#include "base/hash.hpp"
#include "step/interpreter.hpp"

namespace panoptes {

bool LendingCosts::is_cheap() const {
  constexpr std::uint64_t enough = 4096;
  constexpr double clearly = 1.5;
  if (std::min({expanded, handed_over, taken_in}) < enough) return false;
  const auto each = [](double seconds, std::uint64_t count) {
    return seconds / static_cast<double>(count);
  };
  const double kept_of_each = static_cast<double>(kept) / static_cast<double>(expanded);
  return each(working_seconds, expanded) >
         clearly * (each(handing_over_seconds, handed_over) +
                    kept_of_each * each(taking_in_seconds, taken_in));
}

void append_lent(const LentStates& lent, std::vector<std::byte>& bytes) {
  const auto append = [&bytes](std::span<const Word> words) {
    const auto more = std::as_bytes(words);
    bytes.insert(bytes.end(), more.begin(), more.end());
  };
  append(std::array<Word, 2>{packed(lent.first), lent.states.size()});
  append(lent.states.words);
}

std::vector<LentStates> lent_in(std::span<const std::byte> bytes, std::size_t width) {
  const auto take = [&bytes](std::span<Word> words) {
    std::memcpy(words.data(), bytes.data(), words.size_bytes());
    bytes = bytes.subspan(words.size_bytes());
  };
  const auto need = [&bytes](std::uint64_t words) {
    if (bytes.size() / sizeof(Word) < words)
      throw InternalFault("a letter of lent states is not as long as it should be");
  };
  std::vector<LentStates> all;
  while (!bytes.empty()) {
    std::array<Word, 2> head{};
    need(head.size());
    take(head);
    need(head[1]);
    need(head[1] * width);
    LentStates& lent = all.emplace_back(LentStates{unpacked(head[0]), {width, {}}});
    lent.states.words.resize(head[1] * width);
    take(lent.states.words);
  }
  return all;
}

void Lending::begin_level(std::uint64_t states, std::uint64_t workers, std::uint64_t votes) {
  const bool is_worth_it = options_.is_allowed && states >= options_.least_states * workers &&
                           (options_.whatever_it_costs || votes * 2 > has_nothing_.size());
  std::ranges::fill(has_nothing_, is_worth_it ? std::uint8_t{0} : std::uint8_t{1});
  // Not all begin with the same one.
  first_ = static_cast<unsigned>(hash_word(states + rank_) % has_nothing_.size());
}

void Lending::answer(unsigned from, std::vector<LentStates> lent) {
  if (lender_ == from) lender_.reset();
  if (lent.empty()) has_nothing_[from] = 1;
  for (LentStates& some : lent) lent_.push_back(std::move(some));
}

bool Lending::take(LentStates& lent) {
  if (lent_.empty()) return false;
  lent = std::move(lent_.front());
  lent_.pop_front();
  return true;
}

void Lending::note_borrower(unsigned rank) {
  borrowers_.push_back(rank);
  has_borrower_ = true;
}

std::optional<unsigned> Lending::next_borrower() {
  if (borrowers_.empty()) return {};
  const unsigned rank = borrowers_.front();
  borrowers_.pop_front();
  has_borrower_ = !borrowers_.empty();
  return rank;
}

// A quarter: others will ask, too, and what was too much must not be asked for again.
std::uint64_t Lending::share_of(std::uint64_t left, std::size_t width) const {
  constexpr std::uint64_t most_bytes = 64u << 10;
  if (left == 0 || left * 2 < options_.least_states) return 0;
  return std::clamp<std::uint64_t>(left / 4, 1, most_bytes / sizeof(Word) / width);
}

}  // namespace panoptes
