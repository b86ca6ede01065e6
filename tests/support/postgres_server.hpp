// SPDX-License-Identifier: Apache-2.0
// A real PostgreSQL server for the length of a test.
//
// Idea: a cluster in a folder of its own under the temporary folder, a Unix socket in it and no
// port, so that servers of tests that run side by side never meet. PostgreSQL refuses to run as
// root; where the test is root, the server is started as `postgres`, or as `nobody`. It dies with
// the test, however that ends. Starting one takes about two seconds.
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
#include <cstdlib>
#include <filesystem>
#include <stdexcept>
#include <string>
#include <thread>
#include <vector>

namespace panoptes {

class PostgresServer {
 public:
  PostgresServer() {
    namespace fs = std::filesystem;
    std::string pattern = (fs::temp_directory_path() / "panoptes-postgres-XXXXXX").string();
    if (!mkdtemp(pattern.data())) throw std::runtime_error("no temporary folder");
    folder_ = pattern;
    if (geteuid() == 0) {
      owner_ = getpwnam("postgres");
      if (!owner_) owner_ = getpwnam("nobody");
      if (!owner_ || chown(folder_.c_str(), owner_->pw_uid, owner_->pw_gid) != 0)
        throw std::runtime_error("no user to run PostgreSQL as");
    }
    const pid_t initdb =
        start({binary("initdb"), "--pgdata", data(), "--auth", "trust", "--username", "tester",
               "--no-sync", "--encoding", "UTF8", "--locale", "C"});
    int status = 0;
    waitpid(initdb, &status, 0);
    if (status != 0) throw std::runtime_error("initdb failed");
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
    for (int i = 0; i < 300; ++i) {
      const pid_t ask = start({binary("pg_isready"), "-q", "-h", folder_, "-U", "tester"});
      int status = 0;
      waitpid(ask, &status, 0);
      if (status == 0) return;
      if (waitpid(pid_, &status, WNOHANG) == pid_) break;
      std::this_thread::sleep_for(std::chrono::milliseconds(50));
    }
    throw std::runtime_error("PostgreSQL did not start");
  }

 private:
  std::string data() const { return folder_ + "/data"; }

  // Debian keeps the server's programs out of the path, in a folder for each version.
  static std::string binary(const std::string& name) {
    namespace fs = std::filesystem;
    std::error_code error;
    for (const auto& version : fs::directory_iterator("/usr/lib/postgresql", error))
      if (fs::exists(version.path() / "bin" / name))
        return (version.path() / "bin" / name).string();
    return name;
  }

  pid_t start(std::vector<std::string> words) const {
    std::vector<char*> arguments;
    for (std::string& word : words) arguments.push_back(word.data());
    arguments.push_back(nullptr);
    const pid_t child = fork();
    if (child != 0) return child;
    const int nowhere = open("/dev/null", O_RDWR);
    dup2(nowhere, 0);
    dup2(nowhere, 1);
    dup2(nowhere, 2);
    if (owner_ &&
        (setgroups(0, nullptr) != 0 || setgid(owner_->pw_gid) != 0 || setuid(owner_->pw_uid) != 0))
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
