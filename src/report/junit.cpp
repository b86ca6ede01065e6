// SPDX-License-Identifier: Apache-2.0
#include "report/junit.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "report/kinds.hpp"
#include "report/xml.hpp"
#include "rules/narrow.hpp"
#include "verdict/violations.hpp"

namespace panoptes {
namespace {

// A test, and what came of it: nothing where it passed.
struct Case {
  std::string name = {};
  std::string element = {};  // failure, error or skipped; "" where it passed
  std::string message = {}, type = {}, text = {};
  std::string output = {};  // warnings
};

std::string case_xml(const Case& test, const std::string& model) {
  std::string inside;
  if (!test.element.empty()) {
    inside = fmt::format("      <{} message=\"{}\"", test.element, xml_escaped(test.message));
    if (!test.type.empty()) inside += fmt::format(" type=\"{}\"", xml_escaped(test.type));
    inside += test.text.empty() ? "/>\n"
                                : fmt::format(">{}</{}>\n", xml_escaped(test.text), test.element);
  }
  if (!test.output.empty())
    inside += fmt::format("      <system-out>{}</system-out>\n", xml_escaped(test.output));
  const std::string head = fmt::format("    <testcase classname=\"{}\" name=\"{}\" file=\"{}\"",
                                       xml_escaped(model), test.name, xml_escaped(model));
  return inside.empty() ? head + "/>\n" : head + ">\n" + inside + "    </testcase>\n";
}

struct Suite {
  std::string model;
  double seconds = 0.0;
  std::string properties;
  std::vector<Case> cases;
  std::string output, complaints;

