// SPDX-License-Identifier: Apache-2.0
#include "query/answer.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <numeric>
#include <optional>

#include "base/csv.hpp"
#include "base/display.hpp"

namespace panoptes {
namespace {

constexpr std::size_t rows_looked_at = 1000;
constexpr std::size_t gap = 2;           // between columns
constexpr std::size_t least_width = 12;  // a column is not made narrower than that
constexpr std::string_view ellipsis = "…";

bool is_numeric(ColumnType type) {
  return type == ColumnType::integer || type == ColumnType::word || type == ColumnType::real ||
         type == ColumnType::number;
}

// Nothing for NULL.
std::optional<std::string> cell(const Chunk::Values& values, ColumnType type, std::size_t row) {
  if (values.is_null[row]) return {};
  switch (type) {
    case ColumnType::integer: return fmt::format("{}", values.integers[row]);
    case ColumnType::word:
      return fmt::format("{}", static_cast<std::uint64_t>(values.integers[row]));
    case ColumnType::boolean: return values.integers[row] != 0 ? "true" : "false";
    case ColumnType::real: return fmt::format("{}", values.reals[row]);
    case ColumnType::number:
    case ColumnType::text: break;
  }
  return values.texts[row];
}

using Row = std::vector<std::string>;

// A table keeps to its lines.
std::string on_one_line(std::string text) {
  for (char& c : text)
    if (c == '\n' || c == '\r' || c == '\t') c = ' ';
  return text;
}

std::string cut(const std::string& text, std::size_t width) {
  if (display_width(text) <= width) return text;
  std::string result;
  std::size_t count = 0;
  for (const char c : text) {
    const bool is_start = (static_cast<unsigned char>(c) & 0xC0) != 0x80;
    if (is_start && ++count == width) break;
    result += c;
  }
  return result += ellipsis;
}

class Table {
 public:
  Table(const std::vector<Column>& columns, std::size_t width, const WriteText& write)
      : columns_(columns), width_(width), write_(write) {
    for (const Column& column : columns_) {
      widths_.push_back(display_width(column.name));
      may_cut_.push_back(width > 0);
    }
  }

  void add(Row row) {
    ++count_;
    if (!is_begun_) {
      first_.push_back(std::move(row));
      if (first_.size() == rows_looked_at) begin();
    } else {
      put(row);
    }
  }

  Printed end() {
    if (!is_begun_) begin();
    std::string note = fmt::format("({} row{}", count_, count_ == 1 ? "" : "s");
    if (shown_ < columns_.size())
      note += fmt::format("; {} of {} columns fit, --format csv has all", shown_, columns_.size());
    else if (was_cut_)
      note += "; some values are cut, --format csv has all";
    say(note + ")\n");
    return {count_, is_written_};
  }

  bool is_written() const { return is_written_; }

 private:
  void begin() {
    is_begun_ = true;
    for (const Row& row : first_)
      for (std::size_t c = 0; c < row.size(); ++c)
        widths_[c] = std::max(widths_[c], display_width(row[c]));
    fit();
    Row names, lines;
    for (std::size_t c = 0; c < columns_.size(); ++c) {
      names.push_back(columns_[c].name);
      lines.emplace_back(widths_[c], '-');
    }
    put(names);
    put(lines);
    for (const Row& row : first_) put(row);
    first_.clear();
  }

  // Takes from the widest columns first, then leaves out the last ones.
  void fit() {
    shown_ = columns_.size();
    if (width_ == 0) return;
    const auto total = [&] {
      const auto end = widths_.begin() + static_cast<std::ptrdiff_t>(shown_);
      return std::accumulate(widths_.begin(), end, std::size_t{0}) +
             gap * (shown_ > 0 ? shown_ - 1 : 0);
    };
    while (total() > width_) {
      const auto widest = std::max_element(widths_.begin(), widths_.end());
      if (*widest <= least_width) break;
      --*widest;
    }
    while (shown_ > 1 && total() > width_) --shown_;
  }

  void put(const Row& row) {
    std::string line;
    for (std::size_t c = 0; c < shown_; ++c) {
      const std::string text = may_cut_[c] ? cut(row[c], widths_[c]) : row[c];
      was_cut_ = was_cut_ || text.size() != row[c].size();
      const std::size_t width = display_width(text);
      const std::string blanks(widths_[c] > width ? widths_[c] - width : 0, ' ');
      if (c > 0) line += std::string(gap, ' ');
      line += is_numeric(columns_[c].type) ? blanks + text : text + blanks;
    }
    line.erase(line.find_last_not_of(' ') + 1);
    say(line + "\n");
  }

  void say(const std::string& text) { is_written_ = is_written_ && write_(text); }

  const std::vector<Column>& columns_;
  std::size_t width_;
  const WriteText& write_;
  std::vector<std::size_t> widths_;
  std::vector<bool> may_cut_;
  std::vector<Row> first_;
  std::size_t shown_ = 0;
  std::uint64_t count_ = 0;
  bool is_begun_ = false;
  bool was_cut_ = false;
  bool is_written_ = true;
};

// Calls `take` for every row until it says no.
template <typename Take>
DatabaseResult<> each_row(Answer& answer, const Take& take) {
  Chunk chunk;
  while (true) {
    const auto more = answer.next(chunk);
    if (!more) return more.failure();
    if (!*more) return {};
    for (std::size_t r = 0; r < chunk.rows; ++r)
      if (!take(chunk, r)) return {};
  }
}

}  // namespace

DatabaseResult<Printed> print_table(Answer& answer, std::size_t width, const WriteText& write) {
  const std::vector<Column>& columns = answer.columns();
  Table table(columns, width, write);
  const auto done = each_row(answer, [&](const Chunk& chunk, std::size_t r) {
    Row row;
    for (std::size_t c = 0; c < columns.size(); ++c)
      row.push_back(on_one_line(cell(chunk.columns[c], columns[c].type, r).value_or("NULL")));
    table.add(std::move(row));
    return table.is_written();
  });
  if (!done) return done.failure();
  return table.end();
}

DatabaseResult<Printed> print_csv(Answer& answer, const WriteText& write) {
  const std::vector<Column>& columns = answer.columns();
  Printed printed;
  std::string line;
  for (const Column& column : columns) line += (line.empty() ? "" : ",") + csv_value(column.name);
  printed.is_written = write(line + "\n");
  const auto done = each_row(answer, [&](const Chunk& chunk, std::size_t r) {
    line.clear();
    for (std::size_t c = 0; c < columns.size(); ++c) {
      const auto text = cell(chunk.columns[c], columns[c].type, r);
      if (c > 0) line += ',';
      if (text) line += csv_value(*text);
    }
    ++printed.rows;
    return printed.is_written = printed.is_written && write(line + "\n");
  });
  if (!done) return done.failure();
  return printed;
}

DatabaseResult<Printed> print_json_rows(Answer& answer, const WriteText& write) {
  Printed printed;
  const auto done = each_row(answer, [&](const Chunk& chunk, std::size_t r) {
    const std::string comma = printed.rows++ == 0 ? "\n" : ",\n";
    return printed.is_written = write(comma + "    " + chunk.columns[0].texts[r]);
  });
  if (!done) return done.failure();
  return printed;
}

}  // namespace panoptes
