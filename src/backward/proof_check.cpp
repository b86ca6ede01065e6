// SPDX-License-Identifier: Apache-2.0
#include "backward/proof_check.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <cstdlib>
#include <optional>
#include <utility>

#include "base/hash.hpp"

namespace panoptes {
namespace {

// That a proof may add for what it needs.
constexpr Literal most_new_variables = 100'000;

constexpr std::size_t lines_between_looks = 64;  // at the clock, or clauses

// A line of a proof.
struct ProofLine {
  bool is_deletion = false;
  std::vector<Literal> literals;
};

// Reads lines one by one; nothing at the end, or where there is none.
class ProofReader {
 public:
  explicit ProofReader(std::string_view text) : left_(text) {}

  std::optional<ProofLine> next() {
    skip_blanks();
    if (left_.empty()) return {};
    ++line_;
    ProofLine line;
    if (left_.front() == 'd') {
      line.is_deletion = true;
      left_.remove_prefix(1);
    }
    while (true) {
      skip_blanks();
      Literal literal = 0;
      const auto [end, error] = std::from_chars(left_.data(), left_.data() + left_.size(), literal);
      if (error != std::errc() || literal == INT32_MIN) {
        is_broken_ = true;
        return {};
      }
      left_.remove_prefix(static_cast<std::size_t>(end - left_.data()));
      if (literal == 0) return line;
      line.literals.push_back(literal);
    }
  }
  bool is_broken() const { return is_broken_; }
  std::size_t line() const { return line_; }

 private:
  void skip_blanks() {
    while (!left_.empty() && (left_.front() == ' ' || left_.front() == '\n' ||
                              left_.front() == '\r' || left_.front() == '\t'))
      left_.remove_prefix(1);
  }

