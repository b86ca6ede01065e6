// SPDX-License-Identifier: Apache-2.0
#include "query/column_names.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cctype>
#include <set>
#include <string_view>

namespace panoptes {
namespace {

// The columns `states` and `faulty` have of themselves, and what DuckDB or PostgreSQL would not
// take as the name of one.
constexpr std::string_view reserved =
    " "
    "state depth is_end may_stop is_expanded error_kinds all analyse analyze and anti any array as "
    "asc "
    "asof asymmetric at authorization between binary both by case cast check collate "
    "collation column columns concurrently constraint create cross current_catalog "
    "current_date current_role current_schema current_time current_timestamp current_user "
    "default deferrable desc describe distinct do else end except exists extract false "
    "fetch for foreign freeze from full generated glob grant group having ilike in "
    "initially inner interval intersect into is isnull join lambda lateral leading left "
    "like limit localtime localtimestamp map natural not notnull null offset on only or "
    "order outer overlaps pivot pivot_longer pivot_wider placing positional primary "
    "qualify references returning right row select semi session_user show similar some "
    "struct summarize symmetric system_user table tablesample then to trailing true "
    "try_cast union unique unpack unpivot user using values variadic verbose when where window "
    "with ";

// `node[2].retries` to node_2_retries, `lane[-1]` to lane_minus_1.
std::string plain(std::string_view name) {
  std::string result;
  for (const char c : name) {
    if (c == ']') continue;
    if (c == '-')
      result += "minus_";
    else if (std::isalnum(static_cast<unsigned char>(c)) == 0)
      result += '_';
    else
      result += static_cast<char>(std::tolower(static_cast<unsigned char>(c)));
  }
  return result;
}

// PostgreSQL cuts off the rest of a name. In the middle it is missed least: behind it are the
// numbers of members and the names of their variables.
constexpr std::size_t most_bytes = 63;
std::string shortened(const std::string& name, std::size_t room) {
  if (name.size() <= room) return name;
  const std::size_t tail = room / 2;
  return fmt::format("{}_{}", name.substr(0, room - tail - 1), name.substr(name.size() - tail));
}

class Names {
 public:
  std::string take(std::string_view name, std::string_view kind) {
    const std::string whole = plain(name);
    std::string result = shortened(whole, most_bytes);
    std::string behind = fmt::format("_{}", kind);
    for (int number = 2; !is_free(result); ++number) {
      result = shortened(whole, most_bytes - behind.size()) + behind;
      behind = fmt::format("_{}_{}", kind, number);
    }
    return result;
  }

 private:
  // And taken from now on.
  bool is_free(const std::string& name) {
    if (reserved.find(fmt::format(" {} ", name)) != std::string_view::npos) return false;
    return taken_.insert(name).second;
  }
  std::set<std::string> taken_;
};

bool is_word(char c) { return std::isalnum(static_cast<unsigned char>(c)) != 0 || c == '_'; }

// Whether `sql` has `name` as a name: not as a part of a longer one, and not as a text.
bool mentions(std::string_view sql, std::string_view name) {
  for (std::size_t at = sql.find(name); at != std::string_view::npos; at = sql.find(name, at + 1)) {
    const char before = at == 0 ? ' ' : sql[at - 1];
    const char after = at + name.size() == sql.size() ? ' ' : sql[at + name.size()];
    const bool goes_on = after == '[' || after == '.' || is_word(after);
    if (!goes_on && !is_word(before) && before != '.' && before != '\'') return true;
  }
  return false;
}

std::string full_name(const Protocol& protocol, const Variable& variable) {
  return (variable.process == none ? "" : protocol.processes[variable.process].name + ".") +
         variable.name;
}

}  // namespace

std::string columns_meant(const Protocol& protocol, std::string_view sql) {
  const StateColumns columns = state_columns(protocol);
  std::string lines;
  const auto add = [&](std::string_view kind, const std::string& name, const std::string& column) {
    if (!std::all_of(name.begin(), name.end(), is_word) && mentions(sql, name))
      lines += fmt::format("{} {} is column {}\n", kind, name, column);
  };
  for (ProcessId p = 0; p < protocol.processes.size(); ++p)
    add("process", protocol.processes[p].name, columns.processes[p]);
  for (VariableId v = 0; v < protocol.variables.size(); ++v)
    add("variable", full_name(protocol, protocol.variables[v]), columns.variables[v]);
  for (ChannelId c = 0; c < protocol.channels.size(); ++c)
    add("channel", protocol.channels[c].name, columns.channels[c]);
  return lines;
}

StateColumns state_columns(const Protocol& protocol) {
  StateColumns result;
  Names names;
  for (const Process& process : protocol.processes)
    result.processes.push_back(names.take(process.name, "process"));
  for (const Variable& variable : protocol.variables)
    result.variables.push_back(names.take(full_name(protocol, variable), "variable"));
  for (const Channel& channel : protocol.channels)
    result.channels.push_back(names.take(channel.name, "channel"));
  for (VariableId v = 0; v < protocol.variables.size(); ++v)
    result.value_names.push_back(protocol.variables[v].enumeration == none
                                     ? ""
                                     : names.take(result.variables[v] + "_name", "text"));
  return result;
}

}  // namespace panoptes
