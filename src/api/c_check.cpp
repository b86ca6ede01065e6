// SPDX-License-Identifier: Apache-2.0
// The functions of panoptes.h about checks and verdicts.
#include <algorithm>
#include <atomic>
#include <mutex>

#include "api/asked.hpp"
#include "api/charts.hpp"
#include "api/check_model.hpp"
#include "api/plain_error.hpp"
#include "api/remedies.hpp"
#include "api/reported_options.hpp"
#include "api/trails.hpp"
#include "base/clock.hpp"
#include "report/json.hpp"

using StopFlag = std::atomic<bool>;

// NOLINTBEGIN(readability-identifier-naming)
struct panoptes_canceller {
  std::mutex mutex;
  bool is_cancelled = false;
  std::vector<StopFlag*> running;  // of the checks it was given to
};

struct panoptes_verdict {
  std::shared_ptr<const panoptes::SharedModel> model;
  panoptes::OptionValues values;
  panoptes::Verdict verdict;
  std::string sentence;
  panoptes_summary summary;
  // Errors and warnings, each made when it is first asked for: trails may be long.
  mutable std::vector<std::unique_ptr<const panoptes::PlainError>> errors;
};
// NOLINTEND(readability-identifier-naming)

namespace panoptes {
namespace {

// The flag of one check, which its canceller knows as long as it runs.
class Cancellable {
 public:
  Cancellable(panoptes_canceller* canceller, StopFlag& flag) : canceller_(canceller), flag_(flag) {
    if (!canceller_) return;
    const std::lock_guard lock(canceller_->mutex);
    canceller_->running.push_back(&flag_);
    if (canceller_->is_cancelled) flag_ = true;
  }
  ~Cancellable() {
    if (!canceller_) return;
    const std::lock_guard lock(canceller_->mutex);
    std::erase(canceller_->running, &flag_);
  }
  Cancellable(const Cancellable&) = delete;
  Cancellable& operator=(const Cancellable&) = delete;

 private:
  panoptes_canceller* canceller_;
  StopFlag& flag_;
};

Monitor::Observer observer_of(panoptes_watcher watcher, void* context, StopFlag& flag) {
  if (!watcher) return {};
  return [=, &flag](const Progress& p) {
    const panoptes_progress plain{p.states,       p.transitions, p.depth, p.frontier,
                                  p.memory_bytes, p.seconds,     p.run,   p.runs};
    if (watcher(context, &plain) == 0) flag = true;
  };
}

panoptes_outcome plain_outcome(Outcome outcome) {
  switch (outcome) {
    case Outcome::holds: return PANOPTES_HOLDS;
    case Outcome::violated: return PANOPTES_VIOLATED;
    case Outcome::unknown: return PANOPTES_UNKNOWN;
  }
  return PANOPTES_UNKNOWN;
}

// All but its errors as C has it.
void describe_verdict(panoptes_verdict& handle) {
  const Verdict& v = handle.verdict;
  handle.errors.resize(v.errors.size() + v.warnings.size());
  handle.sentence = verdict_sentence(handle.model->program(), v);
  handle.summary = {plain_outcome(v.outcome),
                    to_string(v.promise).data(),
                    to_string(v.stop).data(),
                    handle.sentence.c_str(),
                    v.states,
                    v.transitions,
                    v.depth,
                    v.seconds,
                    v.errors.size(),
                    v.warnings.size()};
}

// When the time of a check that begins now is over; never where it has no limit.
Deadline deadline_from_now(const OptionValues& values) {
  const auto seconds = values.get(option::time);
  if (!seconds) return {};
  const double end = steady_seconds() + *seconds;
  return Deadline([end] { return end - steady_seconds(); });
}

panoptes_status run_check(const panoptes_model& model, OptionValues values,
                          panoptes_watcher watcher, void* context, panoptes_canceller* canceller,
                          panoptes_verdict** verdict, panoptes_diagnostics** problem) {
  const SharedModel& shared = *model.shared;
  StopFlag flag{false};
  const Cancellable cancellable(canceller, flag);
  const Deadline deadline = deadline_from_now(values);
  CheckOptions options = check_options(values, shared.loaded);
  options.interrupted = &flag;
  options.observer = observer_of(watcher, context, flag);
  auto found = check_model(values, shared.loaded, options, deadline);
  if (!found) return refuse(PANOPTES_OWN_FAULT, found.failure(), problem);
  auto handle = std::make_unique<panoptes_verdict>();
  handle->model = model.shared;
  handle->values = std::move(values);
  handle->verdict = std::move(*found);
  describe_verdict(*handle);
  *verdict = handle.release();
  return PANOPTES_OK;
}

// What a report says beside the verdict. Memory is what the search has taken: the process is not
// ours.
RunFacts facts_of(const panoptes_verdict& handle) {
  RunFacts facts;
  facts.model = handle.model->path;
  facts.memory_bytes =
      handle.verdict.store_bytes + handle.verdict.trail_bytes + handle.verdict.frontier_bytes;
  facts.show_steps = handle.values.has(option::steps);
  facts.show_states = handle.values.has(option::state);
  facts.show_statistics = handle.values.has(option::stats);
  facts.request = error_request(handle.values);
  facts.remedies = remedies_for(handle.values, handle.verdict);
  choose_chart(handle.values, {}, facts);
  return facts;
}

const ErrorReport* error_of(const Verdict& verdict, std::size_t index) {
  if (index < verdict.errors.size()) return &verdict.errors[index];
  index -= verdict.errors.size();
  return index < verdict.warnings.size() ? &verdict.warnings[index] : nullptr;
}

}  // namespace
}  // namespace panoptes

