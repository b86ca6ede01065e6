// SPDX-License-Identifier: Apache-2.0
// Ranks as threads of one process: what they find together is what one finds alone.
#include "cluster/cluster.hpp"

#include <gtest/gtest.h>

#include <atomic>
#include <future>
#include <new>

#include "cluster/findings.hpp"
#include "search/breadth.hpp"
#include "search/reduce_order.hpp"
#include "step/interpreter.hpp"
#include "store/exact_store.hpp"
#include "support/counters.hpp"
#include "support/late_choices.hpp"
#include "support/ranks.hpp"
#include "support/sample.hpp"

namespace panoptes {
namespace {

using test::check_on_threads;
using test::summary_of;

CheckOptions options_for(Storage storage, unsigned threads) {
  CheckOptions options;
  options.search = ExhaustiveSearch{.storage = storage};
  options.stepper = StepperKind::interpreter;
  options.threads = threads;
  return options;
}

TEST(Cluster, ThreadsAsRanksFindWhatOneFinds) {
  for (const bool wide : {false, true}) {
    const test::Compiled compiled = test::independent_counters(wide);
    const std::string wanted = summary_of(test::check(compiled, options_for(ExactStates{}, 1)));
    for (const unsigned ranks : {1u, 2u, 3u})
      for (const unsigned threads : {1u, 2u}) {
        if (wide != (threads == 2) && !test::has_all_samples()) continue;
        const Verdict found =
            check_on_threads(ranks, compiled, options_for(ExactStates{}, threads));
        EXPECT_EQ(summary_of(found), wanted) << ranks << " ranks, " << threads << " threads";
        ASSERT_TRUE(found.cluster);
        std::uint64_t states = 0;
        for (const std::uint64_t own : found.cluster->states) states += own;
        EXPECT_EQ(states, found.states);
        EXPECT_EQ(found.cluster->states.size(), ranks);
      }
  }
}

// Who has more memory owns more, so the others are done with a level first.
TEST(Cluster, ThreadsAsRanksExpandWhatOthersLendThem) {
  for (const bool wide : {false, true}) {
    const test::Compiled compiled = test::independent_counters(wide);
    for (const unsigned threads : {1u, 2u}) {
      const CheckOptions options = options_for(ExactStates{}, threads);
      const std::string wanted = summary_of(test::check(compiled, options));
      std::uint64_t lent = 0;
      for (int attempt = 0; attempt < 50 && lent == 0; ++attempt) {
        const Verdict found =
            check_on_threads(3, compiled, options, [](unsigned rank, CheckOptions& own) {
              own.limits.memory_bytes = (rank == 1 ? 4 : 1) * (std::uint64_t{1} << 30);
            });
        EXPECT_EQ(summary_of(found), wanted);
        ASSERT_TRUE(found.cluster);
        EXPECT_GT(found.cluster->states[1], found.states / 2);
        lent += found.cluster->lent;
      }
      EXPECT_GT(lent, 0u) << wide << ", " << threads << " threads";
    }
  }
}

TEST(Cluster, KeepsStatesInWhateverStore) {
  const test::Compiled compiled = test::independent_counters(true);
  for (const Storage& storage :
       {Storage(CompactStates{}), Storage(Fingerprints{}), Storage(BitArena{.bytes = 1 << 22})}) {
    const CheckOptions options = options_for(storage, 1);
    const Verdict alone = test::check(compiled, options);
    const Verdict found = check_on_threads(3, compiled, options);
    EXPECT_EQ(summary_of(found), summary_of(alone));
    EXPECT_EQ(found.expected_omissions.has_value(), alone.expected_omissions.has_value());
  }
}

// All arrangements of a state have one owner, so none is counted twice.
TEST(Cluster, ThreadsAsRanksHaveOneStateForAllArrangements) {
  const test::Compiled compiled = test::compile(
      "channel request[2], inbox[0..2][1];\n"
      "proc node[i : 0..2] var n : 0..3; {\n"
      "  do :: request!ask(i); inbox[i]?grant; n = (n + 1) % 4; assert(n < 3) od }\n"
      "proc server var who : 0..3 = 3; {\n"
      "end_wait: do :: request?ask(who); inbox[who]!grant; who = 3 od }\n");
  CheckOptions options = options_for(ExactStates{}, 1);
  const std::uint64_t all = test::check(compiled, options).states;
  options.reduce.symmetry = true;
  options.symmetry = std::make_shared<Symmetry>(find_symmetry(compiled.program));
  EXPECT_LT(test::check(compiled, options).states * 3, all);
  // Which member a trail is about depends on who comes first; what is left out does not.
  for (const bool leaves_out_steps : {false, true}) {
    options.reduce.order = options.reduce.values = leaves_out_steps;
    const Verdict alone = test::check(compiled, options);
    for (const unsigned ranks : {2u, 3u}) {
      const Verdict together = check_on_threads(ranks, compiled, options);
      EXPECT_EQ(together.states, alone.states);
      EXPECT_EQ(together.transitions, alone.transitions);
      EXPECT_EQ(together.depth, alone.depth);
      ASSERT_EQ(together.errors.size(), 1u);
      EXPECT_EQ(together.errors[0].key, alone.errors[0].key);
      EXPECT_EQ(together.errors[0].members, alone.errors[0].members);
      EXPECT_EQ(together.errors[0].depth, alone.errors[0].depth);
    }
  }
}

// A level is one of all ranks, and so is what was left out.
TEST(Cluster, ThreadsAsRanksHaveTheSameBreaks) {
  const test::Compiled compiled = test::late_choices();
  CheckOptions options = options_for(ExactStates{}, 1);
  options.reduce.order = true;
  const std::uint64_t without_breaks = test::check(compiled, options).states;
  options.steps_that_tell = SelectByLevel::usual_steps;
  const Verdict alone = test::check(compiled, options);
  EXPECT_GT(alone.states, without_breaks);
  EXPECT_GT(alone.reductions.steps_left_out.value_or(0), 0u);
  for (const unsigned ranks : {1u, 3u}) {
    const Verdict together = check_on_threads(ranks, compiled, options);
    EXPECT_EQ(summary_of(together), summary_of(alone)) << ranks;
    EXPECT_EQ(together.reductions.used, alone.reductions.used) << ranks;
    EXPECT_EQ(together.reductions.steps_left_out, alone.reductions.steps_left_out) << ranks;
  }
}

TEST(Cluster, SaysNothingOfReductionsThatLeaveNothingOut) {
  const test::Compiled compiled = test::compile(
      "var x : 0..9; proc p { x = x + 1; x = x + 1; x = x + 1 } proc q { x = x + 3; x = x + 3 }");
  CheckOptions options = options_for(ExactStates{}, 1);
  options.reduce.order = true;
  EXPECT_NE(make_order_reduction(compiled.program, options.explore.receptions, nullptr), nullptr);
  EXPECT_TRUE(test::check(compiled, options).reductions.used.empty());
  EXPECT_TRUE(check_on_threads(2, compiled, options).reductions.used.empty());
}

TEST(Cluster, EndsWithTheLevelOfTheFirstError) {
  const test::Compiled compiled = test::independent_counters(false);
  CheckOptions options = options_for(ExactStates{}, 1);
  options.explore.first_error_only = true;
  EXPECT_EQ(summary_of(check_on_threads(3, compiled, options)),
            summary_of(test::check(compiled, options)));
  options.explore.first_error_only = false;
  options.limits.depth = 9;
  EXPECT_EQ(summary_of(check_on_threads(2, compiled, options)),
            summary_of(test::check(compiled, options)));
}

// One of them sees the limit, and all stop.
TEST(Cluster, ThreadsAsRanksEndTogether) {
  const test::Compiled compiled = test::independent_counters(true);
  const CheckOptions options = options_for(ExactStates{}, 2);
  const std::atomic<bool> interrupted = true;
  for (const unsigned who : {0u, 2u}) {
    const Verdict verdict =
        check_on_threads(3, compiled, options, [&](unsigned rank, CheckOptions& own) {
          if (rank == who) own.interrupted = &interrupted;
        });
    EXPECT_EQ(verdict.stop, Stop::interrupted) << who;
    EXPECT_EQ(verdict.outcome == Outcome::holds, false);
  }
  // In the middle, at whatever moment.
  const std::uint64_t all = test::check(compiled, options).states;
  for (std::uint64_t looks = 1; looks < 60; looks += test::has_all_samples() ? 7 : 19) {
    std::atomic<bool> now = false;
    std::atomic<std::uint64_t> seen = 0;
    const Verdict verdict =
        check_on_threads(3, compiled, options, [&](unsigned rank, CheckOptions& own) {
          own.interrupted = &now;
          if (rank != 1) return;
          own.clock = [&] {
            if (++seen == looks) now = true;
            return 0.0;
          };
        });
    EXPECT_TRUE(verdict.stop == Stop::interrupted || verdict.promise == Promise::exhaustive);
    if (verdict.promise == Promise::exhaustive) EXPECT_EQ(verdict.states, all);
  }
}

// Has no memory for the states of some letter that another rank has sent: those have no sources,
// nor has the initial state.
class FailingStore final : public StateStore {
 public:
  FailingStore(StateView initial, unsigned letters)
      : store_(initial.size()), initial_(initial), letters_left_(letters) {}

