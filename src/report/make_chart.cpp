// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <numeric>
#include <utility>

#include "report/chart.hpp"
#include "report/chart_folding.hpp"
#include "report/chart_order.hpp"
#include "report/comments.hpp"
#include "report/number_text.hpp"
#include "rules/values.hpp"
#include "verdict/causality.hpp"

namespace panoptes {
namespace {

class ChartMaker {
 public:
  ChartMaker(const Program& program, const ErrorReport& error, const SourceSet& sources)
      : program_(program), error_(error), sources_(sources) {
    steps_ = error.trail.steps;
    steps_.insert(steps_.end(), error.cycle.steps.begin(), error.cycle.steps.end());
    // What was sent on the way may be received in the cycle.
    if (!error.cycle.steps.empty()) match_sends(program, program.initial, steps_);
  }

  Chart make(const ChartOptions& options) {
    const Protocol& protocol = program_.protocol;
    for (const Process& process : protocol.processes) chart_.names.push_back(process.name);
    find_losses();
    find_origins();
    needed_.assign(steps_.size(), true);
    chart_.fault = fault_sentence();
    if (!chart_.fault.empty() && error_.cycle.steps.empty() && !steps_.empty())
      needed_ = needed_by(program_, error_.trail, error_.finding);
    // The cycle of a livelock stays behind the way to it.
    const Causes causes = causes_of(program_, steps_);
    std::vector<std::size_t> order(steps_.size());
    std::iota(order.begin(), order.end(), 0u);
    if (error_.cycle.steps.empty()) order = close_order(causes, steps_, decisive());
    find_what_matters();
    internal_ = options.fold ? options.internal : InternalSteps::drawn;
    is_brief_ =
        internal_ == InternalSteps::brief && is_mostly_internal([](std::size_t) { return false; });
    leaves_out_own_ = !has_steps_of_procedures() ||
                      is_mostly_internal([&](std::size_t step) { return is_too_much(step); });
    if (internal_ == InternalSteps::folded) find_runs(order);
    for (const std::size_t step : order) {
      if (is_in_cycle(step) && !chart_.repeats_for_ever)
        chart_.repeats_for_ever = chart_.events.size();
      add_event(step);
    }
    chart_.is_whole = !options.fold;
    say_what_is_left_out(options);
    mark_fault();
    chart_.lifelines = arrange(acting(), chart_.names.size(), chart_.arrows);
    split(options);
    return std::move(chart_);
  }

 private:
  std::string fault_sentence() const {
    if (error_.description.text.empty()) return {};
    return fmt::format("{}: {}", to_string(error_.description.kind), error_.description.text);
  }

  // The step that fires into the fault; none where no step does.
  std::size_t failing() const {
    const std::size_t way = error_.trail.steps.size();
    return error_.trail.ends_in_failure && way > 0 ? way - 1 : none;
  }

  // What must hold in every state, or was looked for; null where the fault is no such thing.
  const Invariant* asked() const {
    const ErrorKind kind = error_.description.kind;
    return kind == ErrorKind::invariant || kind == ErrorKind::reached
               ? &program_.protocol.invariants[error_.finding.assertion]
               : nullptr;
  }

  // The step that the fault comes with: it fails, or the state behind it is what must not be.
  std::size_t decisive() const {
    return !chart_.fault.empty() && asked() && !error_.trail.steps.empty()
               ? error_.trail.steps.size() - 1
               : failing();
  }

  bool is_in_cycle(std::size_t step) const { return step >= error_.trail.steps.size(); }

  // Whether a step on the way is nobody else's business; the cycle of a livelock has no other.
  bool is_internal(std::size_t step) const {
    const Rule& rule = program_.rules[steps_[step].rule];
    return !is_in_cycle(step) && step != decisive() && lost_[step].empty() &&
           rule.kind != ActionKind::timeout && !is_external(program_, rule);
  }
  // ... and nobody has a name for where it leads to.
  bool says_little(std::size_t step) const {
    const Rule& rule = program_.rules[steps_[step].rule];
    return is_internal(step) && !has_name(program_, rule.owner().process, steps_[step].to);
  }

