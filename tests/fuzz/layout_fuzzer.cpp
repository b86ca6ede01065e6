// SPDX-License-Identifier: Apache-2.0
// Any bytes may be given to the formatter. What it accepts must come back with the same tokens,
// comments and directives, and be left alone the second time; what it refuses, it must say why.
//
// Run it from the repository root, with a folder for what it finds worth keeping:
//   layout_fuzzer -dict=tests/fuzz/argos.dict FOUND tests/fuzz/corpus
#include <fmt/format.h>

#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <string>

#include "argos/format/format.hpp"
#include "argos/parse.hpp"
#include "argos/unparse.hpp"

namespace {

using namespace panoptes;

[[noreturn]] void fail(const char* what, const std::string& text, const std::string& more) {
  fmt::print(stderr, "{}\n---- text\n{}\n---- then\n{}\n", what, text, more);
  std::abort();
}

// The model that a text is, written out; "" where it is none.
std::string model_of(const std::string& text) {
  SourceSet sources;
  Diagnostics diagnostics;
  const argos::Model model = argos::parse_text("model", text, sources, diagnostics);
  return diagnostics.has_errors() ? "" : argos::unparse(model);
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const std::string text(reinterpret_cast<const char*>(data), size);
  SourceSet sources;
  Diagnostics diagnostics;
  // Throws where the tokens are not the same, which ends the fuzzer.
  const auto once = argos::format(sources, sources.add("text", text), diagnostics);
  diagnostics.render(sources);
  if (!once && !diagnostics.has_errors()) fail("refused, and no complaint", text, "");
  if (!once) return 0;
  const auto twice = argos::format(sources, sources.add("once", *once), diagnostics);
  if (!twice) fail("what was formatted is refused", text, *once);
  if (*twice != *once) fail("what was formatted changes again", *once, *twice);
  // A directive keeps what it has, lines that a backslash joins included.
  if (once->find(" \n") != std::string::npos && text.find('#') == std::string::npos)
    fail("there are blanks at the end of a line", text, *once);
  if (model_of(text) != model_of(*once)) fail("it is another model now", text, *once);
  return 0;
}
