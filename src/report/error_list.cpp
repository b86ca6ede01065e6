// SPDX-License-Identifier: Apache-2.0
#include "report/error_list.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <set>
#include <utility>

#include "base/diagnostic.hpp"
#include "base/display.hpp"
#include "base/parts.hpp"
#include "rules/families.hpp"
#include "verdict/make_reports.hpp"

namespace panoptes {
namespace {

using Words = std::set<std::string>;

// What an error can be asked for by.
struct ErrorWords {
  Words kinds, processes, states, messages;
  Words places;  // of states that have a label, too
  std::vector<const Words*> all() const {
    return {&kinds, &processes, &states, &messages, &places};
  }
};

void add_member(const std::string& name, Words& words) {
  words.insert(name);
  words.insert(family_name(name));
}

// "idle|waiting,38:23": of several processes, and of states that were made one.
void add_states(const std::string& text, Words& words) {
  for (const std::string_view process : parts_of(text, ','))
    for (const std::string_view state : parts_of(process, '|')) words.emplace(state);
}

// "callee?ring" is `ring`, too; "polite callee?ring" is `polite` as well.
void add_message(const std::string& message, Words& words) {
  if (message.empty()) return;
  words.insert(message);
  if (message.ends_with(')')) return;  // an expression as it is written
  for (const std::string_view part : parts_of(message, ' ')) {
    words.emplace(part);
    if (const std::size_t sign = part.find_last_of("?!"); sign != std::string_view::npos)
      words.emplace(part.substr(sign + 1));
  }
}

}  // namespace

const std::string& subject_of(const Program& program, const ErrorReport& error) {
  const ErrorDescription& d = error.description;
  return d.message.empty() && error.finding.rule != none ? program.rules[error.finding.rule].text
                                                         : d.message;
}

namespace {

void add_words(const Program& program, const ErrorReport& error, ErrorWords& words) {
  const ErrorDescription& d = error.description;
  words.kinds.emplace(to_string(d.kind));
  for (const std::string_view process : parts_of(d.process, ','))
    add_member(std::string(process), words.processes);
  for (const Member& member : error.members)
    if (member.kind == Member::Kind::process) add_member(name_of(program, member), words.processes);
  add_states(d.state, words.states);
  add_states(d.place, words.places);
  add_message(subject_of(program, error), words.messages);
}

std::string numbers_text(const NumberRange& range) {
  return range.first == range.last ? fmt::format("{}", range.first)
                                   : fmt::format("{}..{}", range.first, range.last);
}

// "2, 3 and 5 more", or that nothing is there.
std::string few_words(const Words& words) {
  return few_of(std::vector<std::string>(words.begin(), words.end()));
}

}  // namespace

// Mostly each has its own channel, which is no other error.
std::size_t alike_count(const Members& members) {
  const auto is_first = [&](const Member& member) { return member.kind == members[0].kind; };
  return std::max<std::size_t>(
      1, static_cast<std::size_t>(std::count_if(members.begin(), members.end(), is_first)));
}

namespace {

// ---- the table ------------------------------------------------------------------------------

// A column of texts, at the left, or of numbers, at the right; left out where nothing is in it.
struct TableColumn {
  enum class Kind : std::uint8_t { number, word, text };  // a text may be cut
  std::string title;
  Kind kind = Kind::text;
  std::vector<std::string> cells = {};
  std::size_t width = 0;

