// SPDX-License-Identifier: Apache-2.0
#include "report/error_list.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <set>
#include <utility>

#include "base/diagnostic.hpp"
#include "base/display.hpp"
#include "base/parts.hpp"
#include "report/number_text.hpp"
#include "report/state_text.hpp"
#include "rules/families.hpp"
#include "verdict/make_reports.hpp"

namespace panoptes {
namespace {

using Words = std::set<std::string>;

// What an error can be asked for by.
struct ErrorWords {
  Words kinds, processes, states, messages;
  Words others;  // that fit, and nobody is told of: states by their places, what is the cause
  std::vector<const Words*> all() const {
    return {&kinds, &processes, &states, &messages, &others};
  }
};

void add_member(const std::string& name, Words& words) {
  words.insert(name);
  words.insert(family_name(name));
}

// "idle|waiting,38:23": of several processes, and of states that were made one.
void add_states(const std::string& text, Words& words) {
  for (const std::string_view process : parts_of(text, ','))
    for (const std::string_view state : parts_of(process, '|')) words.emplace(state);
}

// "callee?ring" is `ring`, too; "polite callee?ring" is `polite` as well.
void add_message(const std::string& message, Words& words) {
  if (message.empty()) return;
  words.insert(message);
  if (message.ends_with(')')) return;  // an expression as it is written
  for (const std::string_view part : parts_of(message, ' ')) {
    words.emplace(part);
    if (const std::size_t sign = part.find_last_of("?!"); sign != std::string_view::npos)
      words.emplace(part.substr(sign + 1));
  }
}

// "B at 4:19 cannot receive B?m2(1); ...": the messages.
void add_cause(const std::string& cause, Words& words) {
  constexpr std::string_view before = "cannot receive ";
  for (const std::string_view part : parts_of(cause, ';')) {
    const std::size_t at = part.find(before);
    if (at == std::string_view::npos) continue;
    const std::string message(part.substr(at + before.size()));
    words.insert(message);
    add_message(message.substr(0, message.find('(')), words);
  }
}

void add_words(const Program& program, const ErrorReport& error, ErrorWords& words) {
  const ErrorDescription& d = error.description;
  words.kinds.emplace(to_string(d.kind));
  for (const std::string_view process : parts_of(d.process, ','))
    add_member(std::string(process), words.processes);
  for (const Member& member : error.members)
    if (member.kind == Member::Kind::process) add_member(name_of(program, member), words.processes);
  add_states(d.state, words.states);
  add_states(d.place, words.others);
  add_message(subject_of(program, error), words.messages);
  for (const std::string* whole : {&d.state, &d.place})
    if (!whole->empty()) words.others.insert(*whole);
  if (const std::size_t sign = d.message.find_last_of("?!"); sign != std::string::npos)
    words.others.insert(d.message.substr(sign));  // as a table may have it
  add_cause(error.cause, words.others);
  if (error.is_warning) words.others.insert("warning");
}

std::string numbers_text(const NumberRange& range) {
  return range.first == range.last ? fmt::format("{}", range.first)
                                   : fmt::format("{}..{}", range.first, range.last);
}

// "2, 3 and 5 more", or that nothing is there.
std::string few_words(const Words& words) {
  return few_of(std::vector<std::string>(words.begin(), words.end()));
}

}  // namespace

ErrorList::ErrorList(const Program& program, const Verdict& verdict, ErrorRequest request,
                     std::size_t usual_trails)
    : program_(program),
      request_(std::move(request)),
      findings_left_out_(verdict.findings_left_out) {
  const std::vector<NumberRange>& show = request_.show;
  const std::uint64_t most = request_.trails.value_or(show.empty() ? usual_trails : UINT64_MAX);
  for (const auto* errors : {&verdict.errors, &verdict.warnings})
    for (const ErrorReport& error : *errors) {
      ListedError listed{all_.size() + 1, &error, true, false};
      const auto has_it = [&](const NumberRange& range) {
        return range.first <= listed.number && listed.number <= range.last;
      };
      const bool fits_all =
          std::all_of(request_.only.begin(), request_.only.end(),
                      [&](const std::string& word) { return fits(program, error, word); });
      fitting_ += fits_all;
      listed.is_wanted =
          fits_all && (show.empty() || std::any_of(show.begin(), show.end(), has_it));
      listed.has_trail = listed.is_wanted && wanted_ < most;
      wanted_ += listed.is_wanted;
      trails_ += listed.has_trail;
      all_.push_back(listed);
    }
}

std::string ErrorList::complaint() const {
  const std::string numbers = number_complaint(), words = word_complaint();
  if (!numbers.empty() || !words.empty() || wanted_ > 0) return numbers + words;
  if (request_.show.empty() || request_.only.empty()) return {};
  std::vector<std::string> shown;
  for (const NumberRange& range : request_.show) shown.push_back(numbers_text(range));
  return fmt::format("--show {} --only {}: none of these errors has that\n", fmt::join(shown, ","),
                     fmt::join(request_.only, " --only "));
}

// "; 12 findings are not listed": what is asked for may be among them.
std::string ErrorList::not_listed() const {
  if (findings_left_out_ == 0) return {};
  return fmt::format("; {} not listed", plural(findings_left_out_, "finding is", "findings are"));
}

std::string ErrorList::number_complaint() const {
  std::string text;
  const std::size_t size = all_.size();
  for (const NumberRange& range : request_.show) {
    if (range.last <= size) continue;
    const std::string there_are =
        size == 0 ? "there is no such error; nothing was found"
        : range.first <= size
            ? fmt::format("there {} only {}", size == 1 ? "is" : "are", with_commas(size))
        : size == 1 ? "there is no such error; the only one is 1"
                    : fmt::format("there is no such error; they are numbered 1 to {}", size);
    text += fmt::format("--show {}: {}{}\n", numbers_text(range), there_are, not_listed());
  }
  return text;
}

std::string ErrorList::word_complaint() const {
  std::string text;
  bool fits_each = true;
  for (const std::string& word : request_.only) {
    const bool is_met = std::any_of(all_.begin(), all_.end(), [&](const ListedError& listed) {
      return fits(program_, *listed.error, word);
    });
    if (!is_met)
      text += fmt::format("--only {}: {} has that{}; {}\n", word,
                          findings_left_out_ == 0
                              ? "no error"
                              : fmt::format("none of the {} listed", with_commas(all_.size())),
                          not_listed(), what_there_is(word));
    fits_each = fits_each && is_met;
  }
  if (fits_each && request_.only.size() > 1 && fitting_ == 0)
    text += fmt::format("--only: each word fits some error, but none fits all of them{}\n",
                        not_listed());
  return text;
}

std::string ErrorList::what_there_is(const std::string& word) const {
  if (all_.empty()) return "nothing was found";
  ErrorWords words;
  for (const ListedError& listed : all_) add_words(program_, *listed.error, words);
  std::vector<std::string> candidates;
  for (const Words* of : words.all()) candidates.insert(candidates.end(), of->begin(), of->end());
  if (std::string meant = did_you_mean(word, candidates); !meant.empty()) return meant;
  std::string text = fmt::format("there are kinds {}", few_words(words.kinds));
  const auto add = [&](std::string_view what, const Words& of) {
    if (!of.empty()) text += fmt::format("; {} {}", what, few_words(of));
  };
  add("processes", words.processes);
  add("states", words.states);
  add("messages", words.messages);
  return text;
}

WholeError::WholeError(const Program& program, const ErrorReport& error, const Deadline& deadline)
    : error_(error) {
  if (error.gap == TrailGap::unasked) made_ = with_trail(program, error, deadline);
}

std::size_t alike_count(const Members& members) {
  const auto is_first = [&](const Member& member) { return member.kind == members[0].kind; };
  return std::max<std::size_t>(
      1, static_cast<std::size_t>(std::count_if(members.begin(), members.end(), is_first)));
}

const std::string& subject_of(const Program& program, const ErrorReport& error) {
  const ErrorDescription& d = error.description;
  return d.message.empty() && error.finding.rule != none ? program.rules[error.finding.rule].text
                                                         : d.message;
}

bool fits(const Program& program, const ErrorReport& error, const std::string& word) {
  ErrorWords words;
  add_words(program, error, words);
  const auto all = words.all();
  return std::any_of(all.begin(), all.end(), [&](const Words* of) { return of->contains(word); });
}

}  // namespace panoptes
