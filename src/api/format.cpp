// SPDX-License-Identifier: Apache-2.0
#include "api/format.hpp"

#include <fmt/format.h>

#include "argos/format/format.hpp"

namespace panoptes {

Result<LaidOut, std::string> lay_out(const std::string& path, std::string text) {
  LaidOut laid;
  const std::uint32_t file = laid.sources.add(path, std::move(text));
  try {
    laid.text = argos::format(laid.sources, file, laid.diagnostics);
  } catch (const argos::FormatFault& fault) {
    return std::string(fault.what());
  }
  return laid;
}

}  // namespace panoptes
