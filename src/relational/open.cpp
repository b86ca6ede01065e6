// SPDX-License-Identifier: Apache-2.0
#include "relational/open.hpp"

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

fs::path module_path(const std::string& name) {
  for (const fs::path& folder : module_folders()) {
    std::error_code error;
    if (fs::exists(folder / name, error)) return folder / name;
  }
  return {};
}

DatabaseFailure missing(Engine engine, const std::string& name, const std::string& reason) {
  const std::string_view advice =
      engine == Engine::duckdb
          ? "`tools/fetch-duckdb` gets DuckDB; then build again, or use --db postgresql://..."
          : "install libpq5 (to build it, libpq-dev), or use --db duckdb";
  return {DatabaseFailure::Kind::engine,
          fmt::format("{} is not there: {} {}\n{}", to_string(engine), name, reason, advice)};
}

}  // namespace

std::optional<DatabaseAddress> parse_database_address(const std::string& text) {
  if (text == "duckdb") return DatabaseAddress{Engine::duckdb, ""};
  if (text.starts_with("duckdb:") && text.size() > 7)
    return DatabaseAddress{Engine::duckdb, text.substr(7)};
  if (text.starts_with("postgresql://") || text.starts_with("postgres://"))
    return DatabaseAddress{Engine::postgresql, text};
  return {};
}

DatabaseResult<std::unique_ptr<Database>> open_database(const DatabaseAddress& address,
                                                        const DatabaseLimits& limits) {
  const std::string name =
      address.engine == Engine::duckdb ? "panoptes-duckdb.so" : "panoptes-postgresql.so";
  const fs::path path = module_path(name);
  if (path.empty()) return missing(address.engine, name, "was not built or installed");
  void* module = dlopen(path.c_str(), RTLD_NOW | RTLD_LOCAL);
  if (!module) return missing(address.engine, name, fmt::format("cannot be loaded: {}", dlerror()));
  auto* const open = reinterpret_cast<OpenDatabase*>(dlsym(module, "panoptes_open_database"));
  if (!open) return missing(address.engine, name, "is no module of Panoptes");
  std::unique_ptr<Database> database;
  DatabaseFailure failure;
  open(address.where, limits, database, failure);
  if (!database) return failure;
  return database;
}

}  // namespace panoptes
