// SPDX-License-Identifier: Apache-2.0
#include "app/output_files.hpp"

#include <fmt/format.h>

#include "app/system.hpp"

namespace panoptes {

OutputFiles::OutputFiles(const std::vector<std::string>& paths) : paths_(paths) {
  for (const std::string& path : paths_) {
    const Output& file = files_.emplace_back(path);
    if (file.is_open()) continue;
    problem_ = fmt::format("--report {}", file.problem());
    return;
  }
}

bool OutputFiles::write(const std::function<bool(const std::string&, const Sink&)>& make) {
  bool is_written = true;
  for (std::size_t i = 0; i < paths_.size(); ++i) {
    if (make(paths_[i], files_[i].sink()) && files_[i].keep()) continue;
    tell(fmt::format("panoptes: cannot write the report {}\n", paths_[i]));
    is_written = false;
  }
  return is_written;
}

}  // namespace panoptes
