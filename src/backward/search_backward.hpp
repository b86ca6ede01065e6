// SPDX-License-Identifier: Apache-2.0
// A program searched backwards: every target that check would look for, pruned, then settled by one
// engine or both.
//
// How it can be wrong: not in what it settles. What it cannot settle within its limits is unknown,
// with the reason. It looks for no livelocks and no code that is never executed; that an
// indivisible sequence goes on for ever is excluded by its form (endless.hpp), or unknown.
// Memory that is not there (std::bad_alloc) is such a reason, too, and what was settled before
// stays. Thread safety: one thread, but for `interrupted`.
#pragma once

#include <atomic>
#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "backward/reversed_program.hpp"
#include "rules/finding.hpp"

namespace panoptes {

enum class BackwardEngine : std::uint8_t { automatic, claims, induction };

// Guesses of induction, written down so that another run can begin with them.
struct BackwardCheckpoints {
  std::string known = {};             // what an earlier run has written; "": nothing
  std::function<bool()> is_due = {};  // asked between two guesses
  // Also when an induction is over. What is written is made when it is wanted.
  std::function<void(const std::function<std::string()>&)> write = {};
};

struct BackwardOptions {
  BackwardEngine engine = BackwardEngine::automatic;
  ReceptionPolicy receptions = ReceptionPolicy::blocked;
  bool has_potential = false;           // also every place where everybody may wait, channels empty
  bool wants_proof = false;             // also of what is excluded before any search
  std::vector<std::string> words = {};  // look only at targets that go by all of these
  BackwardLimits limits = {};
  const std::atomic<bool>* interrupted = nullptr;
  std::function<void(const std::string&)> progress = {};  // told what comes next
  const BackwardCheckpoints* checkpoints = nullptr;
};

// What is wrong at the end of a way.
struct BackwardFinding {
  std::vector<RuleId> rules;
  Finding finding;
  StateWords state;
};

struct BackwardOutcome {
  struct Settled {
    Target target;
    Reachability reachability = Reachability::unknown;
    std::string reason = {};                     // unknown, in whole or in part: why
    std::string by = {};                         // what has settled it
    std::vector<BackwardFinding> findings = {};  // reachable
  };
  std::vector<Settled> targets;
  std::string reason = {};  // why there are no targets at all
  // How many were left behind each step of pruning.
  std::vector<std::pair<std::string, std::uint64_t>> left;
  std::uint64_t facts = 0, sample_states = 0, questions = 0, claims = 0;
  std::uint64_t first_guesses = 0;                // of an earlier run
  double seconds = 0.0, processor_seconds = 0.0;  // that it took
  // What excludes all that cannot be reached; nothing where that was not asked for, or there is
  // none.
  std::optional<std::vector<Claim>> invariant;
};

// `reversed`: of the program, for whoever wants to read the invariant.
BackwardOutcome search_backward(ReversedProgram& reversed, const BackwardOptions& options);

}  // namespace panoptes
