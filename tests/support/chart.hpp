// SPDX-License-Identifier: Apache-2.0
// A model as text, checked and drawn.
#pragma once

#include <fmt/format.h>

#include <algorithm>
#include <stdexcept>
#include <string>

#include "report/chart.hpp"
#include "support/model.hpp"

namespace panoptes::test {

struct Drawn {
  Drawn(const std::string& text, const Setup& setup = {}, const CheckOptions& options = {})
      : compiled(compile(text, setup)), verdict(check(compiled, options)) {}

  Chart chart(ErrorKind kind, const ChartOptions& options = {}) const {
    for (const auto* list : {&verdict.errors, &verdict.warnings})
      for (const ErrorReport& error : *list)
        if (error.description.kind == kind)
          return make_chart(compiled.program, error, compiled.sources, options);
    throw std::runtime_error("no such error");
  }
  std::string text(ErrorKind kind) const { return "\n" + text_chart(chart(kind), {}); }

  Compiled compiled;
  Verdict verdict;
};

inline Drawn model(const std::string& name, const std::string& definitions = {},
                   TimeoutPolicy timeouts = TimeoutPolicy::empty) {
  Setup setup;
  setup.timeouts = timeouts;
  return Drawn(model_text(name, definitions), setup);
}

inline std::size_t columns(const std::string& line) {
  return static_cast<std::size_t>(
      std::ranges::count_if(line, [](char c) { return (c & 0xC0) != 0x80; }));
}

// Twelve pass a token around a ring until the assertion ends it, some 75 steps a round.
inline Drawn long_run(int rounds) {
  CheckOptions options;
  options.search = RandomWalks{1};
  options.limits.depth = 20'000;
  return Drawn(fmt::format("var rounds : 0..2000;\n"
                           "channel ring[0..11][2], ask[0..11][1];\n"
                           "proc node[i : 0..11]\n"
                           "  var v : 0..7;\n"
                           "{{\n"
                           "  if :: (i == 0) -> ring[0]!token :: (i != 0) -> skip fi;\n"
                           "  do\n"
                           "  :: ring[i]?token -> ask[(i + 5) % 12]!hello(v); v = (v + 1) % 8;\n"
                           "     if :: (i == 0) -> rounds = rounds + 1; assert(rounds < {})\n"
                           "     :: (i != 0) -> skip\n"
                           "     fi;\n"
                           "     ring[(i + 1) % 12]!token\n"
                           "  :: ask[i]?hello(v)\n"
                           "  od\n"
                           "}}\n",
                           rounds),
               {}, options);
}

// Two peers open a connection over lines that may lose messages; what the one expects of the other
// is wrong.
inline Drawn peers() {
  return Drawn(
      "channel line[0..1][1], peer[0..1][1];\n"
      "proc peer[i : 0..1]\n"
      "  var got : 0..7, wanted : 0..7;\n"
      "{\n"
      "closed:\n"
      "  if\n"
      "  :: (i == 0) -> line[i]!syn(1); goto syn_sent\n"
      "  :: (i == 1) -> goto listen\n"
      "  fi;\n"
      "listen:\n"
      "  peer[i]?syn(got) -> got = (got + 1) % 8; line[i]!syn_ack(got);\n"
      "syn_received:\n"
      "  peer[i]?ack(got) -> wanted = 3; assert(got == wanted);\n"
      "end_done:\n"
      "  peer[i]?never;\n"
      "syn_sent:\n"
      "  peer[i]?syn_ack(got) -> line[i]!ack(got);\n"
      "end_established:\n"
      "  peer[i]?never\n"
      "}\n"
      "proc line[i : 0..1]\n"
      "  var v : 0..7;\n"
      "{\n"
      "end_idle:\n"
      "  do\n"
      "  :: line[i]?syn(v) -> if :: peer[1 - i]!syn(v) :: skip fi\n"
      "  :: line[i]?syn_ack(v) -> if :: peer[1 - i]!syn_ack(v) :: skip fi\n"
      "  :: line[i]?ack(v) -> peer[1 - i]!ack(v)\n"
      "  od\n"
      "}\n");
}

}  // namespace panoptes::test
