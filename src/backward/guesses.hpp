// SPDX-License-Identifier: Apache-2.0
// What a proof by induction has guessed so far, as bytes, so that another run can begin with it.
//
// Idea: claims are written as certificates have them (certificate.hpp), by names and places of the
// model's text. Where a line was added to that they would say something else, and are not read.
//
// How it can be wrong: not at all in what it proves. A guess that is none, or was changed, is
// closed by the rules like any other, or given up.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "backward/claims.hpp"

namespace panoptes {

// What an induction excludes at some moment, which its sample does not contradict, and how often
// the sample has grown. An induction that begins with it need not guess the same again.
struct Guesses {
  std::uint64_t growths = 0;
  std::vector<Claim> claims = {};
};

// Of several inductions.
std::string write_guesses(const std::vector<Guesses>& guesses, const ClaimSpace& space);
// What cannot be read is left as it is: bytes of another program, of another version, or "".
void read_guesses(std::string_view bytes, ClaimSpace& space, std::vector<Guesses>& guesses);

}  // namespace panoptes
