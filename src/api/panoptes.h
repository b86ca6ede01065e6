// SPDX-License-Identifier: Apache-2.0
// Panoptes as a library: finds design errors in communication protocols. docs/library.md tells how
// to use it and has examples.
//
// Handles are opaque, and freed by the function of their name; freeing NULL does nothing. A handle
// keeps whatever it needs of the others, so they may be freed in any order.
//
// Functions that can fail return a panoptes_status. Their last parameter, which may be NULL, is
// where the reason goes: a handle that the caller frees, or NULL where there is nothing to be said.
// A status other than PANOPTES_OK leaves the other results as they were.
//
// All texts are UTF-8, end with a zero, and are never NULL in a struct; those in structs belong to
// the handle that the struct is from, and live as long. A function that returns `char *` makes a
// text which the caller frees by panoptes_free(); it returns NULL where there is no memory for it.
// Structs may get more fields at their ends in later versions.
//
// Thread safety: different handles may be used by different threads at the same time; one handle
// by one thread at a time. Exceptions: a panoptes_model may be checked, replayed and stepped by
// any number of threads at once, and panoptes_cancel() may be called by any.
//
// The library never prints, never ends the process, installs no signal handlers and leaves the
// locale alone; no exception comes out of it.
#ifndef PANOPTES_H
#define PANOPTES_H

#include <stddef.h>
#include <stdint.h>

#if defined(__GNUC__)
#define PANOPTES_API __attribute__((visibility("default")))
#else
#define PANOPTES_API
#endif

