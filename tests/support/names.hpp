// SPDX-License-Identifier: Apache-2.0
// A model whose parts are called whatever the grammar allows: words of SQL, of dot, of Mermaid and
// of PlantUML, names that differ in the case of letters only, very long ones, and families with
// negative indices. A token goes once through all of them, and the last asserts what is not so.
#pragma once

#include <string>
#include <vector>

namespace panoptes::test {

inline std::vector<std::string> strange_words() {
  return {"select",
          "SELECT",
          "Select",
          "order",
          "table",
          "states",
          "state",
          "depth",
          "rules",
          "is_end",
          "end",
          "node",
          "graph",
          "digraph",
          "edge",
          "strict",
          "subgraph",
          "participant",
          "actor",
          "activate",
          "note",
          "Note",
          "loop",
          "alt",
          "box",
          "null",
          "nan",
          "__proto__",
          "constructor",
          "panoptes",
          "path_to",
          "goal",
          "rowid",
          "ctid",
          "user",
          "current_date",
          "lambda",
          "as",
          "over",
          "script",
          "title",
          "legend",
          "channel",
          "proc",
          "len",
          "default_",
          "timeout_",
          "high",
          "startuml",
          "lane",
          "lane_minus_1",
          "lane_0",
          "x__y",
          std::string(300, 'l'),
          std::string(299, 'l') + "m",
          std::string(300, 'L')};
}

// Some of each kind, for what takes long.
inline std::vector<std::string> few_strange_words() {
  return {"select",
          "SELECT",
          "lane",
          "lane_minus_1",
          "end",
          std::string(300, 'l'),
          std::string(299, 'l') + "m"};
}

inline std::string strange_names(const std::vector<std::string>& words = strange_words()) {
  std::string text;
  for (std::size_t i = 0; i < words.size(); ++i) {
    const std::string& name = words[i];
    const std::string next = i + 1 < words.size() ? words[i + 1] + "[-1]!" + words[i + 1] + "(1)"
                                                  : "assert(" + name + " == 2)";
    text += "channel " + name + "[-1..0][1];\nproc " + name + "[i : -1..0] var " + name +
            " : -3..3;\n{\n" + name + ": " + name + "[i]?" + name + "(" + name +
            ");\n  if\n  :: (i == -1) -> " + name + "[0]!" + name + "(" + name +
            ")\n  :: (i == 0) -> " + next + "\n  fi\n}\n";
  }
  return text + "proc begin { " + words[0] + "[-1]!" + words[0] + "(1) }\n";
}

}  // namespace panoptes::test
