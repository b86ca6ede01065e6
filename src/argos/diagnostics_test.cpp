// SPDX-License-Identifier: Apache-2.0
// The models under tests/diagnostics/syntax cannot be read; those under tests/diagnostics/protocol
// can, but make no sense or little.
#include <gtest/gtest.h>

#include "argos/build.hpp"
#include "argos/parse.hpp"
#include "diagnostics/expected.hpp"

namespace panoptes {
namespace {

const test::ExpectedDiagnostics& of_syntax() {
  static const test::ExpectedDiagnostics folder("syntax");
  return folder;
}

const test::ExpectedDiagnostics& of_protocols() {
  static const test::ExpectedDiagnostics folder("protocol");
  return folder;
}

class SyntaxDiagnostics : public testing::TestWithParam<std::string> {};
class ProtocolDiagnostics : public testing::TestWithParam<std::string> {};

TEST_P(SyntaxDiagnostics, AreExactlyTheExpectedOnes) {
  SourceSet sources;
  Diagnostics diagnostics;
  const auto read = [](const std::string& path) { return of_syntax().read(path); };
  argos::parse(GetParam() + ".argos", read, {}, sources, diagnostics);
  of_syntax().compare(GetParam(), diagnostics.render(sources));
}

TEST_P(ProtocolDiagnostics, AreExactlyTheExpectedOnes) {
  SourceSet sources;
  Diagnostics diagnostics;
  const auto read = [](const std::string& path) { return of_protocols().read(path); };
  const argos::Model model = argos::parse(GetParam() + ".argos", read, {}, sources, diagnostics);
  EXPECT_FALSE(diagnostics.has_errors()) << "these belong to tests/diagnostics/syntax";
  build_protocol(model, {}, sources, diagnostics);
  of_protocols().compare(GetParam(), diagnostics.render(sources));
}

INSTANTIATE_TEST_SUITE_P(Models, SyntaxDiagnostics, testing::ValuesIn(of_syntax().model_names()),
                         test::case_name);
INSTANTIATE_TEST_SUITE_P(Models, ProtocolDiagnostics,
                         testing::ValuesIn(of_protocols().model_names()), test::case_name);

}  // namespace
}  // namespace panoptes