  // The variables that the fault is about: of a step that fails, what it reads and what else its
  // process has; of processes that cannot go on, what would let them; of what must hold, or was
  // looked for, what it reads, and what the processes have that it asks for. Variables of
  // procedures are among them only where they are read.
  std::vector<bool> variables_at_fault() const {
    std::vector<bool> result(program_.protocol.variables.size());
    if (chart_.fault.empty()) return result;
    const auto add_reads = [&](const Rule& rule) {
      for (const VariableId v : footprint(program_, rule).reads) result[v] = true;
    };
    if (failing() != none) {
      const Rule& rule = program_.rules[steps_[failing()].rule];
      add_reads(rule);
      add_own(rule.owner().process, result);
      return result;
    }
    const bool is_asked = asked() != nullptr;
    if (is_asked) add_asked(result);
    for (ProcessId p = 0; p < program_.control.size(); ++p) {
      const auto id = static_cast<StateId>(read(program_.layout.control[p], error_.trail.last));
      if (!is_concerned(p, id)) continue;
      for_each_rule(program_.at(p, id), [&](RuleId r) { add_reads(program_.rules[r]); });
      if (is_asked) add_own(p, result);
    }
    return result;
  }
  void add_own(ProcessId process, std::vector<bool>& variables) const {
    for (VariableId v = 0; v < variables.size(); ++v)
      if (program_.protocol.variables[v].process == process && !is_of_procedure(v))
        variables[v] = true;
  }
  // What the invariant that is broken looks at.
  void add_asked(std::vector<bool>& variables) const {
    const Protocol& protocol = program_.protocol;
    protocol.expressions.visit(asked()->broken, [&](const ExpressionNode& node) {
      if (node.op == Op::variable) variables[node.a] = true;
      if (node.op == Op::element)
        for (VariableId i = 0; i < node.value; ++i) variables[node.b + i] = true;
    });
  }
  bool is_of_procedure(VariableId v) const {
    return program_.protocol.variables[v].is_of_procedure;
  }

  // Marks the steps that changed those variables last.
  void find_what_matters() {
    matters_.assign(steps_.size(), false);
    const std::vector<bool> is_at_fault = variables_at_fault();
    const std::size_t end = std::min(failing(), error_.trail.steps.size());
    for (VariableId v = 0; v < is_at_fault.size(); ++v) {
      if (!is_at_fault[v]) continue;
      const Slot& slot = program_.layout.variables[v];
      for (std::size_t step = end; step-- > 0;) {
        if (read(slot, steps_[step].before) == read(slot, after(step))) continue;
        matters_[step] = true;
        break;
      }
    }
  }

  // Without the steps that are left out already. A short run is drawn as it is, and so is one of
  // which nothing but the fault would be left.
  template <typename IsLeftOut>
  bool is_mostly_internal(IsLeftOut is_out) const {
    constexpr std::size_t few = 12;
    std::size_t way = 0, internal = 0, little = error_.trail.ends_in_failure ? 1 : 0;
    for (std::size_t step = 0; step < error_.trail.steps.size(); ++step) {
      if (is_out(step)) continue;
      ++way;
      internal += is_internal(step) ? 1 : 0;
      little += says_little(step) ? 1 : 0;
    }
    return way > few && 2 * internal > way && little < way;
  }

