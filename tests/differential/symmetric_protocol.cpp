// SPDX-License-Identifier: Apache-2.0
#include "differential/symmetric_protocol.hpp"

#include <fmt/format.h>

#include <array>
#include <random>
#include <vector>

namespace panoptes::differential {
namespace {

class FamilyWriter {
 public:
  explicit FamilyWriter(std::uint64_t seed) : random_(seed), members_(2 + seed % 3) {}

  std::string text() {
    const bool is_apart = any_of(4);
    std::string out = fmt::format(
        "#define N {}\n"
        "channel request[{}], inbox[0..N - 1][{}]{};\n"
        "var holder : 0..N = N, flag[N] : 0..1;\n",
        members_, 1 + any(2), 1 + any(2), any_of(5) ? " lossy" : "");
    if (any_of(2)) out += "never two[k : 0..N - 1] (holder == k && flag[k] == 0);\n";
    if (any_of(3)) out += "never all (forall (k : 0..N - 1) flag[k]);\n";
    out += "proc node[i : 0..N - 1]\n  var x : 0..2, who : 0..N = N;\n{\n";
    if (any_of(3)) out += "  " + statement() + ";\n";
    out += "end_idle:\n  do\n";
    for (std::uint64_t k = 2 + any(3); k > 0; --k) {
      out += "  :: " + statement();
      for (std::uint64_t more = any(3); more > 0; --more) out += "; " + statement();
      out += "\n";
    }
    out += fmt::format("  :: inbox[i]?hello(who)\n  :: inbox[i]?grant -> {}\n", statement());
    if (is_apart) out += fmt::format("  :: {}\n", apart());
    return out + "  od\n}\n" + server();
  }

 private:
  std::uint64_t any(std::uint64_t below) { return random_() % below; }
  bool any_of(std::uint64_t chances) { return any(chances) == 0; }

  std::string statement() {
    switch (any(14)) {
      case 0: return "x +% 3";
      case 1: return "when (x == 1) flag[i] = 1";
      case 2: return "when (flag[i] == 1 && holder == N) holder = i";
      case 3: return "when (holder == i) holder = N, flag[i] = 0";
      case 4: return "request!ask(i)";
      case 5: return "when (who != N) inbox[who]!grant";
      case 6: return "inbox[*]!hello(i)";
      case 7: return "assert(holder == i || holder == N)";
      case 8: return "when (exists (k : 0..N - 1) k != i && flag[k]) x = 0";
      case 9: return "when (who == i) who = N";
      case 10: return "when (who != i) holder = who";
      case 11: return "when (who != N) flag[who] = 0";
      case 12: return to_anybody();
      default: return "who = N";
    }
  }

  // To any member, by chance.
  std::string to_anybody() {
    std::string out = "if";
    for (std::uint64_t k = 0; k < members_; ++k) out += fmt::format(" :: inbox[{}]!hello(i)", k);
    return out + " fi";
  }

  std::string apart() {
    static constexpr std::array ways{
        "when (i == 0) x = 2",       "when (who < 1) x = 1", "x = i",
        "inbox[(i + 1) % N]!grant",  "holder = 0",           "when (who + 1 == i) x = 0",
        "when (flag[0]) flag[i] = 0"};
    return ways[any(ways.size())];
  }

  std::string server() {
    if (any_of(4))
      return "proc drain { var w : 0..N = N; end_all: do :: request?ask(w); w = N od }\n";
    return fmt::format(
        "proc server\n  var client : 0..N = N;\n{{\nend_wait:\n  do\n"
        "  :: request?ask(client) -> {}inbox[client]!grant; client = N\n  od\n}}\n",
        any_of(2) ? "(holder == N); holder = client; " : "");
  }

  std::mt19937_64 random_;
  std::uint64_t members_;
};

class PairWriter {
 public:
  explicit PairWriter(std::uint64_t seed) : random_(seed), members_(seed % 5 == 0 ? 3 : 2) {}

  std::string text() {
    std::string out = fmt::format(
        "#define N {}\n"
        "channel hub[1], up[0..N - 1][{}], down[0..N - 1][1], across[0..N - 1][1];\n"
        "var turn : 0..1;\n",
        members_, 1 + any(2));
    out += "proc left[i : 0..N - 1] var x : 0..2; {\nend_idle:\n  do\n";
    for (std::uint64_t k = 1 + any(2); k > 0; --k)
      out += fmt::format("  :: {}up[i]!m; {}down[i]?n{}\n", own(), own(), last());
    out += "  :: across[i]?m\n  od\n}\nproc right[i : 0..N - 1] var x : 0..2; {\nend_idle:\n  do\n";
    for (std::uint64_t k = 1 + any(2); k > 0; --k)
      out += fmt::format("  :: up[i]?m; {}{}; down[i]!n{}\n", own(), shared(), last());
    return out + "  od\n}\nproc server { do :: hub?ask od }\n";
  }

 private:
  std::uint64_t any(std::uint64_t below) { return random_() % below; }

  // What is nobody else's business.
  std::string own() {
    switch (any(4)) {
      case 0: return "x +% 3; ";
      case 1: return "if :: (x == 1) -> x = 0 :: else fi; ";
      case 2: return "if :: x = 1 :: x = 2 fi; ";
      default: return "if :: x = 0 :: up[i]!k fi; ";
    }
  }
  std::string last() { return any(2) == 0 ? "; x +% 3" : "; if :: x = 0 :: x = 1 fi"; }

  std::string shared() {
    switch (any(4)) {
      case 0: return "hub!ask";
      case 1: return "turn = 1";
      case 2: return "when (turn == 0) turn = 1; turn = 0";
      default: break;
    }
    std::string out = "if";
    for (std::uint64_t k = 0; k < members_; ++k) out += fmt::format(" :: across[{}]!m", k);
    return out + " fi";
  }

  std::mt19937_64 random_;
  std::uint64_t members_;
};

}  // namespace

std::string symmetric_protocol(std::uint64_t seed) { return FamilyWriter(seed).text(); }

std::string symmetric_pairs(std::uint64_t seed) { return PairWriter(seed).text(); }

}  // namespace panoptes::differential
