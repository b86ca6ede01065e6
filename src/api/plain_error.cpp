// SPDX-License-Identifier: Apache-2.0
#include "api/plain_error.hpp"

#include "report/json.hpp"

namespace panoptes {
namespace {

// `whereabouts`: of everybody before the first step, and afterwards behind the last.
std::vector<panoptes_step> plain_trail(const SharedModel& model, const Trail& trail,
                                       Whereabouts& whereabouts, Texts& texts) {
  std::vector<panoptes_step> steps;
  for (std::size_t i = 0; i < trail.steps.size(); ++i) {
    const TrailStep& step = trail.steps[i];
    const Rule& rule = model.program().rules[step.rule];
    const bool fails = trail.ends_in_failure && i + 1 == trail.steps.size();
    const ProcessMove& move = rule.owner();
    const auto text_of = [&](StateId state, const std::vector<StateId>& places) {
      return position_text(model.program(), move.process, state, places, model.sources());
    };
    panoptes_step plain = plain_step(model, step.rule, place_of(model.program(), step),
                                     text_of(move.from, whereabouts[move.process]),
                                     fails ? "" : text_of(move.to, step.to), step.message, texts);
    plain.received_at = step.taken_at ? *step.taken_at + 1 : 0;
    plain.fails = fails;
    steps.push_back(plain);
    whereabouts[move.process] = step.to;
    if (!fails) move_others(model.program(), rule, whereabouts);
  }
  return steps;
}

}  // namespace

panoptes_step plain_step(const SharedModel& model, RuleId number, Place place, std::string from,
                         std::string to, std::string message, Texts& texts) {
  const Rule& rule = model.program().rules[number];
  const Protocol& protocol = model.program().protocol;
  const auto [line, column] = model.sources().line_column(place);
  return {number,
          texts.keep(protocol.processes[rule.owner().process].name),
          texts.keep(std::string(step_kind(rule.kind))),
          texts.keep(rule.text),
          texts.keep(std::move(from)),
          texts.keep(std::move(to)),
          texts.keep(rule.channel == none ? "" : protocol.channels[rule.channel].name),
          texts.keep(std::move(message)),
          texts.keep(place.known() ? model.sources().name(place.file) : ""),
          line,
          column,
          0,
          0};
}

PlainError::PlainError(const SharedModel& model, const ErrorReport& error, bool has_error) {
  Whereabouts whereabouts = Positions(model.program()).of_all();
  steps_ = plain_trail(model, error.trail, whereabouts, texts_);
  cycle_ = plain_trail(model, error.cycle, whereabouts, texts_);
  const ErrorDescription& d = error.description;
  const bool is_there = error.gap == TrailGap::no_gap;
  plain_ = {texts_.keep(has_error ? std::string(to_string(d.kind)) : ""),
            texts_.keep(d.text),
            texts_.keep(error.cause),
            texts_.keep(d.process),
            texts_.keep(d.state),
            texts_.keep(d.message),
            error.is_warning,
            error.is_shortest,
            error.count,
            error.step_count(),
            texts_.keep(is_there ? "" : std::string(to_string(error.gap))),
            steps_.data(),
            steps_.size(),
            cycle_.data(),
            cycle_.size()};
}

}  // namespace panoptes
