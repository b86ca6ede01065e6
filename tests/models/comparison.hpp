// SPDX-License-Identifier: Apache-2.0
// In what a report of `panoptes check --json` differs from what a model says of itself.
#pragma once

#include <cstdint>
#include <nlohmann/json.hpp>
#include <set>
#include <sstream>
#include <string>
#include <vector>

#include "models/expectation.hpp"

namespace panoptes::models {

using Json = nlohmann::json;

inline const Json* first_error(const Json& report, const std::string& kind) {
  for (const Json& error : report.at("errors"))
    if (error.at("kind") == kind) return &error;
  return nullptr;
}

inline std::uint64_t count_errors(const Json& report, const std::string& kind) {
  std::uint64_t count = 0;
  for (const Json& error : report.at("errors"))
    if (error.at("kind") == kind) ++count;
  return count;
}

template <typename Value>
void compare(const std::string& what, const Value& expected, const Value& found,
             std::vector<std::string>& differences) {
  if (expected == found) return;
  std::ostringstream text;
  text << what << ": expected " << expected << ", found " << found;
  differences.push_back(text.str());
}

inline void compare_first(const Item& item, const Json& report,
                          std::vector<std::string>& differences) {
  const Json* error = first_error(report, item.name);
  if (error == nullptr) {
    differences.push_back("no " + item.name);
  } else if (item.kind == ItemKind::cause) {
    if (error->value("cause", "").empty()) differences.push_back(item.name + " has no cause");
  } else {
    const std::string field = item.kind == ItemKind::events ? "events" : "steps";
    compare(field + " of the first " + item.name, item.number,
            error->at(field).get<std::uint64_t>(), differences);
  }
}

inline void compare_item(const Item& item, const Json& report,
                         std::vector<std::string>& differences) {
  switch (item.kind) {
    case ItemKind::count:
      compare(item.name, item.number, report.at(item.name).get<std::uint64_t>(), differences);
      break;
    case ItemKind::by_default: break;  // of another run
    case ItemKind::warnings:
      compare<std::uint64_t>("warnings", item.number, report.at("warnings").size(), differences);
      break;
    case ItemKind::dead:
      compare<std::uint64_t>("dead code", item.number, report.at("dead_code").size(), differences);
      break;
    case ItemKind::verdict:
      compare("verdict", item.name, report.at("verdict").get<std::string>(), differences);
      break;
    case ItemKind::no_errors:
      compare<std::uint64_t>("errors", 0, report.at("errors").size(), differences);
      break;
    case ItemKind::groups:
      compare("number of " + item.name, item.number, count_errors(report, item.name), differences);
      break;
    case ItemKind::events:
    case ItemKind::steps:
    case ItemKind::cause: compare_first(item, report, differences); break;
  }
}

// The column report of the first error, as a list.
inline std::vector<std::string> rows_of(const Json& report) {
  std::vector<std::string> rows;
  if (report.at("errors").empty()) return rows;
  for (const Json& step : report.at("errors").at(0).at("trail")) {
    if (step.at("kind") == "timeout") {
      rows.push_back(step.at("channel").get<std::string>() + " tau");
    } else if (step.at("kind") == "send") {
      const std::string message = step.at("message");
      const bool unread = step.at("received_at_step").is_null();
      rows.push_back(step.at("channel").get<std::string>() + " " +
                     (unread ? "[" + message + "]" : message));
    }
  }
  return rows;
}

inline std::vector<std::string> differences_of(const Expectation& expected, const Json& report) {
  std::vector<std::string> differences;
  std::set<std::string> counted;
  for (const Item& item : expected.items) {
    compare_item(item, report, differences);
    if (item.kind == ItemKind::groups) counted.insert(item.name);
  }
  if (!counted.empty())
    for (const Json& error : report.at("errors"))
      if (!counted.contains(error.at("kind").get<std::string>()))
        differences.push_back("not expected: " + error.at("text").get<std::string>());
  if (!expected.rows.empty() && rows_of(report) != expected.rows) {
    std::string found;
    for (const std::string& row : rows_of(report)) found += (found.empty() ? "" : ", ") + row;
    differences.push_back("rows: found " + found);
  }
  return differences;
}

}  // namespace panoptes::models
