// SPDX-License-Identifier: Apache-2.0
#include "relational/faulty_paths.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <queue>
#include <tuple>

#include "relational/rows.hpp"

namespace panoptes {
namespace {

using algebra::Names;
using algebra::Relation;

// ---- paths of a graph ----------------------------------------------------------------------

// The beginning of a path: its last edge and the rest.
struct Beginning {
  std::uint32_t state, edge, before, length;
};

class PathSearch {
 public:
  PathSearch(const FaultyGraph& graph, std::uint64_t most)
      : graph_(graph), most_(most), first_(graph.steps_back.size() + 1) {
    for (const FaultyGraph::Edge& edge : graph.edges) ++first_[edge.source + 1];
    for (std::size_t i = 1; i < first_.size(); ++i) first_[i] += first_[i - 1];
  }

  PathCount run(const std::function<bool(const std::vector<std::uint32_t>&)>& each) {
    PathCount count;
    add({graph_.initial, 0, none, 0});
    while (!waiting_.empty()) {
      const std::uint32_t at = std::get<2>(waiting_.top());
      waiting_.pop();
      if (graph_.steps_back[all_[at].state] == 0) {
        ++count.found;
        count.is_all = each(path_to(at));
      }
      if (!count.is_all || !extend(at)) {
        count.is_all = false;
        break;
      }
    }
    return count;
  }

 private:
  void add(const Beginning& beginning) {
    const auto number = static_cast<std::uint32_t>(all_.size());
    all_.push_back(beginning);
    // Of two that can be as short, the longer one is nearer to its end.
    waiting_.emplace(
        -static_cast<std::int64_t>(beginning.length + graph_.steps_back[beginning.state]),
        beginning.length, number);
  }

  // False where there is no room for more.
  bool extend(std::uint32_t at) {
    const std::uint32_t state = all_[at].state, length = all_[at].length;
    for (std::uint32_t e = first_[state]; e < first_[state + 1]; ++e) {
      const FaultyGraph::Edge& edge = graph_.edges[e];
      if (is_on_path(edge.target, at)) continue;
      if (all_.size() >= most_ || looks_ > 100 * most_) return false;
      add({edge.target, edge.number, at, length + 1});
    }
    return true;
  }

  bool is_on_path(std::uint32_t state, std::uint32_t at) {
    for (; at != none; at = all_[at].before, ++looks_)
      if (all_[at].state == state) return true;
    return false;
  }

  std::vector<std::uint32_t> path_to(std::uint32_t at) const {
    std::vector<std::uint32_t> edges;
    for (; all_[at].before != none; at = all_[at].before) edges.push_back(all_[at].edge);
    std::reverse(edges.begin(), edges.end());
    return edges;
  }

