// SPDX-License-Identifier: Apache-2.0
// The functions of panoptes.h about trails that are walked again.
#include <fmt/format.h>

#include "api/charts.hpp"
#include "api/plain_error.hpp"
#include "api/replay.hpp"
#include "api/reported_options.hpp"
#include "report/json.hpp"

// NOLINTBEGIN(readability-identifier-naming)
struct panoptes_run {
  panoptes_run(std::shared_ptr<const panoptes::SharedModel> of, panoptes::ErrorReport error,
               bool with_error)
      : model(std::move(of)),
        replayed(std::move(error)),
        has_error(with_error),
        plain(*model, replayed, has_error) {}

  std::shared_ptr<const panoptes::SharedModel> model;
  panoptes::ErrorReport replayed;
  bool has_error;
  panoptes::PlainError plain;
};
// NOLINTEND(readability-identifier-naming)

namespace panoptes {
namespace {

// What is wrong with the trail `number` of `file`; "" where nothing is.
std::string wrong_trail(const TrailFile& file, std::size_t number, const SharedModel& model) {
  if (number == 0 || number > file.trails.size())
    return fmt::format("there is no trail {}: the file has {}", number, file.trails.size());
  if (const auto option = differing_option(file, model.values, model.loaded); !option.empty())
    return fmt::format("the trail was not made with the {} that the model was loaded with", option);
  if (are_trails_of(file, model.loaded)) return {};
  return fmt::format(
      "the trail is one of {}, and its rules are not those of {}: the model has changed, or was "
      "loaded with other options",
      file.model, model.path);
}

panoptes_status replay_in(const panoptes_model& model, std::string_view text, std::size_t number,
                          panoptes_run** run, panoptes_diagnostics** problem) {
  const SharedModel& shared = *model.shared;
  const auto file = read_trail_file(text);
  std::string wrong = file ? wrong_trail(*file, number, shared) : file.failure();
  if (!wrong.empty()) return refuse(PANOPTES_BAD_INPUT, wrong, problem);
  const RecordedTrail& recorded = file->trails[number - 1];
  auto replayed = replay_trail(shared.values, shared.loaded, recorded, wrong);
  if (!replayed) return refuse(PANOPTES_BAD_INPUT, wrong, problem);
  *run = new panoptes_run(model.shared, std::move(*replayed), recorded.error.has_value());
  return PANOPTES_OK;
}

RunReport report_of(const panoptes_run& run) {
  RunReport report{
      run.model->path, reported_options(run.model->values), "replayed", {}, run.replayed.trail};
  if (!run.has_error) return report;
  report.end = run.replayed.is_warning ? "stopped" : "error";
  report.error = run.replayed;
  return report;
}

}  // namespace
}  // namespace panoptes

panoptes_status panoptes_replay(const panoptes_model* model, const char* trails, size_t bytes,
                                size_t number, panoptes_run** run, panoptes_diagnostics** problem) {
  return panoptes::guarded(problem, [&] {
    if (!model || !trails || !run) return PANOPTES_BAD_CALL;
    return panoptes::replay_in(*model, {trails, bytes}, number, run, problem);
  });
}

const panoptes_error* panoptes_run_error(const panoptes_run* run) {
  return run ? &run->plain.get() : nullptr;
}

char* panoptes_run_chart(const panoptes_run* run, const char* form, size_t width) {
  if (!run || !form) return nullptr;
  return panoptes::made_text([&]() -> char* {
    const auto text = panoptes::chart_text(run->model->program(), run->model->sources(),
                                           run->replayed, form, width);
    return text ? panoptes::copied(*text) : nullptr;
  });
}

char* panoptes_run_json(const panoptes_run* run) {
  if (!run) return nullptr;
  return panoptes::made_text([&] {
    return panoptes::copied(panoptes::collected([&](const panoptes::Sink& sink) {
      panoptes::json_run(run->model->program(), panoptes::report_of(*run), run->model->sources(),
                         sink);
    }));
  });
}

void panoptes_run_free(panoptes_run* run) { delete run; }
