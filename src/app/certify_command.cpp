// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <new>
#include <nlohmann/json.hpp>
#include <utility>

#include "api/backward_verdict.hpp"
#include "api/certificates.hpp"
#include "api/files.hpp"
#include "app/arguments.hpp"
#include "app/commands.hpp"
#include "app/load.hpp"
#include "app/memory.hpp"
#include "app/system.hpp"
#include "app/time_limit.hpp"
#include "app/trails.hpp"
#include "app/validate.hpp"
#include "base/clock.hpp"
#include "options/table.hpp"
#include "report/search_text.hpp"
#include "report/state_text.hpp"

namespace panoptes {
namespace {

constexpr std::uint64_t checker_code_bytes = 5u << 18;  // of CaDiCaL
constexpr std::uint64_t least_checker_bytes = 1u << 18;

std::string_view to_string(CertifyAnswer::Outcome outcome) {
  switch (outcome) {
    case CertifyAnswer::Outcome::proved: return "proved";
    case CertifyAnswer::Outcome::refused: return "refused";
    case CertifyAnswer::Outcome::given_up: return "unknown";
  }
  return "";
}

int exit_code(CertifyAnswer::Outcome outcome) {
  switch (outcome) {
    case CertifyAnswer::Outcome::proved: return ExitCode::holds;
    case CertifyAnswer::Outcome::refused: return ExitCode::errors_found;
    case CertifyAnswer::Outcome::given_up: return ExitCode::unknown;
  }
  return ExitCode::internal_failure;
}

// What follows, and of what nothing does.
std::string proved_text(const Certificate& certificate, const Program& program,
                        const CertifyAnswer& answer) {
  const std::string named = plural(certificate.targets.size(), "target", "targets");
  if (!answer.open) return fmt::format("{} cannot be reached; of others nothing is known", named);
  if (*answer.open == 0)
    return fmt::format(
        "no target of the model can be reached{}",
        program.protocol.temporal.empty() ? "" : "; of temporal properties it says nothing");
  return fmt::format("{} cannot be reached; of {} it says nothing", named,
                     plural(*answer.open, "other", "others"));
}

// What there was too little of, or what is wrong.
std::string reason_text(const CertifyAnswer& answer) {
  const bool is_shortage =
      answer.reason == "time" || answer.reason == "memory" || answer.reason == "interrupt";
  return is_shortage ? shortage_text(answer.reason) : answer.reason;
}

std::string text_of(const Certificate& certificate, const Program& program,
                    const CertifyAnswer& answer, const std::string& path, double seconds) {
  std::string out;
  if (answer.outcome == CertifyAnswer::Outcome::proved)
    for (const Target& target : certificate.targets)
      out += fmt::format("cannot happen: {}\n", to_text(program, target));
  // Of other options it says nothing.
  for (const auto& [name, value] : certificate.options) {
    const OptionInfo* const option = find_option(name, "certify");
    if (option == nullptr || option->standard != value)
      out += fmt::format("with {} {}\n", option == nullptr ? name : flag_of(*option), value);
  }
  out += fmt::format("{}: {}", path, to_string(answer.outcome));
  if (answer.outcome == CertifyAnswer::Outcome::proved)
    out += ": " + proved_text(certificate, program, answer);
  if (!answer.reason.empty()) out += ": " + reason_text(answer);
  out += "\n";
  if (!answer.state.empty()) out += fmt::format("  for instance: {}\n", answer.state);
  return out + fmt::format("{}, {}, {}, {} of proofs checked, {:.3f} s\n",
                           plural(certificate.excluded.size(), "claim", "claims"),
                           plural(answer.questions, "question", "questions"),
                           plural(answer.clauses, "clause", "clauses"),
                           plural(answer.proof_steps, "step", "steps"), seconds);
}

// Targets are those of the program; where there is none, none is named.
std::string json_of(const Arguments& arguments, const Certificate& certificate,
                    const Program* program, const CertifyAnswer& answer, double seconds) {
  using Json = nlohmann::ordered_json;
  Json targets = Json::array();
  if (program != nullptr)
    for (const Target& target : certificate.targets) targets.push_back(to_text(*program, target));
  Json options = Json::array();
  for (const auto& [name, value] : certificate.options)
    options.push_back({{"name", name}, {"value", value}});
  const Json json{{"schema", "panoptes-certify-1"},
                  {"model", arguments.model},
                  {"certificate", arguments.operand("CERTIFICATE")},
                  {"made_by", certificate.version},
                  {"options", options},
                  {"answer", to_string(answer.outcome)},
                  {"reason", answer.reason},
                  {"state", answer.state},
                  {"targets", targets},
                  {"open", answer.open ? Json(*answer.open) : Json()},
                  {"claims", certificate.excluded.size()},
                  {"questions", answer.questions},
                  {"clauses", answer.clauses},
                  {"proof_steps", answer.proof_steps},
                  {"seconds", seconds}};
  return json.dump(2, ' ', false, Json::error_handler_t::replace) + "\n";
}

// A complaint about the file, with its place.
std::string problem_of(const std::string& path, const CertificateProblem& problem) {
  return fmt::format("{}:{}:{}: {}", path, problem.line, problem.column, problem.message);
}

// What is no certificate of this model, as far as it was read.
int refuse(const Arguments& arguments, const Certificate& certificate, const std::string& reason) {
  if (arguments.has(option::json)) {
    const CertifyAnswer answer{
        CertifyAnswer::Outcome::refused, CertifyAnswer::Condition::program, 0, none, 0, reason};
    static_cast<void>(print(json_of(arguments, certificate, nullptr, answer, 0)));
  }
  return complain(reason);
}

// Reads it, and asks what it proves. REQUIRES: the program is the one that it is of.
// What is no certificate is a problem, and so is one that names nothing.
std::string look_at(const Arguments& arguments, const Program& program, std::string_view text,
                    Certificate& certificate, CertifyAnswer& answer) {
  const std::string path = arguments.operand("CERTIFICATE");
  try {
    const LoadCeiling ceiling(arguments, checker_code_bytes, least_checker_bytes);
    ClaimSpace space(program);
    auto read = read_certificate(text, space);
    if (!read) return problem_of(path, read.failure());
    certificate = std::move(*read);
    if (certificate.targets.empty())
      return fmt::format("{} names no target, so it proves nothing", path);
    ProgressLine line(arguments.has(option::progress));
    const Deadline deadline([in_time = report_deadline(arguments)] {
      return interrupted() ? -1.0 : in_time.seconds_left();
    });
    answer = certify(
        program, certificate, space, deadline,
        [&](std::size_t questions, std::size_t all) {
          if (line.is_due()) line.show(fmt::format("{} of {} questions", questions, all));
        },
        arguments.get(option::receptions));
    line.wipe();
    if (answer.reason == "time" && interrupted()) answer.reason = "interrupt";
  } catch (const std::bad_alloc&) {
    answer = {.reason = "memory"};
  }
  return {};
}

}  // namespace

int certify_command(const Arguments& given) {
  Arguments arguments = given;
  if (const std::string missing = missing_for_backward(arguments); !missing.empty())
    return complain(missing);
  const std::string path = arguments.operand("CERTIFICATE");
  const auto text = read_file(path, CertificateLimits::bytes);
  if (!text) return complain(cannot_read(path));
  auto head = read_certificate_head(*text);
  if (!head) return refuse(arguments, {}, problem_of(path, head.failure()));
  Certificate certificate = std::move(*head);
  if (const std::string problem = wrong_options(certificate); !problem.empty())
    return refuse(arguments, certificate, fmt::format("{}: {}", path, problem));
  if (const std::string other = adopt_options(options_of(certificate), arguments); !other.empty())
    return refuse(
        arguments, certificate,
        fmt::format("{} was {}; leave options out, and they are taken from it", path, other));
  if (const std::string problem = validate(arguments); !problem.empty())
    return refuse(arguments, certificate, fmt::format("{}: {}", path, problem));
  const Loaded loaded = load(arguments);
  if (!loaded.program) {
    tell(loaded.diagnostics.render(loaded.sources));
    return ExitCode::bad_input;
  }
  if (certificate.fingerprint != fingerprint_text(*loaded.program))
    return refuse(arguments, certificate,
                  fmt::format("{} is of another program: its rules are not those of {}", path,
                              name_of_model(arguments)));
  if (!certificate.places.empty() && certificate.places != places_text(*loaded.program))
    return refuse(arguments, certificate,
                  fmt::format("{} is of a text with the rules of {} in other places: lines were "
                              "added or left out since; make another",
                              path, name_of_model(arguments)));
  leave_time_for_report(arguments);
  const double start = steady_seconds();
  CertifyAnswer answer;
  const std::string problem = look_at(arguments, *loaded.program, *text, certificate, answer);
  if (!problem.empty()) return refuse(arguments, certificate, problem);
  const double seconds = steady_seconds() - start;
  const std::string said = arguments.has(option::json)
                               ? json_of(arguments, certificate, &*loaded.program, answer, seconds)
                               : text_of(certificate, *loaded.program, answer, path, seconds);
  const int printed = print_or_fail(said);
  end_time_limit();
  return printed == ExitCode::holds ? exit_code(answer.outcome) : printed;
}

}  // namespace panoptes
