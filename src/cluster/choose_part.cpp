// SPDX-License-Identifier: Apache-2.0
#include "cluster/choose_part.hpp"

#include <algorithm>
#include <array>
#include <bit>
#include <cmath>
#include <functional>
#include <limits>
#include <map>
#include <new>
#include <optional>

#include "base/hash.hpp"
#include "cluster/divide_places.hpp"
#include "step/indivisible.hpp"
#include "step/interpreter.hpp"
#include "step/native.hpp"
#include "store/word_table.hpp"

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

// States of the first levels, of a large level some by chance, and the steps of a part of these.
class LevelSample {
 public:
  struct Level {
    StateBatch states, successors;
    std::vector<std::uint32_t> sources;  // of each successor, among `states`
  };

  // With so many states of a level that each of sixteen ranks has some of them.
  LevelSample(const Program& program, const DivisionTask& task)
      : width_(program.layout.words),
        most_kept_(std::clamp<std::size_t>(64 * task.shares.size(), 512, 1024)),
        of_level_(sizeof(Level) + 2 * task.shares.size() * sizeof(double)),
        task_(task),
        stepper_(stepper_for(program)) {
    constexpr std::size_t most_states = 80 * most_expanded;
    States level{{width_, {}}, {}};
    level.push_back(program.initial, hash_words(program.initial, sample_seed));
    is_new_.resize(1);
    known_.insert(level.hashes, is_new_);
    for (std::size_t states = 0; !level.hashes.empty() && states < most_states && may_go_on();
         level = expand(level))
      states += level.hashes.size();
  }

  std::size_t width() const { return width_; }
  const std::vector<Level>& levels() const { return levels_; }
  // Rules taken for each step: more than one in indivisible sequences. A rule inside of one is told
  // once, however many states are expanded at once; so those that are expanded alone are counted.
  double rules_per_step() const { return 1.0 + inside_ / std::max(1.0, steps_); }
  // How many steps change these bits, and no others.
  const std::map<Bits, std::uint64_t>& changes() const { return changes_; }

 private:
  static constexpr std::size_t most_expanded = 4096;  // of a level

  struct States {
    StateBatch states;
    std::vector<std::uint64_t> hashes;

    void push_back(StateView state, std::uint64_t hash) {
      states.push_back(state);
      hashes.push_back(hash);
    }
  };

  // Memory is counted alike on every rank: what is known takes about so much.
  bool may_go_on() const {
    constexpr std::uint64_t of_known = 2 * sizeof(Word);
    const std::uint64_t of_fresh = (width_ + 1) * sizeof(Word);
    return kept_bytes_ + known_.size() * of_known + fresh_.hashes.size() * of_fresh <
               task_.sample_bytes &&
           !task_.deadline.has_passed();
  }

  // The next level, of as many states of this one as there is memory and time for.
  States expand(const States& level) {
    constexpr std::size_t slice = 64;  // of which the first is expanded alone
    const std::vector<std::size_t> kept = some_of(level, most_kept_);
    levels_.push_back({{width_, {}}, {width_, {}}, {}});
    kept_bytes_ += of_level_;
    auto next_kept = kept.begin();
    for (std::size_t i = 0, end = 0; i < level.hashes.size() && may_go_on(); i = end) {
      end = std::min(i % slice == 0 ? i + 1 : i + slice - 1, level.hashes.size());
      expand(level.states, i, end);
      for (; next_kept != kept.end() && *next_kept < end; ++next_kept)
        keep(level.states[*next_kept], *next_kept - i);
    }
    States next{{width_, {}}, {}};
    for (const std::size_t i : some_of(fresh_, most_expanded))
      next.push_back(fresh_.states[i], fresh_.hashes[i]);
    fresh_ = {{width_, {}}, {}};
    return next;
  }

