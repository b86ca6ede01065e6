// SPDX-License-Identifier: Apache-2.0
#include "base/module.hpp"

#include <dlfcn.h>
#include <fmt/format.h>

#include <filesystem>
#include <vector>

namespace panoptes {
namespace {

namespace fs = std::filesystem;

// Beside the program, where a build has them, or where an installation has them.
std::vector<fs::path> module_folders() {
  std::error_code error;
  const fs::path program = fs::read_symlink("/proc/self/exe", error);
  if (error) return {};
  const fs::path folder = program.parent_path();
  return {folder, folder.parent_path() / "lib" / "panoptes",
          folder.parent_path()};  // the tests of a build lie one folder below
}

fs::path module_path(const std::string& file) {
  for (const fs::path& folder : module_folders()) {
    std::error_code error;
    if (fs::exists(folder / file, error)) return folder / file;
  }
  return {};
}

}  // namespace

Result<void*, std::string> find_in_module(const std::string& name, const char* symbol) {
  const std::string file = fmt::format("panoptes-{}.so", name);
  const fs::path path = module_path(file);
  if (path.empty()) return fmt::format("{} was not built or installed", file);
  void* const module = dlopen(path.c_str(), RTLD_NOW | RTLD_LOCAL);
  if (!module) return fmt::format("{} cannot be loaded: {}", file, dlerror());
  void* const function = dlsym(module, symbol);
  if (!function) return fmt::format("{} is no module of Panoptes", file);
  return function;
}

}  // namespace panoptes
