// SPDX-License-Identifier: Apache-2.0
// Pictures of drawings.
//
// Idea: Graphviz lays them out, a module (base/module.hpp), in a process of its own. The time it
// takes is anybody's guess: 1,400 states in small automata a second, 500 in one that jumps about
// longer than anybody waits. A process can be ended, and what it prints need not be seen.
#pragma once

#include <atomic>
#include <string>

#include "base/result.hpp"

namespace panoptes {

// What the module panoptes-graphviz.so exports as `panoptes_render_svg`: lays out `dot` and puts
// the picture into `svg`, or says in `problem` why it cannot.
using RenderSvg = void(const std::string& dot, std::string& svg, std::string& problem);

struct Picture {
  std::string svg;
};

struct PictureFailure {
  std::string message;      // what is missing, and what to do about it
  bool is_cut_off = false;  // by time or interrupt: nothing else is wrong
};

// The picture of `dot`. `interrupted` may become true meanwhile. REQUIRES: no other threads.
Result<Picture, PictureFailure> picture_of(const std::string& dot, double seconds,
                                           const std::atomic<bool>& interrupted);
// The same, drawn by something else. What a process sent that did not end well is no picture.
Result<Picture, PictureFailure> picture_by(RenderSvg* render_svg, const std::string& dot,
                                           double seconds, const std::atomic<bool>& interrupted);

}  // namespace panoptes
