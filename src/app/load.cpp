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

std::string real_path(const std::string& path) {
  return path == standard_input ? "/dev/stdin" : path;
}

}  // namespace

Loaded load(const Arguments& arguments) {
  std::vector<FileStamp> ignored;
  return load(arguments, ignored);
}

Loaded load(const Arguments& arguments, std::vector<FileStamp>& files) {
  const LoadCeiling ceiling(arguments);
  std::string problem;  // of the model itself
  Loaded loaded =
      load(name_of_model(arguments), model_request(arguments), [&](const std::string& path) {
        files.push_back(stamp_of(real_path(path)));
        auto text = read_file(real_path(path), SourceSet::file_bytes);
        if (files.size() == 1) problem = wrong_model(path, text);
        return text;
      });
  if (!problem.empty()) {
    loaded.diagnostics = {};
    loaded.program.reset();
    loaded.diagnostics.error({}, problem);
  }
  return loaded;
}

Loaded load(const Arguments& arguments, const OptionValues& values, FilesReadOnce& files) {
  const LoadCeiling ceiling(arguments);
  return load(name_of_model(arguments), model_request(values),
              [&](const std::string& path) { return files.read(path); });
}

std::string name_of_model(const Arguments& arguments) {
  return arguments.model == "-" ? standard_input : arguments.model;
}

std::string wrong_model(const std::string& path, const std::optional<std::string>& text) {
  return text ? why_no_model(path, *text) : cannot_read(real_path(path));
}

std::optional<std::string> FilesReadOnce::read(const std::string& path) {
  const auto known = texts_.find(path);
  if (known != texts_.end()) return known->second;
  return texts_.emplace(path, read_file(real_path(path), SourceSet::file_bytes)).first->second;
}

}  // namespace panoptes
