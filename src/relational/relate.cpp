// SPDX-License-Identifier: Apache-2.0
#include "relational/relate.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "base/clock.hpp"
#include "relational/error_sql.hpp"
#include "relational/rows.hpp"
#include "relational/rule_sql.hpp"

namespace panoptes {
namespace {

// Thrown within this file only: a chain of statements ends with the first that fails.
struct Failed {
  DatabaseFailure failure;
};

using Branch = Dialect::Branch;

class Relator {
 public:
  Relator(const Program& program, Database& database, const Dialect& dialect,
          const RelateOptions& options)
      : program_(program),
        database_(database),
        dialect_(dialect),
        options_(options),
        state_(program, dialect) {
    for (const Rule& rule : program.rules) rules_.push_back(rule_sql(state_, rule));
    busy_ = busy_sql(dialect, program, rules_);
    groups_ = rule_groups(program, rules_);
  }

  Related run() {
    const double start = steady_seconds();
    execute(drop_relate_tables(dialect_));  // of an earlier call on this connection
    say("searching, by one query");
    search();
    result_.search_seconds = steady_seconds() - start;
    if (options_.progress)
      say(fmt::format("relating {} states", number("SELECT count(*) FROM numbered")));
    fire();
    find_levels();
    count();
    say(fmt::format("looking for errors in {} states, depth {}, with {} transitions",
                    result_.states, result_.depth, result_.transitions));
    find_errors();
    say(fmt::format("tracing {} errors back", result_.errors.size()));
    trace_back();
    return std::move(result_);
  }

 private:
  void say(const std::string& what) const {
    if (options_.progress) options_.progress(what);
  }

  // ---- talking to the engine --------------------------------------------------------------------

  void execute(const std::string& sql) const {
    if (auto done = database_.execute(sql); !done) throw Failed{done.failure()};
  }

  // A temporary table; `key`, if any, is a column by which others will look for its rows.
  void create(const std::string& name, const std::string& query,
              const std::string& key = {}) const {
    execute(fmt::format("CREATE TEMPORARY TABLE {} AS\n{}", name, query));
    if (dialect_.needs_help()) {
      if (!key.empty()) execute(fmt::format("CREATE INDEX ON {} ({})", name, key));
      execute(fmt::format("ANALYZE {}", name));
    }
  }
  void drop(const std::string& name) const { execute("DROP TABLE IF EXISTS " + name); }

  using Row = std::vector<std::int64_t>;
  std::vector<Row> rows(const std::string& sql) const {
    auto result = rows_of(database_, sql);
    if (!result) throw Failed{result.failure()};
    return std::move(*result);
  }
  std::uint64_t number(const std::string& sql) const {
    return static_cast<std::uint64_t>(rows(sql).at(0).at(0));
  }

  // ---- states and transitions -------------------------------------------------------------------

  std::string columns(const std::vector<std::string>& words) const {
    std::string list;
    for (std::size_t i = 0; i < words.size(); ++i)
      list += fmt::format("{}{} AS {}", i == 0 ? "" : ", ", words[i],
                          StateSql::word(static_cast<std::uint32_t>(i)));
    return list;
  }

  // Every rule that has a successor; with where it fired, or the words alone.
  std::vector<Branch> successor_branches(bool with_source) const {
    std::vector<Branch> branches;
    for (const RuleGroup& group : groups_)
      branches.push_back(group_branch(dialect_, program_, rules_, group,
                                      with_source ? "id AS source, RULE AS rule" : ""));
    return branches;
  }

  std::string same_words(const std::string& left, const std::string& right) const {
    std::string text;
    for (std::uint32_t i = 0; i < program_.layout.words; ++i)
      text += fmt::format("{}{}.{} = {}.{}", i == 0 ? "" : " AND ", left, StateSql::word(i), right,
                          StateSql::word(i));
    return text;
  }

  // The fixpoint: one recursive query. Rows are numbered as they come, level by level.
  void search() const {
    std::vector<std::string> initial;
    for (const Word word : program_.initial) initial.push_back(dialect_.word(word));
    const std::string words = state_.words();
    std::string query = fmt::format("SELECT {}", columns(initial));
    if (!rules_.empty())
      query += fmt::format("\nUNION (\n{}\n)",
                           dialect_.branches("search", successor_branches(false), busy_));
    create("numbered",
           fmt::format("WITH RECURSIVE search({0}) AS (\n{1}\n)\n"
                       "SELECT row_number() OVER () AS id, {0} FROM search",
                       words, query),
           words);
  }

