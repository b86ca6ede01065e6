// SPDX-License-Identifier: Apache-2.0
// Every operator over a cube against sets of the standard library, on whatever carries messages
// between its ranks.
//
// All ranks make the same relations, by number, and each takes its part of them; what an operator
// gives is collected at node 0, which compares. So the same checks run in threads and under mpirun.
#pragma once

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <map>
#include <random>
#include <set>
#include <string>
#include <vector>

#include "hypercube/operators.hpp"
#include "support/sample.hpp"

namespace panoptes::test {

using CubeRow = std::vector<std::int64_t>;
using CubeRows = std::vector<CubeRow>;
using CubeBag = std::multiset<CubeRow>;
using CubeSet = std::set<CubeRow>;

// Where the rows of a relation are at first.
enum class Spread { even, skewed, one_node, last_node };

class CubeChecks {
 public:
  explicit CubeChecks(Transport& transport) : cube_(transport) {}

  // What is wrong; at node 0, nothing at the others.
  std::vector<std::string> run() {
    check_ring();
    constexpr std::size_t many = 3 * Cube::packet_bytes / sizeof(std::int64_t) / 3;  // 3 packets
    for (const std::size_t left : {std::size_t{0}, std::size_t{1}, std::size_t{300}})
      for (const std::size_t right : {std::size_t{0}, std::size_t{2}, std::size_t{170}})
        for (const Spread spread : spreads())
          check(left, right, spread, spread == Spread::even ? Spread::last_node : spread);
    check(many, 170, Spread::skewed, Spread::one_node);
    check(40, many, Spread::one_node, Spread::even);
    if (cube_.failed()) complain(*cube_.failure());
    return complaints_;
  }

 private:
  // On larger cubes every day the one in which nodes differ most in what they do.
  std::vector<Spread> spreads() const {
    if (cube_.nodes() > 4 && !has_all_samples()) return {Spread::skewed};
    return {Spread::even, Spread::skewed, Spread::one_node};
  }

  void check(std::size_t left, std::size_t right, Spread left_spread, Spread right_spread) {
    case_ =
        fmt::format("{} and {} rows, spread {} and {}, {} nodes", left, right,
                    static_cast<int>(left_spread), static_cast<int>(right_spread), cube_.nodes());
    const CubeRows r = rows(left, 1 + left), s = rows(right, 7 + right);
    const Tuples mine = part(r, left_spread), other = part(s, right_spread);
    check_balance(r, s, mine, other);
    check_replication(r, mine);
    check_compaction(r, mine);
    check_cycle(r, mine);
    check_select(r, mine);
    check_project(r, mine);
    check_join(r, s, mine, other);
    check_sets(r, s, mine, other);
  }

  // ---- relations -----------------------------------------------------------------------------

  // Three columns; values come again, and so do whole rows.
  static CubeRows rows(std::size_t count, std::uint64_t seed) {
    std::mt19937_64 random(seed);
    CubeRows result;
    for (std::size_t i = 0; i < count; ++i) {
      if (i > 0 && random() % 4 == 0) {
        result.push_back(result[random() % i]);
        continue;
      }
      const auto below = [&](std::uint64_t n) { return static_cast<std::int64_t>(random() % n); };
      result.push_back({below(20), below(7) - 3, below(50)});
    }
    return result;
  }

  Tuples part(const CubeRows& rows, Spread spread) const {
    Tuples tuples(3);
    for (std::size_t i = 0; i < rows.size(); ++i) {
      std::size_t node = i % cube_.nodes();
      if (spread == Spread::skewed && i % 5 != 0) node &= ~std::size_t{1};
      if (spread == Spread::one_node) node = 0;
      if (spread == Spread::last_node) node = cube_.nodes() - 1;
      if (node == cube_.node()) tuples.add(Tuple(rows[i]));
    }
    return tuples;
  }

  static std::uint64_t hash_of(const CubeRow& row) {
    std::uint64_t hash = 0;
    for (const std::int64_t value : row) hash = hash_word(hash ^ static_cast<std::uint64_t>(value));
    return hash;
  }
  static CubeRow as_row(Tuple tuple) { return {tuple.begin(), tuple.end()}; }
  static CubeBag bag(const CubeRows& rows) { return {rows.begin(), rows.end()}; }
  static CubeBag bag(const CubeSet& rows) { return {rows.begin(), rows.end()}; }
  static CubeSet set(const CubeRows& rows) { return {rows.begin(), rows.end()}; }

