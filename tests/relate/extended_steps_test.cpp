// SPDX-License-Identifier: Apache-2.0
// The five steps of extended automata: variables, values of messages, tests, assignments, timeouts
// and failures are found as the interpreter finds them, following its steps one by one.
#include <gtest/gtest.h>

#include <algorithm>
#include <map>
#include <random>
#include <set>

#include "cli/child.hpp"
#include "differential/generator.hpp"
#include "relate/steps.hpp"
#include "step/examine.hpp"
#include "step/interpreter.hpp"
#include "support/postgres_server.hpp"

namespace panoptes {
namespace {

using test::Rows;
using test::rows_of;
using test::shown;
using test::steps_of;

// ---- what the interpreter finds ---------------------------------------------------------------

// What both can say of a protocol.
struct StepFindings {
  std::uint64_t states = 0, transitions = 0, deadlocks = 0, unused = 0;
  std::set<std::string> receptions;
  std::map<std::string, std::uint64_t> failures;
  std::vector<std::uint64_t> steps_back;  // so many states are so far from an error
  friend bool operator==(const StepFindings&, const StepFindings&) = default;
};

void PrintTo(const StepFindings& f, std::ostream* out) {
  *out << fmt::format("{} states, {} transitions, {} deadlocks, {} unused, receptions {}, ",
                      f.states, f.transitions, f.deadlocks, f.unused,
                      fmt::join(f.receptions, ", "));
  for (const auto& [kind, count] : f.failures) *out << fmt::format("{} of {}, ", count, kind);
  *out << fmt::format("steps back {}", fmt::join(f.steps_back, " "));
}

class Exploration {
 public:
  explicit Exploration(const Program& program) : program_(program), interpreter_(program) {}

  // Nothing where there are more states than that.
  std::optional<StepFindings> run(std::size_t most_states) {
    number(program_.initial);
    for (std::size_t s = 0; s < states_.size() && s <= most_states; ++s) expand(s);
    if (states_.size() > most_states) return {};
    findings_.states = states_.size();
    findings_.unused =
        static_cast<std::uint64_t>(std::count(used_.begin(), used_.end(), false)) + never_sent();
    go_back();
    return findings_;
  }

 private:
  std::size_t number(const StateWords& state) {
    const auto [found, fresh] = numbers_.try_emplace(state, states_.size());
    if (fresh) {
      states_.push_back(state);
      predecessors_.emplace_back();
    }
    return found->second;
  }

  void expand(std::size_t s) {
    const StateWords state = states_[s];
    const StateBatch batch{program_.layout.words, state};
    std::vector<Finding> findings;
    SuccessorBatch successors;
    interpreter_.expand(batch, successors, findings);
    findings_.transitions += successors.rules.size();
    for (std::size_t i = 0; i < successors.rules.size(); ++i) {
      used_[successors.rules[i]] = true;
      const StateView next = successors.states[i];
      predecessors_[number(StateWords(next.begin(), next.end()))].push_back(s);
    }
    examine(program_, batch, successors, ReceptionPolicy::any, findings);
    bool is_unsafe = false;
    for (const Finding& finding : findings) is_unsafe = note(finding, state) || is_unsafe;
    if (is_unsafe) unsafe_.push_back(s);
  }

  bool note(const Finding& finding, const StateWords& state) {
    if (finding.kind == ErrorKind::unread_messages) return false;
    if (finding.rule != none) {
      used_[finding.rule] = true;
      ++findings_.transitions;
      ++findings_.failures[std::string(to_string(finding.kind))];
    } else if (finding.kind == ErrorKind::deadlock) {
      ++findings_.deadlocks;
    } else {
      const auto control =
          static_cast<StateId>(read(program_.layout.control[finding.process], state));
      findings_.receptions.insert(
          fmt::format("{} {} {}", finding.process == 0 ? "A" : "B",
                      program_.state(finding.process, control).name,
                      program_.protocol.channels[finding.channel].sort[finding.tag - 1].name));
    }
    return true;
  }

  // Receptions of messages that no rule sends, which have no rule either.
  std::uint64_t never_sent() const {
    std::uint64_t count = 0;
    for (const Process& process : program_.protocol.processes)
      for (const ControlState& state : process.automaton.states)
        for (const Transition& t : state.transitions) {
          if (t.kind != ActionKind::receive) continue;
          const auto& sort = program_.protocol.channels[t.channel].sort;
          if (std::none_of(sort.begin(), sort.end(),
                           [&](const MessageType& type) { return type.name == t.message; }))
            ++count;
        }
    return count;
  }

