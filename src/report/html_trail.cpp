// SPDX-License-Identifier: Apache-2.0
// One trail on a page: its chart in several views, its steps, and the state at each of them.
//
// Idea: the views are drawings of their own, and which is seen is a matter of the style sheet, so
// that no script is needed. The state at a step is the initial one, which the page has once, with
// the changes of all steps up to there; those stand in the list of steps, for readers, and the
// script puts them together for the step that somebody points at.
#include <algorithm>
#include <set>

#include "report/chart.hpp"
#include "report/comments.hpp"
#include "report/html_parts.hpp"
#include "report/json.hpp"
#include "report/state_text.hpp"
#include "rules/values.hpp"

namespace panoptes {
namespace {

constexpr std::size_t most_drawn = 120;                       // events of a view, where it folds
constexpr std::size_t first_listed = 100, last_listed = 200;  // steps, where there are more
constexpr std::size_t most_of_state = 2000;  // of processes, variables and channels, each
constexpr std::size_t most_at_end = 60;      // the same where a state is shown once for each error

// ---- states --------------------------------------------------------------------------------

// Something that has a value in every state.
enum class Holder : std::uint8_t { process, variable, channel };

char letter_of(Holder holder) {
  switch (holder) {
    case Holder::process: return 'p';
    case Holder::variable: return 'v';
    case Holder::channel: return 'c';
  }
  return ' ';
}

// What everything is in a state, and where everybody is.
class StateWriter {
 public:
  StateWriter(const Page& page, StateView state, const Whereabouts& whereabouts)
      : program_(page.program), sources_(page.sources), state_(state), whereabouts_(whereabouts) {}

  std::string name(Holder holder, std::uint32_t number) const {
    switch (holder) {
      case Holder::process: return program_.protocol.processes[number].name;
      case Holder::variable: return variable_name(program_.protocol, number);
      case Holder::channel: return program_.protocol.channels[number].name;
    }
    return {};
  }
  std::string value(Holder holder, std::uint32_t number) const {
    switch (holder) {
      case Holder::process:
        return position_words(program_, number,
                              static_cast<StateId>(read(program_.layout.control[number], state_)),
                              places_of(whereabouts_, number), sources_);
      case Holder::variable:
        return value_text(program_.protocol, number,
                          read(program_.layout.variables[number], state_));
      case Holder::channel: {
        std::string contents = contents_text(program_, number, state_);
        return contents.empty() ? "empty" : contents;
      }
    }
    return {};
  }

  // All of it, in three lists.
  Html lists(std::size_t most) const {
    return list(Holder::process, "where everybody is", program_.control.size(), most) +
           list(Holder::variable, "variables", program_.layout.variables.size(), most) +
           list(Holder::channel, "in the channels", program_.protocol.channels.size(), most);
  }

  // The same; variables that are as at the start come last, and are folded.
  StateWriter& against_start() {
    folds_ = true;
    return *this;
  }

 private:
  Html list(Holder holder, std::string_view title, std::size_t all, std::size_t most) const {
    Html entries, same;
    std::size_t count = 0, left_out = 0, same_count = 0;
    for (std::uint32_t i = 0; i < all; ++i) {
      // Nothing is ever in a sink or a rendezvous.
      if (holder == Holder::channel && program_.protocol.channels[i].capacity == 0) continue;
      const bool is_folded = folds_ && holder == Holder::variable && is_as_at_start(i);
      same_count += is_folded ? 1 : 0;
      if (count++ - (is_folded ? 0 : same_count) >= most)
        ++left_out;
      else
        (is_folded ? same : entries) +=
            html("<div data-key=\"{}{}\"><dt>{}</dt><dd>{}</dd></div>\n",
                 std::string(1, letter_of(holder)), i, name(holder, i), value(holder, i));
    }
    if (count == 0) return {};
    if (left_out > 0)
      (same.empty() ? entries : same) +=
          html("<div><dt>and {} more</dt><dd></dd></div>\n", with_commas(left_out));
    Html out = html("<h5>{}</h5>", title);
    if (!entries.empty()) out += html("<dl>\n{}</dl>\n", entries);
    if (!same.empty())
      out += html(
          "<details class=\"same\"><summary>{} as at the start</summary><dl>\n{}</dl></details>\n",
          plural(same_count, "other", "others"), same);
    return out;
  }

  bool is_as_at_start(VariableId v) const {
    const Slot& slot = program_.layout.variables[v];
    return read(slot, state_) == read(slot, program_.initial);
  }

  const Program& program_;
  const SourceSet& sources_;
  StateView state_;
  const Whereabouts& whereabouts_;
  bool folds_ = false;
};

// ---- steps ---------------------------------------------------------------------------------

// Follows a trail, and writes what its steps change.
class StepWriter {
 public:
  explicit StepWriter(const Page& page)
      : page_(page), whereabouts_(Positions(page.program).of_all()) {}

