// SPDX-License-Identifier: Apache-2.0
// cube_ranks TEXT...: every operator and the five steps of every model, over the ranks that mpirun
// has started. Ends with 1 where something differs from what it should be, and says what.
#include <fmt/format.h>

#include <array>
#include <cstdio>
#include <fstream>
#include <sstream>

#include "relate/steps.hpp"
#include "support/cube_checks.hpp"
#include "transport/open.hpp"

namespace panoptes {
namespace {

std::string text_of(const char* path) {
  std::ifstream file(path, std::ios::binary);
  std::ostringstream text;
  text << file.rdbuf();
  return text.str();
}

// What the steps of a model give here, beside what they give in DuckDB; at node 0.
std::vector<std::string> compare_steps(Transport& transport, const char* path) {
  const test::Compiled compiled = test::compile(text_of(path), {.minimise = false});
  const TwoProcess protocol = test::two_process_of(compiled.program);
  Cube cube(transport);
  CubeEngine engine(cube);
  FiveSteps steps(engine, protocol, compiled.program, Dialect(Engine::duckdb));
  if (const auto done = steps.run(); !done) return {done.failure().message};
  const auto found = steps_report(steps, test::all_rows);
  if (!found) return {found.failure().message};
  if (cube.node() != 0) return {};
  const StepsReport wanted = test::steps_of(compiled.program, "duckdb");
  std::vector<std::string> complaints;
  if (found->relations.size() != wanted.relations.size())
    complaints.emplace_back("other relations");
  for (std::size_t i = 0; complaints.empty() && i < wanted.relations.size(); ++i) {
    const auto &here = found->relations[i], &there = wanted.relations[i];
    if (here.relation.rows != there.relation.rows || here.rows != there.rows ||
        here.relation.rounds != there.relation.rounds)
      complaints.push_back(fmt::format("{}: {} differs", path, here.relation.name));
  }
  return complaints;
}

int run(int count, char** paths) {
  auto transport = open_transport();
  if (!transport) {
    std::fprintf(stderr, "%s\n", transport.failure().c_str());
    return 2;
  }
  std::vector<std::string> complaints = test::CubeChecks(**transport).run();
  for (int i = 1; i < count; ++i)
    for (const std::string& complaint : compare_steps(**transport, paths[i]))
      complaints.push_back(complaint);
  for (const std::string& complaint : complaints) std::fprintf(stderr, "%s\n", complaint.c_str());
  // All ranks end alike: mpirun ends the others where one does not.
  std::array<std::uint64_t, 1> all = {complaints.size()};
  const bool met = (*transport)->all_sum(all);
  return met && all[0] == 0 ? 0 : 1;
}

}  // namespace
}  // namespace panoptes

int main(int count, char** arguments) {
  try {
    return panoptes::run(count, arguments);
  } catch (const std::exception& error) {
    std::fprintf(stderr, "%s\n", error.what());
    return 1;
  }
}
