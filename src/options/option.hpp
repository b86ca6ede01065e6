// SPDX-License-Identifier: Apache-2.0
// Every option by a name the compiler knows, with the type of its value: whoever asks for one that
// is not there, or takes it for something else, is not compiled. What it is for, who takes it,
// which values it may have and which one if nobody says is in the table (options/table.hpp), whose
// rows are made from these names.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <type_traits>
#include <utility>
#include <vector>

#include "backward/search_backward.hpp"
#include "base/parameter.hpp"
#include "base/source.hpp"
#include "protocol/build_options.hpp"
#include "relational/open.hpp"
#include "report/error_list.hpp"
#include "report/reception_matrix.hpp"
#include "rules/finding.hpp"
#include "rules/program.hpp"
#include "search/check_options.hpp"
#include "store/replacement.hpp"

namespace panoptes {

// ---- the kinds of values --------------------------------------------------------------------

// What has no enum elsewhere; words, meanings and enumerators are in options/words.hpp.
enum class SearchWord {
  automatic,
  exhaustive,
  supertrace,
  scatter,
  guided,
  stack,
  cache,
  walk,
  cycles
};
enum class StoreWord { exact, compact, hash, bits };
enum class KeepPer { state, process };
enum class Expand { all, sound };
enum class Reduce { nothing, automatic, internal, order, values, symmetry };
enum class FairWord { declared, nothing, weak, strong, lines };
enum class ChartWord { automatic, steps, columns, text, full, mermaid, plantuml };
enum class ShowFormat { text, json, csv, dot, svg, c };
enum class RelateOn { database, hypercube };
enum class AnswerFormat { table, csv, json, parquet };

enum class ValueKind {
  on_off,
  word,
  words,
  count,
  bytes,
  seconds,
  text,
  file,
  folder,
  database,
  definition,
  parameter,
  weight,
  amount,
  numbers
};

namespace option {

// What a value is, where it is no word of an enum: `Value` is what the program has of it.
struct Switch {
  using Value = bool;
  static constexpr ValueKind kind = ValueKind::on_off;
};
struct Count {
  using Value = std::uint64_t;
  static constexpr ValueKind kind = ValueKind::count;
};
struct Bytes {
  using Value = std::uint64_t;
  static constexpr ValueKind kind = ValueKind::bytes;
};
struct Seconds {
  using Value = double;
  static constexpr ValueKind kind = ValueKind::seconds;
};
struct Text {
  using Value = std::string;
  static constexpr ValueKind kind = ValueKind::text;
};
struct File {
  using Value = std::string;
  static constexpr ValueKind kind = ValueKind::file;
};
struct Folder {
  using Value = std::string;
  static constexpr ValueKind kind = ValueKind::folder;
};
struct Database {
  using Value = DatabaseAddress;
  static constexpr ValueKind kind = ValueKind::database;
};
struct Definition {
  using Value = panoptes::Definition;
  static constexpr ValueKind kind = ValueKind::definition;
};
struct Parameter {
  using Value = panoptes::Parameter;
  static constexpr ValueKind kind = ValueKind::parameter;
};
struct Weight {
  using Value = std::pair<std::string, std::uint64_t>;
  static constexpr ValueKind kind = ValueKind::weight;
};
// So many, or all there are: then the largest number.
struct Amount {
  using Value = std::uint64_t;
  static constexpr ValueKind kind = ValueKind::amount;
};
// 17, or 3,17 or 3..5.
struct Numbers {
  using Value = std::vector<NumberRange>;
  static constexpr ValueKind kind = ValueKind::numbers;
};
// Words of an enum, joined by commas.
template <typename Enum>
struct Words {};
// Of an option that may be repeated.
template <typename Type>
struct Several {};

}  // namespace option

// An option whose value is a `Type`: one of those above, or an enum.
template <typename Type>
struct Option {
  std::string_view name;  // without dashes
};

// An option of whatever type. There is none of a name that is not below.
class OptionName {
 public:
  template <typename Type>
  constexpr OptionName(Option<Type> option) : text_(option.name) {}

  constexpr std::string_view text() const { return text_; }

