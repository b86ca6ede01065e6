// SPDX-License-Identifier: Apache-2.0
// A verdict as a page for a browser: one file, which needs nothing else and asks for nothing.
//
// Idea: a page is text that can be read without a script, on any screen and on paper. What a script
// adds is pointing: the whole state at the step that one points at. It is the only one, and the
// page says so to the browser by its hash, so that nothing else can run, nor anything be fetched.
// Whatever comes from a model is escaped by type (report/html_markup.hpp).
//
// What it costs: a page has at most a few megabytes, however many errors there are, however long
// their trails and however large the model; what is left out is said to be, and where to find it.
// Two runs of the same search give the same page, but for times and memory.
#pragma once

#include <functional>
#include <map>
#include <string>

#include "base/diagnostic.hpp"
#include "base/result.hpp"
#include "report/sink.hpp"
#include "report/svg.hpp"
#include "report/text.hpp"

namespace panoptes {

// Makes a picture of a drawing, as report/svg.hpp does.
using DrawPicture = std::function<Result<Picture, PictureFailure>(const std::string& dot)>;

// What a page is about. All of it outlives the page.
struct PageSubject {
  const Program& program;
  const Verdict& verdict;
  const SourceSet& sources;
  const Diagnostics& diagnostics;
  const std::map<std::string, std::string>& options;  // every one that took part, by name
  const RunFacts& facts;
  const DrawPicture& draw;
};

// False where `sink` does not take all of it.
bool html_report(const PageSubject& subject, const Sink& sink);

// The same for a model that could not be checked: what is wrong with it.
std::string html_input_error(const std::string& model, const SourceSet& sources,
                             const Diagnostics& diagnostics);

}  // namespace panoptes