  // Where procedures have variables, steps that change what a process has itself are the last to
  // be left out.
  bool is_too_much(std::size_t step) const {
    return says_little(step) && !matters_[step] && (leaves_out_own_ || !changes(step, false));
  }
  bool is_left_out(std::size_t step) const {
    return (is_brief_ && is_too_much(step)) ||
           (internal_ == InternalSteps::left_out && !is_message(step));
  }
  // Or what messages are about: a timeout, the fault, what goes on for ever, and what happens to a
  // process without any.
  bool is_message(std::size_t step) const {
    switch (program_.rules[steps_[step].rule].kind) {
      case ActionKind::internal:
      case ActionKind::check:
      case ActionKind::bad_index:
        return is_in_cycle(step) || step == decisive() || !lost_[step].empty() ||
               changes_state_by_itself(step);
      default: return true;
    }
  }

  // Whether a step that no message explains leads to a state with a name: from another such state,
  // or to one that says that somebody fails or comes back.
  bool changes_state_by_itself(std::size_t step) const {
    const ProcessId process = program_.rules[steps_[step].rule].owner().process;
    const auto& to = steps_[step].to;
    if (!has_name(program_, process, to)) return false;
    if (has_name(program_, process, from_[step]) && from_[step] != to) return true;
    const auto& labels = program_.protocol.processes[process].automaton.labels;
    return std::ranges::any_of(to, [&](StateId each) { return is_of_failure(labels[each]); });
  }
  static bool is_of_failure(std::string_view label) {
    if (label.starts_with("end_")) label.remove_prefix(4);
    return label.starts_with("crash") || label.starts_with("restart") || label.starts_with("fail");
  }
  void find_origins() {
    Whereabouts now = Positions(program_).of_all();
    for (const TrailStep& step : steps_) {
      const Rule& rule = program_.rules[step.rule];
      from_.push_back(now[rule.owner().process]);
      now[rule.owner().process] = step.to;
      move_others(program_, rule, now);
    }
  }

  // Steps of one process that say little, one behind the other as it takes them, are one event
  // where the last of them is.
  void find_runs(const std::vector<std::size_t>& order) {
    std::vector<std::vector<std::size_t>> open(program_.protocol.processes.size());
    const auto close = [&](std::vector<std::size_t>& run) {
      if (run.size() > 1) {
        for (const std::size_t step : run) is_in_run_[step] = true;
        runs_[run.back()] = run;
      }
      run.clear();
    };
    is_in_run_.assign(steps_.size(), false);
    for (const std::size_t step : order) {
      const Rule& rule = program_.rules[steps_[step].rule];
      if (says_little(step) && !matters_[step] && !rule.is_else)  // that is a decision
        open[rule.owner().process].push_back(step);
      else
        for (const ProcessMove& move : rule.moves) close(open[move.process]);
    }
    for (std::vector<std::size_t>& run : open) close(run);
  }
  bool changes(std::size_t step, bool what_procedures_have) const {
    return std::ranges::any_of(changed_variables(program_, steps_[step].before, after(step)),
                               [&](const VariableChange& change) {
                                 return is_of_procedure(change.variable) == what_procedures_have;
                               });
  }
  bool has_steps_of_procedures() const {
    for (std::size_t step = 0; step < error_.trail.steps.size(); ++step)
      if (is_internal(step) && changes(step, true)) return true;
    return false;
  }

  void say_what_is_left_out(const ChartOptions& options) {
    if (left_out_ == 0) return;
    const bool is_one = left_out_ == 1, is_internal = internal_ != InternalSteps::left_out;
    const std::string what =
        is_one ? (is_internal ? "an internal step is" : "a step without a message is")
               : with_commas(left_out_) +
                     (is_internal ? " internal steps are" : " steps without messages are");
    chart_.left_out =
        fmt::format("{} not drawn ({} has {})", what, options.whole, is_one ? "it" : "them");
  }

  StateView after(std::size_t step) const {
    if (step + 1 < steps_.size()) return steps_[step + 1].before;
    return error_.cycle.steps.empty() ? error_.trail.last : error_.cycle.last;
  }

