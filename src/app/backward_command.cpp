// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <filesystem>
#include <new>

#include "api/certificates.hpp"
#include "app/arguments.hpp"
#include "app/backward.hpp"
#include "app/checkpoint_notes.hpp"
#include "app/commands.hpp"
#include "app/memory.hpp"
#include "app/output.hpp"
#include "app/report_files.hpp"
#include "app/search.hpp"
#include "app/system.hpp"
#include "app/time_limit.hpp"
#include "report/number_text.hpp"

namespace panoptes {
namespace {

constexpr std::uint64_t solver_code_bytes = 5u << 19;  // of CaDiCaL and of what a report needs
constexpr std::uint64_t least_bytes = 1u << 20;

// The same question to `check`.
Arguments forwards(const Arguments& arguments) {
  Arguments check("check");
  check.model = arguments.model;
  check.fixed_bytes = arguments.fixed_bytes;
  check.started = arguments.started;
  for (const OptionName option : rule_options())
    if (arguments.has(option)) check.set(option, arguments.text(option));
  for (const OptionName option : {OptionName(option::memory), OptionName(option::time)})
    if (arguments.is_given(option)) check.set(option, arguments.text(option));
  return check;
}

constexpr const char* guesses_section = "guesses";

// REQUIRES: it outlives what is given.
BackwardCheckpoints guesses_in(Checkpoints* checkpoints) {
  if (!checkpoints) return {};
  const auto write = [checkpoints](const std::function<std::string()>& guesses) {
    checkpoints->write([&](CheckpointFolder&) {
      return CheckpointFolder::Sections{{guesses_section, guesses()}};
    });
  };
  return {.known = std::string(checkpoints->folder().section(guesses_section)),
          .is_due = [checkpoints] { return checkpoints->is_due(); },
          .write = write};
}

void tell_of(const Checkpoints& checkpoints, const Verdict& verdict, const BackwardOutcome& outcome,
             bool wants_proof) {
  const std::uint64_t guesses = outcome.first_guesses;
  if (checkpoints.is_resumed() && guesses == 0)
    tell(
        "note: it began with no guesses: the earlier run had none, or lines of the model have "
        "moved\n");
  else if (checkpoints.is_resumed())
    tell(fmt::format("note: it began with {} of an earlier run\n",
                     guesses == 1 ? "one guess" : fmt::format("{} guesses", with_commas(guesses))));
  // All may be settled, and the proof of it missing.
  tell_what_was_written(checkpoints, ended_early(verdict) || (wants_proof && !outcome.invariant));
}

// Writes what was proved; where nothing was, there is nothing to write.
bool keep_certificate(const Arguments& arguments, const Loaded& loaded,
                      const BackwardOutcome& outcome,
                      const std::optional<ReversedProgram>& reversed, Output& output) {
  const std::string path = arguments.get(option::certificate);
  const auto certificate = certificate_of(arguments.model, arguments, loaded, outcome);
  if (!certificate || certificate->targets.empty()) {
    const bool has_some = std::ranges::any_of(outcome.targets, [](const auto& settled) {
      return settled.reachability == Reachability::unreachable;
    });
    std::error_code error;
    const bool is_left = std::filesystem::is_regular_file(path, error);
    tell(fmt::format("note: {}, so {} was not written{}\n",
                     has_some ? "what cannot be reached is settled, but its proof was not done"
                              : "there is nothing that cannot be reached",
                     path, is_left ? "; what is there is of an earlier run" : ""));
    return true;
  }
  if (output.write(write_certificate(*certificate, reversed->space)) && output.keep()) return true;
  tell(fmt::format("panoptes: cannot write `{}`\n", path));
  return false;
}

// Half of the time is for the other direction where that comes later.
Deadline own_deadline(const Arguments& arguments) {
  const Deadline all = command_deadline(arguments);
  const bool is_first = arguments.command() == "backward" && arguments.has(option::confirm);
  if (!is_first || !arguments.is_given(option::time)) return all;
  return Deadline([all, half = all.seconds_left() / 2.0] { return all.seconds_left() - half; });
}

}  // namespace

std::optional<Verdict> search_backwards(const Arguments& arguments, const Loaded& loaded,
                                        std::optional<ReversedProgram>& reversed,
                                        BackwardOutcome& outcome, Checkpoints* checkpoints) {
  BackwardOptions options = backward_options(arguments);
  const BackwardCheckpoints kept = guesses_in(checkpoints);
  if (checkpoints) options.checkpoints = &kept;
  options.limits.deadline = own_deadline(arguments);
  options.interrupted = &interrupted();
  ProgressLine line(arguments.has(option::progress));
  options.progress = [&](const std::string& what) {
    if (line.is_due()) line.show(what);
  };
  give_back_memory();
  try {
    const LoadCeiling ceiling(arguments, solver_code_bytes, least_bytes);
    options.limits.bytes = ceiling.bytes().value_or(options.limits.bytes);
    reversed.emplace(*loaded.program);
    outcome = search_backward(*reversed, options);
  } catch (const std::bad_alloc&) {
    outcome.reason = "memory";
  }
  give_back_memory();
  auto verdict = backward_verdict(arguments, loaded, outcome, report_deadline(arguments));
  if (verdict) return std::move(*verdict);
  static_cast<void>(own_fault(verdict.failure()));
  return {};
}

bool are_alike(const Verdict& forward, const Verdict& backward, std::string& text) {
  const Confirmation confirmed = confirm_verdict(forward, backward);
  text = confirmed.text;
  if (!confirmed.agrees) static_cast<void>(own_fault(text));
  return confirmed.agrees;
}

int backward_command(const Arguments& arguments) {
  if (const std::string missing = missing_for_backward(arguments); !missing.empty())
    return complain(missing);
  ReportFiles files(arguments.all(option::report));
  if (!files.problem().empty()) return complain(files.problem());
  std::optional<Output> proof;
  if (arguments.has(option::certificate)) proof.emplace(arguments.get(option::certificate));
  if (proof && !proof->is_open())
    return complain(fmt::format("--certificate {}", proof->problem()));
  const Loaded loaded = load(arguments);
  leave_time_for_report(arguments);
  if (const auto code = begin_report(arguments, loaded, files)) return *code;
  const auto checkpoints = open_checkpoints(arguments, loaded);
  if (!checkpoints) return complain(checkpoints.failure());
  std::optional<ReversedProgram> reversed;
  BackwardOutcome outcome;
  const auto verdict = search_backwards(arguments, loaded, reversed, outcome, checkpoints->get());
  if (!verdict) return ExitCode::internal_failure;
  if (*checkpoints) tell_of(**checkpoints, *verdict, outcome, proof.has_value());
  if (outcome.targets.empty() && outcome.reason.empty() && arguments.is_given(option::target))
    return complain(fmt::format("--target {}: no target goes by that; --stats lists them all",
                                fmt::join(arguments.texts(option::target), " --target ")));
  std::string confirmation;
  if (arguments.has(option::confirm)) {
    const auto other = search(forwards(arguments), loaded);
    if (!other || !are_alike(*other, *verdict, confirmation)) return ExitCode::internal_failure;
  }
  const int code = report(arguments, loaded, *verdict, files, confirmation);
  if (proof && !keep_certificate(arguments, loaded, outcome, reversed, *proof))
    return ExitCode::internal_failure;
  end_time_limit();
  return code;
}

}  // namespace panoptes
