// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <algorithm>
#include <map>

#include "base/display.hpp"
#include "base/utf8.hpp"
#include "report/number_text.hpp"
#include "report/state_text.hpp"
#include "report/sweep.hpp"

namespace panoptes {
namespace {

constexpr std::size_t shown_combinations = 8;

// Text from outside on one line, and nothing in it that a terminal obeys.
std::string plain_line(std::string_view text) {
  std::string line = as_utf8(text);
  for (char& c : line)
    if (static_cast<unsigned char>(c) < 0x20 || c == 0x7F) c = ' ';
  return line;
}

Colour verdict_colour(const SweepRun& run) {
  if (run.end == SweepEnd::failed || run.end == SweepEnd::not_compiled) return Colour::bad;
  if (run.end != SweepEnd::checked) return Colour::warning;
  switch (run.outcome) {
    case Outcome::holds: return Colour::good;
    case Outcome::violated: return Colour::bad;
    case Outcome::unknown: return Colour::warning;
  }
  return Colour::plain;
}

std::string length_text(const ShortestError& error) {
  std::string text = plural(error.steps, "step", "steps");
  if (error.events) text = plural(*error.events, "event", "events") + ", " + text;
  return error.is_shortest ? text : text + " (perhaps not the shortest)";
}

// What stands behind the numbers of a run.
std::string run_remark(const SweepRun& run) {
  if (run.end != SweepEnd::checked) return plain_line(run.problem);
  std::string text;
  if (run.shortest) text = fmt::format("{}, {}", run.shortest->kind, length_text(*run.shortest));
  if (run.promise == Promise::partial && run.stop != Stop::finished)
    text += fmt::format("{}({})", text.empty() ? "" : " ", to_string(run.stop));
  return text;
}

struct SweepColumn {
  std::string heading;
  bool is_number = false;
  std::vector<std::string> cells = {};
};

class SweepLines {
 public:
  explicit SweepLines(const SweepTable& table) : table_(table) {
    for (std::size_t c = 0; c < table.runs.size(); ++c)
      if (table.runs[c].end != SweepEnd::not_run) rows_.push_back(c);
  }

  // `cell`: the text of a run, by the number of its combination.
  template <typename Cell>
  void add(std::string heading, bool is_number, Cell cell) {
    SweepColumn column{std::move(heading), is_number};
    for (const std::size_t row : rows_) column.cells.push_back(cell(row));
    columns_.push_back(std::move(column));
  }

  bool write(const TextStyle& style, const Sink& sink) const {
    std::vector<std::size_t> widths;
    for (const SweepColumn& column : columns_) {
      std::size_t width = display_width(column.heading);
      for (const std::string& cell : column.cells) width = std::max(width, display_width(cell));
      widths.push_back(width);
    }
    const auto heading = [](const SweepColumn& column) { return column.heading; };
    if (!sink(coloured(line(widths, style, heading), Colour::heading, style) + "\n")) return false;
    for (std::size_t row = 0; row < rows_.size(); ++row) {
      const auto cell = [&](const SweepColumn& column) { return column.cells[row]; };
      const Colour colour = verdict_colour(table_.runs[rows_[row]]);
      if (!sink(coloured(line(widths, style, cell), colour, style) + "\n")) return false;
    }
    return true;
  }

 private:
  template <typename Cell>
  std::string line(const std::vector<std::size_t>& widths, const TextStyle& style,
                   Cell cell) const {
    std::string text;
    for (std::size_t c = 0; c < columns_.size(); ++c) {
      const std::string words = cell(columns_[c]);
      const std::string blanks(widths[c] - display_width(words), ' ');
      text += (c == 0 ? "" : "  ") + (columns_[c].is_number ? blanks + words : words + blanks);
    }
    text.erase(text.find_last_not_of(' ') + 1);
    return style.width > 0 ? cut_to_width(text, style.width) : text;
  }

