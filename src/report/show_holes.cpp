// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <set>

#include "report/alike_automata.hpp"
#include "report/show.hpp"
#include "report/state_text.hpp"
#include "report/text.hpp"

namespace panoptes {
namespace {

using Matrix = ReceptionMatrix;

// What a cell can say, in the order of the legend.
enum class Sign : std::uint8_t {
  accepted,
  accepted_in_vain,
  by_default,
  conditional,
  blocked,
  reading,
  waits,
  left,
  not_here,
  never_sent,
};

std::string_view mark_of(ReceptionPolicy policy) {
  switch (policy) {
    case ReceptionPolicy::blocked: return "✗";
    case ReceptionPolicy::reading: return "!";
    case ReceptionPolicy::any: return "~";
  }
  return "";
}
Sign sign_of(ReceptionPolicy policy) {
  switch (policy) {
    case ReceptionPolicy::blocked: return Sign::blocked;
    case ReceptionPolicy::reading: return Sign::reading;
    case ReceptionPolicy::any: return Sign::waits;
  }
  return Sign::waits;
}
Colour colour_of(ReceptionPolicy policy) {
  return policy == ReceptionPolicy::blocked ? Colour::bad : Colour::warning;
}

class Holes {
 public:
  Holes(const Program& program, const SourceSet& sources, const Arrivals& arrivals,
        ReceptionPolicy receptions, const TextStyle& style)
      : program_(program),
        sources_(sources),
        arrivals_(arrivals),
        receptions_(receptions),
        style_(style) {}

  std::string text() {
    std::string out;
    for (const AlikeMatrices& alike : alike_matrices(program_, arrivals_))
      out += processes(alike) + "\n";
    return out + legend() + search();
  }

 private:
  std::string processes(const AlikeMatrices& alike) {
    const ProcessId p = alike.processes.members[0];
    const Matrix& matrix = alike.matrix;
    const std::string title = coloured("process " + alike.processes.title, Colour::heading, style_);
    if (matrix.columns.empty()) return fmt::format("{}: receives nothing\n", title);
    Grid grid;
    grid.corner = "state";
    for (std::size_t c = 0; c < matrix.columns.size(); ++c)
      grid.columns.push_back(
          {channel_title(program_.protocol.channels[matrix.columns[c].channel],
                         alike.channel_names[c]),
           matrix.columns[c].is_timeout() ? "timeout" : matrix.columns[c].message});
    for (StateId s = 0; s < matrix.rows.size(); ++s) {
      grid.labels.push_back(label(p, s));
      auto& cells = grid.rows.emplace_back();
      for (std::size_t c = 0; c < matrix.columns.size(); ++c)
        cells.push_back(cell(program_.state(p, s), matrix.columns[c], matrix.rows[s][c]));
    }
    return fmt::format("{}: {}\n\n{}", title, summary(alike), to_text(grid, style_));
  }

  std::string label(ProcessId p, StateId s) const {
    std::string title =
        fmt::format("{} {}", s, state_title(program_.protocol.processes[p].automaton, s, sources_));
    if (arrivals_.reached[p][s] != 0) return title;
    return title + (arrivals_.is_complete() ? ", never reached" : ", not reached");
  }

  Grid::Cell cell(const ControlState& state, const Matrix::Column& column,
                  const Matrix::Cell& cell) {
    Grid::Cell shown;
    if (!cell.targets.empty()) {
      shown.text = fmt::format("→ {}", fmt::join(cell.targets, ","));
      shown.colour = Colour::good;
      if (cell.acceptance == Matrix::Acceptance::conditional) {
        shown.text = "?" + shown.text;
        signs_.insert(Sign::conditional);
      }
      if (cell.by_default) {
        shown.text = "*" + shown.text;
        signs_.insert(Sign::by_default);
      }
      signs_.insert(cell.is_seen ? Sign::accepted : Sign::accepted_in_vain);
      if (!cell.is_seen) shown = {"(" + shown.text + ")", Colour::faint};
    }
    if (cell.hole) {
      shown.text =
          fmt::format("{}{}{}", mark_of(*cell.hole), shown.text.empty() ? "" : " ", shown.text);
      shown.colour = colour_of(*cell.hole);
      signs_.insert(sign_of(*cell.hole));
    }
    if (!shown.text.empty() || column.is_timeout()) return shown;
    if (column.tags.empty()) return noted("–", Sign::never_sent);
    if (cell.is_seen && state.is_end) return noted("left", Sign::left);
    return noted(arrivals_.is_complete() ? "·" : "?", Sign::not_here);
  }

  Grid::Cell noted(std::string text, Sign sign) {
    signs_.insert(sign);
    return {std::move(text), Colour::faint};
  }

