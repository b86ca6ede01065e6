// SPDX-License-Identifier: Apache-2.0
#include "base/options.hpp"

#include <array>

namespace panoptes {
namespace {

constexpr std::string_view verdict_codes =
    "0 holds, 1 errors found, 2 bad input or usage, 3 unknown, 4 internal failure";

constexpr std::string_view printed_codes = "0 printed, 2 bad usage, 4 internal failure";

constexpr std::array commands = std::to_array<CommandInfo>({
    {"check", "MODEL", "Search a protocol for errors; each comes with the shortest way there.",
     "panoptes check protocol.argos\n"
     "panoptes check protocol.argos --timeouts lock --first --steps\n"
     "panoptes check protocol.argos --json -D WINDOW=4 --time 5m\n",
     verdict_codes},
    {"show", "MODEL", "Show what a model is compiled to.",
     "panoptes show protocol.argos --automata\n"
     "panoptes show protocol.argos --holes\n"
     "panoptes show protocol.argos --channels --format svg --output channels.svg\n"
     "panoptes show protocol.argos --graph --format svg --output graph.svg\n"
     "panoptes show protocol.argos --layout --format json\n",
     "0 done, 2 bad input or usage, 3 not done in --time, or --holes or --graph has not seen "
     "everything, 4 internal failure"},
    {"relate", "MODEL", "Search a protocol for errors in a database, by queries.",
     "panoptes relate protocol.argos\n"
     "panoptes relate protocol.argos --db postgresql://user@host/name\n"
     "panoptes relate protocol.argos --steps --keep relations.db\n",
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
    {"TRAIL", "a file of check --trail or simulate", "*.json"},
    {"FILE", "a text in Argos; `-`, or none at all, for standard input", "*.argos"},
    {"KIND", "what a report speaks of, its beginning is enough; all are listed if not given", "",
     "deadlock: no process can move, and not all of them are where they may stop\n"
     "unspecified_reception: a process waits, and what has arrived is not what it waits for\n"
     "assertion: a behaviour assertion or an assert(e) does not hold\n"
     "unread_messages: everybody has ended, and messages are left\n"
     "overflow: a message is sent to a full channel, where that is an error\n"
     "division_by_zero: a division or remainder by zero\n"
     "index_out_of_range: a member of a family that does not exist\n"
     "livelock: something goes on for ever, but nothing happens any more\n"
     "dead_code: statements that no reachable state executes\n"
     "exhaustive: every reachable state was seen: a proof, for this model and these bounds\n"
     "hashed: every state was seen but for hash conflicts, of which hardly any is expected\n"
     "partial: not every state was seen; what was cut, or how much was missed, is stated\n"},
    {"COMMAND", "the command to explain; all of them, shortly, if not given", ""},
    {"SHELL", "the shell", "",
     "bash: the script is to be sourced\n"
     "zsh: a function for a folder in $fpath, or to be sourced\n"
     "fish: a file for its folder of completions, or to be sourced\n"},
});

constexpr std::array table = std::to_array<OptionInfo>({
    {"search", "check", "HOW",
     "auto: every state once, after a second with scatter searches in between\n"
     "exhaustive: every state once\n"
     "supertrace: every state once, as far as a few bits for each can tell them apart\n"
     "scatter: every state once, those near a deadlock first\n"
     "guided: every state once, those of the least --cost first\n"
     "stack: depth first, with only the path in memory\n"
     "cache: depth first, with the path and a cache of other states in memory\n"
     "walk: random walks\n",
     "auto", "which states to look at, and what to remember of them"},
    {"order", "check", "ORDER",
     "breadth: those nearest to the initial state first: trails are the shortest\n"
     "depth: each run to its end, then the one beside it\n",
     "breadth", "which states come first"},
    {"cost", "check", "EXPRESSION", "", "",
     "what a state costs, e.g. \"2*len(link) + sender.retries\", for --search guided and --choose "
     "cost"},
    {"choose", "check", "WHICH",
     "written: as the model has them\n"
     "random: by chance\n"
     "transit: many messages in transit first\n"
     "scatter: receives first\n"
     "cost: the least --cost first\n"
     "tags: by the tags of options\n",
     "written",
     "order of the successors of a state; random walks take what transit, scatter, cost or tags "
     "put first more often"},
    {"keep", "check", "N", "", "",
     "look at the first N successors of a state only; at all if not given"},
    {"per", "check", "WHAT",
     "state: those of a state\n"
     "process: those of each process in a state\n",
     "state", "which successors --keep counts"},
    {"expand", "check", "WHICH",
     "all: all of them\n"
     "sound: those without an error, so that what lies behind errors is not searched\n",
     "all", "states to go on from"},
    {"fold", "check", "KIND NAME", "", "",
     "do not tell states apart by a process, channel or variable, e.g. --fold process timer", true},
    {"store", "check", "STORE",
     "exact: as they are\n"
     "compact: in as few bits as it takes, which costs time\n"
     "hash: as fingerprints\n"
     "bits: as a few bits each, in an arena of fixed size\n",
     "exact", "how to keep visited states"},
    {"arena", "check", "SIZE", "", "", "memory for bits, exactly; half of --memory if not given"},
    {"bits-per-state", "check", "N", "", "4", "bits to set for a state in that arena, 1 to 16"},
    {"fingerprint-bits", "check", "N", "", "64", "bits of a fingerprint, 16 to 64"},
    {"keep-graph", "check", "", "", "",
     "keep every transition too, and report cycles and livelocks; takes more memory and one core"},
    {"stepper", "check query", "STEPPER",
     "native: compiled to machine code\n"
     "interpreter: one by one, as on machines for which there is no compiler\n",
     "native", "how to execute rules"},
    {"threads", "check", "N", "", "", "cores to use for a breadth-first search; all if not given"},
    {"memory", "check", "SIZE", "", "",
     "the most it may take, e.g. 64M or 4G: it goes on with less of each state, then "
     "without some; three quarters of the machine's memory if not given"},
    {"spill", "check", "DIR", "", "",
     "write waiting states and trails there where they have no room in memory, for a breadth-first "
     "search"},
    {"time", "check", "TIME", "", "",
     "be done after this long, e.g. 60s, 5m, 1h, compiling and report included, with what was "
     "found by then"},
    {"time", "query", "TIME", "", "",
     "be done after this long, e.g. 60s, 5m, 1h: a search that has taken half of it goes no "
     "further, and a question that is not answered then is given up"},
    {"time", "relate replay simulate format", "TIME", "", "",
     "be done after this long, e.g. 60s, 5m, 1h, or be ended"},
    {"depth", "check", "N", "", "",
     "look at states at most N steps from the initial one; for stack, cache and walk ten times the "
     "control states of all processes if not given"},
    {"store-labelled", "check", "", "", "",
     "stack, cache: keep a state only where some process is at a jump target or the start of a do"},
    {"cache-states", "check", "N", "", "",
     "states a cache holds; as many as half of the memory has room for if not given"},
    {"replace", "check", "WHICH",
     "most: the one most often visited\n"
     "least: the one least often visited\n"
     "class: one of the largest class of those visited equally often\n"
     "oldest: the oldest\n"
     "subtree: one in the deeper half of the tree\n",
     "oldest", "the state a full cache gives up"},
    {"runs", "check", "N", "", "",
     "walks to make, 1000 if neither this nor --time is given; of supertrace and fingerprints, "
     "searches to make, each with another hash; three or more estimate their coverage"},
    {"seed", "check", "N", "", "1", "what random choices depend on, and nothing else"},
    {"count-distinct", "check", "", "", "",
     "stack, cache, walk: keep every state aside, only to count distinct states and visits"},
    {"timeouts", "check show relate query replay simulate", "WHEN",
     "empty: whenever its channel is empty\n"
     "lock: only when nothing else can happen\n",
     "empty", "when a timeout can happen"},
    {"capacity", "check show relate query replay simulate", "N", "", "2",
     "slots of channels declared without a capacity"},
    {"at-most-slots", "check show relate query replay simulate", "N", "", "",
     "narrow channels with more slots than N, those declared with a capacity too; what is found is "
     "so for the narrowed ones"},
    {"overflow", "check show relate query replay simulate", "WHAT",
     "wait: it waits\n"
     "error: it is an error\n",
     "wait", "what a send to a full channel does"},
    {"receptions", "check show relate query replay simulate", "WHICH",
     "blocked: of processes that can do nothing else\n"
     "reading: of all that are reading that channel\n"
     "any: of any state of the process that reads it\n",
     "blocked", "unspecified receptions to report"},
    {"strict", "check show relate query replay simulate", "", "", "",
     "messages left unread when all processes have ended are errors"},
    {"first", "check", "", "", "", "end with the level in which the first error is found"},
    {"no-minimise", "check show relate query replay simulate", "", "", "",
     "keep one control state per statement"},
    {"labels", "check show relate replay", "NAMES", "", "none",
     "labels that keep control states apart which are alike otherwise, joined by commas; all or "
     "none. Those that begin with end, progress or accept, or that --cost names, always do"},
    {"labels", "query simulate", "NAMES", "", "all",
     "labels that keep control states apart which are alike otherwise, joined by commas; all, "
     "since a question or a breakpoint may name any, or none"},
    {"reduce", "check", "WHAT",
     "none: nothing\n"
     "internal: of internal steps and what others do\n",
     "none", "leave out orders that make no difference"},
    {"D", "check show relate query replay simulate", "NAME=VALUE", "", "",
     "define a macro, as #define would", true},
    {"chart", "check relate", "KIND",
     "auto: text on a terminal or with --width, columns elsewhere\n"
     "columns: columns of messages\n"
     "text: a sequence chart, folded where it is long, without internal steps where those are "
     "most\n"
     "full: a sequence chart with all of it\n"
     "mermaid: a sequence chart for documents, in Mermaid\n"
     "plantuml: a sequence chart for documents, in PlantUML\n",
     "auto", "how to show trails"},
    {"chart", "replay simulate", "KIND",
     "steps: step by step\n"
     "columns: columns of messages\n"
     "text: a sequence chart, folded where it is long, without internal steps where those are "
     "most\n"
     "full: a sequence chart with all of it\n"
     "mermaid: a sequence chart for documents, in Mermaid\n"
     "plantuml: a sequence chart for documents, in PlantUML\n",
     "steps", "how to show the run"},
    {"width", "check relate replay simulate", "N", "", "",
     "columns of a text chart, 40 to 10000; if not given, those of the environment variable "
     "COLUMNS or of the terminal, or 100"},
    {"state", "check", "", "", "",
     "with --steps, --json or --report, show the whole state at each step: where every process is, "
     "all variables, all channels"},
    {"state", "relate", "", "", "",
     "with --json or --report, show the whole state at each step: where every process is, all "
     "variables, all channels"},
    {"state", "replay simulate", "", "", "",
     "show the whole state at each step: where every process is, all variables, all channels"},
    {"minimise-trail", "check replay", "", "", "",
     "leave steps out of a trail that its error does not need"},
    {"steps", "check", "", "", "", "list every step of a trail below its messages"},
    {"stats", "check", "", "", "", "print what else the search has measured"},
    {"json", "check relate", "", "", "", "print the verdict as one JSON object"},
    {"report", "check relate", "FILE", "", "",
     "write a report to this file, too: .txt as printed, .svg, .mmd (Mermaid) or .puml "
     "(PlantUML) as sequence charts, .json for programs, .sarif for code review, .xml for test "
     "results (JUnit)",
     true},
    {"db", "relate query", "DATABASE", "", "duckdb",
     "the database: duckdb, duckdb:FILE, or a server, e.g. postgresql://user@host/name"},
    {"threads", "relate query", "N", "", "",
     "cores DuckDB may use; one with --memory, else all if not given. The native search of query "
     "uses one, and a server decides for itself"},
    {"memory", "relate", "SIZE", "", "",
     "the most it may take, from 64M on, e.g. 256M or 4G: DuckDB takes 48M for itself, has half of "
     "the rest, and puts on disk what has no room; as DuckDB likes if not given. Of a server, a "
     "sort may take a quarter of it"},
    {"steps", "relate", "", "", "",
     "of two processes that talk to each other, print the relations of the five steps and the "
     "errors that are queries on them"},
    {"rows", "relate", "N", "", "20", "with --steps, the most rows of a relation to print"},
    {"paths", "relate", "N", "", "",
     "with --steps, go back from what is wrong to the initial state, and print up to N ways there, "
     "shortest first"},
    {"keep", "relate", "WHERE", "", "",
     "with --steps, leave the relations as tables in this DuckDB file, or in this schema of a "
     "server"},
    {"automata", "show", "", "", "", "the automaton of every process and assertion, and its sizes"},
    {"rules", "show", "", "", "", "the table of rules"},
    {"layout", "show", "", "", "", "where everything is in the state vector"},
    {"tables", "show", "", "", "", "of every process, which state each action leads to"},
    {"channels", "show", "", "", "", "who sends what to whom"},
    {"holes", "show", "", "", "",
     "of every process, which messages arrive in which state, and whether it accepts them; finds "
     "out by a search"},
    {"graph", "show", "", "", "",
     "the states of the whole system nearest to the start, the steps between them and what is "
     "wrong "
     "with them; finds out by a search"},
    {"states", "show", "N", "", "100", "with --graph, the most states to show, up to 10000"},
    {"time", "show", "TIME", "", "10s",
     "end the search of --holes or --graph, or the making of a picture, after this long; the "
     "command as a whole where it is given"},
    {"memory", "show", "SIZE", "", "",
     "the most it may take, e.g. 64M or 4G; the search of --holes or --graph has three quarters of "
     "the machine's memory if it is not given"},
    {"memory", "replay simulate format", "SIZE", "", "",
     "the most it may take, e.g. 64M or 4G; as much as it needs if not given"},
    {"format", "show", "FORMAT",
     "text: for people; it may be several things at a time\n"
     "json: for programs\n"
     "dot: a drawing of --automata, --channels or --graph, for Graphviz\n"
     "svg: the same as a picture, where Graphviz is there\n"
     "c: --rules as a function in C, from a state to its successors\n",
     "text", "how to print it"},
    {"output", "show", "FILE", "", "", "where to put it; standard output if not given"},
    {"memory", "query", "SIZE", "", "",
     "the most search and DuckDB may take together, from 64M on, e.g. 256M or 4G: DuckDB takes 48M "
     "for itself, and each has a third of the rest; three quarters of the machine's memory if not "
     "given. With a server all of it is the search's"},
    {"depth", "query", "N", "", "", "look at states at most N steps from the initial one"},
    {"relational", "query", "", "", "", "search in the database, as relate does"},
    {"named", "query", "NAME",
     "list: which ones there are\n"
     "deadlocks: no rule is enabled, and not every process may stop\n"
     "unspecified_receptions: a process can only receive, but not what it has\n"
     "receptions_reading: the same with --receptions reading: it may do something else\n"
     "receptions_any: the same with --receptions any: it need not be reading that channel\n"
     "assertions: an assertion is violated, or not complete where the protocol ends\n"
     "unread_messages: every process has ended and a channel is not empty\n"
     "overflows: with --overflow error, a send finds its channel full\n"
     "divisions_by_zero: an expression divides by zero\n"
     "indices_out_of_range: a member of a family that does not exist\n"
     "livelocks: only internal steps from here on, and for ever\n"
     "faulty: states from which an error can be reached, those it was found in first\n"
     "dead_code: statements that no reachable state executes\n"
     "dead_messages: messages that are never in their channel, though the text has them\n",
     "", "ask a query that comes along"},
    {"schema", "query", "", "", "", "print the views and columns there are"},
    {"format", "query", "FORMAT",
     "table: for people\n"
     "csv: for spreadsheets\n"
     "json: for programs\n"
     "parquet: for other databases; needs --output and DuckDB\n",
     "table", "how to print the answer"},
    {"output", "query", "FILE", "", "", "where to put the answer; standard output if not given"},
    {"trail", "check", "FILE", "", "", "write the trails of all errors and warnings there"},
    {"error", "replay", "N", "", "1", "which trail of the file"},
    {"length", "simulate", "N", "", "100", "the most steps to take, up to 100000"},
    {"seed", "simulate", "N", "", "1", "what the run depends on, and nothing else"},
    {"seed", "replay", "N", "", "",
     "with --interactive, what random choices depend on; 1 if not given"},
    {"weight", "replay simulate", "NAME=N", "", "",
     "take steps of this process or message, or timeouts, N times as often; 0 to 1000", true},
    {"trail", "simulate", "FILE", "", "", "write the run there, for replay"},
    {"interactive", "replay simulate", "", "", "",
     "take one step at a time, by commands from the terminal or standard input"},
    {"step", "replay", "N", "", "",
     "with --interactive, begin after step N; at the end if not given"},
    {"json", "replay simulate", "", "", "", "print the run as one JSON object"},
    {"progress", "check show relate query", "", "", "",
     "say on standard error how far the search is, where that is no terminal: after a second, two, "
     "four and so on, then every minute; a terminal has such a line anyway"},
    {"watch", "check", "", "", "",
     "check again whenever the model or a file it includes changes, until interrupted"},
    {"write", "format", "", "", "", "put the text back into its file, where it changes at all"},
    {"check", "format", "", "", "", "print only the names of files that would change"},
    {"example", "explain", "", "", "", "print only the example, a model to check"},
});

constexpr std::array general = std::to_array<OptionInfo>({
    {"help", "", "", "", "", "print help, of the program or of a command; -h for short"},
    {"version", "", "", "", "", "print the version"},
});

constexpr std::array groups = std::to_array<OptionGroup>({
    {"The model", "D capacity at-most-slots timeouts overflow no-minimise labels"},
    {"What is an error", "receptions strict keep-graph first"},
    {"How to search",
     "search order depth time stepper threads reduce expand check.keep per choose cost fold runs "
     "seed weight length relational watch progress"},
    {"How to remember states",
     "store memory spill arena bits-per-state fingerprint-bits cache-states replace "
     "store-labelled count-distinct"},
    {"The database", "db"},
    {"What to print",
     "automata tables channels holes graph states rules layout named schema error interactive step "
     "chart width minimise-trail steps state rows paths "
     "stats json format example check"},
    {"Where to put it", "report trail output write relate.keep"},
});

using enum OptionRule::Kind;
constexpr std::array rules = std::to_array<OptionRule>({
    {"check", "search=guided choose=cost", needs, "cost"},
    {"check", "cost", is_for, "search=guided choose=cost"},
    {"check", "order spill", is_for, "search=auto search=exhaustive search=supertrace"},
    {"check", "store", is_for, "search=auto search=exhaustive search=scatter search=guided"},
    {"check", "arena bits-per-state", is_for, "search=supertrace store=bits"},
    {"check", "fingerprint-bits", is_for, "store=hash"},
    {"check", "runs", is_for, "search=supertrace search=walk store=hash store=bits"},
    {"check", "store-labelled", is_for, "search=stack search=cache"},
    {"check", "store-labelled", not_for, "fold", ", which hides where processes are"},
    {"check", "cache-states replace", is_for, "search=cache"},
    {"check", "count-distinct", is_for, "search=stack search=cache search=walk"},
    {"check", "fold", not_for, "search=walk", ", which remembers no states"},
    {"check", "keep", not_for, "search=walk", ", which goes on with one successor by chance"},
    {"check", "per", is_for, "keep"},
    {"check", "spill", is_for, "order=breadth"},
    {"check", "spill", not_for, "keep-graph", ", which stays in memory"},
    {"check", "keep-graph", not_for, "search=stack search=cache search=walk search=supertrace",
     ", which forgets states"},
    {"check", "keep-graph", not_for, "store=compact store=hash store=bits"},
    {"check", "threads", not_for,
     "search=stack search=cache search=walk search=scatter search=guided order=depth keep-graph "
     "fold",
     ", which uses one core", "threads=1"},
    {"check", "watch", not_for, "json", ", which is one object; run it again for another"},
    {"check relate", "chart", not_for, "json", ", which has every step", "report"},
    {"check relate", "width", is_for, "chart=auto chart=text chart=full"},
    {"check relate", "width", not_for, "json", ", which has no charts", "report"},
    {"check", "steps stats", not_for, "json", ", which has all of it anyway", "report"},
    {"check", "state", is_for, "steps json report"},
    {"relate", "state", is_for, "json report"},
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
    {"relate", "rows paths", is_for, "steps"},
    {"relate", "report chart width state", not_for, "steps", ", which has no verdict"},
    {"relate", "progress", not_for, "steps", ", which is done in one go"},
    {"relate", "strict", not_for, "steps", ", which does not look at unread messages"},
    {"relate", "receptions", not_for, "steps", ", which finds what --receptions any does",
     "receptions=any"},
    {"relate", "overflow", not_for, "steps", ", in which a send waits for room", "overflow=wait"},
    {"query", "format=parquet", needs, "output"},
    {"query",
     "format output time depth memory threads stepper relational receptions strict progress",
     not_for, "schema named=list", ", which answers no query"},
    {"relate query", "threads", not_for, "memory", ", which DuckDB keeps to with one thread alone"},
    {"relate", "labels", not_for, "steps", ", which keeps all states apart"},
    {"check show relate query replay simulate", "labels", not_for, "no-minimise",
     ", which keeps all states apart"},
    {"query", "db D capacity at-most-slots timeouts overflow no-minimise labels", not_for,
     "named=list", ", which is the same for all models"},
    {"query", "named", not_for, "schema"},
    {"query", "depth", not_for, "relational", ", which finds all or nothing"},
    {"query", "stepper", not_for, "relational", ", which has none"},
    {"show", "receptions", is_for, "holes graph"},
    {"show", "states strict", is_for, "graph"},
    {"show", "progress", is_for, "holes graph"},
    {"format", "write", not_for, "check", ", which only looks"},
});

}  // namespace

std::span<const CommandInfo> command_table() { return commands; }
std::span<const OperandInfo> operand_table() { return operands; }
std::span<const OptionInfo> option_table() { return table; }
std::span<const OptionInfo> general_options() { return general; }
std::span<const OptionGroup> option_groups() { return groups; }
std::span<const OptionRule> option_rules() { return rules; }

}  // namespace panoptes
