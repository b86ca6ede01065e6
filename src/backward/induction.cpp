// SPDX-License-Identifier: Apache-2.0
#include "backward/induction.hpp"

#include <algorithm>
#include <cstdlib>
#include <queue>
#include <utility>

#include "step/interpreter.hpp"

namespace panoptes {

namespace {

// The same way without what leads back to where it has been: an indivisible sequence may not.
// REQUIRES: it is a way.
std::vector<RuleId> without_rounds(const Program& program, const std::vector<RuleId>& way) {
  using Place = std::pair<std::vector<Word>, ProcessId>;  // a state, and who moves alone
  const Interpreter interpreter(program);
  std::vector<RuleId> rules;
  StateWords state = program.initial, next;
  std::vector<Place> places{{{state.begin(), state.end()}, none}};
  std::vector<Finding> findings;
  for (const RuleId rule : way) {
    if (interpreter.fire(rule, state, next, findings) != Interpreter::Firing::successor)
      throw InternalFault("a way that was found backwards cannot be taken: " +
                          program.rules[rule].text);
    std::swap(state, next);
    Place place{{state.begin(), state.end()}, alone_after(program.rules[rule])};
    const auto known = std::find(places.begin(), places.end(), place);
    if (known != places.end()) {
      places.erase(known + 1, places.end());
      rules.resize(places.size() - 1);
      continue;
    }
    rules.push_back(rule);
    places.push_back(std::move(place));
  }
  return rules;
}

bool includes(const Cube& larger, const Cube& smaller) {
  return std::includes(larger.begin(), larger.end(), smaller.begin(), smaller.end());
}

}  // namespace

Induction::Induction(const Program& program)
    : program_(program),
      conditions_(program_),
      encoding_(program_, conditions_,
                [this](std::span<const Literal> clause) { solver_.add(clause); }),
      initial_(encoding_.state().bits_of(program_.initial)) {}

Induction::~Induction() = default;

Literal Induction::next_of(Literal literal) const {
  const Literal distance = encoding_.next_bit(0) - encoding_.bit(0);
  return literal > 0 ? literal + distance : literal - distance;
}

// ---- what is wrong ----------------------------------------------------------------------------

Literal Induction::literal_of(const Target& target) {
  Circuit& circuit = encoding_.circuit();
  Literal bad = circuit.yes();
  const auto also = [&](Literal literal) { bad = circuit.both(bad, literal); };
  if (target.rule != none) {
    for (const RuleConditions::Failure& failure : conditions_.failures(target.rule)) {
      const bool is_meant = failure.check == nullptr
                                ? target.has_no_value
                                : !target.has_no_value && failure.check->kind == target.kind &&
                                      failure.check->assertion == target.assertion;
      if (is_meant) also(encoding_.holds(failure.condition));
    }
    also(encoding_.has_turn(target.rule));
    return bad;
  }
  also(encoding_.is_outside());
  for (const StateError& row : program_.errors.states) {
    if (row.kind != target.kind || row.process != target.process || row.channel != target.channel ||
        row.assertion != target.assertion || !target.is_of(row))
      continue;
    const ExpressionId predicate =
        target.process == none ? row.predicate : row.predicate_at(target.state);
    also(predicate == none ? circuit.no() : encoding_.holds(predicate));
    if (row.channel != none && target.tag == 0) also(-encoding_.is_empty(row.channel));
    if (row.idle == Idle::everybody) also(encoding_.nobody_moves());
    if (row.idle == Idle::process) also(encoding_.does_not_move(row.process));
  }
  if (target.process != none) also(encoding_.is_at(target.process, target.state));
  if (target.tag != 0) also(encoding_.is_first(target.channel, target.tag));
  for (ProcessId p = 0; p < target.control.size(); ++p) also(encoding_.is_at(p, target.control[p]));
  return bad;
}

// ---- questions --------------------------------------------------------------------------------

void Induction::open_frame() {
  active_.push_back(encoding_.circuit().fresh());
  frames_.emplace_back();
  if (active_.size() > 1) return;
  for (std::uint32_t i = 0; i < initial_.size(); ++i) {
    const Literal bit = encoding_.bit(i);
    const Literal clause[] = {-active_[0], initial_[i] ? bit : -bit};
    solver_.add(clause);
  }
}

void Induction::assume_frame(std::size_t level) {
  for (std::size_t i = level; i < active_.size(); ++i) solver_.assume(active_[i]);
}

SatSolver::Answer Induction::ask() {
  const bool is_late = questions_ % 32 == 0 && limits_.deadline.has_passed();
  if (++questions_ > limits_.claims || is_late) {
    shortage_ = is_late ? "time" : "claims";
    solver_.forget_assumptions();
    return SatSolver::Answer::given_up;
  }
  const SatSolver::Answer answer = solver_.ask(limits_.deadline);
  if (answer == SatSolver::Answer::given_up) shortage_ = "time";
  return answer;
}

// Whether one of `bad` is possible there.
SatSolver::Answer Induction::ask_frame(std::size_t level, const std::vector<Literal>& bad) {
  assume_frame(level);
  solver_.constrain(bad);
  return ask();
}

// Whether a step from the frame before `level`, and from outside of the cube, leads into it.
SatSolver::Answer Induction::ask_step_into(const Cube& cube, std::size_t level) {
  assume_frame(level - 1);
  solver_.assume(encoding_.stepping());
  std::vector<Literal> outside;
  for (const Literal literal : cube) {
    outside.push_back(-literal);
    solver_.assume(next_of(literal));
  }
  solver_.constrain(outside);
  return ask();
}

std::vector<Literal> Induction::state_of_model() const {
  std::vector<Literal> state;
  for (std::uint32_t i = 0; i < initial_.size(); ++i) {
    const Literal bit = encoding_.bit(i);
    // Of those that are spread, one says it all.
    if (solver_.is_true(bit))
      state.push_back(bit);
    else if (encoding_.state().spread_field(i) == nullptr)
      state.push_back(-bit);
  }
  std::sort(state.begin(), state.end());
  return state;
}

std::size_t Induction::step_of_model() const {
  for (std::size_t step = 0; step < encoding_.steps(); ++step)
    if (solver_.is_true(encoding_.step(step))) return step;
  return encoding_.steps();
}

Cube Induction::needed(const Cube& cube, bool next) const {
  Cube found;
  for (const Literal literal : cube)
    if (solver_.was_needed(next ? next_of(literal) : literal)) found.push_back(literal);
  return found;
}

// The bits of a state that make sure of `target`, all of whose literals are true there, or behind
// the step.
Cube Induction::lifted(const std::vector<Literal>& state, std::optional<std::size_t> step,
                       const std::vector<Literal>& target) {
  for (const Literal literal : state) solver_.assume(literal);
  std::vector<Literal> otherwise;
  for (const Literal literal : target) otherwise.push_back(step ? -next_of(literal) : -literal);
  if (step) {
    solver_.assume(encoding_.step(*step));
    otherwise.push_back(-encoding_.condition(*step));
  }
  solver_.constrain(otherwise);
  if (ask() != SatSolver::Answer::impossible) return state;
  return needed(state, false);
}

bool Induction::has_initial(const Cube& cube) const {
  return std::all_of(cube.begin(), cube.end(), [&](Literal literal) {
    const auto index = static_cast<std::size_t>(std::abs(literal) - encoding_.bit(0));
    return initial_[index] == (literal > 0);
  });
}

// Adds something of the whole that the initial state has not.
void Induction::keep_out_initial(Cube& cube, const Cube& whole) const {
  if (!has_initial(cube)) return;
  for (const Literal literal : whole) {
    if (has_initial({literal})) continue;
    cube.insert(std::upper_bound(cube.begin(), cube.end(), literal), literal);
    return;
  }
}

// ---- frames -----------------------------------------------------------------------------------

void Induction::exclude(const Cube& cube, std::size_t level) {
  for (std::size_t i = 1; i <= level; ++i)
    std::erase_if(frames_[i], [&](const Cube& other) { return includes(other, cube); });
  frames_[level].push_back(cube);
  std::vector<Literal> clause{-active_[level]};
  for (const Literal literal : cube) clause.push_back(-literal);
  solver_.add(clause);
}

std::uint32_t Induction::group_of(Literal literal) const {
  return encoding_.state().group(static_cast<std::uint32_t>(std::abs(literal) - encoding_.bit(0)));
}

bool Induction::try_without(Cube& cube, const std::function<bool(Literal)>& leave_out,
                            std::size_t level) {
  Cube smaller;
  for (const Literal literal : cube)
    if (!leave_out(literal)) smaller.push_back(literal);
  if (smaller.size() == cube.size() || has_initial(smaller) ||
      ask_step_into(smaller, level) != SatSolver::Answer::impossible)
    return false;
  Cube core = needed(smaller, true);
  keep_out_initial(core, smaller);
  cube = std::move(core);
  return true;
}

// A part of the cube that no step from the frame before leads into either: first without whole
// numbers and messages, then with more values of those that are left, then without single bits.
Cube Induction::generalised(Cube cube, std::size_t level) {
  std::vector<std::uint32_t> groups;
  for (const Literal literal : cube) groups.push_back(group_of(literal));
  std::sort(groups.begin(), groups.end());
  groups.erase(std::unique(groups.begin(), groups.end()), groups.end());
  for (const std::uint32_t group : groups)
    try_without(
        cube, [&](Literal literal) { return group_of(literal) == group; }, level);
  spread(cube, level);
  const Cube whole = cube;
  for (const Literal bit : whole)
    if (std::binary_search(cube.begin(), cube.end(), bit))
      try_without(
          cube, [&](Literal literal) { return literal == bit; }, level);
  return cube;
}

// That a field has one value is that it has none of the others. Leaves out as many of those as the
// reason why no step leads here does not need.
void Induction::spread(Cube& cube, std::size_t level) {
  const BitState& state = encoding_.state();
  Cube others;
  bool has_some = false;
  for (const Literal literal : cube) {
    const auto index = static_cast<std::uint32_t>(std::abs(literal) - encoding_.bit(0));
    const StateField* const field = state.spread_field(index);
    if (literal < 0 || field == nullptr) {
      others.push_back(literal);
      continue;
    }
    has_some = true;
    for (std::uint32_t bit = field->first; bit < field->first + field->bits; ++bit)
      if (bit != index) others.push_back(-encoding_.bit(bit));
  }
  if (!has_some) return;
  std::sort(others.begin(), others.end());
  if (ask_step_into(others, level) != SatSolver::Answer::impossible) return;
  Cube core = needed(others, true);
  keep_out_initial(core, others);
  cube = std::move(core);
}

Induction::Outcome Induction::block(std::size_t first) {
  const auto later = [&](std::size_t a, std::size_t b) {
    return obligations_[a].level > obligations_[b].level;
  };
  std::priority_queue<std::size_t, std::vector<std::size_t>, decltype(later)> waiting(later);
  waiting.push(first);
  while (!waiting.empty()) {
    const std::size_t at = waiting.top();
    const Cube cube = obligations_[at].cube;
    const std::size_t level = obligations_[at].level;
    const auto answer = ask_step_into(cube, level);
    if (answer == SatSolver::Answer::given_up) return Outcome::given_up;
    if (answer == SatSolver::Answer::possible) {
      const std::size_t step = step_of_model();
      Cube before = lifted(state_of_model(), step, cube);
      const bool is_initial = has_initial(before);
      obligations_.push_back({std::move(before), level - 1, step, at});
      if (is_initial) return Outcome::reached;
      waiting.push(obligations_.size() - 1);
      continue;
    }
    waiting.pop();
    Cube core = needed(cube, true);
    keep_out_initial(core, cube);
    core = generalised(std::move(core), level);
    std::size_t to = level;
    while (to + 1 < frames_.size() && ask_step_into(core, to + 1) == SatSolver::Answer::impossible)
      ++to;
    exclude(core, to);
    if (to + 1 < frames_.size()) {
      obligations_[at].level = to + 1;
      waiting.push(at);
    }
  }
  return Outcome::blocked;
}

// Whether two frames are the same now.
bool Induction::push_forward() {
  for (std::size_t level = 1; level + 1 < frames_.size(); ++level) {
    const std::vector<Cube> cubes = frames_[level];
    for (const Cube& cube : cubes)
      if (ask_step_into(cube, level + 1) == SatSolver::Answer::impossible) exclude(cube, level + 1);
    if (!frames_[level].empty()) continue;
    for (std::size_t above = level + 1; above < frames_.size(); ++above)
      for (const Cube& cube : frames_[above]) {
        std::vector<Literal> clause;
        for (const Literal literal : cube) clause.push_back(-literal);
        solver_.add(clause);
      }
    // From now on they hold everywhere.
    for (const Literal literal : active_) {
      const Literal clause[] = {-literal};
      solver_.add(clause);
    }
    active_.clear();
    frames_.clear();
    return true;
  }
  return false;
}

std::vector<RuleId> Induction::way() const {
  std::vector<RuleId> rules;
  for (std::size_t at = obligations_.size() - 1; at != SIZE_MAX; at = obligations_[at].next)
    if (obligations_[at].step < program_.rules.size())
      rules.push_back(static_cast<RuleId>(obligations_[at].step));
  return without_rounds(program_, rules);
}

// Frames say what can be reached, whatever was looked for: those of the searches before are kept.
std::vector<BackwardAnswer> Induction::search(const std::vector<Target>& targets,
                                              const BackwardLimits& limits) {
  limits_ = limits;
  questions_ = 0;
  std::vector<BackwardAnswer> answers(targets.size());
  std::vector<std::pair<Literal, std::size_t>> open;
  for (std::size_t i = 0; i < targets.size(); ++i) {
    open.emplace_back(literal_of(targets[i]), i);
  }
  const auto ask = [&](std::size_t level) {
    std::vector<Literal> bad;
    for (const auto& [literal, target] : open) bad.push_back(literal);
    return open.empty() ? SatSolver::Answer::impossible : ask_frame(level, bad);
  };
  const auto settle = [&](std::size_t index, Reachability reachability) {
    BackwardAnswer& answer = answers[open[index].second];
    answer.reachability = reachability;
    answer.claims = questions_;
    if (reachability == Reachability::reachable) answer.rules = way();
    open.erase(open.begin() + static_cast<std::ptrdiff_t>(index));
  };
  const auto shown = [&] {
    std::size_t index = 0;
    while (!solver_.is_true(open[index].first)) ++index;
    return index;
  };
  if (frames_.empty()) open_frame();
  obligations_.assign(1, {{}, 0, SIZE_MAX, SIZE_MAX});
  auto found = SatSolver::Answer::possible;
  while ((found = ask(0)) == SatSolver::Answer::possible) settle(shown(), Reachability::reachable);
  if (frames_.size() == 1) open_frame();
  while (!open.empty() && found != SatSolver::Answer::given_up) {
    const std::size_t last = frames_.size() - 1;
    while ((found = ask(last)) == SatSolver::Answer::possible) {
      const std::size_t index = shown();
      obligations_.clear();
      obligations_.push_back(
          {lifted(state_of_model(), {}, {open[index].first}), last, SIZE_MAX, SIZE_MAX});
      const Outcome outcome = block(0);
      if (outcome == Outcome::reached) settle(index, Reachability::reachable);
      if (outcome == Outcome::given_up) found = SatSolver::Answer::given_up;
      if (outcome == Outcome::given_up) break;
    }
    if (found == SatSolver::Answer::given_up) break;
    open_frame();
    if (push_forward())
      while (!open.empty()) settle(0, Reachability::unreachable);
  }
  for (const auto& [literal, target] : open) answers[target].reason = shortage_;
  return answers;
}

}  // namespace panoptes
