// SPDX-License-Identifier: Apache-2.0
// An installation and a package have what they should, work wherever they are, and go without a
// trace.
#include <filesystem>
#include <fstream>
#include <map>
#include <memory>
#include <set>
#include <sstream>

#include "cli/child.hpp"
#include "install/place.hpp"
#include "models/run_program.hpp"

namespace panoptes::install {
namespace {

using cli::contains;

// The modules that this build has; which depends on what is on the machine.
std::set<std::string> modules() {
  std::set<std::string> names;
  for (const auto& entry : fs::directory_iterator(build))
    if (entry.path().extension() == ".so") names.insert(entry.path().filename().string());
  return names;
}

// "0.1.0"
std::string version_of_program() {
  const std::string text = cli::run({"--version"}).output;
  return text.substr(9, text.size() - 10);
}

// Uses an installed program from a folder that has nothing to do with it.
void use(const fs::path& program, const fs::path& examples) {
  const auto panoptes = [&](const std::string& arguments) {
    return models::run_shell("cd / && '" + program.string() + "' " + arguments + " 2>&1");
  };
  const models::Run holds = panoptes("check " + (examples / "alternating_bit.argos").string());
  EXPECT_EQ(holds.exit_code, 0) << holds.output;
  EXPECT_TRUE(contains(holds.output, "holds: no deadlock")) << holds.output;
  if (modules().contains("panoptes-duckdb.so")) {
    const models::Run related = panoptes("relate " + (examples / "connection.argos").string());
    EXPECT_EQ(related.exit_code, 1) << related.output;
    EXPECT_TRUE(contains(related.output, "related in DuckDB")) << related.output;
  }
  if (modules().contains("panoptes-cadical.so")) {
    const models::Run proved = panoptes("backward " + (examples / "peterson.argos").string());
    EXPECT_EQ(proved.exit_code, 0) << proved.output;
    EXPECT_TRUE(contains(proved.output, "promise: exhaustive")) << proved.output;
  }
  if (modules().contains("panoptes-graphviz.so")) {
    const models::Run drawn =
        panoptes("show " + (examples / "connection.argos").string() + " --channels --format svg");
    EXPECT_EQ(drawn.exit_code, 0) << drawn.output;
    EXPECT_TRUE(contains(drawn.output, "</svg>")) << drawn.output;
  }
}

TEST(Installation, HasEverythingInItsPlace) {
  const Place place;
  const models::Run installed = place.install();
  ASSERT_EQ(installed.exit_code, 0) << installed.output;
  std::set<std::string> wanted{"bin/panoptes",
                               "share/man/man1/panoptes.1.gz",
                               "share/bash-completion/completions/panoptes",
                               "share/zsh/site-functions/_panoptes",
                               "share/fish/vendor_completions.d/panoptes.fish",
                               "share/doc/panoptes/LICENSE",
                               "share/doc/panoptes/copyright",
                               "include/panoptes.h",
                               "include/panoptes.hpp",
                               "lib/libpanoptes.so",
                               "lib/libpanoptes.so.0",
                               "lib/libpanoptes.so." + version_of_program(),
                               "lib/pkgconfig/panoptes.pc",
                               "lib/cmake/panoptes/panoptesConfig.cmake",
                               "lib/cmake/panoptes/panoptesConfigVersion.cmake",
                               "lib/panoptes/manifest"};
  for (const std::string& module : modules()) wanted.insert("lib/panoptes/" + module);
  if (modules().contains("panoptes-duckdb.so")) wanted.insert("lib/panoptes/libduckdb.so");
  const fs::path models = fs::path(PANOPTES_SOURCE_DIR) / "models";
  for (const auto& entry : fs::recursive_directory_iterator(models))
    if (entry.is_regular_file())
      wanted.insert("share/doc/panoptes/examples/" +
                    entry.path().lexically_relative(models).string());
  std::set<std::string> there;
  for (const auto& entry : fs::recursive_directory_iterator(place.prefix()))
    if (!entry.is_directory())
      there.insert(entry.path().lexically_relative(place.prefix()).string());
  EXPECT_EQ(there, wanted);
  EXPECT_EQ(fs::read_symlink(place.prefix() / "lib/libpanoptes.so"), "libpanoptes.so.0");
}

TEST(Installation, WorksFromAnywhereAndThroughALink) {
  const Place place;
  ASSERT_EQ(place.install().exit_code, 0);
  const fs::path examples = place.prefix() / "share/doc/panoptes/examples";
  use(place.prefix() / "bin/panoptes", examples);
  const fs::path link = place.root() / "link";
  fs::create_symlink(place.prefix() / "bin/panoptes", link);
  use(link, examples);
}

TEST(Uninstalling, RemovesAnInstallationThatHasFailedHalfWay) {
  const Place place;
  // What is a file cannot become a folder.
  fs::create_directories(place.prefix() / "share");
  std::ofstream(place.prefix() / "share/man") << "in the way";
  EXPECT_NE(place.install().exit_code, 0);
  EXPECT_TRUE(fs::exists(place.prefix() / "bin/panoptes"));
  const models::Run removed = place.uninstall();
  EXPECT_EQ(removed.exit_code, 0) << removed.output;
  EXPECT_EQ(place.content(),
            (std::set<std::string>{"usr", "usr/local", "usr/local/share", "usr/local/share/man"}));
}

TEST(Uninstalling, LeavesNothingBehindWhetherInstalledOnceOrTwice) {
  const Place place;
  for (int times = 1; times <= 2; ++times) {
    for (int i = 0; i < times; ++i) ASSERT_EQ(place.install("/opt/some where").exit_code, 0);
    EXPECT_FALSE(place.content().empty());
    const models::Run removed = place.uninstall("/opt/some where");
    EXPECT_EQ(removed.exit_code, 0) << removed.output;
    EXPECT_EQ(place.content(), std::set<std::string>{}) << times;
  }
}

TEST(Uninstalling, LeavesNothingBehindOfATreeThatWasMoved) {
  const Place place;
  ASSERT_EQ(place.install("/opt/here").exit_code, 0);
  fs::rename(place.root() / "opt/here", place.root() / "opt/there");
  const models::Run removed = place.uninstall("/opt/there");
  EXPECT_EQ(removed.exit_code, 0) << removed.output;
  EXPECT_EQ(place.content(), std::set<std::string>{});
}

TEST(Uninstalling, RefusesAManifestOfSomethingElse) {
  const Place place;
  ASSERT_EQ(place.install().exit_code, 0);
  std::ofstream(place.prefix() / "lib/panoptes/manifest") << "/elsewhere/lib/panoptes/manifest\n";
  const models::Run removed = place.uninstall();
  EXPECT_EQ(removed.exit_code, 1);
  EXPECT_TRUE(contains(removed.output, "is not that of an installation under")) << removed.output;
}

TEST(Uninstalling, LeavesWhatWasThereBeforeAndWhatOthersPutThere) {
  const Place place;
  fs::create_directories(place.prefix() / "bin");  // empty, but not ours
  fs::create_directories(place.prefix() / "share/man");
  std::ofstream(place.prefix() / "share/man/other.1") << "x";
  std::set<std::string> wanted = place.content();
  ASSERT_EQ(place.install().exit_code, 0);
  std::ofstream(place.prefix() / "lib/panoptes/panoptes-other.so") << "x";
  ASSERT_EQ(place.uninstall().exit_code, 0);
  wanted.insert(
      {"usr/local/lib", "usr/local/lib/panoptes", "usr/local/lib/panoptes/panoptes-other.so"});
  EXPECT_EQ(place.content(), wanted);
}

TEST(Uninstalling, RemovesFilesThatTheNewVersionDoesNotHave) {
  const Place place;
  ASSERT_EQ(place.install().exit_code, 0);
  const fs::path manifest = place.prefix() / "lib/panoptes/manifest";
  std::ofstream(place.prefix() / "bin/panoptes-old") << "x";
  std::ofstream(manifest, std::ios::app) << "bin/panoptes-old\n";
  ASSERT_EQ(place.install().exit_code, 0);
  EXPECT_FALSE(fs::exists(place.prefix() / "bin/panoptes-old"));
}

TEST(Uninstalling, SaysWhereNothingIsInstalled) {
  const Place place;
  const models::Run removed = place.uninstall();
  EXPECT_EQ(removed.exit_code, 1);
  EXPECT_TRUE(contains(removed.output, "install: nothing is installed under ")) << removed.output;
  const models::Run relative = place.install("usr");
  EXPECT_EQ(relative.exit_code, 1);
  EXPECT_TRUE(contains(relative.output, "PREFIX must begin with /: usr")) << relative.output;
  EXPECT_EQ(place.content(), std::set<std::string>{});
}

// ---- what is fetched ----------------------------------------------------------------------------

TEST(FetchingDuckDb, SaysWhereThereIsNoneForTheMachine) {
  const cli::TemporaryFolder folder;
  fs::create_directories(folder.path("tools"));
  fs::copy(tools + "fetch-duckdb", folder.path("tools/fetch-duckdb"));
  folder.write("uname", "#!/bin/sh\necho Linux riscv64\n");
  fs::permissions(folder.path("uname"), fs::perms::owner_all);
  const models::Run fetched = models::run_shell("PATH='" + folder.path("") + "':$PATH '" +
                                                folder.path("tools/fetch-duckdb") + "' 2>&1");
  EXPECT_EQ(fetched.exit_code, 0);
  EXPECT_EQ(fetched.output,
            "fetch-duckdb: no library of DuckDB is known for Linux riscv64\n"
            "fetch-duckdb: no DuckDB: `panoptes relate` will need a PostgreSQL server (--db)\n");
}

// ---- the Debian package ------------------------------------------------------------------------

// Made once for all of these tests.
class Package : public testing::Test {
 protected:
  static void SetUpTestSuite() {
    made_in_ = std::make_unique<cli::TemporaryFolder>();
    const models::Run made = models::run_shell(tools + "package --fast " + build.string() + " " +
                                               made_in_->path("") + " 2>&1");
    ASSERT_EQ(made.exit_code, 0) << made.output;
    for (const auto& entry : fs::directory_iterator(made_in_->path(""))) {
      const std::string name = entry.path().filename().string();
      packages_[name.substr(0, name.find('_'))] = entry.path();
    }
  }
  static void TearDownTestSuite() { made_in_.reset(); }
  void SetUp() override { ASSERT_EQ(packages_.size(), 3u); }
  static std::string path_of(const std::string& package) { return packages_.at(package).string(); }
  static std::string field(const std::string& name, const std::string& package = "panoptes") {
    return models::run_shell("dpkg-deb -f " + path_of(package) + " " + name).output;
  }
  static std::string content(const std::string& package) {
    return models::run_shell("dpkg-deb -c " + path_of(package)).output;
  }

