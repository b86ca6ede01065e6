// SPDX-License-Identifier: Apache-2.0
// From `--db` to a database.
//
// Idea: an engine is a module (base/module.hpp). How it can fail: the module is not there, or its
// library is not; the failure says what to do.
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