  void go_back() {
    std::vector<bool> seen(states_.size());
    std::vector<std::size_t> level = unsafe_;
    for (const std::size_t s : level) seen[s] = true;
    while (!level.empty()) {
      findings_.steps_back.push_back(level.size());
      std::vector<std::size_t> next;
      for (const std::size_t s : level)
        for (const std::size_t before : predecessors_[s]) {
          if (!seen[before]) next.push_back(before);
          seen[before] = true;
        }
      level = std::move(next);
    }
  }

  const Program& program_;
  Interpreter interpreter_;
  std::map<StateWords, std::size_t> numbers_;
  std::vector<StateWords> states_;
  std::vector<std::vector<std::size_t>> predecessors_;
  std::vector<std::size_t> unsafe_;
  std::vector<bool> used_ = std::vector<bool>(program_.rules.size());
  StepFindings findings_;
};

// ---- what the five steps find -----------------------------------------------------------------

StepFindings step_findings(const StepsReport& report) {
  const auto size = [&](const std::string& table) {
    for (const StepsReport::Shown& each : report.relations)
      if (each.relation.table == table) return each.relation.rows;
    return std::uint64_t{0};
  };
  StepFindings findings;
  findings.states = size("s");
  findings.transitions = size("g") + size("failures");
  findings.deadlocks = size("deadlocks");
  findings.unused = size("nonexecutable");
  for (const NamedRow& row : shown(report, "unspecified_receptions").rows) {
    NamedRow plain = row;  // copies of a name are told apart there
    for (std::string& value : plain) value = value.substr(0, value.find('#'));
    findings.receptions.insert(fmt::format("{}", fmt::join(plain, " ")));
  }
  if (size("failures") > 0)
    for (const NamedRow& row : shown(report, "failures").rows) ++findings.failures[row[0]];
  if (size("predecessors") == 0) return findings;
  for (const NamedRow& row : shown(report, "predecessors").rows) {
    const std::size_t steps = std::stoul(row[0]);
    findings.steps_back.resize(std::max(findings.steps_back.size(), steps + 1));
    ++findings.steps_back[steps];
  }
  return findings;
}

// Whether relations, which are sets, have a row for every rule; and whether every channel has a
// reader, since the native search says nothing of one that has none.
bool is_comparable(const Program& program, const TwoProcess& protocol) {
  std::size_t rows = 0, rules = program.rules.size();
  for (const TwoProcess::Side* side : {&protocol.a, &protocol.b}) {
    rows += side->transmissions.size() + side->internals.size() + side->timeouts.size();
    rows += side->receptions.size();
    if (!side->channel.empty() && program.protocol.channels[side->channel_id].reader() == none)
      return false;
  }
  for (const Process& process : program.protocol.processes)
    for (const ControlState& state : process.automaton.states)
      for (const Transition& t : state.transitions)
        if (t.kind == ActionKind::receive) {
          const auto& sort = program.protocol.channels[t.channel].sort;
          rules += std::none_of(sort.begin(), sort.end(),
                                [&](const MessageType& m) { return m.name == t.message; });
        }
  return rows == rules;
}

// What the steps find, which is what the interpreter finds; nothing where they cannot be compared.
std::optional<StepsReport> agreed(const std::string& text, const std::string& address,
                                  test::Setup setup, std::size_t most_states = 3000) {
  setup.minimise = false;
  const test::Compiled compiled = test::compile(text, setup);
  const auto protocol = two_process(compiled.program);
  if (!protocol || !is_comparable(compiled.program, *protocol)) return {};
  const auto wanted = Exploration(compiled.program).run(most_states);
  if (!wanted) return {};
  StepsReport report = steps_of(compiled.program, address, test::all_rows, 3);
  StepFindings found = step_findings(report);
  if (address.starts_with(test::cube_address)) found.steps_back = wanted->steps_back;
  EXPECT_EQ(found, *wanted) << text;
  return report;
}

// ---- protocols --------------------------------------------------------------------------------

TEST(ExtendedAutomata, AgreeWithTheInterpreterOnModels) {
  const auto compare = [](const std::string& name, const std::string& definitions,
                          TimeoutPolicy timeouts = TimeoutPolicy::empty) {
    EXPECT_TRUE(agreed(test::model_text(name, definitions), "duckdb", {.timeouts = timeouts}))
        << name << definitions;
  };
  compare("peterson", "");
  compare("polling", "");
  compare("hang_up", "#define AGAIN\n");
  compare("alternating_bit", "", TimeoutPolicy::lock);
}

// The alternating bit protocol of On Limits and Possibilities of Automated Protocol Analysis has as
// many states as brute force finds.
TEST(ExtendedAutomata, HaveTheStatesOfTheAlternatingBitProtocol) {
  const test::Compiled compiled =
      test::compile(test::model_text("alternating_bit"), {.minimise = false});
  const StepsReport report = steps_of(compiled.program, "duckdb", 1);
  EXPECT_EQ(shown(report, "s").relation.rows, 56u);
  EXPECT_EQ(shown(report, "g").relation.rows, 72u);
}

// A window that is too large for its numbers violates an assertion.
TEST(ExtendedAutomata, FailWhereAnAssertionDoes) {
  const std::string text =
      test::model_text("sliding_window", "#define WINDOW 1\n#define MODULUS 1\n");
  const auto report = agreed(text, "duckdb", {});
  ASSERT_TRUE(report);
  EXPECT_EQ(shown(*report, "failures").rows.at(0).at(0), "assertion");
  EXPECT_EQ(shown(*report, "failures").rows.at(0).at(2), "assert(real == expected)");
  EXPECT_TRUE(report->finds_errors());
}

// Everything in one: values, a family of one channel, defaults, faults, shared variables.
constexpr char mixture[] = R"(
  channel lane[0..0][1], d[1];
  var s : 0..3;
  proc A { var x : 0..3;
    do
    :: (x < 2) -> lane[0]!m(x, s); x = x + 1
    :: (x > 0) -> lane[0]!n
    :: (x == 2) -> lane[0]!m
    :: (s == 1) -> d?ack(s)
    :: d?timeout -> assert(x != 3); x = x + 1
    od }
  proc B { var y : 0..2, i;
    do
    :: lane[i]?m(y) -> s = s / y
    :: lane[i]?default
    :: (len(lane[0]) == 1 && !full(d)) -> i = y
    :: (empty(lane[0])) -> d!ack(y + 1)
    :: lane[i]?never -> y = 0
    od }
)";

TEST(ExtendedAutomata, KeepValuesFaultsAndConditions) {
  EXPECT_TRUE(agreed(mixture, "duckdb", {.timeouts = TimeoutPolicy::lock}));
  const auto report = agreed(mixture, "duckdb", {});
  ASSERT_TRUE(report);
  const StepFindings found = step_findings(*report);
  for (const char* kind : {"assertion", "division_by_zero", "index_out_of_range"})
    EXPECT_TRUE(found.failures.contains(kind)) << kind;
  EXPECT_FALSE(found.receptions.empty());
}

TEST(ExtendedAutomata, AreTheSameOnPostgreSql) {
  const PostgresServer server;
  EXPECT_TRUE(agreed(mixture, server.address(), {}));
  EXPECT_TRUE(agreed(mixture, server.address(), {.timeouts = TimeoutPolicy::lock}));
  EXPECT_TRUE(agreed(test::model_text("polling"), server.address(), {}));
}

TEST(ExtendedAutomata, AreTheSameOnHypercubes) {
  for (const char* nodes : {"1", "2", "8"}) {
    const std::string address = std::string(test::cube_address) + nodes;
    EXPECT_TRUE(agreed(mixture, address, {}));
    EXPECT_TRUE(agreed(mixture, address, {.timeouts = TimeoutPolicy::lock}));
    EXPECT_TRUE(agreed(test::model_text("polling"), address, {}));
  }
}

// What the generator of the differential tests makes, where it is two processes.
TEST(ExtendedAutomata, AgreeWithTheInterpreterOnRandomProtocols) {
  int compared = 0;
  for (std::uint64_t seed = 0; compared < 5 && seed < 4000; ++seed)
    compared += agreed(differential::random_protocol(seed), "duckdb",
                       {.timeouts = seed % 2 == 0 ? TimeoutPolicy::empty : TimeoutPolicy::lock})
                    .has_value();
  EXPECT_EQ(compared, 5);
}

// A few states, a few options each, of every kind; small values, so that there are few states.
class RandomProtocol {
 public:
  explicit RandomProtocol(std::uint64_t seed) : random_(seed) {}

