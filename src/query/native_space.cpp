// SPDX-License-Identifier: Apache-2.0
#include "query/native_space.hpp"

#include <algorithm>
#include <cassert>
#include <tuple>

#include "query/create_space.hpp"
#include "query/findings.hpp"
#include "search/numbered_search.hpp"
#include "step/indivisible.hpp"
#include "step/interpreter.hpp"
#include "step/native.hpp"

namespace panoptes {
namespace {

std::unique_ptr<Stepper> make_stepper(const Program& program, bool use_interpreter) {
  if (!use_interpreter)
    if (auto native = NativeStepper::make(program)) return in_whole_sequences(std::move(native));
  return in_whole_sequences(std::make_unique<Interpreter>(program));
}

// Tells transitions to an appender, and keeps how each state was first reached.
class TransitionSink final : public GraphSink {
 public:
  // `found`: what else grows with the search, to be counted here.
  TransitionSink(std::unique_ptr<Appender> appender, const std::vector<NumberedFinding>& found)
      : appender_(std::move(appender)), found_(found) {}

  void transition(std::uint64_t source, RuleId rule, std::uint64_t target, bool fresh) override {
    if (fresh) {
      origins_.push_back((source << rule_bits) | rule);
      depths_.push_back(depths_[source] + 1);
    }
    if (failure_) return;
    appender_->integer(static_cast<std::int64_t>(source));
    appender_->integer(rule);
    appender_->integer(static_cast<std::int64_t>(target));
    note(appender_->end_row());
    ++count_;
  }
  std::uint64_t bytes() const override {
    return bytes_of(origins_) + bytes_of(depths_) + bytes_of(found_);
  }
  // One of them at a time is copied to where it has more room.
  std::uint64_t growth_bytes() const override {
    return std::max(bytes_of(origins_), bytes_of(found_));
  }

  void finish() {
    if (!failure_) note(appender_->finish());
    appender_.reset();
  }
  const std::optional<DatabaseFailure>& failure() const { return failure_; }
  std::uint64_t count() const { return count_; }

  // Steps from the initial state, of every state.
  const std::vector<std::uint32_t>& depths() const { return depths_; }
  // Of every state but the initial one.
  std::uint64_t parent(std::uint64_t state) const { return origins_[state - 1] >> rule_bits; }
  RuleId rule(std::uint64_t state) const {
    return static_cast<RuleId>(origins_[state - 1] & ((std::uint64_t{1} << rule_bits) - 1));
  }

 private:
  static constexpr unsigned rule_bits = 24;

  template <typename Value>
  static std::uint64_t bytes_of(const std::vector<Value>& values) {
    return values.capacity() * sizeof(Value);
  }
  void note(const DatabaseResult<>& done) {
    if (!done) failure_ = done.failure();
  }

  std::unique_ptr<Appender> appender_;
  const std::vector<NumberedFinding>& found_;
  std::vector<std::uint64_t> origins_;       // source above rule
  std::vector<std::uint32_t> depths_ = {0};  // a state is one step further than its source
  std::uint64_t count_ = 0;
  std::optional<DatabaseFailure> failure_;
};

DatabaseResult<> append_states(const NumberedStore& store, const TransitionSink& sink,
                               std::size_t width, Database& database) {
  const std::vector<std::uint32_t>& depths = sink.depths();
  std::vector<ColumnType> types(4, ColumnType::integer);
  types.resize(4 + width, ColumnType::word);
  auto appender = database.append_to(space_schema, "packed_states", types);
  if (!appender) return appender.failure();
  for (std::uint64_t state = 0; state < depths.size(); ++state) {
    (*appender)->integer(static_cast<std::int64_t>(state));
    (*appender)->integer(depths[state]);
    if (state == 0) {
      (*appender)->null();
      (*appender)->null();
    } else {
      (*appender)->integer(static_cast<std::int64_t>(sink.parent(state)));
      (*appender)->integer(sink.rule(state));
    }
    for (const Word word : store.state(state))
      (*appender)->integer(static_cast<std::int64_t>(word));
    if (auto done = (*appender)->end_row(); !done) return done;
  }
  return (*appender)->finish();
}

// Rules that fired into an error, each once.
std::uint64_t failure_count(const std::vector<NumberedFinding>& findings) {
  std::vector<std::tuple<std::uint64_t, RuleId, const Inside*>> failures;
  for (const NumberedFinding& found : findings)
    if (found.finding.rule != none)
      failures.emplace_back(found.state, found.finding.rule, found.finding.inside.get());
  std::sort(failures.begin(), failures.end());
  return static_cast<std::uint64_t>(std::unique(failures.begin(), failures.end()) -
                                    failures.begin());
}

}  // namespace

DatabaseResult<SpaceFacts> load_native(const Program& program, const SourceSet& sources,
                                       Database& database, const NativeSpaceOptions& options) {
  auto appender = database.append_to(space_schema, "plain_transitions",
                                     std::vector<ColumnType>(3, ColumnType::integer));
  if (!appender) return appender.failure();
  NumberedSearch search(make_stepper(program, options.use_interpreter));
  FindingWatcher& watch = search.watch();
  TransitionSink sink(std::move(*appender), watch.found());
  Monitor monitor(options.limits, options.clock, options.observer, options.interrupted);
  ExploreOptions explore_options{options.explore};
  explore_options.interlude = [&](double) { return !sink.failure(); };
  const Exploration found =
      search.run(sink, monitor, std::move(explore_options), options.limits.memory_bytes);
  sink.finish();
  if (sink.failure()) return *sink.failure();

  SpaceFacts facts;
  facts.conclusion = conclusion_of(found.ending, search.store().promise());
  facts.states = found.states;
  std::vector<NumberedFinding>& findings = watch.found();
  const std::vector<std::uint32_t>& depths = sink.depths();
  assert(depths.size() == found.states);
  for (NumberedFinding& finding : findings) finding.depth = depths[finding.state];
  if (auto done = append_states(search.store(), sink, program.layout.words, database); !done)
    return done.failure();
  const auto state_of = [&](std::uint64_t state) { return search.store().state(state); };
  if (auto done = append_findings(program, sources, findings, state_of, options.strict, database);
      !done)
    return done.failure();
  facts.depth = depths.empty() ? 0 : *std::max_element(depths.begin(), depths.end());
  // States at the depth limit were examined, but where they lead to was not followed.
  const auto beyond = [&](std::uint32_t depth) {
    return options.limits.depth > 0 && depth >= options.limits.depth;
  };
  facts.expanded = watch.expanded();
  while (facts.expanded > 0 && !facts.is_complete() && beyond(depths[facts.expanded - 1]))
    --facts.expanded;
  facts.transitions = sink.count() + failure_count(findings);
  return facts;
}

}  // namespace panoptes
