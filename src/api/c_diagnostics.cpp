// SPDX-License-Identifier: Apache-2.0
// The functions of panoptes.h about texts and complaints.
#include <cstdlib>
#include <cstring>

#include "api/handles.hpp"
#include "base/version.hpp"

panoptes_diagnostics::panoptes_diagnostics(const panoptes::Diagnostics& diagnostics,
                                           const panoptes::SourceSet& sources)
    : text(diagnostics.render(sources)) {
  for (const panoptes::Diagnostic& d : diagnostics.all()) {
    const auto [line, column] = sources.line_column(d.place);
    all.push_back({d.severity == panoptes::Severity::error,
                   texts.keep(d.place.known() ? sources.name(d.place.file) : ""), line, column,
                   texts.keep(d.message), texts.keep(d.suggestion)});
  }
}

namespace panoptes {

panoptes_status refuse(panoptes_status status, const std::string& message,
                       panoptes_diagnostics** problem) {
  if (!problem) return status;
  Diagnostics diagnostics;
  diagnostics.error({}, message);
  *problem = new panoptes_diagnostics(diagnostics, SourceSet());
  return status;
}

char* copied(const std::string& text) noexcept {
  auto* const copy = static_cast<char*>(std::malloc(text.size() + 1));
  if (copy) std::memcpy(copy, text.c_str(), text.size() + 1);
  return copy;
}

}  // namespace panoptes

size_t panoptes_diagnostics_count(const panoptes_diagnostics* diagnostics) {
  return diagnostics ? diagnostics->all.size() : 0;
}

const panoptes_diagnostic* panoptes_diagnostics_get(const panoptes_diagnostics* diagnostics,
                                                    size_t index) {
  return index < panoptes_diagnostics_count(diagnostics) ? &diagnostics->all[index] : nullptr;
}

const char* panoptes_diagnostics_text(const panoptes_diagnostics* diagnostics) {
  return diagnostics ? diagnostics->text.c_str() : "";
}

void panoptes_diagnostics_free(panoptes_diagnostics* diagnostics) { delete diagnostics; }

const char* panoptes_version() { return panoptes::version; }

void panoptes_free(char* text) { std::free(text); }
