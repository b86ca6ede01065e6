// SPDX-License-Identifier: Apache-2.0
#include "base/sha256.hpp"
#include "report/html.hpp"
#include "report/html_parts.hpp"

namespace panoptes {
namespace {

// A browser that keeps to it fetches nothing, and runs and obeys nothing but what is ours.
std::string content_policy() {
  return fmt::format(
      "default-src 'none'; style-src 'sha256-{}'; script-src 'sha256-{}'; base-uri 'none'; "
      "form-action 'none'",
      sha256_base64(page_style()), sha256_base64(page_script()));
}

Html head_of(std::string_view title) {
  return html(
      "<!DOCTYPE html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n"
      "<meta http-equiv=\"Content-Security-Policy\" content=\"{}\">\n"
      "<meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n"
      "<meta name=\"color-scheme\" content=\"light dark\">\n"
      "<meta name=\"referrer\" content=\"no-referrer\">\n"
      "<title>{}</title>\n<style>{}</style>\n</head>\n<body>\n<main>\n",
      content_policy(), title, Html::is_markup(std::string(page_style())));
}

Html foot() {
  return html("</main>\n<script>{}</script>\n</body>\n</html>\n",
              Html::is_markup(std::string(page_script())));
}

}  // namespace

Page::Page(const PageSubject& subject)
    : PageSubject(subject), executed(program, verdict), source(program, executed, sources) {}

bool html_report(const PageSubject& subject, const Sink& sink) {
  const Page page(subject);
  const Html head =
      head_of(fmt::format("{}: {}", page.facts.model, to_string(page.verdict.outcome)));
  return sink((head + summary_part(page)).text()) && write_errors(page, sink) &&
         (page.verdict.backward || write_coverage(page, sink)) && write_automata(page, sink) &&
         sink((search_part(page) + foot()).text());
}

std::string html_input_error(const std::string& model, const SourceSet& sources,
                             const Diagnostics& diagnostics) {
  return (head_of(model + ": cannot be checked") +
          html("<header>\n<h1>{}</h1>\n<p class=\"verdict violated\">cannot be checked: {} in it"
               "</p>\n</header>\n<section><pre>{}</pre></section>\n",
               model,
               diagnostics.error_count() == 1 ? "an error"
                                              : fmt::format("{} errors", diagnostics.error_count()),
               diagnostics.render(sources)) +
          foot())
      .text();
}

}  // namespace panoptes
