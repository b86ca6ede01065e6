// SPDX-License-Identifier: Apache-2.0
// What the author of a model says of something in a comment.
//
// Idea: a comment at the end of a line is about what stands in it, and so are lines of comment
// directly above, as far to the left as that line. Nobody needs a syntax for it. A comment goes on
// in the lines below that have nothing else, in the same column.
//
// How it may be wrong: of several statements in a line each gets the comment.
#pragma once

#include <string>

#include "base/source.hpp"

namespace panoptes {

// The comment at the end of the line in which something ends or begins; "" where there is none.
std::string comment_beside(const SourceSet& sources, Place place);

// That, or else the lines of comment directly above.
std::string comment_of(const SourceSet& sources, Place place);

}  // namespace panoptes
