// SPDX-License-Identifier: Apache-2.0
#include "report/svg.hpp"

#include <fmt/format.h>

#include "base/module.hpp"

namespace panoptes {

Result<Picture, std::string> picture_of(const std::string& dot) {
  const auto found = find_in_module("graphviz", "panoptes_render_svg");
  if (!found)
    return fmt::format(
        "Graphviz is not there: {}\n"
        "install libgvc6 (to build it, libgraphviz-dev), or use --format dot, which needs neither",
        found.failure());
  Picture picture;
  std::string problem;
  reinterpret_cast<RenderSvg*> (*found)(dot, picture.svg, problem);
  if (!problem.empty())
    return fmt::format("Graphviz cannot draw this: {}\n--format dot works without it", problem);
  return picture;
}

}  // namespace panoptes