  void fire() const {
    if (rules_.empty()) {
      execute("CREATE TEMPORARY TABLE firings (source BIGINT, rule INTEGER, target BIGINT)");
    } else {
      create("firings",
             fmt::format("SELECT fired.source, fired.rule, numbered.id AS target FROM (\n{}\n) AS "
                         "fired JOIN numbered ON {}",
                         dialect_.branches("numbered", successor_branches(true), busy_),
                         same_words("fired", "numbered")),
             "target");
    }
    std::vector<Branch> failing;
    for (RuleId id = 0; id < rules_.size(); ++id) {
      const RuleSql& rule = rules_[id];
      if (rule.outcome.empty()) continue;
      const std::uint32_t rule_class = program_.class_of(id);
      failing.push_back({fmt::format("id AS source, {} AS rule, {} - 1 AS kind, -1 AS assertion",
                                     id, rule.outcome),
                         fmt::format("{} AND {} NOT IN (0, {})", rule.enabled(dialect_),
                                     rule.outcome, RuleSql::violation),
                         rule_class});
      for (const auto& [assertion, condition] : rule.violated)
        failing.push_back({fmt::format("id AS source, {} AS rule, {} AS kind, {} AS assertion", id,
                                       static_cast<int>(ErrorKind::assertion), assertion),
                           fmt::format("{} AND {} = {} AND {}", rule.enabled(dialect_),
                                       rule.outcome, RuleSql::violation, condition),
                           rule_class});
    }
    if (failing.empty())
      execute(
          "CREATE TEMPORARY TABLE failures "
          "(source BIGINT, rule INTEGER, kind INTEGER, assertion INTEGER)");
    else
      create("failures", dialect_.branches("numbered", failing, busy_));
  }

  // ---- levels -----------------------------------------------------------------------------------

  // The states of a level have numbers in a row: the next level ends with the greatest number that
  // the states up to the end of this one lead to.
  void find_levels() const {
    create("ends",
           "SELECT id, max(COALESCE(target, id)) OVER (ORDER BY id) AS last\nFROM numbered LEFT "
           "JOIN (SELECT source, max(target) AS target FROM firings GROUP BY source) AS far ON "
           "far.source = numbered.id",
           "id");
    create("levels",
           "WITH RECURSIVE level(depth, first, last) AS (\n"
           "SELECT 0, 1::BIGINT, 1::BIGINT\nUNION ALL\n"
           "SELECT level.depth + 1, level.last + 1, ends.last FROM level JOIN ends ON ends.id = "
           "level.last WHERE ends.last > level.last\n)\nSELECT * FROM level");
    create("reached",
           fmt::format("SELECT id, count(levels.first) OVER (ORDER BY id) - 1 AS depth, {} FROM "
                       "numbered LEFT JOIN levels ON levels.first = numbered.id",
                       state_.words()),
           "id");
    const std::size_t rule_count = std::max<std::size_t>(rules_.size(), 1);
    // The least number of a rule that leads there from the first state that does.
    create(
        "parents",
        fmt::format("SELECT target AS state, {1} AS source, "
                    "min(source * {0} + rule) % {0} AS rule FROM firings WHERE target <> 1 GROUP "
                    "BY target",
                    rule_count,
                    dialect_.divide(fmt::format("min(source * {} + rule)", rule_count),
                                    std::to_string(rule_count))),
        "state");
    const std::uint64_t placed = number(
        "SELECT count(*) FILTER (WHERE parent.depth + 1 = child.depth) FROM parents "
        "JOIN reached AS child ON child.id = parents.state "
        "JOIN reached AS parent ON parent.id = parents.source");
    if (placed + 1 != number("SELECT count(*) FROM reached"))
      throw Failed{{DatabaseFailure::Kind::statement,
                    fmt::format("{} did not find the states level by level; this is a fault of "
                                "Panoptes",
                                to_string(dialect_.engine()))}};
    for (const char* table : {"numbered", "ends", "levels"}) drop(table);
  }

  void count() {
    const Row sizes = rows("SELECT count(*), max(depth) FROM reached").at(0);
    result_.states = static_cast<std::uint64_t>(sizes[0]);
    result_.depth = static_cast<std::uint64_t>(sizes[1]);
    result_.passed.resize(rules_.size());
    for (const Row& row : rows("SELECT rule, count(*) FROM firings GROUP BY rule")) {
      result_.passed[static_cast<std::size_t>(row[0])] = true;
      result_.transitions += static_cast<std::uint64_t>(row[1]);
    }
    result_.fired = result_.passed;
    for (const Row& row : rows("SELECT rule, count(DISTINCT source) FROM failures GROUP BY rule")) {
      result_.fired[static_cast<std::size_t>(row[0])] = true;
      result_.transitions += static_cast<std::uint64_t>(row[1]);
    }
  }

  // ---- errors -----------------------------------------------------------------------------------

  std::string places(const StateWords& significant) const {
    std::string list;
    for (std::uint32_t i = 0; i < program_.layout.words; ++i)
      list +=
          fmt::format(", ({} & {}) AS p{}", StateSql::word(i), dialect_.word(significant[i]), i);
    return list;
  }

