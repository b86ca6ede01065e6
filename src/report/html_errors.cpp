// SPDX-License-Identifier: Apache-2.0
// What is wrong: all errors and warnings in a table, and the first of them one by one.
#include <algorithm>
#include <optional>

#include "base/display.hpp"
#include "base/parts.hpp"
#include "report/alike_text.hpp"
#include "report/comments.hpp"
#include "report/error_list.hpp"
#include "report/html_parts.hpp"
#include "report/kinds.hpp"
#include "report/state_text.hpp"

namespace panoptes {
namespace {

// However many errors there are, a page stays one that a browser opens at once.
constexpr std::size_t most_section_bytes = 6'000'000;  // of those with trails
constexpr std::size_t most_processes = 40;             // of which is said where they are
constexpr std::size_t cell_letters = 100;

std::string length_text(const Program& program, const ErrorReport& error) {
  std::string out = plural(error.step_count(), "step", "steps");
  if (const auto events = error.event_count(program))
    out = fmt::format("{}, {}", plural(*events, "event", "events"), out);
  return out;
}

// How often it was seen, where somebody has counted.
std::string times_text(const ErrorReport& error) {
  return error.count == 0 ? "" : plural(error.count, "time", "times");
}

// Whoever asks for no trails sees what is known of a single error even so.
bool has_section(const ErrorList& list, const ListedError& listed) {
  return listed.has_trail || (listed.is_wanted && list.all().size() == 1);
}

Html error_row(const Page& page, const ListedError& listed, bool has_section) {
  const ErrorReport& error = *listed.error;
  const ErrorDescription& d = error.description;
  const std::size_t number = listed.number, alike = alike_count(error.members);
  const Html kind = has_section ? html("<a href=\"#error-{}\">{}</a>", number, to_string(d.kind))
                                : html("{}", to_string(d.kind));
  return html(
      "<tr class=\"{}\" data-number=\"{}\"><td class=\"number\">{}</td>"
      "<td data-label=\"kind\">{}{}</td><td data-label=\"process\">{}</td>"
      "<td data-label=\"state\">{}</td><td data-label=\"message\">{}</td>"
      "<td data-label=\"length\">{}</td><td data-label=\"seen\">{}</td>"
      "<td data-label=\"alike\">{}</td></tr>\n",
      error.is_warning ? "warning" : "error", number, number,
      error.is_warning ? html("warning: ") : Html(), kind, shortened(d.process, cell_letters),
      shortened(d.state, cell_letters), shortened(subject_of(page.program, error), cell_letters),
      length_text(page.program, error), times_text(error),
      alike > 1 ? fmt::format("in {} members", with_commas(alike)) : "");
}

// What a kind of error means, for who does not know it; what stands in backticks is code.
Html help_of(ErrorKind kind) {
  const auto table = kind_table();
  const auto found = std::ranges::find(table, kind, &KindInfo::kind);
  Html out;
  bool is_code = false;
  for (const std::string_view part :
       parts_of(found == table.end() ? std::string_view() : found->help, '`')) {
    out += is_code ? html("<code>{}</code>", part) : html("{}", part);
    is_code = !is_code;
  }
  return html(
      "<details class=\"help\"><summary>What this kind of error is</summary><p>{}</p></details>\n",
      out);
}

// The line that a place is in, as it is written.
Html source_line(const Page& page, Place place) {
  constexpr std::size_t most_letters = 90;
  std::string_view line = page.sources.line(place);
  line.remove_prefix(std::min(line.find_first_not_of(" \t"), line.size()));
  return html("<code>{}</code>", shortened(line, most_letters));
}

// Where everybody is, and what stands there.
Html positions_table(const Page& page, const ErrorReport& error) {
  const Program& program = page.program;
  const bool is_stuck = error.description.kind == ErrorKind::deadlock;
  Html rows;
  for (ProcessId p = 0; p < std::min(program.control.size(), most_processes); ++p) {
    const auto id = static_cast<StateId>(read(program.layout.control[p], error.trail.last));
    const ControlState& state = program.state(p, id);
    const std::vector<StateId> at = places_of(error.trail.whereabouts, p);
    const std::string words = position_words(program, p, id, at, page.sources);
    const std::vector<Place> places = text_places(program, p, at);
    const Place place = places.empty() ? state.place : places.front();
    rows += html("<tr><th scope=\"row\">{}</th><td>{}</td><td>{}</td><td>{}{}</td></tr>\n",
                 program.protocol.processes[p].name,
                 words == page.sources.line_and_column(place) ? Html() : html("{}", words),
                 place_link(page, place), state.is_end ? Html() : source_line(page, place),
                 is_stuck && !state.transitions.empty()
                     ? html("<br>waits for <code>{}</code>",
                            shortened(waits_for(program.protocol, state), 200))
                     : Html());
  }
  if (program.control.size() > most_processes)
    rows += html("<tr><td colspan=\"4\">and {} more processes</td></tr>\n",
                 with_commas(program.control.size() - most_processes));
  return html(
      "<div class=\"scroll\"><table class=\"positions\"><tbody>\n{}</tbody></table></div>\n", rows);
}

// Where what it breaks stands in the text: an invariant, an assertion, or the statement that fails.
Place broken_place(const Page& page, const ErrorReport& error) {
  const Protocol& protocol = page.program.protocol;
  const std::uint32_t number = error.finding.assertion;
  const bool is_asked = error.description.kind == ErrorKind::invariant ||
                        error.description.kind == ErrorKind::reached;
  if (is_asked && number < protocol.invariants.size()) return protocol.invariants[number].place;
  if (error.description.kind == ErrorKind::ltl && number < protocol.temporal.size())
    return protocol.temporal[number].place;
  if (error.description.kind == ErrorKind::assertion && number < protocol.assertions.size())
    return protocol.assertions[number].place;
  if (error.finding.rule == none) return {};
  const std::vector<StatementId>& statements = page.program.rules[error.finding.rule].statements;
  return statements.empty() ? Place() : protocol.statements[statements.front()].place;
}

// What it breaks; what the author of the model says of that comes first.
Html meaning(const Page& page, const ErrorReport& error) {
  const std::string comment = comment_of(page.sources, broken_place(page, error));
  return comment.empty() ? Html() : html("<p class=\"meaning\">{}</p>\n", comment);
}
Html declaration(const Page& page, const ErrorReport& error) {
  const Place place = broken_place(page, error);
  if (!place.known()) return {};
  return html("<p class=\"facts\">It stands in {}: {}</p>\n", place_link(page, place),
              source_line(page, place));
}

// How it is reached, in a line. A trail without anything inside of an `atomic` has as few
// statements as steps of the search.
Html trail_facts(const Page& page, const ErrorReport& error, TrailGap gap) {
  const std::string_view shortest =
      !error.is_shortest ? ", perhaps not the shortest"
      : error.step_count() == error.search_step_count()
          ? ", and no trail has fewer steps"
          : ", and no trail has fewer steps where an `atomic` counts as one";
  std::string text = fmt::format("{}{}", length_text(page.program, error), shortest);
  if (error.count > 0) text += ". Seen " + times_text(error);
  if (const std::string alike = alike_text(page.program, error); !alike.empty())
    text += ", " + alike;
  if (gap != TrailGap::no_gap) text += fmt::format("; the trail is left out: {}", to_string(gap));
  return html("<p class=\"facts\">{}.</p>\n", text);
}

// `has_room` says whether there is any for its trail.
Html error_section(const Page& page, const ListedError& listed, bool has_room) {
  TrailGap gap = gap_of(listed, page.facts);
  std::optional<WholeError> whole;
  if (gap == TrailGap::no_gap && has_room) {
    whole.emplace(page.program, *listed.error, page.facts.deadline);
    gap = (*whole)->gap;
  }
  const ErrorReport& error = *listed.error;
  const ErrorDescription& d = error.description;
  const std::size_t number = listed.number;
  Html out = html(
      "<article class=\"{}\" id=\"error-{}\">\n<h3><span class=\"number\">{}</span> {}{}</h3>\n"
      "{}<p class=\"what\">{}</p>\n",
      error.is_warning ? "warning" : "error", number, number, error.is_warning ? "warning: " : "",
      to_string(d.kind), meaning(page, error), d.text);
  if (!error.cause.empty()) out += html("<p class=\"what\">because {}</p>\n", error.cause);
  out += trail_facts(page, error, gap) + declaration(page, error) + help_of(d.kind) +
         positions_table(page, error);
  const std::string contents = channel_contents(page.program, error.trail.last);
  if (!contents.empty()) out += html("<p>In channels: {}</p>\n", shortened(contents, 1000));
  if (gap == TrailGap::no_gap && !has_room)
    out += html("<p class=\"note\">Its trail has no room on this page; --show {} has it.</p>\n",
                number);
  if (gap == TrailGap::no_gap && has_room) out += trail_part(page, **whole, number);
  return out + html("</article>\n");
}

Html error_table(const Page& page, const ErrorList& list) {
  Html rows;
  for (const ListedError& listed : list.all())
    if (listed.is_wanted) rows += error_row(page, listed, has_section(list, listed));
  return html(
      "<div class=\"scroll\"><table class=\"cards errors\"><thead><tr><th></th><th>kind</th>"
      "<th>process</th><th>state</th><th>message</th><th>length</th><th>seen</th><th>alike</th>"
      "</tr></thead><tbody>\n{}</tbody></table></div>\n",
      rows);
}

// What the compiler has said of the model.
Html complaints(const Page& page) {
  Html items;
  for (const Diagnostic& each : page.diagnostics.all())
    items += html("<li>{} {}{}{}</li>\n", place_link(page, each.place), each.message,
                  each.suggestion.empty() ? "" : ": ", each.suggestion);
  if (items.empty()) return {};
  return html(
      "<section id=\"complaints\">\n<h2>What the compiler says of the model</h2>\n"
      "<ul>\n{}</ul>\n</section>\n",
      items);
}

Html chart_legend() {
  return html(
      "<details class=\"how\"><summary>How to read a chart</summary><ul>\n"
      "<li>A vertical line is a process; time goes down. An arrow is a message, from the step that "
      "sends it to the one that receives it. Where it waits, it is drawn beside its reader.</li>\n"
      "<li>A dashed arrow is a message that is not received in this run. One that ends in a small "
      "square goes to nobody in the model: it says what comes out.</li>\n"
      "<li>An hourglass is a timeout, a cross in amber a message that is lost, a cross in red the "
      "fault; with a name it is the step that breaks what has that name.</li>\n"
      "<li>Small numbers are those of the steps. Below a step stands what it does and the control "
      "state it leads to: a label, or line and column.</li>\n"
      "<li>What repeats is framed, with how often. Point at a step, tap it, or go to it by Tab and "
      "the arrow keys, to see all variables and channels there.</li>\n</ul></details>\n");
}

// What stands before the errors one by one.
Html errors_head(const Page& page, const ErrorList& list) {
  Html head = html("<section id=\"errors\">\n<h2>{}</h2>\n",
                   page.verdict.errors.empty() ? "Warnings" : "What is wrong");
  const std::string complaint = list.complaint();
  for (const std::string_view line : parts_of(complaint, '\n'))
    if (!line.empty()) head += html("<p class=\"note\">{}.</p>\n", line);
  if (list.wanted_count() < list.all().size())
    head += html("<p class=\"note\">{} of {} were asked for.</p>\n", list.wanted_count(),
                 with_commas(list.all().size()));
  if (list.wanted_count() > 0) head += error_table(page, list);
  if (page.verdict.findings_left_out > 0)
    head += html(
        "<p class=\"note\">Not listed: {} of other errors, for which there is no room."
        "</p>\n",
        plural(page.verdict.findings_left_out, "finding", "findings"));
  return head + chart_legend() + initial_state_part(page);
}

// Which of those in the table have no part of their own.
Html errors_end(const ErrorList& list) {
  if (list.trail_count() == list.wanted_count()) return {};
  return list.trail_count() == 0
             ? html("<p class=\"note\">Trails are left out; --show N has that of error N.</p>\n")
             : html(
                   "<p class=\"note\">Only the first {} have a part of their own here; --show N "
                   "has the trail of error N.</p>\n",
                   list.trail_count());
}

}  // namespace

Html shortened(std::string_view text, std::size_t width) {
  constexpr std::size_t most_letters = 2000;
  if (display_width(text) <= width) return html("{}", text);
  return html("<span title=\"{}\">{}</span>", cut_to_width(text, most_letters),
              cut_to_width(text, width));
}

bool write_errors(const Page& page, const Sink& sink) {
  const ErrorList list(page.program, page.verdict, page.facts.request, trails_on_page);
  if (!sink(complaints(page).text())) return false;
  if (list.all().empty()) return true;
  if (!sink(errors_head(page, list).text())) return false;
  std::size_t bytes = 0;
  for (const ListedError& listed : list.all()) {
    if (!has_section(list, listed)) continue;
    const Html next = error_section(page, listed, bytes < most_section_bytes);
    bytes += next.text().size();
    if (!sink(next.text())) return false;
  }
  return sink((errors_end(list) + html("</section>\n")).text());
}

}  // namespace panoptes
