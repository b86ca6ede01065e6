// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <cstdio>

#include "app/commands.hpp"
#include "app/load.hpp"
#include "report/show.hpp"

namespace panoptes {

int show_command(const Arguments& arguments) {
  const Loaded loaded = load(arguments);
  fmt::print(stderr, "{}", loaded.diagnostics.render(loaded.sources));
  if (!loaded.program) return ExitCode::bad_input;
  const Program& program = *loaded.program;
  const bool json = arguments.get("format") == "json";
  std::string out;
  if (arguments.has("automata"))
    out +=
        json ? show_automata_json(program, loaded.sources) : show_automata(program, loaded.sources);
  if (arguments.has("rules")) out += json ? show_rules_json(program) : show_rules(program);
  if (arguments.has("layout")) out += json ? show_layout_json(program) : show_layout(program);
  return print_or_fail(out);
}

}  // namespace panoptes