  void find_errors() {
    // As in the paper: states that transitions lead to, less those that some lead from.
    create("stuck",
           "SELECT id FROM reached EXCEPT SELECT source FROM firings EXCEPT SELECT source FROM "
           "failures");
    std::vector<Branch> branches;
    for (const ErrorSql& error : error_sql(state_, rules_, options_.receptions))
      branches.push_back(
          {fmt::format("id AS state, -1::BIGINT AS rule, {} AS kind, {}::BIGINT AS process, "
                       "{}::BIGINT AS channel, {}::BIGINT AS tag, {}::BIGINT AS assertion{}",
                       static_cast<int>(error.kind), error.process, error.channel, error.tag,
                       error.assertion, places(error.significant)),
           error.condition, 0});
    std::string none_of_them;
    for (std::uint32_t i = 0; i < program_.layout.words; ++i)
      none_of_them += fmt::format(", {} AS p{}", dialect_.word(0), i);
    create("findings",
           fmt::format("{}\nUNION ALL SELECT source, rule, kind, -1, -1, 0, assertion{} FROM "
                       "failures",
                       dialect_.branches("reached", branches, busy_), none_of_them));
    std::string place_list;
    for (std::uint32_t i = 0; i < program_.layout.words; ++i) place_list += fmt::format(", p{}", i);
    create("groups",
           fmt::format("SELECT row_number() OVER () AS number, * FROM (SELECT rule, kind, "
                       "process, channel, tag, assertion, count(*) AS findings, "
                       "min(state) AS state FROM findings GROUP BY rule, kind, process, "
                       "channel, tag, assertion{}) AS each_group",
                       place_list));
    for (const Row& row : rows(
             fmt::format("SELECT rule, kind, process, channel, tag, assertion, findings, depth, "
                         "{} FROM groups JOIN reached ON reached.id = groups.state ORDER BY number",
                         state_.words())))
      result_.errors.push_back(error_of(row));
  }

  static RelatedError error_of(const Row& row) {
    // -1 is `none` in 32 bits.
    const auto id = [](std::int64_t value) { return static_cast<std::uint32_t>(value); };
    RelatedError error;
    error.finding.rule = id(row[0]);
    error.finding.kind = static_cast<ErrorKind>(row[1]);
    error.finding.process = id(row[2]);
    error.finding.channel = id(row[3]);
    error.finding.tag = id(row[4]);
    error.finding.assertion = id(row[5]);
    error.count = static_cast<std::uint64_t>(row[6]);
    error.depth = static_cast<std::uint64_t>(row[7]);
    for (std::size_t i = 8; i < row.size(); ++i) error.state.push_back(static_cast<Word>(row[i]));
    return error;
  }

  // ---- the way back -----------------------------------------------------------------------------

  // All faulty paths: the states from which an error can be reached. And for each error one of the
  // shortest: from its state to the parent, and so on.
  void trace_back() {
    std::string kinds = "TRUE";
    for (int kind = 0; kind <= static_cast<int>(last_error_kind); ++kind)
      if (needs_strictness(static_cast<ErrorKind>(kind)) && !options_.unread_messages_are_errors)
        kinds += fmt::format(" AND kind <> {}", kind);
    create(
        "faulty",
        fmt::format("WITH RECURSIVE back(state) AS (\nSELECT state FROM findings WHERE {}\nUNION\n"
                    "SELECT firings.source FROM back JOIN firings ON firings.target = back.state"
                    "\n)\nSELECT state FROM back",
                    kinds));
    result_.faulty_states = number("SELECT count(*) FROM faulty");
    if (result_.errors.empty()) return;
    const auto steps = rows(
        "WITH RECURSIVE trail(number, length, state, rule) AS (\n"
        "SELECT number, 0, state, -1::BIGINT FROM groups\nUNION ALL\n"
        "SELECT trail.number, trail.length + 1, parents.source, parents.rule FROM trail JOIN "
        "parents ON parents.state = trail.state\n)\n"
        "SELECT number, rule FROM trail WHERE length > 0 ORDER BY number, length DESC");
    for (const Row& step : steps)
      result_.errors.at(static_cast<std::size_t>(step[0] - 1))
          .path.push_back(static_cast<RuleId>(step[1]));
  }

  const Program& program_;
  Database& database_;
  const Dialect& dialect_;
  const RelateOptions& options_;
  StateSql state_;
  std::vector<RuleSql> rules_;
  std::vector<RuleGroup> groups_;
  std::vector<std::string> busy_;
  Related result_;
};

}  // namespace

std::string drop_relate_tables(const Dialect& dialect) {
  std::string sql;
  for (const char* table : {"numbered", "ends", "levels", "reached", "firings", "failures",
                            "findings", "groups", "parents", "stuck", "faulty"})
    sql += fmt::format("DROP TABLE IF EXISTS {}.{};\n", dialect.temporary_schema(), table);
  return sql;
}

DatabaseResult<Related> relate(const Program& program, Database& database, const Dialect& dialect,
                               const RelateOptions& options) {
  try {
    return Relator(program, database, dialect, options).run();
  } catch (const Failed& failed) {
    return failed.failure;
  }
}

}  // namespace panoptes
