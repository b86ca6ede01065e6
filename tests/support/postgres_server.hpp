// SPDX-License-Identifier: Apache-2.0
// A real PostgreSQL server for the length of a test.
//
// Idea: a cluster in a folder of its own, in memory where there is a folder for that, with a Unix
// socket in it and no port, so that servers of tests that run side by side never meet. PostgreSQL
// refuses to run as root; where the test is root, the server is started as `postgres`, or as
// `nobody`. It dies with the test, however that ends. The first one leaves a new cluster beside the
// program, and the others begin with a copy of it: to make one takes a second.
#pragma once

#include <fcntl.h>
#include <grp.h>
#include <pwd.h>
#include <sys/prctl.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include <chrono>
#include <csignal>
#include <cstdint>
#include <cstdlib>
#include <filesystem>
#include <stdexcept>
#include <string>
#include <thread>
#include <utility>
#include <vector>

namespace panoptes {

class PostgresServer {
 public:
  PostgresServer() {
    namespace fs = std::filesystem;
    const fs::path memory = "/dev/shm";
    std::error_code error;
    const bool has_room = fs::space(memory, error).available >= (std::uintmax_t{1} << 30) && !error;
    std::string pattern =
        ((has_room ? memory : fs::temp_directory_path()) / "panoptes-postgres-XXXXXX").string();
    if (!mkdtemp(pattern.data())) throw std::runtime_error("no temporary folder");
    folder_ = pattern;
    if (geteuid() == 0) {
      owner_ = getpwnam("postgres");
      if (!owner_) owner_ = getpwnam("nobody");
      if (!owner_ || chown(folder_.c_str(), owner_->pw_uid, owner_->pw_gid) != 0)
        throw std::runtime_error("no user to run PostgreSQL as");
    }
    make_data();
    run();
  }
  ~PostgresServer() {
    stop();
    std::error_code error;
    std::filesystem::remove_all(folder_, error);
  }
  PostgresServer(const PostgresServer&) = delete;
  PostgresServer& operator=(const PostgresServer&) = delete;

  // For `--db`. Users that were created are let in without a password.
  std::string address(const std::string& user = "tester") const {
    return "postgresql:///postgres?host=" + folder_ + "&user=" + user;
  }

  // Every connection is cut off at once, as in a crash.
  void stop() {
    if (pid_ <= 0) return;
    kill(pid_, SIGQUIT);
    waitpid(pid_, nullptr, 0);
    pid_ = 0;
  }
  void run() {
    pid_ = start({binary("postgres"), "-D", data(), "-k", folder_, "-c", "listen_addresses=", "-c",
                  "fsync=off", "-c", "max_connections=20"});
    for (int i = 0; i < 1500; ++i) {
      if (succeeds(start({binary("pg_isready"), "-q", "-h", folder_, "-U", "tester"}))) return;
      if (waitpid(pid_, nullptr, WNOHANG) == pid_) break;
      std::this_thread::sleep_for(std::chrono::milliseconds(10));
    }
    throw std::runtime_error("PostgreSQL did not start");
  }

 private:
  std::string data() const { return folder_ + "/data"; }

  void make_data() const {
    namespace fs = std::filesystem;
    const fs::path initdb = binary("initdb");
    const fs::path kept = fs::path(PANOPTES_PROGRAM).parent_path() /
                          ("postgresql-" + initdb.parent_path().parent_path().filename().string());
    if (copied(kept, data())) return;
    std::error_code error;
    fs::remove_all(data(), error);  // half of it may be there
    if (!succeeds(start({initdb, "--pgdata", data(), "--auth", "trust", "--username", "tester",
                         "--no-sync", "--encoding", "UTF8", "--locale", "C"})))
      throw std::runtime_error("initdb failed");
    // Who comes second finds a folder that is not empty.
    const fs::path mine = kept.string() + "." + std::to_string(getpid());
    if (copied(data(), mine)) fs::rename(mine, kept, error);
    fs::remove_all(mine, error);
  }

  // Owners and permissions stay what they are.
  bool copied(const std::filesystem::path& from, const std::filesystem::path& to) const {
    return std::filesystem::exists(from) && succeeds(start({"cp", "-a", from, to}, nullptr));
  }

  static bool succeeds(pid_t child) {
    int status = 0;
    return waitpid(child, &status, 0) == child && status == 0;
  }

  // Debian keeps the server's programs out of the path, in a folder for each version.
  static std::string binary(const std::string& name) {
    namespace fs = std::filesystem;
    std::error_code error;
    for (const auto& version : fs::directory_iterator("/usr/lib/postgresql", error))
      if (fs::exists(version.path() / "bin" / name))
        return (version.path() / "bin" / name).string();
    return name;
  }

  pid_t start(std::vector<std::string> words) const { return start(std::move(words), owner_); }
  static pid_t start(std::vector<std::string> words, const passwd* owner) {
    std::vector<char*> arguments;
    for (std::string& word : words) arguments.push_back(word.data());
    arguments.push_back(nullptr);
    const pid_t child = fork();
    if (child != 0) return child;
    const int nowhere = open("/dev/null", O_RDWR);
    dup2(nowhere, 0);
    dup2(nowhere, 1);
    dup2(nowhere, 2);
    if (owner &&
        (setgroups(0, nullptr) != 0 || setgid(owner->pw_gid) != 0 || setuid(owner->pw_uid) != 0))
      _exit(126);
    prctl(PR_SET_PDEATHSIG, SIGQUIT);
    if (chdir("/") != 0) _exit(126);
    execvp(arguments[0], arguments.data());
    _exit(127);
  }

  std::string folder_;
  passwd* owner_ = nullptr;
  pid_t pid_ = 0;
};

}  // namespace panoptes
