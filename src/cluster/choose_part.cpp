// SPDX-License-Identifier: Apache-2.0
#include "cluster/choose_part.hpp"

#include <algorithm>
#include <cmath>
#include <functional>
#include <limits>
#include <map>
#include <new>
#include <optional>
#include <unordered_set>

#include "base/hash.hpp"
#include "cluster/divide_places.hpp"
#include "step/indivisible.hpp"
#include "step/interpreter.hpp"

namespace panoptes {
namespace {

using Bits = std::vector<Word>;

constexpr std::uint64_t sample_seed = 0x51ab5e6d;

// States of the first levels, of a large level a few by chance, and their steps.
class LevelSample {
 public:
  struct Level {
    StateBatch states, successors;
    std::vector<std::uint32_t> sources;  // of each successor, among `states`
  };

  explicit LevelSample(const Program& program)
      : width_(program.layout.words),
        stepper_(in_whole_sequences(std::make_unique<Interpreter>(program))) {
    constexpr std::size_t most_states = 10000;
    StateBatch level{width_, {}};
    level.push_back(program.initial);
    std::size_t states = 0;
    for (; !level.empty() && states < most_states; level = expand(std::move(level)))
      states += level.size();
  }

  std::size_t width() const { return width_; }
  const std::vector<Level>& levels() const { return levels_; }
  // Rules taken for each step: more than one in indivisible sequences.
  double rules_per_step() const { return 1.0 + inside_ / std::max(1.0, steps_); }
  // How many steps change these bits, and no others.
  const std::map<Bits, std::uint64_t>& changes() const { return changes_; }

 private:
  // The next level.
  StateBatch expand(StateBatch states) {
    constexpr std::size_t most_of_level = 128;
    Level level{std::move(states), {width_, {}}, {}};
    findings_.clear();
    stepper_->expand(level.states, successors_, findings_);
    steps_ += static_cast<double>(successors_.size());
    inside_ += static_cast<double>(successors_.inside.size());
    std::vector<std::pair<std::uint64_t, std::size_t>> fresh;
    Bits change(width_);
    for (std::size_t i = 0; i < level.states.size(); ++i)
      for (std::size_t s = successors_.first[i]; s < successors_.first[i + 1]; ++s) {
        for (std::size_t w = 0; w < width_; ++w)
          change[w] = level.states[i][w] ^ successors_.states[s][w];
        ++changes_[change];
        level.sources.push_back(static_cast<std::uint32_t>(i));
        const std::uint64_t hash = hash_words(successors_.states[s], sample_seed);
        if (known_.insert(hash).second) fresh.emplace_back(hash, s);
      }
    std::ranges::sort(fresh);
    if (fresh.size() > most_of_level) fresh.resize(most_of_level);
    StateBatch next{width_, {}};
    for (const auto& [hash, s] : fresh) next.push_back(successors_.states[s]);
    level.successors = std::move(successors_.states);
    levels_.push_back(std::move(level));
    return next;
  }

  std::size_t width_;
  std::unique_ptr<Stepper> stepper_;
  std::vector<Level> levels_;
  std::map<Bits, std::uint64_t> changes_;
  std::unordered_set<std::uint64_t> known_;
  double steps_ = 0.0, inside_ = 0.0;
  SuccessorBatch successors_;
  std::vector<Finding> findings_;
};

// What parts are made of: bits of one word. The upper bits of a number change more rarely than the
// lower ones.
struct Piece {
  std::size_t word;
  Word bits;
  double worth;  // at most, as far as is known
};

std::vector<Piece> pieces_of(const Layout& layout) {
  std::vector<Piece> pieces;
  const auto add = [&](std::uint32_t word, Word bits) {
    if (bits != 0) pieces.push_back({word, bits, std::numeric_limits<double>::infinity()});
  };
  for (const auto* slots : {&layout.control, &layout.variables, &layout.assertions})
    for (const Slot& slot : *slots)
      for (std::uint32_t below = 0; below < slot.bits; ++below)
        add(slot.word, (slot.mask() >> below << below) << slot.shift);
  for (const ChannelLayout& channel : layout.channels)
    for (const ChannelPiece& piece : channel.pieces)
      for (std::uint32_t i = 0; i < piece.slots; ++i)
        add(piece.word, channel.slot_mask() << (piece.shift + i * channel.slot_bits));
  return pieces;
}

class PartChoice {
 public:
  PartChoice(const Program& program, std::span<const double> shares)
      : sample_(program), pieces_(pieces_of(program.layout)), shares_(shares) {
    for (const auto& [change, count] : sample_.changes()) steps_ += static_cast<double>(count);
  }

  Division choose() {
    Division best{Bits(sample_.width(), ~Word{0}), places_by_share(shares_)};
    double least = cost_of(places_in(best), best.owners, shares_, std::exp2(all_values));
    Part part = part_of(Bits(sample_.width()));
    while (part.values < enough_values && add_piece(part)) {
      const double values = std::exp2(part.values);
      if (values < static_cast<double>(shares_.size())) continue;
      Division division{part.bits, best.owners};
      const PlaceSample places = places_in(division);
      division.owners = divide_places(places, division.owners.size(), shares_);
      if (const double its = cost_of(places, division.owners, shares_, values); its < least) {
        least = its;
        best = std::move(division);
      }
    }
    return best;
  }

