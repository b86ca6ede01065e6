// SPDX-License-Identifier: Apache-2.0
#include "store/tree.hpp"

#include <algorithm>
#include <atomic>
#include <bit>
#include <vector>

#include "base/hash.hpp"

namespace panoptes {

// Nodes of one level that differ from the source's, and their words, whose numbers are looked up.
struct Tree::Changes {
  struct Place {
    std::uint32_t state;
    std::uint32_t node;
  };
  Buffer<Place> places;
  Buffer<Word> words;

  void resize(std::size_t size) {
    places.resize(size);
    words.resize(size);
  }
};

// The numbers a thread has seen lately. States of one batch have most of their words in common, and
// this fits into the processor's cache, where the table of nodes does not. (With a quarter of the
// entries, too little was found in it to be worth the looking.)
class Tree::Memo {
 public:
  // Forgets what another tree left here.
  void belong_to(std::uint64_t tree) {
    if (tree_ == tree) return;
    tree_ = tree;
    entries_.assign(std::size_t{1} << entry_bits, {0, 0});
  }
  // 0: not known.
  std::uint32_t find(Word word) const {
    const Entry& entry = entries_[place(word)];
    return entry.word == word ? entry.number : 0;
  }
  void keep(Word word, std::uint32_t number) { entries_[place(word)] = {word, number}; }

 private:
  static constexpr unsigned entry_bits = 14;
  struct Entry {
    Word word;
    std::uint32_t number;
  };
  static std::size_t place(Word word) { return (word * 0x9e3779b97f4a7c15u) >> (64 - entry_bits); }

