// SPDX-License-Identifier: Apache-2.0
// What was executed, by process and beside the source.
#include <algorithm>
#include <map>
#include <set>

#include "base/display.hpp"
#include "report/alike_automata.hpp"
#include "report/alike_text.hpp"
#include "report/html_parts.hpp"
#include "report/number_text.hpp"
#include "report/state_text.hpp"

namespace panoptes {
namespace {

constexpr std::uint32_t most_columns = 400;  // of a line, in bytes

// What is said of a statement, or of several at once; the words are those of the legend.
struct Mark {
  std::string_view name;  // of a class of the style sheet
  std::string_view sign;
  std::string_view words;
};

constexpr Mark mixed{"mixed", "◐", "some of its statements were executed, others not"};

Mark sign_of(Execution execution) {
  switch (execution) {
    case Execution::executed: return {"executed", "✓", "executed"};
    case Execution::merged:
      return {"merged", "≈", "made one with others by minimisation, and one of them was executed"};
    case Execution::in_some:
      return {"in-some", "◔", "executed by some members of a family, and never by others"};
    case Execution::not_reached: return {"not-reached", "?", "not reached by this search"};
    case Execution::never: return {"never", "✗", "never executed: no reachable state can"};
    case Execution::no_step: break;
  }
  return {"", "", ""};
}

constexpr Execution executions[] = {Execution::executed, Execution::merged, Execution::in_some,
                                    Execution::not_reached, Execution::never};

class SourceView {
 public:
  explicit SourceView(const Page& page) : page_(page) {}

  Html line(const ShownSource::File& file, const ShownSource::Line& line) const {
    const bool has_statement = !line.statements.empty();
    const Mark mark = has_statement ? mark_of_all(line.statements) : Mark{};
    return html(
        "<tr class=\"{}\" id=\"L{}-{}\"><td class=\"number\">{}</td>"
        "<td class=\"sign\" title=\"{}\">{}</td><td class=\"text\"><code>{}</code></td></tr>\n",
        mark.name, file.number, line.number, line.number,
        has_statement ? words(line.statements) : "", mark.sign, text(file, line));
  }

 private:
  Mark mark_of_all(const std::vector<StatementId>& statements) const {
    std::set<Execution> all;
    bool is_any_missing = false, is_any_there = false;
    for (const StatementId s : statements) {
      all.insert(page_.executed.of(s));
      (is_missing(page_.executed.of(s)) ? is_any_missing : is_any_there) = true;
    }
    // What is known least of says most, unless some were executed and others not.
    return is_any_missing && is_any_there ? mixed : sign_of(*all.rbegin());
  }

  // A tooltip.
  std::string words(const std::vector<StatementId>& statements) const {
    constexpr std::size_t most = 6;
    std::string out;
    for (std::size_t i = 0; i < std::min(most, statements.size()); ++i)
      out += fmt::format("{}{}", i == 0 ? "" : "\n", words(statements[i]));
    if (statements.size() > most)
      out += fmt::format("\nand {} more", with_commas(statements.size() - most));
    return out;
  }
  std::string words(StatementId s) const {
    const StatementInfo& info = page_.program.protocol.statements[s];
    std::string out =
        fmt::format("{} in {}: {}", info.text, info.owner, sign_of(page_.executed.of(s)).words);
    if (const auto members = page_.executed.never_in(s); !members.empty())
      out += fmt::format(" ({})", few_of(names_of(page_.program, members)));
    if (const auto others = page_.executed.merged_with(s); !others.empty()) {
      std::vector<std::string> places;
      for (const StatementId other : others)
        places.push_back(
            page_.sources.line_and_column(page_.program.protocol.statements[other].place));
      out += fmt::format("; made one with {}", few_of(places));
    }
    return out;
  }

  // The text of a line, its statements marked. Of those that overlap, the first is.
  Html text(const ShownSource::File& file, const ShownSource::Line& line) const {
    const std::string_view all = page_.sources.text(file.number);
    const std::uint32_t end = std::min(line.end, line.begin + most_columns);
    std::map<std::uint32_t, std::pair<std::uint32_t, std::vector<StatementId>>> spans;
    for (const StatementId s : line.statements) {
      const Place place = page_.program.protocol.statements[s].place;
      const std::uint32_t first = std::clamp(place.offset, line.begin, end);
      auto& [last, statements] = spans[first];
      last = std::max(last, std::clamp(place.offset + place.length, first, end));
      statements.push_back(s);
    }
    Html out;
    std::uint32_t at = line.begin;
    const auto plain = [&](std::uint32_t to) {
      if (to > at) out += html("{}", all.substr(at, to - at));
      at = std::max(at, to);
    };
    for (const auto& [first, span] : spans) {
      if (first < at || span.first <= first) continue;
      plain(first);
      out += html("<span class=\"{}\" title=\"{}\">{}</span>", mark_of_all(span.second).name,
                  words(span.second), all.substr(first, span.first - first));
      at = span.first;
    }
    plain(end);
    if (end < line.end) out += html("…");
    return out;
  }

