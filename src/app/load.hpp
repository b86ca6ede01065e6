// SPDX-License-Identifier: Apache-2.0
// The model of a command, from its file or from standard input, within --memory.
#pragma once

#include <map>
#include <optional>
#include <string>
#include <vector>

#include "app/commands.hpp"
#include "app/watch.hpp"
#include "load/load.hpp"

namespace panoptes {

// What complaints call a text that has no file. It has no folder either, so what it includes is
// looked for in the one the program was started in.
inline constexpr const char* standard_input = "<standard input>";

// What complaints call the model of a command.
std::string name_of_model(const Arguments& arguments);

// What is wrong with a model that was read, or could not be: it is not there, or a file of trails;
// "" where nothing is. `path`: as complaints call it.
std::string wrong_model(const std::string& path, const std::optional<std::string>& text);

// The files of a model, each read once, whatever becomes of it meanwhile: runs that are compared
// are runs of the same text, and standard input is there only once.
class FilesReadOnce {
 public:
  std::optional<std::string> read(const std::string& path);

 private:
  std::map<std::string, std::optional<std::string>> texts_;
};

// The model of `arguments`, for those options of it. REQUIRES: wrong_model() had nothing to say.
Loaded load(const Arguments& arguments, const OptionValues& values, FilesReadOnce& files);

// `-` is standard input. REQUIRES: validate() has nothing to say of `arguments`.
Loaded load(const Arguments& arguments);
// `files`: those that were to be read, found or not, as they were then.
Loaded load(const Arguments& arguments, std::vector<FileStamp>& files);

}  // namespace panoptes