  void add_event(std::size_t step) {
    if (is_left_out(step)) {
      ++left_out_;
      return;
    }
    if (!is_in_run_.empty() && is_in_run_[step]) {
      if (runs_.contains(step)) add_run(runs_.at(step));
      return;
    }
    const Rule& rule = program_.rules[steps_[step].rule];
    ChartEvent event;
    event.step = step + 1;
    event.process = rule.owner().process;
    event.kind = rule.kind;
    event.text = {rule.text, rule.text};
    if (!steps_[step].statements.empty()) say_where(place_of(program_, steps_[step]), event);
    event.fails = step == failing();
    if (step == decisive() && asked()) event.breaks = asked()->name;
    event.is_concurrent = !needed_[step];
    chart_.concurrent_count += event.is_concurrent ? 1 : 0;
    if (!event.fails) add_outcome(step, event);
    event.lost = lost_[step];
    if (rule.kind == ActionKind::send) event.arrow = add_arrow(step, rule);
    if (rule.kind == ActionKind::flush) add_flushed(step, rule, event);
    if (rule.kind == ActionKind::lose) event.lost = label(rule.channel, steps_[step].message);
    if (rule.kind == ActionKind::receive) event.arrow = arrow_to(step, rule);
    event.is_default =
        rule.kind == ActionKind::receive && is_default(rule.owner(), rule.statements);
    if (rule.kind == ActionKind::copy) {
      event.kind = ActionKind::receive;
      event.arrow = copy_to(step, rule);
    }
    rules_.push_back(steps_[step].rule);
    event_matters_.push_back(matters_[step]);
    chart_.events.push_back(std::move(event));
    if (rule.partner) add_partner(step, rule);
  }

  // Whether a process takes a message by what it does with any other one.
  bool is_default(const ProcessMove& move, const std::vector<StatementId>& statements) const {
    return std::ranges::any_of(
        program_.state(move.process, move.from).transitions, [&](const Transition& t) {
          return t.kind == ActionKind::receive_default && t.statements == statements;
        });
  }

  void say_where(Place place, ChartEvent& event) const {
    event.place = sources_.line_and_column(place);
    add_comment(place, event);
  }
  void add_comment(Place place, ChartEvent& event) const {
    const std::string comment = comment_beside(sources_, place);
    if (comment.empty() || event.comment.find(comment) != std::string::npos) return;
    event.comment += (event.comment.empty() ? "" : "; ") + comment;
  }

  // What several internal steps lead to, all in all.
  void add_run(const std::vector<std::size_t>& run) {
    const std::size_t last = run.back();
    const ProcessMove& move = program_.rules[steps_[last].rule].owner();
    ChartEvent event;
    event.step = last + 1;
    event.steps = run.size();
    event.process = move.process;
    say_where(place_of(program_, steps_[run.front()]), event);
    for (std::size_t i = 1; i < run.size(); ++i)
      add_comment(place_of(program_, steps_[run[i]]), event);
    event.state = position_words(program_, move.process, move.to, steps_[last].to, sources_);
    const auto words = [&](const std::string& changes) {
      return changes.empty() ? fmt::format("{} internal steps", with_commas(run.size()))
                             : fmt::format("{} ({} steps)", changes, with_commas(run.size()));
    };
    event.text = {words(left_by(run, {}, false)), words(left_by(run, {}, true))};
    std::vector<RuleId> rules;
    for (const std::size_t step : run) {
      rules.push_back(steps_[step].rule);
      chart_.concurrent_count += needed_[step] ? 0 : 1;
    }
    event.is_concurrent = std::ranges::none_of(run, [&](std::size_t s) { return needed_[s]; });
    // Runs of the same rules are a repetition, and no other event has such a number.
    const auto number = static_cast<RuleId>(2 * program_.rules.size() + run_numbers_.size());
    rules_.push_back(run_numbers_.try_emplace(std::move(rules), number).first->second);
    event_matters_.push_back(false);
    chart_.events.push_back(std::move(event));
  }