  // All rows, at node 0.
  CubeBag collected(const Tuples& tuples) {
    const Tuples all = on_cube::collect(cube_, tuples);
    CubeBag result;
    for (std::size_t row = 0; row < all.size(); ++row) result.insert(as_row(all[row]));
    return result;
  }
  // The same with a number before each row.
  CubeBag collected_with(std::int64_t number, const Tuples& tuples) {
    Tuples numbered(tuples.width() + 1);
    for (std::size_t row = 0; row < tuples.size(); ++row) {
      CubeRow values = {number};
      values.insert(values.end(), tuples[row].begin(), tuples[row].end());
      numbered.add(Tuple(values));
    }
    return collected(numbered);
  }

  // Only node 0 has all rows, and reason to find out what is wanted.
  template <typename Wanted>
  void expect(const CubeBag& found, Wanted wanted_of, const char* what) {
    if (cube_.node() != 0) return;
    const CubeBag wanted = wanted_of();
    if (found != wanted)
      complain(fmt::format("{}: {} rows, not {}", what, found.size(), wanted.size()));
  }
  void complain(const std::string& what) {
    if (cube_.node() == 0) complaints_.push_back(case_ + ": " + what);
  }

  // ---- primitives ----------------------------------------------------------------------------

  void check_ring() {
    for (unsigned fixed = 0; fixed <= cube_.dimension(); ++fixed) {
      const CubeRing ring = ring_of(cube_, {fixed, true});
      std::set<unsigned> nodes;
      for (unsigned position = 0; position < ring.size; ++position) {
        nodes.insert(gray_code(position));
        if (gray_position(gray_code(position)) != position) complain("positions of the ring");
      }
      if (nodes.size() != ring.size || *nodes.rbegin() + 1 != ring.size)
        complain("the ring does not visit every node once");
      const unsigned step = ring.next ^ cube_.node();
      if (ring.size > 1 && (step == 0 || (step & (step - 1)) != 0 || step < (1u << fixed)))
        complaints_.push_back("the next node of the ring is no neighbour");
    }
  }

  void check_balance(const CubeRows& r, const CubeRows& s, const Tuples& mine,
                     const Tuples& other) {
    Tuples first = mine, second = other;
    balance(cube_, first, second);
    for (const auto& [tuples, wanted] : {std::pair(&first, &r), {&second, &s}}) {
      expect(
          collected(*tuples), [rows = wanted] { return bag(*rows); }, "balance");
      Tuples count(1);
      count.add(std::array{static_cast<std::int64_t>(tuples->size())});
      const CubeBag counts = collected(count);
      if (cube_.node() != 0) continue;
      const std::int64_t least = counts.begin()->front(), most = counts.rbegin()->front();
      if (most - least > static_cast<std::int64_t>(cube_.dimension()))
        complain(fmt::format("balance: {} to {} rows at a node", least, most));
    }
  }

  // Every partition has all of it, and as many as packets allow.
  void check_replication(const CubeRows& r, const Tuples& mine) {
    Tuples tuples = mine;
    const unsigned steps = replicate(cube_, tuples);
    const unsigned partition = cube_.node() & ((1u << steps) - 1);
    const auto wanted = [&] {
      CubeBag all;
      for (unsigned p = 0; p < 1u << steps; ++p)
        for (const CubeRow& row : r) all.insert({p, row[0], row[1], row[2]});
      return all;
    };
    expect(collected_with(partition, tuples), wanted, "replication");
    const std::uint64_t bytes = r.size() * 3 * sizeof(std::int64_t);
    if (bytes < Cube::packet_bytes && steps != cube_.dimension())
      complain("replication ends too early");
    if (bytes > Cube::packet_bytes * cube_.nodes() && steps != 0)
      complain("replication goes on too long");
  }

  void check_compaction(const CubeRows& r, const Tuples& mine) {
    Tuples tuples = mine;
    remove_local_duplicates(tuples);
    const CubePartition left = compact(cube_, tuples);
    if (left.is_active != ((cube_.node() & ((1u << left.fixed_bits) - 1)) == 0))
      complaints_.push_back("compaction: the wrong nodes take part");
    if (!left.is_active && !tuples.empty()) complaints_.push_back("compaction: rows are left over");
    CubeSet found;
    for (const CubeRow& row : collected(tuples)) found.insert(row);
    const auto wanted = [&] { return bag(set(r)); };
    expect(bag(found), wanted, "compaction");
    if (left.fixed_bits == cube_.dimension()) expect(collected(tuples), wanted, "one node");
  }

