// SPDX-License-Identifier: Apache-2.0
// The JSON that the pages describe is the JSON that the program prints: every field of the one is a
// field of the other, with its types.
//
// A page has one table for each kind of object, between the comments `<!-- fields of KIND -->` and
// `<!-- end of fields of KIND -->`, with columns for name, types and meaning. A field that not
// every object of its kind has is of the type `absent` too.
#include <gtest/gtest.h>

#include <map>
#include <nlohmann/json.hpp>
#include <set>

#include "docs/pages.hpp"
#include "models/run_program.hpp"
#include "support/json.hpp"
#include "verdict/verdict.hpp"

namespace panoptes::docs {
namespace {

using Json = nlohmann::json;

struct Kind {
  std::size_t objects = 0;
  std::map<std::string, std::multiset<std::string>> types;  // by field, once for every object
};
using Kinds = std::map<std::string, Kind>;

// What kind of object stands in, or in the list of, the field `name`.
std::string kind_of(const std::string& name, const Json& object) {
  static const std::map<std::string, std::string> kinds = {{"error", "an error"},
                                                           {"errors", "an error"},
                                                           {"warnings", "an error"},
                                                           {"trail", "a step"},
                                                           {"trails", "a trail"},
                                                           {"steps", "a step"},
                                                           {"changes", "a change"},
                                                           {"contents", "a channel"},
                                                           {"cycle", "a step"},
                                                           {"narrowed", "a narrowed channel"},
                                                           {"lines", "a line"},
                                                           {"graph", "the graph"},
                                                           {"properties", "a property"},
                                                           {"reductions", "the reductions"},
                                                           {"shortest_search", "the second search"},
                                                           {"cluster", "the ranks"},
                                                           {"relational", "the database"},
                                                           {"place", "a place"},
                                                           {"merged_with", "a place"},
                                                           {"dead_code", "a dead statement"},
                                                           {"dead_in_members", "dead in members"},
                                                           {"options", "the options"},
                                                           {"parameters", "the parameters"},
                                                           {"cache", "the cache"},
                                                           {"processes", "an automaton"},
                                                           {"assertions", "an automaton"},
                                                           {"states", "a state"},
                                                           {"state", "a state"},
                                                           {"initial_state", "a state"},
                                                           {"last_state", "a state"},
                                                           {"control", "a process"},
                                                           {"transitions", "a transition"},
                                                           {"channels", "a channel"},
                                                           {"rules", "a rule"},
                                                           {"sample", "the sample"},
                                                           {"estimated", "the estimate"},
                                                           {"assumed", "the assumptions"},
                                                           {"join", "the join"},
                                                           {"a", "a side"},
                                                           {"b", "a side"},
                                                           {"relations", "a relation"},
                                                           {"variables", "a variable"},
                                                           {"paths", "the paths"},
                                                           {"parts", "a part"},
                                                           {"tables", "a table"},
                                                           {"next", "an entry"},
                                                           {"back", "a step back"},
                                                           {"senders", "a sender"},
                                                           {"matrices", "a matrix"},
                                                           {"columns", "a column"},
                                                           {"rows", "a row"},
                                                           {"labels", "a label"},
                                                           {"cells", "a cell"},
                                                           {"nodes", "a node"},
                                                           {"edges", "an edge"},
                                                           {"in_channels", "a content"},
                                                           {"in_assertions", "a subset"},
                                                           {"runs", "a run"},
                                                           {"smallest", "a smallest one"},
                                                           {"definitions", "the definitions"},
                                                           {"shortest_error", "the shortest error"},
                                                           {"wrong", "a finding"}};
  if (object.contains("suggestion")) return "a complaint";
  if (name == "tables" && object.contains("rows")) return "a backward table";
  if (name == "rows" && object.contains("back")) return "a backward row";
  if (name == "parameters" && object.contains("values")) return "a parameter";
  if (name == "variables" && object.contains("value")) return "a value";
  if (name == "steps" && !object.contains("step")) return "a recorded step";
  if (name == "cycle" && !object.contains("step")) return "a recorded step";
  const auto found = kinds.find(name);
  return found == kinds.end() ? "unknown: " + name : found->second;
}

std::string type_of(const std::string& name, const Json& value) {
  if (value.is_null()) return "null";
  if (value.is_string()) return "text";
  if (value.is_boolean()) return "true or false";
  if (value.is_number_float()) return "number";
  if (value.is_number()) return "integer";
  return value.is_array() ? "list"
                          : kind_of(name, value).substr(kind_of(name, value).find(' ') + 1);
}

void collect(const Json& object, const std::string& kind, Kinds& kinds) {
  if (kind == "the options") return;      // they have a page of their own
  if (kind == "the definitions") return;  // they have the names of macros
  ++kinds[kind].objects;
  for (const auto& [name, value] : object.items()) {
    kinds[kind].types[name].insert(type_of(name, value));
    if (value.is_object()) collect(value, kind_of(name, value), kinds);
    if (!value.is_array()) continue;
    for (const Json& element : value)
      if (element.is_object()) collect(element, kind_of(name, element), kinds);
  }
}

// The first two columns of the table of a kind.
std::string rows_of_kind(const Kind& kind) {
  std::string rows;
  for (const auto& [name, types] : kind.types) {
    std::set<std::string> distinct(types.begin(), types.end());
    if (types.size() < kind.objects) distinct.insert("absent");
    std::string list;
    for (const std::string& type : distinct) list += (list.empty() ? "" : ", ") + type;
    rows += "| `" + name + "` | " + list + " |\n";
  }
  return rows;
}

// The same of a page, in the order of names.
std::string rows_of_page(const std::string& page, const std::string& kind) {
  std::map<std::string, std::string> types;
  for (const auto& cells : rows_of(section(page, "fields of " + kind)))
    types[cells.at(0).substr(1, cells.at(0).size() - 2)] = cells.at(1);
  std::string rows;
  for (const auto& [name, list] : types) rows += "| `" + name + "` | " + list + " |\n";
  return rows;
}

struct Case {
  std::string page;
  std::string kind;  // of the object that is printed
  std::vector<std::string> commands;
};

const std::vector<Case> cases = {
    {"docs/reports.md",
     "a report",
     {"check models/exchange.argos --json", "check models/exchange.argos --json --trails 1",
      "check models/mistakes.argos --json",
      "check models/three_way_handshake.argos -D FAULT --json --state",
      "check models/two_phase_commit.argos --json", "check models/peterson.argos --json",
      "check models/leader_election.argos --json",
      "check models/lease.argos -D FAULT --json --state",
      "check models/minimisation.argos --depth 1 --json",
      "check models/flow_control.argos --search cache --cache-states 60 --json",
      "check models/polling.argos --keep-graph --json",
      "check models/polling.argos --keep-graph --depth 3 --json",
      "check models/after_you.argos -D LIVE --fair none --json",
      "check models/after_you.argos -D LIVE --store hash --json",
      "check models/sliding_window.argos --search supertrace --arena 64K --json",
      "check models/sliding_window.argos --search supertrace --arena 64K --runs 3 --json",
      "check models/sliding_window.argos --memory 1M --json",
      "check models/request.argos --search stack --json",
      "check models/lease.argos --reduce symmetry --json",
      "check models/request.argos --shortest --json",
      // A trail for which there is no room.
      "check - --memory 12M --json <<END\n"
      "proc p { var x; do :: (x < 30000) -> x++ :: (x == 30000) -> assert(0) od }\nEND\n:",
      "check models/sliding_window.argos --at-most-slots 1 --json",
      "check models/request.argos --faults lossy --json", "relate models/request.argos --json",
      "--version >/dev/null; mpirun --allow-run-as-root --oversubscribe -n 2 "
      "panoptes check models/request.argos --json"}},
    {"docs/reports.md",
     "a report of bad input",
     {"check models/nowhere.argos --json", "check models/request.argos -D proc=x --json"}},
    {"docs/sweep.md",
     "a sweep",
     {"sweep models/token_ring.argos -D N=2..3 -D FAULT=1,2 --json",
      "sweep models/request.argos -D 'X?=1' -D proc?=x --search stack --json",
      "sweep models/sliding_window.argos -D MODULUS=2..3 --at-most-slots 1 --faults lossy --json",
      "sweep models/request.argos -D X=1..2 --total-time 1ms --json"}},
    {"docs/relational-steps.md",
     "a report of steps",
     {"relate models/connection.argos --steps --json",
      "relate models/connection.argos --on hypercube --json",
      "relate models/polling.argos --steps --paths 1 --rows 1 --json"}},
    {"docs/hypercube.md",
     "a plan",
     {"plan models/connection.argos --nodes 1,2,3 --json",
      "plan models/token_ring.argos --nodes 1 --node-memory 1 --json",
      "plan bench/pairs/two_links.argos --sample 1ms --json"}},
    {"docs/simulation.md",
     "a run",
     {"simulate models/mistakes.argos --json", "simulate models/request.argos --json",
      "simulate models/sliding_window.argos --json",
      "simulate models/mistakes.argos --json --state", "simulate models/lease.argos --json --state",
      "simulate models/two_phase_commit.argos --json --state",
      "check models/polling.argos --keep-graph --trail /dev/fd/3 3>&1 >/dev/null 2>/dev/null | '" +
          std::string(PANOPTES_PROGRAM) + "' replay models/polling.argos /dev/stdin --json"}},
    {"docs/simulation.md",
     "a trail file",
     {"check models/polling.argos --keep-graph --trail /dev/fd/3 3>&1 >/dev/null",
      "simulate models/request.argos --trail /dev/fd/3 3>&1 >/dev/null"}},
    {"docs/automata.md",
     "--automata",
     {"show models/exchange.argos --automata --format json",
      "show models/mutual_exclusion.argos --automata --format json"}},
    {"docs/automata.md", "--rules", {"show models/mistakes.argos --rules --format json"}},
    {"docs/automata.md", "--layout", {"show models/request.argos --layout --format json"}},
    {"docs/drawings.md", "--tables", {"show models/request.argos --tables --format json"}},
    {"docs/drawings.md",
     "--tables --backward",
     {"show models/request.argos --tables --backward --format json"}},
    {"docs/drawings.md",
     "--channels",
     {"show models/mutual_exclusion.argos --channels --format json"}},
    {"docs/drawings.md",
     "--holes",
     {"show models/connection.argos --holes --format json",
      "show models/request.argos --holes --format json"}},
    {"docs/drawings.md",
     "--graph",
     {"show models/mistakes.argos --graph --format json",
      "show models/lease.argos --graph --format json",
      "show models/mutual_exclusion.argos --graph --format json"}},
};

TEST(DocumentedFields, AreThoseOfTheProgram) {
  std::map<std::string, Kinds> pages;
  for (const Case& each : cases)
    for (const std::string& command : each.commands)
      collect(test::parse_json(models::run_program(command + " 2>/dev/null").output), each.kind,
              pages[each.page]);
  for (const auto& [page, kinds] : pages)
    for (const auto& [name, kind] : kinds)
      EXPECT_EQ(rows_of_page(page, name), rows_of_kind(kind)) << page << ", fields of " << name;
}

// Why a search ended, as the page lists it: every word there is, in their order.
TEST(DocumentedFields, ListEveryReasonToStop) {
  std::string reasons;
  for (int i = 0; !to_string(static_cast<Stop>(i)).empty(); ++i)
    reasons += (reasons.empty() ? "`" : ", `") + std::string(to_string(static_cast<Stop>(i))) + "`";
  for (const auto& cells : rows_of(section("docs/reports.md", "fields of a report")))
    if (cells.at(0) == "`stop`") {
      EXPECT_EQ(cells.at(2), "why the search ended: " + reasons);
    }
}

}  // namespace
}  // namespace panoptes::docs
