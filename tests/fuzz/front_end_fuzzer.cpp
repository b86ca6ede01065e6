// SPDX-License-Identifier: Apache-2.0
// Any bytes may be given to the front end: it must not crash, hang or eat the memory, and what it
// accepts must come back the same when it is written out and read again. A model is then compiled
// all the way to rules, and its first states are expanded by both steppers.
//
// Run it from the repository root, with a folder for what it finds worth keeping:
//   front_end_fuzzer -dict=tests/fuzz/argos.dict FOUND tests/fuzz/corpus
#include <fmt/format.h>

#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <string>

#include "argos/build.hpp"
#include "argos/outside.hpp"
#include "argos/parse.hpp"
#include "argos/unparse.hpp"
#include "step/native.hpp"

namespace {

using namespace panoptes;

// What follows a line with this is the text of every other file, so that includes are tried too.
constexpr std::string_view divider = "\n//file\n";

// Macros let a short text stand for a long one. Written out, it may be beyond the limits.
constexpr std::size_t longest_checked = 1u << 20;

[[noreturn]] void fail(const char* what, const std::string& text, const std::string& more) {
  fmt::print(stderr, "{}\n---- text\n{}\n---- then\n{}\n", what, text, more);
  std::abort();
}

void check_text_is_a_fixpoint(const std::string& text) {
  SourceSet sources;
  Diagnostics diagnostics;
  const argos::Model model = argos::parse_text("unparsed", text, sources, diagnostics);
  if (!diagnostics.all().empty())
    fail("an unparsed model has diagnostics", text, diagnostics.render(sources));
  const std::string again = argos::unparse(model);
  if (again != text) fail("an unparsed model reads as another one", text, again);
}

void check_limits(const Diagnostics& diagnostics) {
  if (diagnostics.error_count() > Diagnostics::error_limit) std::abort();
}

void check_first_steps(const Program& program) {
  const auto native = NativeStepper::make(program);
  if (!native) return;
  Interpreter interpreter(program);
  StateBatch batch{program.layout.words, program.initial};
  SuccessorBatch wanted, got;
  for (int level = 0; level < 4 && !batch.empty() && batch.size() < 200; ++level) {
    std::vector<Finding> findings;
    interpreter.expand(batch, wanted, findings);
    native->expand(batch, got, findings);
    if (wanted.rules != got.rules || wanted.states.words != got.states.words)
      fail("steppers disagree", "", "");
    batch = wanted.states;
  }
}

// Whatever stands behind the divider is a cost, too.
void check_cost(const std::string& text, const Protocol& protocol) {
  SourceSet sources;
  Diagnostics diagnostics;
  const auto cost = argos::parse_cost("--cost", text, sources, diagnostics);
  if (cost) resolve_cost(*cost, protocol, diagnostics);
  if (!cost && !diagnostics.has_errors()) fail("no cost, and no complaint", text, "");
  check_limits(diagnostics);
  diagnostics.render(sources);
}

void compile(const argos::Model& model, const SourceSet& sources, const std::string& cost) {
  Diagnostics diagnostics;
  auto protocol = build_protocol(model, {}, sources, diagnostics);
  check_limits(diagnostics);
  diagnostics.render(sources);
  if (!protocol) return;
  check_cost(cost, *protocol);
  std::string problem;
  const auto program = compile_rules(std::move(*protocol), {}, problem);
  if (program) check_first_steps(*program);
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const std::string bytes(reinterpret_cast<const char*>(data), size);
  const std::size_t end = bytes.find(divider);
  const std::string main_text = bytes.substr(0, end);
  const std::string other_text = end == std::string::npos ? "" : bytes.substr(end + divider.size());
  const ReadFile read_file = [&](const std::string& path) {
    return std::optional(path == "model" ? main_text : other_text);
  };

  SourceSet sources;
  Diagnostics diagnostics;
  const argos::Model model = argos::parse("model", read_file, {}, sources, diagnostics);
  check_limits(diagnostics);
  diagnostics.render(sources);
  if (diagnostics.has_errors()) return 0;
  const std::string text = argos::unparse(model);
  if (text.size() <= longest_checked) check_text_is_a_fixpoint(text);
  compile(model, sources, other_text);
  return 0;
}
