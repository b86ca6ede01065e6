// SPDX-License-Identifier: Apache-2.0
// What a model was compiled to: automata, rules, layout, as text or JSON.
#pragma once

#include <string>

#include "rules/program.hpp"

namespace panoptes {

std::string show_automata(const Program& program, const SourceSet& sources);
std::string show_rules(const Program& program);
std::string show_layout(const Program& program);

std::string show_automata_json(const Program& program, const SourceSet& sources);
std::string show_rules_json(const Program& program);
std::string show_layout_json(const Program& program);

}  // namespace panoptes