 private:
  static constexpr double some = 0.01;           // of a step, or of a bit
  static constexpr double enough_values = 14.0;  // 16384: then no rank has many more than another
  static constexpr double all_values = 40.0;     // of the whole state

  struct Part {
    Bits bits;
    double crossing = 0.0;  // the share of steps that change it
    double values = 0.0;    // on a level, as many as if all were alike: the logarithm
    std::vector<std::uint64_t> hashes = {};  // of it, in each state of the sample
  };

  Part part_of(Bits bits) const {
    Part part{std::move(bits)};
    for (const LevelSample::Level& level : sample_.levels())
      part.hashes.resize(part.hashes.size() + level.states.size());
    return part;
  }

  // As measured: a state of one word takes one and a half times as long to be sent and taken in as
  // to be found; of more words all are looked up where it is taken in, and only a few where it was
  // found; and the longer the sequences that lead to one, the less it matters.
  double cost_of_sending() const {
    constexpr double of_one_word = 1.6, of_each_more = 0.2;
    return (of_one_word + of_each_more * static_cast<double>(sample_.width() - 1)) /
           sample_.rules_per_step();
  }

  PlaceSample places_in(const Division& division) const {
    const Ownership ownership(division);
    PlaceSample places;
    places.cost_of_sending = cost_of_sending();
    for (const LevelSample::Level& level : sample_.levels()) {
      std::vector<std::uint32_t> of_states;
      for (std::size_t i = 0; i < level.states.size(); ++i) {
        const auto place = static_cast<std::uint32_t>(ownership.place_of_state(level.states[i]));
        of_states.push_back(place);
        (i % 2 == 0 ? places.states : places.states_apart).push_back({places.levels, place});
      }
      for (std::size_t s = 0; s < level.sources.size(); ++s)
        places.steps.push_back(
            {of_states[level.sources[s]],
             static_cast<std::uint32_t>(ownership.place_of_state(level.successors[s])),
             level.sources[s] % 2 != 0});
      ++places.levels;
    }
    return places;
  }

  // The piece that adds most values for the steps that change it; false where none adds any. A
  // piece is hardly worth more than it was beside fewer others, so most need not be looked at.
  bool add_piece(Part& part) {
    std::ranges::sort(pieces_, std::greater(), &Piece::worth);
    std::optional<Part> best;
    double most = some;
    for (Piece& piece : pieces_) {
      if (piece.worth <= most) break;
      Part next = with(part, piece);
      piece.worth = (next.values - part.values) / (next.crossing - part.crossing + some);
      if (piece.worth <= most) continue;
      most = piece.worth;
      best = std::move(next);
    }
    if (best) part = std::move(*best);
    return best.has_value();
  }

  Part with(const Part& part, const Piece& piece) {
    Part next = part;
    next.bits[piece.word] |= piece.bits;
    std::size_t at = 0;
    for (const LevelSample::Level& level : sample_.levels())
      for (std::size_t i = 0; i < level.states.size(); ++i, ++at)
        next.hashes[at] = hash_word(part.hashes[at] ^ (level.states[i][piece.word] & piece.bits));
    next.values = values(next.hashes);
    next.crossing = crossing(next.bits);
    return next;
  }

  double crossing(const Bits& bits) const {
    double sum = 0.0;
    for (const auto& [change, count] : sample_.changes()) {
      Word touched = 0;
      for (std::size_t w = 0; w < bits.size(); ++w) touched |= change[w] & bits[w];
      if (touched != 0) sum += static_cast<double>(count);
    }
    return sum / std::max(1.0, steps_);
  }

  // By how likely two states of a level are to have the same.
  double values(const std::vector<std::uint64_t>& hashes) {
    double same = 1.0, all = 1.0;  // pairs
    auto from = hashes.begin();
    for (const LevelSample::Level& level : sample_.levels()) {
      const std::size_t size = level.states.size();
      level_hashes_.assign(from, from + static_cast<std::ptrdiff_t>(size));
      from += static_cast<std::ptrdiff_t>(size);
      std::ranges::sort(level_hashes_);
      std::uint64_t run = 0;
      for (std::size_t i = 1; i < size; ++i) {
        run = level_hashes_[i] == level_hashes_[i - 1] ? run + 1 : 0;
        same += static_cast<double>(run);
      }
      all += static_cast<double>(size * (size - 1)) / 2.0;
    }
    return std::log2(all / same);
  }

  LevelSample sample_;
  std::vector<Piece> pieces_;
  std::span<const double> shares_;
  double steps_ = 0.0;
  std::vector<std::uint64_t> level_hashes_;  // scratch
};

}  // namespace

Division choose_division(const Program& program, const std::vector<double>& shares) {
  try {
    return PartChoice(program, shares).choose();
  } catch (const std::bad_alloc&) {  // as where an indivisible sequence does not end
    return {Bits(program.layout.words, ~Word{0}), places_by_share(shares)};
  }
}

}  // namespace panoptes
