// SPDX-License-Identifier: Apache-2.0
// How long a protocol takes before the search begins: from text to rules, and from rules to machine
// code, for a small protocol and for generated ones of up to 24,000 rules. Built and run by
// `bench/run --compile`, which gives it the small one; prints for each name, rules, words of a
// state, bytes of text, milliseconds to rules and milliseconds to machine code.
#include <algorithm>
#include <cstdio>
#include <ctime>
#include <fstream>
#include <functional>
#include <iterator>
#include <optional>
#include <string>

#include "argos/build.hpp"
#include "argos/parse.hpp"
#include "rules/lower.hpp"
#include "rules/program.hpp"
#include "step/native_code.hpp"

namespace {

// Processor time, so that what else the machine does counts as little as possible.
double milliseconds() {
  timespec time{};
  clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &time);
  return static_cast<double>(time.tv_sec) * 1e3 + static_cast<double>(time.tv_nsec) * 1e-6;
}

double best_of(int runs, const std::function<void()>& job) {
  double best = 1e9;
  for (int run = 0; run < runs; ++run) {
    const double start = milliseconds();
    job();
    best = std::min(best, milliseconds() - start);
  }
  return best;
}

std::optional<panoptes::Program> rules_of(const std::string& text) {
  panoptes::SourceSet sources;
  panoptes::Diagnostics diagnostics;
  const auto model = panoptes::argos::parse_text("model", text, sources, diagnostics);
  auto protocol = panoptes::build_protocol(model, {}, sources, diagnostics);
  if (!protocol) {
    std::fputs(diagnostics.render(sources).c_str(), stderr);
    return {};
  }
  std::string problem;
  auto program = panoptes::compile_rules(std::move(*protocol), {}, problem);
  if (!program) std::fputs(problem.c_str(), stderr);
  return program;
}

// Stations on a ring. Each takes `kinds` kinds of messages with a value, judges it, counts, and
// passes something on: channels, variables and conditions in every station, about five rules a
// kind.
std::string ring(int stations, int kinds) {
  std::string text = "#define N " + std::to_string(stations) +
                     "\n"
                     "channel ring[0..N - 1][2];\n"
                     "proc station[i : 0..N - 1]\n"
                     "  var value : 0..15, count : 0..99;\n"
                     "{\n"
                     "  do\n";
  for (int kind = 0; kind < kinds; ++kind) {
    const std::string taken = "m" + std::to_string(kind);
    const std::string passed = "m" + std::to_string((kind + 1) % kinds);
    text += "  :: ring[i]?" + taken + "(value) ->\n";
    text += "     if\n";
    text += "     :: (value > " + std::to_string(kind % 15) + ") -> ring[(i + 1) % N]!" + passed +
            "((value + i) % 16)\n";
    text += "     :: (value <= " + std::to_string(kind % 15) + ") -> count = (count + " +
            std::to_string(kind + 1) + ") % 100\n";
    text += "     fi\n";
  }
  return text + "  :: ring[i]?timeout -> ring[(i + 1) % N]!m0(i % 16)\n  od\n}\n";
}

bool measure(const char* name, const std::string& text) {
  std::optional<panoptes::Program> program;
  constexpr int runs = 7;
  const double to_rules = best_of(runs, [&] { program = rules_of(text); });
  if (!program) return false;
  bool is_native = true;
  const double to_code =
      best_of(runs, [&] { is_native &= panoptes::compile_native(lower(*program)) != nullptr; });
  if (!is_native) return false;
  std::printf("%s;%zu;%u;%zu;%.3f;%.3f\n", name, program->rules.size(), program->layout.words,
              text.size(), to_rules, to_code);
  return true;
}

}  // namespace

int main(int count, char** arguments) {
  if (count != 2) return 2;
  std::ifstream file(arguments[1], std::ios::binary);
  const std::string small(std::istreambuf_iterator<char>(file), {});
  const bool done = measure(arguments[1], small) &&
                    measure("15 stations, 20 messages", ring(15, 20)) &&
                    measure("60 stations, 20 messages", ring(60, 20)) &&
                    measure("240 stations, 20 messages", ring(240, 20)) &&
                    measure("4 stations, 300 messages", ring(4, 300));
  return done ? 0 : 1;
}
