// SPDX-License-Identifier: Apache-2.0
// models/llc.argos beside the table of IEEE 802.2 (llc/table.csv: state, event, condition, actions
// and next state, one row for each transition). Every row must be an option of the state's `do`, in
// the order of the table, with the same actions; and whatever else a state takes, it ignores.
#include <gtest/gtest.h>

#include <algorithm>
#include <fstream>
#include <map>
#include <regex>
#include <set>
#include <sstream>
#include <string>
#include <vector>

#include "models/expectation.hpp"

namespace panoptes::models {
namespace {

using Words = std::vector<std::string>;

std::string file_text(const std::string& path) {
  std::ifstream file(std::string(PANOPTES_SOURCE_DIR) + "/" + path, std::ios::binary);
  EXPECT_TRUE(file) << "cannot read " << path;
  return std::string(std::istreambuf_iterator<char>(file), {});
}

bool contains(const Words& words, const std::string& word) {
  return std::find(words.begin(), words.end(), word) != words.end();
}

std::string joined(const Words& words, const std::string& separator) {
  std::string text;
  for (const std::string& word : words) text += (text.empty() ? "" : separator) + word;
  return text;
}

// ---- the table ----------------------------------------------------------------------------------

struct Row {
  std::string state, event;
  Words conditions, actions;
  std::string next;
};

// What an implementation added to the standard.
const std::set<std::string> not_in_the_standard{"disc",
                                                "reset",
                                                "inc_tx_win_size",
                                                "dec_tx_win_size",
                                                "rst_sendack_flag",
                                                "adjust_npta_by_rr",
                                                "adjust_npta_by_rnr"};

// The table abbreviates two names; out of service is where nothing happens.
std::string state_called(const std::string& name, const std::string& from) {
  if (name == "rej") return "reject";
  if (name == "await_rej") return "await_reject";
  return name == "out_of_svc" ? state_called(from, from) : name;
}

std::vector<Row> read_table() {
  std::vector<Row> rows;
  std::istringstream stream(file_text("tests/models/llc/table.csv"));
  std::string line;
  std::getline(stream, line);
  while (std::getline(stream, line)) {
    Words cells = details::split(line, ',');
    if (cells[0] == "temp" || cells[1] == "tx_buffer_full") continue;
    Row row{state_called(cells[0], {}),
            cells[1],
            details::split(cells[2], '&'),
            {},
            state_called(cells[4], cells[0])};
    for (std::string action : details::split(cells[3], ';')) {
      if (not_in_the_standard.contains(action)) continue;
      // The status that the row names is what the user is told.
      if (action == "conn_confirm")
        action += contains(row.conditions, "set_status_conn") ? "(1)" : "(0)";
      row.actions.push_back(action);
    }
    std::erase_if(row.conditions, [](const std::string& condition) {
      return condition.starts_with("set_status_");
    });
    rows.push_back(std::move(row));
  }
  return rows;
}

const std::vector<Row>& table() {
  static const std::vector<Row> rows = read_table();
  return rows;
}

// ---- a row as the model writes it ---------------------------------------------------------------

const std::map<std::string, std::string> requests{{"conn_req", "connect_request"},
                                                  {"data_req", "data_conn_request"},
                                                  {"disc_req", "disconnect_request"},
                                                  {"rst_req", "reset_request"},
                                                  {"local_busy_detected", "local_busy_detected"},
                                                  {"local_busy_cleared", "local_busy_cleared"},
                                                  {"init_p_f_cycle", "initiate_p_f_cycle"}};
const Words numbered{"i", "rr", "rnr", "rej"};

std::string receive(const std::string& message, const Words& conditions) {
  const std::string when = conditions.empty() ? "" : " when (" + joined(conditions, " && ") + ")";
  return "llc[i]?" + message + when;
}

// A frame of those that have numbers in them. Values that nothing looks at are `_`, a bit that must
// be so and is not looked at again is `== 1`.
std::string numbered_frame(const std::string& type, const std::string& kind, char bit,
                           const std::string& said, bool needs_bit, Words conditions) {
  const std::string name = kind == "cmd" ? "p" : "f";
  Words values, more;
  if (bit == 'x') {
    values.push_back(needs_bit ? name : "_");
  } else if (needs_bit) {
    values.push_back(name);
    more.push_back(name + " == " + bit);
  } else {
    values.push_back(std::string("== ") + bit);
  }
  if (type == "i") values.push_back(said == "any" || said == "inval_nr" ? "_" : "ns");
  values.push_back(said == "any" ? "_" : "nr");
  if (said.empty()) more.push_back(type == "i" ? "expected" : "valid_nr");
  if (!said.empty() && said != "any") more.push_back(said);
  conditions.insert(conditions.begin(), more.begin(), more.end());
  return receive(type + "_" + kind + "(" + joined(values, ", ") + ")", conditions);
}

Words any_frame() {
  Words events;
  for (const std::string& type : numbered)
    events.push_back(numbered_frame(type, "cmd", '0', "any", false, {}));
  for (const std::string& type : numbered)
    events.push_back(numbered_frame(type, "rsp", 'x', "any", false, {}));
  for (const char* type : {"ua(_)", "dm(_)", "frmr(_)", "bad_pdu"})
    events.push_back(receive(type, {}));
  return events;
}

// The frames of a row: zzz is any that has numbers, xxx any that no row before it is about.
Words frames_of(const Row& row) {
  static const std::regex form(
      "rx_(\\w+?)_(cmd|rsp)_[pf]bit_set_([01x])(?:_(unexpd_ns|inval_ns|inval_nr))?");
  std::smatch match;
  if (!std::regex_match(row.event, match, form)) return {"cannot read " + row.event};
  const std::string type = match[1], kind = match[2];
  const char bit = match.str(3)[0];
  const bool answers_bit = std::any_of(row.actions.begin(), row.actions.end(),
                                       [](const auto& action) { return action.ends_with("_p"); });
  const bool needs_bit = kind == "cmd" ? answers_bit
                                       : contains(row.actions, "upd_p_flag") ||
                                             contains(row.actions, "clear_remote_busy_if_f_eq_1") ||
                                             contains(row.conditions, "p_flag_eq_f");
  if (type == "xxx" || type == "zzz") {
    Words events;
    for (const std::string& each : numbered)
      events.push_back(numbered_frame(each, kind, bit, type == "xxx" ? "any" : match.str(4),
                                      type == "xxx" && needs_bit, row.conditions));
    if (type == "xxx" && kind == "rsp") events.push_back(receive("ua(_)", row.conditions));
    return events;
  }
  if (contains(numbered, type))
    return {numbered_frame(type, kind, bit, match[4], needs_bit, row.conditions)};
  const std::string value = needs_bit ? (kind == "cmd" ? "p" : "f") : "_";
  return {receive(type + "(" + value + ")", row.conditions)};
}

Words events_of(const Row& row) {
  if (const auto request = requests.find(row.event); request != requests.end()) {
    Words conditions = row.conditions;
    // That the window must be open is implied; of the last frame the table says so itself.
    if (row.event == "data_req" && row.state != "normal" &&
        contains(conditions, "remote_busy_eq_0"))
      conditions.push_back("window_open");
    return {receive(request->second, conditions)};
  }
  if (row.event.ends_with("_tmr_exp")) {
    Words conditions = row.conditions;
    conditions.insert(conditions.begin(), row.event);
    return {"when (" + joined(conditions, " && ") + ") llc[i]?timeout"};
  }
  if (row.event == "rx_any_frame") return any_frame();
  if (row.event == "rx_bad_pdu") return {receive("bad_pdu", row.conditions)};
  return frames_of(row);
}

// ---- the model ----------------------------------------------------------------------------------

// One line, without comments and with the parts that are there if nothing is defined.
std::string plain(const std::string& text) {
  std::string result;
  std::vector<bool> kept;
  std::istringstream stream(text);
  for (std::string line; std::getline(stream, line);) {
    if (line.starts_with("#if")) kept.push_back(!line.starts_with("#ifdef"));
    if (line.starts_with("#else")) kept.back() = !kept.back();
    if (line.starts_with("#endif")) kept.pop_back();
    if (line.starts_with("#")) continue;
    if (std::find(kept.begin(), kept.end(), false) != kept.end()) continue;
    result += line.substr(0, line.find("//")) + " ";
  }
  return std::regex_replace(result, std::regex(" +"), " ");
}

// What is between the brace behind `begin` and the one that closes it.
std::string body_behind(const std::string& text, std::size_t begin) {
  std::size_t at = text.find('{', begin) + 1, first = at;
  for (int depth = 1; depth > 0; ++at) depth += text[at] == '{' ? 1 : text[at] == '}' ? -1 : 0;
  return details::trimmed(text.substr(first, at - 1 - first));
}

// Of an option: its events, one below the other, and what is done.
Row option_row(const std::string& state, std::string option) {
  Row row{state, {}, {}, {}, {}};
  std::string actions;
  if (option.starts_with("if :: ")) {
    const std::size_t end = option.find(" fi");
    row.conditions = details::split(
        std::regex_replace(option.substr(6, end - 6), std::regex(" ::"), "\n"), '\n');
    actions = option.substr(end + 3);
  } else {
    const std::size_t end = option.find(" -> ");
    row.conditions = {option.substr(0, end)};
    actions = option.substr(end + 4);
  }
  for (const std::string& action :
       details::split(std::regex_replace(actions, std::regex(";"), ","), ',')) {
    if (action.starts_with("goto ")) row.next = action.substr(5);
    if (action.empty() || action.starts_with("goto ")) continue;
    // Values that are not needed any more, and a consequence of clear_remote_busy.
    if (action.starts_with("forget") || action == "resume()") continue;
    row.actions.push_back(action);
  }
  return row;
}

// The options of all states; `conditions` are their events.
std::vector<Row> model_rows() {
  const std::string text = plain(file_text("models/llc.argos"));
  std::string states = body_behind(text, text.find("proc llc[i"));
  for (const std::string name : {"not_acceptable", "not_for_this_state"})
    states = std::regex_replace(states, std::regex(name + "\\(\\)"),
                                body_behind(text, text.find("procedure " + name)));
  static const std::regex state("(\\w+): (?:end_\\w+: )?do (.*?) od");
  std::vector<Row> rows;
  for (std::sregex_iterator at(states.begin(), states.end(), state), end; at != end; ++at) {
    const std::string options = (*at)[2];
    for (std::size_t begin = 0; (begin = options.find(":: atomic {", begin)) != std::string::npos;
         ++begin)
      rows.push_back(option_row((*at)[1], body_behind(options, begin)));
  }
  return rows;
}

std::string shown(const std::string& state, const std::string& event, const Words& actions,
                  const std::string& next) {
  return state + ": " + event + " -> " + joined(actions, "; ") + " -> " + next;
}

// A timer that has run out does not run any more, which the table does not say.
bool only_stops_its_timer(const std::string& event, const Words& actions) {
  const std::size_t end = event.find("_tmr_exp");
  if (end == std::string::npos || actions.size() != 1) return false;
  return actions[0] == "stop_" + event.substr(6, end - 6) + "_timer";
}

using Lines = std::map<std::string, Words>;  // by state

Lines wanted_lines() {
  Lines lines;
  for (const Row& row : table())
    for (const std::string& event : events_of(row))
      lines[row.state].push_back(shown(row.state, event, row.actions, row.next));
  return lines;
}

TEST(LinkControl, IsTheTableRowByRow) {
  EXPECT_EQ(table().size(), 314u);
  const Lines wanted = wanted_lines();
  EXPECT_EQ(wanted.size(), 11u);
  Lines found;
  std::size_t ignored = 0;
  for (const Row& row : model_rows())
    for (const std::string& event : row.conditions) {
      Words actions = row.actions;
      const std::string line = shown(row.state, event, actions, row.next);
      const bool is_row = wanted.contains(row.state) && contains(wanted.at(row.state), line);
      if (!is_row && row.next == row.state &&
          (actions.empty() || only_stops_its_timer(event, actions))) {
        ++ignored;
        continue;
      }
      if (const std::size_t end = event.find("_tmr_exp"); end != std::string::npos && !is_row)
        std::erase(actions, "stop_" + event.substr(6, end - 6) + "_timer");
      found[row.state].push_back(shown(row.state, event, actions, row.next));
    }
  EXPECT_EQ(found, wanted);
  EXPECT_EQ(ignored, 69u);
}

// ---- the order of rows --------------------------------------------------------------------------

using Values = std::map<std::string, int>;

bool holds(const std::string& condition, const Values& values) {
  if (condition == "p_flag_eq_f") return values.at("p_flag") == values.at("f");
  if (condition == "retry_cnt_lt_n2") return values.at("retry") == 0;
  if (condition == "retry_cnt_gte_n2") return values.at("retry") == 1;
  const std::size_t end = condition.find("_eq_");
  return values.at(condition.substr(0, end)) == std::stoi(condition.substr(end + 4));
}

bool hold(const Row& row, const Values& values) {
  return std::all_of(row.conditions.begin(), row.conditions.end(),
                     [&](const std::string& each) { return holds(each, values); });
}

// The rows of each state that are about each event. A bit that may be anything is one event with 0
// and another with 1.
std::map<std::pair<std::string, std::string>, std::vector<Row>> rows_by_event() {
  std::map<std::pair<std::string, std::string>, std::vector<Row>> rows;
  for (const Row& row : table()) {
    const std::size_t either = row.event.find("_set_x");
    for (const char bit : {'0', '1'}) {
      std::string event = row.event;
      if (either != std::string::npos) event[either + 5] = bit;
      if (either != std::string::npos || bit == '0') rows[{row.state, event}].push_back(row);
    }
  }
  return rows;
}

// Calls `visit` with all values that conditions look at.
template <typename Visit>
void each_situation(const Visit& visit) {
  for (int i = 0; i < 3 * 64; ++i)
    visit(Values{{"p_flag", i & 1},
                 {"remote_busy", i >> 1 & 1},
                 {"last_frame", i >> 2 & 1},
                 {"retry", i >> 3 & 1},
                 {"s_flag", i >> 4 & 1},
                 {"cause_flag", i >> 5 & 1},
                 {"data_flag", i >> 6}});
}

// The first row that holds is taken, says the table. The options of a model have no order, so no
// two rows may hold. (Those about any frame say in the model which ones are left.)
TEST(LinkControl, HasNoTwoRowsThatHoldTogether) {
  std::ptrdiff_t held = 0;
  for (const auto& about : rows_by_event())
    each_situation([&](Values values) {
      values["f"] = about.first.second.find("_set_1") != std::string::npos;
      const auto count = std::count_if(about.second.begin(), about.second.end(),
                                       [&](const Row& row) { return hold(row, values); });
      EXPECT_LE(count, 1) << about.first.first << " " << about.first.second;
      held += count;
    });
  EXPECT_GT(held, 10'000);
}

// ---- the mistakes in print that the paper names -------------------------------------------------

bool has_row(const std::string& state, const std::string& event, const std::string& condition,
             const std::string& action) {
  return std::any_of(table().begin(), table().end(), [&](const Row& row) {
    return row.state == state && row.event == event &&
           (condition.empty() || contains(row.conditions, condition)) &&
           (action.empty() || contains(row.actions, action));
  });
}

// Tables 5 and 6 of the paper: what was misprinted is read as the paper reads it.
TEST(LinkControl, HasWhatThePaperPutRight) {
  EXPECT_TRUE(has_row("setup", "ack_tmr_exp", "s_flag_eq_1", "conn_confirm(1)"));
  EXPECT_TRUE(has_row("reset", "ack_tmr_exp", "retry_cnt_lt_n2", "send_sabme_cmd_p_set_x"));
  EXPECT_TRUE(has_row("error", "ack_tmr_exp", "retry_cnt_gte_n2", "send_sabme_cmd_p_set_x"));
  EXPECT_TRUE(has_row("normal", "rx_i_rsp_fbit_set_x", "p_flag_eq_f", "inc_vr_by_1"));
  EXPECT_TRUE(has_row("await", "rx_i_rsp_fbit_set_0", "", "inc_vr_by_1"));
  EXPECT_TRUE(has_row("await_reject", "rx_i_cmd_pbit_set_0", "", "upd_nr_received"));
  // One event was missing, and is ignored.
  const std::string missing =
      "llc[i]?i_rsp(== 1, ns, nr) when (p_flag_eq_0 && (expected || unexpd_ns))";
  const std::vector<Row> rows = model_rows();
  EXPECT_EQ(std::count_if(rows.begin(), rows.end(),
                          [&](const Row& row) {
                            return row.state == "busy" && contains(row.conditions, missing) &&
                                   row.actions.empty() && row.next == "busy";
                          }),
            1);
  // Three events seemed to be several: they have rows with conditions that exclude each other.
  EXPECT_EQ(rows_by_event().at({"normal", "data_req"}).size(), 3u);
  EXPECT_EQ(rows_by_event().at({"normal", "rx_i_rsp_fbit_set_0"}).size(), 2u);
  EXPECT_EQ(rows_by_event().at({"reject", "rx_i_rsp_fbit_set_0"}).size(), 2u);
}

}  // namespace
}  // namespace panoptes::models
