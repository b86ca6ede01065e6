// SPDX-License-Identifier: Apache-2.0
// Whether a text of SQL is one question and nothing else.
//
// Idea: the first word, one statement, parentheses that match. What writes in spite of that, the
// engine finds out: questions are asked in a transaction that cannot write.
// How it can be wrong: it knows words, texts, names and comments of SQL, not its grammar. What it
// lets pass the engine still judges.
#pragma once

#include <string>

namespace panoptes {

// In words why it is none; "" where all is well.
std::string why_not_a_question(const std::string& sql);

// Its statement, without the semicolon and the comments behind it, for whoever puts something
// around it. REQUIRES: it is a question.
std::string statement_of(const std::string& sql);

}  // namespace panoptes