  cli::TemporaryFolder folder_;
  static inline std::unique_ptr<cli::TemporaryFolder> made_in_;
  static inline std::map<std::string, fs::path> packages_;  // by name
};

TEST_F(Package, NeedsWhatTheProgramNeedsAndRecommendsWhatItsModulesDo) {
  EXPECT_EQ(field("Package"), "panoptes\n");
  const std::string version = field("Version");
  EXPECT_TRUE(version.ends_with("-1\n")) << version;
  EXPECT_EQ(cli::run({"--version"}).output,
            "panoptes " + version.substr(0, version.size() - 3) + "\n");
  EXPECT_TRUE(contains(field("Depends"), "libc6 (")) << field("Depends");
  EXPECT_TRUE(contains(field("Depends"), "libfmt")) << field("Depends");
  EXPECT_FALSE(contains(field("Depends"), "libpq")) << field("Depends");
  EXPECT_EQ(contains(field("Recommends"), "libpq5"), modules().contains("panoptes-postgresql.so"));
  EXPECT_TRUE(contains(field("Maintainer"), "Panoptes developers <"));
  EXPECT_TRUE(contains(field("Description"), "finds design errors in communication protocols\n"));
}

TEST_F(Package, HasWhatDebianWantsAndBelongsToRoot) {
  const std::string list = content("panoptes");
  for (const char* path :
       {"./usr/bin/panoptes", "./usr/share/man/man1/panoptes.1.gz",
        "./usr/share/bash-completion/completions/panoptes",
        "./usr/share/zsh/vendor-completions/_panoptes",
        "./usr/share/fish/vendor_completions.d/panoptes.fish", "./usr/share/doc/panoptes/copyright",
        "./usr/share/doc/panoptes/changelog.gz", "./usr/share/doc/panoptes/changelog.Debian.gz",
        "./usr/share/doc/panoptes/examples/request.argos"})
    EXPECT_TRUE(contains(list, std::string(" ") + path + "\n")) << path;
  for (const std::string& module : modules())
    EXPECT_TRUE(contains(list, " ./usr/lib/panoptes/" + module + "\n")) << module;
  EXPECT_FALSE(contains(list, "LICENSE"));
  EXPECT_FALSE(contains(list, "manifest"));
  std::istringstream lines(list);
  for (std::string line; std::getline(lines, line);) {
    EXPECT_TRUE(contains(line, " root/root ")) << line;
    EXPECT_TRUE(line.starts_with("drwxr-xr-x ") || line.starts_with("-rw-r--r-- ") ||
                line.starts_with("-rwxr-xr-x "))
        << line;
  }
}

TEST_F(Package, OfTheLibraryIsOneAndWhatItTakesToCompileAnother) {
  const std::string version = field("Version");
  EXPECT_TRUE(contains(field("Depends", "libpanoptes0"), "libc6 ("));
  EXPECT_EQ(field("Depends", "libpanoptes-dev"),
            "libpanoptes0 (= " + version.substr(0, version.size() - 1) + ")\n");
  const std::string folder =
      " ./usr/lib/" +
      models::run_shell("dpkg-architecture -qDEB_HOST_MULTIARCH | tr -d '\\n'").output + "/";
  const std::string library = content("libpanoptes0"), headers = content("libpanoptes-dev");
  EXPECT_TRUE(contains(library, folder + "libpanoptes.so.0 -> ")) << library;
  for (const char* path : {"libpanoptes.so -> libpanoptes.so.0", "pkgconfig/panoptes.pc",
                           "cmake/panoptes/panoptesConfig.cmake"})
    EXPECT_TRUE(contains(headers, folder + path)) << path;
  for (const char* path : {"./usr/include/panoptes.h\n", "./usr/include/panoptes.hpp\n"})
    EXPECT_TRUE(contains(headers, path)) << path;
  for (const char* package : {"libpanoptes0", "libpanoptes-dev"})
    EXPECT_TRUE(
        contains(content(package), "./usr/share/doc/" + std::string(package) + "/copyright\n"));
  EXPECT_FALSE(contains(content("panoptes"), "libpanoptes.so"));
}

TEST_F(Package, OfTheLibraryWorksWhereItIsUnpacked) {
  const std::string place = folder_.path("unpacked");
  for (const char* package : {"libpanoptes0", "libpanoptes-dev"})
    ASSERT_EQ(models::run_shell("dpkg-deb -x " + path_of(package) + " " + place).exit_code, 0);
  folder_.write("version.c",
                "#include <panoptes.h>\n#include <stdio.h>\nint main(void) "
                "{ return puts(panoptes_version()) < 0; }\n");
  const models::Run printed = models::run_shell(
      "cd " + folder_.path("") + " && export LD_LIBRARY_PATH=$(dirname unpacked/usr/lib/*/cmake) " +
      "&& export PKG_CONFIG_PATH=$LD_LIBRARY_PATH/pkgconfig && " +
      "cc version.c $(pkg-config --cflags --libs panoptes) -o version 2>&1 && ./version 2>&1");
  EXPECT_EQ(printed.output, version_of_program() + "\n");
}

TEST_F(Package, WorksWhereItIsUnpacked) {
  const std::string place = folder_.path("unpacked");
  const models::Run unpacked =
      models::run_shell("dpkg-deb -x " + path_of("panoptes") + " " + place);
  ASSERT_EQ(unpacked.exit_code, 0);
  use(fs::path(place) / "usr/bin/panoptes", fs::path(place) / "usr/share/doc/panoptes/examples");
  const models::Run sums =
      models::run_shell("cd " + place + " && dpkg-deb --ctrl-tarfile " + path_of("panoptes") +
                        " | tar -xO ./md5sums | md5sum --check --quiet 2>&1 && echo right");
  EXPECT_EQ(sums.output, "right\n");
}

}  // namespace
}  // namespace panoptes::install
