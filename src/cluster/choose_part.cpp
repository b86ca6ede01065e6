// SPDX-License-Identifier: Apache-2.0
#include "cluster/choose_part.hpp"

#include <algorithm>
#include <cmath>
#include <functional>
#include <limits>
#include <map>
#include <memory_resource>
#include <new>
#include <optional>
#include <tuple>
#include <unordered_set>

#include "base/hash.hpp"
#include "cluster/divide_places.hpp"
#include "step/indivisible.hpp"
#include "step/interpreter.hpp"
#include "step/native.hpp"

namespace panoptes {
namespace {

using Bits = std::vector<Word>;

constexpr std::uint64_t sample_seed = 0x51ab5e6d;

// To put a part together, one of so many states of a level is looked at.
constexpr std::size_t one_of = 4;

std::unique_ptr<Stepper> stepper_for(const Program& program) {
  if (auto native = NativeStepper::make(program)) return in_whole_sequences(std::move(native));
  return in_whole_sequences(std::make_unique<Interpreter>(program));
}

// States of the first levels, of a large level a few by chance, and their steps.
class LevelSample {
 public:
  struct Level {
    StateBatch states, successors;
    std::vector<std::uint32_t> sources;  // of each successor, among `states`
  };

  // With so many states of a level that each of sixteen ranks has some of them.
  LevelSample(const Program& program, const DivisionTask& task)
      : width_(program.layout.words),
        most_of_level_(std::clamp<std::size_t>(32 * task.shares.size(), 256, 512)),
        bytes_left_(task.sample_bytes),
        stepper_(stepper_for(program)) {
    constexpr std::size_t levels = 80;
    const std::size_t most_states = levels * most_of_level_;
    StateBatch level{width_, {}};
    level.push_back(program.initial);
    for (std::size_t states = 0;
         !level.empty() && states < most_states && bytes_left_ > 0 && !task.deadline.has_passed();
         level = expand(std::move(level)))
      states += level.size();
  }

  std::size_t width() const { return width_; }
  const std::vector<Level>& levels() const { return levels_; }
  // Rules taken for each step: more than one in indivisible sequences.
  double rules_per_step() const { return 1.0 + inside_ / std::max(1.0, steps_); }
  // How many steps change these bits, and no others.
  const std::map<Bits, std::uint64_t>& changes() const { return changes_; }

 private:
  using Fresh = std::vector<std::pair<std::uint64_t, std::size_t>>;  // hash, successor

  // The next level, of as many states of this one as there is memory for.
  StateBatch expand(StateBatch states) {
    constexpr std::size_t slice = 32;
    Level level{std::move(states), {width_, {}}, {}};
    Fresh fresh;
    for (std::size_t i = 0; i < level.states.size() && bytes_left_ > 0; i += slice)
      expand(level, i, std::min(i + slice, level.states.size()), fresh);
    std::ranges::sort(fresh);
    if (fresh.size() > most_of_level_) fresh.resize(most_of_level_);
    StateBatch next{width_, {}};
    for (const auto& [hash, s] : fresh) next.push_back(level.successors[s]);
    levels_.push_back(std::move(level));
    return next;
  }

  void expand(Level& level, std::size_t begin, std::size_t end, Fresh& fresh) {
    StateBatch some{width_, {}};
    for (std::size_t i = begin; i < end; ++i) some.push_back(level.states[i]);
    findings_.clear();
    stepper_->expand(some, successors_, findings_);
    steps_ += static_cast<double>(successors_.size());
    inside_ += static_cast<double>(successors_.inside.size());
    Bits change(width_);
    for (std::size_t i = begin; i < end; ++i)
      for (std::size_t s = successors_.first[i - begin]; s < successors_.first[i - begin + 1];
           ++s) {
        const StateView state = successors_.states[s];
        if (i % one_of == 0) {
          for (std::size_t w = 0; w < width_; ++w) change[w] = level.states[i][w] ^ state[w];
          ++changes_[change];
        }
        const std::uint64_t hash = hash_words(state, sample_seed);
        if (known_.insert(hash).second) fresh.emplace_back(hash, level.successors.size());
        level.sources.push_back(static_cast<std::uint32_t>(i));
        level.successors.push_back(state);
      }
    // What a step takes, here and where places are divided, beside its state.
    constexpr std::uint64_t of_step = 160;
    const std::uint64_t taken = successors_.size() * (width_ * sizeof(Word) + of_step);
    bytes_left_ -= std::min(bytes_left_, taken);
  }

  std::size_t width_, most_of_level_;
  std::uint64_t bytes_left_;
  std::unique_ptr<Stepper> stepper_;
  std::vector<Level> levels_;
  std::map<Bits, std::uint64_t> changes_;
  std::pmr::monotonic_buffer_resource memory_;
  std::pmr::unordered_set<std::uint64_t> known_{&memory_};  // hashes
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
  PartChoice(const Program& program, const DivisionTask& task)
      : sample_(program, task),
        pieces_(pieces_of(program.layout)),
        task_(task),
        shares_(task.shares) {
    for (const auto& [change, count] : sample_.changes()) steps_ += static_cast<double>(count);
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
    std::vector<std::uint64_t> hashes = {};  // of it, in each state that is looked at
  };

  static std::size_t looked_at(const LevelSample::Level& level) {
    return (level.states.size() + one_of - 1) / one_of;
  }

  Part part_of(Bits bits) const {
    Part part{std::move(bits)};
    for (const LevelSample::Level& level : sample_.levels())
      part.hashes.resize(part.hashes.size() + looked_at(level));
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
    std::vector<PlaceSample::Step> steps;
    for (const LevelSample::Level& level : sample_.levels()) {
      std::vector<std::uint32_t> of_states;
      for (std::size_t i = 0; i < level.states.size(); ++i) {
        const auto place = static_cast<std::uint32_t>(ownership.place_of_state(level.states[i]));
        of_states.push_back(place);
        (i % 2 == 0 ? places.states : places.states_apart).push_back({places.levels, place});
      }
      for (std::size_t s = 0; s < level.sources.size(); ++s)
        steps.push_back({of_states[level.sources[s]],
                         static_cast<std::uint32_t>(ownership.place_of_state(level.successors[s])),
                         level.sources[s] % 2 != 0});
      ++places.levels;
    }
    add_alike(steps, places.steps);
    return places;
  }

  // Many steps are from one place to another one.
  static void add_alike(std::vector<PlaceSample::Step>& steps,
                        std::vector<PlaceSample::Step>& found) {
    const auto key = [](const PlaceSample::Step& step) {
      return std::tuple(step.from, step.to, step.is_apart);
    };
    std::ranges::sort(steps, {}, key);
    for (const PlaceSample::Step& step : steps)
      if (!found.empty() && key(found.back()) == key(step))
        found.back().times += 1.0;
      else
        found.push_back(step);
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
      for (std::size_t i = 0; i < level.states.size(); i += one_of, ++at)
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
      const std::size_t size = looked_at(level);
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
  const DivisionTask& task_;
  std::span<const double> shares_;
  double steps_ = 0.0;
  std::vector<std::uint64_t> level_hashes_;  // scratch
};

}  // namespace

ChosenDivision choose_division(const Program& program, const DivisionTask& task) {
  try {
    return PartChoice(program, task).choose();
  } catch (const std::bad_alloc&) {  // as where an indivisible sequence does not end
    return {{Bits(program.layout.words, ~Word{0}), places_by_share(task.shares)},
            std::numeric_limits<double>::max()};
  }
}

}  // namespace panoptes