  const SweepTable& table_;
  std::vector<std::size_t> rows_;  // combinations that were run
  std::vector<SweepColumn> columns_;
};

void add_parameters(const SweepTable& table, SweepLines& out) {
  for (std::size_t p = 0; p < table.parameters.size(); ++p) {
    const Parameter& parameter = table.parameters[p];
    const bool is_number = std::ranges::all_of(
        parameter.values, [](const auto& value) { return !value || number_of(value); });
    out.add(parameter.name, is_number, [&](std::size_t combination) {
      const auto& value = parameter.values[values_in(table.parameters, combination)[p]];
      return value ? plain_line(*value) : "-";
    });
  }
}

void add_verdicts(const SweepTable& table, bool show_statistics, SweepLines& out) {
  const auto run = [&](std::size_t combination) -> const SweepRun& {
    return table.runs[combination];
  };
  const auto add_number = [&](std::string_view heading, auto number) {
    out.add(std::string(heading), true, [&](std::size_t c) {
      return run(c).end == SweepEnd::checked ? number(run(c)) : std::string{};
    });
  };
  out.add("verdict", false, [&](std::size_t c) {
    std::string word(verdict_word(run(c)));
    std::ranges::replace(word, '_', ' ');
    return word;
  });
  out.add("promise", false, [&](std::size_t c) {
    return std::string(run(c).end == SweepEnd::checked ? to_string(run(c).promise) : "");
  });
  const SweepSize size(table);
  add_number(size.word(), [&](const SweepRun& each) { return with_commas(size.of(each)); });
  if (show_statistics) {
    add_number("transitions", [](const SweepRun& r) { return with_commas(r.transitions); });
    add_number("depth", [](const SweepRun& r) { return with_commas(r.depth); });
    add_number("seconds", [](const SweepRun& r) { return fmt::format("{:.2f}", r.seconds); });
    add_number("memory", [](const SweepRun& r) { return as_bytes(r.memory_bytes); });
  }
  out.add(table.is_question ? "shortest way" : "shortest error", false,
          [&](std::size_t c) { return run_remark(run(c)); });
}

std::string smallest_text(const SweepTable& table, const SweepFacts& facts) {
  const std::vector<SmallestError> smallest = smallest_errors(table);
  if (smallest.empty()) return {};
  std::vector<std::string> certain, uncertain;
  for (const SmallestError& error : smallest)
    (error.is_certain ? certain : uncertain)
        .push_back(plain_line(combination_text(table, error.combination)));
  const char* const what = table.is_question ? "that reach it" : "with an error";
  std::string text;
  if (!certain.empty())
    text += fmt::format("smallest {}: {}\n", what, few_of(certain, shown_combinations));
  if (!uncertain.empty())
    text += fmt::format("smallest {} so far, since not all that are smaller are known: {}\n", what,
                        few_of(uncertain, shown_combinations));
  if (!facts.command.empty()) text += fmt::format("  {}\n", plain_line(facts.command));
  return text;
}

std::string missing_text(const SweepTable& table) {
  std::vector<std::string> missing;
  for (std::size_t c = 0; c < table.runs.size(); ++c)
    if (table.runs[c].end == SweepEnd::not_run)
      missing.push_back(plain_line(combination_text(table, c)));
  if (missing.empty()) return {};
  return fmt::format("{}: {} of {} not run: {}\n", to_string(table.ended_by),
                     with_commas(missing.size()),
                     plural(table.runs.size(), "combination", "combinations"),
                     few_of(missing, shown_combinations));
}

// What runs were about, where that is not the model as it is written.
std::string caveats_text(const SweepTable& table) {
  std::map<std::string, std::size_t> caveats;
  for (const SweepRun& run : table.runs) {
    if (!run.narrowed.empty())
      ++caveats[fmt::format("narrowed: {}; nothing is said about the model as written",
                            run.narrowed)];
    if (!run.lines.empty()) ++caveats[fmt::format("lines: {} (--faults)", run.lines)];
  }
  const auto checked =
      static_cast<std::size_t>(std::ranges::count(table.runs, SweepEnd::checked, &SweepRun::end));
  std::string text;
  for (const auto& [caveat, count] : caveats)
    text += plain_line(caveat) +
            (count == checked ? "\n" : fmt::format(" (in {})\n", plural(count, "run", "runs")));
  return text;
}

}  // namespace

bool sweep_text(const SweepTable& table, const SweepFacts& facts, const Sink& sink) {
  SweepLines out(table);
  add_parameters(table, out);
  add_verdicts(table, facts.show_statistics, out);
  const bool is_narrowed =
      std::ranges::any_of(table.runs, [](const SweepRun& run) { return !run.narrowed.empty(); });
  return out.write(facts.style, sink) &&
         sink("\n" + smallest_text(table, facts) + missing_text(table) +
              fmt::format("{}: {}{}: {}\n", table.model,
                          plural(table.runs.size(), "combination", "combinations"),
                          is_narrowed ? " with narrowed channels" : "", tally(table)) +
              caveats_text(table));
}

}  // namespace panoptes