  const FaultyGraph& graph_;
  std::uint64_t most_, looks_ = 0;
  std::vector<std::uint32_t> first_;  // edge of a state
  std::vector<Beginning> all_;
  std::priority_queue<std::tuple<std::int64_t, std::uint32_t, std::uint32_t>> waiting_;
};

// ---- tables --------------------------------------------------------------------------------

// What paths are looked for in: states and transitions with numbers.
DatabaseResult<> number_rows(const FiveSteps& steps, Database& database) {
  const Names states = steps.columns().state();
  const Names present = with_prefix(at_present, states), future = with_prefix(in_future, states);
  const auto same = [&](const std::string& alias, const Names& columns) {
    std::string text;
    for (std::size_t i = 0; i < columns.size(); ++i)
      text += fmt::format("{}{}.{} = f.{}", i == 0 ? "" : " AND ", alias, states[i], columns[i]);
    return text;
  };
  const Names all = steps.columns().transition();
  return database.execute(fmt::format(
      "CREATE TEMPORARY TABLE raw_faulty_states AS SELECT row_number() OVER (ORDER BY steps_back, "
      "{0}) - 1 AS number, steps_back, {0} FROM raw_predecessors;\n"
      "CREATE TEMPORARY TABLE raw_faulty_edges AS SELECT row_number() OVER (ORDER BY {1}) - 1 AS "
      "edge, s.number AS source, t.number AS target, f.* FROM raw_faulty AS f\n"
      "JOIN raw_faulty_states AS s ON {2}\nJOIN raw_faulty_states AS t ON {3}",
      fmt::join(states, ", "), fmt::join(all, ", "), same("s", present), same("t", future)));
}

DatabaseResult<FaultyGraph> read_graph(const FiveSteps& steps, Database& database) {
  FaultyGraph graph;
  const auto number = [](const Chunk& chunk, std::size_t column, std::size_t row) {
    return static_cast<std::uint32_t>(chunk.columns[column].integers[row]);
  };
  if (auto done =
          for_each_row(database, "SELECT steps_back::BIGINT FROM raw_faulty_states ORDER BY number",
                       [&](const Chunk& chunk, std::size_t r) {
                         graph.steps_back.push_back(number(chunk, 0, r));
                       });
      !done)
    return done.failure();
  if (auto done = for_each_row(
          database, "SELECT edge, source, target FROM raw_faulty_edges ORDER BY source, edge",
          [&](const Chunk& chunk, std::size_t r) {
            graph.edges.push_back({number(chunk, 0, r), number(chunk, 1, r), number(chunk, 2, r)});
          });
      !done)
    return done.failure();
  const auto initial = number_of(
      database, fmt::format("SELECT number FROM raw_faulty_states WHERE {}", steps.is_initial()));
  if (!initial) return initial.failure();
  graph.initial = static_cast<std::uint32_t>(*initial);
  return graph;
}

DatabaseResult<> find_predecessors(FiveSteps& steps) {
  StepTables& tables = steps.tables();
  if (auto made = tables.make({6, "unsafe", "unsafe", "states that something is wrong with"},
                              steps.unsafe());
      !made)
    return made;
  const Names states = steps.columns().state();
  const auto into = [&](const Relation& some) {
    return join(tables.raw("g"), rename(some, pairs(states, with_prefix(in_future, states))));
  };
  if (auto made = tables.make_fixpoint(
          {6, "predecessors", "predecessors", "unsafe states and those that lead to them"},
          project(tables.raw("unsafe"), states),
          [&](const std::string& table) {
            return with_other_prefix(
                project(into(algebra::table(table, states)), with_prefix(at_present, states)),
                states, at_present, "");
          },
          "steps_back");
      !made)
    return made;
  return tables.make(
      {6, "faulty", "faulty", "transitions between those"},
      arrange(into(arrange(tables.raw("predecessors"), states)), steps.columns().transition()));
}

}  // namespace

PathCount for_each_path(const FaultyGraph& graph, std::uint64_t most_beginnings,
                        const std::function<bool(const std::vector<std::uint32_t>&)>& each) {
  if (graph.steps_back.empty()) return {};
  return PathSearch(graph, most_beginnings).run(each);
}

DatabaseResult<FaultyPaths> find_faulty_paths(FiveSteps& steps, Database& database,
                                              std::uint64_t most) {
  if (auto done = find_predecessors(steps); !done) return done.failure();
  if (auto done = number_rows(steps, database); !done) return done.failure();
  const auto graph = read_graph(steps, database);
  if (!graph) return graph.failure();
  if (auto made = database.execute(
          "CREATE TEMPORARY TABLE raw_path_edges (path INTEGER, step INTEGER, edge BIGINT)");
      !made)
    return made.failure();
  FaultyPaths result;
  DatabaseResult<> done;
  {
    auto rows = database.append_to("", "raw_path_edges", std::vector(3, ColumnType::integer));
    if (!rows) return rows.failure();
    const auto list = [&](const std::vector<std::uint32_t>& edges) {
      if (result.listed == most) return true;
      ++result.listed;
      for (std::size_t i = 0; done && i < edges.size(); ++i) {
        (*rows)->integer(static_cast<std::int64_t>(result.listed));
        (*rows)->integer(static_cast<std::int64_t>(i + 1));
        (*rows)->integer(edges[i]);
        done = (*rows)->end_row();
      }
      return static_cast<bool>(done);
    };
    const PathCount count = for_each_path(*graph, FaultyPaths::most_beginnings, list);
    result.found = count.found;
    result.is_all = count.is_all;
    if (done) done = (*rows)->finish();
  }
  if (!done) return done.failure();
  Names columns = {"path", "step"};
  add(columns, steps.columns().transition());
  if (auto made = steps.tables().make(
          {6, "paths", "paths", "faulty paths, shortest first, a row for each step"},
          {columns, fmt::format("SELECT {} FROM raw_path_edges JOIN raw_faulty_edges USING (edge)",
                                fmt::join(columns, ", "))});
      !made)
    return made.failure();
  return result;
}

}  // namespace panoptes
