// SPDX-License-Identifier: Apache-2.0
#include "search/arrangement.hpp"

#include <algorithm>
#include <map>
#include <numeric>
#include <utility>

#include "step/interpreter.hpp"

namespace panoptes {
namespace {

constexpr std::uint64_t itself = 0x51, nobody = 0x9d, meant = 0x33, shared = 0x77, alone = 0xb5,
                        column = 0x1f;

std::uint64_t mixed(std::uint64_t a, std::uint64_t b) {
  std::uint64_t x = (a ^ (b + 0x9e3779b97f4a7c15u + (a << 6))) * 0xbf58476d1ce4e5b9u;
  x ^= x >> 29;
  x *= 0x94d049bb133111ebu;
  return x ^ (x >> 32);
}

bool is_less(StateView one, StateView other) {
  return std::lexicographical_compare(one.begin(), one.end(), other.begin(), other.end());
}

}  // namespace

// ---- making ----------------------------------------------------------------------------------

class Arranger::Maker {
 public:
  Maker(const Program& program, const Symmetry& symmetry, Arranger& out)
      : program_(program), symmetry_(symmetry), out_(out) {}

  void make() {
    const Layout& layout = program_.layout;
    out_.fixed_.assign(layout.words, 0);
    for (ProcessId p = 0; p < layout.control.size(); ++p)
      add(layout.control[p], symmetry_.processes[p]);
    for (VariableId v = 0; v < layout.variables.size(); ++v)
      add(layout.variables[v], symmetry_.variables[v]);
    for (std::uint32_t a = 0; a < layout.assertions.size(); ++a)
      add(layout.assertions[a], symmetry_.assertions[a]);
    for (ChannelId c = 0; c < layout.channels.size(); ++c) add_channel(c);
    mark_plain();
    make_targets();
  }

 private:
  void add(const Slot& slot, const Belonging& belonging) {
    if (slot.bits == 0) return;
    if (belonging.first == none && belonging.holds == none) {
      out_.fixed_[slot.word] |= slot.mask() << slot.shift;
      return;
    }
    out_.cells_.push_back({slot.word, slot.shift, slot.mask(), slot.minimum,
                           role(belonging.role, 0), belonging.first, belonging.second,
                           belonging.holds});
    if (belonging.second != none || belonging.holds != none) out_.is_relational_ = true;
  }

  std::uint32_t role(std::uint32_t number, std::uint32_t part) {
    return roles_.try_emplace({number, part}, static_cast<std::uint32_t>(roles_.size()))
        .first->second;
  }

  bool has_numbers(ChannelId c) const {
    for (const auto& fields : symmetry_.fields[c])
      for (const std::uint32_t group : fields)
        if (group != none) return true;
    return false;
  }

  // Whether the bits of one mean the same in the other.
  bool is_laid_out_alike(ChannelId one, ChannelId other) const {
    const ChannelLayout &a = program_.layout.channels[one], &b = program_.layout.channels[other];
    const auto& sort = program_.protocol.channels[one].sort;
    const auto& sort_there = program_.protocol.channels[other].sort;
    const auto same_piece = [](const ChannelPiece& x, const ChannelPiece& y) {
      return x.slots == y.slots;
    };
    const auto same_field = [](const ValueField& x, const ValueField& y) {
      return x.shift == y.shift && x.bits == y.bits && x.minimum == y.minimum;
    };
    return a.tag_bits == b.tag_bits && a.slot_bits == b.slot_bits &&
           std::ranges::equal(a.pieces, b.pieces, same_piece) &&
           std::ranges::equal(sort, sort_there,
                              [](const MessageType& x, const MessageType& y) {
                                return x.name == y.name && x.values.size() == y.values.size();
                              }) &&
           std::ranges::equal(a.tags, b.tags, [&](const auto& x, const auto& y) {
             return std::ranges::equal(x, y, same_field);
           });
  }

