// SPDX-License-Identifier: Apache-2.0
// How the search went: its plots, its numbers in the words of the text report, its options.
#include "report/html_parts.hpp"

namespace panoptes {

Html search_part(const Page& page) {
  RunFacts facts = page.facts;
  facts.show_statistics = true;
  Html rows;
  for (const auto& [name, value] : page.options)
    rows += html("<tr><th scope=\"row\">{}{}</th><td>{}</td></tr>\n", name.size() == 1 ? "-" : "--",
                 name, value);
  return html(
      "<section id=\"search\">\n<h2>The search</h2>\n{}"
      "<h3>In numbers</h3>\n<pre>{}</pre>\n"
      "<details><summary>Options</summary><div class=\"scroll\"><table class=\"options\"><tbody>\n"
      "{}</tbody></table></div></details>\n</section>\n",
      plots_part(page.verdict.samples),
      summary_text(page.program, page.verdict, page.sources, facts), rows);
}

}  // namespace panoptes
