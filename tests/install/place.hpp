// SPDX-License-Identifier: Apache-2.0
// An installation for the length of a test.
#pragma once

#include <filesystem>
#include <set>
#include <string>

#include "cli/child.hpp"
#include "models/run_program.hpp"

namespace panoptes::install {

namespace fs = std::filesystem;

inline const fs::path build = fs::path(PANOPTES_PROGRAM).parent_path();
inline const std::string tools = std::string(PANOPTES_SOURCE_DIR) + "/tools/";

// A folder to install below, as packagers do.
class Place {
 public:
  models::Run install(const std::string& prefix = "/usr/local") const {
    return run(tools + "install " + build.string() + " '" + prefix + "'");
  }
  models::Run uninstall(const std::string& prefix = "/usr/local") const {
    return run(tools + "install --uninstall '" + prefix + "'");
  }
  fs::path root() const { return folder_.path("root"); }
  fs::path prefix() const { return root() / "usr/local"; }

  // All that is there, relative to the root.
  std::set<std::string> content() const {
    std::set<std::string> paths;
    if (!fs::exists(root())) return paths;
    for (const auto& entry : fs::recursive_directory_iterator(root()))
      paths.insert(entry.path().lexically_relative(root()).string());
    return paths;
  }

 private:
  models::Run run(const std::string& command) const {
    return models::run_shell("DESTDIR='" + root().string() + "' " + command + " 2>&1");
  }
  cli::TemporaryFolder folder_;
};

}  // namespace panoptes::install
