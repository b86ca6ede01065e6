// SPDX-License-Identifier: Apache-2.0
#include "options/table.hpp"

#include <algorithm>
#include <array>

#include "options/words.hpp"
#include "protocol/limits.hpp"
#include "report/chart.hpp"
#include "session/walk.hpp"
#include "store/bit_store.hpp"
#include "store/hash_store.hpp"
#include "verdict/global_graph.hpp"

namespace panoptes {
namespace {

constexpr std::string_view verdict_codes =
    "0 holds, 1 errors found, 2 bad input or usage, 3 unknown, 4 internal failure";

constexpr std::string_view sweep_codes =
    "0 all combinations hold, 1 some are violated, 2 bad input or usage, or none compiles, 3 some "
    "are unknown, not compiled or not run and none is violated, 4 internal failure, of a run too";

constexpr std::string_view printed_codes = "0 printed, 2 bad usage, 4 internal failure";

constexpr std::array commands = std::to_array<CommandInfo>({
    {"check", "MODEL",
     "Search a protocol for errors; each comes with a way there, the shortest with --shortest.",
     "panoptes check protocol.argos\n"
     "panoptes check protocol.argos --timeouts lock --first --steps\n"
     "panoptes check protocol.argos --json -D WINDOW=4 --time 5m\n",
     verdict_codes},
    {"sweep", "MODEL", "Check a protocol for every combination of its parameters.",
     "panoptes sweep protocol.argos -D WINDOW=1..4 -D LOSS=0,1\n"
     "panoptes sweep protocol.argos -D N=2..8..2 -D 'FAULT?' --time 10s\n"
     "panoptes sweep protocol.argos -D N=1..9 --report table.csv --report plot.svg\n",
     sweep_codes},
    {"show", "MODEL", "Show what a model is compiled to.",
     "panoptes show protocol.argos --automata\n"
     "panoptes show protocol.argos --holes\n"
     "panoptes show protocol.argos --channels --format svg --output channels.svg\n"
     "panoptes show protocol.argos --graph --format svg --output graph.svg\n"
     "panoptes show protocol.argos --layout --format json\n",
     "0 done, 2 bad input or usage, 3 not done in --time, or --holes or --graph has not seen "
     "everything, 4 internal failure"},
    {"backward", "MODEL",
     "Start from what must not happen, and prove that it cannot or show how it can.",
     "panoptes backward protocol.argos\n"
     "panoptes backward protocol.argos --never \"p@critical && q@critical\" --time 60s\n"
     "panoptes backward protocol.argos --engine claims --json\n",
     verdict_codes},
    {"certify", "MODEL CERTIFICATE", "Check a proof of `backward`, trusting nothing that made it.",
     "panoptes certify protocol.argos proof.txt\n"
     "panoptes certify protocol.argos proof.txt --json\n",
     "0 it is a proof, 1 it is none, 2 bad input or usage, 3 not known in --time or --memory, "
     "or interrupted, 4 internal failure"},
    {"plan", "MODEL", "Estimate what a search would take on many machines; no promise.",
     "panoptes plan protocol.argos\n"
     "panoptes plan protocol.argos --nodes 1,4,16,64 --cores 32 --node-memory 128G\n"
     "panoptes plan protocol.argos --states 10000000000 --json\n",
     "0 estimated, 2 bad input or usage, 3 not done in --time, 4 internal failure"},
    {"relate", "MODEL", "Search a protocol for errors in a database, by queries.",
     "panoptes relate protocol.argos\n"
     "panoptes relate protocol.argos --db postgresql://user@host/name\n"
     "panoptes relate protocol.argos --steps --keep relations.db\n"
     "mpirun -n 4 panoptes relate protocol.argos --on hypercube\n",
     verdict_codes},
    {"query", "MODEL [SQL]", "Ask the state space of a protocol anything, in SQL.",
     "panoptes query protocol.argos \"SELECT count(*) FROM states\"\n"
     "panoptes query protocol.argos \"FROM path_to(17)\" --format json\n"
     "panoptes query protocol.argos --named deadlocks --db duckdb:space.db\n"
     "panoptes query protocol.argos --schema\n",
     "0 answered, 2 bad input, usage or SQL, 3 answered but the space is partial, 4 internal "
     "failure"},
    {"replay", "MODEL TRAIL", "Walk a trail once more, and see what every step changes.",
     "panoptes replay protocol.argos trails.json\n"
     "panoptes replay protocol.argos trails.json --chart text\n"
     "panoptes replay protocol.argos trails.json --error 2 --interactive --step 5\n",
     "0 replayed, 1 replayed and the error shows again, 2 bad input or usage, 3 interrupted, 4 "
     "internal failure"},
    {"simulate", "MODEL", "Run a protocol by chance, or a step at a time.",
     "panoptes simulate protocol.argos --seed 7 --length 1000\n"
     "panoptes simulate protocol.argos --weight timeout=0 --trail run.json\n"
     "panoptes simulate protocol.argos --interactive\n",
     "0 no error, 1 an error was met, 2 bad input or usage, 3 interrupted, 4 internal failure"},
    {"format", "[FILE...]", "Lay out Argos text: no word, comment or directive changes.",
     "panoptes format protocol.argos\n"
     "panoptes format --write *.argos\n"
     "panoptes format --check *.argos\n",
     "0 done, 1 --check found files to lay out, 2 bad input or usage, 4 internal failure"},
    {"explain", "[KIND]", "What a kind of error is, an example of it, and how to mend it.",
     "panoptes explain\n"
     "panoptes explain deadlock\n"
     "panoptes explain deadlock --example > example.argos\n",
     "0 done, 2 bad input or usage, 4 internal failure"},
    {"help", "[COMMAND]", "Print help, of the program or of a command.",
     "panoptes help\n"
     "panoptes help check\n",
     printed_codes},
    {"manual", "", "Print the manual page, for man.",
     "panoptes manual | man -l -\n"
     "panoptes manual >panoptes.1\n",
     printed_codes},
    {"completion", "SHELL", "Print a script that lets a shell complete command lines.",
     "source <(panoptes completion bash)\n"
     "panoptes completion zsh >~/.zfunc/_panoptes\n"
     "panoptes completion fish >~/.config/fish/completions/panoptes.fish\n",
     printed_codes},
});

constexpr std::array operands = std::to_array<OperandInfo>({
    {"MODEL", "the protocol, a file in Argos; `-` for standard input", "*.argos"},
    {"SQL", "the question; from standard input if not given", ""},
    {"CERTIFICATE", "a file of backward --certificate", "*.txt"},
    {"TRAIL", "a file of check --trail or simulate", "*.json"},
    {"FILE", "a text in Argos; `-`, or none at all, for standard input", "*.argos"},
    {"KIND", "what a report speaks of, its beginning is enough; all are listed if not given", "",
     words::kinds},
    {"COMMAND", "the command to explain; all of them, shortly, if not given", ""},
    {"SHELL", "the shell", "", words::shells},
});

// ---- rows -----------------------------------------------------------------------------------
// One function for each kind of value, chosen by the type of the option.

constexpr CountRange thread_range{1, 1024};

constexpr OptionInfo row(Option<option::Switch> option, std::string_view takers,
                         std::string_view sentence) {
  return {.name = option.name, .commands = takers, .sentence = sentence};
}

constexpr OptionInfo row(Option<option::Count> option, std::string_view takers, CountRange range,
                         std::string_view standard, std::string_view sentence) {
  return {.name = option.name,
          .commands = takers,
          .argument = "N",
          .kind = ValueKind::count,
          .range = range,
          .standard = standard,
          .sentence = sentence};
}

constexpr OptionInfo row(Option<option::Bytes> option, std::string_view takers,
                         std::string_view sentence) {
  return {.name = option.name,
          .commands = takers,
          .argument = "SIZE",
          .kind = ValueKind::bytes,
          .sentence = sentence};
}

constexpr OptionInfo row(Option<option::Seconds> option, std::string_view takers,
                         std::string_view standard, std::string_view sentence) {
  return {.name = option.name,
          .commands = takers,
          .argument = "TIME",
          .kind = ValueKind::seconds,
          .standard = standard,
          .sentence = sentence};
}

// One of a few words, and one of them if nobody says.
template <typename Enum, std::size_t count>
constexpr OptionInfo row(Option<Enum> option, std::string_view takers, std::string_view argument,
                         const OptionWords<Enum, count>& words, std::string_view standard,
                         std::string_view sentence) {
  if (!is_choice(words.choices, standard)) throw "the standard value is none of the words";
  return {.name = option.name,
          .commands = takers,
          .argument = argument,
          .kind = ValueKind::word,
          .choices = words.choices,
          .standard = standard,
          .sentence = sentence};
}

// Some of a few words, joined by commas.
template <typename Enum, std::size_t count>
constexpr OptionInfo row(Option<option::Words<Enum>> option, std::string_view takers,
                         std::string_view argument, const OptionWords<Enum, count>& words,
                         std::string_view standard, std::string_view sentence) {
  OptionInfo result = row(Option<Enum>{option.name}, takers, argument, words, standard, sentence);
  result.kind = ValueKind::words;
  return result;
}

// The name of something that is looked up elsewhere.
constexpr OptionInfo row(Option<option::Text> option, std::string_view takers,
                         std::string_view argument, std::span<const ChoiceInfo> choices,
                         std::string_view sentence) {
  return {.name = option.name,
          .commands = takers,
          .argument = argument,
          .kind = ValueKind::word,
          .choices = choices,
          .sentence = sentence};
}

// Whatever may be written without being one of a few words.
template <typename Type>
constexpr OptionInfo row(Option<Type> option, std::string_view takers, std::string_view argument,
                         std::string_view standard, std::string_view sentence) {
  return {.name = option.name,
          .commands = takers,
          .argument = argument,
          .kind = Type::kind,
          .standard = standard,
          .sentence = sentence};
}
template <typename Type>
constexpr OptionInfo row(Option<Type> option, std::string_view takers, std::string_view argument,
                         std::string_view sentence) {
  return row(option, takers, argument, "", sentence);
}

template <typename Type>
constexpr OptionInfo row(Option<option::Several<Type>> option, std::string_view takers,
                         std::string_view argument, std::string_view sentence) {
  OptionInfo result = row(Option<Type>{option.name}, takers, argument, sentence);
  result.repeats = true;
  return result;
}

constexpr std::array table = std::to_array<OptionInfo>({
    row(option::search, "check sweep", "HOW", words::searches, "auto",
        "which states to look at, and what to remember of them"),
    row(option::order, "check sweep", "ORDER", words::orders, "breadth", "which states come first"),
    row(option::cost, "check sweep", "EXPRESSION", "",
        "what a state costs, e.g. \"2*len(link) + sender.retries\", for --search guided and "
        "--choose cost"),
    row(option::towards, "check", "WORD",
        "in place of --cost: how far a state is from targets of `panoptes backward` whose kind, "
        "process, control state, message or invariant is WORD, as far as a short search backwards "
        "tells; of several words, of those that fit all"),
    row(option::choose, "check sweep", "WHICH", words::preferences, "written",
        "order of the successors of a state; random walks take what transit, scatter, cost or tags "
        "put first more often"),
    row(option::keep, "check sweep", CountRange{1}, "",
        "look at the first N successors of a state only; at all if not given"),
    row(option::per, "check sweep", "WHAT", words::keep_per, "state",
        "which successors --keep counts"),
    row(option::expand, "check sweep", "WHICH", words::expansions, "all", "states to go on from"),
    row(option::fold, "check sweep", "KIND NAME",
        "do not tell states apart by a process, channel or variable, e.g. --fold process timer"),
    row(option::store, "check sweep", "STORE", words::stores, "exact",
        "how to keep visited states"),
    row(option::arena, "check sweep", "memory for bits, exactly; half of --memory if not given"),
    row(option::bits_per_state, "check sweep", CountRange{1, BitStore::most_bits_per_state}, "4",
        "bits to set for a state in that arena, 1 to 16"),
    row(option::fingerprint_bits, "check sweep",
        CountRange{HashStore::least_fingerprint_bits, HashStore::most_fingerprint_bits}, "64",
        "bits of a fingerprint, 16 to 64"),
    row(option::keep_graph, "check sweep",
        "keep every transition too, and report cycles, livelocks and who is stuck; takes more "
        "memory"),
    row(option::stepper, "check sweep query", "STEPPER", words::steppers, "native",
        "how to execute rules"),
    row(option::threads, "check sweep", thread_range, "",
        "cores to use for a breadth-first search; all if not given"),
    row(option::memory, "check sweep",
        "the most it may take, e.g. 64M or 4G: it goes on with less of each state, then "
        "without some; three quarters of the machine's memory if not given"),
    row(option::spill, "check sweep", "DIR",
        "write waiting states and trails there where they have no room in memory, for a "
        "breadth-first search"),
    row(option::checkpoint, "check", "DIR",
        "write down there how far the search is, so that --resume can go on, now and then and when "
        "it is interrupted; for a breadth-first search"),
    row(option::resume, "check", "DIR",
        "go on with the search that was written down there, and write down there how far it is; "
        "with --checkpoint of the same folder, begin where nothing is there"),
    row(option::checkpoint, "backward", "DIR",
        "write down there what induction has guessed so far, so that --resume can go on, now and "
        "then and when it is interrupted"),
    row(option::resume, "backward", "DIR",
        "begin with the guesses that were written down there, and write down there those of this "
        "run; with --checkpoint of the same folder, begin where nothing is there"),
    row(option::every, "check backward", "60s",
        "the time from one --checkpoint to the next, but at least 20 times what one takes"),
    row(option::time, "check", "",
        "be done after this long, e.g. 60s, 5m, 1h, compiling and report included, with what was "
        "found by then"),
    row(option::time, "sweep", "",
        "let each run go on this long, e.g. 10s, 5m, compiling included, and take what was found "
        "by then"),
    row(option::total_time, "sweep", "",
        "be done with all runs after this long, e.g. 60s, 5m, 1h; what was not run by then is "
        "missing"),
    row(option::time, "query", "",
        "be done after this long, e.g. 60s, 5m, 1h: a search that has taken half of it goes no "
        "further, and a question that is not answered then is given up"),
    row(option::time, "certify plan relate replay simulate format", "",
        "be done after this long, e.g. 60s, 5m, 1h, or be ended"),
    row(option::depth, "check sweep", CountRange{1}, "",
        "look at states at most N steps from the initial one; for stack, cache and walk ten times "
        "the control states of all processes if not given"),
    row(option::store_labelled, "check sweep",
        "stack, cache: keep a state only where some process is at a jump target or the start of a "
        "do"),
    row(option::cache_states, "check sweep", CountRange{1}, "",
        "states a cache holds; as many as half of the memory has room for if not given"),
    row(option::replace, "check sweep", "WHICH", words::replacements, "oldest",
        "the state a full cache gives up"),
    row(option::runs, "check sweep", CountRange{1}, "",
        "walks to make, 1000 if neither this nor --time is given; of supertrace and fingerprints, "
        "searches to make, each with another hash; three or more estimate their coverage"),
    row(option::seed, "check sweep", CountRange{1}, "1",
        "what random choices depend on, and nothing else"),
    row(option::count_distinct, "check sweep",
        "stack, cache, walk: keep every state aside, only to count distinct states and visits"),
    row(option::engine, "backward", "ENGINE", words::engines, "auto", "how to search backwards"),
    row(option::target, "backward", "WORD",
        "look only at targets whose kind, process, control state, message, channel or invariant is "
        "WORD; of several words, at those that fit all"),
    row(option::potential, "backward",
        "also every potential deadlock: each process at its end or where it only receives, all "
        "channels empty"),
    row(option::confirm, "check",
        "search backwards, too, and compare: every error must be found and nothing else"),
    row(option::confirm, "backward",
        "search forwards, too, and compare: every error must be found and nothing else"),
    row(option::memory, "backward",
        "the most it may take, e.g. 64M or 4G: what is not settled by then is unknown; three "
        "quarters of the machine's memory if not given"),
    row(option::time, "backward", "",
        "be done after this long, e.g. 60s, 5m, 1h: what is not settled by then is unknown"),
    row(option::timeouts, "check sweep show backward certify plan relate query replay simulate",
        "WHEN", words::timeouts, "empty", "when a timeout can happen"),
    row(option::capacity, "check sweep show backward certify plan relate query replay simulate",
        CountRange{1, BuildLimits::capacity}, "2", "slots of channels declared without a capacity"),
    row(option::at_most_slots,
        "check sweep show backward certify plan relate query replay simulate",
        CountRange{1, BuildLimits::capacity}, "",
        "narrow channels with more slots than N, those declared with a capacity too; what is found "
        "is so for the narrowed ones"),
    row(option::overflow, "check sweep show backward certify plan relate query replay simulate",
        "WHAT", words::overflows, "wait", "what a send to a full channel does"),
    row(option::ranges, "check sweep show backward certify plan relate query replay simulate",
        "WHAT", words::ranges, "error",
        "what becomes of a value that a declared range does not hold"),
    row(option::faults, "check sweep show backward certify plan relate query replay simulate",
        "WHAT", "declared",
        "what lines do to messages, in words joined by commas: declared, as the model says; or, "
        "for all channels, none, lossy, duplicating, reordering; or, for one, e.g. lossy:ack, and "
        "others stay as they are"),
    row(option::receptions, "check sweep show backward certify relate query replay simulate",
        "WHICH", words::receptions, "blocked", "unspecified receptions to report"),
    row(option::strict, "check sweep show backward certify relate query replay simulate",
        "messages left unread when all processes have ended are errors"),
    row(option::never, "check sweep show backward certify relate query replay simulate",
        "EXPRESSION",
        "what must not be so in any state, beside what the model says of that, e.g. "
        "\"p@wait && full(link)\""),
    row(option::ltl, "check sweep replay", "FORMULA",
        "what every run must satisfy, beside what the model says of that, e.g. "
        "\"[] (sent(line!request) -> <> p@answered)\" or \"p@asked leads to p@answered\"; keeps "
        "the graph"),
    row(option::non_progress, "check sweep replay",
        "report what goes on for ever and passes no label that begins with progress; keeps the "
        "graph"),
    row(option::acceptance, "check sweep replay",
        "report what goes on for ever and passes a label that begins with accept again and again; "
        "keeps the graph"),
    row(option::fair, "check sweep replay", "HOW", words::fairness, "declared",
        "which runs temporal properties are about; several joined by commas"),
    row(option::reach, "check sweep replay", "EXPRESSION", "",
        "look for a state in which this is so, and for nothing else: the way there is found as "
        "that to an error would be"),
    row(option::first, "check sweep", "end with the level in which the first error is found"),
    row(option::no_minimise, "check sweep show backward certify plan relate query replay simulate",
        "keep one control state per statement"),
    row(option::labels, "check sweep show backward certify plan relate replay", "NAMES", "none",
        "labels that keep control states apart which are alike otherwise, joined by commas; all or "
        "none. Those that begin with end, progress or accept, or that "
        "an invariant, a property or --cost, --never, --ltl or --reach names, always do"),
    row(option::labels, "query simulate", "NAMES", "all",
        "labels that keep control states apart which are alike otherwise, joined by commas; all, "
        "since a question or a breakpoint may name any, or none"),
    row(option::reduce, "check sweep", "WHAT", words::reductions, "auto",
        "leave out what makes no difference; several joined by commas"),
    row(option::shortest, "check sweep",
        "where trails are perhaps not the shortest, search once more for those: with every step, "
        "down to the depth that was found"),
    row(option::define, "check show backward certify plan relate query replay simulate",
        "NAME=VALUE", "define a macro, as #define would"),
    row(option::vary, "sweep", "NAME=VALUES",
        "a macro and the values it is to have: 1..4, 1..9..2, 0,1,4 or names; NAME? is without and "
        "with it, NAME=VALUE and NAME:=VALUE the same in all runs"),
    row(option::chart, "check backward relate", "KIND", words::error_charts, "auto",
        "how to show trails"),
    row(option::chart, "replay simulate", "KIND", words::run_charts, "steps",
        "how to show the run"),
    row(option::width, "check backward relate replay simulate",
        CountRange{least_chart_width, most_chart_width}, "",
        "columns of a text chart, 40 to 10000; if not given, those of the environment variable "
        "COLUMNS or of the terminal, or 100"),
    row(option::state, "check backward",
        "with --steps, --json or --report, show the whole state at each step: where every process "
        "is, all variables, all channels"),
    row(option::state, "relate",
        "with --json or --report, show the whole state at each step: where every process is, all "
        "variables, all channels"),
    row(option::state, "replay simulate",
        "show the whole state at each step: where every process is, all variables, all channels"),
    row(option::show, "check backward relate", "NUMBERS",
        "show the errors with these numbers only, each with its trail, e.g. 17 or 3,17 or 3..5; "
        "the others are left out of text, and of --json only their trails"),
    row(option::only, "check backward relate", "WORD",
        "show only errors whose kind, process, control state or message is WORD; of several words, "
        "those that fit all"),
    row(option::trails, "check backward relate", "N",
        "show the trails of the first N errors, or of all; of 10 in text, of 20 on a page, of 100 "
        "in --json and in files for programs if not given"),
    row(option::minimise_trail, "check replay",
        "leave steps out of a trail that its error does not need"),
    row(option::steps, "check backward", "list every step of a trail below its messages"),
    row(option::stats, "check", "print what else the search has measured"),
    row(option::stats, "backward", "list every target, and what has settled it"),
    row(option::stats, "sweep", "add transitions, depth, time and memory to the table"),
    row(option::json, "check backward relate", "print the verdict as one JSON object"),
    row(option::json, "sweep", "print the table as one JSON object"),
    row(option::report, "check backward relate", "FILE",
        "write a report to this file, too: .txt as printed, .html as a page for a browser, .svg, "
        ".mmd (Mermaid) or .puml (PlantUML) as sequence charts, .json for programs, .sarif for "
        "code review, .xml for test "
        "results (JUnit)"),
    row(option::report, "sweep", "FILE",
        "write the table to this file, too: .txt as printed, .csv for spreadsheets, .json for "
        "programs, .svg as a plot of states against the first parameter with numbers"),
    row(option::db, "relate query", "DATABASE", "duckdb",
        "the database: duckdb, duckdb:FILE, or a server, e.g. postgresql://user@host/name"),
    row(option::threads, "relate query", thread_range, "",
        "cores DuckDB may use; one with --memory, else all if not given. The native search of "
        "query uses one, and a server decides for itself"),
    row(option::memory, "relate",
        "the most it may take, from 64M on, e.g. 256M or 4G: DuckDB takes 48M for itself, has half "
        "of the rest, and puts on disk what has no room; as DuckDB likes if not given. Of a "
        "server, a "
        "sort may take a quarter of it"),
    row(option::steps, "relate",
        "of two processes that talk to each other, print the relations of the five steps and the "
        "errors that are queries on them"),
    row(option::on, "relate", "WHERE", words::relate_places, "database",
        "who computes the relations; the hypercube takes the five steps, as --steps does"),
    row(option::rows, "relate", CountRange{1}, "20",
        "with --steps, the most rows of a relation to print"),
    row(option::paths, "relate", CountRange{1}, "",
        "with --steps, go back from what is wrong to the initial state, and print up to N ways "
        "there, shortest first"),
    row(option::keep_in, "relate", "WHERE",
        "with --steps, leave the relations as tables in this DuckDB file, or in this schema of a "
        "server"),
    row(option::automata, "show", "the automaton of every process and assertion, and its sizes"),
    row(option::rules, "show", "the table of rules"),
    row(option::layout, "show", "where everything is in the state vector"),
    row(option::tables, "show", "of every process, which state each action leads to"),
    row(option::backward, "show",
        "with --tables, the tables reversed and renumbered: which state each action leads back to"),
    row(option::channels, "show", "who sends what to whom"),
    row(option::holes, "show",
        "of every process, which messages arrive in which state, and whether it accepts them; "
        "finds out by a search"),
    row(option::by, "show", "WHAT", words::rows_by, "label", "what is a row of --holes"),
    row(option::graph, "show",
        "the states of the whole system nearest to the start, the steps between them and what is "
        "wrong with them; finds out by a search"),
    row(option::states, "show", CountRange{1, GlobalGraph::most_states}, "100",
        "with --graph, the most states to show, up to 10000"),
    row(option::nodes, "plan", "NUMBERS",
        "numbers of nodes to look at, up to 16384, e.g. 1,4,16 or 8..12; 1, 2, 4, ... 16384 if not "
        "given"),
    row(option::states, "plan", CountRange{1}, "",
        "how many states there are; if not given, what the sample tells"),
    row(option::cores, "plan", CountRange{1, 4096}, "",
        "cores of a node; those of this machine if not given"),
    row(option::node_memory, "plan",
        "memory that a search may take of a node, e.g. 64G; three quarters of this machine's if "
        "not given"),
    row(option::link, "plan",
        "bytes that a node can send in a second, e.g. 125M or 10G; 1250000000, which is 10 Gbit/s, "
        "if not given"),
    row(option::latency, "plan", "0.02ms", "until a message has arrived, whatever is in it"),
    row(option::sample, "plan", "5s", "how long to search, on one core, for a sample"),
    row(option::json, "plan", "print the estimate as one JSON object"),
    row(option::time, "show", "10s",
        "end the search of --holes or --graph, or the making of a picture, after this long; the "
        "command as a whole where it is given"),
    row(option::memory, "show",
        "the most it may take, e.g. 64M or 4G; the search of --holes or --graph has three quarters "
        "of the machine's memory if it is not given"),
    row(option::memory, "certify plan replay simulate format",
        "the most it may take, e.g. 64M or 4G; as much as it needs if not given"),
    row(option::show_format, "show", "FORMAT", words::show_formats, "text", "how to print it"),
    row(option::output, "show", "FILE", "where to put it; standard output if not given"),
    row(option::memory, "query",
        "the most search and DuckDB may take together, from 64M on, e.g. 256M or 4G: DuckDB takes "
        "48M for itself, and each has a third of the rest; three quarters of the machine's memory "
        "if "
        "not given. With a server all of it is the search's"),
    row(option::depth, "query", CountRange{1}, "",
        "look at states at most N steps from the initial one"),
    row(option::relational, "query", "search in the database, as relate does"),
    row(option::named, "query", "NAME", words::named_queries, "ask a query that comes along"),
    row(option::schema, "query", "print the views and columns there are"),
    row(option::answer_format, "query", "FORMAT", words::answer_formats, "table",
        "how to print the answer"),
    row(option::output, "query", "FILE", "where to put the answer; standard output if not given"),
    row(option::certificate, "backward", "FILE",
        "write a proof of what cannot be reached there, for `panoptes certify` and for reading"),
    row(option::trail, "check", "FILE",
        "write the trails of errors and warnings there, of the first 100 or as --trails says"),
    row(option::error, "replay", CountRange{1}, "1", "which trail of the file"),
    row(option::length, "simulate", CountRange{1, Walk::most_steps}, "100",
        "the most steps to take, up to 100000"),
    row(option::seed, "simulate", CountRange{1}, "1", "what the run depends on, and nothing else"),
    row(option::seed, "replay", CountRange{1}, "",
        "with --interactive, what random choices depend on; 1 if not given"),
    row(option::weight, "replay simulate", "NAME=N",
        "take steps of this process or message, or timeouts, N times as often; 0 to 1000"),
    row(option::trail, "simulate", "FILE", "write the run there, for replay"),
    row(option::interactive, "replay simulate",
        "take one step at a time, by commands from the terminal or standard input"),
    row(option::step, "replay", CountRange{0}, "",
        "with --interactive, begin after step N; at the end if not given"),
    row(option::json, "replay simulate", "print the run as one JSON object"),
    row(option::json, "certify", "print the answer as one JSON object"),
    row(option::progress, "check sweep show backward certify relate query",
        "say on standard error how far the search is, where that is no terminal: after a second, "
        "two, four and so on, then every minute; a terminal has such a line anyway"),
    row(option::watch, "check",
        "check again whenever the model or a file it includes changes, until interrupted"),
    row(option::write, "format", "put the text back into its file, where it changes at all"),
    row(option::check, "format", "print only the names of files that would change"),
    row(option::example, "explain", "print only the example, a model to check"),
});

constexpr std::array general = std::to_array<OptionInfo>({
    {.name = "help", .sentence = "print help, of the program or of a command; -h for short"},
    {.name = "version", .sentence = "print the version"},
});

constexpr std::array groups = std::to_array<OptionGroup>({
    {"The model", "D capacity at-most-slots timeouts overflow ranges faults no-minimise labels"},
    {"What is an error",
     "receptions strict never ltl non-progress acceptance fair reach target potential keep-graph "
     "first"},
    {"How to search",
     "search engine order depth time total-time stepper threads reduce shortest expand check.keep "
     "sweep.keep per "
     "choose "
     "cost towards fold runs seed weight length relational watch progress confirm"},
    {"How to remember states",
     "store memory spill checkpoint resume every arena bits-per-state fingerprint-bits "
     "cache-states replace "
     "store-labelled count-distinct"},
    {"The machines", "nodes plan.states cores node-memory link latency sample"},
    {"The database", "db on"},
    {"What to print",
     "automata tables backward channels holes by graph show.states rules layout named schema error "
     "interactive "
     "step "
     "show only trails chart width minimise-trail steps state rows paths "
     "stats json format example check"},
    {"Where to put it", "report trail certificate output write relate.keep"},
});

using enum OptionRule::Kind;
constexpr std::array rules = std::to_array<OptionRule>({
    {"check", "search=guided choose=cost", needs, "cost towards"},
    {"sweep", "search=guided choose=cost", needs, "cost"},
    {"check", "towards", is_for, "search=guided choose=cost"},
    {"check", "towards", not_for, "cost", ", which says what a state costs"},
    {"check sweep", "cost", is_for, "search=guided choose=cost"},
    {"check sweep", "order spill", is_for, "search=auto search=exhaustive search=supertrace"},
    {"check sweep", "store", is_for,
     "search=auto search=exhaustive search=scatter search=guided search=cycles"},
    {"check sweep", "search=cycles", not_for, "keep-graph", ", which is what it does without"},
    {"check sweep", "search=cycles", not_for, "reduce=order", ", which leaves out runs"},
    {"check sweep", "shortest", not_for, "search=cycles",
     ", which follows one run after the other: without it, ways to cycles are the shortest"},
    {"check sweep", "arena bits-per-state", is_for, "search=supertrace store=bits"},
    {"check sweep", "fingerprint-bits", is_for, "store=hash"},
    {"check sweep", "runs", is_for, "search=supertrace search=walk store=hash store=bits"},
    {"check sweep", "store-labelled", is_for, "search=stack search=cache"},
    {"check sweep", "store-labelled", not_for, "fold", ", which hides where processes are"},
    {"check sweep", "cache-states replace", is_for, "search=cache"},
    {"check sweep", "count-distinct", is_for, "search=stack search=cache search=walk"},
    {"check sweep", "fold", not_for, "search=walk", ", which remembers no states"},
    {"check sweep", "keep", not_for, "search=walk", ", which goes on with one successor by chance"},
    {"check sweep", "reduce=symmetry", not_for, "keep-graph",
     ", in which every member goes by its own name"},
    {"check sweep", "reduce=symmetry", not_for, "fold", ", which may fold members apart"},
    {"check sweep", "reduce=symmetry", not_for, "search=walk search=stack",
     ", which does not remember where it has been"},
    {"check sweep", "per", is_for, "keep"},
    {"check sweep", "spill", is_for, "order=breadth"},
    {"check sweep", "spill", not_for, "keep-graph", ", which stays in memory"},
    {"check", "checkpoint resume", is_for, "search=auto search=exhaustive search=supertrace"},
    {"check", "checkpoint resume", is_for, "order=breadth", ", whose log leads to every state"},
    {"check", "checkpoint resume", not_for, "keep-graph", ", which stays in memory"},
    {"check", "checkpoint resume", not_for, "runs", ", which are several searches", "runs=1"},
    {"check", "checkpoint resume", not_for, "watch", ", which begins anew with every change"},
    {"backward", "checkpoint resume", not_for, "engine=claims", ", which guesses nothing"},
    {"check backward", "every", is_for, "checkpoint resume"},
    {"check sweep", "keep-graph", not_for,
     "search=stack search=cache search=walk search=supertrace", ", which forgets states"},
    {"check sweep", "keep-graph", not_for, "store=compact store=hash store=bits"},
    {"check sweep", "ltl non-progress acceptance", not_for,
     "search=stack search=cache search=walk search=supertrace", ", which forgets states"},
    {"check sweep", "ltl non-progress acceptance", not_for, "store=hash store=bits",
     ", which does not keep the graph"},
    {"check sweep", "ltl non-progress acceptance", not_for, "depth",
     ", which leaves out what lies deeper", "search=cycles"},
    {"check sweep", "ltl non-progress acceptance", not_for, "keep",
     ", which leaves out successors"},
    {"check sweep", "ltl non-progress acceptance", not_for,
     "fold expand=sound reduce=internal reduce=values reduce=symmetry",
     ", after which the graph is not complete"},
    {"check sweep", "ltl non-progress acceptance", not_for, "spill",
     ", which needs the graph in memory"},
    {"check", "ltl non-progress acceptance", not_for, "checkpoint resume",
     ", for which the graph is not kept"},
    {"check sweep", "threads", not_for,
     "search=stack search=cache search=walk search=scatter search=guided order=depth fold",
     ", which uses one core", "threads=1"},
    {"check sweep", "reduce=order", not_for,
     "receptions=reading receptions=any expand=sound keep-graph",
     ", for which orders make a difference"},
    {"check sweep", "reduce=internal", not_for, "expand=sound",
     ", for which orders make a difference"},
    {"check sweep", "never receptions strict keep-graph ltl non-progress acceptance fair", not_for,
     "reach", ", which looks for nothing else"},
    {"check", "watch", not_for, "json", ", which is one object; run it again for another"},
    {"check backward relate", "chart", not_for, "json", ", which has every step", "report"},
    {"check backward relate", "width", is_for, "chart=auto chart=text chart=full"},
    {"check backward relate", "width", not_for, "json", ", which has no charts", "report"},
    {"sweep", "stats", not_for, "json", ", which has all of it anyway", "report"},
    {"check", "steps stats", not_for, "json", ", which has all of it anyway", "report"},
    {"check", "state", is_for, "steps json report"},
    {"backward", "state", is_for, "steps json report"},
    {"relate", "state", is_for, "json report"},
    {"check", "confirm", not_for, "reach watch"},
    {"backward", "confirm", not_for, "target", ", which leaves targets out"},
    {"backward", "steps stats", not_for, "json", ", which has all of it anyway", "report"},
    {"replay simulate", "width", is_for, "chart=text chart=full interactive"},
    {"replay simulate", "state", is_for, "chart=steps", ", and for --json"},
    {"replay simulate", "state", not_for, "interactive", ", which has `state`"},
    {"replay simulate", "chart", not_for, "json", ", which has every step"},
    {"replay simulate", "chart json", not_for, "interactive"},
    {"replay simulate", "time", not_for, "interactive", ", which ends when you do"},
    {"replay", "minimise-trail", not_for, "interactive"},
    {"replay", "step seed weight", is_for, "interactive"},
    {"simulate", "length", not_for, "interactive"},
    {"simulate", "trail", not_for, "interactive", ", which has `save`"},
    {"relate", "keep", is_for, "steps", "; `panoptes query` keeps states"},
    {"relate", "rows", is_for, "steps on=hypercube"},
    {"relate", "paths", is_for, "steps"},
    {"relate", "db keep paths threads", not_for, "on=hypercube", ", which is no database"},
    {"relate", "report chart width state show only trails", not_for, "steps on=hypercube",
     ", which has no verdict"},
    {"relate", "progress", not_for, "steps on=hypercube", ", which is done in one go"},
    {"relate", "strict", not_for, "steps on=hypercube", ", which does not look at unread messages"},
    {"relate", "receptions", not_for, "steps on=hypercube",
     ", which finds what --receptions any does", "receptions=any"},
    {"relate", "overflow", not_for, "steps on=hypercube", ", in which a send waits for room",
     "overflow=wait"},
    {"query", "format=parquet", needs, "output"},
    {"query",
     "format output time depth memory threads stepper relational receptions strict progress",
     not_for, "schema named=list", ", which answers no query"},
    {"relate query", "threads", not_for, "memory", ", which DuckDB keeps to with one thread alone"},
    {"relate", "labels", not_for, "steps on=hypercube", ", which keeps all states apart"},
    {"check sweep show backward certify plan relate query replay simulate", "labels", not_for,
     "no-minimise", ", which keeps all states apart"},
    {"query",
     "db D capacity at-most-slots timeouts overflow ranges faults no-minimise labels never",
     not_for, "named=list", ", which is the same for all models"},
    {"query", "named", not_for, "schema"},
    {"query", "depth", not_for, "relational", ", which finds all or nothing"},
    {"query", "stepper", not_for, "relational", ", which has none"},
    {"show", "backward", is_for, "tables"},
    {"show", "receptions", is_for, "holes graph"},
    {"show", "by", is_for, "holes"},
    {"show", "by", not_for, "format=json", ", which has both"},
    {"show", "states strict", is_for, "graph"},
    {"show", "progress", is_for, "holes graph"},
    {"format", "write", not_for, "check", ", which only looks"},
});

// ---- what they name is there, or this is not compiled ---------------------------------------

// Whether `holds` for every part of `text` between blanks.
template <typename Holds>
constexpr bool holds_for_parts(std::string_view text, Holds holds) {
  while (!text.empty()) {
    const std::size_t end = std::min(text.find(' '), text.size());
    if (!holds(text.substr(0, end))) return false;
    text.remove_prefix(std::min(end + 1, text.size()));
  }
  return true;
}

// Whether `command`, or any where that is "", takes an option `name`, or `name=value`.
constexpr bool is_term(std::string_view command, std::string_view term) {
  const std::size_t end = std::min(term.find('='), term.size());
  for (const OptionInfo& option : table) {
    if (option.name != term.substr(0, end)) continue;
    const bool is_taken = command.empty() || !holds_for_parts(option.commands, [&](auto taker) {
                            return taker != command;
                          });
    if (is_taken) return end == term.size() || is_choice(option.choices, term.substr(end + 1));
  }
  return false;
}

static_assert(std::ranges::all_of(groups, [](const OptionGroup& group) {
  return holds_for_parts(group.options, [](std::string_view name) {
    const std::size_t dot = name.find('.');
    return dot == std::string_view::npos ? is_term("", name)
                                         : is_term(name.substr(0, dot), name.substr(dot + 1));
  });
}));
static_assert(std::ranges::all_of(rules, [](const OptionRule& rule) {
  return holds_for_parts(rule.commands, [&](std::string_view command) {
    const auto is_there = [&](std::string_view term) { return is_term(command, term); };
    return holds_for_parts(rule.options, is_there) && holds_for_parts(rule.others, is_there) &&
           holds_for_parts(rule.unless, is_there);
  });
}));

}  // namespace

std::span<const CommandInfo> command_table() { return commands; }
std::span<const OperandInfo> operand_table() { return operands; }
std::span<const OptionInfo> option_table() { return table; }
std::span<const OptionInfo> general_options() { return general; }
std::span<const OptionGroup> option_groups() { return groups; }
std::span<const OptionRule> option_rules() { return rules; }

}  // namespace panoptes
