// SPDX-License-Identifier: Apache-2.0
// Against `spin -f`, another translator: the same words, and no more states.
#include <gtest/gtest.h>

#include <array>
#include <cstdio>
#include <cstdlib>
#include <map>
#include <memory>
#include <optional>

#include "support/lassos.hpp"
#include "support/sample.hpp"
#include "temporal/degeneralise.hpp"
#include "temporal/translate.hpp"

namespace panoptes {
namespace {

using test::Lasso;

bool has_spin() { return std::system("spin -V >/dev/null 2>&1") == 0; }

// In words that `spin -f` knows: release is V, and there is no weak until and no strong release.
std::string spin_text(const Formula& formula) {
  Formula known;
  std::vector<FormulaId> made;
  for (FormulaNode node : formula.nodes) {
    if (!is_leaf(node.op)) node.a = made[node.a];
    if (is_binary(node.op)) node.b = made[node.b];
    if (node.op == FormulaOp::weak_until)
      node = {FormulaOp::release, node.b, known.binary(FormulaOp::disjunction, node.a, node.b)};
    if (node.op == FormulaOp::strong_release)
      node = {FormulaOp::until, node.b, known.binary(FormulaOp::conjunction, node.a, node.b)};
    known.nodes.push_back(node);
    made.push_back(static_cast<FormulaId>(known.nodes.size() - 1));
  }
  known.root = made[formula.root];
  std::string text = to_text(known, test::atom_names());
  for (std::size_t at = text.find(" R "); at != std::string::npos; at = text.find(" R "))
    text[at + 1] = 'V';
  return text;
}

std::string never_claim(const Formula& formula) {
  const std::string command = "spin -f '" + spin_text(formula) + "' 2>/dev/null";
  const std::unique_ptr<std::FILE, int (*)(std::FILE*)> pipe(popen(command.c_str(), "r"), pclose);
  std::string text;
  std::array<char, 4096> part;
  for (std::size_t size = 0; (size = std::fread(part.data(), 1, part.size(), pipe.get())) > 0;)
    text.append(part.data(), size);
  return text;
}

// A condition over atoms, as C has it, on one position.
class Condition {
 public:
  Condition(std::string_view text, Valuation position) : text_(text), position_(position) {}
  bool holds() { return any(); }

 private:
  bool take(std::string_view word) {
    while (!text_.empty() && text_[0] == ' ') text_.remove_prefix(1);
    if (!text_.starts_with(word)) return false;
    text_.remove_prefix(word.size());
    return true;
  }
  bool any() {
    bool holds = all();
    while (take("||")) holds = all() || holds;
    return holds;
  }
  bool all() {
    bool holds = single();
    while (take("&&")) holds = single() && holds;
    return holds;
  }
  bool single() {
    if (take("!")) return !single();
    if (take("(")) {
      const bool holds = any();
      EXPECT_TRUE(take(")")) << text_;
      return holds;
    }
    if (take("1") || take("true")) return true;
    if (take("0") || take("false")) return false;
    for (std::size_t atom = 0; atom < test::atom_names().size(); ++atom)
      if (take(test::atom_names()[atom])) return (position_ >> atom & 1) != 0;
    ADD_FAILURE() << "no condition: " << text_;
    return false;
  }

  std::string_view text_;
  Valuation position_;
};

// A never claim as an automaton: a state accepts if one of its labels does, and then so do the
// edges out of it. Every edge is for one position.
class NeverClaim {
 public:
  NeverClaim(const std::string& text, unsigned atoms) : positions_(Valuation{1} << atoms) {
    automaton_.mark_count = 1;
    bool is_at_label = false;
    for (std::size_t at = 0; at < text.size();) {
      const std::size_t end = std::min(text.find('\n', at), text.size());
      const std::string line = text.substr(at, end - at);
      at = end + 1;
      if (line.find(':') == line.size() - 1 && !line.empty()) {
        if (!is_at_label) begin_state();
        labels_[line.substr(0, line.size() - 1)] = state_;
        is_accepting_ |= line.starts_with("accept");
        is_at_label = true;
      } else {
        is_at_label = false;
        read(line);
      }
    }
    finish();
  }
  const BuchiAutomaton& automaton() const { return automaton_; }

 private:
  struct Jump {
    BuchiStateId source;
    std::string condition, label;
    bool is_accepting;
  };

  void begin_state() {
    automaton_.edges.emplace_back();
    state_ = static_cast<BuchiStateId>(automaton_.edges.size() - 1);
    is_accepting_ = false;
  }

