// SPDX-License-Identifier: Apache-2.0
#include "relational/step_columns.hpp"

#include <fmt/format.h>

namespace panoptes {

using algebra::Names;
using algebra::Relation;
using algebra::Terms;

namespace {

std::string slot(const std::string& channel, std::uint32_t number) {
  return fmt::format("{}_{}", channel, number);
}

// A slot and the values of its message.
Names slot_columns(const std::string& channel, std::uint32_t number, std::uint32_t values) {
  Names names = {slot(channel, number)};
  for (std::uint32_t v = 1; v <= values; ++v)
    names.push_back(fmt::format("{}_value_{}", names[0], v));
  return names;
}

}  // namespace

Names with_prefix(const std::string& prefix, Names names) {
  for (std::string& name : names) name.insert(0, prefix);
  return names;
}

void add(Names& names, const Names& more) { names.insert(names.end(), more.begin(), more.end()); }
void add(Terms& terms, const Terms& more) { terms.insert(terms.end(), more.begin(), more.end()); }

Terms pairs(const Names& from, const Names& to) {
  Terms terms;
  for (std::size_t i = 0; i < from.size(); ++i) terms.emplace_back(from[i], to[i]);
  return terms;
}

Relation with_other_prefix(const Relation& r, const Names& columns, const std::string& from,
                           const std::string& to) {
  return rename(r, pairs(with_prefix(from, columns), with_prefix(to, columns)));
}

SideView StepColumns::side_a() const {
  const TwoProcess::Side &a = protocol_.a, &b = protocol_.b;
  return {&a, "a", "b", "b_to_a", "a_to_b", a.capacity, a.value_count, b.capacity, b.value_count};
}

SideView StepColumns::side_b() const {
  const TwoProcess::Side &a = protocol_.a, &b = protocol_.b;
  return {&b, "b", "a", "a_to_b", "b_to_a", b.capacity, b.value_count, a.capacity, a.value_count};
}

Names StepColumns::pair() const {
  Names names = {"state_a", "state_b"};
  for (const TwoProcess::Attribute& attribute : protocol_.attributes)
    names.push_back(attribute.column);
  return names;
}

Names StepColumns::state() const {
  Names names = pair();
  for (const SideView& v : {side_a(), side_b()})
    add(names, slots(v.in, v.in_capacity, v.in_values));
  return names;
}

Names StepColumns::rule(const std::string& own) const {
  Names names = {"present_state_" + own, "trigger_" + own, "future_state_" + own};
  if (protocol_.is_extended) names.push_back("procedure_" + own);
  return names;
}

Names StepColumns::doings() const {
  Names names = {"trigger_a", "trigger_b"};
  if (protocol_.is_extended) add(names, {"procedure_a", "procedure_b"});
  return names;
}

Names StepColumns::possible() const {
  Names names = {"present_state_a", "present_state_b"};
  add(names, doings());
  add(names, {"future_state_a", "future_state_b"});
  return names;
}

Names StepColumns::steady() const {
  Names names = with_prefix(at_present, pair());
  add(names, doings());
  add(names, with_prefix(in_future, pair()));
  return names;
}

Names StepColumns::transition() const {
  Names names = with_prefix(at_present, state());
  add(names, doings());
  add(names, with_prefix(in_future, state()));
  return names;
}

Terms StepColumns::empty_channels() const {
  Terms terms;
  for (const SideView& v : {side_a(), side_b()})
    for (const std::string& column : slots(v.in, v.in_capacity, v.in_values))
      terms.emplace_back(column, column.find("_value_") == std::string::npos ? "0" : "0::BIGINT");
  return terms;
}

Names slots(const std::string& channel, std::uint32_t capacity, std::uint32_t values) {
  Names names;
  for (std::uint32_t i = 1; i <= capacity; ++i) add(names, slot_columns(channel, i, values));
  return names;
}

Terms unchanged(const Names& columns) {
  Terms terms;
  for (const std::string& column : columns)
    terms.emplace_back(in_future + column, at_present + column);
  return terms;
}

Terms with_last(const SideView& sender, const std::string& message, const Names& values) {
  Terms terms;
  for (std::uint32_t i = 1; i <= sender.out_capacity; ++i) {
    const std::string at = at_present + slot(sender.out, i);
    const std::string is_first =
        i == 1 ? "" : fmt::format(" AND {}{} <> 0", at_present, slot(sender.out, i - 1));
    const Names columns = slot_columns(sender.out, i, sender.out_values);
    for (std::size_t c = 0; c < columns.size(); ++c)
      terms.emplace_back(in_future + columns[c],
                         fmt::format("CASE WHEN {} = 0{} THEN {} ELSE {}{} END", at, is_first,
                                     c == 0 ? message : values[c - 1], at_present, columns[c]));
  }
  return terms;
}

Terms without_first(const SideView& receiver) {
  Terms terms;
  for (std::uint32_t i = 1; i <= receiver.in_capacity; ++i) {
    const Names here = slot_columns(receiver.in, i, receiver.in_values);
    const Names next = slot_columns(receiver.in, i + 1, receiver.in_values);
    for (std::size_t c = 0; c < here.size(); ++c)
      terms.emplace_back(in_future + here[c],
                         i == receiver.in_capacity ? "0" : at_present + next[c]);
  }
  return terms;
}

}  // namespace panoptes
