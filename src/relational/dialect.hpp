// SPDX-License-Identifier: Apache-2.0
// The one place that knows how the SQL of one engine differs from that of another.
//
// A word of the state vector is UBIGINT in DuckDB. PostgreSQL has no unsigned type, so there it is
// a BIGINT with the same bits: shifts to the right bring in copies of the sign, and the masks that
// follow every shift take them out again.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace panoptes {

enum class Engine : std::uint8_t { duckdb, postgresql };
std::string_view to_string(Engine engine);

class Dialect {
 public:
  explicit Dialect(Engine engine) : engine_(engine) {}

  Engine engine() const { return engine_; }

  std::string word_type() const;
  std::string word(std::uint64_t value) const;                              // a constant
  std::string shift_left(const std::string& word, std::uint32_t by) const;  // no bit is lost
  std::string shift_right(const std::string& word, std::uint32_t by) const;
  std::string to_integer(const std::string& word) const;  // BIGINT, less than 2^63
  std::string to_word(const std::string& integer) const;  // of a BIGINT that is not negative
  // Quotient towards zero, and remainder with the sign of the dividend. The divisor is not 0, or
  // made so that the result is NULL by unless_zero().
  std::string divide(const std::string& left, const std::string& right) const;
  std::string divide_wide(const std::string& left, const std::string& right) const;
  std::string remainder(const std::string& left, const std::string& right) const;
  std::string unless_zero(const std::string& divisor) const;
  std::string wide_type() const;  // whole numbers of 127 bits and more

  // Where temporary tables are.
  std::string temporary_schema() const;

  // Whether the engine finds rows by an index, and needs to be told to look at a new table first.
  bool needs_help() const { return engine_ == Engine::postgresql; }

  // A row for every branch whose condition holds, for every row of `table`. DuckDB reads the table
  // once for each branch, column at a time; PostgreSQL, which lets a recursive query read itself
  // only once, tries all branches on each row.
  struct Branch {
    std::string columns;                // SELECT ...
    std::string condition;              // WHERE ...
    std::uint32_t rule_class = 0;       // above 0: and only where `busy` of it does not hold
    std::string table = {}, join = {};  // JOIN table ON join; "" where there is none
  };
  std::string branches(const std::string& table, const std::vector<Branch>& branches,
                       const std::vector<std::string>& busy) const;

  // For whoever asks a space (src/query): a shift by a column, a function that gives a table, and a
  // row (by the alias of its table) as a JSON object.
  std::string shift_right_by(const std::string& word, const std::string& by) const;
  std::string table_function(const std::string& name, const std::string& parameter,
                             const std::string& columns, const std::string& query) const;
  std::string row_as_json(const std::string& alias) const;

 private:
  Engine engine_;
};

// A name in double quotes, a text in single ones.
std::string quoted_name(std::string_view name);
std::string quoted_text(std::string_view text);

}  // namespace panoptes