  std::string text() {
    return "channel to_A, to_B;\nvar s : 0..2;\n" + side("A", "to_A", "to_B") +
           side("B", "to_B", "to_A");
  }

 private:
  unsigned below(unsigned n) { return static_cast<unsigned>(random_() % n); }
  std::string value() {
    static const char* const values[] = {"x", "s", "0", "1", "x + 1", "2 - s", "s / x", "x % 2"};
    return values[below(8)];
  }
  std::string option(const std::string& in, const std::string& out) {
    switch (below(9)) {
      case 0: return fmt::format("{}!m({})", out, value());
      case 1: return fmt::format("{}!n", out);
      case 2: return fmt::format("{}?m(x)", in);
      case 3: return fmt::format("{}?m(s)", in);
      case 4: return fmt::format("{}?n", in);
      case 5: return fmt::format("x = {}", value());
      case 6: return fmt::format("s = {}", value());
      case 7: return fmt::format("({} {} {})", value(), below(2) == 0 ? "<" : "!=", value());
      default: return below(2) == 0 ? in + "?timeout" : fmt::format("assert(x <= {})", value());
    }
  }
  std::string side(const std::string& name, const std::string& in, const std::string& out) {
    const unsigned states = 2 + below(3);
    std::string text = fmt::format("proc {} var x : 0..2;\n{{\n", name);
    for (unsigned s = 0; s < states; ++s) {
      text += fmt::format("{}s{}: if\n", s == 1 ? "end" : "", s);
      std::set<std::string> options;
      for (unsigned i = 0; i <= 1 + below(3); ++i) options.insert(option(in, out));
      for (const std::string& each : options) {
        const unsigned target = below(states);
        text += fmt::format("  :: {} -> goto {}s{}\n", each, target == 1 ? "end" : "", target);
      }
      text += "  fi;\n";
    }
    return text + fmt::format("never: {}?n\n}}\n", in);
  }