  // The steps that an event stands for.
  std::vector<std::size_t> steps_of(const ChartEvent& event) const {
    return event.steps > 1 ? runs_.at(event.step - 1) : std::vector{event.step - 1};
  }

  // `sender.retries = 2`, or `retries = 2`: the values that steps leave, other than those that are
  // known already.
  std::string left_by(const std::vector<std::size_t>& steps,
                      const std::map<VariableId, std::int64_t>& known, bool with_process) const {
    std::vector<VariableId> order;
    std::map<VariableId, std::int64_t> last;
    for (const std::size_t step : steps) {
      if (step == failing()) continue;
      for (const VariableChange& change :
           changed_variables(program_, steps_[step].before, after(step))) {
        if (last.try_emplace(change.variable).second) order.push_back(change.variable);
        last[change.variable] = change.after;
      }
    }
    std::string out;
    for (const VariableId v : order) {
      const auto found = known.find(v);
      if (found != known.end() && found->second == last[v]) continue;
      const std::string name =
          with_process ? variable_name(program_.protocol, v) : program_.protocol.variables[v].name;
      out += fmt::format("{}{} = {}", out.empty() ? "" : ", ", name,
                         value_text(program_.protocol, v, last[v]));
    }
    return out;
  }

  // The receiver of a rendezvous, in the row of its sender.
  void add_partner(std::size_t step, const Rule& rule) {
    ChartEvent event = chart_.events.back();
    const ProcessMove& move = rule.moves[1];
    event.process = move.process;
    event.kind = ActionKind::receive;
    event.is_default = is_default(move, rule.partner->statements);
    event.joins_previous = true;
    event.breaks.clear();
    event.changes.clear();
    event.place.clear();
    event.comment.clear();
    if (const auto& statements = rule.partner->statements; !statements.empty())
      say_where(program_.protocol.statements[statements.front()].place, event);
    event.state = event.fails ? "" : position_words(program_, move.process, move.to, {}, sources_);
    event.has_name = !event.fails &&
                     has_name(program_, move.process, program_.state(move.process, move.to).merged);
    chart_.arrows[event.arrow].received = chart_.events.size();
    // Another one than that of the sender, so that the two are no repetition.
    rules_.push_back(steps_[step].rule + static_cast<RuleId>(program_.rules.size()));
    event_matters_.push_back(matters_[step]);
    chart_.events.push_back(std::move(event));
  }

  // Where a step leads to, and what it changes.
  void add_outcome(std::size_t step, ChartEvent& event) const {
    const Rule& rule = program_.rules[steps_[step].rule];
    event.state =
        position_words(program_, rule.owner().process, rule.owner().to, steps_[step].to, sources_);
    event.has_name = has_name(program_, rule.owner().process, steps_[step].to);
    for (const auto& [variable, before, value] :
         changed_variables(program_, steps_[step].before, after(step))) {
      const std::string text = value_text(program_.protocol, variable, value);
      event.changes.push_back(
          {fmt::format("{} = {}", program_.protocol.variables[variable].name, text),
           fmt::format("{} = {}", variable_name(program_.protocol, variable), text)});
    }
    if (rule.kind != ActionKind::internal || event.changes.empty()) return;
    // What an assignment does says more than how it is written.
    event.text = {};
    for (const ChartWords& change : std::exchange(event.changes, {})) {
      const std::string_view comma = event.text.here.empty() ? "" : ", ";
      event.text.here += fmt::format("{}{}", comma, change.here);
      event.text.elsewhere += fmt::format("{}{}", comma, change.elsewhere);
    }
  }