  void add_channel(ChannelId c) {
    const ChannelLayout& layout = program_.layout.channels[c];
    const Belonging& belonging = symmetry_.channels[c];
    bool is_plain = true;
    for (ChannelId other = 0; other < symmetry_.channels.size(); ++other)
      if (symmetry_.channels[other].role == belonging.role)
        is_plain = is_plain && !has_numbers(other) && is_laid_out_alike(c, other);
    if (!is_plain) {
      add_queue(c);
      return;
    }
    for (std::uint32_t i = 0; i < layout.pieces.size(); ++i) {
      const ChannelPiece& piece = layout.pieces[i];
      if (belonging.first == none)
        out_.fixed_[piece.word] |= piece.mask;
      else
        out_.cells_.push_back({piece.word, piece.shift, piece.mask >> piece.shift, 0,
                               role(belonging.role, i), belonging.first, none, none});
    }
  }

  void add_queue(ChannelId c) {
    const ChannelLayout& layout = program_.layout.channels[c];
    if (layout.pieces.empty()) return;
    out_.is_relational_ = true;
    Queue queue{role(symmetry_.channels[c].role, 0),
                symmetry_.channels[c].first,
                layout.tag_mask(),
                layout.slot_mask(),
                {},
                {none},
                {},
                {{}}};
    for (const ChannelPiece& piece : layout.pieces)
      for (std::uint32_t i = 0; i < piece.slots; ++i)
        queue.slots.push_back({piece.word, piece.shift + i * layout.slot_bits});
    const auto& sort = program_.protocol.channels[c].sort;
    for (std::uint32_t tag = 1; tag <= sort.size(); ++tag) {
      const auto message = messages_.try_emplace({sort[tag - 1].name, sort[tag - 1].values.size()},
                                                 static_cast<std::uint32_t>(messages_.size()));
      queue.message_of.push_back(message.first->second);
      queue.tag_of.resize(std::max<std::size_t>(queue.tag_of.size(), messages_.size()), none);
      queue.tag_of[message.first->second] = tag;
      auto& fields = queue.fields.emplace_back();
      for (std::size_t i = 0; i < layout.tags[tag - 1].size(); ++i) {
        const ValueField& field = layout.tags[tag - 1][i];
        fields.push_back(
            {field.shift, field.mask(), field.minimum, symmetry_.fields[c][tag - 1][i]});
      }
    }
    out_.queues_.push_back(std::move(queue));
  }

  std::uint32_t group_of(std::uint32_t member) const {
    std::uint32_t group = 0;
    while (group + 1 < symmetry_.first_member.size() && symmetry_.first_member[group + 1] <= member)
      ++group;
    return group;
  }

  void mark_plain() {
    std::map<std::uint32_t, std::pair<const Cell*, bool>> roles;  // a cell, and whether all are so
    for (const Cell& cell : out_.cells_) {
      auto& [first, are_alike] = roles.try_emplace(cell.role, &cell, true).first->second;
      are_alike = are_alike && first->mask == cell.mask && first->minimum == cell.minimum;
    }
    for (Cell& cell : out_.cells_) {
      cell.is_plain = cell.holds == none && roles[cell.role].second;
      cell.is_own = cell.first != none && cell.second == none && cell.holds == none;
    }
  }

  void make_targets() {
    out_.roles_.resize(roles_.size());
    for (std::size_t i = 0; i < out_.cells_.size(); ++i) {
      const Cell& cell = out_.cells_[i];
      make_target(cell.role, cell.first, cell.second, static_cast<std::uint32_t>(i));
    }
    for (std::size_t i = 0; i < out_.queues_.size(); ++i)
      make_target(out_.queues_[i].role, out_.queues_[i].first, none, static_cast<std::uint32_t>(i));
  }

  void make_target(std::uint32_t number, std::uint32_t first, std::uint32_t second,
                   std::uint32_t target) {
    const auto size = [&](std::uint32_t member) {
      return member == none ? 1u
                            : static_cast<std::uint32_t>(symmetry_.groups[group_of(member)].size());
    };
    const auto position = [&](std::uint32_t member) {
      return member == none ? 0 : member - symmetry_.first_member[group_of(member)];
    };
    Role& role = out_.roles_[number];
    if (!known_.contains(number)) {
      known_.emplace(number, true);
      role.begin = static_cast<std::uint32_t>(out_.targets_.size());
      role.stride = size(second);
      out_.targets_.resize(out_.targets_.size() + std::size_t{size(first)} * size(second), none);
    }
    out_.targets_[role.begin + position(first) * role.stride + position(second)] = target;
  }