  void check_cycle(const CubeRows& r, const Tuples& mine) {
    Tuples seen(3);
    std::size_t packets = 0;
    cycle(cube_, {}, mine, [&](unsigned, const Tuples& rows) {
      seen.add(rows);
      packets += 1;
    });
    std::uint64_t sum = 0, wanted_sum = 0;
    for (std::size_t row = 0; row < seen.size(); ++row) sum += hash_of(as_row(seen[row]));
    for (const CubeRow& row : r) wanted_sum += hash_of(row);
    if (sum != wanted_sum || seen.size() != r.size())
      complaints_.push_back("cycle: not every row comes by once");
    if (packets < cube_.nodes()) complaints_.push_back("cycle: a node is left out");
    // A node lets pass what it does not dislike.
    const auto likes = [&](unsigned node, Tuple row) { return row[2] % 50 != node + 1; };
    const auto wanted = [&] {
      CubeBag all;
      for (const CubeRow& row : r) {
        bool passes = true;
        for (unsigned node = 0; node < cube_.nodes(); ++node) passes = passes && likes(node, row);
        if (passes) all.insert(row);
      }
      return all;
    };
    expect(
        collected(cycle_through(cube_, mine, [&](Tuple row) { return likes(cube_.node(), row); })),
        wanted, "cycle_through");
  }

  // ---- operators -----------------------------------------------------------------------------

  void check_select(const CubeRows& r, const Tuples& mine) {
    const auto wanted = [&] {
      CubeBag all;
      for (const CubeRow& row : r)
        if (row[0] < 10) all.insert(row);
      return all;
    };
    expect(collected(on_cube::select(mine, [](Tuple row) { return row[0] < 10; })), wanted,
           "select");
  }

  void check_project(const CubeRows& r, const Tuples& mine) {
    const auto wanted = [&] {
      CubeSet all;
      for (const CubeRow& row : r) all.insert({row[2], row[0]});
      return bag(all);
    };
    expect(collected(on_cube::project(cube_, mine, {2, 0})), wanted, "project");
    expect(
        collected(on_cube::distinct(cube_, mine)), [&] { return bag(set(r)); }, "distinct");
  }

  void check_join(const CubeRows& r, const CubeRows& s, const Tuples& mine, const Tuples& other) {
    // The first column of the one is the last of the other, and a condition beside.
    const auto wanted = [&] {
      std::multimap<std::int64_t, const CubeRow*> by_last;
      for (const CubeRow& b : s) by_last.emplace(b[2], &b);
      CubeBag all;
      for (const CubeRow& a : r)
        for (auto [at, end] = by_last.equal_range(a[0]); at != end; ++at) {
          const CubeRow& b = *at->second;
          if (a[1] < b[1]) all.insert({a[0], a[1], a[2], b[0], b[1]});
        }
      return all;
    };
    expect(collected(on_cube::join(cube_, mine, other, {{0}, {2}, {0, 1}},
                                   [](Tuple row) { return row[1] < row[4]; })),
           wanted, "join");
    if (r.size() * s.size() > 100'000) return;
    const auto product = [&] {
      CubeBag all;
      for (const CubeRow& a : r)
        for (const CubeRow& b : s) all.insert({a[0], a[1], a[2], b[1]});
      return all;
    };
    expect(collected(on_cube::join(cube_, mine, other, {{}, {}, {1}})), product, "times");
  }

  void check_sets(const CubeRows& r, const CubeRows& s, const Tuples& mine, const Tuples& other) {
    const auto either = [&] {
      CubeSet all = set(r);
      all.insert(s.begin(), s.end());
      return bag(all);
    };
    expect(collected(on_cube::unite(cube_, mine, other)), either, "unite");
    // So that some rows are in both.
    CubeRows both = s;
    both.insert(both.end(), r.begin(), r.begin() + static_cast<std::ptrdiff_t>(r.size() / 3));
    const auto only = [](const CubeRows& some, const CubeRows& others) {
      CubeSet left = set(some);
      for (const CubeRow& row : others) left.erase(row);
      return bag(left);
    };
    const Tuples more = part(both, Spread::skewed);
    expect(
        collected(on_cube::minus(cube_, mine, more)), [&] { return only(r, both); }, "minus");
    expect(
        collected(on_cube::minus(cube_, more, mine)), [&] { return only(both, r); },
        "minus, the other way");
  }

  Cube cube_;
  std::string case_ = "ring";
  std::vector<std::string> complaints_;
};

}  // namespace panoptes::test
