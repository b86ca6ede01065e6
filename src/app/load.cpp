// SPDX-License-Identifier: Apache-2.0
#include "app/load.hpp"

#include <fmt/format.h>

#include "api/files.hpp"
#include "api/model_request.hpp"
#include "app/memory.hpp"
#include "app/system.hpp"
#include "app/trails.hpp"

namespace panoptes {
namespace {

// What a text is that is no model, and what to do with it; "" where it may be one.
std::string why_no_model(const std::string& path, const std::string& text) {
  const std::size_t begin = text.find_first_not_of(" \t\r\n");
  if (begin == std::string::npos || text[begin] != '{' || path == standard_input) return {};
  const auto trails = read_trail_file(text);
  if (!trails) return {};
  return fmt::format("{} is a trail and no model; this walks it: panoptes replay {} {}", path,
                     as_word(trails->model), as_word(path));
}

}  // namespace

Loaded load(const Arguments& arguments) {
  std::vector<FileStamp> ignored;
  return load(arguments, ignored);
}

Loaded load(const Arguments& arguments, std::vector<FileStamp>& files) {
  const LoadCeiling ceiling(arguments);
  std::string problem;  // of the model itself
  const std::string name = arguments.model == "-" ? standard_input : arguments.model;
  Loaded loaded = load(name, model_request(arguments), [&](const std::string& path) {
    const std::string real = path == standard_input ? "/dev/stdin" : path;
    files.push_back(stamp_of(real));
    auto text = read_file(real, SourceSet::file_bytes);
    if (files.size() == 1) problem = text ? why_no_model(path, *text) : cannot_read(real);
    return text;
  });
  if (!problem.empty()) {
    loaded.diagnostics = {};
    loaded.program.reset();
    loaded.diagnostics.error({}, problem);
  }
  return loaded;
}

}  // namespace panoptes
