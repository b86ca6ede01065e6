// SPDX-License-Identifier: Apache-2.0
#include "relational/open.hpp"

#include <fmt/format.h>

#include "base/module.hpp"

namespace panoptes {
namespace {

DatabaseFailure missing(Engine engine, const std::string& reason) {
  const std::string_view advice =
      engine == Engine::duckdb
          ? "`tools/fetch-duckdb` gets DuckDB; then build again, or use --db postgresql://..."
          : "install libpq5 (to build it, libpq-dev), or use --db duckdb";
  return {DatabaseFailure::Kind::engine,
          fmt::format("{} is not there: {}\n{}", to_string(engine), reason, advice)};
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
  const auto found = find_in_module(address.engine == Engine::duckdb ? "duckdb" : "postgresql",
                                    "panoptes_open_database");
  if (!found) return missing(address.engine, found.failure());
  auto* const open = reinterpret_cast<OpenDatabase*>(*found);
  std::unique_ptr<Database> database;
  DatabaseFailure failure;
  open(address.where, limits, database, failure);
  if (!database) return failure;
  return database;
}

}  // namespace panoptes
