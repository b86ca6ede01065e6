// SPDX-License-Identifier: Apache-2.0
#include "cluster/refusal.hpp"

#include "base/hash.hpp"
#include "base/record.hpp"

namespace panoptes {
namespace {

// States of one level can be expanded by anybody; a path, or the best of all states, is one rank's.
std::string why_not(const ExhaustiveSearch& search) {
  switch (search.order) {
    case Order::breadth: break;
    case Order::depth: return "--order depth follows one path, which several ranks cannot share";
    case Order::scatter:
    case Order::cost:
      return "--search scatter and --search guided choose among all states that wait, which no "
             "rank "
             "knows of";
  }
  if (std::holds_alternative<WholeGraph>(search.storage))
    return "--keep-graph, and every temporal property (`ltl`, --non-progress, --acceptance), has "
           "the "
           "whole graph in one memory; ask for it in one process, with --threads";
  if (search.follows_runs)
    return "--search cycles follows one path, which several ranks cannot share";
  const Runs* const runs = std::get_if<Runs>(&search.course);
  if (runs && runs->count > 1) return "--runs has several searches; start each by itself";
  return {};
}
std::string why_not(const StackSearch&) {
  return "--search stack follows one path, which several ranks cannot share";
}
std::string why_not(const CacheSearch&) {
  return "--search cache follows one path, which several ranks cannot share";
}
std::string why_not(const RandomWalks&) {
  return "--search walk needs no memory to be shared; start several with another --seed each";
}

// A larger arena is for a rank with more memory.
void add_search(const CheckOptions& options, RecordWriter& record) {
  record.number(options.search.index());
  const ExhaustiveSearch* const search = exhaustive_search(options);
  if (!search) return;
  record.number(search->order);
  record.number(search->storage.index());
  record.number(search->course.index());
  if (const auto* const prints = kept_as<Fingerprints>(options)) record.number(prints->bits);
  if (const auto* const arena = kept_as<BitArena>(options)) record.number(arena->bits_per_state);
}

void add_choice(const CheckOptions& options, RecordWriter& record) {
  record.number(options.choice.preference);
  record.number(options.choice.keep);
  record.number(options.choice.per_process);
  record.number(options.choice.seed);
  if (!options.cost) return;
  record.number(options.cost->root);
  for (ExpressionId id = 0; id < options.cost->pool.size(); ++id) {
    const ExpressionNode& node = options.cost->pool[id];
    record.number(node.op);
    for (const std::uint32_t part : {node.a, node.b, node.c}) record.number(part);
    for (const std::int64_t bound : {node.value, node.high}) record.number(bound);
  }
}

}  // namespace

std::string why_not_over_ranks(const CheckOptions& options) {
  if (!options.folded.empty())
    return "--fold takes states for one as they come, and with several ranks nobody knows which "
           "comes first";
  if (options.shortest)
    return "--shortest searches once more, and several ranks search once; start one by itself";
  return std::visit([](const auto& search) { return why_not(search); }, options.search);
}

std::uint64_t print_of(const CheckOptions& options) {
  RecordWriter record;
  record.text(why_not_over_ranks(options));  // all are refused it, or none is
  add_search(options, record);
  add_choice(options, record);
  record.number(options.seed);
  record.number(options.limits.depth);
  record.number(options.explore.receptions);
  for (const bool flag : options.reduce.all()) record.number(flag);
  for (const bool flag : {options.count_distinct, options.strict, options.explore.first_error_only,
                          options.explore.expands_faulty})
    record.number(flag);
  return hash_text(record.bytes());
}

}  // namespace panoptes
