// SPDX-License-Identifier: Apache-2.0
#include "cluster/level_sample.hpp"

#include <algorithm>
#include <bit>
#include <new>
#include <utility>

#include "base/hash.hpp"
#include "step/indivisible.hpp"
#include "step/interpreter.hpp"
#include "step/native.hpp"

namespace panoptes {
namespace {

constexpr std::uint64_t sample_seed = 0x51ab5e6d;
constexpr std::size_t most_expanded = 4096;  // of a level
constexpr std::size_t most_states = 80 * most_expanded;

// What is told of a level begins with these: whether there is no memory or time for the next one;
// of states that were expanded alone, their steps, and the rules inside of these; how many hashes
// follow. Behind those come the states that are kept: for each its number, how many steps it has,
// and what each of them changes.
struct Head {
  enum : std::size_t { ends, steps, inside, found, size };
};

std::unique_ptr<Stepper> stepper_for(const Program& program) {
  if (auto native = NativeStepper::make(program)) return in_whole_sequences(std::move(native));
  return in_whole_sequences(std::make_unique<Interpreter>(program));
}

// So many: one by chance out of each stretch of them, so that of what was found from some states
// about the same share remains, on one level after the other.
std::vector<std::size_t> some_of(std::span<const std::uint64_t> hashes, std::size_t most) {
  const std::size_t all = hashes.size(), count = std::min(all, most);
  const auto at = [&](std::size_t i) {
    return hashes.begin() + static_cast<std::ptrdiff_t>(i * all / count);
  };
  std::vector<std::size_t> some;
  for (std::size_t i = 0; i < count; ++i)
    some.push_back(static_cast<std::size_t>(std::min_element(at(i), at(i + 1)) - hashes.begin()));
  return some;
}

std::size_t words_of_known(std::uint64_t sample_bytes) {
  constexpr std::uint64_t least = 128, most = 4 << 20;  // bytes
  return std::bit_floor(std::clamp(sample_bytes / 8, least, most)) / sizeof(Word);
}

// A step as the words it changes: first which ones, a bit for each.
std::size_t masks_for(std::size_t width) { return (width + 63) / 64; }

}  // namespace

LevelSample::LevelSample(const Program& program, const DivisionTask& task)
    : width_(program.layout.words),
      most_kept_(std::clamp<std::size_t>(64 * task.shares.size(), 512, 1024)),
      of_level_(sizeof(Level) + 2 * task.shares.size() * sizeof(double)),
      task_(task),
      stepper_(stepper_for(program)),
      known_(words_of_known(task.sample_bytes)) {
  States level{{width_, {}}, {hash_words(program.initial, sample_seed)}};
  level.states.push_back(program.initial);
  hear_found(level.hashes, 0);
  for (std::size_t states = 0; !has_failed_ && !level.hashes.empty() && states < most_states;) {
    states += level.hashes.size();
    level = expand(level);
  }
}

// Memory is counted alike on every rank, but for what is its own.
bool LevelSample::may_go_on(std::uint64_t more_bytes) const {
  return kept_bytes_ + known_.size() * sizeof(Word) + more_bytes < task_.sample_bytes &&
         !task_.deadline.has_passed();
}

std::optional<std::vector<Numbers>> LevelSample::gather(const Numbers& own) const {
  if (task_.gather) return task_.gather(own);
  return std::vector<Numbers>{own};
}

// The next level, of as many states of this one as there is memory and time for. Who has no memory
// says nothing where it is to say something, and then nobody has a sample: all see that alike.
// (Where nothing more is said, it alone has none.)
LevelSample::States LevelSample::expand(const States& level) {
  States next{{width_, {}}, {}};
  Found own{{width_, {}}, {}};
  try {
    expand_own(level, some_of(level.hashes, most_kept_), own);
  } catch (const std::bad_alloc&) {
    own.told.clear();
  }
  const auto told = gather(own.told);
  const auto is_short = [](const Numbers& its) {
    return its.size() < Head::size || its[Head::found] > its.size() - Head::size;
  };
  has_failed_ = !told || std::ranges::any_of(*told, is_short);
  if (has_failed_) return next;
  bool has_memory = true;
  try {
    hear(level, *told);
  } catch (const std::bad_alloc&) {
    has_memory = false;
  }
  const auto ends = [](const Numbers& its) { return its[Head::ends] != 0; };
  if (std::ranges::none_of(*told, ends)) return choose_next(own, *told, has_memory);
  has_failed_ = !has_memory;
  return next;
}

void LevelSample::expand_own(const States& level, const std::vector<std::size_t>& kept,
                             Found& found) {
  constexpr std::size_t slice = 64;  // of which the first is expanded alone
  const std::size_t all = level.hashes.size(), parts = task_.gather ? task_.lookers : 1;
  const std::size_t begin = all * own_part() / parts, last = all * (own_part() + 1) / parts;
  found.told.assign(Head::size, 0);
  Numbers told_of_kept;
  auto next_kept = std::ranges::lower_bound(kept, begin);
  // All ranks will have twice what each of them tells; about as much as this one.
  const auto bytes = [&] {
    return (found.states.words.size() + 2 * parts * (found.told.size() + told_of_kept.size())) *
           sizeof(Word);
  };
  for (std::size_t i = begin, end = 0; i < last && may_go_on(bytes()); i = end) {
    end = i % slice == 0 ? i + 1 : std::min(last, (i / slice + 1) * slice);
    StateBatch some{width_, {}};
    for (std::size_t at = i; at < end; ++at) some.push_back(level.states[at]);
    findings_.clear();
    stepper_->expand(some, successors_, findings_);
    if (i % slice == 0) {
      found.told[Head::steps] += successors_.size();
      found.told[Head::inside] += successors_.inside.size();
    }
    for (std::size_t s = 0; s < successors_.size(); ++s)
      found.told.push_back(hash_words(successors_.states[s], sample_seed));
    const auto& words = successors_.states.words;
    found.states.words.insert(found.states.words.end(), words.begin(), words.end());
    for (; next_kept != kept.end() && *next_kept < end; ++next_kept)
      tell_kept(*next_kept, level.states[*next_kept], *next_kept - i, told_of_kept);
  }
  found.told[Head::found] = found.states.size();
  found.told[Head::ends] = may_go_on(bytes()) ? 0 : 1;
  found.told.insert(found.told.end(), told_of_kept.begin(), told_of_kept.end());
}

// With its steps, as the stepper has just told them.
void LevelSample::tell_kept(std::size_t number, StateView state, std::size_t at,
                            Numbers& told) const {
  const std::uint32_t begin = successors_.first[at], end = successors_.first[at + 1];
  told.push_back(number);
  told.push_back(end - begin);
  for (std::uint32_t s = begin; s < end; ++s) {
    const StateView successor = successors_.states[s];
    const std::size_t masks = told.size();
    told.resize(masks + masks_for(width_));
    for (std::size_t w = 0; w < width_; ++w) {
      if (successor[w] == state[w]) continue;
      told[masks + w / 64] |= std::uint64_t{1} << w % 64;
      told.push_back(successor[w]);
    }
  }
}

void LevelSample::hear(const States& level, const std::vector<Numbers>& told) {
  hashes_.clear();
  places_.clear();
  levels_.push_back({{width_, {}}, {width_, {}}, {}});
  kept_bytes_ += of_level_;
  std::size_t first = 0;
  for (const Numbers& its : told) {
    const std::span<const std::uint64_t> numbers(its);
    steps_ += static_cast<double>(its[Head::steps]);
    inside_ += static_cast<double>(its[Head::inside]);
    const auto hashes = numbers.subspan(Head::size, its[Head::found]);
    hear_found(hashes, first);
    first += hashes.size();
    hear_kept(level, numbers.subspan(Head::size + hashes.size()));
  }
}

// Where the next one is noted depends on whether this one is new: nobody could foresee it.
void LevelSample::hear_found(std::span<const std::uint64_t> hashes, std::size_t first) {
  std::size_t end = hashes_.size();
  hashes_.resize(end + hashes.size());
  places_.resize(hashes_.size());
  for (std::size_t i = 0; i < hashes.size(); ++i) {
    std::uint64_t& word = known_[place_of(hashes[i], known_.size())];
    const std::uint64_t bit = std::uint64_t{1} << hashes[i] % 64;
    hashes_[end] = hashes[i];
    places_[end] = first + i;
    end += (word & bit) == 0 ? 1 : 0;
    word |= bit;
  }
  hashes_.resize(end);
  places_.resize(end);
}

void LevelSample::hear_kept(const States& level, std::span<const std::uint64_t> told) {
  constexpr std::uint64_t of_step = 100;  // here and where places are divided, beside its state
  Level& kept = levels_.back();
  Bits successor(width_), change(width_);
  const auto take = [&told](std::size_t count) {
    if (told.size() < count) throw InternalFault("what is told of a level is not whole");
    const auto taken = told.first(count);
    told = told.subspan(count);
    return taken;
  };
  while (!told.empty()) {
    const auto head = take(2);
    if (head[0] >= level.states.size()) throw InternalFault("a level has no such state");
    const StateView state = level.states[head[0]];
    const auto number = static_cast<std::uint32_t>(kept.states.size());
    kept.states.push_back(state);
    for (std::uint64_t left = head[1]; left > 0; --left) {
      const auto masks = take(masks_for(width_));
      for (std::size_t w = 0; w < width_; ++w)
        successor[w] = (masks[w / 64] >> w % 64 & 1) == 0 ? state[w] : take(1)[0];
      kept.sources.push_back(number);
      kept.successors.push_back(successor);
      kept_bytes_ += width_ * sizeof(Word) + of_step;
      if (number % one_of != 0) continue;
      for (std::size_t w = 0; w < width_; ++w) change[w] = state[w] ^ successor[w];
      ++changes_[change];
    }
  }
}

// Of what was found and is new, the states of the next level: each tells those it has found.
LevelSample::States LevelSample::choose_next(const Found& own, const std::vector<Numbers>& told,
                                             bool has_memory) {
  States next{{width_, {}}, {}};
  Numbers chosen;
  try {
    std::size_t first = 0;  // of what was found here, among all
    for (std::size_t looker = 0; looker < own_part(); ++looker) first += told[looker][Head::found];
    if (has_memory) chosen.push_back(1);  // in any case
    for (const std::size_t i : some_of(hashes_, most_expanded)) {
      next.hashes.push_back(hashes_[i]);
      if (!has_memory || places_[i] < first || places_[i] - first >= own.states.size()) continue;
      const StateView state = own.states[places_[i] - first];
      chosen.insert(chosen.end(), state.begin(), state.end());
    }
  } catch (const std::bad_alloc&) {
    chosen.clear();
  }
  const auto all = gather(chosen);
  has_failed_ = !all || std::ranges::any_of(*all, &Numbers::empty);
  if (has_failed_) return {{width_, {}}, {}};
  for (const Numbers& its : *all)
    next.states.words.insert(next.states.words.end(), its.begin() + 1, its.end());
  has_failed_ = next.states.words.size() != next.hashes.size() * width_;
  return next;
}

}  // namespace panoptes