  const Page& page_;
};

Html percent(Executed::Share share) {
  const double part =
      share.all == 0 ? 1.0 : static_cast<double>(share.executed) / static_cast<double>(share.all);
  return html("<meter min=\"0\" max=\"1\" value=\"{:.4f}\"></meter> {} of {}", part,
              with_commas(share.executed), with_commas(share.all));
}

Html processes_table(const Page& page) {
  constexpr std::size_t most = 200;
  Html rows;
  const std::vector<AlikeAutomata> all = alike_processes(page.program);
  for (std::size_t i = 0; i < std::min(most, all.size()); ++i)
    rows += html(
        "<tr><th scope=\"row\">{}</th><td data-label=\"statements executed\">{}</td>"
        "<td data-label=\"control states visited\">{}</td></tr>\n",
        all[i].title, percent(page.executed.statements_of(all[i].members)),
        percent(page.executed.states_of(all[i].members)));
  if (all.size() > most)
    rows += html("<tr><td colspan=\"3\">and {} more processes</td></tr>\n",
                 with_commas(all.size() - most));
  return html(
      "<table class=\"cards\"><thead><tr><th>process</th><th>statements executed</th>"
      "<th>control states visited</th></tr></thead><tbody>\n{}</tbody></table>\n",
      rows);
}

// How many statements each mark stands beside.
Html legend_of_signs(const Page& page) {
  std::map<Execution, std::size_t> counts;
  for (StatementId s = 0; s < page.program.protocol.statements.size(); ++s)
    ++counts[page.executed.of(s)];
  Html items;
  for (const Execution execution : executions)
    if (counts[execution] > 0) {
      const Mark mark = sign_of(execution);
      items += html("<li><span class=\"sign {}\">{}</span> {}: {}</li>\n", mark.name, mark.sign,
                    plural(counts[execution], "statement", "statements"), mark.words);
    }
  if (counts[Execution::never] + counts[Execution::not_reached] > 0)
    items += html("<li><span class=\"sign {}\">{}</span> a line: {}</li>\n", mixed.name, mixed.sign,
                  mixed.words);
  return html("<ul class=\"legend\">\n{}</ul>\n", items);
}

// How far what is said here goes.
Html reach_of(const Verdict& verdict) {
  if (verdict.dead_code.empty())
    return html("<p>Every statement that is a step was executed.</p>\n");
  if (verdict.is_dead_code_certain)
    return html(
        "<p>The search saw every reachable state: what was not executed never can be.</p>\n");
  if (verdict.promise == Promise::partial)
    return html(
        "<p>The search did not see everything: of what was not executed, all one can say is that "
        "it was not reached.</p>\n");
  if (hides_errors(verdict))
    return html(
        "<p>Steps that failed hide what lies behind them: of what was not executed, all one can "
        "say is that it was not reached.</p>\n");
  return html(
      "<p>States may have been taken for others: of what was not executed, all one can say is "
      "that it was not reached.</p>\n");
}

}  // namespace

Html place_link(const Page& page, Place place) {
  if (!place.known()) return {};
  const std::uint32_t line = page.sources.line_column(place).line;
  const std::string text = page.sources.line_and_column(place);
  // A backward search knows nothing of coverage, which is what sources are shown for.
  const bool is_shown = !page.verdict.backward && page.source.is_shown(place.file, line);
  if (!is_shown) return html("{}", text);
  return html("<a href=\"#L{}-{}\">{}</a>", place.file, line, text);
}

bool write_coverage(const Page& page, const Sink& sink) {
  Html head = html("<section id=\"coverage\">\n<h2>Coverage</h2>\n");
  head += reach_of(page.verdict) + processes_table(page);
  head += html("<h3>In the source</h3>\n") + legend_of_signs(page);
  if (page.source.left_out() > 0)
    head += html(
        "<p class=\"note\">The text is long: {} around statements that were not executed "
        "are shown, and {} left out.</p>\n",
        "only lines", plural(page.source.left_out(), "line is", "lines are"));
  if (!sink(head.text())) return false;
  const SourceView view(page);
  for (const ShownSource::File& file : page.source.files()) {
    if (!sink(html("<details open><summary>{}</summary>\n<div class=\"scroll\">"
                   "<table class=\"source\"><tbody>\n",
                   page.sources.name(file.number))
                  .text()))
      return false;
    std::uint32_t last = 0;
    for (const ShownSource::Line& line : file.lines) {
      Html row;
      if (line.number != last + 1)
        row += html("<tr><td class=\"number\">⋮</td><td></td><td></td></tr>\n");
      last = line.number;
      if (!sink((row + view.line(file, line)).text())) return false;
    }
    if (!sink("</tbody></table></div></details>\n")) return false;
  }
  return sink("</section>\n");
}

}  // namespace panoptes
