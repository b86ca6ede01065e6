// SPDX-License-Identifier: Apache-2.0
// The library where there is no memory: every allocation of a call fails once.
#include <gtest/gtest.h>
#include <panoptes.h>

#include <cstdlib>
#include <functional>
#include <new>
#include <string>

namespace panoptes::library {
namespace {

// How many more allocations of this thread succeed; below zero: all.
thread_local long allocations_left = -1;

}  // namespace
}  // namespace panoptes::library

// Not inlined: compilers take what they see of one for a mistake in the other.
[[gnu::noinline]] void* operator new(std::size_t bytes) {
  long& left = panoptes::library::allocations_left;
  if (left == 0) throw std::bad_alloc();
  if (left > 0) --left;
  void* const made = std::malloc(bytes == 0 ? 1 : bytes);
  if (!made) throw std::bad_alloc();
  return made;
}
[[gnu::noinline]] void* operator new(std::size_t bytes, const std::nothrow_t&) noexcept {
  return std::malloc(bytes == 0 ? 1 : bytes);
}
[[gnu::noinline]] void operator delete(void* made) noexcept { std::free(made); }
[[gnu::noinline]] void operator delete(void* made, const std::nothrow_t&) noexcept {
  std::free(made);
}
[[gnu::noinline]] void operator delete(void* made, std::size_t) noexcept { std::free(made); }

namespace panoptes::library {
namespace {

// All that is to be seen of where a walk is, but for the steps that are ahead.
std::string seen(const panoptes_walk* walk) {
  const panoptes_state& state = *panoptes_walk_state(walk);
  std::string text = std::to_string(state.step);
  for (std::size_t i = 0; i < state.processes_count; ++i)
    text += std::string(" ") + state.processes[i].name + "=" + state.processes[i].value;
  for (std::size_t i = 0; i < state.channels_count; ++i)
    text += std::string(" ") + state.channels[i].name + "=" + state.channels[i].value;
  for (std::size_t i = 0; i < state.enabled_count; ++i)
    text += std::string("; ") + state.enabled[i].action;
  char* const trail = panoptes_walk_trail(walk);
  text += trail;
  panoptes_free(trail);
  return text;
}

// Moves with ever more memory until it is enough; how often it was not.
int move_with_little(const panoptes_walk* walk, const std::function<panoptes_status()>& move) {
  const std::string before = seen(walk);
  for (int failed = 0;; ++failed) {
    allocations_left = failed;
    const panoptes_status status = move();
    allocations_left = -1;
    if (status == PANOPTES_OK) return failed;
    EXPECT_EQ(status, PANOPTES_NO_MEMORY);
    EXPECT_EQ(seen(walk), before) << failed;
    if (testing::Test::HasFailure()) return -1;
  }
}

TEST(WalksWithoutMemory, StayWhereTheyAre) {
  const std::string path = std::string(PANOPTES_SOURCE_DIR) + "/models/setup_handshake.argos";
  panoptes_model* model = nullptr;
  panoptes_walk* walk = nullptr;
  ASSERT_EQ(panoptes_load_file(path.c_str(), nullptr, &model, nullptr), PANOPTES_OK);
  ASSERT_EQ(panoptes_walk_new(model, &walk, nullptr), PANOPTES_OK);
  const std::string start = seen(walk);
  for (int i = 0; i < 3; ++i)
    EXPECT_GT(move_with_little(walk, [&] { return panoptes_walk_take(walk, 0); }), 0);
  const std::string later = seen(walk);
  EXPECT_GT(move_with_little(walk, [&] { return panoptes_walk_go_to(walk, 0); }), 0);
  EXPECT_EQ(seen(walk), start);
  EXPECT_GT(move_with_little(walk, [&] { return panoptes_walk_go_to(walk, 3); }), 0);
  EXPECT_EQ(seen(walk), later);
  panoptes_walk_free(walk);
  panoptes_model_free(model);
}

}  // namespace
}  // namespace panoptes::library
