// SPDX-License-Identifier: Apache-2.0
// A space in a database is the one `check` sees: the same states, transitions and errors, and the
// queries that come along find what `check` finds. Views and steppers share the layout of a state
// and nothing else.
#include <fmt/format.h>
#include <fmt/ranges.h>
#include <gtest/gtest.h>

#include <filesystem>
#include <sstream>

#include "app/load.hpp"
#include "ask/asked.hpp"
#include "cli/child.hpp"
#include "differential/generator.hpp"
#include "models/expectation.hpp"
#include "options/table.hpp"
#include "query/column_names.hpp"
#include "query/named.hpp"
#include "support/model.hpp"
#include "support/postgres_server.hpp"
#include "support/sample.hpp"

namespace panoptes {
namespace {

using test::Asked;
using test::Rows;

// Sanitizers make everything ten times as slow.
constexpr bool is_sanitized = cli::is_sanitized;
constexpr std::uint64_t most_states = is_sanitized ? 500 : 10'000;
// Every question is about views that have all rules in them, and is prepared anew.
constexpr std::size_t most_rules = 1000;

std::string named(const char* name) { return std::string(find_named_query(name)->sql); }

std::string line_column_text(const StatementInfo& info, const SourceSet& sources) {
  const LineColumn at = sources.line_column(info.place);
  return fmt::format("{}:{}", at.line, at.column);
}

// ---- what check says, in the form of rows ---------------------------------------------------

std::string text_or_null(const std::string& text) { return text.empty() ? "-" : text; }

// Kind, whether it is a warning, count, depth, and whether it was found in several members of a
// family.
Rows errors_of(const Verdict& verdict) {
  Rows rows;
  for (const auto* list : {&verdict.errors, &verdict.warnings})
    for (const ErrorReport& error : *list)
      if (!needs_graph(error.description.kind))
        rows.push_back(fmt::format("{}|{}|{}|{}|{}", to_string(error.description.kind),
                                   error.is_warning ? 1 : 0, error.count, error.depth,
                                   error.members.empty() ? 0 : 1));
  std::sort(rows.begin(), rows.end());
  return rows;
}

// How each is described, where it was found first.
Rows descriptions_of(const Verdict& verdict) {
  Rows rows;
  for (const auto* list : {&verdict.errors, &verdict.warnings})
    for (const ErrorReport& error : *list)
      if (!needs_graph(error.description.kind))
        rows.push_back(fmt::format("{}|{}|{}|{}|{}|{}", to_string(error.description.kind),
                                   text_or_null(error.description.process),
                                   text_or_null(error.description.place),
                                   text_or_null(error.description.message),
                                   text_or_null(error.description.text), error.depth));
  std::sort(rows.begin(), rows.end());
  return rows;
}

std::uint64_t count_of(const Verdict& verdict, ErrorKind kind) {
  std::uint64_t count = 0;
  for (const auto* list : {&verdict.errors, &verdict.warnings})
    for (const ErrorReport& error : *list)
      if (error.description.kind == kind) count += error.count;
  return count;
}

Rows dead_code_of(const Program& program, const Verdict& verdict, const SourceSet& sources) {
  Rows rows;
  for (const DeadStatement& dead : verdict.dead_code)
    rows.push_back(line_column_text(program.protocol.statements[dead.statement], sources));
  std::sort(rows.begin(), rows.end());
  return rows;
}

Rows sorted(Rows rows) {
  std::sort(rows.begin(), rows.end());
  return rows;
}

// ---- states ---------------------------------------------------------------------------------

// A row of `states` without the last three columns, from the packed words. Lists as text with
// slashes, which no message has.
std::string row_of(const Program& program, StateView state) {
  std::vector<std::string> cells;
  for (ProcessId p = 0; p < program.control.size(); ++p)
    cells.push_back(control_state_names(program.protocol.processes[p])[static_cast<StateId>(
        read(program.layout.control[p], state))]);
  for (const Slot& slot : program.layout.variables)
    cells.push_back(std::to_string(read(slot, state)));
  for (ChannelId c = 0; c < program.layout.channels.size(); ++c) {
    std::string list;
    for (const Message& message : contents(program.layout.channels[c], state))
      list += message_text(program.protocol, c, message.tag, message.values) + "/";
    cells.push_back(list);
  }
  return fmt::format("{}", fmt::join(cells, "|"));
}

Rows rows_of_states(Asked& asked, const Program& program) {
  const StateColumns names = state_columns(program.protocol);
  std::vector<std::string> columns = names.processes;
  columns.insert(columns.end(), names.variables.begin(), names.variables.end());
  for (const std::string& name : names.channels)
    columns.push_back(
        fmt::format("CASE WHEN array_length({0}, 1) > 0 THEN array_to_string({0}, '/') || '/' ELSE "
                    "'' END",
                    name));
  return asked.rows(fmt::format("SELECT {} FROM states ORDER BY state", fmt::join(columns, ", ")));
}

// Every state of the view against the words it is made of, and against its messages one by one.
void compare_states(Asked& asked, const Program& program) {
  std::string words;
  for (std::uint32_t i = 0; i < program.layout.words; ++i)
    words += fmt::format("{}w{}", i == 0 ? "" : ", ", i);
  Rows wanted;
  for (const std::string& row :
       asked.rows(fmt::format("SELECT {} FROM packed_states ORDER BY state", words))) {
    StateWords state;
    std::istringstream stream(row);
    for (std::string word; std::getline(stream, word, '|');)
      state.push_back(static_cast<Word>(std::stoll(word)));
    wanted.push_back(row_of(program, state));
  }
  EXPECT_EQ(rows_of_states(asked, program), wanted);
  for (ChannelId c = 0; c < program.layout.channels.size(); ++c) {
    const std::string column = state_columns(program.protocol).channels[c];
    EXPECT_EQ(
        asked.rows(fmt::format(
            "SELECT listed.state, list[position], message FROM (SELECT state, {} AS list FROM "
            "states) AS listed JOIN messages USING (state) WHERE channel = '{}' AND "
            "(list[position] <> message OR list[position] IS NULL)",
            column, program.protocol.channels[c].name)),
        Rows{});
    EXPECT_EQ(
        asked.rows(fmt::format("SELECT COALESCE(sum(array_length({}, 1)), 0) FROM states", column)),
        asked.rows(fmt::format("SELECT count(*) FROM messages WHERE channel = '{}'",
                               program.protocol.channels[c].name)));
  }
}

// ---- the comparison -------------------------------------------------------------------------

Verdict check_with(const Program& program, const SourceSet& sources, ReceptionPolicy receptions,
                   bool strict, bool keep_graph) {
  CheckOptions options;
  options.explore.receptions = receptions;
  options.strict = strict;
  if (keep_graph) options.search = ExhaustiveSearch{.storage = WholeGraph{}};
  std::string problem;
  auto verdict = check(program, sources, options, problem);
  if (!verdict) throw std::runtime_error(problem);
  return std::move(*verdict);
}

bool has_merged_places(const Protocol& protocol) {
  for (const Process& process : protocol.processes)
    for (const ControlState& state : process.automaton.states)
      if (state.merged.size() > 1) return true;
  return false;
}

void compare_errors(Asked& asked, const Program& program, const SourceSet& sources,
                    const Verdict& verdict) {
  const std::string found =
      "FROM errors JOIN (SELECT state, depth FROM states) AS depths USING (state) ";
  EXPECT_EQ(sorted(asked.rows(
                "SELECT kind, CASE WHEN is_warning THEN 1 ELSE 0 END, count(*), min(depth), "
                "CASE WHEN count(DISTINCT concat(process, '|', place, '|', message)) > 1 "
                "THEN 1 ELSE 0 END " +
                found + "GROUP BY error, kind, is_warning")),
            errors_of(verdict));
  const Rows described =
      sorted(asked.rows("SELECT kind, process, place, message, text, min(depth) " + found +
                        "GROUP BY error, kind, process, place, message, text"));
  const Rows wanted = descriptions_of(verdict);
  // Which of the states that are one now it is, only a trail tells.
  EXPECT_TRUE(has_merged_places(program.protocol) ||
              std::includes(described.begin(), described.end(), wanted.begin(), wanted.end()))
      << fmt::format("{}\nnot all in\n{}", fmt::join(wanted, "\n"), fmt::join(described, "\n"));
  EXPECT_EQ(asked.count(named("deadlocks")), count_of(verdict, ErrorKind::deadlock));
  EXPECT_EQ(asked.count(named("assertions")), count_of(verdict, ErrorKind::assertion));
  EXPECT_EQ(asked.count(named("unread_messages")), count_of(verdict, ErrorKind::unread_messages));
  EXPECT_EQ(asked.count(named("overflows")), count_of(verdict, ErrorKind::overflow));
  EXPECT_EQ(asked.count(named("divisions_by_zero")),
            count_of(verdict, ErrorKind::division_by_zero));
  EXPECT_EQ(asked.count(named("indices_out_of_range")),
            count_of(verdict, ErrorKind::index_out_of_range));
  EXPECT_EQ(asked.count(named("values_out_of_range")), count_of(verdict, ErrorKind::out_of_range));
  // Of what is inside of a sequence, the query takes for alive what can be reached there.
  if (!has_indivisible(program)) {
    EXPECT_EQ(sorted(asked.rows(fmt::format("SELECT place FROM ({}) AS dead", named("dead_code")))),
              dead_code_of(program, verdict, sources));
  }
  EXPECT_EQ(asked.count(named("livelocks")), verdict.graph.value().livelocked_states);
}

// Deadlocks state by state, since `errors` has them from the search and the query has not.
void compare_states_of_errors(Asked& asked) {
  EXPECT_EQ(
      asked.rows(fmt::format("SELECT state FROM ({}) AS found ORDER BY state", named("deadlocks"))),
      asked.rows("SELECT state FROM errors WHERE kind = 'deadlock' ORDER BY state"));
}

// The way to the nearest state of each error is as long as that of `check`, and each step goes on
// where the last one ended.
void compare_paths(Asked& asked) {
  for (const std::string& state :
       asked.rows("SELECT min(state) FROM errors GROUP BY error ORDER BY 1")) {
    EXPECT_EQ(asked.rows(fmt::format("SELECT count(*) FROM path_to({})", state)),
              asked.rows(fmt::format("SELECT depth FROM states WHERE state = {}", state)));
    std::string at = "0";
    for (const std::string& step :
         asked.rows(fmt::format("SELECT source, target FROM path_to({}) ORDER BY step", state))) {
      EXPECT_EQ(step.substr(0, step.find('|')), at);
      at = step.substr(step.find('|') + 1);
    }
    EXPECT_EQ(at, state);
    EXPECT_EQ(
        asked.rows(fmt::format("SELECT count(*) FROM path_to({}) AS p WHERE NOT EXISTS "
                               "(SELECT 1 FROM transitions AS t WHERE t.source = p.source AND "
                               "t.rule = p.rule AND t.target = p.target)",
                               state)),
        Rows{"0"});
  }
}

struct Wanted {
  ReceptionPolicy receptions = ReceptionPolicy::blocked;
  bool strict = false;
  bool is_relational = false;
};

// False where there are too many states, or where relations cannot carry it.
bool compare(Asked& asked, const Program& program, const SourceSet& sources, const Wanted& wanted,
             std::uint64_t most = most_states) {
  if (program.rules.size() > most_rules) return false;
  const Verdict verdict = check_with(program, sources, wanted.receptions, wanted.strict, true);
  const bool has_sequences = has_indivisible(program);
  if (verdict.states > most || (wanted.is_relational && has_sequences)) return false;
  NativeSpaceOptions options;
  options.explore.receptions = wanted.receptions;
  options.strict = wanted.strict;
  const Space space = asked.load(program, sources, options, wanted.is_relational);
  EXPECT_TRUE(space.facts.is_complete());
  EXPECT_EQ(space.facts.states, verdict.states);
  EXPECT_EQ(space.facts.transitions, verdict.transitions);
  EXPECT_EQ(space.facts.depth, verdict.depth);
  EXPECT_EQ(asked.count("SELECT * FROM states"), verdict.states);
  // A rule may fail several times inside of one sequence.
  if (!has_sequences) {
    EXPECT_EQ(asked.count("SELECT * FROM transitions"), verdict.transitions);
  }
  compare_errors(asked, program, sources, verdict);
  compare_states_of_errors(asked);
  compare_paths(asked);
  for (const auto& [policy, name] : {std::pair(ReceptionPolicy::blocked, "unspecified_receptions"),
                                     std::pair(ReceptionPolicy::reading, "receptions_reading"),
                                     std::pair(ReceptionPolicy::any, "receptions_any")})
    EXPECT_EQ(asked.count(named(name)), count_of(check_with(program, sources, policy, false, false),
                                                 ErrorKind::unspecified_reception))
        << name;
  if (verdict.states <= 300) compare_states(asked, program);
  return true;
}

// `check` options of an expectation, as the command line would have them; nothing where there is
// one that a space has not.
std::optional<Arguments> arguments_of(const std::string& model, const std::string& options) {
  Arguments arguments("query");
  arguments.set(option::labels, "none");  // as `check` has it, whose counts are expected
  arguments.model = model;
  std::istringstream stream(options);
  std::vector<std::string> definitions;
  for (std::string word; stream >> word;) {
    std::string value;
    if (word == "-D") {
      definitions.emplace_back();
      stream >> definitions.back();
      continue;
    }
    const OptionInfo* option = find_option(word.substr(2), "query");
    if (word == "--reduce") {
      stream >> value;
      if (value == "none") continue;
    }
    if (!option || word == "--depth" || word == "--time") return {};
    if (option->kind != ValueKind::on_off) stream >> value;
    arguments.read(*option, {value});
  }
  arguments.set_all(option::define, definitions);
  return arguments;
}

Wanted wanted_of(const Arguments& arguments) {
  Wanted wanted;
  wanted.strict = arguments.has(option::strict);
  wanted.receptions = arguments.get(option::receptions);
  return wanted;
}

// Calls `visit` for every model, or every third, with the first sets of options it has an
// expectation for.
template <typename Visit>
void each_model(int most_per_model, const Visit& visit) {
  for (const std::string& name : test::sample_of(test::model_names(), 3)) {
    int count = 0;
    for (const models::Expectation& check :
         models::read_expectations(test::model_text(name)).checks) {
      const auto arguments = arguments_of(cli::model(name), check.options);
      // Minimised or not makes other states, but no other views.
      if (!arguments || arguments->has(option::no_minimise) || ++count > most_per_model) continue;
      const Loaded loaded = load(*arguments);
      if (!loaded.program) throw std::runtime_error(loaded.diagnostics.render(loaded.sources));
      SCOPED_TRACE(name + " " + check.options);
      visit(loaded, *arguments);
    }
  }
}

TEST(Spaces, OfEveryModelAreThoseOfCheck) {
  Asked asked("duckdb");
  int count = 0;
  const bool is_short = is_sanitized || !test::has_all_samples();
  each_model(is_short ? 1 : 3, [&](const Loaded& loaded, const Arguments& arguments) {
    count += compare(asked, *loaded.program, loaded.sources, wanted_of(arguments)) ? 1 : 0;
  });
  EXPECT_GT(count, !test::has_all_samples() ? 5 : is_sanitized ? 15 : 40);
}

TEST(Spaces, OfTheRelationalSearchAreTheSame) {
  Asked asked("duckdb");
  int count = 0;
  each_model(1, [&](const Loaded& loaded, const Arguments& arguments) {
    Wanted wanted = wanted_of(arguments);
    wanted.is_relational = true;
    count += compare(asked, *loaded.program, loaded.sources, wanted,
                     is_sanitized ? 50 : test::sample_of(500))
                 ? 1
                 : 0;
  });
  EXPECT_GT(count, !test::has_all_samples() ? 2 : is_sanitized ? 5 : 15);
}

TEST(Spaces, OfRandomProtocolsAreThoseOfCheck) {
  Asked asked("duckdb");
  int count = 0;
  for (std::uint64_t seed = 1; seed <= (is_sanitized ? 3 : 12); ++seed) {
    const std::string text = differential::random_protocol(seed);
    SCOPED_TRACE(fmt::format("seed {}\n{}", seed, text));
    test::Setup setup;
    if (seed % 2 == 1) setup.timeouts = TimeoutPolicy::lock;
    if (seed % 5 == 4) setup.overflow = OverflowPolicy::error;
    const test::Compiled compiled = test::compile(text, setup);
    Wanted wanted;
    wanted.strict = seed % 4 < 2;
    wanted.is_relational = seed % 3 == 0;
    count += compare(asked, compiled.program, compiled.sources, wanted, 5000) ? 1 : 0;
  }
  EXPECT_GT(count, is_sanitized ? 0 : 6);
}

TEST(Spaces, AreTheSameOnAServer) {
  const PostgresServer server;
  Asked asked(server.address());
  for (const char* name : {"setup_handshake", "connection", "hang_up", "mistakes", "polling",
                           "leader_election", "alternating_bit_link"})
    for (const bool is_relational : {false, true}) {
      SCOPED_TRACE(fmt::format("{} {}", name, is_relational));
      const test::Compiled compiled = test::compile(test::model_text(name));
      Wanted wanted;
      wanted.is_relational = is_relational;
      EXPECT_TRUE(compare(asked, compiled.program, compiled.sources, wanted, 3000));
    }
}

TEST(Spaces, LeaveNothingOfTheRelationalSearchBehind) {
  Asked asked("duckdb");
  const test::Compiled compiled = test::compile(test::model_text("setup_handshake"));
  asked.load(compiled.program, compiled.sources, {}, true);
  EXPECT_EQ(asked.rows("SELECT table_name FROM duckdb_tables() WHERE temporary"), Rows{});
}

// A search that a limit ends tells so, and its queries speak of what was expanded only.
TEST(Spaces, ThatAreCutSayWhatIsKnown) {
  Asked asked("duckdb");
  const test::Compiled compiled = test::compile(test::model_text("setup_handshake"));
  NativeSpaceOptions options;
  options.limits.depth = 3;
  const Space space = asked.load(compiled.program, compiled.sources, options);
  EXPECT_FALSE(space.facts.is_complete());
  EXPECT_LT(space.facts.expanded, space.facts.states);
  EXPECT_EQ(asked.count("SELECT * FROM states WHERE is_expanded"), space.facts.expanded);
  EXPECT_EQ(asked.rows("SELECT max(depth) FROM states"), (Rows{"3"}));
  EXPECT_EQ(asked.count(named("deadlocks")), 0u);
  EXPECT_EQ(asked.count(named("livelocks")), 0u);
  EXPECT_EQ(asked.rows("SELECT count(*) FROM states WHERE is_expanded AND state NOT IN (SELECT "
                       "source FROM transitions)"),
            (Rows{"0"}));
}

}  // namespace
}  // namespace panoptes
