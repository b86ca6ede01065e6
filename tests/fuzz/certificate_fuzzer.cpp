// SPDX-License-Identifier: Apache-2.0
// Any bytes may be given as a certificate: they are read, or refused with a place and a sentence.
// What is read of a small protocol must come back the same when it is written and read again, and
// is then checked: what is proved must be true of every state that can be reached.
//
// A digest would keep everything out, so the bytes are given as they are, with a digest behind
// them, and as what stands behind the head of a certificate.
//
// Run it from the repository root, with a folder for what it finds worth keeping:
//   certificate_fuzzer FOUND tests/fuzz/certificate_corpus
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <optional>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "argos/build.hpp"
#include "argos/parse.hpp"
#include "backward/certify.hpp"
#include "backward/search_claims.hpp"
#include "base/sha256.hpp"
#include "step/turn.hpp"

namespace {

using namespace panoptes;

// Deadlocks, an assertion that fails and messages that nobody takes can be reached, and others
// cannot.
Program small_program() {
  SourceSet sources;
  Diagnostics diagnostics;
  const argos::Model tree = argos::parse_text(
      "m",
      "channel a[2], b[1];\n"
      "proc p var n : 0..3; { do :: a!x(n) :: n = (n + 2) % 4 :: b?y :: b?timeout -> a!z\n"
      ":: assert(n < 2) :: assert(n != 3) od }\n"
      "proc q var k : 0..3; { do :: atomic { a?x(k); b!y } :: a?z -> break od; a?x(k) }\n",
      sources, diagnostics);
  auto protocol = build_protocol(tree, {}, sources, diagnostics);
  std::string problem;
  std::optional<Program> program;
  if (protocol) program = compile_rules(std::move(*protocol), {}, problem);
  if (!program) std::abort();
  return std::move(*program);
}

struct Model {
  Program program = small_program();
  std::set<std::string> reachable;        // targets, as a certificate has them
  std::vector<std::vector<Word>> states;  // that can be reached, outside of sequences
};

std::vector<std::string> target_lines(const Certificate& certificate, const ClaimSpace& space) {
  Certificate targets;
  targets.targets = certificate.targets;
  const std::string text = write_certificate(targets, space);
  std::vector<std::string> lines;
  for (std::size_t at = 0; at < text.size();) {
    const std::size_t end = text.find('\n', at);
    lines.push_back(text.substr(at, end - at));
    at = end + 1;
  }
  std::erase_if(lines, [](const std::string& line) { return !line.starts_with("target "); });
  return lines;
}

void add_targets(Model& model) {
  ReversedProgram reversed(model.program);
  const auto candidates = reversed.candidates(ReceptionPolicy::any, {});
  if (!candidates) std::abort();
  ClaimSearch search(reversed);
  Certificate found;
  for (const Targets::Candidate& candidate : *candidates) {
    if (search.search(candidate, {}).reachability != Reachability::reachable) continue;
    found.targets.push_back(candidate.target);
    if (!candidate.target.control.empty()) {
      found.targets.push_back(candidate.target);
      found.targets.back().control.clear();
    }
  }
  for (std::string& line : target_lines(found, reversed.space))
    model.reachable.insert(std::move(line));
  if (!model.reachable.contains("target deadlock")) std::abort();
}

void add_states(Model& model) {
  Turn turn(model.program);
  std::set<std::vector<Word>> known{{model.program.initial.begin(), model.program.initial.end()}};
  model.states.assign(known.begin(), known.end());
  for (std::size_t at = 0; at < model.states.size() && at < 1000; ++at) {
    StateBatch batch{.width = model.states[at].size(), .words = {}};
    batch.push_back(model.states[at]);
    SuccessorBatch successors;
    std::vector<Finding> findings;
    turn.restart();
    turn.expand(batch, successors, findings);
    for (std::size_t i = 0; i < successors.size(); ++i) {
      const StateView next = successors.states[i];
      if (alone_after(model.program.rules[successors.rules[i]]) != none) continue;
      std::vector<Word> words(next.begin(), next.end());
      if (known.insert(words).second) model.states.push_back(std::move(words));
    }
  }
}

std::string with_digest(const std::string& lines) {
  return lines + "digest " + sha256_hex(lines) + "\n";
}

std::string behind_head(const std::string& lines, const Program& program) {
  return with_digest("panoptes certificate 1\nversion 1\nmodel m\nprogram " +
                     fingerprint_text(program) + "\n" + lines);
}

// Something can be proved.
void check_proof(const Program& program) {
  ClaimSpace space(program);
  const auto read = read_certificate(
      behind_head("target assertion rule 4 assert(n != 3)\nnever\n  n in {1, 3}\n", program),
      space);
  if (!read || certify(program, *read, space, {}).outcome != CertifyAnswer::Outcome::proved)
    std::abort();
}

const Model& small_model() {
  static const Model made = [] {
    Model model;
    add_targets(model);
    add_states(model);
    check_proof(model.program);
    return model;
  }();
  return made;
}

void check(const std::string& text, const Model& model) {
  ClaimSpace space(model.program);
  const auto read = read_certificate(text, space);
  if (!read) {
    if (read.failure().line == 0 || read.failure().column == 0 || read.failure().message.empty())
      std::abort();
    return;
  }
  const std::string written = write_certificate(*read, space);
  const auto again = read_certificate(written, space);
  if (!again || again->excluded != read->excluded || write_certificate(*again, space) != written)
    std::abort();

  int looks = 2000;
  const Deadline deadline([&] { return --looks > 0 ? 1.0 : 0.0; });
  const CertifyAnswer answer = certify(model.program, *read, space, deadline);
  if (answer.outcome != CertifyAnswer::Outcome::proved) {
    if (answer.reason.empty()) std::abort();
    return;
  }
  for (const std::string& line : target_lines(*read, space))
    if (model.reachable.contains(line)) std::abort();
  for (const std::vector<Word>& state : model.states)
    for (const Claim& claim : read->excluded)
      if (space.contains(claim, state)) std::abort();
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const Model& model = small_model();
  const std::string bytes(reinterpret_cast<const char*>(data), size);
  const auto head = read_certificate_head(with_digest(bytes));
  if (head) {
    ClaimSpace space(model.program);
    const auto again = read_certificate_head(write_certificate(*head, space));
    if (!again || again->version != head->version || again->model != head->model ||
        again->fingerprint != head->fingerprint || again->options != head->options)
      std::abort();
  }
  check(bytes, model);
  check(behind_head(bytes, model.program), model);
  return 0;
}
