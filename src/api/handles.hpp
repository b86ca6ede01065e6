// SPDX-License-Identifier: Apache-2.0
// What is behind the handles of panoptes.h, and how its functions keep their promises: nothing is
// thrown out of them, and what goes wrong is a status and a diagnostic.
#pragma once

#include <panoptes.h>

#include <deque>
#include <memory>
#include <new>
#include <string>
#include <utility>
#include <vector>

#include "base/result.hpp"
#include "load/load.hpp"
#include "options/values.hpp"
#include "step/interpreter.hpp"

namespace panoptes {

// Texts that structs of C point to: they stay where they are.
class Texts {
 public:
  const char* keep(std::string text) { return texts_.emplace_back(std::move(text)).c_str(); }

 private:
  std::deque<std::string> texts_;
};

// A model as its handles share it.
struct SharedModel {
  std::string path;
  OptionValues values;                         // of `check`
  Loaded loaded;                               // its program is there
  std::unique_ptr<panoptes_diagnostics> said;  // warnings; null where there are none

  const Program& program() const { return *loaded.program; }
  const SourceSet& sources() const { return loaded.sources; }
};

}  // namespace panoptes

// Their names are those of panoptes.h.
// NOLINTBEGIN(readability-identifier-naming)
struct panoptes_diagnostics {
  panoptes_diagnostics(const panoptes::Diagnostics& diagnostics,
                       const panoptes::SourceSet& sources);

  panoptes::Texts texts;
  std::vector<panoptes_diagnostic> all;
  std::string text;
};

struct panoptes_options {
  std::vector<std::pair<std::string, std::string>> given;
};

struct panoptes_model {
  std::shared_ptr<const panoptes::SharedModel> shared;
};
// NOLINTEND(readability-identifier-naming)

namespace panoptes {

// Says why: `problem`, where there is somebody to be told, gets a handle. For a status.
panoptes_status refuse(panoptes_status status, const std::string& message,
                       panoptes_diagnostics** problem);

// What `body` says, or what it threw.
template <typename Body>
panoptes_status guarded(panoptes_diagnostics** problem, Body body) noexcept {
  if (problem) *problem = nullptr;
  try {
    try {
      return body();
    } catch (const std::bad_alloc&) {
      return refuse(PANOPTES_NO_MEMORY, "there is not enough memory", problem);
    } catch (const std::exception& fault) {  // InternalFault among them
      return refuse(PANOPTES_OWN_FAULT, fault.what(), problem);
    }
  } catch (...) {  // not even memory to say why
    return PANOPTES_NO_MEMORY;
  }
}

// A text for the caller to free; null where there is none, or no memory for it.
char* copied(const std::string& text) noexcept;
template <typename Make>
char* made_text(Make make) noexcept {
  try {
    return make();
  } catch (...) {
    return nullptr;
  }
}

}  // namespace panoptes