  // What is found from them and was not found before is fresh.
  void expand(const StateBatch& states, std::size_t begin, std::size_t end) {
    StateBatch some{width_, {}};
    for (std::size_t i = begin; i < end; ++i) some.push_back(states[i]);
    findings_.clear();
    stepper_->expand(some, successors_, findings_);
    if (end - begin == 1) {
      steps_ += static_cast<double>(successors_.size());
      inside_ += static_cast<double>(successors_.inside.size());
    }
    hashes_.clear();
    for (std::size_t s = 0; s < successors_.size(); ++s)
      hashes_.push_back(hash_words(successors_.states[s], sample_seed));
    is_new_.resize(hashes_.size());
    known_.insert(hashes_, is_new_);
    for (std::size_t s = 0; s < successors_.size(); ++s)
      if (is_new_[s] != 0) fresh_.push_back(successors_.states[s], hashes_[s]);
  }

  // With its steps, as the stepper has just told them.
  void keep(StateView state, std::size_t at) {
    Level& level = levels_.back();
    const auto number = static_cast<std::uint32_t>(level.states.size());
    level.states.push_back(state);
    const std::uint32_t begin = successors_.first[at], end = successors_.first[at + 1];
    Bits change(width_);
    for (std::uint32_t s = begin; s < end; ++s) {
      const StateView successor = successors_.states[s];
      level.sources.push_back(number);
      level.successors.push_back(successor);
      if (number % one_of != 0) continue;
      for (std::size_t w = 0; w < width_; ++w) change[w] = state[w] ^ successor[w];
      ++changes_[change];
    }
    // What a step takes, here and where places are divided, beside its state.
    constexpr std::uint64_t of_step = 100;
    kept_bytes_ += (end - begin) * (width_ * sizeof(Word) + of_step);
  }

  // So many: one by chance out of each stretch of them, so that of what was found from some states
  // about the same share remains, on one level after the other.
  static std::vector<std::size_t> some_of(const States& level, std::size_t most) {
    const std::size_t all = level.hashes.size(), count = std::min(all, most);
    const auto at = [&](std::size_t i) {
      return level.hashes.begin() + static_cast<std::ptrdiff_t>(i * all / count);
    };
    std::vector<std::size_t> some;
    for (std::size_t i = 0; i < count; ++i)
      some.push_back(
          static_cast<std::size_t>(std::min_element(at(i), at(i + 1)) - level.hashes.begin()));
    return some;
  }

  std::size_t width_, most_kept_, of_level_;
  const DivisionTask& task_;
  std::uint64_t kept_bytes_ = 0;
  std::unique_ptr<Stepper> stepper_;
  std::vector<Level> levels_;
  States fresh_{{width_, {}}, {}};  // of the next level
  std::map<Bits, std::uint64_t> changes_;
  WordTable known_;  // hashes
  double steps_ = 0.0, inside_ = 0.0;
  SuccessorBatch successors_;
  std::vector<Finding> findings_;
  std::vector<std::uint64_t> hashes_;  // of successors
  std::vector<std::uint8_t> is_new_;
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
    return (level.states.size() + one_of - 1) / one_of;
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

  // Numbers are sorted much quicker than steps.
  static std::uint64_t packed_step(std::uint64_t from, std::uint64_t to, bool is_apart) {
    return from << 32 | to << 1 | (is_apart ? 1 : 0);
  }
  // Many steps are from one place to another one.
  static void add_alike(std::vector<std::uint64_t>& packed_steps,
                        std::vector<PlaceSample::Step>& steps) {
    std::ranges::sort(packed_steps);
    std::optional<std::uint64_t> last;
    for (const std::uint64_t step : packed_steps) {
      if (step == last)
        steps.back().times += 1.0;
      else
        steps.push_back({static_cast<std::uint32_t>(step >> 32),
                         static_cast<std::uint32_t>(step) >> 1, step % 2 != 0});
      last = step;
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
      for (std::size_t i = 0; i < level.states.size(); i += one_of, ++at)
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
  try {
    return PartChoice(program, task).choose();
  } catch (const std::bad_alloc&) {  // as where an indivisible sequence does not end
    return {{Bits(program.layout.words, ~Word{0}), places_by_share(task.shares)},
            std::numeric_limits<double>::max()};
  }
}

}  // namespace panoptes