  void read(const std::string& line) {
    const auto between = [&](std::string_view from, std::string_view to) {
      const std::size_t begin = line.find(from) + from.size();
      return line.substr(begin, line.find(to, begin) - begin);
    };
    if (line == "\tskip") jumps_.push_back({state_, "1", "accept_all", true});
    if (line.find("assert(") != std::string::npos)
      jumps_.push_back({state_, between("atomic {", "->"), "accept_all", is_accepting_});
    else if (line.find("goto ") != std::string::npos)
      jumps_.push_back(
          {state_, between("::", "->"), line.substr(line.find("goto ") + 5), is_accepting_});
  }

  void finish() {
    for (const Jump& jump : jumps_)
      for (Valuation position = 0; position < positions_; ++position)
        if (Condition(jump.condition, position).holds())
          automaton_.edges[jump.source].push_back({labels_.at(jump.label), position,
                                                   positions_ - 1 - position,
                                                   jump.is_accepting ? 1u : 0u});
    if (automaton_.edges.empty()) automaton_.edges.emplace_back();
  }

  const Valuation positions_;
  BuchiAutomaton automaton_;
  BuchiStateId state_ = 0;
  bool is_accepting_ = false;
  std::map<std::string, BuchiStateId> labels_;
  std::vector<Jump> jumps_;
};

std::optional<Lasso> first_difference(const BuchiAutomaton& one, const BuchiAutomaton& other,
                                      const std::vector<Lasso>& lassos) {
  for (const Lasso& lasso : lassos)
    if (accepts(one, lasso) != accepts(other, lasso)) return lasso;
  return {};
}

BuchiAutomaton ours(const Formula& formula) {
  Result<BuchiAutomaton, TranslationFailure> made = translate(formula);
  EXPECT_TRUE(made);
  return made ? degeneralise(*made) : BuchiAutomaton{0, 1, {{}}};
}

const char* const classic_formulas[] = {
    "[] p",
    "<> p",
    "p U q",
    "p W q",
    "[] <> p",
    "<> [] p",
    "[] (p -> <> q)",
    "[] (p -> (q U r))",
    "[] (p -> (q W r))",
    "([] <> p) -> ([] <> q)",
    "([] <> p) && ([] <> q)",
    "(<> [] p) || (<> [] q)",
    "([] <> p) <-> ([] <> q)",
    "(<> p) -> (!p U q)",
    "[] ((p && <> r) -> (!q U r))",
    "(<> p) U ([] q)",
    "p U (q U r)",
    "!(p U (q U r))",
    "([] p) U q",
    "[] ((!p && <> p) -> (q U p))",
    "!([] (p -> <> q))",
    "!([] ((p && <> r) -> (!q U r)))",
    "!(([] <> p) -> ([] (q -> <> r)))",
    "<> (p && <> (q && <> r))",
};

TEST(Spin, HasNoSmallerAutomata) {
  if (!has_spin()) GTEST_SKIP() << "spin is not there";
  const std::vector<Lasso> lassos = test::sample_of(test::sample_of(test::all_lassos(3)));
  std::size_t our_states = 0, its_states = 0;
  for (const char* const text : classic_formulas) {
    const Formula formula = test::formula_of(text);
    const BuchiAutomaton automaton = ours(formula);
    const NeverClaim claim(never_claim(formula), 3);
    EXPECT_LE(automaton.states(), claim.automaton().states()) << text;
    our_states += automaton.states();
    its_states += claim.automaton().states();
    EXPECT_FALSE(first_difference(automaton, claim.automaton(), lassos)) << text;
    std::printf("%2zu states, SPIN has %2zu: %s\n", automaton.states(), claim.automaton().states(),
                text);
  }
  std::printf("%zu states in all, SPIN has %zu\n", our_states, its_states);
  EXPECT_LT(our_states, its_states);
}

TEST(Spin, AcceptsTheSameWords) {
  if (!has_spin()) GTEST_SKIP() << "spin is not there";
  const std::vector<Lasso> lassos = test::all_lassos(2);
  std::size_t compared = 0;
  for (std::uint64_t seed = 1; compared < test::sample_of(300); ++seed) {
    const Formula formula =
        test::random_formula(seed, 2, static_cast<unsigned>(3 + seed % 6), false);
    const std::string claim = never_claim(formula);
    ASSERT_FALSE(claim.empty()) << spin_text(formula);
    ++compared;
    ASSERT_FALSE(first_difference(ours(formula), NeverClaim(claim, 2).automaton(), lassos))
        << claim;
  }
}

}  // namespace
}  // namespace panoptes
