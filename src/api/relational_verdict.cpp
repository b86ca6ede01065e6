// SPDX-License-Identifier: Apache-2.0
#include "api/relational_verdict.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "verdict/judge.hpp"

namespace panoptes {
namespace {

// The paths that came with the errors: state i of a batch is that of error i.
class RelatedPaths final : public WayBack {
 public:
  explicit RelatedPaths(const std::vector<const RelatedError*>& errors) : errors_(errors) {}

  void come_to(std::uint64_t error) { current_ = error; }
  std::uint64_t mark(unsigned, std::size_t) override { return current_; }
  std::optional<std::vector<RuleId>> path(std::uint64_t marked, const Deadline&) override {
    return errors_[marked]->path;
  }
  bool is_shortest() const override { return true; }

 private:
  const std::vector<const RelatedError*>& errors_;
  std::uint64_t current_ = 0;
};

// Level by level, as the log wants them.
std::vector<const RelatedError*> by_depth(const Related& related) {
  std::vector<const RelatedError*> errors;
  for (const RelatedError& error : related.errors) errors.push_back(&error);
  std::stable_sort(errors.begin(), errors.end(), [](const RelatedError* a, const RelatedError* b) {
    return a->depth < b->depth;
  });
  return errors;
}

Measured measured_in(const Related& related, const JudgeOptions& options) {
  Measured result;
  result.states = result.states_analysed = related.states;
  result.transitions = related.transitions;
  result.depth = related.depth;
  result.seconds = options.seconds;
  result.relational =
      RelationalReport{options.engine, related.faulty_states, related.search_seconds};
  return result;
}

}  // namespace

void refuse_indivisible(Loaded& loaded) {
  if (!loaded.program) return;
  const auto& rules = loaded.program->rules;
  const auto inside =
      std::find_if(rules.begin(), rules.end(), [](const Rule& rule) { return rule.ends_inside; });
  if (inside == rules.end()) return;
  const auto& statements = loaded.program->protocol.statements;
  const bool is_broadcast =
      !inside->statements.empty() && statements[inside->statements.front()].is_broadcast;
  loaded.diagnostics.error(place_of(*loaded.program, *inside),
                           fmt::format("a database cannot search {}: it knows single steps only",
                                       is_broadcast ? "a broadcast" : "what is `atomic`"),
                           "`panoptes check` and `panoptes query` without --relational can");
  loaded.program.reset();
}

std::optional<Verdict> verdict_of(const Program& program, const SourceSet& sources,
                                  const Related& related, const JudgeOptions& options,
                                  std::string& problem) {
  const std::vector<const RelatedError*> errors = by_depth(related);
  RelatedPaths paths(errors);
  ErrorLog log(program, {.groups = SIZE_MAX});
  for (std::size_t i = 0; i < errors.size(); ++i) {
    paths.come_to(i);
    log.add({errors[i]->finding}, {program.layout.words, errors[i]->state},
            {.depth = errors[i]->depth, .count = errors[i]->count}, paths);
  }
  log.finish();
  return judge({program, sources, options.strictness},
               {measured_in(related, options), {}, {}, related.fired, related.passed}, log, paths,
               {}, problem);
}

RelateOptions relate_options(const OptionValues& values,
                             std::function<void(const std::string&)> progress) {
  RelateOptions options;
  options.receptions = values.get(option::receptions);
  options.unread_messages_are_errors = values.has(option::strict);
  options.progress = std::move(progress);
  return options;
}

DatabaseResult<Related> relate_model(const Loaded& loaded, Database& database, Engine engine,
                                     const RelateOptions& options) {
  return relate(*loaded.program, database, Dialect(engine), options);
}

}  // namespace panoptes