  void insert(SuccessorBatch& batch, const StateBatch& sources) override {
    const bool is_letter = sources.empty() && !std::ranges::equal(batch.states[0], initial_);
    if (is_letter && letters_left_ > 0 && --letters_left_ == 0) throw std::bad_alloc();
    store_.insert(batch, sources);
  }
  StorePromise promise() const override { return store_.promise(); }
  StoreStats stats() const override { return store_.stats(); }

 private:
  ExactStore store_;
  StateView initial_;
  unsigned letters_left_;
};

// How a search over ranks has ended in which this one has no memory for so many letters; 0: for
// all of them.
Ending ending_on(Transport& transport, const test::Compiled& compiled, unsigned letters) {
  std::string problem;
  const auto cluster =
      Cluster::make(transport, compiled.program, {.lending = test::lends_whenever_asked}, problem);
  std::vector<std::unique_ptr<Stepper>> steppers;
  steppers.push_back(std::make_unique<Interpreter>(compiled.program));
  FailingStore store(compiled.program.initial, letters);
  BreadthFrontier frontier(*steppers[0], 1, nullptr, nullptr, nullptr, {}, cluster.get());
  Monitor monitor({}, steady_seconds, {}, nullptr);
  cluster->watch(monitor);
  ErrorLog errors(compiled.program);
  Evidence evidence;
  evidence.ending = explore(steppers, store, frontier, monitor, errors, {}).ending;
  if (cluster->gather(evidence, errors)) cluster->dismiss();
  return evidence.ending;
}

// Whether it has said that its level is over or not, the others do not wait for it for ever.
TEST(Cluster, ThreadsAsRanksEndWhereOneHasNoMemory) {
  const test::Compiled compiled = test::independent_counters(false);
  const auto ending_of_first = [&](unsigned letters) {
    const auto transports = thread_transports(3);
    std::vector<std::jthread> others;
    for (unsigned rank = 1; rank < 3; ++rank)
      others.emplace_back(
          [&, rank] { ending_on(*transports[rank], compiled, rank == 1 ? letters : 0); });
    return ending_on(*transports[0], compiled, 0);
  };
  for (unsigned letters = 0; letters < 40; letters += test::has_all_samples() ? 1 : 6) {
    auto ending = std::async(std::launch::async, ending_of_first, letters);
    if (ending.wait_for(std::chrono::seconds(60)) != std::future_status::ready) {
      std::fprintf(stderr, "ranks hang where one has no memory for letter %u\n", letters);
      std::abort();  // nobody can end threads that wait
    }
    const Ending found = ending.get();
    EXPECT_EQ(found.told, letters == 0 ? Stop::finished : Stop::memory) << letters;
    EXPECT_EQ(found.has_lost_states, letters > 0) << letters;
  }
}

// What each of two ranks says that cannot search together.
std::string problem_of(const test::Compiled& first, const CheckOptions& first_options,
                       const test::Compiled& second, const CheckOptions& second_options) {
  const auto transports = thread_transports(2);
  std::vector<std::string> problems(2);
  {
    std::vector<std::jthread> threads;
    for (unsigned rank = 0; rank < 2; ++rank)
      threads.emplace_back([&, rank] {
        const CheckOptions& own = rank == 0 ? first_options : second_options;
        Cluster::make(*transports[rank], rank == 0 ? first.program : second.program,
                      {.asked = print_of(own)}, problems[rank]);
      });
  }
  EXPECT_EQ(problems[1], problems[0]);
  return problems[0];
}

TEST(Cluster, RefusesRanksThatDiffer) {
  const test::Compiled one = test::compile("proc p { skip }"),
                       other = test::compile("proc q { skip }");
  EXPECT_EQ(problem_of(one, {}, other, {}),
            "rank 1 has another model than rank 0: is its file the same everywhere?");
  CheckOptions options;
  options.limits = {.memory_bytes = 1 << 20, .seconds = 3.0};
  options.threads = 4;
  EXPECT_EQ(problem_of(one, {}, one, options), "");
  const std::string wanted = "rank 1 has other options than rank 0: give all ranks the same";
  EXPECT_EQ(problem_of(one, {}, one, options_for(Fingerprints{}, 1)), wanted);
  EXPECT_EQ(problem_of(one, options_for(Fingerprints{.bits = 40}, 1), one,
                       options_for(Fingerprints{}, 1)),
            wanted);
  CheckOptions differs;
  differs.strict = true;
  EXPECT_EQ(problem_of(one, differs, one, {}), wanted);
  differs = {};
  for (bool Reductions::*reduction : {&Reductions::internal, &Reductions::values}) {
    differs.reduce = {};
    differs.reduce.*reduction = true;
    EXPECT_EQ(problem_of(one, differs, one, {}), wanted);
  }
  options.limits.depth = 7;
  EXPECT_EQ(problem_of(one, options, one, {}), wanted);
}

TEST(Findings, AreWholeOrAFault) {
  const test::Compiled compiled = test::independent_counters(false);
  Evidence evidence;
  evidence.measured.states = 17;
  evidence.measured.seconds = 0.25;
  evidence.measured.samples = {{.seconds = 0.5, .states = 3}};
  evidence.measured.cluster.emplace().states = {17};
  evidence.ending.told = Stop::memory;
  evidence.store.expected_omissions = 0.125;
  evidence.fired = {true, false, true};
  ErrorLog errors(compiled.program);
  errors.merge({{.key = {}, .finding = {}, .state = {1, 2}, .count = 5, .depth = 3, .marked = 9}},
               {.has_error = true, .left_out = 4});
  LetterBytes letter = bytes_of(evidence, errors);
  ErrorLog read(compiled.program);
  const Evidence found = findings_in(letter, read);
  EXPECT_EQ(found.measured.states, 17);
  EXPECT_EQ(found.measured.seconds, 0.25);
  EXPECT_EQ(found.measured.samples, evidence.measured.samples);
  EXPECT_EQ(found.measured.cluster->states, evidence.measured.cluster->states);
  EXPECT_EQ(found.ending.told, Stop::memory);
  EXPECT_EQ(found.store.expected_omissions, 0.125);
  EXPECT_EQ(found.fired, evidence.fired);
  ASSERT_EQ(read.records().size(), 1);
  EXPECT_EQ(read.records()[0].state, errors.records()[0].state);
  EXPECT_EQ(read.records()[0].marked, 9);
  EXPECT_EQ(read.left_out(), 4);
  while (!letter.empty()) {
    letter.pop_back();
    ErrorLog nothing(compiled.program);
    EXPECT_THROW(findings_in(letter, nothing), InternalFault);
  }
  EXPECT_THROW(progress_in(bytes_of(Stop::memory)), InternalFault);
}

TEST(Ownership, GivesEverybodyItsShare) {
  const std::vector<std::uint64_t> memory{1, 2, 1, 4};
  const Ownership ownership({{~Word{0}}, places_by_share(shares_of(memory))});
  std::vector<std::uint64_t> states(4);
  for (Word word = 0; word < 80'000; ++word) ++states[ownership.owner_of(std::array{word})];
  for (std::size_t rank = 0; rank < 4; ++rank)
    EXPECT_NEAR(static_cast<double>(states[rank]), 10'000.0 * static_cast<double>(memory[rank]),
                600.0);
}

TEST(Ownership, IsThatOfAPart) {
  const Ownership ownership({{0xff0, 0}, places_by_share(std::array{0.5, 0.5})});
  const auto owner = [&](Word a, Word b) { return ownership.owner_of(std::array{a, b}); };
  std::uint32_t sum = 0;
  for (Word word = 0; word < 256; ++word) {
    sum += owner(word << 4, 0);
    for (const Word other : {Word{1}, Word{15}, Word{1} << 40})
      EXPECT_EQ(owner(word << 4 | (other & ~Word{0xff0}), other), owner(word << 4, 0));
  }
  EXPECT_NEAR(sum, 128, 40);
}

TEST(StateLetters, ComeOutAsTheyWentIn) {
  const test::Compiled compiled = test::independent_counters(true);
  const StateShape shape(compiled.program.layout);
  EXPECT_LE(shape.state_bytes(), compiled.program.layout.words * sizeof(Word));
  StateLetter letter(shape, 1 << 20);
  SuccessorBatch wanted;
  FoundStates found;
  for (const std::uint64_t far : {0ull, 1ull << 40, (1ull << 62) - 300'000}) {
    wanted.clear(shape.width());
    std::vector<std::uint64_t> parents;
    std::vector<std::uint32_t> choices;
    for (std::uint32_t i = 0; i < 1000; ++i) {
      StateWords state(shape.width());
      for (std::size_t word = 0; word < shape.width(); ++word)
        state[word] = hash_word(i * 7 + word) & shape.mask_of(word);
      parents.push_back(far + (i / 3) * (i % 5 == 0 ? 200 : 1));
      choices.push_back(i % 3 == 0 ? i : choices.back() + i % 90);
      if (i % 3 != 0) parents.back() = parents[i - 1];
      if (i % 3 != 0 && choices[i] == choices[i - 1]) ++choices[i];
      wanted.states.push_back(StateView(state));
      letter.add(parents.back(), choices.back(), state);
    }
    EXPECT_EQ(letter.states(), 1000u);
    open_letter(shape, letter.close(), found);
    EXPECT_TRUE(letter.empty());
    EXPECT_EQ(found.states.states.words, wanted.states.words);
    EXPECT_EQ(std::vector<std::uint64_t>(found.parents.begin(), found.parents.end()), parents);
    EXPECT_EQ(std::vector<std::uint32_t>(found.choices.begin(), found.choices.end()), choices);
  }
}

TEST(StateLetters, AreWholeOrAFault) {
  const test::Compiled compiled = test::independent_counters(true);
  const StateShape shape(compiled.program.layout);
  StateLetter letter(shape, 1 << 10);
  for (const std::uint64_t parent : {3ull, 5ull, 1ull << 50})
    letter.add(parent, 2, compiled.program.initial);
  std::vector<std::byte> bytes = letter.close();
  FoundStates found;
  open_letter(shape, bytes, found);
  EXPECT_EQ(found.parents.size(), 3u);
  std::vector<std::byte> more = bytes;
  more.push_back(std::byte{0});
  EXPECT_THROW(open_letter(shape, more, found), InternalFault);
  for (; !bytes.empty(); bytes.pop_back()) {
    std::vector<std::byte> less(bytes.begin(), bytes.end() - 1);
    EXPECT_THROW(open_letter(shape, less, found), InternalFault);
  }
}

TEST(RecentStates, AreThoseThatWereAdded) {
  RecentStates one(1), two(2);
  for (Word word = 0; word < 1000; ++word) {
    const std::array<Word, 1> state{word};
    const std::array<Word, 2> wide{word, ~word};
    for (const bool is_known : {false, true}) {
      EXPECT_EQ(one.knows(state.data(), one.place_of(state.data())), is_known);
      EXPECT_EQ(two.knows(wide.data(), two.place_of(wide.data())), is_known);
    }
  }
}

}  // namespace
}  // namespace panoptes
