// SPDX-License-Identifier: Apache-2.0
// The words that options and operands take: of each what it means to people and to the program, in
// one table for each enum. Help, parsing and what is printed back are made from them.
#pragma once

#include <array>

#include "options/choice.hpp"
#include "options/option.hpp"

namespace panoptes {

template <typename Enum>
struct OptionWord {
  std::string_view word, meaning;
  Enum value;
  bool stands_alone = false;
};

// Words of one enum. To the table all enums are numbers; only an option of that enum takes them.
template <typename Enum, std::size_t count>
struct OptionWords {
  std::array<ChoiceInfo, count> choices;
};

template <typename Enum, std::size_t count>
constexpr OptionWords<Enum, count> words_of(const OptionWord<Enum> (&words)[count]) {
  OptionWords<Enum, count> result;
  for (std::size_t i = 0; i < count; ++i)
    result.choices[i] = {words[i].word, words[i].meaning, static_cast<int>(words[i].value),
                         words[i].stands_alone};
  return result;
}

template <typename Enum, std::size_t count>
constexpr OptionWords<Enum, count + 1> with_first(const OptionWord<Enum>& first,
                                                  const OptionWords<Enum, count>& others) {
  OptionWords<Enum, count + 1> result;
  result.choices[0] = {first.word, first.meaning, static_cast<int>(first.value)};
  for (std::size_t i = 0; i < count; ++i) result.choices[i + 1] = others.choices[i];
  return result;
}

namespace words {

inline constexpr auto searches = words_of<SearchWord>(
    {{"auto", "every state once, after a second with scatter searches in between",
      SearchWord::automatic},
     {"exhaustive", "every state once", SearchWord::exhaustive},
     {"supertrace", "every state once, as far as a few bits for each can tell them apart",
      SearchWord::supertrace},
     {"scatter", "every state once, those near a deadlock first", SearchWord::scatter},
     {"guided", "every state once, those of the least --cost first", SearchWord::guided},
     {"stack", "depth first, with only the path in memory", SearchWord::stack},
     {"cache", "depth first, with the path and a cache of other states in memory",
      SearchWord::cache},
     {"walk", "random walks", SearchWord::walk},
     {"cycles",
      "every state once, and before that what goes on for ever: temporal properties on the fly, "
      "without a graph in memory",
      SearchWord::cycles}});
inline constexpr auto orders = words_of<Order>(
    {{"breadth",
      "those nearest to the initial state first: trails are the shortest of what is followed",
      Order::breadth},
     {"depth", "each run to its end, then the one beside it", Order::depth}});
inline constexpr auto preferences =
    words_of<Preference>({{"written", "as the model has them", Preference::as_written},
                          {"random", "by chance", Preference::random},
                          {"transit", "many messages in transit first", Preference::transit},
                          {"scatter", "receives first", Preference::scatter},
                          {"cost", "the least --cost first", Preference::cost},
                          {"tags", "by the tags of options", Preference::tags}});
inline constexpr auto keep_per =
    words_of<KeepPer>({{"state", "those of a state", KeepPer::state},
                       {"process", "those of each process in a state", KeepPer::process}});
inline constexpr auto expansions = words_of<Expand>(
    {{"all", "all of them", Expand::all},
     {"sound", "those without an error, so that what lies behind errors is not searched",
      Expand::sound}});
inline constexpr auto stores = words_of<StoreWord>(
    {{"exact", "as they are", StoreWord::exact},
     {"compact", "in as few bits as it takes, which costs time", StoreWord::compact},
     {"hash", "as fingerprints", StoreWord::hash},
     {"bits", "as a few bits each, in an arena of fixed size", StoreWord::bits}});
inline constexpr auto steppers = words_of<StepperKind>(
    {{"native", "compiled to machine code", StepperKind::native},
     {"interpreter", "one by one, as on machines for which there is no compiler",
      StepperKind::interpreter}});
inline constexpr auto engines = words_of<BackwardEngine>(
    {{"auto", "claims for what is near, induction, then claims for the rest",
      BackwardEngine::automatic},
     {"claims", "rule by rule backwards, until the initial state or nothing is left",
      BackwardEngine::claims},
     {"induction", "guesses about what cannot be, corrected and proved",
      BackwardEngine::induction}});
inline constexpr auto replacements = words_of<Replacement>(
    {{"most", "the one most often visited", Replacement::most},
     {"least", "the one least often visited", Replacement::least},
     {"class", "one of the largest class of those visited equally often",
      Replacement::largest_class},
     {"oldest", "the oldest", Replacement::oldest},
     {"subtree", "one in the deeper half of the tree", Replacement::subtree}});
inline constexpr auto timeouts = words_of<TimeoutPolicy>(
    {{"empty", "whenever its channel is empty", TimeoutPolicy::empty},
     {"lock", "only when nothing else can happen", TimeoutPolicy::lock},
     {"quiet", "only when nothing can be sent or received", TimeoutPolicy::quiet}});
inline constexpr auto overflows =
    words_of<OverflowPolicy>({{"wait", "it waits", OverflowPolicy::wait},
                              {"error", "it is an error", OverflowPolicy::error}});
inline constexpr auto ranges = words_of<RangePolicy>(
    {{"error", "it is an error, but where the range is declared with `wraps`", RangePolicy::error},
     {"wrap", "it is taken modulo the size of the range", RangePolicy::wrap}});
inline constexpr auto receptions = words_of<ReceptionPolicy>(
    {{"blocked", "of processes that are stuck on it for ever", ReceptionPolicy::blocked},
     {"reading", "of all that are reading that channel", ReceptionPolicy::reading},
     {"any", "of any state of the process that reads it", ReceptionPolicy::any}});
inline constexpr auto reductions = words_of<Reduce>(
    {{"none", "nothing", Reduce::nothing, true},
     {"auto", "all of what follows that keeps every error the model asks about", Reduce::automatic,
      true},
     {"internal", "orders of internal steps and what others do", Reduce::internal},
     {"order", "orders of all steps that do not depend on each other", Reduce::order},
     {"values", "values that nobody will read", Reduce::values},
     {"symmetry", "arrangements of members that are alike", Reduce::symmetry}});

inline constexpr auto fairness = words_of<FairWord>(
    {{"declared", "as the model says", FairWord::declared, true},
     {"none", "every run counts", FairWord::nothing, true},
     {"weak", "a process that can move from some moment on moves", FairWord::weak},
     {"strong", "a process that can move again and again does, and lines are fair",
      FairWord::strong},
     {"lines", "a line that loses again and again while it has room also carries again and again",
      FairWord::lines}});

// Trails can be shown in the same ways everywhere, but for one.
inline constexpr auto charts = words_of<ChartWord>(
    {{"columns", "columns of messages", ChartWord::columns},
     {"text",
      "a sequence chart, folded where it is long, without internal steps where those are most",
      ChartWord::text},
     {"full", "a sequence chart with all of it", ChartWord::full},
     {"mermaid", "a sequence chart for documents, in Mermaid", ChartWord::mermaid},
     {"plantuml", "a sequence chart for documents, in PlantUML", ChartWord::plantuml}});
inline constexpr auto error_charts = with_first(
    OptionWord<ChartWord>{"auto", "text on a terminal or with --width, columns elsewhere",
                          ChartWord::automatic},
    charts);
inline constexpr auto run_charts =
    with_first(OptionWord<ChartWord>{"steps", "step by step", ChartWord::steps}, charts);

inline constexpr auto rows_by = words_of<RowsBy>(
    {{"label",
      "each label, and where something is wrong what lies behind it; of a process with "
      "two labels or more",
      RowsBy::label},
     {"place", "each control state", RowsBy::place}});

inline constexpr auto show_formats = words_of<ShowFormat>(
    {{"text", "for people; it may be several things at a time", ShowFormat::text},
     {"json", "for programs", ShowFormat::json},
     {"csv", "--holes for spreadsheets, a line for each state and message", ShowFormat::csv},
     {"dot", "a drawing of --automata, --channels or --graph, for Graphviz", ShowFormat::dot},
     {"svg", "the same as a picture, where Graphviz is there; --holes as one without it",
      ShowFormat::svg},
     {"c", "--rules as a function in C, from a state to its successors", ShowFormat::c}});
inline constexpr auto relate_places = words_of<RelateOn>(
    {{"database", "the one of --db", RelateOn::database},
     {"hypercube", "the 1, 2, 4, 8 or more processes that mpirun has started, or this one alone",
      RelateOn::hypercube}});
inline constexpr auto answer_formats = words_of<AnswerFormat>(
    {{"table", "for people", AnswerFormat::table},
     {"csv", "for spreadsheets", AnswerFormat::csv},
     {"json", "for programs", AnswerFormat::json},
     {"parquet", "for other databases; needs --output and DuckDB", AnswerFormat::parquet}});

// Those that stand for themselves.
inline constexpr ChoiceInfo named_queries[] = {
    {"list", "which ones there are"},
    {"deadlocks", "no rule is enabled, and not every process may stop"},
    {"unspecified_receptions", "a process waits for ever, with a message that it does not take"},
    {"receptions_reading", "the same with --receptions reading: it may do something else"},
    {"receptions_any", "the same with --receptions any: it need not be reading that channel"},
    {"assertions", "an assertion is violated, or not complete where the protocol ends"},
    {"unread_messages", "every process has ended and a channel is not empty"},
    {"overflows", "with --overflow error, a send finds its channel full"},
    {"divisions_by_zero", "an expression divides by zero"},
    {"indices_out_of_range", "a member of a family or array that does not exist"},
    {"values_out_of_range", "a value that the declared range of its variable does not hold"},
    {"invariants", "an always or never does not hold"},
    {"livelocks", "only internal steps from here on, and for ever"},
    {"faulty", "states from which an error can be reached, those it was found in first"},
    {"dead_code", "statements that no reachable state executes"},
    {"dead_messages", "messages that are never in their channel, though the text has them"}};
inline constexpr ChoiceInfo kinds[] = {
    {"deadlock", "no process can move, and not all of them are where they may stop"},
    {"unspecified_reception", "a process waits, and what has arrived is not what it waits for"},
    {"assertion", "a behaviour assertion or an assert(e) does not hold"},
    {"unread_messages", "everybody has ended, and messages are left"},
    {"overflow", "a message is sent to a full channel, where that is an error"},
    {"division_by_zero", "a division or remainder by zero"},
    {"index_out_of_range", "a member of a family or array that does not exist"},
    {"out_of_range", "a value that the declared range of its variable does not hold"},
    {"endless_atomic", "an indivisible sequence that need not end"},
    {"invariant", "an always or never does not hold"},
    {"reached", "what --reach asks for can be reached"},
    {"livelock", "something goes on for ever, but nothing happens any more"},
    {"ltl", "a temporal property does not hold of some run"},
    {"progress", "something goes on for ever, past no label that begins with progress"},
    {"acceptance", "something passes a label that begins with accept again and again"},
    {"stuck", "a process can never move again, while others go on"},
    {"dead_code", "statements that no reachable state executes"},
    {"exhaustive", "every reachable state was seen: a proof, for this model and these bounds"},
    {"hashed", "every state was seen but for hash conflicts, of which hardly any is expected"},
    {"partial", "not every state was seen; what was cut, or how much was missed, is stated"}};
inline constexpr ChoiceInfo shells[] = {
    {"bash", "the script is to be sourced"},
    {"zsh", "a function for a folder in $fpath, or to be sourced"},
    {"fish", "a file for its folder of completions, or to be sourced"}};

}  // namespace words
}  // namespace panoptes