  bool is_empty() const {
    return std::all_of(cells.begin(), cells.end(), [](const auto& cell) { return cell.empty(); });
  }
  void cut_to(std::size_t most) {
    width = display_width(title);
    for (std::string& cell : cells) {
      if (kind == Kind::text) cell = cut_to_width(cell, most);
      width = std::max(width, display_width(cell));
    }
  }
  std::string in_line(const std::string& cell) const {
    const std::string blanks(width - display_width(cell), ' ');
    return kind == Kind::number ? blanks + cell : cell + blanks;
  }
};

std::vector<TableColumn> table_columns(const Program& program, const ErrorList& list) {
  using enum TableColumn::Kind;
  std::vector<TableColumn> columns = {{"", number},      {"kind", word},    {"process", text},
                                      {"state", text},   {"message", text}, {"events", number},
                                      {"steps", number}, {"seen", number},  {"members", number}};
  for (const ListedError& listed : list.all()) {
    if (!listed.is_wanted) continue;
    const ErrorReport& error = *listed.error;
    const ErrorDescription& d = error.description;
    const auto events = error.event_count(program);
    const std::size_t alike = alike_count(error.members);
    const std::string cells[] = {
        fmt::format("{}", listed.number),
        fmt::format("{}{}", to_string(d.kind), error.is_warning ? ", warning" : ""),
        d.process,
        d.state,
        subject_of(program, error),
        events ? fmt::format("{}", *events) : "?",
        fmt::format("{}{}", error.is_shortest ? "" : "≤", error.step_count()),
        fmt::format("{}", error.count),
        alike > 1 ? fmt::format("{}", alike) : ""};
    for (std::size_t c = 0; c < columns.size(); ++c) columns[c].cells.push_back(cells[c]);
  }
  std::erase_if(columns, [](const TableColumn& column) { return column.is_empty(); });
  return columns;
}

std::size_t table_width(const std::vector<TableColumn>& columns) {
  std::size_t width = 0;
  for (const TableColumn& column : columns) width += column.width + 2;
  return width - 2;
}

}  // namespace

ErrorList::ErrorList(const Program& program, const Verdict& verdict, ErrorRequest request,
                     std::size_t usual_trails)
    : program_(program), request_(std::move(request)) {
  const std::vector<NumberRange>& show = request_.show;
  const std::uint64_t most = request_.trails.value_or(show.empty() ? usual_trails : UINT64_MAX);
  for (const auto* errors : {&verdict.errors, &verdict.warnings})
    for (const ErrorReport& error : *errors) {
      ListedError listed{all_.size() + 1, &error, true, false};
      const auto has_it = [&](const NumberRange& range) {
        return range.first <= listed.number && listed.number <= range.last;
      };
      listed.is_wanted =
          (show.empty() || std::any_of(show.begin(), show.end(), has_it)) &&
          std::all_of(request_.only.begin(), request_.only.end(),
                      [&](const std::string& word) { return fits(program, error, word); });
      listed.has_trail = listed.is_wanted && wanted_ < most;
      wanted_ += listed.is_wanted;
      trails_ += listed.has_trail;
      all_.push_back(listed);
    }
}

std::string ErrorList::complaint() const { return number_complaint() + word_complaint(); }

std::string ErrorList::number_complaint() const {
  std::string text;
  for (const NumberRange& range : request_.show)
    if (range.last > all_.size())
      text +=
          fmt::format("--show {}: there is no such error; {}\n", numbers_text(range),
                      all_.empty()       ? "nothing was found"
                      : all_.size() == 1 ? "the only one is 1"
                                         : fmt::format("they are numbered 1 to {}", all_.size()));
  return text;
}

std::string ErrorList::word_complaint() const {
  std::string text;
  bool fits_each = true;
  for (const std::string& word : request_.only) {
    const bool is_met = std::any_of(all_.begin(), all_.end(), [&](const ListedError& listed) {
      return fits(program_, *listed.error, word);
    });
    if (!is_met)
      text += fmt::format("--only {}: no error has that; {}\n", word, what_there_is(word));
    fits_each = fits_each && is_met;
  }
  if (fits_each && request_.only.size() > 1 && wanted_ == 0)
    text += "--only: each word fits some error, but none fits all of them\n";
  return text;
}

std::string ErrorList::what_there_is(const std::string& word) const {
  if (all_.empty()) return "nothing was found";
  ErrorWords words;
  for (const ListedError& listed : all_) add_words(program_, *listed.error, words);
  std::vector<std::string> candidates;
  for (const Words* of : words.all()) candidates.insert(candidates.end(), of->begin(), of->end());
  if (std::string meant = did_you_mean(word, candidates); !meant.empty()) return meant;
  std::string text = fmt::format("there are kinds {}", few_words(words.kinds));
  const auto add = [&](std::string_view what, const Words& of) {
    if (!of.empty()) text += fmt::format("; {} {}", what, few_words(of));
  };
  add("processes", words.processes);
  add("states", words.states);
  add("messages", words.messages);
  return text;
}

WholeError::WholeError(const Program& program, const ErrorReport& error, const Deadline& deadline)
    : error_(error) {
  if (error.gap == TrailGap::unasked) made_ = with_trail(program, error, deadline);
}

bool fits(const Program& program, const ErrorReport& error, const std::string& word) {
  ErrorWords words;
  add_words(program, error, words);
  const auto all = words.all();
  return std::any_of(all.begin(), all.end(), [&](const Words* of) { return of->contains(word); });
}

std::string table_text(const Program& program, const ErrorList& list, std::size_t width) {
  constexpr std::size_t widest = 32, narrowest = 8;
  std::vector<TableColumn> columns = table_columns(program, list);
  for (std::size_t most = widest; most >= narrowest; most -= 2) {
    for (TableColumn& column : columns) column.cut_to(most);
    if (width == 0 || table_width(columns) <= width) break;
  }
  std::string out;
  const auto add_line = [&](const auto& cell_of) {
    std::string line;
    for (const TableColumn& column : columns)
      line += (line.empty() ? "" : "  ") + column.in_line(cell_of(column));
    out += line.substr(0, line.find_last_not_of(' ') + 1) + "\n";
  };
  add_line([](const TableColumn& column) { return column.title; });
  for (std::size_t row = 0; row < list.wanted_count(); ++row)
    add_line([&](const TableColumn& column) { return column.cells[row]; });
  return out;
}

}  // namespace panoptes
