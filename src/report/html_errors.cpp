// SPDX-License-Identifier: Apache-2.0
// What is wrong: all errors and warnings in a table, and the first of them one by one.
#include <algorithm>

#include "base/display.hpp"
#include "base/parts.hpp"
#include "report/alike_text.hpp"
#include "report/html_parts.hpp"
#include "report/kinds.hpp"
#include "report/state_text.hpp"

namespace panoptes {
namespace {

// However many errors there are, a page stays one that a browser opens at once.
constexpr std::size_t most_sections = 20, most_section_bytes = 6'000'000;
constexpr std::size_t most_processes = 40;  // of which is said where they are
constexpr std::size_t cell_letters = 100;

// Errors, then warnings.
std::vector<const ErrorReport*> listed(const Verdict& verdict) {
  std::vector<const ErrorReport*> all;
  for (const auto* list : {&verdict.errors, &verdict.warnings})
    for (const ErrorReport& error : *list) all.push_back(&error);
  return all;
}

std::string length_text(const Program& program, const ErrorReport& error) {
  std::string out = plural(error.step_count(), "step", "steps");
  if (error.gap == TrailGap::no_gap)
    out = fmt::format("{}, {}", plural(error.trail.event_count(program), "event", "events"), out);
  return out;
}

Html error_row(const Page& page, const ErrorReport& error, std::size_t number, bool has_section) {
  const ErrorDescription& d = error.description;
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
      shortened(d.state, cell_letters), shortened(d.message, cell_letters),
      length_text(page.program, error), plural(error.count, "time", "times"),
      error.members.empty() ? "" : fmt::format("in {} members", with_commas(error.members.size())));
}

// What a kind of error means; what stands in backticks is code.
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
  return out;
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

// What it breaks, where that stands in the text.
Html declaration(const Page& page, const ErrorReport& error) {
  const Protocol& protocol = page.program.protocol;
  const std::uint32_t number = error.finding.assertion;
  Place place;
  if (error.description.kind == ErrorKind::assertion && number < protocol.assertions.size())
    place = protocol.assertions[number].place;
  if (error.description.kind == ErrorKind::invariant && number < protocol.invariants.size())
    place = protocol.invariants[number].place;
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
  std::string text = fmt::format("{}{}. Seen {}", length_text(page.program, error), shortest,
                                 plural(error.count, "time", "times"));
  if (const std::string alike = alike_text(page.program, error); !alike.empty())
    text += ", " + alike;
  if (gap != TrailGap::no_gap) text += fmt::format("; the trail is left out: {}", to_string(gap));
  return html("<p class=\"facts\">{}.</p>\n", text);
}

// `has_room` says whether there is any for its trail.
Html error_section(const Page& page, const ErrorReport& error, std::size_t number, bool has_room) {
  const ErrorDescription& d = error.description;
  const TrailGap gap = gap_of(error, page.facts);
  Html out = html(
      "<article class=\"{}\" id=\"error-{}\">\n<h3><span class=\"number\">{}</span> {}{}</h3>\n"
      "<p class=\"what\">{}</p>\n",
      error.is_warning ? "warning" : "error", number, number, error.is_warning ? "warning: " : "",
      to_string(d.kind), d.text);
  if (!error.cause.empty()) out += html("<p class=\"what\">because {}</p>\n", error.cause);
  out += html("<p class=\"help\">{}</p>\n", help_of(d.kind)) + trail_facts(page, error, gap) +
         declaration(page, error) + positions_table(page, error);
  const std::string contents = channel_contents(page.program, error.trail.last);
  if (!contents.empty()) out += html("<p>In channels: {}</p>\n", shortened(contents, 1000));
  if (gap == TrailGap::no_gap && !has_room)
    out += html("<p class=\"note\">Its trail has no room on this page; --show {} has it.</p>\n",
                number);
  if (gap == TrailGap::no_gap && has_room) out += trail_part(page, error, number);
  return out + html("</article>\n");
}

Html error_table(const Page& page, const std::vector<const ErrorReport*>& all) {
  Html rows;
  for (std::size_t i = 0; i < all.size(); ++i)
    rows += error_row(page, *all[i], i + 1, i < most_sections);
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
      "<li>A dashed arrow is a message that is not received in this run.</li>\n"
      "<li>An hourglass is a timeout, a cross in amber a message that is lost, a cross in red the "
      "fault.</li>\n"
      "<li>Small numbers are those of the steps. Below a step stands what it does and the control "
      "state it leads to: a label, or line and column.</li>\n"
      "<li>What repeats is framed, with how often. Point at a step, tap it, or go to it by Tab and "
      "the arrow keys, to see all variables and channels there.</li>\n</ul></details>\n");
}

}  // namespace

Html shortened(std::string_view text, std::size_t width) {
  constexpr std::size_t most_letters = 2000;
  if (display_width(text) <= width) return html("{}", text);
  return html("<span title=\"{}\">{}</span>", cut_to_width(text, most_letters),
              cut_to_width(text, width));
}

bool write_errors(const Page& page, const Sink& sink) {
  const std::vector<const ErrorReport*> all = listed(page.verdict);
  if (!sink(complaints(page).text())) return false;
  if (all.empty()) return true;
  Html head = html("<section id=\"errors\">\n<h2>{}</h2>\n",
                   page.verdict.errors.empty() ? "Warnings" : "What is wrong");
  head += error_table(page, all);
  if (page.verdict.findings_left_out > 0)
    head += html(
        "<p class=\"note\">Not listed: {} of other errors, for which there is no room."
        "</p>\n",
        plural(page.verdict.findings_left_out, "finding", "findings"));
  head += chart_legend() + initial_state_part(page);
  if (!sink(head.text())) return false;
  std::size_t bytes = 0;
  for (std::size_t i = 0; i < std::min(most_sections, all.size()); ++i) {
    const Html next = error_section(page, *all[i], i + 1, bytes < most_section_bytes);
    bytes += next.text().size();
    if (!sink(next.text())) return false;
  }
  Html end;
  if (all.size() > most_sections)
    end = html(
        "<p class=\"note\">Only the first {} have a part of their own here; --show N has "
        "the trail of error N.</p>\n",
        most_sections);
  return sink((end + html("</section>\n")).text());
}

}  // namespace panoptes
