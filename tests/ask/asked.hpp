// SPDX-License-Identifier: Apache-2.0
// A space in a database, and rows out of it as text.
#pragma once

#include <fmt/format.h>

#include <stdexcept>
#include <string>
#include <vector>

#include "query/relational_space.hpp"
#include "query/space.hpp"
#include "relational/open.hpp"

namespace panoptes::test {

using Rows = std::vector<std::string>;

class Asked {
 public:
  explicit Asked(const std::string& address)
      : address_(*parse_database_address(address)), dialect_(address_.engine) {
    auto database = open_database(address_);
    if (!database) throw std::runtime_error(database.failure().message);
    database_ = std::move(*database);
  }

  Database& database() { return *database_; }
  const Dialect& dialect() const { return dialect_; }

  // The space of this program, and of no other from now on.
  Space load(const Program& program, const SourceSet& sources, const NativeSpaceOptions& options,
             bool is_relational = false) {
    static_cast<void>(database_->rollback());
    SpaceRequest request{"model", fmt::format("{}", ++loads_), "", is_relational};
    Related related;
    RelateOptions relate_options;
    relate_options.receptions = options.explore.receptions;
    relate_options.unread_messages_are_errors = options.strict;
    SpaceMaker maker;
    maker.prepare = [&]() -> DatabaseResult<> {
      if (!is_relational) return {};
      auto done = relate(program, *database_, dialect_, relate_options);
      if (!done) return done.failure();
      related = std::move(*done);
      return {};
    };
    maker.fill = [&] {
      return is_relational
                 ? load_relational(program, sources, *database_, dialect_, related, relate_options)
                 : load_native(program, sources, *database_, options);
    };
    auto relations = space_relations(program, sources, dialect_);
    auto space = make_space(*database_, dialect_, program, relations, request, maker);
    if (!space) throw std::runtime_error(space.failure().message);
    if (const auto begun = begin_asking(*database_); !begun)
      throw std::runtime_error(begun.failure().message);
    return *space;
  }

  // All rows, values separated by |, NULL as -.
  Rows rows(const std::string& sql) {
    auto answer = database_->query(sql);
    if (!answer) throw std::runtime_error(answer.failure().message + "\n" + sql);
    Rows result;
    Chunk chunk;
    while (true) {
      const auto more = (*answer)->next(chunk);
      if (!more) throw std::runtime_error(more.failure().message + "\n" + sql);
      if (!*more) return result;
      for (std::size_t r = 0; r < chunk.rows; ++r) {
        std::string row;
        for (std::size_t c = 0; c < chunk.columns.size(); ++c) {
          const Chunk::Values& values = chunk.columns[c];
          if (c > 0) row += "|";
          row += values.is_null[r]          ? "-"
                 : !values.integers.empty() ? std::to_string(values.integers[r])
                                            : values.texts[r];
        }
        result.push_back(row);
      }
    }
  }
  std::uint64_t count(const std::string& sql) {
    return std::stoull(rows(fmt::format("SELECT count(*) FROM ({}) AS counted", sql)).at(0));
  }

 private:
  DatabaseAddress address_;
  Dialect dialect_;
  std::unique_ptr<Database> database_;
  int loads_ = 0;
};

}  // namespace panoptes::test
