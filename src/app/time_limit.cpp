// SPDX-License-Identifier: Apache-2.0
#include "app/time_limit.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "app/system.hpp"
#include "base/clock.hpp"
#include "base/parse_value.hpp"
#include "options/table.hpp"
#include "report/json.hpp"

namespace panoptes {
namespace {

// Shares of the time, and seconds, that go beyond it at the most.
struct Extra {
  double share = 0.0, seconds = 0.0;
};
constexpr Extra for_trails{0.01, 0.05}, for_report{0.04, 0.15}, for_the_last{0.09, 0.45};
// What is left of the time where it was spent before a search could begin.
constexpr double least_seconds = 1e-3;

double given_seconds(const Arguments& arguments) {
  return arguments.get(option::time).value_or(0.0);
}

double seconds_left(const Arguments& arguments, Extra extra) {
  const double all = given_seconds(arguments);
  return arguments.started + all + extra.share * all + extra.seconds - steady_seconds();
}

Deadline deadline(const Arguments& arguments, Extra extra) {
  if (given_seconds(arguments) <= 0.0) return {};
  const double at = steady_seconds() + seconds_left(arguments, extra);
  return Deadline([at] { return at - steady_seconds(); });
}

std::string complaint(const Arguments& arguments, std::string_view meanwhile) {
  return fmt::format("panoptes: --time {} is over{}\n", arguments.text(option::time), meanwhile);
}

}  // namespace

bool has_time_limit(const Arguments& arguments) {
  return arguments.is_given(option::time) && !arguments.has(option::watch) &&
         arguments.command() != "sweep";
}

void limit_time(const Arguments& arguments) {
  if (!has_time_limit(arguments)) return;
  const bool is_check = arguments.command() == "check";
  end_process_after(
      std::max(least_seconds, seconds_left(arguments, is_check ? Extra{} : for_the_last)),
      ExitCode::unknown,
      is_check && arguments.has(option::json) ? json_unknown(arguments.model, Stop::time) : "",
      complaint(arguments, is_check ? ", and the model was not compiled yet: nothing is known of it"
                                    : " before the command was done"));
}

void leave_time_for_report(const Arguments& arguments) {
  if (!has_time_limit(arguments)) return;
  end_process_after(std::max(least_seconds, seconds_left(arguments, for_the_last)),
                    ExitCode::unknown, "",
                    complaint(arguments, ", and the report was not complete"));
}

void end_time_limit() { end_process_after(0.0, 0, {}, {}); }

void set_time_limits(const Arguments& arguments, Limits& limits) {
  const double all = given_seconds(arguments);
  if (all <= 0.0) return;
  limits.seconds = std::max(least_seconds, seconds_left(arguments, {}));
  limits.report_seconds = for_trails.share * all + for_trails.seconds;
}

Deadline command_deadline(const Arguments& arguments) { return deadline(arguments, {}); }

Deadline report_deadline(const Arguments& arguments) { return deadline(arguments, for_report); }

}  // namespace panoptes
