// SPDX-License-Identifier: Apache-2.0
// A proof that errors cannot happen, as a text: which program it is of, which errors, and claims
// (claims.hpp) in which no reachable state is. That no state is in any of them is an inductive
// invariant: whoever doubts it asks certify() (certify.hpp), which needs nothing of the search that
// has found it.
//
//   panoptes certificate 1
//   version 0.9.0
//   model models/x.argos
//   program 0123456789abcdef
//   places 0123456789abcdef
//   option timeouts lock
//   target deadlock
//   target unspecified_reception process receiver state 50:27 channel receiver message setup
//   never
//     sender at 25:25, 31:3
//     x in {1..3, 7}
//     channel line begins setup(1..2, any), okay and has 0 to 2 more
//     assertion order at 3
//     alone sender
//   digest <SHA-256 of all lines before this one, as sha256sum prints it>
//
// Every line is a fact, and every `never` a set of states: those of which all lines below it are
// true. A name that two have is followed by `#` and its number, one that is no word is its number
// alone; so what was written is what is read. Control characters of file names and values are
// written as \n, \x1b and the like.
//
// How it can be wrong: a certificate that can be read proves nothing. A digest tells of damage, not
// of intent: everybody can make another.
#pragma once

#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "backward/claims.hpp"
#include "backward/targets.hpp"
#include "base/result.hpp"

namespace panoptes {

struct Certificate {
  std::string version;      // of the program that made it (base/version.hpp)
  std::string model;        // its file, as it was given
  std::string fingerprint;  // of its rules: see fingerprint_text()
  std::vector<std::pair<std::string, std::string>> options = {};  // names and values
  std::vector<Target> targets = {};                               // that cannot be reached, ...
  std::vector<Claim> excluded = {};                               // ... since no state is in these
  std::string places = {};  // of its control states in the text: see places_text(); "" not said
};

struct CertificateProblem {
  std::size_t line = 0, column = 0;  // from 1 on; a column is a byte
  std::string message;
};

// What certificates may have at most.
struct CertificateLimits {
  static constexpr std::size_t bytes = std::size_t{64} << 20;
  static constexpr std::size_t claims = 1'000'000;
  static constexpr std::size_t claim_numbers = 100'000'000;  // of all claims together
};

// The fingerprint of a program (rules/fingerprint.hpp) in hexadecimal digits.
std::string fingerprint_text(const Program& program);
// The same of the words by which certificates name control states. They are places in a text, and
// others when a line was added to it, although the rules are the same.
std::string places_text(const Program& program);

// The claims are those of the space, the targets those of its program.
std::string write_certificate(const Certificate& certificate, const ClaimSpace& space);

// Any bytes may be given: they are read or refused. The program of the space must be the one that
// the certificate is of.
Result<Certificate, CertificateProblem> read_certificate(std::string_view text, ClaimSpace& space);
// All but targets and claims: what it takes to load the model that those are about.
Result<Certificate, CertificateProblem> read_certificate_head(std::string_view text);

}  // namespace panoptes
