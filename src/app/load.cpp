// SPDX-License-Identifier: Apache-2.0
#include "app/load.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>

#include "app/arguments.hpp"
#include "app/report_files.hpp"
#include "app/system.hpp"
#include "base/options.hpp"
#include "lang/argos/parse.hpp"
#include "protocol/build.hpp"
#include "protocol/cost.hpp"
#include "relational/open.hpp"
#include "rules/fold.hpp"
#include "search/spill_file.hpp"
#include "session/choose_step.hpp"
#include "session/walk.hpp"
#include "store/bit_store.hpp"
#include "store/hash_store.hpp"

namespace panoptes {
namespace {

std::vector<argos::Definition> definitions_of(const Arguments& arguments) {
  std::vector<argos::Definition> result;
  for (const std::string& text : arguments.definitions) {
    const std::size_t equals = text.find('=');
    if (equals == std::string::npos)
      result.push_back({text, "1"});
    else
      result.push_back({text.substr(0, equals), text.substr(equals + 1)});
  }
  return result;
}

bool is_name(std::string_view text) {
  const auto is_letter = [](char c) {
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_';
  };
  if (text.empty() || !is_letter(text[0])) return false;
  for (const char c : text)
    if (!is_letter(c) && !(c >= '0' && c <= '9')) return false;
  return true;
}

bool is_valid(const OptionInfo& option, const std::string& value) {
  if (option.argument == "SIZE") return parse_size(value).value_or(0) > 0;
  if (option.argument == "TIME") return parse_duration(value).value_or(0.0) > 0.0;
  const auto is_between = [&](std::uint64_t least, std::uint64_t most) {
    const auto count = parse_count(value);
    return count && *count >= least && *count <= most;
  };
  if (option.argument == "WHERE" || option.argument == "FILE" || option.argument == "NAME")
    return !value.empty();
  if (option.name == "db") return parse_database_address(value).has_value();
  if (option.name == "length") return is_between(1, Walk::most_steps);
  if (option.name == "threads") return is_between(1, 1024);
  if (option.name == "capacity") return is_between(1, BuildLimits::capacity);
  if (option.name == "bits-per-state") return is_between(1, BitStore::most_bits_per_state);
  if (option.name == "fingerprint-bits")
    return is_between(HashStore::least_fingerprint_bits, HashStore::most_fingerprint_bits);
  if (option.argument == "N") return parse_count(value).value_or(0) > 0;
  return is_choice(option, value);
}

// The cost of --cost; complaints about it go to `loaded`.
std::optional<CostExpression> cost_of(const Arguments& arguments, const Protocol& protocol,
                                      Loaded& loaded) {
  const argos::ExpressionPtr expression =
      argos::parse_cost("--cost", arguments.get("cost"), loaded.sources, loaded.diagnostics);
  if (!expression) return {};
  return resolve_cost(*expression, protocol, loaded.diagnostics);
}

// The bits of all --fold; false where one names nothing.
bool fold(const Arguments& arguments, const Program& program, Loaded& loaded) {
  for (const auto& [kind, name] : arguments.folds) {
    std::string problem;
    const auto bits = folded_bits(program, fmt::format("{} {}", kind, name), problem);
    if (!bits) {
      loaded.diagnostics.error({}, fmt::format("--fold {} {}: {}", kind, name, problem));
      return false;
    }
    loaded.folded.resize(bits->size(), 0);
    for (std::size_t i = 0; i < bits->size(); ++i) loaded.folded[i] |= (*bits)[i];
  }
  return true;
}

// Options that only some searches and stores look at.
struct Use {
  std::string_view option;
  std::vector<std::string_view> searches, stores;
};
const std::vector<Use>& uses() {
  static const std::vector<Use> all = {
      {"cost", {"guided"}, {}},
      {"order", {"auto", "exhaustive", "supertrace"}, {}},
      {"store", {"auto", "exhaustive", "scatter", "guided"}, {}},
      {"spill", {"auto", "exhaustive", "supertrace"}, {}},
      {"arena", {"supertrace"}, {"bits"}},
      {"bits-per-state", {"supertrace"}, {"bits"}},
      {"fingerprint-bits", {}, {"hash"}},
      {"runs", {"supertrace", "walk"}, {"hash", "bits"}},
      {"store-labelled", {"stack", "cache"}, {}},
      {"cache-states", {"cache"}, {}},
      {"replace", {"cache"}, {}},
      {"count-distinct", {"stack", "cache", "walk"}, {}},
  };
  return all;
}

bool contains(const std::vector<std::string_view>& words, std::string_view word) {
  return std::find(words.begin(), words.end(), word) != words.end();
}

// A complaint about an option that would be ignored, or nothing.
std::string ignored_option(const Arguments& arguments) {
  for (const Use& use : uses()) {
    const std::string name(use.option);
    const bool is_used = contains(use.searches, arguments.get("search")) ||
                         contains(use.stores, arguments.get("store")) ||
                         (use.option == "cost" && arguments.get("choose") == "cost");
    const bool is_given = arguments.has(name) && arguments.get(name) != find_option(name)->standard;
    if (is_used || !is_given) continue;
    std::string where;
    for (const std::string_view search : use.searches)
      where += fmt::format("{}--search {}", where.empty() ? "" : ", ", search);
    for (const std::string_view store : use.stores)
      where += fmt::format("{}--store {}", where.empty() ? "" : ", ", store);
    if (use.option == "cost") where += ", --choose cost";
    return fmt::format("--{} is for {}", use.option, where);
  }
  return {};
}

// The same for what prints a list of its own, whatever is asked.
std::string ignored_by_list(const Arguments& arguments) {
  const bool is_schema = arguments.has("schema");
  if (!is_schema && arguments.get("named") != "list") return {};
  const std::string_view list = is_schema ? "--schema" : "--named list";
  if (!arguments.operand("SQL").empty()) return fmt::format("{} answers no query", list);
  for (const char* option : {"format", "output"})
    if (arguments.given.contains(option))
      return fmt::format("--{} is for answers; {} prints none", option, list);
  if (is_schema && arguments.has("named")) return "--named and --schema: one of them, please";
  return {};
}

// A complaint about what `show` is asked for, or nothing.
std::string wrong_view(const Arguments& arguments) {
  struct View {
    const char* name;
    std::vector<std::string_view> formats;
  };
  static const std::vector<View> views = {
      {"automata", {"text", "json", "dot", "svg"}},
      {"tables", {"text", "json"}},
      {"channels", {"text", "json", "dot", "svg"}},
      {"holes", {"text", "json"}},
      {"rules", {"text", "json"}},
      {"layout", {"text", "json"}},
  };
  const std::string format = arguments.get("format");
  std::size_t wanted = 0;
  for (const View& view : views) {
    if (!arguments.has(view.name)) continue;
    ++wanted;
    if (!contains(view.formats, format))
      return fmt::format("--{} has no --format {}; it has {}", view.name, format,
                         fmt::join(view.formats, ", "));
  }
  if (wanted == 0)
    return "show what? --automata, --tables, --channels, --holes, --rules or --layout";
  if (wanted > 1 && (format == "dot" || format == "svg"))
    return fmt::format("--format {} draws one thing at a time", format);
  if (arguments.given.contains("memory") && !arguments.has("holes"))
    return "--memory is for --holes";
  if (arguments.given.contains("time") && !arguments.has("holes") && format != "svg")
    return "--time is for --holes and --format svg";
  return {};
}

}  // namespace

std::string validate(const Arguments& arguments) {
  for (const auto& [name, value] : arguments.values) {
    const OptionInfo* option = find_option(name, arguments.command);
    if (!option || option->argument.empty() || is_valid(*option, value)) continue;
    const std::string wanted =
        option->argument == "SIZE"       ? "a size, e.g. 64M or 4G"
        : option->argument == "TIME"     ? "a time, e.g. 60s, 5m or 1h"
        : option->argument == "DATABASE" ? "duckdb, duckdb:FILE or postgresql://..."
        : option->choices.empty() ? std::string("a whole number, from 1 on and not too large")
                                  : fmt::format("one of {}", option->choices);
    return fmt::format("--{} {}: wanted {}", name, without_passwords(value), wanted);
  }
  const bool uses_cost = arguments.get("search") == "guided" || arguments.get("choose") == "cost";
  if (uses_cost && !arguments.has("cost"))
    return "--search guided and --choose cost need --cost EXPRESSION";
  if (std::string complaint = ignored_option(arguments); !complaint.empty()) return complaint;
  if (std::string complaint = wrong_report(arguments.reports); !complaint.empty()) return complaint;
  if (arguments.has("keep-graph")) {
    const std::string search = arguments.get("search");
    if (search == "stack" || search == "cache" || search == "walk" || search == "supertrace")
      return fmt::format("--keep-graph is not for --search {}, which forgets states", search);
    if (arguments.get("store") != "exact")
      return fmt::format("--keep-graph is not for --store {}", arguments.get("store"));
  }
  if (arguments.has("spill")) {
    if (arguments.get("order") == "depth") return "--spill is for --order breadth";
    std::string problem;
    if (!SpillFile::make(arguments.get("spill"), problem))
      return fmt::format("--spill {}: cannot write there: {}", arguments.get("spill"), problem);
  }
  if (arguments.command == "relate") {
    if (arguments.has("keep") && !arguments.has("steps"))
      return "--keep is for --steps; `panoptes query` keeps states";
    if (arguments.given.contains("rows") && !arguments.has("steps")) return "--rows is for --steps";
    if (arguments.has("steps") && !arguments.reports.empty())
      return "--report is not for --steps, which has no verdict";
    if (arguments.has("steps") && arguments.has("strict"))
      return "--strict is not for --steps, which does not look at unread messages";
    if (arguments.has("steps") && arguments.given.contains("receptions") &&
        arguments.get("receptions") != "any")
      return fmt::format("--steps finds what --receptions any does; --receptions {} is not for it",
                         arguments.get("receptions"));
    const std::string db = arguments.get("db");
    if (arguments.has("keep") && db.starts_with("duckdb:"))
      return fmt::format("--db {} and --keep both name a file: --keep alone is enough", db);
  }
  if (arguments.has("watch") && arguments.has("json"))
    return "--watch is for people; run `check --json` again for another object";
  if (arguments.command == "format") {
    const std::vector<std::string>& files = arguments.operands.at("FILE");
    const bool is_input = files.empty() || std::ranges::find(files, "-") != files.end();
    if (arguments.has("write") && arguments.has("check"))
      return "--write and --check: one of them, please";
    if (arguments.has("write") && is_input) return "--write needs files; `-` is none";
    if (files.size() > 1 && !arguments.has("write") && !arguments.has("check"))
      return "several files: --write puts each text back, --check only looks";
  }
  if (arguments.command == "explain" && arguments.has("example") &&
      arguments.operand("KIND").empty())
    return "an example of what? `panoptes explain` lists the kinds";
  if (arguments.command == "show")
    if (std::string complaint = wrong_view(arguments); !complaint.empty()) return complaint;
  if (arguments.command == "query") {
    if (arguments.has("named") && !arguments.operand("SQL").empty())
      return "--named and a query of your own: one of them, please";
    if (arguments.get("format") == "parquet" && !arguments.has("output"))
      return "--format parquet needs --output FILE";
    for (const char* limit : {"time", "depth"})
      if (arguments.has("relational") && arguments.has(limit))
        return fmt::format("--{} is not for --relational, which finds all or nothing", limit);
    if (arguments.has("relational") && arguments.given.contains("stepper"))
      return "--stepper is not for --relational, which has none";
    if (std::string complaint = ignored_by_list(arguments); !complaint.empty()) return complaint;
  }
  if (arguments.command == "replay") {
    if (arguments.has("step") && !arguments.has("interactive"))
      return "--step is for --interactive";
    if (arguments.has("json") && arguments.has("interactive"))
      return "--json and --interactive: one of them, please";
  }
  if (arguments.command == "simulate" && arguments.has("interactive"))
    for (const char* option : {"json", "length", "trail"})
      if (arguments.given.contains(option))
        return fmt::format("--{} is not for --interactive{}", option,
                           option == std::string_view("trail") ? ", which has `save`" : "");
  for (const std::string& text : arguments.weights) {
    const std::size_t equals = text.find('=');
    const auto weight =
        equals == std::string::npos ? std::nullopt : parse_count(text.substr(equals + 1));
    if (equals == 0 || !weight || *weight > StepChooser::most_weight)
      return fmt::format("--weight {}: wanted NAME=N, N from 0 to {}", text,
                         StepChooser::most_weight);
  }
  for (const std::string& text : arguments.definitions)
    if (!is_name(std::string_view(text).substr(0, text.find('='))))
      return fmt::format("-D {}: wanted NAME or NAME=VALUE", text);
  return {};
}

Loaded load(const Arguments& arguments) {
  std::vector<FileStamp> files;
  Loaded loaded = load(arguments, [&](const std::string& path) {
    files.push_back(stamp_of(path));
    return read_file(path, argos::Limits::file_bytes);
  });
  loaded.files = std::move(files);
  return loaded;
}

Loaded load(const Arguments& arguments, const argos::ReadFile& read_file) {
  Loaded loaded;
  const argos::Model model = argos::parse(arguments.model, read_file, definitions_of(arguments),
                                          loaded.sources, loaded.diagnostics);
  BuildOptions options;
  options.default_capacity =
      static_cast<std::uint32_t>(parse_count(arguments.get("capacity")).value_or(2));
  options.minimise = !arguments.has("no-minimise");
  auto protocol = build_protocol(model, options, loaded.sources, loaded.diagnostics);
  if (!protocol) return loaded;
  if (arguments.has("cost")) {
    loaded.cost = cost_of(arguments, *protocol, loaded);
    if (!loaded.cost) return loaded;
  }
  RuleOptions rules;
  if (arguments.get("timeouts") == "lock") rules.timeouts = TimeoutPolicy::lock;
  if (arguments.get("overflow") == "error") rules.overflow = OverflowPolicy::error;
  std::string problem;
  loaded.program = compile_rules(std::move(*protocol), rules, problem);
  if (!loaded.program) loaded.diagnostics.error({}, problem);
  if (loaded.program && !fold(arguments, *loaded.program, loaded)) loaded.program.reset();
  return loaded;
}

}  // namespace panoptes