  // "2 holes: connected ✗ to_A?ON, idle ✗ to_A?OFF; 1 not accepted, but not in the way (!)".
  std::string summary(const AlikeMatrices& alike) const {
    constexpr std::size_t most = 6;
    const std::vector<Matrix::Hole> holes = alike.matrix.holes(receptions_);
    const bool are_several = alike.processes.members.size() > 1;
    std::vector<std::string> words;
    for (std::size_t i = 0; i < std::min(holes.size(), most); ++i)
      words.push_back(coloured(
          fmt::format("{} {} {}?{}", alike.processes.automaton->states[holes[i].state].name,
                      mark_of(holes[i].policy), alike.channel_names[holes[i].column],
                      alike.matrix.columns[holes[i].column].message),
          colour_of(holes[i].policy), style_));
    if (holes.size() > most) words.push_back(fmt::format("{} more", holes.size() - most));
    std::string out =
        holes.empty()
            ? coloured(arrivals_.is_complete() ? "no holes" : "no holes seen", Colour::good, style_)
            : fmt::format("{}{}: {}", plural(holes.size(), "hole", "holes"),
                          are_several ? " each" : "", fmt::join(words, ", "));
    for (const ReceptionPolicy policy : {ReceptionPolicy::reading, ReceptionPolicy::any})
      if (const std::size_t count = alike.matrix.count(policy); policy > receptions_ && count > 0)
        out += fmt::format("; {} {} ({})", count,
                           policy == ReceptionPolicy::any ? count == 1 ? "waits" : "wait"
                                                          : "not accepted, but not in the way",
                           mark_of(policy));
    return out;
  }

  // Whether a check reports it.
  bool is_hole(ReceptionPolicy policy) const { return policy <= receptions_; }

  // Only what occurs.
  std::string legend() const {
    const bool is_complete = arrivals_.is_complete();
    const auto line = [&](Sign sign, std::string_view mark, std::string_view meaning) {
      return signs_.contains(sign) ? fmt::format("  {:<6}{}\n", mark, meaning) : std::string{};
    };
    return line(Sign::accepted, "→ 3", "accepted, and leads to state 3") +
           line(Sign::accepted_in_vain, "(→ 3)",
                is_complete ? "accepted, but never arrives here" : "accepted, not seen to arrive") +
           line(Sign::by_default, "*→ 3", "accepted by `default`") +
           line(Sign::conditional, "?→ 3", "accepted under a condition") +
           line(Sign::blocked, "✗",
                "a hole: arrives, is not accepted, and the process can do nothing else") +
           line(Sign::reading, "!",
                is_hole(ReceptionPolicy::reading)
                    ? "a hole: arrives, is not accepted, though the channel is read here"
                    : "arrives, is not accepted, but the process can do something else: a hole "
                      "with --receptions reading") +
           line(Sign::waits, "~",
                is_hole(ReceptionPolicy::any)
                    ? "a hole: arrives where the channel is not read, and waits"
                    : "arrives where the channel is not read, and waits: a hole with "
                      "--receptions any") +
           line(Sign::left, "left", "arrives after the end of the process") +
           line(Sign::not_here, is_complete ? "·" : "?",
                is_complete ? "never arrives here" : "not seen to arrive here") +
           line(Sign::never_sent, "–", "nobody sends it");
  }

  std::string search() const {
    std::string out = fmt::format("{} {}", with_commas(arrivals_.states),
                                  arrivals_.states == 1 ? "state" : "states");
    if (arrivals_.promise == Promise::exhaustive && arrivals_.has_failures)
      return out + ", all but what lies behind steps that fail: what was not seen may still be\n";
    if (arrivals_.promise == Promise::exhaustive) return out + ", all there are\n";
    return out + fmt::format(" {} looked at, not all ({}): what was not seen may still be\n",
                             arrivals_.states == 1 ? "was" : "were", to_string(arrivals_.stop));
  }

  const Program& program_;
  const SourceSet& sources_;
  const Arrivals& arrivals_;
  ReceptionPolicy receptions_;
  const TextStyle& style_;
  std::set<Sign> signs_;  // that occur
};

}  // namespace

std::string show_holes(const Program& program, const SourceSet& sources, const Arrivals& arrivals,
                       ReceptionPolicy receptions, const TextStyle& style) {
  return Holes(program, sources, arrivals, receptions, style).text();
}

std::string too_large_for_holes(const Program& program) {
  const std::size_t cells = matrix_cells(program);
  if (cells <= most_cells) return {};
  return fmt::format(
      "--holes: {} pairs of a state and a message are too many, {} are the most; `panoptes check "
      "--receptions any` finds the holes one by one",
      with_commas(cells), with_commas(most_cells));
}

}  // namespace panoptes