  std::string_view left_;
  std::size_t line_ = 0;
  bool is_broken_ = false;
};

// Each once; nothing where one is there with its negation.
std::optional<std::vector<Literal>> normal(std::span<const Literal> clause) {
  std::vector<Literal> literals;
  for (const Literal literal : clause) {
    if (std::find(literals.begin(), literals.end(), -literal) != literals.end()) return {};
    if (std::find(literals.begin(), literals.end(), literal) == literals.end())
      literals.push_back(literal);
  }
  return literals;
}

}  // namespace

std::size_t ProofChecker::index_of(Literal literal) {
  return 2 * static_cast<std::size_t>(std::abs(literal)) + (literal < 0 ? 1 : 0);
}

std::uint64_t ProofChecker::hash_of(std::span<const Literal> literals) {
  std::uint64_t hash = literals.size();
  for (const Literal literal : literals)  // in any order
    hash += hash_word(static_cast<std::uint64_t>(std::int64_t{literal}));
  return hash;
}

void ProofChecker::make_room(std::span<const Literal> clause) {
  for (const Literal literal : clause) {
    const std::size_t needed = index_of(std::abs(literal)) + 2;
    if (values_.size() >= needed) continue;
    values_.resize(needed);
    watches_.resize(needed);
  }
}

// ---- unit propagation -------------------------------------------------------------------------

void ProofChecker::assign(Literal literal) {
  values_[index_of(literal)] = 1;
  values_[index_of(-literal)] = -1;
  trail_.push_back(literal);
}

void ProofChecker::undo(std::size_t length) {
  while (trail_.size() > length) {
    values_[index_of(trail_.back())] = values_[index_of(-trail_.back())] = 0;
    trail_.pop_back();
  }
  propagated_ = length;
}

// False where it comes to a contradiction.
bool ProofChecker::propagate() {
  while (propagated_ < trail_.size()) {
    const Literal falsified = -trail_[propagated_++];
    std::vector<ClauseId>& watching = watches_[index_of(falsified)];
    std::size_t kept = 0;
    for (std::size_t i = 0; i < watching.size(); ++i) {
      const ClauseId id = watching[i];
      Clause& clause = clauses_[id];
      if (clause.is_deleted) continue;
      std::vector<Literal>& literals = clause.literals;
      if (literals[0] == falsified) std::swap(literals[0], literals[1]);
      if (is_true(literals[0])) {
        watching[kept++] = id;
        continue;
      }
      const auto other = std::find_if(literals.begin() + 2, literals.end(),
                                      [&](Literal literal) { return !is_false(literal); });
      if (other != literals.end()) {
        std::swap(literals[1], *other);
        watches_[index_of(literals[1])].push_back(id);
        continue;
      }
      watching[kept++] = id;
      if (is_false(literals[0])) {
        while (++i < watching.size()) watching[kept++] = watching[i];
        watching.resize(kept);
        return false;
      }
      assign(literals[0]);
    }
    watching.resize(kept);
  }
  return true;
}

// ---- clauses ----------------------------------------------------------------------------------

// REQUIRES: nothing is assumed.
void ProofChecker::attach(std::vector<Literal>&& literals) {
  // Those that are not false come first, to be watched.
  std::stable_partition(literals.begin(), literals.end(),
                        [&](Literal literal) { return !is_false(literal); });
  const auto id = static_cast<ClauseId>(clauses_.size());
  by_hash_.emplace(hash_of(literals), id);
  if (literals.empty() || is_false(literals[0])) is_contradiction_ = true;
  const bool is_unit = !literals.empty() && (literals.size() == 1 || is_false(literals[1]));
  if (literals.size() > 1) {
    watches_[index_of(literals[0])].push_back(id);
    watches_[index_of(literals[1])].push_back(id);
  }
  const Literal first = literals.empty() ? 0 : literals[0];
  clauses_.push_back({std::move(literals)});
  if (is_contradiction_ || !is_unit || is_true(first)) return;
  assign(first);
  if (!propagate()) is_contradiction_ = true;
}

void ProofChecker::add(std::span<const Literal> clause) {
  make_room(clause);
  for (const Literal literal : clause) last_variable_ = std::max(last_variable_, std::abs(literal));
  if (auto literals = normal(clause)) attach(std::move(*literals));
}

void ProofChecker::remove(std::vector<Literal>&& literals) {
  make_room(literals);
  const auto [first, last] = by_hash_.equal_range(hash_of(literals));
  std::sort(literals.begin(), literals.end());
  for (auto entry = first; entry != last; ++entry) {
    Clause& clause = clauses_[entry->second];
    std::vector<Literal> sorted = clause.literals;
    std::sort(sorted.begin(), sorted.end());
    if (sorted != literals) continue;
    // What has made a literal true stays.
    const bool is_reason = std::count_if(sorted.begin(), sorted.end(),
                                         [&](Literal literal) { return !is_false(literal); }) < 2;
    if (is_reason) return;
    clause.is_deleted = true;
    by_hash_.erase(entry);
    return;
  }
}

// ---- proofs -----------------------------------------------------------------------------------

// Whether its literals cannot all be false. What was assumed for that stays assumed.
bool ProofChecker::contradicts(std::span<const Literal> clause) {
  for (const Literal literal : clause) {
    if (is_true(literal)) return true;
    if (!is_false(literal)) assign(-literal);
  }
  return !propagate();
}

bool ProofChecker::follows(std::span<const Literal> clause, const Deadline& deadline) {
  const std::size_t length = trail_.size();
  const bool does = contradicts(clause);
  undo(length);
  return does || follows_by_resolution(clause, deadline);
}

// Gives up, and says no, where time is over.
bool ProofChecker::follows_by_resolution(std::span<const Literal> clause,
                                         const Deadline& deadline) {
  if (clause.empty()) return false;
  const Literal pivot = clause.front();
  const std::size_t length = trail_.size();
  bool does = true;
  for (std::size_t id = 0; id < clauses_.size() && does; ++id) {
    if (id % lines_between_looks == 0 && deadline.has_passed()) return false;
    const Clause& other = clauses_[id];
    if (other.is_deleted ||
        std::find(other.literals.begin(), other.literals.end(), -pivot) == other.literals.end())
      continue;
    std::vector<Literal> resolvent(clause.begin(), clause.end());
    for (const Literal literal : other.literals)
      if (literal != -pivot) resolvent.push_back(literal);
    does = !normal(resolvent) || contradicts(resolvent);
    undo(length);
  }
  return does;
}

ProofChecker::Answer ProofChecker::check(std::string_view proof, const Deadline& deadline,
                                         std::string& problem) {
  ProofReader reader(proof);
  const auto is_over = [&] {
    if (deadline.has_passed()) problem = "time";
    return !problem.empty();
  };
  while (!is_contradiction_) {
    if (++steps_ % lines_between_looks == 0 && is_over()) return Answer::given_up;
    std::optional<ProofLine> line = reader.next();
    if (!line) {
      problem = reader.is_broken() ? fmt::format("line {} of the proof is none", reader.line())
                                   : "the proof ends without a contradiction";
      return Answer::refused;
    }
    const auto is_too_new = [&](Literal literal) {
      return std::abs(literal) > last_variable_ + most_new_variables;
    };
    if (std::any_of(line->literals.begin(), line->literals.end(), is_too_new)) {
      problem = fmt::format("line {} of the proof has too many variables", reader.line());
      return Answer::refused;
    }
    make_room(line->literals);
    if (line->is_deletion) {
      remove(std::move(line->literals));
      continue;
    }
    auto literals = normal(line->literals);
    if (!literals) continue;  // always true
    if (!follows(line->literals, deadline)) {
      if (is_over()) return Answer::given_up;
      problem = fmt::format("line {} of the proof does not follow", reader.line());
      return Answer::refused;
    }
    attach(std::move(*literals));
  }
  return Answer::proved;
}

}  // namespace panoptes
