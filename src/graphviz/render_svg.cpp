// SPDX-License-Identifier: Apache-2.0
// Graphviz as a module: lays out a drawing and makes a picture of it.
//
// How it can fail: memory, or plug-ins of Graphviz that are not installed. What Graphviz complains
// of becomes the reason, and is dropped where all went well: a font that is not there, say.
#include <graphviz/gvc.h>

#include <memory>
#include <string>

#include "report/svg.hpp"

namespace {

// Graphviz tells its complaints to a function, which has nothing but this to keep them in.
// It is one thread that draws.
std::string& complaints() {
  static std::string all;
  return all;
}

int note(char* complaint) {
  constexpr std::size_t enough = 1000;
  if (complaints().size() < enough) complaints() += complaint;
  return 0;
}

struct FreeContext {
  void operator()(GVC_t* context) const { gvFreeContext(context); }
};
struct CloseGraph {
  void operator()(Agraph_t* graph) const { agclose(graph); }
};

// The complaints, or `otherwise`.
std::string reason(const std::string& otherwise) {
  std::string text = complaints();
  while (!text.empty() && text.back() == '\n') text.pop_back();
  return text.empty() ? otherwise : text;
}

}  // namespace

extern "C" __attribute__((visibility("default"))) void panoptes_render_svg(const std::string& dot,
                                                                           std::string& svg,
                                                                           std::string& problem) {
  complaints().clear();
  agseterrf(note);
  const std::unique_ptr<GVC_t, FreeContext> context(gvContext());
  const std::unique_ptr<Agraph_t, CloseGraph> graph(agmemread(dot.c_str()));
  if (!context || !graph) {
    problem = reason("it cannot read the drawing");
    return;
  }
  if (gvLayout(context.get(), graph.get(), "dot") != 0) {
    problem = reason("it has no layout `dot`");
    return;
  }
  char* text = nullptr;
  unsigned length = 0;
  if (gvRenderData(context.get(), graph.get(), "svg", &text, &length) != 0 || text == nullptr)
    problem = reason("it has no format `svg`");
  else
    svg.assign(text, length);
  if (text != nullptr) gvFreeRenderData(text);
  gvFreeLayout(context.get(), graph.get());
}
