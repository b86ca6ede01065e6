// SPDX-License-Identifier: Apache-2.0
// Rules as C, compiled by the machine's `cc` and loaded into the test.
#pragma once

#include <dlfcn.h>
#include <fmt/format.h>

#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <stdexcept>
#include <string>
#include <vector>

#include "report/show.hpp"
#include "rules/program.hpp"

namespace panoptes::test {

// PANOPTES_FAILED of the text.
inline constexpr std::uint32_t failed_mark = 0x80000000u;

inline bool has_compiler() { return std::system("cc --version >/dev/null 2>&1") == 0; }

// The text of a program as code in this process.
class CompiledText {
 public:
  explicit CompiledText(const Program& program) {
    std::string pattern = (std::filesystem::temp_directory_path() / "panoptes-c-XXXXXX").string();
    folder_ = mkdtemp(pattern.data());
    std::ofstream(folder_ / "rules.c") << show_rules_c(program);
    const std::string command = fmt::format(
        "cc -std=c11 -pedantic-errors -O1 -fPIC -shared -o {0}/rules.so {0}/rules.c 2>{0}/errors",
        folder_.string());
    if (std::system(command.c_str()) != 0)
      throw std::runtime_error("cc refuses the text:\n" + contents("errors"));
    library_ = dlopen((folder_ / "rules.so").c_str(), RTLD_NOW | RTLD_LOCAL);
    if (!library_) throw std::runtime_error(dlerror());
    expand_ = reinterpret_cast<Expand>(dlsym(library_, "panoptes_expand"));
    initial_ = static_cast<const Word*>(dlsym(library_, "panoptes_initial"));
    if (!expand_ || !initial_) throw std::runtime_error("it lacks a name");
  }
  CompiledText(const CompiledText&) = delete;
  ~CompiledText() {
    if (library_) dlclose(library_);
    std::error_code ignored;
    std::filesystem::remove_all(folder_, ignored);
  }

  std::size_t expand(StateView state, StateWords& successors, std::vector<std::uint32_t>& rules) {
    return expand_(state.data(), successors.data(), rules.data(), rules.size());
  }
  StateWords initial(std::size_t width) const { return {initial_, initial_ + width}; }

 private:
  using Expand = std::size_t (*)(const Word*, Word*, std::uint32_t*, std::size_t);

  std::string contents(const char* name) const {
    std::ifstream file(folder_ / name);
    return {std::istreambuf_iterator<char>(file), {}};
  }

  std::filesystem::path folder_;
  void* library_ = nullptr;
  Expand expand_ = nullptr;
  const Word* initial_ = nullptr;
};

}  // namespace panoptes::test
