// SPDX-License-Identifier: Apache-2.0
// The models under tests/diagnostics/protocol can be read, but make no sense or little.
#include <gtest/gtest.h>

#include "diagnostics/expected.hpp"
#include "lang/argos/parse.hpp"
#include "protocol/build.hpp"

namespace panoptes {
namespace {

const test::ExpectedDiagnostics& expected() {
  static const test::ExpectedDiagnostics folder("protocol");
  return folder;
}

class ProtocolDiagnostics : public testing::TestWithParam<std::string> {};

TEST_P(ProtocolDiagnostics, AreExactlyTheExpectedOnes) {
  SourceSet sources;
  Diagnostics diagnostics;
  const auto read = [](const std::string& path) { return expected().read(path); };
  const argos::Model model = argos::parse(GetParam() + ".argos", read, {}, sources, diagnostics);
  EXPECT_FALSE(diagnostics.has_errors()) << "these belong to tests/diagnostics/syntax";
  build_protocol(model, {}, sources, diagnostics);
  expected().compare(GetParam(), diagnostics.render(sources));
}

INSTANTIATE_TEST_SUITE_P(Models, ProtocolDiagnostics, testing::ValuesIn(expected().model_names()),
                         test::case_name);

}  // namespace
}  // namespace panoptes