 private:
  std::string_view text_;
};

// ---- the options ----------------------------------------------------------------------------

namespace option {

inline constexpr Option<SearchWord> search{"search"};
inline constexpr Option<Order> order{"order"};
inline constexpr Option<Text> cost{"cost"};
inline constexpr Option<Several<Text>> towards{"towards"};
inline constexpr Option<Preference> choose{"choose"};
inline constexpr Option<Count> keep{"keep"};
inline constexpr Option<KeepPer> per{"per"};
inline constexpr Option<Expand> expand{"expand"};
inline constexpr Option<Several<Text>> fold{"fold"};
inline constexpr Option<StoreWord> store{"store"};
inline constexpr Option<Bytes> arena{"arena"};
inline constexpr Option<Count> bits_per_state{"bits-per-state"};
inline constexpr Option<Count> fingerprint_bits{"fingerprint-bits"};
inline constexpr Option<Switch> keep_graph{"keep-graph"};
inline constexpr Option<BackwardEngine> engine{"engine"};
inline constexpr Option<Several<Text>> target{"target"};
inline constexpr Option<Switch> confirm{"confirm"};
inline constexpr Option<Switch> potential{"potential"};
inline constexpr Option<File> certificate{"certificate"};
inline constexpr Option<StepperKind> stepper{"stepper"};
inline constexpr Option<Count> threads{"threads"};
inline constexpr Option<Bytes> memory{"memory"};
inline constexpr Option<Folder> spill{"spill"};
inline constexpr Option<Folder> checkpoint{"checkpoint"};
inline constexpr Option<Folder> resume{"resume"};
inline constexpr Option<Seconds> every{"every"};
inline constexpr Option<Seconds> time{"time"};
inline constexpr Option<Seconds> total_time{"total-time"};
inline constexpr Option<Count> depth{"depth"};
inline constexpr Option<Switch> store_labelled{"store-labelled"};
inline constexpr Option<Count> cache_states{"cache-states"};
inline constexpr Option<Replacement> replace{"replace"};
inline constexpr Option<Count> runs{"runs"};
inline constexpr Option<Count> seed{"seed"};
inline constexpr Option<Switch> count_distinct{"count-distinct"};
inline constexpr Option<TimeoutPolicy> timeouts{"timeouts"};
inline constexpr Option<Count> capacity{"capacity"};
inline constexpr Option<Count> at_most_slots{"at-most-slots"};
inline constexpr Option<OverflowPolicy> overflow{"overflow"};
inline constexpr Option<RangePolicy> ranges{"ranges"};
inline constexpr Option<Text> faults{"faults"};
inline constexpr Option<ReceptionPolicy> receptions{"receptions"};
inline constexpr Option<Switch> strict{"strict"};
inline constexpr Option<Several<Text>> never{"never"};
inline constexpr Option<Several<Text>> ltl{"ltl"};
inline constexpr Option<Switch> non_progress{"non-progress"};
inline constexpr Option<Switch> acceptance{"acceptance"};
inline constexpr Option<Words<FairWord>> fair{"fair"};
inline constexpr Option<Text> reach{"reach"};
inline constexpr Option<Switch> first{"first"};
inline constexpr Option<Switch> no_minimise{"no-minimise"};
inline constexpr Option<Text> labels{"labels"};
inline constexpr Option<Words<Reduce>> reduce{"reduce"};
inline constexpr Option<Switch> shortest{"shortest"};
inline constexpr Option<Several<Definition>> define{"D"};
inline constexpr Option<Several<Parameter>> vary{"D"};
inline constexpr Option<ChartWord> chart{"chart"};
inline constexpr Option<Count> width{"width"};
inline constexpr Option<Switch> state{"state"};
inline constexpr Option<Numbers> show{"show"};
inline constexpr Option<Several<Text>> only{"only"};
inline constexpr Option<Amount> trails{"trails"};
inline constexpr Option<Switch> minimise_trail{"minimise-trail"};
inline constexpr Option<Switch> steps{"steps"};
inline constexpr Option<Switch> stats{"stats"};
inline constexpr Option<Switch> json{"json"};
inline constexpr Option<Several<File>> report{"report"};
inline constexpr Option<Database> db{"db"};
inline constexpr Option<RelateOn> on{"on"};
inline constexpr Option<Count> rows{"rows"};
inline constexpr Option<Count> paths{"paths"};
inline constexpr Option<File> keep_in{"keep"};
inline constexpr Option<Switch> automata{"automata"};
inline constexpr Option<Switch> rules{"rules"};
inline constexpr Option<Switch> layout{"layout"};
inline constexpr Option<Switch> tables{"tables"};
inline constexpr Option<Switch> backward{"backward"};
inline constexpr Option<Switch> channels{"channels"};
inline constexpr Option<Switch> holes{"holes"};
inline constexpr Option<RowsBy> by{"by"};
inline constexpr Option<Switch> graph{"graph"};
inline constexpr Option<Count> states{"states"};
inline constexpr Option<Numbers> nodes{"nodes"};
inline constexpr Option<Count> cores{"cores"};
inline constexpr Option<Bytes> node_memory{"node-memory"};
inline constexpr Option<Seconds> sample{"sample"};
inline constexpr Option<Bytes> link{"link"};
inline constexpr Option<Seconds> latency{"latency"};
inline constexpr Option<ShowFormat> show_format{"format"};
inline constexpr Option<File> output{"output"};
inline constexpr Option<Switch> relational{"relational"};
inline constexpr Option<Text> named{"named"};
inline constexpr Option<Switch> schema{"schema"};
inline constexpr Option<AnswerFormat> answer_format{"format"};
inline constexpr Option<File> trail{"trail"};
inline constexpr Option<Count> error{"error"};
inline constexpr Option<Count> length{"length"};
inline constexpr Option<Several<Weight>> weight{"weight"};
inline constexpr Option<Switch> interactive{"interactive"};
inline constexpr Option<Count> step{"step"};
inline constexpr Option<Switch> progress{"progress"};
inline constexpr Option<Switch> watch{"watch"};
inline constexpr Option<Switch> write{"write"};
inline constexpr Option<Switch> check{"check"};
inline constexpr Option<Switch> example{"example"};

}  // namespace option
}  // namespace panoptes
