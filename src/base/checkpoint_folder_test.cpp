// SPDX-License-Identifier: Apache-2.0
#include "base/checkpoint_folder.hpp"

#include <gtest/gtest.h>
#include <sys/resource.h>

#include <csignal>
#include <filesystem>
#include <fstream>
#include <iterator>

namespace panoptes {
namespace {

namespace fs = std::filesystem;

class CheckpointFolders : public testing::Test {
 protected:
  CheckpointFolders() {
    std::string path = testing::TempDir() + "checkpoint-XXXXXX";
    EXPECT_NE(mkdtemp(path.data()), nullptr);
    path_ = path;
  }
  ~CheckpointFolders() override { fs::remove_all(path_); }

  std::string path(const std::string& name = "kept") const { return (path_ / name).string(); }
  std::string read(const std::string& name) const {
    std::ifstream file(path() + "/" + name, std::ios::binary);
    return {std::istreambuf_iterator<char>(file), {}};
  }
  void write(const std::string& name, const std::string& text) const {
    std::ofstream(path() + "/" + name, std::ios::binary) << text;
  }

 private:
  fs::path path_;
};

std::span<const std::byte> bytes_of(const std::string& text) {
  return std::as_bytes(std::span(text.data(), text.size()));
}

std::string stream_of(const CheckpointFolder& folder, std::uint32_t stream) {
  std::string text(folder.bytes(stream), ' ');
  EXPECT_TRUE(folder.read(stream, 0, std::as_writable_bytes(std::span(text.data(), text.size()))));
  return text;
}

// Two checkpoints, with two streams.
void write_two(const std::string& path) {
  auto folder = CheckpointFolder::begin(path);
  ASSERT_TRUE(folder) << folder.failure();
  (*folder)->append(1, bytes_of("abc"));
  (*folder)->append(7, bytes_of("0123456789"));
  ASSERT_TRUE((*folder)->commit({{"counters", "first"}}));
  (*folder)->append(1, bytes_of("defgh"));
  ASSERT_TRUE((*folder)->commit({{"counters", "second"}, {"errors", ""}}));
}

TEST_F(CheckpointFolders, GiveBackTheLastCheckpoint) {
  write_two(path());
  const auto folder = CheckpointFolder::open(path());
  ASSERT_TRUE(folder) << folder.failure();
  EXPECT_EQ((*folder)->number(), 2u);
  EXPECT_EQ((*folder)->section("counters"), "second");
  EXPECT_EQ((*folder)->section("nothing"), "");
  EXPECT_EQ(stream_of(**folder, 1), "abcdefgh");
  EXPECT_EQ(stream_of(**folder, 7), "0123456789");
  std::string middle(4, ' ');
  const auto into = std::as_writable_bytes(std::span(middle.data(), middle.size()));
  EXPECT_TRUE((*folder)->read(1, 2, into));
  EXPECT_EQ(middle, "cdef");
  EXPECT_FALSE((*folder)->read(1, 5, into)) << "behind its end";
  EXPECT_FALSE((*folder)->read(2, 0, into)) << "there is no such stream";
}

TEST_F(CheckpointFolders, GoBackToTheOneBeforeWhereTheyAreAskedTo) {
  write_two(path());
  {
    auto folder = CheckpointFolder::open(path(), 1);
    ASSERT_TRUE(folder) << folder.failure();
    EXPECT_EQ((*folder)->section("counters"), "first");
    EXPECT_EQ(stream_of(**folder, 1), "abc");
    (*folder)->append(1, bytes_of("xyz"));
    ASSERT_TRUE((*folder)->commit({{"counters", "other"}}));
  }
  const auto folder = CheckpointFolder::open(path());
  ASSERT_TRUE(folder) << folder.failure();
  EXPECT_EQ((*folder)->number(), 2u);
  EXPECT_EQ(stream_of(**folder, 1), "abcxyz");
}

TEST_F(CheckpointFolders, KeepTwoManifestsAndNoData) {
  auto folder = CheckpointFolder::begin(path());
  ASSERT_TRUE(folder);
  for (int i = 0; i < 10; ++i) {
    (*folder)->append(0, bytes_of(std::string(100'000, 'x')));
    ASSERT_TRUE((*folder)->commit({{"counters", std::string(1000, 'y')}}));
  }
  std::uint64_t on_disk = 0;
  std::size_t files = 0;
  for (const auto& entry : fs::directory_iterator(path())) {
    on_disk += entry.file_size();
    ++files;
  }
  EXPECT_EQ(files, 3u);
  EXPECT_LT(on_disk, 1'000'000u + 10u * 16 + 2 * 1200);
  EXPECT_LT((*folder)->disk_bytes(), on_disk);
}

TEST_F(CheckpointFolders, LeaveNothingWhereNothingWasWritten) {
  {
    auto folder = CheckpointFolder::begin(path());
    ASSERT_TRUE(folder);
    (*folder)->append(0, bytes_of("begun"));
  }
  EXPECT_FALSE(fs::exists(path()));
  fs::create_directory(path());
  write("data", "mine");
  EXPECT_FALSE(CheckpointFolder::begin(path()));
  EXPECT_EQ(read("data"), "mine");
  write("data", "");
  EXPECT_TRUE(CheckpointFolder::begin(path()));
  EXPECT_TRUE(fs::is_empty(path())) << "but the folder was there before";
}

// What was appended after the last commit is as if it had never been.
TEST_F(CheckpointFolders, ForgetWhatWasBegun) {
  write_two(path());
  {
    auto folder = CheckpointFolder::open(path());
    ASSERT_TRUE(folder);
    (*folder)->append(1, bytes_of("begun, and then the run was killed"));
  }
  write("manifest.unfinished", "half of a mani");
  auto folder = CheckpointFolder::open(path());
  ASSERT_TRUE(folder) << folder.failure();
  EXPECT_EQ(stream_of(**folder, 1), "abcdefgh");
  (*folder)->append(1, bytes_of("taken back"));
  (*folder)->take_back();
  (*folder)->append(1, bytes_of("i"));
  ASSERT_TRUE((*folder)->commit({}));
  EXPECT_EQ(stream_of(**folder, 1), "abcdefghi");
  EXPECT_FALSE(fs::exists(path() + "/manifest.unfinished"));
}

// Every byte of a checkpoint, one after the other: what is wrong is said, and in which file.
TEST_F(CheckpointFolders, NoticeAnyByteThatIsNotWhatWasWritten) {
  write_two(path());
  for (const char* name : {"manifest-2", "data"}) {
    const std::string whole = read(name);
    ASSERT_GT(whole.size(), 50u);
    for (std::size_t i = 0; i < whole.size(); ++i)
      for (const int bit : {0, 7}) {
        std::string damaged = whole;
        damaged[i] = static_cast<char>(damaged[i] ^ (1 << bit));
        write(name, damaged);
        const auto folder = CheckpointFolder::open(path());
        ASSERT_FALSE(folder) << name << ", byte " << i;
        EXPECT_NE(folder.failure().find(path() + "/" + name), std::string::npos)
            << folder.failure();
      }
    for (std::size_t size = 0; size < whole.size(); ++size) {
      write(name, whole.substr(0, size));
      EXPECT_FALSE(CheckpointFolder::open(path())) << name << " of " << size << " bytes";
    }
    write(name, whole);
  }
  EXPECT_TRUE(CheckpointFolder::open(path()));
}

TEST_F(CheckpointFolders, SayWhatIsWrong) {
  EXPECT_EQ(CheckpointFolder::open(path()).failure(), "there is no checkpoint in " + path());
  write_two(path());
  EXPECT_EQ(CheckpointFolder::begin(path()).failure(), path() + " has a checkpoint already");
  const std::string data = read("data");
  std::string damaged = data;
  damaged[45] ^= 1;  // in the second piece
  write("data", damaged);
  EXPECT_EQ(CheckpointFolder::open(path()).failure(),
            path() + "/data: the bytes from 44 on are not those that were written");
  write("data", data.substr(0, 60));
  EXPECT_EQ(CheckpointFolder::open(path()).failure(),
            path() + "/data: it is cut off: 60 bytes of 91");
  write("data", data);
  std::string manifest = read("manifest-2");
  manifest[20] = '9';
  write("manifest-2", manifest);
  EXPECT_EQ(CheckpointFolder::open(path()).failure(),
            path() + "/manifest-2: it is in another format than that of this program, which is " +
                CheckpointFolder::first_line[20]);
  write("data", "my own data, which has nothing to do with it");
  EXPECT_EQ(CheckpointFolder::open(path()).failure(),
            path() + "/data: that is no data of a checkpoint");
  EXPECT_EQ(read("data"), "my own data, which has nothing to do with it");
  EXPECT_EQ(CheckpointFolder::begin(path("no/such")).failure(),
            "cannot make the folder " + path("no/such") + ": No such file or directory");
}

TEST_F(CheckpointFolders, BelongToOneRunAtATime) {
  write_two(path());
  const auto folder = CheckpointFolder::open(path());
  ASSERT_TRUE(folder);
  EXPECT_EQ(CheckpointFolder::open(path()).failure(), "another run is writing to " + path());
}

// Files may not become larger meanwhile, as on a disk that is full.
TEST_F(CheckpointFolders, StayAsTheyWereWhereTheDiskIsFull) {
  auto folder = CheckpointFolder::begin(path());
  ASSERT_TRUE(folder);
  (*folder)->append(0, bytes_of("abc"));
  ASSERT_TRUE((*folder)->commit({{"counters", "first"}}));
  rlimit before{};
  getrlimit(RLIMIT_FSIZE, &before);
  std::signal(SIGXFSZ, SIG_IGN);
  for (const rlim_t most : {30, 60, 120, 1000}) {
    const rlimit limit{most, before.rlim_max};
    setrlimit(RLIMIT_FSIZE, &limit);
    (*folder)->append(0, bytes_of(std::string(most < 1000 ? 20 : 2000, 'x')));
    EXPECT_FALSE((*folder)->commit({{"counters", std::string(200, 'y')}})) << most;
    EXPECT_NE((*folder)->problem().find("File too large"), std::string::npos)
        << (*folder)->problem();
    setrlimit(RLIMIT_FSIZE, &before);
    EXPECT_EQ(stream_of(**folder, 0), "abc");
  }
  std::signal(SIGXFSZ, SIG_DFL);
  (*folder)->append(0, bytes_of("def"));
  EXPECT_TRUE((*folder)->commit({{"counters", "second"}})) << (*folder)->problem();
  EXPECT_EQ((*folder)->problem(), "");
  EXPECT_EQ(stream_of(**folder, 0), "abcdef");
}

}  // namespace
}  // namespace panoptes
