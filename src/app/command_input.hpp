// SPDX-License-Identifier: Apache-2.0
// Where the commands of a session come from: a terminal, with a prompt, a history and keys that
// move in the line, or anything else that has lines.
//
// An interrupt ends the input, also while it waits. Thread safety: one thread.
#pragma once

#include <memory>
#include <optional>
#include <string>

namespace panoptes {

class CommandInput {
 public:
  CommandInput();
  ~CommandInput();
  CommandInput(const CommandInput&) = delete;
  CommandInput& operator=(const CommandInput&) = delete;

  // The next line, without its end; nothing at the end of the input. One of more than 64 KiB comes
  // in pieces.
  std::optional<std::string> next();

 private:
  class Editor;
  std::unique_ptr<Editor> editor_;  // of a terminal that can have one
  std::string read_;                // of anything else: read and not yet used
};

}  // namespace panoptes