  std::size_t add_arrow(std::size_t step, const Rule& rule) {
    const Channel& channel = program_.protocol.channels[rule.channel];
    ChartArrow arrow;
    arrow.from = rule.owner().process;
    arrow.to = channel.readers.empty() ? none : channel.readers.front();
    if (const auto taken = steps_[step].taken_at; taken && channel.readers.size() > 1)
      arrow.to = program_.rules[steps_[*taken].rule].owner().process;
    if (rule.partner) arrow.to = rule.moves[1].process;
    arrow.label = label(rule.channel, steps_[step].message);
    arrow.sent = chart_.events.size();
    arrow.is_lost = channel.is_sink;
    if (const auto taken = steps_[step].taken_at) arrow_of_receive_[*taken] = chart_.arrows.size();
    arrow_of_send_[step] = chart_.arrows.size();
    chart_.arrows.push_back(std::move(arrow));
    return chart_.arrows.size() - 1;
  }

  // The arrow that ends at a receive; a new one from nowhere, where the message was there at the
  // start.
  std::size_t arrow_to(std::size_t step, const Rule& rule) {
    const std::size_t at = chart_.events.size();
    if (const auto found = arrow_of_receive_.find(step); found != arrow_of_receive_.end()) {
      ChartArrow& arrow = chart_.arrows[found->second];
      arrow.received = at;
      return found->second;
    }
    ChartArrow arrow;
    arrow.to = rule.owner().process;
    arrow.label = label(rule.channel, steps_[step].message);
    arrow.received = at;
    chart_.arrows.push_back(std::move(arrow));
    return chart_.arrows.size() - 1;
  }

  // A message that is delivered and stays where it is: one more arrow from where it was sent.
  std::size_t copy_to(std::size_t step, const Rule& rule) {
    ChartArrow arrow;
    arrow.to = rule.owner().process;
    arrow.label = fmt::format("copy of {}", label(rule.channel, steps_[step].message));
    arrow.received = chart_.events.size();
    if (const auto sent = steps_[step].sent_at) {
      const ChartArrow& original = chart_.arrows[arrow_of_send_.at(*sent)];
      arrow.from = original.from;
      arrow.sent = original.sent;
    }
    chart_.arrows.push_back(std::move(arrow));
    return chart_.arrows.size() - 1;
  }

  // What a flush has found, where that is something.
  void add_flushed(std::size_t step, const Rule& rule, ChartEvent& event) const {
    const std::string found = contents_text(program_, rule.channel, steps_[step].before);
    if (found.empty()) return;
    for (std::string* text : {&event.text.here, &event.text.elsewhere})
      *text += fmt::format(" of {}", found);
  }

  // A step without effect where the process could have passed on what it has just received: that is
  // lost, as on a line that loses messages.
  void find_losses() {
    std::vector<std::string> received(program_.protocol.processes.size());  // by the last step
    for (const TrailStep& step : steps_) {
      const Rule& rule = program_.rules[step.rule];
      std::string& last = received[rule.owner().process];
      lost_.push_back(rule.text == "skip" && could_send(rule, last) ? last : "");
      last = rule.kind == ActionKind::receive ? step.message : "";
    }
  }
  bool could_send(const Rule& rule, const std::string& message) const {
    const std::string name = message.substr(0, message.find('('));
    return !name.empty() &&
           std::ranges::any_of(program_.state(rule.owner().process, rule.owner().from).transitions,
                               [&](const Transition& t) {
                                 return t.kind == ActionKind::send && t.message == name;
                               });
  }

  // The channel is named where the message alone does not say to which of its reader's it goes.
  std::string label(ChannelId channel, const std::string& message) const {
    const auto& channels = program_.protocol.channels;
    const auto reader_of = [](const Channel& each) {
      return each.readers.size() == 1 ? each.readers.front() : none;
    };
    const ProcessId reader = reader_of(channels[channel]);
    const std::string name = message.substr(0, message.find('('));
    const bool is_clear = std::ranges::none_of(channels, [&](const Channel& other) {
      return &other != &channels[channel] && reader_of(other) == reader &&
             std::ranges::find(other.sort, name, &MessageType::name) != other.sort.end();
    });
    if (reader != none && is_clear) return message;
    return fmt::format("{}!{}", channels[channel].name, message);
  }

