// SPDX-License-Identifier: Apache-2.0
// The parts of a page, a file for each.
#pragma once

#include <string_view>

#include "report/executed.hpp"
#include "report/html.hpp"
#include "report/html_markup.hpp"
#include "report/shown_source.hpp"

namespace panoptes {

struct Page : PageSubject {
  explicit Page(const PageSubject& subject);

  Executed executed;
  ShownSource source;
};

// Verdict, promise, the most important numbers (html_summary.cpp).
Html summary_part(const Page& page);

// All errors and warnings in a table, and one by one (html_errors.cpp).
bool write_errors(const Page& page, const Sink& sink);
// The trail of one: its chart, its steps, the state at each of them (html_trail.cpp). `number` is
// that of the error on this page. REQUIRES: it has a trail.
Html trail_part(const Page& page, const ErrorReport& error, std::size_t number);
// The state in which all trails begin, for the script and for readers.
Html initial_state_part(const Page& page);

// What was executed, by process and beside the source (html_source.cpp).
bool write_coverage(const Page& page, const Sink& sink);

// The automata, as pictures and tables (html_automata.cpp).
bool write_automata(const Page& page, const Sink& sink);

// Numbers, plots and options of the search (html_search.cpp, html_plots.cpp).
Html search_part(const Page& page);
Html plots_part(const std::vector<SearchSample>& samples);

// What the page looks like, and the script (html_style.cpp).
std::string_view page_style();
std::string_view page_script();

// A place in the text, as a link where the line is on the page.
Html place_link(const Page& page, Place place);

// A text that may be long, with all of it as a tooltip.
Html shortened(std::string_view text, std::size_t width);

}  // namespace panoptes
