// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <algorithm>

#include "api/files.hpp"
#include "api/format.hpp"
#include "app/arguments.hpp"
#include "app/commands.hpp"
#include "app/load.hpp"
#include "app/output.hpp"
#include "app/system.hpp"

namespace panoptes {
namespace {

constexpr std::string_view from_standard_input = "-";

struct Laid {
  int exit_code = ExitCode::holds;
  std::string before, after;
};

// The text of `path`, before and after; complaints are printed.
Laid laid_out(const std::string& path) {
  const bool is_standard_input = path == from_standard_input;
  Laid laid;
  const auto text = read_file(is_standard_input ? "/dev/stdin" : path, SourceSet::file_bytes);
  if (!text || text->size() > SourceSet::file_bytes) {
    laid.exit_code = complain(
        text ? fmt::format("file `{}` is larger than {} bytes", path, SourceSet::file_bytes)
             : cannot_read(path));
    return laid;
  }
  const auto formatted = lay_out(is_standard_input ? standard_input : path, *text);
  if (!formatted) {
    laid.exit_code = own_fault(fmt::format("{}: {}", path, formatted.failure()));
    return laid;
  }
  tell(formatted->diagnostics.render(formatted->sources));
  if (!formatted->text) laid.exit_code = ExitCode::bad_input;
  laid.before = *text;
  laid.after = formatted->text.value_or("");
  return laid;
}

int write(const std::string& path, const std::string& text) {
  Output output(path);
  if (output.is_open() && output.write(text) && output.keep()) return ExitCode::holds;
  tell(fmt::format("panoptes: cannot write {}\n",
                   path.empty() ? "the text" : fmt::format("file `{}`", path)));
  return ExitCode::internal_failure;
}

}  // namespace

int format_command(const Arguments& arguments) {
  std::vector<std::string> files = arguments.operands.at("FILE");
  if (files.empty()) files.emplace_back(from_standard_input);
  int exit_code = ExitCode::holds;
  bool differs = false;
  for (const std::string& path : files) {
    const Laid laid = laid_out(path);
    int code = laid.exit_code;
    const bool changes = code == ExitCode::holds && laid.before != laid.after;
    if (arguments.has(option::check)) {
      differs |= changes;
      if (changes) code = write("", path + '\n');
    } else if (arguments.has(option::write)) {
      if (changes) code = write(path, laid.after);
    } else if (code == ExitCode::holds) {
      code = write("", laid.after);
    }
    exit_code = std::max(exit_code, code);
  }
  return exit_code == ExitCode::holds && differs ? int{ExitCode::errors_found} : exit_code;
}

}  // namespace panoptes
