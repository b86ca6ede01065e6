// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <vector>

#include "cli/child.hpp"

namespace panoptes::cli {

// `panoptes query` of a model of the repository.
inline Result query(const std::string& name, std::vector<std::string> arguments) {
  arguments.insert(arguments.begin(), {"query", model(name)});
  return run(arguments);
}

}  // namespace panoptes::cli
