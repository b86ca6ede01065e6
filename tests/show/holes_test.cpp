// SPDX-License-Identifier: Apache-2.0
// The holes that `panoptes show` draws are the unspecified receptions that a check finds, and what
// it says to arrive or never to arrive is what a plain walk through all states sees.
#include <gtest/gtest.h>

#include <deque>
#include <nlohmann/json.hpp>
#include <set>

#include "differential/generator.hpp"
#include "differential/plain_checker.hpp"
#include "models/run_program.hpp"
#include "report/reception_matrix.hpp"
#include "search/find_arrivals.hpp"
#include "show/every_model.hpp"
#include "step/indivisible.hpp"
#include "support/json.hpp"
#include "support/model.hpp"
#include "support/sample.hpp"

namespace panoptes::show {
namespace {

using Json = nlohmann::json;

// ---- the program -----------------------------------------------------------------------------

// process, state, channel?message; of a family of channels its name, since a check has one error
// for all members.
using Receptions = std::set<std::string>;

Json run_json(const std::string& arguments) {
  const models::Run run = models::run_program(arguments + " 2>/dev/null");
  return test::parse_json(run.output);
}

std::string reception(const std::string& process, const std::string& state,
                      const std::string& event) {
  return process + " at " + state + ": " + event;
}

Receptions checked(const std::string& model, const std::string& options,
                   const std::string& policy) {
  Receptions result;
  const Json json = run_json("check '" + model + "' --json --receptions " + policy + options);
  for (const Json& error : json["errors"]) {
    if (error["kind"] != "unspecified_reception") continue;
    const auto process = error["process"].get<std::string>();
    std::set<std::string> members{process};
    for (const Json& member : error["members"])
      if (family_name(member) == family_name(process)) members.insert(member.get<std::string>());
    for (const std::string& member : members)
      result.insert(
          reception(member, error["state"], differential::without_indices(error["message"])));
  }
  return result;
}

Receptions shown(const std::string& model, const std::string& options, const std::string& policy) {
  const Json json =
      run_json("show '" + model + "' --holes --format json --receptions " + policy + options);
  EXPECT_EQ(json["receptions"], policy);
  std::size_t counted = 0;
  // What a policy reports, the wider ones report as well.
  const std::set<std::string> kinds = policy == "blocked" ? std::set<std::string>{"blocked"}
                                      : policy == "reading"
                                          ? std::set<std::string>{"blocked", "reading"}
                                          : std::set<std::string>{"blocked", "reading", "any"};
  Receptions result;
  for (const Json& matrix : json["matrices"])
    for (const Json& row : matrix["rows"])
      for (std::size_t c = 0; c < row["cells"].size(); ++c) {
        const Json& hole = row["cells"][c]["hole"];
        if (!hole.is_string() || !kinds.contains(hole.get<std::string>())) continue;
        const Json& column = matrix["columns"][c];
        ++counted;
        for (const Json& member : matrix["members"])
          result.insert(reception(
              member, row["name"],
              family_name(column["channel"]) + "?" + column["message"].get<std::string>()));
      }
  for (const Json& matrix : json["matrices"]) counted -= matrix["holes"].get<std::size_t>();
  EXPECT_EQ(counted, 0u) << "what is counted is what is drawn";
  return result;
}

TEST(Holes, AreWhatCheckReportsOfEveryModel) {
  std::size_t found = 0;
  for (const std::string& model : every_model())
    for (const std::string options : {"", " --timeouts lock", " --no-minimise --capacity 1"}) {
      if (!options.empty() && !test::has_all_samples()) continue;
      for (const std::string policy : {"any", "reading", "blocked"}) {
        const Receptions wanted = checked(model, options, policy);
        EXPECT_EQ(shown(model, options, policy), wanted) << model << options << " " << policy;
        found += wanted.size();
      }
    }
  EXPECT_GT(found, test::has_all_samples() ? 100u : 10u);
}

// ---- random protocols ------------------------------------------------------------------------

// Everything that is first in a channel where its reader is at a state, by a plain walk. Nothing
// where there are too many states.
using Pairs = std::set<std::tuple<ChannelId, StateId, std::uint32_t>>;
std::optional<Pairs> walk(const Program& program) {
  constexpr std::size_t most_states = 20'000;
  const auto stepper = in_whole_sequences(std::make_unique<Interpreter>(program));
  Pairs pairs;
  std::set<StateWords> seen{program.initial};
  std::deque<StateWords> waiting{program.initial};
  SuccessorBatch successors;
  while (!waiting.empty()) {
    StateBatch batch{program.layout.words, {}};
    batch.push_back(waiting.front());
    waiting.pop_front();
    for (ChannelId c = 0; c < program.protocol.channels.size(); ++c) {
      const ProcessId reader = program.protocol.channels[c].reader();
      if (reader == none) continue;
      const auto at = static_cast<StateId>(read(program.layout.control[reader], batch[0]));
      const ChannelLayout& layout = program.layout.channels[c];
      pairs.emplace(c, at, head_tag(layout, batch[0]));
      if (!program.protocol.channels[c].is_reordering) continue;
      for (std::uint32_t i = 1; i < length(layout, batch[0]); ++i)
        pairs.emplace(c, at, tag_at(layout, i, batch[0]));
    }
    std::vector<Finding> findings;
    stepper->expand(batch, successors, findings);
    for (std::size_t i = 0; i < successors.size(); ++i) {
      const StateView view = successors.states[i];
      StateWords state(view.begin(), view.end());
      if (seen.insert(state).second) waiting.push_back(std::move(state));
    }
    if (seen.size() > most_states) return {};
  }
  return pairs;
}

using Keys = std::set<std::vector<std::uint32_t>>;

Keys keys_of(const Verdict& verdict) {
  Keys keys;
  for (const ErrorReport& error : verdict.errors)
    if (error.key.kind == ErrorKind::unspecified_reception) keys.insert(error.key.parts);
  return keys;
}

Keys keys_of(const Program& program, const Arrivals& arrivals, ReceptionPolicy policy) {
  Keys keys;
  for (ProcessId p = 0; p < program.protocol.processes.size(); ++p) {
    const ReceptionMatrix matrix =
        reception_matrix(program, p, collect_traffic(program.protocol), arrivals);
    for (const ReceptionMatrix::Hole& hole : matrix.holes(policy)) {
      const ReceptionMatrix::Column& column = matrix.columns[hole.column];
      keys.insert({program.families.process[p],
                   program.at(p, static_cast<StateId>(hole.row)).same_place,
                   program.families.channel[column.channel],
                   program.families.message[column.channel][column.tags.front() - 1]});
    }
  }
  return keys;
}

TEST(Holes, AreWhatCheckReportsOfRandomProtocols) {
  std::size_t looked_at = 0;
  for (std::uint64_t seed = 1; seed <= 150; ++seed) {
    const test::Compiled compiled = test::compile(differential::random_protocol(seed));
    const Program& program = compiled.program;
    const std::optional<Pairs> pairs = walk(program);
    if (!pairs) continue;
    ++looked_at;
    CheckOptions options;
    options.threads = 1 + seed % 2;
    const Arrivals arrivals = find_arrivals(program, options);
    EXPECT_EQ(arrivals.promise, Promise::exhaustive) << seed;
    for (ChannelId c = 0; c < program.protocol.channels.size(); ++c) {
      const Channel& channel = program.protocol.channels[c];
      if (channel.reader() == none) continue;
      for (StateId s = 0; s < program.control[channel.reader()].size(); ++s)
        for (std::uint32_t tag = 0; tag <= channel.sort.size(); ++tag)
          EXPECT_EQ(arrivals.at(c, s, tag).is_seen, pairs->contains({c, s, tag}))
              << "seed " << seed << ", channel " << c << ", state " << s << ", tag " << tag;
    }
    for (const ReceptionPolicy policy :
         {ReceptionPolicy::any, ReceptionPolicy::reading, ReceptionPolicy::blocked}) {
      options.explore.receptions = policy;
      EXPECT_EQ(keys_of(program, arrivals, policy), keys_of(test::check(compiled, options)))
          << seed;
    }
  }
  EXPECT_GT(looked_at, 100u);
}

}  // namespace
}  // namespace panoptes::show