  const Program& program_;
  const Symmetry& symmetry_;
  Arranger& out_;
  std::map<std::pair<std::uint32_t, std::uint32_t>, std::uint32_t> roles_;
  std::map<std::pair<std::string, std::size_t>, std::uint32_t> messages_;
  std::map<std::uint32_t, bool> known_;
};

Arranger::Arranger(const Program& program, const Symmetry& symmetry)
    : groups_(symmetry.groups), first_member_(symmetry.first_member), members_(symmetry.members()) {
  Maker(program, symmetry, *this).make();
}

// ---- applying --------------------------------------------------------------------------------

std::uint32_t Arranger::member(std::uint32_t holds, std::int64_t value) const {
  const MemberGroup& group = groups_[holds];
  if (value < group.low || value > group.high) return none;
  return first_member_[holds] + static_cast<std::uint32_t>(value - group.low);
}

std::int64_t Arranger::renamed(std::uint32_t holds, std::int64_t value,
                               const Scratch& scratch) const {
  if (holds == none) return value;
  const std::uint32_t who = member(holds, value);
  return who == none ? value : groups_[holds].low + scratch.places_[who];
}

std::uint32_t Arranger::target(std::uint32_t role, std::uint32_t first, std::uint32_t second,
                               const Scratch& scratch) const {
  const Role& all = roles_[role];
  const std::uint32_t row = first == none ? 0 : scratch.places_[first];
  const std::uint32_t place = second == none ? 0 : scratch.places_[second];
  return targets_[all.begin + row * all.stride + place];
}

const Arranger::Cell& Arranger::target(const Cell& cell, const Scratch& scratch) const {
  const std::uint32_t number = target(cell.role, cell.first, cell.second, scratch);
  if (number == none) throw InternalFault("a member has no place for what another one has");
  return cells_[number];
}

Word Arranger::renamed_message(const Queue& from, const Queue& to, Word message,
                               const Scratch& scratch) const {
  const auto tag = static_cast<std::size_t>(message & from.tag_mask);
  const std::uint32_t kind = from.message_of[tag];
  const std::uint32_t tag_there = kind < to.tag_of.size() ? to.tag_of[kind] : none;
  if (tag_there == none) throw InternalFault("a member has no message that another one has");
  Word result = tag_there;
  const auto& fields = from.fields[tag];
  const auto& fields_there = to.fields[tag_there];
  for (std::size_t i = 0; i < fields.size(); ++i) {
    const auto value = static_cast<std::int64_t>((message >> fields[i].shift) & fields[i].mask) +
                       fields[i].minimum;
    const auto bits =
        static_cast<Word>(renamed(fields[i].holds, value, scratch) - fields_there[i].minimum);
    if ((bits & ~fields_there[i].mask) != 0)
      throw InternalFault("a member's message has no room for what another's has");
    result |= bits << fields_there[i].shift;
  }
  return result;
}

void Arranger::apply(StateSpan to, const Scratch& scratch) const {
  std::copy(scratch.fixed_.begin(), scratch.fixed_.end(), to.begin());
  for (std::size_t i = 0; i < cells_.size(); ++i) {
    // Most of them are 0.
    if (cells_[i].is_plain && scratch.values_[i] == cells_[i].minimum) continue;
    const Cell& there = target(cells_[i], scratch);
    const std::int64_t value = renamed(cells_[i].holds, scratch.values_[i], scratch);
    const auto bits = static_cast<Word>(value - there.minimum);
    if ((bits & ~there.mask) != 0)
      throw InternalFault("a member has no room for what another one has");
    to[there.word] |= bits << there.shift;
  }
  for (std::size_t i = 0; i < queues_.size(); ++i) {
    const Queue& there = queues_[target(queues_[i].role, queues_[i].first, none, scratch)];
    for (std::size_t k = 0; k < scratch.messages_[i].size(); ++k)
      to[there.slots[k].word] |=
          renamed_message(queues_[i], there, scratch.messages_[i][k], scratch)
          << there.slots[k].shift;
  }
}

void Arranger::decode(StateView state, Scratch& scratch) const {
  scratch.fixed_.resize(state.size());
  for (std::size_t i = 0; i < state.size(); ++i) scratch.fixed_[i] = state[i] & fixed_[i];
  scratch.values_.resize(cells_.size());
  for (std::size_t i = 0; i < cells_.size(); ++i)
    scratch.values_[i] =
        static_cast<std::int64_t>((state[cells_[i].word] >> cells_[i].shift) & cells_[i].mask) +
        cells_[i].minimum;
  scratch.messages_.resize(queues_.size());
  for (std::size_t i = 0; i < queues_.size(); ++i) {
    scratch.messages_[i].clear();
    for (const Place& slot : queues_[i].slots) {
      const Word message = (state[slot.word] >> slot.shift) & queues_[i].slot_mask;
      if ((message & queues_[i].tag_mask) == 0) break;
      scratch.messages_[i].push_back(message);
    }
  }
}

void Arranger::rearrange(StateView state, std::span<const std::uint32_t> places, StateSpan to,
                         Scratch& scratch) const {
  decode(state, scratch);
  scratch.places_.assign(places.begin(), places.end());
  apply(to, scratch);
}

// ---- colours ---------------------------------------------------------------------------------

// Adds to the colours of those whom a number belongs to, and of whom it means.
void Arranger::paint_value(std::uint64_t salt, std::uint32_t first, std::uint32_t second,
                           std::uint32_t holds, std::int64_t value, Scratch& scratch) const {
  const auto& colours = scratch.colours_;
  auto& sums = scratch.sums_;
  const std::uint32_t who = holds == none ? none : member(holds, value);
  const auto seen_by = [&](std::uint32_t owner) {
    if (holds == none) return static_cast<std::uint64_t>(value);
    if (who == none) return mixed(nobody, static_cast<std::uint64_t>(value));
    return who == owner ? itself : mixed(meant, colours[who]);
  };
  if (first == none) {
    if (who != none) sums[who] += mixed(salt, shared);
    return;
  }
  if (second == none) {
    sums[first] += mixed(salt, seen_by(first));
    if (who != none && who != first) sums[who] += mixed(mixed(salt, meant), colours[first]);
    return;
  }
  if (first == second) {
    sums[first] += mixed(mixed(salt, seen_by(first)), itself);
  } else {
    sums[first] += mixed(mixed(salt, seen_by(first)), colours[second]);
    sums[second] += mixed(mixed(mixed(salt, column), seen_by(second)), colours[first]);
  }
  if (who != none && who != first && who != second)
    sums[who] += mixed(mixed(mixed(salt, meant), colours[first]), colours[second]);
}

void Arranger::paint_queue(std::size_t number, Scratch& scratch) const {
  const Queue& queue = queues_[number];
  const auto& messages = scratch.messages_[number];
  for (std::size_t k = 0; k < messages.size(); ++k) {
    const auto tag = static_cast<std::size_t>(messages[k] & queue.tag_mask);
    const std::uint64_t salt = mixed(mixed(queue.role + 0x10000u, k), queue.message_of[tag]);
    if (queue.first != none) scratch.sums_[queue.first] += salt;
    for (std::size_t i = 0; i < queue.fields[tag].size(); ++i) {
      const Field& field = queue.fields[tag][i];
      const auto value =
          static_cast<std::int64_t>((messages[k] >> field.shift) & field.mask) + field.minimum;
      if (queue.first != none || field.holds != none)
        paint_value(mixed(salt, i), queue.first, none, field.holds, value, scratch);
    }
  }
}

void Arranger::paint(Scratch& scratch) const {
  scratch.sums_.assign(members_, 0);
  for (std::size_t i = 0; i < cells_.size(); ++i) {
    const Cell& cell = cells_[i];
    if (cell.holds == none && scratch.values_[i] == 0) continue;
    if (cell.is_own) {
      scratch.sums_[cell.first] +=
          mixed(cell.role + 1, static_cast<std::uint64_t>(scratch.values_[i]));
      continue;
    }
    paint_value(cell.role + 1, cell.first, cell.second, cell.holds, scratch.values_[i], scratch);
  }
  for (std::size_t i = 0; i < queues_.size(); ++i) paint_queue(i, scratch);
  for (std::size_t m = 0; m < members_; ++m)
    scratch.colours_[m] = mixed(scratch.colours_[m], scratch.sums_[m]);
}

// Members of groups that are no rings, by colour.
bool Arranger::order(Scratch& scratch) const {
  bool has_ties = false;
  const auto& colours = scratch.colours_;
  for (std::size_t g = 0; g < groups_.size(); ++g) {
    if (groups_[g].is_ring) continue;
    const auto begin = scratch.order_.begin() + first_member_[g];
    const auto end = begin + static_cast<std::ptrdiff_t>(groups_[g].size());
    for (auto i = begin; i != end; ++i)  // few, and mostly in order
      for (auto k = i; k != begin && colours[*k] < colours[*(k - 1)]; --k) std::swap(*k, *(k - 1));
    for (auto i = begin + 1; i != end; ++i) has_ties = has_ties || colours[*i] == colours[*(i - 1)];
  }
  return has_ties;
}

// Rounds until no more members are told apart; gives how many colours there are.
std::size_t Arranger::refine(Scratch& scratch) const {
  const auto count = [&] {
    std::size_t different = 0;
    for (std::size_t g = 0; g < groups_.size(); ++g)
      for (std::size_t i = 0; i < groups_[g].size(); ++i) {
        const std::size_t at = first_member_[g] + i;
        different +=
            groups_[g].is_ring || i == 0 ||
            scratch.colours_[scratch.order_[at]] != scratch.colours_[scratch.order_[at - 1]];
      }
    return different;
  };
  for (std::size_t before = count(); before < members_;) {
    paint(scratch);
    if (!order(scratch)) return members_;
    const std::size_t now = count();
    if (now <= before) return now;
    before = now;
  }
  return members_;
}

// ---- the least -------------------------------------------------------------------------------

bool Arranger::find_tie(const Scratch& scratch, std::size_t& begin, std::size_t& end) const {
  for (std::size_t g = 0; g < groups_.size(); ++g) {
    if (groups_[g].is_ring) continue;
    const std::size_t last = first_member_[g] + groups_[g].size();
    for (begin = first_member_[g]; begin + 1 < last; begin = end) {
      const auto colour = [&](std::size_t i) { return scratch.colours_[scratch.order_[i]]; };
      for (end = begin + 1; end < last && colour(end) == colour(begin);) ++end;
      if (end - begin > 1) return true;
    }
  }
  return false;
}

bool Arranger::changes_nothing(std::uint32_t one, std::uint32_t other, Scratch& scratch) const {
  for (std::size_t g = 0; g < groups_.size(); ++g)
    for (std::uint32_t i = 0; i < groups_[g].size(); ++i) scratch.places_[first_member_[g] + i] = i;
  std::swap(scratch.places_[one], scratch.places_[other]);
  for (std::size_t i = 0; i < cells_.size(); ++i) {
    const Cell& cell = cells_[i];
    const std::uint32_t there = target(cell.role, cell.first, cell.second, scratch);
    if (scratch.values_[there] != renamed(cell.holds, scratch.values_[i], scratch)) return false;
  }
  for (std::size_t i = 0; i < queues_.size(); ++i) {
    const std::uint32_t there = target(queues_[i].role, queues_[i].first, none, scratch);
    const auto &from = scratch.messages_[i], &to = scratch.messages_[there];
    if (from.size() != to.size()) return false;
    for (std::size_t k = 0; k < from.size(); ++k)
      if (renamed_message(queues_[i], queues_[there], from[k], scratch) != to[k]) return false;
  }
  return true;
}

// Group by group; those of a ring every way in which their colours are the least sequence.
void Arranger::try_places(Scratch& scratch, std::size_t group) const {
  if (group == groups_.size()) {
    if (++scratch.tries_ > most_tries) return;
    apply(scratch.image_, scratch);
    if (scratch.tries_ > 1 && !is_less(scratch.image_, scratch.best_)) return;
    std::swap(scratch.image_, scratch.best_);
    scratch.best_places_ = scratch.places_;
    return;
  }
  const std::uint32_t first = first_member_[group];
  const auto size = static_cast<std::uint32_t>(groups_[group].size());
  if (!groups_[group].is_ring) {
    for (std::uint32_t i = 0; i < size; ++i) scratch.places_[scratch.order_[first + i]] = i;
    try_places(scratch, group + 1);
    return;
  }
  // -1, 0 or 1: how the colours compare when the ring begins at one or the other.
  const auto compare = [&](std::uint32_t one, std::uint32_t other) {
    for (std::uint32_t i = 0; i < size; ++i) {
      const std::uint64_t a = scratch.colours_[first + (one + i) % size];
      const std::uint64_t b = scratch.colours_[first + (other + i) % size];
      if (a != b) return a < b ? -1 : 1;
    }
    return 0;
  };
  std::uint32_t least = 0;
  for (std::uint32_t start = 1; start < size; ++start)
    if (compare(start, least) < 0) least = start;
  for (std::uint32_t start = 0; start < size; ++start) {
    if (compare(start, least) != 0) continue;
    for (std::uint32_t i = 0; i < size; ++i) scratch.places_[first + i] = (i + size - start) % size;
    try_places(scratch, group + 1);
  }
}

void Arranger::search(Scratch& scratch, std::size_t depth) const {
  if (is_relational_) refine(scratch);
  std::size_t begin = 0, end = 0;
  if (!is_relational_ || scratch.tries_ >= most_tries || !find_tie(scratch, begin, end)) {
    try_places(scratch, 0);
    return;
  }
  bool is_free = true;
  for (std::size_t i = begin; is_free && i + 1 < end; ++i)
    is_free = changes_nothing(scratch.order_[i], scratch.order_[i + 1], scratch);
  if (is_free) {
    for (std::size_t i = begin; i < end; ++i)
      scratch.colours_[scratch.order_[i]] = mixed(scratch.colours_[scratch.order_[i]], i - begin);
    order(scratch);
    search(scratch, depth);
    return;
  }
  if (scratch.kept_.size() <= depth) scratch.kept_.resize(depth + 1);
  scratch.kept_[depth] = scratch.colours_;
  // The order changes below: who they are is found by their colour.
  const std::uint64_t colour = scratch.colours_[scratch.order_[begin]];
  for (std::size_t m = 0; m < members_; ++m) {
    if (scratch.kept_[depth][m] != colour) continue;
    scratch.colours_ = scratch.kept_[depth];
    scratch.colours_[m] = mixed(colour, alone);
    order(scratch);
    search(scratch, depth + 1);
  }
}

void Arranger::arrange(StateView state, StateSpan to, Scratch& scratch) const {
  decode(state, scratch);
  scratch.colours_.resize(members_);
  scratch.places_.resize(members_);
  scratch.image_.resize(state.size());
  scratch.best_.resize(state.size());
  scratch.order_.resize(members_);
  std::iota(scratch.order_.begin(), scratch.order_.end(), 0);
  for (std::size_t g = 0; g < groups_.size(); ++g)
    std::fill_n(scratch.colours_.begin() + first_member_[g], groups_[g].size(), g + 1);
  scratch.tries_ = 0;
  paint(scratch);
  order(scratch);
  search(scratch, 0);
  std::copy(scratch.best_.begin(), scratch.best_.end(), to.begin());
}

}  // namespace panoptes
