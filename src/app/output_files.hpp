// SPDX-License-Identifier: Apache-2.0
// The files of --report. They are opened before the work begins, so that nobody waits for a report
// that cannot be written; each is there only when it is complete.
#pragma once

#include <deque>
#include <functional>
#include <string>
#include <vector>

#include "app/output.hpp"

namespace panoptes {

class OutputFiles {
 public:
  explicit OutputFiles(const std::vector<std::string>& paths);

  // A complaint about files that could not be opened; "" where there is none.
  const std::string& problem() const { return problem_; }

  // Lets `make` write each of them, by its path. False where one could not be written, after saying
  // so.
  bool write(const std::function<bool(const std::string& path, const Sink& sink)>& make);

 private:
  std::vector<std::string> paths_;
  std::deque<Output> files_;  // one for each
  std::string problem_;
};

}  // namespace panoptes
