// SPDX-License-Identifier: Apache-2.0
// The functions of panoptes.h about walks, a step at a time.
#include "api/plain_error.hpp"
#include "api/trails.hpp"
#include "rules/values.hpp"
#include "session/walk.hpp"

namespace panoptes {

// Where a walk is, as C has it. Stays where it is: `state` points to the rest.
struct WalkView {
  Texts texts;
  std::vector<panoptes_value> processes, variables, channels;
  std::vector<panoptes_step> enabled;
  std::vector<const char*> errors;
  panoptes_state state{};
};

}  // namespace panoptes

// NOLINTBEGIN(readability-identifier-naming)
struct panoptes_walk {
  explicit panoptes_walk(std::shared_ptr<const panoptes::SharedModel> of)
      : model(std::move(of)),
        interpreter(model->program()),
        walk(model->program(), model->values.get(panoptes::option::receptions)) {}

  std::shared_ptr<const panoptes::SharedModel> model;
  panoptes::Interpreter interpreter;
  panoptes::Walk walk;
  std::unique_ptr<panoptes::WalkView> view;
  bool is_astray = false;  // `walk` is not where `view` is, for want of memory
};
// NOLINTEND(readability-identifier-naming)

namespace panoptes {
namespace {

panoptes_step enabled_step(panoptes_walk& handle, const EnabledStep& step, Texts& texts) {
  const SharedModel& model = *handle.model;
  const Rule& rule = model.program().rules[step.rule];
  const ProcessMove& move = rule.owner();
  const auto text_of = [&](StateId state, const Positions& positions) {
    return position_text(model.program(), move.process, state, positions.of(move.process),
                         model.sources());
  };
  const Positions& before = handle.walk.positions();
  std::string to;
  if (!step.fails()) {
    Positions after = before;
    after.take(step.rule);
    to = text_of(move.to, after);
  }
  const std::vector<StatementId> statements = before.statements(step.rule);
  const Place place = statements.empty()
                          ? place_of(model.program(), rule)
                          : model.program().protocol.statements[statements.front()].place;
  panoptes_step plain =
      plain_step(model, step.rule, place, text_of(move.from, before), std::move(to),
                 message_of(handle.interpreter, step.rule, handle.walk.state()), texts);
  plain.fails = step.fails();
  return plain;
}

void look_at_values(const panoptes_walk& handle, WalkView& view) {
  const Program& program = handle.model->program();
  const StateView state = handle.walk.state();
  const auto value = [&](const std::string& name, std::string text) {
    return panoptes_value{view.texts.keep(name), view.texts.keep(std::move(text))};
  };
  for (ProcessId p = 0; p < program.control.size(); ++p) {
    const auto id = static_cast<StateId>(read(program.layout.control[p], state));
    view.processes.push_back(value(
        program.protocol.processes[p].name,
        position_text(program, p, id, handle.walk.positions().of(p), handle.model->sources())));
  }
  for (VariableId v = 0; v < program.layout.variables.size(); ++v)
    view.variables.push_back(
        value(variable_name(program.protocol, v),
              value_text(program.protocol, v, read(program.layout.variables[v], state))));
  for (ChannelId c = 0; c < program.protocol.channels.size(); ++c)
    view.channels.push_back(
        value(program.protocol.channels[c].name, contents_text(program, c, state)));
}

// What C sees of the state the walk is in.
std::unique_ptr<WalkView> look_around(panoptes_walk& handle) {
  auto view = std::make_unique<WalkView>();
  look_at_values(handle, *view);
  for (const EnabledStep& step : handle.walk.enabled())
    view->enabled.push_back(enabled_step(handle, step, view->texts));
  for (const Finding& finding : handle.walk.findings())
    view->errors.push_back(
        view->texts.keep(describe(handle.model->program(), finding, handle.walk.state(),
                                  handle.model->sources(), handle.walk.positions().of_all())
                             .text));
  view->state = {handle.walk.at(),       handle.walk.length(),   view->processes.data(),
                 view->processes.size(), view->variables.data(), view->variables.size(),
                 view->channels.data(),  view->channels.size(),  view->enabled.data(),
                 view->enabled.size(),   view->errors.data(),    view->errors.size()};
  return view;
}

// Goes back to where C sees the walk, if it went astray. Throws where there is still no memory.
void come_back(panoptes_walk& handle) {
  if (!handle.is_astray) return;
  handle.walk.go_to(handle.view->state.step);
  handle.is_astray = false;
}

// Takes `move`, and looks around where it leads to. Where that throws C still sees the walk where
// it was, though it may have forgotten what was ahead.
template <typename Move>
panoptes_status move_on(panoptes_walk& handle, Move move) {
  handle.is_astray = true;
  try {
    move();
    handle.view = look_around(handle);
    handle.is_astray = false;
    return PANOPTES_OK;
  } catch (...) {
    handle.view->state.length = handle.walk.length();
    throw;
  }
}

}  // namespace
}  // namespace panoptes

panoptes_status panoptes_walk_new(const panoptes_model* model, panoptes_walk** walk,
                                  panoptes_diagnostics** problem) {
  return panoptes::guarded(problem, [&] {
    if (!model || !walk) return PANOPTES_BAD_CALL;
    auto handle = std::make_unique<panoptes_walk>(model->shared);
    handle->view = panoptes::look_around(*handle);
    *walk = handle.release();
    return PANOPTES_OK;
  });
}

const panoptes_state* panoptes_walk_state(const panoptes_walk* walk) {
  return walk ? &walk->view->state : nullptr;
}

panoptes_status panoptes_walk_take(panoptes_walk* walk, size_t choice) {
  return panoptes::guarded(nullptr, [&] {
    if (!walk) return PANOPTES_BAD_CALL;
    panoptes::come_back(*walk);
    if (choice >= walk->walk.enabled().size() || walk->walk.enabled()[choice].fails() ||
        walk->walk.at() == panoptes::Walk::most_steps)
      return PANOPTES_BAD_CALL;
    return panoptes::move_on(*walk, [&] { walk->walk.take(choice); });
  });
}

panoptes_status panoptes_walk_go_to(panoptes_walk* walk, size_t step) {
  return panoptes::guarded(nullptr, [&] {
    if (!walk || step > walk->walk.length()) return PANOPTES_BAD_CALL;
    return panoptes::move_on(*walk, [&] { walk->walk.go_to(step); });
  });
}

char* panoptes_walk_trail(const panoptes_walk* walk) {
  if (!walk) return nullptr;
  return panoptes::made_text([&] {
    const panoptes::SharedModel& model = *walk->model;
    panoptes::TrailFile file = panoptes::trail_file_of(model.path, model.values, model.loaded);
    auto& steps = file.trails.emplace_back().steps;
    for (std::size_t i = 0; i < walk->view->state.step; ++i) steps.push_back(walk->walk.rule(i));
    return panoptes::copied(panoptes::collected([&](const panoptes::Sink& sink) {
      panoptes::write_trail_file(file, model.program(), model.sources(), sink);
    }));
  });
}

void panoptes_walk_free(panoptes_walk* walk) { delete walk; }