  std::uint64_t tree_ = 0;
  std::vector<Entry> entries_;
};

struct Tree::Scratch {
  Changes deep, shallow;  // words on the deepest level, and on the one above
  Memo memo;
  Buffer<Word> unknown;           // words the memo does not know ...
  Buffer<std::uint32_t> places;   // ... where they are among the changes
  Buffer<std::uint32_t> numbers;  // ... and their numbers
};

namespace {

std::atomic<std::uint64_t> trees{0};  // ever made in this program

}  // namespace

Tree::Tree(std::size_t width, unsigned threads, MemoryBudget* budget, Growth growth)
    : width_(width),
      first_deep_(std::bit_ceil(width)),
      notes_(2 * width - 2),
      note_of_(2 * first_deep_),
      is_word_(2 * first_deep_),
      id_(++trees),
      nodes_(threads, budget, growth) {
  // Of the nodes above the deepest level, as many have two words as there are words too many.
  const auto above = static_cast<std::uint32_t>(first_deep_ / 2);
  const std::size_t pairs = width - above;
  for (std::uint32_t i = 0; i < above; ++i) {
    const bool is_pair = (i + 1) * pairs / above > i * pairs / above;
    if (is_pair)
      word_nodes_.insert(word_nodes_.end(), {2 * (above + i), 2 * (above + i) + 1});
    else
      word_nodes_.push_back(above + i);
  }
  for (const std::uint32_t node : word_nodes_) is_word_[node] = true;
  // Inner nodes first, so that siblings have their notes side by side.
  std::uint32_t note = 0;
  for (std::uint32_t node = 2; node < 2 * first_deep_; ++node) {
    if (node < 2 * above || is_word_[node]) note_of_[node] = note++;
  }
}

void Tree::roots(SuccessorBatch& batch, const StateBatch& sources, Buffer<Word>& roots) {
  static thread_local Scratch scratch;
  scratch.memo.belong_to(id_);
  batch.states.notes.resize(batch.size() * notes_);
  find_changes(batch, sources, scratch);
  Changes& changes = scratch.deep;
  for (std::size_t first = first_deep_; first > 1; first /= 2) {
    if (first == first_deep_ / 2) {
      changes.places.insert(changes.places.end(), scratch.shallow.places.begin(),
                            scratch.shallow.places.end());
      changes.words.insert(changes.words.end(), scratch.shallow.words.begin(),
                           scratch.shallow.words.end());
    }
    number(changes, batch, scratch);
    climb(changes, batch);
  }
  roots.resize(batch.size());
  const std::uint32_t* notes = batch.states.notes.data();
  for (std::size_t i = 0; i < batch.size(); ++i, notes += notes_)
    roots[i] = notes[0] != 0 && notes[1] != 0 ? (Word{notes[0]} << 32) | notes[1]
                                              : hash_words(batch.states[i]);
}

// The words of each state that are not its source's; all of them where the source is not known.
void Tree::find_changes(SuccessorBatch& batch, const StateBatch& sources, Scratch& scratch) const {
  const bool has_notes = !sources.notes.empty();
  scratch.deep.resize(batch.size() * width_);
  scratch.shallow.resize(batch.size() * width_);
  std::size_t deep = 0, shallow = 0;
  for (std::size_t source = 0; source + 1 < batch.first.size(); ++source)
    for (std::uint32_t i = batch.first[source]; i < batch.first[source + 1]; ++i) {
      const StateView state = batch.states[i];
      const Word* old = has_notes ? sources[source].data() : nullptr;
      if (has_notes)
        std::copy_n(sources.notes.data() + source * notes_, notes_,
                    batch.states.notes.data() + i * notes_);
      for (std::size_t w = 0; w < width_; ++w) {
        if (old && state[w] == old[w]) continue;
        const bool is_deep = word_nodes_[w] >= first_deep_;
        Changes& changes = is_deep ? scratch.deep : scratch.shallow;
        std::size_t& count = is_deep ? deep : shallow;
        changes.places[count] = {i, word_nodes_[w]};
        changes.words[count++] = state[w];
      }
    }
  scratch.deep.resize(deep);
  scratch.shallow.resize(shallow);
}

void Tree::number(const Changes& changes, SuccessorBatch& batch, Scratch& scratch) {
  std::uint32_t* notes = batch.states.notes.data();
  const auto note = [&](std::size_t i, std::uint32_t number) {
    notes[changes.places[i].state * notes_ + note_of_[changes.places[i].node]] = number;
  };
  scratch.unknown.resize(changes.words.size());
  scratch.places.resize(changes.words.size());
  std::size_t unknown = 0;
  // In a closed table, a node above one without a number has none either.
  const bool may_lack = nodes_.is_closed();
  for (std::size_t i = 0; i < changes.words.size(); ++i) {
    if (may_lack && !is_word_[changes.places[i].node] &&
        (changes.words[i] >> 32 == 0 || static_cast<std::uint32_t>(changes.words[i]) == 0)) {
      note(i, 0);
      continue;
    }
    const std::uint32_t number = scratch.memo.find(changes.words[i]);
    note(i, number);
    scratch.unknown[unknown] = changes.words[i];
    scratch.places[unknown] = static_cast<std::uint32_t>(i);
    unknown += number == 0;
  }
  scratch.unknown.resize(unknown);
  scratch.numbers.resize(unknown);
  nodes_.number(scratch.unknown, scratch.numbers);
  for (std::size_t i = 0; i < unknown; ++i) {
    note(scratch.places[i], scratch.numbers[i]);
    if (scratch.numbers[i] != 0) scratch.memo.keep(scratch.unknown[i], scratch.numbers[i]);
  }
}

// From nodes to those above them, once each. (A node whose children are words of two levels may
// come twice, which does no harm.)
void Tree::climb(Changes& changes, const SuccessorBatch& batch) const {
  const std::uint32_t* notes = batch.states.notes.data();
  std::size_t kept = 0;
  for (const Changes::Place& place : changes.places) {
    const std::uint32_t above = place.node / 2;
    if (above == 1) continue;
    if (kept > 0 && changes.places[kept - 1].state == place.state &&
        changes.places[kept - 1].node == above)
      continue;
    const std::uint32_t* children = notes + place.state * notes_ + note_of_[std::size_t{above} * 2];
    changes.places[kept] = {place.state, above};
    changes.words[kept++] = (Word{children[0]} << 32) | children[1];
  }
  changes.resize(kept);
}

}  // namespace panoptes