#ifdef __cplusplus
extern "C" {
#endif

// ---- what went wrong ---------------------------------------------------------------------------

typedef enum panoptes_status {
  PANOPTES_OK = 0,
  PANOPTES_BAD_INPUT = 1,  // the model, an option or a trail: the diagnostics say what
  PANOPTES_NO_MEMORY = 2,  // there is not enough of it
  PANOPTES_OWN_FAULT = 3,  // a fault of Panoptes, not of the model: please report it
  PANOPTES_BAD_CALL = 4    // an argument that must not be NULL is, or a number is out of range
} panoptes_status;

// What the user is told about the input.
typedef struct panoptes_diagnostic {
  int is_error;  // else a warning
  const char* file;
  uint32_t line, column;   // from 1, the column in bytes; 0 where it has no place
  const char* message;     // one sentence
  const char* suggestion;  // what to do; may be empty
} panoptes_diagnostic;

typedef struct panoptes_diagnostics panoptes_diagnostics;

// How many there are, errors and warnings; 0 of NULL.
PANOPTES_API size_t panoptes_diagnostics_count(const panoptes_diagnostics* diagnostics);
// One of them, from 0 on; NULL where there are not so many.
PANOPTES_API const panoptes_diagnostic* panoptes_diagnostics_get(
    const panoptes_diagnostics* diagnostics, size_t index);
// All of them as text for people, with the lines they are about; "" of NULL.
PANOPTES_API const char* panoptes_diagnostics_text(const panoptes_diagnostics* diagnostics);
PANOPTES_API void panoptes_diagnostics_free(panoptes_diagnostics* diagnostics);

// The version of the library: "0.1.0".
PANOPTES_API const char* panoptes_version(void);
// Frees a text that a function has made.
PANOPTES_API void panoptes_free(char* text);

// ---- options -----------------------------------------------------------------------------------

// Options have the names and values they have on the command line, without dashes: "search" with
// "supertrace", "D" with "NAME=VALUE". A switch has the value "on". docs/library.md says which
// there are for a model, and which for a check.
typedef struct panoptes_options panoptes_options;

// No options yet; NULL where there is no memory.
PANOPTES_API panoptes_options* panoptes_options_new(void);
// Adds one. An option that may be repeated has all its values, of others the last one counts.
// Whether name and value make sense is said when they are used.
PANOPTES_API panoptes_status panoptes_options_set(panoptes_options* options, const char* name,
                                                  const char* value);
PANOPTES_API void panoptes_options_free(panoptes_options* options);

// ---- models ------------------------------------------------------------------------------------

// A model, read and compiled. It never changes.
typedef struct panoptes_model panoptes_model;

// A text that is in memory.
typedef struct panoptes_text {
  const char* name;  // what diagnostics call it, and files that include it
  const char* text;
  size_t bytes;
} panoptes_text;

// Loads the model in the file `path`. `options` may be NULL. A model that can be loaded may still
// have warnings: panoptes_model_warnings().
PANOPTES_API panoptes_status panoptes_load_file(const char* path, const panoptes_options* options,
                                                panoptes_model** model,
                                                panoptes_diagnostics** problem);
// The same of texts in memory: the first one is the model, the others are what it may include. No
// file is read. The language is chosen by the name, as that of a file is.
PANOPTES_API panoptes_status panoptes_load_texts(const panoptes_text* texts, size_t count,
                                                 const panoptes_options* options,
                                                 panoptes_model** model,
                                                 panoptes_diagnostics** problem);
// Warnings about a model that was loaded; NULL where there are none. They belong to the model.
PANOPTES_API const panoptes_diagnostics* panoptes_model_warnings(const panoptes_model* model);
PANOPTES_API void panoptes_model_free(panoptes_model* model);

// ---- trails ------------------------------------------------------------------------------------

// One step of a trail, or one that can be taken.
typedef struct panoptes_step {
  uint32_t rule;          // its number in the table of rules
  const char* process;    // who takes it
  const char* kind;       // "send", "receive", "timeout", "assert", "flush", "internal", or what a
                          // line does: "lose", "copy"
  const char* action;     // as it is written in the model
  const char* from;       // where the process is before it: a label, or line:column ...
  const char* to;         // ... and then; "" where the step fails
  const char* channel;    // "" where it uses none
  const char* message;    // sent or received, with its values; "" where there is none
  const char* file;       // of its statement
  uint32_t line, column;  // 0 where it has no place
  size_t received_at;     // of a send: the number of the step that receives this very message,
                          // from 1; 0 where none does
  int fails;              // it runs into an error and leads nowhere
} panoptes_step;

// An error, with the steps that lead to it.
typedef struct panoptes_error {
  const char* kind;      // "deadlock", "unspecified_reception", "assertion", "unread_messages",
                         // "overflow", "division_by_zero", "index_out_of_range", "out_of_range",
                         // "endless_atomic", "invariant", "reached" (the answer to `reach`),
                         // "livelock" or "stuck"; ""
                         // of a run without an error
  const char* text;      // one sentence
  const char* cause;     // what it comes from, where that is known; else ""
  const char* process;   // concerned; "" where all are
  const char* state;     // the control state, by name; of all, joined by ",", where all are
  const char* message;   // message, event or channel concerned; "" where none is
  int is_warning;        // what is no error unless the check is strict
  int is_shortest;       // no shorter trail leads to it, an `atomic` being one step
  uint64_t count;        // in how many states it was found
  uint64_t step_count;   // of the trail, also where that was left out
  const char* left_out;  // why the trail is not there: "no time for it" or "no memory for it"; ""
                         // where it is
  const panoptes_step* steps;
  size_t steps_count;
  const panoptes_step* cycle;  // of a livelock: what repeats for ever after those steps
  size_t cycle_count;
} panoptes_error;

// ---- checking ----------------------------------------------------------------------------------

typedef enum panoptes_outcome {
  PANOPTES_HOLDS = 0,     // there is no error
  PANOPTES_VIOLATED = 1,  // there are
  PANOPTES_UNKNOWN = 2    // none was found, and not everything was seen
} panoptes_outcome;

typedef struct panoptes_progress {
  uint64_t states, transitions, depth;
  uint64_t waiting;  // states that are known and not yet expanded; 0 in random walks
  uint64_t memory_bytes;
  double seconds;
  uint64_t run, runs;  // of several searches, this one
} panoptes_progress;

// Told how far a check is, a few times a second, by one thread at a time and not always by the one
// that called panoptes_check_model(). 0 cancels the check; anything else lets it go on.
typedef int (*panoptes_watcher)(void* context, const panoptes_progress* progress);

// Cancels checks, also from other threads: all that it was given to, now or later.
typedef struct panoptes_canceller panoptes_canceller;
// NULL where there is no memory.
PANOPTES_API panoptes_canceller* panoptes_canceller_new(void);
// The checks end soon. Their verdicts say so: what they have found, "interrupted", and never that
// the model holds. May be called by any thread, but by no signal handler.
PANOPTES_API void panoptes_cancel(panoptes_canceller* canceller);
// REQUIRES: no check that it was given to is running.
PANOPTES_API void panoptes_canceller_free(panoptes_canceller* canceller);

// What a check has found.
typedef struct panoptes_verdict panoptes_verdict;

typedef struct panoptes_summary {
  panoptes_outcome outcome;
  const char* promise;   // what it rests on: "exhaustive", "hashed" or "partial"
  const char* stop;      // why it ended: "finished", "interrupted", "time limit reached", ...
  const char* sentence;  // all of that for people, in a line
  uint64_t states, transitions, depth;
  double seconds;
  size_t errors, warnings;  // different ones
} panoptes_summary;

// Checks a model. `options` may be NULL, and so may `watcher` and `canceller`. A model that is
// wrong, and a check that is cancelled, is PANOPTES_OK: the verdict says so.
PANOPTES_API panoptes_status panoptes_check_model(const panoptes_model* model,
                                                  const panoptes_options* options,
                                                  panoptes_watcher watcher, void* context,
                                                  panoptes_canceller* canceller,
                                                  panoptes_verdict** verdict,
                                                  panoptes_diagnostics** problem);
PANOPTES_API const panoptes_summary* panoptes_verdict_summary(const panoptes_verdict* verdict);
// An error, from 0 on, the shortest trail first; behind the errors come the warnings. NULL where
// there are not so many, or no memory for it: it is made when it is first asked for.
PANOPTES_API const panoptes_error* panoptes_verdict_error(const panoptes_verdict* verdict,
                                                          size_t index);
// The trail of an error as a sequence chart. `form` is "text", "full", "mermaid", "plantuml",
// "svg", "columns" or "steps"; `width` is that of a text, 0 where nobody minds. NULL also where
// there is no such error or form.
PANOPTES_API char* panoptes_verdict_chart(const panoptes_verdict* verdict, size_t index,
                                          const char* form, size_t width);
// The whole verdict as JSON, as `panoptes check --json` prints it (docs/reports.md); memory is that
// of the search alone, since the process is not ours, and options are those of model and check.
PANOPTES_API char* panoptes_verdict_json(const panoptes_verdict* verdict);
// The whole verdict as text for people, as `panoptes check` prints it where there is no terminal;
// memory as above.
PANOPTES_API char* panoptes_verdict_text(const panoptes_verdict* verdict);
// All trails as a file of trails, as `panoptes check --trail` writes it (docs/simulation.md); ""
// where there are none.
PANOPTES_API char* panoptes_verdict_trails(const panoptes_verdict* verdict);
PANOPTES_API void panoptes_verdict_free(panoptes_verdict* verdict);

// ---- replaying ---------------------------------------------------------------------------------

// A trail that was walked once more.
typedef struct panoptes_run panoptes_run;

// Walks the trail `number`, from 1 on, of a file of trails again: every step must be possible, and
// the error at its end must show. PANOPTES_BAD_INPUT where the model was loaded with other options
// than those the file names, `D` included, where its rules are others, and where there is no such
// trail.
PANOPTES_API panoptes_status panoptes_replay(const panoptes_model* model, const char* trails,
                                             size_t bytes, size_t number, panoptes_run** run,
                                             panoptes_diagnostics** problem);
// What it comes to; its kind is "" where the trail has no error.
PANOPTES_API const panoptes_error* panoptes_run_error(const panoptes_run* run);
// As panoptes_verdict_chart().
PANOPTES_API char* panoptes_run_chart(const panoptes_run* run, const char* form, size_t width);
// As `panoptes replay --json` prints it.
PANOPTES_API char* panoptes_run_json(const panoptes_run* run);
PANOPTES_API void panoptes_run_free(panoptes_run* run);

// ---- stepping ----------------------------------------------------------------------------------

// A walk through the states of a model, one step at a time, forwards and backwards.
typedef struct panoptes_walk panoptes_walk;

// Where a process is, what a variable has, what is in a channel.
typedef struct panoptes_value {
  const char* name;
  const char* value;
} panoptes_value;

// The state that a walk is in. Valid until the walk moves.
typedef struct panoptes_state {
  size_t step;    // steps from the initial state
  size_t length;  // steps known, those ahead included
  const panoptes_value* processes;
  size_t processes_count;
  const panoptes_value* variables;
  size_t variables_count;
  const panoptes_value* channels;  // head first; those that are empty have "" as value
  size_t channels_count;
  const panoptes_step* enabled;  // what can happen now
  size_t enabled_count;
  const char* const* errors;  // what is wrong with the state, in sentences
  size_t errors_count;
} panoptes_state;

// Begins a walk in the initial state.
PANOPTES_API panoptes_status panoptes_walk_new(const panoptes_model* model, panoptes_walk** walk,
                                               panoptes_diagnostics** problem);
PANOPTES_API const panoptes_state* panoptes_walk_state(const panoptes_walk* walk);
// Takes one of the steps that are enabled, from 0 on. PANOPTES_BAD_CALL where there are not so
// many or it fails, and where the walk has 100,000 steps. Where there is no memory for a move the
// walk stays where it is, and may forget the steps ahead.
PANOPTES_API panoptes_status panoptes_walk_take(panoptes_walk* walk, size_t choice);
// Goes to where so many steps of those known are behind; 0 is the initial state.
PANOPTES_API panoptes_status panoptes_walk_go_to(panoptes_walk* walk, size_t step);
// The steps so far as a file of trails, for panoptes_replay().
PANOPTES_API char* panoptes_walk_trail(const panoptes_walk* walk);
PANOPTES_API void panoptes_walk_free(panoptes_walk* walk);

#ifdef __cplusplus
}
#endif

#endif
