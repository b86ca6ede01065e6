// SPDX-License-Identifier: Apache-2.0
// The successors of a batch that other ranks own, on their way out of it.
//
// Idea: who owns a state is as good as by chance, and a processor that has guessed wrong what comes
// next loses the time of several states. So whether one is a stranger, and whether it was handed
// over lately, only says where the next one is written: own states move up, strangers leave. Where
// handed over states were is fetched from memory for all of a batch before any of it is looked at.
// Cost: a batch once more. To branch on the owner took a tenth to a third longer.
// How it can be wrong: not.
//
// Thread safety: none; each worker has its own.
#pragma once

#include <cstdint>
#include <span>

#include "cluster/state_letter.hpp"

namespace panoptes {

class Strangers {
 public:
  explicit Strangers(std::size_t width) : recent_(width) {}

  // Leaves in `batch` what `rank` owns, and says where each of these was among all; nobody asks
  // for their rules any more. owner_of(state) gets the address of a state.
  template <typename OwnerOf>
  void take_from(SuccessorBatch& batch, std::uint32_t rank, Buffer<std::uint32_t>& kept_places,
                 OwnerOf owner_of) {
    const std::size_t width = batch.states.width, size = batch.size();
    Word* const words = batch.states.words.data();
    strangers_.resize(size);
    away_.resize(size * width);
    kept_before_.resize(size + 1);
    kept_places.resize(size);
    Stranger *const strangers = strangers_.data(), *stranger = strangers;
    Word* away = away_.data();
    std::uint32_t *const before = kept_before_.data(), *const places = kept_places.data();
    std::uint32_t kept = 0;
    for (std::uint32_t s = 0; s < size; ++s) {
      const std::uint32_t owner = owner_of(words + s * width);
      const bool is_own = owner == rank;
      *stranger = {s, owner};
      before[s] = kept;
      places[kept] = s;
      if (width == 1) {
        *away = words[s];
        words[kept] = words[s];
      }
      stranger += is_own ? 0 : 1;
      away += is_own ? 0 : 1;
      kept += is_own ? 1 : 0;
    }
    before[size] = kept;
    strangers_.resize(static_cast<std::size_t>(stranger - strangers));
    if (width > 1) part(batch.states);
    first_.assign(batch.first.begin(), batch.first.end());
    for (std::uint32_t& first : batch.first) first = before[first];
    batch.states.words.resize(kept * width);
    batch.rules.resize(kept);
    kept_places.resize(kept);
  }

  // Calls use(source, choice, owner, state) for each that was not handed over lately: which of the
  // states that were expanded it is from, which of the successors of that, whose it is.
  template <typename Use>
  void for_each_new(Use use) {
    const std::size_t width = recent_.width();
    const std::uint32_t* begin = first_.data();  // of the source
    for (const std::uint32_t i : find_new()) {
      const Stranger stranger = strangers_[i];
      while (begin[1] <= stranger.at) ++begin;
      use(static_cast<std::size_t>(begin - first_.data()), stranger.at - *begin, stranger.owner,
          StateView(away_.data() + i * width, width));
    }
  }

 private:
  struct Stranger {
    std::uint32_t at, owner;  // among all successors of the batch
  };

  void part(StateBatch& states);
  std::span<const std::uint32_t> find_new();

  RecentStates recent_;
  // Of the batch:
  Buffer<Stranger> strangers_;
  Buffer<Word> away_;                   // their states
  Buffer<std::uint32_t> first_;         // as it was
  Buffer<std::uint32_t> kept_before_;   // of each successor, and behind the last: so many are own
  Buffer<std::uint32_t> places_, new_;  // of strangers: where among the recent; those to be told
};

}  // namespace panoptes
