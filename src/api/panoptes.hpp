// SPDX-License-Identifier: Apache-2.0
// Panoptes as a library for C++: the functions of panoptes.h as values that look after themselves.
// docs/library.md tells how to use it and has examples.
//
// Idea: all of it is inline and stands on the functions of C, so it can be compiled by any compiler
// and with any standard library, whatever Panoptes itself was compiled with.
//
// What can fail returns a Result: a value, or a Problem that says why there is none. What your own
// watcher throws comes out of Model::check() when the check has ended. Beside that, nothing is
// thrown but std::bad_alloc, where there is no memory: by Canceller(), Model::warnings(),
// Walk::state() and version(), by copies of values, and where there is not even enough for a
// Problem. Structs are copies, and outlive what they came from.
//
// Thread safety: as panoptes.h says. One Model may be used by any number of threads at once;
// everything else by one at a time.
#pragma once

#include <panoptes.h>

#include <cstddef>
#include <cstdint>
#include <exception>
#include <functional>
#include <memory>
#include <new>
#include <string>
#include <utility>
#include <variant>
#include <vector>

namespace panoptes {
// The names are for users of the library alone; inside of it some mean something else.
inline namespace library_0 {

// ---- what went wrong ---------------------------------------------------------------------------

struct Diagnostic {
  bool is_error = true;  // else a warning
  std::string file;
  std::uint32_t line = 0, column = 0;  // from 1; 0 where it has no place
  std::string message;                 // one sentence
  std::string suggestion;              // what to do; may be empty
};

struct Problem {
  panoptes_status status = PANOPTES_OWN_FAULT;
  std::string text;  // for people, with the lines it is about
  std::vector<Diagnostic> diagnostics = {};
};

template <typename Value>
class [[nodiscard]] Result {
 public:
  Result(Value value) : held_(std::in_place_index<0>, std::move(value)) {}
  Result(Problem problem) : held_(std::in_place_index<1>, std::move(problem)) {}

  explicit operator bool() const { return held_.index() == 0; }
  // REQUIRES: there is a value.
  Value& operator*() { return *std::get_if<0>(&held_); }
  const Value& operator*() const { return *std::get_if<0>(&held_); }
  Value* operator->() { return std::get_if<0>(&held_); }
  const Value* operator->() const { return std::get_if<0>(&held_); }
  // REQUIRES: there is none.
  const Problem& problem() const { return *std::get_if<1>(&held_); }

 private:
  std::variant<Value, Problem> held_;
};

// ---- plain values ------------------------------------------------------------------------------

// By the names and values of the command line, without dashes; a switch has the value "on".
struct Option {
  std::string name, value = "on";
};
using Options = std::vector<Option>;

// A text in memory, and what diagnostics and includes call it.
struct Text {
  std::string name, text;
};

// One step of a trail, or one that can be taken. The fields are those of panoptes_step.
struct Step {
  std::uint32_t rule = 0;
  std::string process, kind, action, from, to, channel, message, file;
  std::uint32_t line = 0, column = 0;
  std::size_t received_at = 0;
  bool fails = false;
};

// An error, with the steps that lead to it. The fields are those of panoptes_error.
struct Error {
  std::string kind, text, cause, process, state, message;
  bool is_warning = false, is_shortest = false;
  std::uint64_t count = 0, step_count = 0;
  std::string left_out;  // why the trail is not there; "" where it is
  std::vector<Step> steps, cycle;
};

enum class Outcome {
  holds = PANOPTES_HOLDS,
  violated = PANOPTES_VIOLATED,
  unknown = PANOPTES_UNKNOWN
};

// What a check has found, in numbers and words. The fields are those of panoptes_summary.
struct Summary {
  Outcome outcome = Outcome::unknown;
  std::string promise, stop, sentence;
  std::uint64_t states = 0, transitions = 0, depth = 0;
  double seconds = 0.0;
};

struct NamedValue {
  std::string name, value;
};

// The state that a walk is in. The fields are those of panoptes_state.
struct State {
  std::size_t step = 0, length = 0;
  std::vector<NamedValue> processes, variables, channels;
  std::vector<Step> enabled;
  std::vector<std::string> errors;
};

// ---- how values come from C --------------------------------------------------------------------

namespace from_c {

struct Free {
  void operator()(panoptes_options* p) const { panoptes_options_free(p); }
  void operator()(panoptes_diagnostics* p) const { panoptes_diagnostics_free(p); }
  void operator()(panoptes_model* p) const { panoptes_model_free(p); }
  void operator()(panoptes_verdict* p) const { panoptes_verdict_free(p); }
  void operator()(panoptes_run* p) const { panoptes_run_free(p); }
  void operator()(panoptes_walk* p) const { panoptes_walk_free(p); }
  void operator()(panoptes_canceller* p) const { panoptes_canceller_free(p); }
  void operator()(char* p) const { panoptes_free(p); }
};
template <typename Handle>
using Owned = std::unique_ptr<Handle, Free>;

inline std::vector<Diagnostic> list(const panoptes_diagnostics* diagnostics) {
  std::vector<Diagnostic> all;
  for (std::size_t i = 0; i < panoptes_diagnostics_count(diagnostics); ++i) {
    const panoptes_diagnostic& d = *panoptes_diagnostics_get(diagnostics, i);
    all.push_back({d.is_error != 0, d.file, d.line, d.column, d.message, d.suggestion});
  }
  return all;
}

inline Problem no_memory() { return {PANOPTES_NO_MEMORY, {}}; }

inline Step step(const panoptes_step& s) {
  return {s.rule,    s.process, s.kind, s.action, s.from,        s.to,        s.channel,
          s.message, s.file,    s.line, s.column, s.received_at, s.fails != 0};
}

inline std::vector<Step> steps(const panoptes_step* first, std::size_t count) {
  std::vector<Step> all;
  for (std::size_t i = 0; i < count; ++i) all.push_back(step(first[i]));
  return all;
}

inline Error error(const panoptes_error& e) {
  return {e.kind,
          e.text,
          e.cause,
          e.process,
          e.state,
          e.message,
          e.is_warning != 0,
          e.is_shortest != 0,
          e.count,
          e.step_count,
          e.left_out,
          steps(e.steps, e.steps_count),
          steps(e.cycle, e.cycle_count)};
}

inline std::vector<NamedValue> values(const panoptes_value* first, std::size_t count) {
  std::vector<NamedValue> all;
  for (std::size_t i = 0; i < count; ++i) all.push_back({first[i].name, first[i].value});
  return all;
}

// Calls `function(result, problem)` of C, and makes a Value of the handle it has made.
template <typename Value, typename Handle, typename Function>
Result<Value> made(Function function) {
  try {
    Handle* handle = nullptr;
    panoptes_diagnostics* said = nullptr;
    const panoptes_status status = function(&handle, &said);
    const Owned<panoptes_diagnostics> problem(said);
    Owned<Handle> owned(handle);
    if (status == PANOPTES_OK) return Value(std::move(owned));
    return Problem{status, panoptes_diagnostics_text(said), list(said)};
  } catch (const std::bad_alloc&) {
    return no_memory();
  }
}

// A text that C has made. Where it has made none, there is no memory, or nothing to be made.
inline Result<std::string> text(char* made) {
  try {
    const Owned<char> owned(made);
    if (!owned) return Problem{PANOPTES_BAD_CALL, {}};
    return std::string(owned.get());
  } catch (const std::bad_alloc&) {
    return no_memory();
  }
}

inline Owned<panoptes_options> options(const Options& given) {
  Owned<panoptes_options> all(panoptes_options_new());
  if (!all) throw std::bad_alloc();
  for (const Option& option : given)
    if (panoptes_options_set(all.get(), option.name.c_str(), option.value.c_str()) != PANOPTES_OK)
      throw std::bad_alloc();
  return all;
}

}  // namespace from_c

// ---- checking ----------------------------------------------------------------------------------

using Progress = panoptes_progress;
// Told how far a check is, a few times a second; false cancels it.
using Watcher = std::function<bool(const Progress&)>;

// Cancels checks from any thread: all that it was given to, now or later.
class Canceller {
 public:
  Canceller() : handle_(panoptes_canceller_new()) {
    if (!handle_) throw std::bad_alloc();
  }
  void cancel() { panoptes_cancel(handle_.get()); }
  panoptes_canceller* handle() const { return handle_.get(); }

 private:
  from_c::Owned<panoptes_canceller> handle_;
};

// What a check has found.
class Verdict : public Summary {
 public:
  std::vector<Error> errors;  // the shortest trail first
  std::vector<Error> warnings;

  // The trail of the error `index`, warnings behind the errors, as a sequence chart: "text",
  // "full", "mermaid", "plantuml", "svg", "columns" or "steps".
  Result<std::string> chart(std::size_t index, const std::string& form = "text",
                            std::size_t width = 0) const {
    return from_c::text(panoptes_verdict_chart(handle_.get(), index, form.c_str(), width));
  }
  // As `panoptes check --json`, `panoptes check` and `panoptes check --trail` have it.
  Result<std::string> json() const { return from_c::text(panoptes_verdict_json(handle_.get())); }
  Result<std::string> text() const { return from_c::text(panoptes_verdict_text(handle_.get())); }
  Result<std::string> trails() const {
    return from_c::text(panoptes_verdict_trails(handle_.get()));
  }

  explicit Verdict(from_c::Owned<panoptes_verdict> handle) : handle_(std::move(handle)) {
    const panoptes_summary& s = *panoptes_verdict_summary(handle_.get());
    static_cast<Summary&>(*this) = {static_cast<Outcome>(s.outcome),
                                    s.promise,
                                    s.stop,
                                    s.sentence,
                                    s.states,
                                    s.transitions,
                                    s.depth,
                                    s.seconds};
    for (std::size_t i = 0; i < s.errors + s.warnings; ++i) {
      const panoptes_error* const error = panoptes_verdict_error(handle_.get(), i);
      if (!error) throw std::bad_alloc();
      (i < s.errors ? errors : warnings).push_back(from_c::error(*error));
    }
  }

 private:
  from_c::Owned<panoptes_verdict> handle_;
};

// ---- replaying and stepping --------------------------------------------------------------------

// A trail that was walked once more.
class Run {
 public:
  Error error;  // what it comes to; its kind is "" where there is no error

  Result<std::string> chart(const std::string& form = "text", std::size_t width = 0) const {
    return from_c::text(panoptes_run_chart(handle_.get(), form.c_str(), width));
  }
  Result<std::string> json() const { return from_c::text(panoptes_run_json(handle_.get())); }

  explicit Run(from_c::Owned<panoptes_run> handle)
      : error(from_c::error(*panoptes_run_error(handle.get()))), handle_(std::move(handle)) {}

 private:
  from_c::Owned<panoptes_run> handle_;
};

// A walk through the states of a model, one step at a time, forwards and backwards.
class Walk {
 public:
  State state() const {
    const panoptes_state& s = *panoptes_walk_state(handle_.get());
    return {s.step,
            s.length,
            from_c::values(s.processes, s.processes_count),
            from_c::values(s.variables, s.variables_count),
            from_c::values(s.channels, s.channels_count),
            from_c::steps(s.enabled, s.enabled_count),
            {s.errors, s.errors + s.errors_count}};
  }
  // Takes one of the steps that are enabled, from 0 on; false where that is not possible.
  bool take(std::size_t choice) { return panoptes_walk_take(handle_.get(), choice) == PANOPTES_OK; }
  // Goes to where so many steps of those known are behind; false where there are not so many.
  bool go_to(std::size_t step) { return panoptes_walk_go_to(handle_.get(), step) == PANOPTES_OK; }
  // The steps so far as a file of trails, for Model::replay().
  Result<std::string> trail() const { return from_c::text(panoptes_walk_trail(handle_.get())); }

  explicit Walk(from_c::Owned<panoptes_walk> handle) : handle_(std::move(handle)) {}

 private:
  from_c::Owned<panoptes_walk> handle_;
};

// ---- models ------------------------------------------------------------------------------------

// A model, read and compiled. It never changes.
class Model {
 public:
  static Result<Model> load(const std::string& path, const Options& options = {}) {
    return from_c::made<Model, panoptes_model>([&](auto** model, auto** problem) {
      return panoptes_load_file(path.c_str(), from_c::options(options).get(), model, problem);
    });
  }
  // The first text is the model, the others are what it may include. No file is read.
  static Result<Model> from_texts(const std::vector<Text>& texts, const Options& options = {}) {
    return from_c::made<Model, panoptes_model>([&](auto** model, auto** problem) {
      std::vector<panoptes_text> plain;
      for (const Text& t : texts) plain.push_back({t.name.c_str(), t.text.data(), t.text.size()});
      return panoptes_load_texts(plain.data(), plain.size(), from_c::options(options).get(), model,
                                 problem);
    });
  }

  std::vector<Diagnostic> warnings() const {
    return from_c::list(panoptes_model_warnings(handle_.get()));
  }

  // A model that is wrong, and a check that is cancelled, has a verdict that says so.
  Result<Verdict> check(const Options& options = {}, const Watcher& watcher = {},
                        const Canceller* canceller = nullptr) const {
    Watched watched{watcher, {}};
    auto verdict = from_c::made<Verdict, panoptes_verdict>([&](auto** made, auto** problem) {
      return panoptes_check_model(handle_.get(), from_c::options(options).get(),
                                  watcher ? &Watched::tell : nullptr, &watched,
                                  canceller ? canceller->handle() : nullptr, made, problem);
    });
    if (watched.thrown) std::rethrow_exception(watched.thrown);
    return verdict;
  }

  // Walks the trail `number`, from 1 on, of a file of trails again.
  Result<Run> replay(const std::string& trails, std::size_t number = 1) const {
    return from_c::made<Run, panoptes_run>([&](auto** run, auto** problem) {
      return panoptes_replay(handle_.get(), trails.data(), trails.size(), number, run, problem);
    });
  }

  // Begins in the initial state.
  Result<Walk> walk() const {
    return from_c::made<Walk, panoptes_walk>([&](auto** made, auto** problem) {
      return panoptes_walk_new(handle_.get(), made, problem);
    });
  }

  explicit Model(from_c::Owned<panoptes_model> handle) : handle_(std::move(handle)) {}

 private:
  // What comes between a watcher and C, which knows no exceptions.
  struct Watched {
    const Watcher& watcher;
    std::exception_ptr thrown;

    static int tell(void* context, const panoptes_progress* progress) {
      auto& self = *static_cast<Watched*>(context);
      try {
        return self.watcher(*progress) ? 1 : 0;
      } catch (...) {
        self.thrown = std::current_exception();
        return 0;
      }
    }
  };

  from_c::Owned<panoptes_model> handle_;
};

// The version of the library: "0.1.0".
inline std::string version() { return panoptes_version(); }

}  // namespace library_0
}  // namespace panoptes
