// SPDX-License-Identifier: Apache-2.0
// A range of numbers, divided among threads.
//
// Idea: who has nothing to do takes the next piece. Pieces are multiples of 64, so that bits of one
// piece are in no word of another.
// How it can be wrong: not, if what is done to one number does not depend on others.
#pragma once

#include <algorithm>
#include <atomic>
#include <cstdint>
#include <exception>
#include <mutex>
#include <system_error>
#include <thread>
#include <vector>

namespace panoptes {

// Calls work(worker, begin, end) for pieces that are all of 0 .. count - 1, from at most so many
// threads; workers are 0 .. threads - 1, and none is in two calls at once. Where the machine gives
// fewer threads, those there are do it all. Throws what one of them has thrown.
template <typename Work>
void in_parallel(unsigned threads, std::uint64_t count, std::uint64_t piece, const Work& work) {
  std::atomic<std::uint64_t> next{0};
  std::exception_ptr fault;
  std::mutex guard;
  const auto run = [&](unsigned worker) {
    try {
      for (;;) {
        const std::uint64_t begin = next.fetch_add(piece, std::memory_order_relaxed);
        if (begin >= count) return;
        work(worker, begin, std::min(count, begin + piece));
      }
    } catch (...) {
      const std::lock_guard lock(guard);
      fault = std::current_exception();
    }
  };
  {
    std::vector<std::jthread> others;
    try {
      for (unsigned worker = 1; worker < threads && worker * piece < count; ++worker)
        others.emplace_back([&run, worker] { run(worker); });
    } catch (const std::system_error&) {
      // Go on with those there are.
    }
    run(0);
  }
  if (fault) std::rethrow_exception(fault);
}

template <typename Work>
void in_parallel(unsigned threads, std::uint64_t count, const Work& work) {
  in_parallel(threads, count, 4096, work);
}

// The same with one number at a time: work(number).
template <typename Work>
void for_each_in_parallel(unsigned threads, std::uint64_t count, const Work& work) {
  in_parallel(threads, count, 1,
              [&](unsigned, std::uint64_t number, std::uint64_t) { work(number); });
}

}  // namespace panoptes
