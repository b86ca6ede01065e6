// SPDX-License-Identifier: Apache-2.0
// Pictures of drawings.
#pragma once

#include <string>

#include "base/result.hpp"

namespace panoptes {

// What the module panoptes-graphviz.so exports as `panoptes_render_svg`: lays out `dot` and puts
// the picture into `svg`, or says in `problem` why it cannot. Prints nothing.
using RenderSvg = void(const std::string& dot, std::string& svg, std::string& problem);

struct Picture {
  std::string svg;
};

// The picture, or what is missing and what to do about it. Takes long where a drawing has thousands
// of nodes.
Result<Picture, std::string> picture_of(const std::string& dot);

}  // namespace panoptes
