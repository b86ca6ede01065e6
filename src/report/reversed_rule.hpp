// SPDX-License-Identifier: Apache-2.0
// A rule backwards, in words: what a search does that comes from behind it and goes on before it.
//
// Its parts are read from left to right. Each changes what is claimed of the state:
//   ~c!m(x)              a receive: m is put into ~c, the pseudo queue of channel c, which is first
//                        in, first out as c is, and has the messages of c in the opposite order
//   ~c?m(e)              a send: m is taken from there
//   claim e              a condition: e holds, beside all that is claimed already
//   claim x == e         an assignment: this conflicts with other claims on x, or it does not ...
//   forget x             ... and what x was before may be anything
//   x--                  x = x + 1, and other arithmetic that can be undone
//   x such that e == x'  any other: x' is what x has been until here
//   no way back: ...     the rule fires into an error and leads nowhere
//
// How it may be wrong: as in every text of an expression, nothing says where a value wraps around.
// Thread safety: a function of its arguments.
#pragma once

#include <string>

#include "rules/program.hpp"

namespace panoptes {

// As the table of `process` has it, which is one of those that the rule moves.
std::string reversed_text(const Program& program, RuleId rule, ProcessId process);

}  // namespace panoptes