  // A trail, as far as it is not too long; `first` is the number of its first step.
  Html rows(const Trail& trail, std::size_t first) {
    const std::size_t count = trail.steps.size();
    const bool is_long = count > first_listed + last_listed && page_.facts.chart != ChartKind::full;
    Html out;
    for (std::size_t i = 0; i < count; ++i) {
      if (is_long && i == first_listed) {
        out += gap(trail, i, count - last_listed, first);
        i = count - last_listed;
      }
      out += row(trail, i, first);
    }
    return out;
  }

 private:
  Html row(const Trail& trail, std::size_t i, std::size_t first) {
    const TrailStep& step = trail.steps[i];
    const Rule& rule = page_.program.rules[step.rule];
    const bool fails = trail.ends_in_failure && i + 1 == trail.steps.size();
    take(trail, i);
    const StateWriter after(page_, trail.after(i), whereabouts_);
    const std::string comment = comment_beside(page_.sources, place_of(page_.program, step));
    Html changes;
    const auto add = [&](Holder holder, std::uint32_t number) {
      changes += change(after, holder, number);
    };
    if (fails) {
      changes = html("<span class=\"fails\">fails</span>");
    } else {
      for (const ProcessMove& move : rule.moves) add(Holder::process, move.process);
      for (const VariableChange& each :
           changed_variables(page_.program, step.before, trail.after(i)))
        add(Holder::variable, each.variable);
      if (rule.channel != none && page_.program.protocol.channels[rule.channel].capacity > 0 &&
          contents_text(page_.program, rule.channel, step.before) !=
              contents_text(page_.program, rule.channel, trail.after(i)))
        add(Holder::channel, rule.channel);
    }
    return html(
        "<tr data-step=\"{}\"><td class=\"number\">{}</td><td>{}</td><td>{}</td>"
        "<td><code>{}</code>{}</td><td class=\"changes\">{}</td></tr>\n",
        first + i, first + i, page_.program.protocol.processes[rule.owner().process].name,
        place_link(page_, place_of(page_.program, step)), words(rule, step),
        comment.empty() ? Html() : html("<br><span class=\"comment\">{}</span>", comment), changes);
  }

  // What the steps from `begin` to `end` change, all in all.
  Html gap(const Trail& trail, std::size_t begin, std::size_t end, std::size_t first) {
    const Whereabouts before = whereabouts_;
    for (std::size_t i = begin; i < end; ++i) take(trail, i);
    const StateView from = trail.steps[begin].before, to = trail.after(end - 1);
    const StateWriter old(page_, from, before), now(page_, to, whereabouts_);
    Html changes;
    const auto add = [&](Holder holder, std::uint32_t number) {
      if (old.value(holder, number) != now.value(holder, number))
        changes += change(now, holder, number);
    };
    for (ProcessId p = 0; p < page_.program.control.size(); ++p) add(Holder::process, p);
    for (VariableId v = 0; v < page_.program.layout.variables.size(); ++v) add(Holder::variable, v);
    for (ChannelId c = 0; c < page_.program.protocol.channels.size(); ++c) add(Holder::channel, c);
    return html(
        "<tr data-step=\"{}\" class=\"gap\"><td class=\"number\">⋮</td>"
        "<td colspan=\"3\">{} left out (--json has them)</td><td class=\"changes\">{}</td></tr>\n",
        first + end - 1, plural(end - begin, "step is", "steps are"), changes);
  }

  // Follows a step, if it leads anywhere.
  void take(const Trail& trail, std::size_t i) {
    if (trail.ends_in_failure && i + 1 == trail.steps.size()) return;
    const Rule& rule = page_.program.rules[trail.steps[i].rule];
    whereabouts_[rule.owner().process] = trail.steps[i].to;
    move_others(page_.program, rule, whereabouts_);
  }

  static Html change(const StateWriter& state, Holder holder, std::uint32_t number) {
    return html("<span data-key=\"{}{}\">{}{}<b>{}</b></span> ", std::string(1, letter_of(holder)),
                number, state.name(holder, number),
                holder == Holder::process    ? " at "
                : holder == Holder::variable ? " = "
                                             : ": ",
                state.value(holder, number));
  }

  // The statement, with what passed through the channel where it does not say so.
  static std::string words(const Rule& rule, const TrailStep& step) {
    std::string out = rule.text;
    if (!step.message.empty() && !rule.text.ends_with(step.message)) out += ": " + step.message;
    if (rule.kind == ActionKind::lose) out += " (lost)";
    if (rule.kind == ActionKind::copy) out += " (stays)";
    return out;
  }

