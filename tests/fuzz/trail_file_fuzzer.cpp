// SPDX-License-Identifier: Apache-2.0
// Any bytes may be given as a trail file: they are read, or refused with a sentence. What can be
// read is walked on a small protocol, and what can be walked must come back the same when it is
// written and read again.
//
// Run it from the repository root, with a folder for what it finds worth keeping:
//   trail_file_fuzzer FOUND tests/fuzz/trail_file_corpus
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <string_view>

#include "argos/build.hpp"
#include "argos/parse.hpp"
#include "report/trail_file.hpp"

namespace {

using namespace panoptes;

struct Model {
  SourceSet sources;
  std::optional<Program> program;
};

Model small_model() {
  Model model;
  Diagnostics diagnostics;
  const argos::Model tree = argos::parse_text(
      "m",
      "channel a[1], b[1];\n"
      "proc p var n : 0..2; { do :: a!x(n) :: n = n + 1 :: b?y :: assert(n < 2) :: b?timeout od }\n"
      "proc q { do :: a?x -> b!y :: goto spin od; spin: do :: skip od }\n",
      model.sources, diagnostics);
  auto protocol = build_protocol(tree, {}, model.sources, diagnostics);
  std::string problem;
  if (protocol) model.program = compile_rules(std::move(*protocol), {}, problem);
  if (!model.program) std::abort();
  return model;
}

void check_round_trip(const TrailFile& file, const Model& model) {
  const auto again = read_trail_file(collected([&](const Sink& sink) {
    return write_trail_file(file, *model.program, model.sources, sink);
  }));
  if (!again || again->trails.size() != file.trails.size()) std::abort();
  for (std::size_t i = 0; i < file.trails.size(); ++i)
    if (again->trails[i].steps != file.trails[i].steps ||
        again->trails[i].cycle != file.trails[i].cycle)
      std::abort();
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  static const Model model = small_model();
  const auto file = read_trail_file({reinterpret_cast<const char*>(data), size});
  if (!file) {
    if (file.failure().empty()) std::abort();
    return 0;
  }
  bool is_walked = true;
  for (const RecordedTrail& trail : file->trails) {
    std::string problem;
    const auto replayed = confirm(*model.program, trail, {}, model.sources, problem);
    if (!replayed && problem.empty()) std::abort();
    is_walked = is_walked && replayed;
  }
  if (is_walked) check_round_trip(*file, model);
  return 0;
}
