// SPDX-License-Identifier: Apache-2.0
// Is a certificate one? A checker of proofs by induction that shares nothing with the searches that
// find them but the rules and what a claim is.
//
// Three kinds of questions, whose answers must all be no:
//   - is the initial state in one of the claims?
//   - does a step lead from a state in none of them into one? One question for every step of
//     encoding.hpp;
//   - does a state in none of them show a target? One for every target, asked of the error table
//     and the conditions of rules.
// Then no state in a claim can be reached, and no target.
//
// Each is a formula of its own with all that it assumes in it, asked of a solver of its own; and
// the solver is not believed, but its proof checked (proof_check.hpp). So what remains to be
// trusted is the encoding, which is tested against the interpreter, the checker of proofs, and the
// table of rules.
//
// Cost: a formula has gates for one step and the claims that the step's control states leave open;
// and of the claims behind the step, only those on what it changes are asked about, since the
// others were not true before. Seconds for hundreds of rules and a thousand claims.
//
// How it can be wrong: it gives up where time or memory ends. Endless indivisible sequences and
// livelocks are no targets.
#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <string>

#include "backward/certificate.hpp"
#include "base/deadline.hpp"

namespace panoptes {

struct CertifyAnswer {
  enum class Outcome : std::uint8_t { proved, refused, given_up };
  // Refused: what is not as it must be.
  enum class Condition : std::uint8_t {
    nothing,
    program,  // is that of the certificate
    initial,  // state is in no claim
    step,     // leads from none of them into none of them
    target,   // is one of the program, and no state in no claim shows it
  };
  Outcome outcome = Outcome::given_up;
  Condition condition = Condition::nothing;
  std::size_t claim = 0;    // initial, step: which, from 0 on
  RuleId rule = none;       // step: which; none: of waiting
  std::size_t target = 0;   // target: which, from 0 on
  std::string reason = {};  // refused, given up, or of others nothing is known: why
  std::string state = {};   // step, target: a state from which or in which it is so

  // Proved: how many other errors the program may have, as far as the claims tell; nothing where
  // nobody has asked, or it is not known in time.
  std::optional<std::size_t> open = {};

  std::uint64_t questions = 0;    // that were answered
  std::uint64_t clauses = 0;      // of all of them
  std::uint64_t proof_steps = 0;  // that were checked
};

using CertifyProgress = std::function<void(std::size_t questions, std::size_t all)>;

// The claims of the certificate are those of the space, whose program has the same names and
// ranges as this one. `others_under`: when all is proved, it looks at all other errors, too, as
// that policy has them.
CertifyAnswer certify(const Program& program, const Certificate& certificate,
                      const ClaimSpace& space, const Deadline& deadline,
                      const CertifyProgress& progress = {},
                      std::optional<ReceptionPolicy> others_under = {});

}  // namespace panoptes