  void property(std::string_view name, const std::string& value) {
    properties +=
        fmt::format("      <property name=\"{}\" value=\"{}\"/>\n", name, xml_escaped(value));
  }
};

std::string suite_xml(const Suite& suite) {
  const auto count = [&](std::string_view element) {
    return std::count_if(suite.cases.begin(), suite.cases.end(),
                         [&](const Case& test) { return test.element == element; });
  };
  const std::string counts = fmt::format(
      "tests=\"{}\" failures=\"{}\" errors=\"{}\" skipped=\"{}\" time=\"{:.3f}\"",
      suite.cases.size(), count("failure"), count("error"), count("skipped"), suite.seconds);
  std::string out = "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n";
  out += fmt::format("<testsuites name=\"panoptes\" {}>\n  <testsuite name=\"{}\" {}>\n", counts,
                     xml_escaped(suite.model), counts);
  if (!suite.properties.empty())
    out += fmt::format("    <properties>\n{}    </properties>\n", suite.properties);
  for (const Case& test : suite.cases) out += case_xml(test, suite.model);
  if (!suite.output.empty())
    out += fmt::format("    <system-out>{}</system-out>\n", xml_escaped(suite.output));
  if (!suite.complaints.empty())
    out += fmt::format("    <system-err>{}</system-err>\n", xml_escaped(suite.complaints));
  return out + "  </testsuite>\n</testsuites>\n";
}

// Why nothing is known of a kind of which no error was found; "" where none is there.
std::string why_unknown(const Program& program, const Verdict& verdict, ErrorKind kind) {
  if (kind == ErrorKind::overflow && program.overflow == OverflowPolicy::wait)
    return "not looked for: a send to a full channel waits (--overflow error looks for it)";
  const bool is_of_graph = kind == ErrorKind::livelock || kind == ErrorKind::stuck;
  if (is_of_graph && !verdict.graph)
    return "not looked for: it takes the graph (--keep-graph looks for it)";
  if (is_of_graph && !verdict.graph->is_complete) return "unknown: the graph is not complete";
  if (is_of_property(kind))
    for (const PropertyReport& property : verdict.properties)
      if (property.answer == Outcome::unknown)
        return fmt::format("unknown: {}: {}", property.name, property.reason);
  if (verdict.promise == Promise::partial)
    return fmt::format("unknown: the search did not see everything ({})", to_string(verdict.stop));
  if (hides_errors(verdict)) return "unknown: there may be some behind the steps that failed";
  return {};
}

// A question is asked alone; invariants are a matter of models that have some.
bool is_asked_for(const Program& program, ErrorKind kind) {
  if (program.errors.is_question) return kind == ErrorKind::reached;
  if (kind == ErrorKind::invariant) return !program.protocol.invariants.empty();
  if (is_of_property(kind))
    return std::ranges::any_of(program.protocol.temporal, [&](const TemporalProperty& property) {
      return kind_of(property.origin) == kind;
    });
  return kind != ErrorKind::reached;
}

// Every error is told of, whichever of them are asked for with their trails: what is left out would
// have passed.
Case case_of(const Program& program, const Verdict& verdict, const SourceSet& sources,
             const RunFacts& facts, ErrorKind kind, const ErrorList& list) {
  Case test;
  test.name = to_string(kind);
  const bool are_several = list.all().size() > 1;
  std::size_t errors = 0;
  for (const ListedError& listed : list.all()) {
    const ErrorReport& error = *listed.error;
    if (error.description.kind != kind) continue;
    if (!error.is_warning && ++errors == 1) test.message = error.description.text;
    (error.is_warning ? test.output : test.text) +=
        error_text(program, listed, sources, facts, are_several);
  }
  if (errors > 0) {
    test.element = "failure";
    test.type = to_string(kind);
    if (errors > 1) test.message += fmt::format(" (and {} more)", errors - 1);
  } else if (test.message = why_unknown(program, verdict, kind); !test.message.empty()) {
    test.element = "skipped";
  }
  return test;
}

}  // namespace

std::string junit_report(const Program& program, const Verdict& verdict, const SourceSet& sources,
                         const Diagnostics& diagnostics, const RunFacts& facts) {
  Suite suite;
  suite.model = facts.model;
  suite.seconds = verdict.seconds;
  suite.complaints = diagnostics.render(sources);
  suite.output = summary_text(program, verdict, sources, facts);
  suite.property("verdict", std::string(to_string(verdict.outcome)));
  suite.property("promise", std::string(to_string(verdict.promise)));
  suite.property("stop", std::string(to_string(verdict.stop)));
  if (const std::string channels = narrowed_channels(program.protocol); !channels.empty())
    suite.property("narrowed", channels);
  if (verdict.is_distinct) suite.property("states", std::to_string(verdict.states));
  suite.property("states_analysed", std::to_string(verdict.states_analysed));
  suite.property("transitions", std::to_string(verdict.transitions));
  suite.property("depth", std::to_string(verdict.depth));
  suite.property("state_bits", std::to_string(program.layout.bits));
  suite.property("memory_bytes", std::to_string(facts.memory_bytes));
  suite.cases.push_back({.name = "model"});
  const ErrorList list(program, verdict, facts.request, trails_for_people);
  for (const KindInfo& info : kind_table())
    if (is_asked_for(program, info.kind))
      suite.cases.push_back(case_of(program, verdict, sources, facts, info.kind, list));
  return suite_xml(suite);
}

std::string junit_input_error(const std::string& model, const SourceSet& sources,
                              const Diagnostics& diagnostics) {
  Suite suite;
  suite.model = model;
  Case test{.name = "model", .element = "error", .type = "input_error"};
  for (const Diagnostic& d : diagnostics.all())
    if (d.severity == Severity::error && test.message.empty()) test.message = d.message;
  test.text = diagnostics.render(sources);
  suite.cases.push_back(std::move(test));
  for (const KindInfo& info : kind_table())
    if (info.kind != ErrorKind::reached && info.kind != ErrorKind::invariant &&
        !is_of_property(info.kind))
      suite.cases.push_back({.name = std::string(to_string(info.kind)),
                             .element = "skipped",
                             .message = "the model could not be checked"});
  return suite_xml(suite);
}

}  // namespace panoptes
