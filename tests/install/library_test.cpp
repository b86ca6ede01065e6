// SPDX-License-Identifier: Apache-2.0
// The library as others find it in an installed tree: what docs/library.md shows is compiled there,
// runs under the address sanitizer without a leak, and prints what the page says.
#include <gtest/gtest.h>

#include <sstream>

#include "docs/pages.hpp"
#include "install/place.hpp"

namespace panoptes::install {
namespace {

const std::string model = std::string(PANOPTES_SOURCE_DIR) + "/models/setup_handshake.argos";

// The block of that page with that language and file.
std::string block_of(const std::string& language, const std::string& file) {
  for (const docs::Block& block : docs::every_block())
    if (block.page == "library.md" && block.language == language && block.file == file)
      return block.text;
  ADD_FAILURE() << "library.md has no " << language << " " << file;
  return {};
}

// An installed tree, and programs beside it that know no other folder.
class InstalledLibrary : public testing::Test {
 protected:
  static void SetUpTestSuite() {
    place_ = std::make_unique<Place>();
    const models::Run installed = place_->install();
    ASSERT_EQ(installed.exit_code, 0) << installed.output;
  }
  static void TearDownTestSuite() { place_.reset(); }

  static fs::path libraries() { return place_->prefix() / "lib"; }
  // A command in the folder of the programs, to which the library is as good as installed.
  models::Run run(const std::string& command) const {
    const std::string there = libraries().string();
    return models::run_shell("cd '" + folder_.path("") + "' && export PKG_CONFIG_PATH='" + there +
                             "/pkgconfig' LD_LIBRARY_PATH='" + there + "' && " + command);
  }
  // Compiles a program of the page by `compiler`, and compares what it prints.
  void compile_and_run(const std::string& compiler, const std::string& language,
                       const std::string& file) const {
    folder_.write(file, block_of(language, file));
    const models::Run compiled =
        run(compiler + " -Wall -Wextra -Wpedantic -Werror -fsanitize=address " + file +
            " $(pkg-config --cflags --libs panoptes) -o program 2>&1");
    ASSERT_EQ(compiled.exit_code, 0) << compiled.output;
    const models::Run printed = run("./program " + model + " 2>&1");
    EXPECT_EQ(printed.output, block_of("text", file));
    EXPECT_LE(printed.exit_code, 1);
  }

  cli::TemporaryFolder folder_;
  static inline std::unique_ptr<Place> place_;
};

TEST_F(InstalledLibrary, IsForCpp) {
  compile_and_run("c++ -std=c++17", "cpp", "errors.cpp");
  const std::string text = block_of("cpp", "errors.cpp");
  EXPECT_LE(docs::lines_of(text).size(), 40u);
}

TEST_F(InstalledLibrary, IsForC) {
  compile_and_run("cc -std=c99", "c", "errors.c");
  EXPECT_LE(docs::lines_of(block_of("c", "errors.c")).size(), 40u);
}

TEST_F(InstalledLibrary, IsForPython) {
  folder_.write("shortest.py", block_of("python", "shortest.py"));
  const models::Run printed = run("python3 shortest.py " + model + " 2>&1");
  EXPECT_EQ(printed.output, block_of("text", "shortest.py"));
  EXPECT_EQ(printed.exit_code, 0);
}

TEST_F(InstalledLibrary, IsFoundByCMake) {
  folder_.write("errors.cpp", block_of("cpp", "errors.cpp"));
  std::string lines;
  for (const docs::Block& block : docs::every_block())
    if (block.page == "library.md" && block.language == "cmake") lines = block.text;
  const std::size_t second = lines.find('\n') + 1;
  folder_.write("CMakeLists.txt",
                "cmake_minimum_required(VERSION 3.25)\nproject(errors LANGUAGES CXX)\n" +
                    lines.substr(0, second) + "add_executable(errors errors.cpp)\n" +
                    lines.substr(second));
  const models::Run built =
      run("cmake -S . -B built -DCMAKE_PREFIX_PATH='" + place_->prefix().string() +
          "' >log 2>&1 && cmake --build built >>log 2>&1 || { cat log; exit 1; }");
  ASSERT_EQ(built.exit_code, 0) << built.output;
  EXPECT_EQ(run("built/errors " + model).output, block_of("text", "errors.cpp"));
}

// What a header declares, by name.
std::set<std::string> declared_functions() {
  std::set<std::string> names;
  const std::string text =
      docs::read_file(fs::path(PANOPTES_SOURCE_DIR) / "src" / "api" / "panoptes.h");
  for (std::size_t at = text.find("\nPANOPTES_API "); at != std::string::npos;
       at = text.find("\nPANOPTES_API ", at + 1)) {
    const std::size_t end = text.find('(', at);
    const std::size_t begin = text.find_last_of(" *", end) + 1;
    names.insert(text.substr(begin, end - begin));
  }
  return names;
}

TEST_F(InstalledLibrary, ShowsTheFunctionsOfItsHeaderAndNothingElse) {
  std::set<std::string> shown;
  std::istringstream symbols(
      run("nm --dynamic --defined-only '" + (libraries() / "libpanoptes.so").string() + "'")
          .output);
  for (std::string address, kind, name; symbols >> address >> kind >> name;)
    if (kind != "A") shown.insert(name.substr(0, name.find('@')));
  EXPECT_EQ(shown, declared_functions());
}

TEST_F(InstalledLibrary, HasASonameAndTheVersionOfTheProgram) {
  const models::Run dynamic =
      run("readelf --dynamic '" + (libraries() / "libpanoptes.so").string() + "'");
  EXPECT_TRUE(cli::contains(dynamic.output, "soname: [libpanoptes.so.0]")) << dynamic.output;
  EXPECT_EQ("panoptes " + run("pkg-config --modversion panoptes").output,
            cli::run({"--version"}).output);
}

}  // namespace
}  // namespace panoptes::install
