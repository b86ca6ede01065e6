// SPDX-License-Identifier: Apache-2.0
// From `--db` to a database.
//
// Idea: an engine is a module, panoptes-duckdb.so or panoptes-postgresql.so, loaded when it is
// first asked for. Who never asks pays nothing at start-up and needs no library of it. How it can
// fail: the module is not there, or its library is not; the failure says what to do. Thread safety:
// none needed; modules stay loaded to the end of the process.
#pragma once

#include <memory>
#include <optional>
#include <string>

#include "relational/database.hpp"
#include "relational/dialect.hpp"

namespace panoptes {

struct DatabaseAddress {
  Engine engine = Engine::duckdb;
  std::string where;  // DuckDB: a file, "" for memory; PostgreSQL: the whole connection string
};

// `duckdb`, `duckdb:FILE`, `postgresql://...` or `postgres://...`; nothing for anything else.
std::optional<DatabaseAddress> parse_database_address(const std::string& text);

DatabaseResult<std::unique_ptr<Database>> open_database(const DatabaseAddress& address,
                                                        const DatabaseLimits& limits = {});

}  // namespace panoptes