  void mark_fault() {
    for (ProcessId p = 0; p < program_.control.size(); ++p) {
      const auto id = static_cast<StateId>(read(program_.layout.control[p], error_.trail.last));
      chart_.final_states.push_back(
          position_words(program_, p, id, places_of(error_.trail.whereabouts, p), sources_));
      if (chart_.fault.empty() || error_.trail.ends_in_failure) continue;
      if (is_concerned(p, id)) chart_.fault_at.push_back(p);
    }
  }

  // Whether the fault, which is no step, has to do with a process that is at `state` then: who
  // waits though it may not rest there, who cannot receive, who has not read, whose steps an
  // assertion is about, who goes round in circles.
  bool is_concerned(ProcessId process, StateId state) const {
    switch (error_.description.kind) {
      case ErrorKind::deadlock: return !program_.at(process, state).may_stop;
      case ErrorKind::unspecified_reception:
      case ErrorKind::stuck: return process == error_.finding.process;
      case ErrorKind::unread_messages:
        return std::ranges::find(program_.protocol.channels[error_.finding.channel].readers,
                                 process) !=
               program_.protocol.channels[error_.finding.channel].readers.end();
      case ErrorKind::assertion:
        return std::ranges::any_of(program_.rules, [&](const Rule& rule) {
          return rule.owner().process == process &&
                 std::ranges::find(rule.assertion_moves, error_.finding.assertion,
                                   &AssertionMove::assertion) != rule.assertion_moves.end();
        });
      case ErrorKind::invariant:
      case ErrorKind::reached: return is_asked_of(process);
      case ErrorKind::livelock:
      case ErrorKind::ltl:
      case ErrorKind::progress:
      case ErrorKind::acceptance:
        return std::ranges::any_of(error_.cycle.steps, [&](const TrailStep& step) {
          return program_.rules[step.rule].moves_process(process);
        });
      default: return false;
    }
  }

  // Whether an invariant looks at where the process is, or at a variable of it.
  bool is_asked_of(ProcessId process) const {
    const Protocol& protocol = program_.protocol;
    bool is_asked = false;
    protocol.expressions.visit(asked()->broken, [&](const ExpressionNode& node) {
      is_asked = is_asked || (node.op == Op::control && node.a == process) ||
                 (node.op == Op::variable && protocol.variables[node.a].process == process);
    });
    return is_asked;
  }

  // Processes that do something here, or are at fault.
  std::vector<ProcessId> acting() const {
    std::vector<bool> acts(chart_.names.size());
    for (const ChartEvent& event : chart_.events) acts[event.process] = true;
    for (const ChartArrow& arrow : chart_.arrows)
      if (arrow.to != none) acts[arrow.to] = true;
    for (const ProcessId p : chart_.fault_at) acts[p] = true;
    std::vector<ProcessId> result;
    for (ProcessId p = 0; p < acts.size(); ++p)
      if (acts[p]) result.push_back(p);
    return result;
  }

  // Into parts; then says which receives share the row of their sends.
  void split(const ChartOptions& options) {
    const std::size_t count = chart_.events.size();
    const std::size_t cycle = chart_.repeats_for_ever.value_or(count);
    if (options.fold) {
      // The last step on the way may be the fault itself, and stays in sight.
      const std::size_t last = cycle == 0 ? 0 : chart_.events[cycle - 1].joins_previous ? 2 : 1;
      std::vector<ChartPart> way = fold(rules_, 0, cycle - last);
      if (!way.empty() && way.back().times == 1)
        way.back().count += last;
      else if (cycle > 0)
        way.push_back({cycle - last, last, 1});
      chart_.parts = leave_out_middle(way, options.most_events, event_matters_);
      for (const ChartPart& part :
           leave_out_middle(fold(rules_, cycle, count), options.most_events, event_matters_))
        chart_.parts.push_back(part);
    } else {
      chart_.parts = {{0, cycle, 1}, {cycle, count - cycle, 1}};
    }
    std::erase_if(chart_.parts, [](const ChartPart& part) { return part.count == 0; });
    for (ChartPart& part : chart_.parts)
      if (part.times > 1) compare_rounds(part);
    for (const ChartPart& part : chart_.parts)
      for (std::size_t i = part.first + 1; i < part.first + part.count; ++i) {
        ChartEvent& event = chart_.events[i];
        const ChartEvent& before = chart_.events[i - 1];
        event.joins_previous = event.kind == ActionKind::receive && !event.fails &&
                               before.kind == ActionKind::send && before.arrow == event.arrow &&
                               event.process != before.process;
      }
  }

