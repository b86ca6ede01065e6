// SPDX-License-Identifier: Apache-2.0
// The door to files.
#pragma once

#include <optional>
#include <string>

namespace panoptes {

// The text of a file; one that is longer than `limit` is read to a little beyond it only.
std::optional<std::string> read_file(const std::string& path, std::size_t limit);
// A complaint about one that could not be read: which, and why.
std::string cannot_read(const std::string& path);

}  // namespace panoptes