panoptes_canceller* panoptes_canceller_new() { return new (std::nothrow) panoptes_canceller; }

void panoptes_cancel(panoptes_canceller* canceller) {
  if (!canceller) return;
  const std::lock_guard lock(canceller->mutex);
  canceller->is_cancelled = true;
  for (StopFlag* flag : canceller->running) *flag = true;
}

void panoptes_canceller_free(panoptes_canceller* canceller) { delete canceller; }

panoptes_status panoptes_check_model(const panoptes_model* model, const panoptes_options* options,
                                     panoptes_watcher watcher, void* context,
                                     panoptes_canceller* canceller, panoptes_verdict** verdict,
                                     panoptes_diagnostics** problem) {
  return panoptes::guarded(problem, [&] {
    if (!model || !verdict) return PANOPTES_BAD_CALL;
    auto asked = panoptes::with_options(panoptes::AskedOf::check, model->shared->values,
                                        options ? options->given : panoptes::GivenOptions{});
    if (!asked) return panoptes::refuse(PANOPTES_BAD_INPUT, asked.failure(), problem);
    return panoptes::run_check(*model, std::move(*asked), watcher, context, canceller, verdict,
                               problem);
  });
}

const panoptes_summary* panoptes_verdict_summary(const panoptes_verdict* verdict) {
  return verdict ? &verdict->summary : nullptr;
}

const panoptes_error* panoptes_verdict_error(const panoptes_verdict* verdict, size_t index) {
  const auto* const error = verdict ? panoptes::error_of(verdict->verdict, index) : nullptr;
  if (!error) return nullptr;
  try {
    auto& plain = verdict->errors[index];
    if (!plain) {
      const panoptes::WholeError whole(verdict->model->program(), *error);
      plain = std::make_unique<panoptes::PlainError>(*verdict->model, *whole);
    }
    return &plain->get();
  } catch (...) {  // no memory
    return nullptr;
  }
}

char* panoptes_verdict_chart(const panoptes_verdict* verdict, size_t index, const char* form,
                             size_t width) {
  return panoptes::made_text([&]() -> char* {
    const auto* const error = verdict ? panoptes::error_of(verdict->verdict, index) : nullptr;
    if (!error || !form) return nullptr;
    const panoptes::WholeError whole(verdict->model->program(), *error);
    const auto text = panoptes::chart_text(verdict->model->program(), verdict->model->sources(),
                                           *whole, form, width);
    return text ? panoptes::copied(*text) : nullptr;
  });
}

char* panoptes_verdict_json(const panoptes_verdict* verdict) {
  if (!verdict) return nullptr;
  return panoptes::made_text([&] {
    const panoptes::SharedModel& model = *verdict->model;
    return panoptes::copied(panoptes::collected([&](const panoptes::Sink& sink) {
      panoptes::json_report(model.program(), verdict->verdict, model.sources(),
                            model.loaded.diagnostics, panoptes::reported_options(verdict->values),
                            panoptes::facts_of(*verdict), sink);
    }));
  });
}

char* panoptes_verdict_text(const panoptes_verdict* verdict) {
  if (!verdict) return nullptr;
  return panoptes::made_text([&] {
    return panoptes::copied(panoptes::collected([&](const panoptes::Sink& sink) {
      panoptes::text_report(verdict->model->program(), verdict->verdict, verdict->model->sources(),
                            panoptes::facts_of(*verdict), sink);
    }));
  });
}

char* panoptes_verdict_trails(const panoptes_verdict* verdict) {
  if (!verdict) return nullptr;
  return panoptes::made_text([&] {
    const panoptes::SharedModel& model = *verdict->model;
    const panoptes::TrailFile file =
        panoptes::trail_file_of(model.path, verdict->values, model.loaded, verdict->verdict);
    if (file.trails.empty()) return panoptes::copied("");
    return panoptes::copied(panoptes::collected([&](const panoptes::Sink& sink) {
      panoptes::write_trail_file(file, model.program(), model.sources(), sink);
    }));
  });
}

void panoptes_verdict_free(panoptes_verdict* verdict) { delete verdict; }