  // Whether an event says the same in every round.
  bool says_the_same(const ChartEvent& a, const ChartEvent& b) const {
    const auto label = [&](const ChartEvent& event) {
      return event.arrow == none ? std::string_view() : chart_.arrows[event.arrow].label;
    };
    return label(a) == label(b) && a.text.here == b.text.here && a.lost == b.lost &&
           std::ranges::equal(a.changes, b.changes, {}, &ChartWords::here, &ChartWords::here);
  }

  // Says of a part that repeats whether its rounds differ, and what the last one leaves that the
  // first one does not.
  void compare_rounds(ChartPart& part) const {
    for (std::size_t i = part.first + part.count; i < part.end(); ++i)
      part.has_other_values =
          part.has_other_values || !says_the_same(chart_.events[i], chart_.events[i - part.count]);
    if (!part.has_other_values) return;
    std::vector<std::size_t> steps;
    std::map<VariableId, std::int64_t> drawn;
    for (std::size_t i = part.first; i < part.end(); ++i)
      for (const std::size_t step : steps_of(chart_.events[i])) {
        steps.push_back(step);
        if (i >= part.first + part.count || step == failing()) continue;
        for (const VariableChange& change :
             changed_variables(program_, steps_[step].before, after(step)))
          drawn[change.variable] = change.after;
      }
    part.values = left_by(steps, drawn, true);
  }

  const Program& program_;
  const ErrorReport& error_;
  const SourceSet& sources_;
  std::vector<TrailStep> steps_;   // of the way, then of the cycle
  Whereabouts from_;               // by step: where its process is before it
  std::vector<bool> needed_;       // by step
  std::vector<bool> matters_;      // by step: it gave a variable the value that the fault is about
  std::vector<std::string> lost_;  // by step: the message that got lost with it; "" if none did
  InternalSteps internal_ = InternalSteps::brief;
  bool is_brief_ = false, leaves_out_own_ = false;
  std::map<std::size_t, std::vector<std::size_t>> runs_;  // folded: by the last step of each
  std::vector<bool> is_in_run_;                           // by step; empty where none are
  std::map<std::vector<RuleId>, RuleId> run_numbers_;     // by the rules of each
  std::size_t left_out_ = 0;                              // steps
  std::vector<RuleId> rules_;                             // by event
  std::vector<bool> event_matters_;
  std::map<std::size_t, std::size_t> arrow_of_receive_, arrow_of_send_;  // by step
  Chart chart_;
};

}  // namespace

ChartWords ChartEvent::says() const {
  if (kind == ActionKind::timeout) return {"timeout", "timeout"};
  return lost.empty() ? text : ChartWords{lost + " is lost", lost + " is lost"};
}

std::string concurrent_footnote(const Chart& chart) {
  if (chart.concurrent_count == 0) return {};
  return fmt::format(
      "~ concurrent with the fault: {} that can be left out (--minimise-trail)",
      chart.concurrent_count == 1 ? "a step" : with_commas(chart.concurrent_count) + " steps");
}

Chart make_chart(const Program& program, const ErrorReport& error, const SourceSet& sources,
                 const ChartOptions& options) {
  return ChartMaker(program, error, sources).make(options);
}

}  // namespace panoptes
