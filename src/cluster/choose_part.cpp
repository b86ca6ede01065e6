// SPDX-License-Identifier: Apache-2.0
#include "cluster/choose_part.hpp"

#include <algorithm>
#include <array>
#include <bit>
#include <cmath>
#include <functional>
#include <limits>
#include <new>
#include <optional>

#include "base/hash.hpp"
#include "cluster/divide_places.hpp"
#include "cluster/level_sample.hpp"

namespace panoptes {
namespace {

using Bits = LevelSample::Bits;

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
  PartChoice(const Program& program, const DivisionTask& task, LevelSample sample)
      : sample_(std::move(sample)),
        pieces_(pieces_of(program.layout)),
        task_(task),
        shares_(task.shares) {
    std::size_t most = 1;
    for (const LevelSample::Level& level : sample_.levels())
      most = std::max(most, looked_at(level));
    seen_.resize(std::bit_ceil(2 * most));
    changed_.resize(sample_.width());
    for (const auto& [change, count] : sample_.changes()) {
      for (std::size_t w = 0; w < change.size(); ++w) changed_[w].push_back(change[w]);
      times_.push_back(static_cast<double>(count));
      steps_ += times_.back();
    }
  }

  ChosenDivision choose() {
    const Division whole{Bits(sample_.width(), ~Word{0}), places_by_share(shares_)};
    ChosenDivision best{whole,
                        cost_of(places_in(whole), whole.owners, shares_, std::exp2(all_values))};
    Part part = part_of(Bits(sample_.width()));
    for (unsigned turn = 0; part.values < enough_values && add_piece(part);) {
      const double values = std::exp2(part.values);
      if (values < static_cast<double>(shares_.size())) continue;
      if (turn++ % task_.lookers != task_.looker) continue;
      if (task_.deadline.has_passed()) break;
      Division division{part.bits, whole.owners};
      const PlaceSample places = places_in(division);
      division.owners = divide_places(places, division.owners.size(), shares_);
      if (const double its = cost_of(places, division.owners, shares_, values); its < best.cost)
        best = {std::move(division), its};
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
    std::vector<std::uint64_t> hashes = {};     // of it, in each state that is looked at
    std::vector<std::uint8_t> is_changed = {};  // by some step, one for each of times_
  };

  static std::size_t looked_at(const LevelSample::Level& level) {
    return (level.states.size() + LevelSample::one_of - 1) / LevelSample::one_of;
  }

  Part part_of(Bits bits) const {
    Part part{std::move(bits)};
    for (const LevelSample::Level& level : sample_.levels())
      part.hashes.resize(part.hashes.size() + looked_at(level));
    part.is_changed.resize(times_.size());
    return part;
  }

  // As measured: a state of one word takes one and a half times as long to be sent and taken in as
  // to be found; of more words all are looked up where it is taken in, and only a few where it was
  // found; and the longer the sequences that lead to one, the less it matters. Half of that counts:
  // where to expand a state is dear, ranks lend each other states, so to send less is worth levels
  // that are less even. (A search that may be written down has those, too, and does not lend.)
  double cost_of_sending() const {
    constexpr double of_one_word = 1.6, of_each_more = 0.2;
    return (of_one_word + of_each_more * static_cast<double>(sample_.width() - 1)) /
           std::max(1.0, sample_.rules_per_step() / 2.0);
  }

  PlaceSample places_in(const Division& division) const {
    const Ownership ownership(division);
    PlaceSample places;
    places.cost_of_sending = cost_of_sending();
    std::vector<std::uint64_t> steps;
    std::vector<std::array<double, 2>> stay(division.owners.size());  // most do: in which place
    for (const LevelSample::Level& level : sample_.levels()) {
      std::vector<std::uint32_t> of_states;
      for (std::size_t i = 0; i < level.states.size(); ++i) {
        const auto place = static_cast<std::uint32_t>(ownership.place_of_state(level.states[i]));
        of_states.push_back(place);
        (i % 2 == 0 ? places.states : places.states_apart).push_back({places.levels, place});
      }
      for (std::size_t s = 0; s < level.sources.size(); ++s) {
        const std::uint32_t source = level.sources[s], from = of_states[source];
        const std::size_t to = ownership.place_of_state(level.successors[s]);
        if (from == to)
          stay[from][source % 2] += 1.0;
        else
          steps.push_back(packed_step(from, to, source % 2 != 0));
      }
      ++places.levels;
    }
    for (std::uint32_t place = 0; place < stay.size(); ++place)
      for (const bool is_apart : {false, true})
        if (const double times = stay[place][is_apart ? 1 : 0]; times > 0.0)
          places.steps.push_back({place, place, is_apart, times});
    add_alike(steps, places.steps);
    return places;
  }

  static std::uint64_t packed_step(std::uint64_t from, std::uint64_t to, bool is_apart) {
    return from << 32 | to << 1 | (is_apart ? 1 : 0);
  }
  // Many steps are from one place to another one. (To sort them took six times as long.)
  static void add_alike(std::span<const std::uint64_t> packed_steps,
                        std::vector<PlaceSample::Step>& steps) {
    std::vector<std::uint32_t> table(std::bit_ceil(2 * packed_steps.size() + 1));
    std::vector<std::uint64_t> packed;  // of those that are in the table, by number less 1
    const std::size_t first = steps.size();
    for (const std::uint64_t step : packed_steps) {
      std::size_t at = hash_word(step) & (table.size() - 1);
      while (table[at] != 0 && packed[table[at] - 1] != step) at = (at + 1) & (table.size() - 1);
      if (table[at] == 0) {
        packed.push_back(step);
        table[at] = static_cast<std::uint32_t>(packed.size());
        steps.push_back({static_cast<std::uint32_t>(step >> 32),
                         static_cast<std::uint32_t>(step) >> 1, step % 2 != 0, 0.0});
      }
      steps[first + table[at] - 1].times += 1.0;
    }
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
      for (std::size_t i = 0; i < level.states.size(); i += LevelSample::one_of, ++at)
        next.hashes[at] = hash_word(part.hashes[at] ^ (level.states[i][piece.word] & piece.bits));
    next.values = values(next.hashes);
    double crossing = 0.0;
    for (std::size_t i = 0; i < times_.size(); ++i) {
      if ((changed_[piece.word][i] & piece.bits) != 0) next.is_changed[i] = 1;
      crossing += next.is_changed[i] * times_[i];
    }
    next.crossing = crossing / std::max(1.0, steps_);
    return next;
  }

  // By how likely two states of a level are to have the same.
  double values(const std::vector<std::uint64_t>& hashes) {
    double same = 1.0, all = 1.0;  // pairs
    auto from = hashes.begin();
    for (const LevelSample::Level& level : sample_.levels()) {
      const std::size_t size = looked_at(level);
      same += equal_pairs({from, from + static_cast<std::ptrdiff_t>(size)});
      from += static_cast<std::ptrdiff_t>(size);
      all += static_cast<double>(size * (size - 1)) / 2.0;
    }
    return std::log2(all / same);
  }
  // That is asked for thousands of times, and a table tells it quicker than to sort them would.
  double equal_pairs(std::span<const std::uint64_t> hashes) {
    const std::size_t last = seen_.size() - 1;
    double pairs = 0.0;
    ++turn_;
    for (const std::uint64_t hash : hashes) {
      std::size_t at = hash & last;
      while (seen_[at].turn == turn_ && seen_[at].hash != hash) at = (at + 1) & last;
      if (seen_[at].turn != turn_) seen_[at] = {hash, turn_, 0};
      pairs += static_cast<double>(seen_[at].times++);
    }
    return pairs;
  }

  LevelSample sample_;
  std::vector<Piece> pieces_;
  const DivisionTask& task_;
  std::span<const double> shares_;
  // What steps change: the bits, by word and then one for each kind of step, and how many steps.
  std::vector<std::vector<Word>> changed_;
  std::vector<double> times_;
  double steps_ = 0.0;
  struct Seen {
    std::uint64_t hash, turn;
    std::uint32_t times;
  };
  std::vector<Seen> seen_;  // by the lower bits of the hash; twice as many as there may be, or more
  std::uint64_t turn_ = 0;
};

}  // namespace

ChosenDivision choose_division(const Program& program, const DivisionTask& task) {
  const ChosenDivision by_chance{
      {Bits(program.layout.words, ~Word{0}), places_by_share(task.shares)},
      std::numeric_limits<double>::max()};
  LevelSample sample(program, task);
  if (sample.has_failed()) return by_chance;
  try {
    return PartChoice(program, task, std::move(sample)).choose();
  } catch (const std::bad_alloc&) {
    return by_chance;
  }
}

}  // namespace panoptes
