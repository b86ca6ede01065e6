// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <algorithm>

#include "api/model_request.hpp"
#include "api/remedies.hpp"
#include "app/arguments.hpp"
#include "app/commands.hpp"
#include "app/explanations.hpp"
#include "app/report_files.hpp"
#include "app/search.hpp"
#include "app/system.hpp"
#include "options/table.hpp"

namespace panoptes {
namespace {

constexpr std::string_view example_name = "example.argos";

std::string list() {
  std::size_t widest = 0;
  for (const Explanation& entry : explanations()) widest = std::max(widest, entry.kind.size());
  std::string text;
  for (const Explanation& entry : explanations())
    text += fmt::format("{:{}}  {}\n", entry.kind, widest, entry.sentence);
  return text + "\n`panoptes explain KIND` says more, with an example.\n";
}

// The options of an example as they are typed.
std::string typed_options(const Explanation& entry) {
  std::string text;
  for (const auto& [option, value] : entry.options) {
    const OptionInfo& row = row_of(option, "check");
    const bool is_switch = row.kind == ValueKind::on_off;
    text += fmt::format(" {}{}{}", flag_of(row), is_switch ? "" : " ", is_switch ? "" : value);
  }
  return text;
}

std::string indented(std::string_view text) {
  std::string result;
  for (const char c : text) {
    if (c != '\n' && (result.empty() || result.back() == '\n')) result += "  ";
    result += c;
  }
  return result;
}

// What `check` prints of the example, complaints about it included; nothing after a fault of
// Panoptes.
std::optional<std::string> report_on(const Explanation& entry, const Arguments& arguments) {
  Arguments check("check");
  check.model = example_name;
  check.fixed_bytes = arguments.fixed_bytes;
  for (const auto& [option, value] : entry.options) check.set(option, std::string(value));
  const Loaded loaded = load(check.model, model_request(check), [&](const std::string&) {
    return std::optional(std::string(entry.example));
  });
  std::string text = loaded.diagnostics.render(loaded.sources);
  if (!loaded.program) {
    static_cast<void>(own_fault(text));
    return std::nullopt;
  }
  const auto verdict = search(check, loaded);
  if (!verdict) return std::nullopt;
  RunFacts facts = facts_of(check);
  facts.remedies = remedies_for(check, *verdict);
  return text + collected([&](const Sink& sink) {
           return text_report(*loaded.program, *verdict, loaded.sources, facts, sink);
         });
}

}  // namespace

int explain_command(const Arguments& arguments) {
  const std::string kind = arguments.operand("KIND");
  std::string text;
  if (kind.empty()) {
    text = list();
  } else if (const Explanation* entry = find_explanation(kind); !entry) {
    return own_fault(fmt::format("nothing explains `{}`", kind));
  } else if (arguments.has(option::example)) {
    text = entry->example;
  } else {
    const std::optional<std::string> report = report_on(*entry, arguments);
    if (!report) return ExitCode::internal_failure;
    text = fmt::format(
        "{}: {}\n\n{}\nAn example:\n\n{}\n"
        "$ panoptes explain {} --example > {}\n$ panoptes check {}{}\n{}\n"
        "How it usually comes about:\n{}\nWhat to do:\n{}",
        entry->kind, entry->sentence, entry->meaning, indented(entry->example), entry->kind,
        example_name, example_name, typed_options(*entry), *report, entry->causes, entry->remedies);
  }
  if (print(text)) return ExitCode::holds;
  tell("panoptes: cannot write the explanation\n");
  return ExitCode::internal_failure;
}

}  // namespace panoptes