  std::mt19937_64 random_;
};

TEST(ExtendedAutomata, AgreeWithTheInterpreterOnEveryMixture) {
  int compared = 0;
  for (std::uint64_t seed = 0; seed < 10; ++seed)
    compared += agreed(RandomProtocol(seed).text(), "duckdb",
                       {.capacity = static_cast<std::uint32_t>(1 + seed % 2),
                        .timeouts = seed % 3 == 0 ? TimeoutPolicy::lock : TimeoutPolicy::empty})
                    .has_value();
  EXPECT_GT(compared, 6);
}

// ---- how it is shown --------------------------------------------------------------------------

TEST(ExtendedAutomata, ShowProceduresVariablesAndValues) {
  const test::Compiled compiled = test::compile(
      "channel c[1]; proc A { var x : 0..1; c!m(x); x = 1 }\n"
      "proc B { var y; c?m(y) }",
      {.minimise = false});
  const StepsReport report = steps_of(compiled.program, "duckdb");
  EXPECT_EQ(rows_of(report, "h_a"), (Rows{"1:38 -m 1:46 c!m(x)"}));
  EXPECT_EQ(rows_of(report, "i_a"), (Rows{"1:46 0 end x = 1"}));
  EXPECT_EQ(shown(report, "s").relation.columns,
            (std::vector<std::string>{"state_a", "state_b", "value_a_x", "value_b_y", "b_to_a_1",
                                      "a_to_b_1", "a_to_b_1_value_1"}));
  const std::string text = steps_text(report);
  EXPECT_NE(text.find("  STATE  STATE  x  y  B_TO_A  A_TO_B  A_TO_B\n"
                      "  A      B      A  B  [1]     [1]     [1]\n"
                      "                                      value 1\n"),
            std::string::npos)
      << text;
}

// Names that are the same to SQL, or too long for it, get columns of their own.
TEST(ExtendedAutomata, HaveAColumnForEachVariable) {
  const std::string longest(70, 'v');
  const test::Compiled compiled = test::compile(
      fmt::format("channel c[1]; var a_x; proc A {{ var x, X, {0}1, {0}2; c!m; x = 1; X = 2; "
                  "{0}1 = 3; {0}2 = 4; a_x = 5 }} proc B {{ c?m }}",
                  longest),
      {.minimise = false});
  for (const TwoProcess protocol = test::two_process_of(compiled.program);
       const TwoProcess::Attribute& attribute : protocol.attributes)
    EXPECT_LE(attribute.column.size(), 45u);
  const StepsReport report = steps_of(compiled.program, "duckdb");
  EXPECT_EQ(shown(report, "s").relation.rows, 13u);
}

TEST(ExtendedAutomata, AreKeptWithTheirNames) {
  const cli::TemporaryFolder folder;
  const std::string file = folder.path("kept.db");
  const cli::Result result =
      cli::run({"relate", cli::model("polling"), "--steps", "--keep", file, "--paths", "2"});
  ASSERT_EQ(result.exit_code, 1) << result.errors;
  const auto database = test::open("duckdb:" + file);
  EXPECT_EQ(test::rows(*database,
                       "SELECT DISTINCT procedure_a, future_value_a_tries - present_value_a_tries "
                       "FROM g WHERE future_value_a_tries <> present_value_a_tries"),
            (Rows{"tries = tries + 1|1"}));
  EXPECT_EQ(test::rows(*database, "SELECT DISTINCT error FROM unsafe"),
            (Rows{"unspecified_reception"}));
  EXPECT_EQ(test::rows(*database, "SELECT DISTINCT path FROM paths ORDER BY path"),
            (Rows{"1", "2"}));
}

}  // namespace
}  // namespace panoptes
