// SPDX-License-Identifier: Apache-2.0
#include "rules/values.hpp"

#include <gtest/gtest.h>

#include "support/program.hpp"

namespace panoptes {
namespace {

TEST(Values, AreNamedAfterTheirProcess) {
  const test::Compiled compiled = test::compile(
      "var total : 0..3; channel c[2];\n"
      "proc a { var x : 0..3; x = 2; c!m(x); total = 1 }\n"
      "proc b { do :: c?m(total) od }");
  const Program& program = compiled.program;
  std::vector<std::string> names;
  for (VariableId v = 0; v < program.protocol.variables.size(); ++v)
    names.push_back(variable_name(program.protocol, v));
  EXPECT_EQ(names, (std::vector<std::string>{"total", "a.x"}));
}

TEST(Values, ThatChangeAreListed) {
  const test::Compiled compiled =
      test::compile("proc a { var x : 0..3 = 1; var y : 0..3; x = 2; y = x }");
  const Program& program = compiled.program;
  StateWords after = program.initial;
  ASSERT_TRUE(write(program.layout.variables[0], 2, after));
  const auto changes = changed_variables(program, program.initial, after);
  ASSERT_EQ(changes.size(), 1u);
  EXPECT_EQ(changes[0].variable, 0u);
  EXPECT_EQ(changes[0].before, 1);
  EXPECT_EQ(changes[0].after, 2);
}

TEST(Values, OfChannelsComeHeadFirst) {
  const test::Compiled compiled = test::compile(
      "channel c[3] = { m(2), n };\n"
      "proc a { var x : 0..3; c!m(x) }\n"
      "proc b { var y : 0..3; do :: c?m(y) :: c?n od }");
  const Program& program = compiled.program;
  EXPECT_EQ(contents_text(program, 0, program.initial), "m(2) n");
}

}  // namespace
}  // namespace panoptes