  const Page& page_;
  Whereabouts whereabouts_;
};

Html steps_list(const Page& page, const ErrorReport& error) {
  StepWriter writer(page);
  const std::size_t way = error.trail.steps.size();
  Html rows = writer.rows(error.trail, 1);
  if (!error.cycle.steps.empty())
    rows += html("<tr class=\"gap\"><td></td><td colspan=\"4\">and then for ever:</td></tr>\n") +
            writer.rows(error.cycle, way + 1);
  else if (is_of_property(error.finding.kind))
    rows += html(
        "<tr class=\"gap\"><td></td><td colspan=\"4\">and then nothing happens any "
        "more</td></tr>\n");
  return html(
      "<details class=\"steps\"><summary>{}</summary><div class=\"scroll\"><table>"
      "<thead><tr><th>step</th><th>process</th><th>line</th><th>statement</th><th>leads to</th>"
      "</tr></thead><tbody>\n{}</tbody></table></div></details>\n",
      way == 0 ? "No step is needed"
               : fmt::format("Step by step: {}",
                             plural(way + error.cycle.steps.size(), "step", "steps")),
      rows);
}

// ---- charts --------------------------------------------------------------------------------

struct View {
  std::string_view name;  // for the reader
  std::string_view class_name;
  Chart chart;
};

// Those that differ. Of a very long trail, or where there is little time, the first must do.
std::vector<View> views_of(const Page& page, const ErrorReport& error) {
  constexpr std::size_t long_trail = 20'000;
  const bool is_whole = page.facts.chart == ChartKind::full;
  const auto chart = [&](InternalSteps internal) {
    return make_chart(page.program, error, page.sources,
                      {!is_whole || internal == InternalSteps::left_out,
                       is_whole ? SIZE_MAX : most_drawn, "“every step”", internal});
  };
  Chart folded = chart(InternalSteps::folded);
  if (error.trail.steps.size() > long_trail || page.facts.deadline.has_passed())
    return {{"", "folded", std::move(folded)}};
  Chart messages = chart(InternalSteps::left_out);
  const bool has_runs =
      std::ranges::any_of(folded.events, [](const ChartEvent& event) { return event.steps > 1; });
  const bool has_others = !messages.left_out.empty();
  // What is seen first has all that matters.
  std::vector<View> views;
  views.push_back({has_runs ? "internal steps folded" : "every step", has_runs ? "folded" : "every",
                   std::move(folded)});
  if (has_others) views.push_back({"messages only", "messages", std::move(messages)});
  if (has_runs) views.push_back({"every step", "every", chart(InternalSteps::drawn)});
  return views;
}

Html drawn_view(const Chart& chart) {
  const DrawnChart drawn = drawn_chart(chart);
  return html(
      "<div class=\"chart\">\n<svg class=\"names\" width=\"{0:.0f}\" height=\"{1:.0f}\" "
      "viewBox=\"0 {2:.0f} {0:.0f} {1:.0f}\" aria-hidden=\"true\">{3}</svg>\n"
      "<svg class=\"run\" width=\"{0:.0f}\" height=\"{4:.0f}\" "
      "viewBox=\"0 {5:.0f} {0:.0f} {4:.0f}\">\n{6}</svg>\n</div>\n",
      drawn.width, drawn.names_height, drawn.names_top, Html::is_markup(drawn.names), drawn.height,
      drawn.top, Html::is_markup(drawn.body));
}

Html chart_notes(const Chart& chart) {
  Html out;
  if (chart.concurrent_count > 0)
    out += html(
        "<p class=\"note\">Pale steps are concurrent with the fault: {} that can be left "
        "out (--minimise-trail).</p>\n",
        plural(chart.concurrent_count, "step", "steps"));
  if (!chart.left_out.empty()) out += html("<p class=\"note\">{}.</p>\n", chart.left_out);
  return out;
}

// Radio buttons choose what is seen of what stands behind them.
Html charts(const Page& page, const ErrorReport& error, std::size_t number) {
  const std::vector<View> views = views_of(page, error);
  Html buttons, drawings;
  for (std::size_t i = 0; i < views.size(); ++i) {
    if (views.size() > 1)
      buttons += html(
          "<input type=\"radio\" class=\"pick-{0}\" name=\"view-{1}\" id=\"view-{1}-{0}\"{2}>"
          "<label for=\"view-{1}-{0}\">{3}</label>\n",
          i + 1, number, i == 0 ? html(" checked") : Html(), views[i].name);
    drawings += html("<div class=\"view view-{}\" data-view=\"{}\">\n{}{}</div>\n", i + 1,
                     views[i].class_name, drawn_view(views[i].chart), chart_notes(views[i].chart));
  }
  return html("<div class=\"views{}\">\n{}{}</div>\n", views.size() > 1 ? "" : " one", buttons,
              drawings);
}

}  // namespace

Html trail_part(const Page& page, const ErrorReport& error, std::size_t number) {
  StateWriter last(page, error.trail.last, error.trail.whereabouts);
  return html(
      "<div class=\"trail\">\n<div class=\"figure\">\n{}<aside class=\"panel\" "
      "aria-live=\"polite\"><button type=\"button\" class=\"close\" hidden>close</button>"
      "<h4>{}</h4><div class=\"lists\">{}</div></aside>\n</div>\n{}</div>\n",
      charts(page, error, number),
      error.trail.ends_in_failure ? "Before the step that fails" : "At the end",
      last.against_start().lists(most_at_end), steps_list(page, error));
}

Html initial_state_part(const Page& page) {
  const Whereabouts start = Positions(page.program).of_all();
  return html(
      "<details id=\"start\"><summary>The initial state, in which all trails begin</summary>\n"
      "<div class=\"lists\">{}</div></details>\n",
      StateWriter(page, page.program.initial, start).lists(most_of_state));
}

}  // namespace panoptes
