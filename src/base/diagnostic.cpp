// SPDX-License-Identifier: Apache-2.0
#include "base/diagnostic.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cstdint>

namespace panoptes {
namespace {

// A source line is shown whole up to this width; a longer one is cut around the caret.
constexpr std::size_t shown_width = 100;

// The source line with a caret under the place. Control characters would move the caret and bytes
// that are not ASCII may be no text at all: both are shown as one '?' per byte.
std::string excerpt(Place place, const SourceSet& sources) {
  const std::string_view line = sources.line(place);
  const std::size_t column = sources.line_column(place).column - 1;
  std::size_t begin = 0;
  if (line.size() > shown_width && column > shown_width / 2) begin = column - shown_width / 2;
  const std::string_view window = line.substr(std::min(begin, line.size()), shown_width);

  std::string shown;
  for (const char c : window) shown += c == '\t' ? ' ' : (c >= 0x20 && c < 0x7f) ? c : '?';
  const std::size_t caret = column - begin;
  const std::size_t room = window.size() > caret ? window.size() - caret : 1;
  const std::size_t width = std::clamp<std::size_t>(place.length, 1, room);
  return fmt::format("  {}\n  {}^{}\n", shown, std::string(caret, ' '),
                     std::string(width - 1, '~'));
}

void render_note(const Note& note, const SourceSet& sources, std::string& out) {
  if (!note.place.known()) {
    out += fmt::format("note: {}\n", note.message);
    return;
  }
  out += fmt::format("{}: note: {}\n{}", sources.describe(note.place), note.message,
                     excerpt(note.place, sources));
}

std::size_t edit_distance(std::string_view a, std::string_view b) {
  std::vector<std::size_t> before_last(b.size() + 1), last(b.size() + 1), now(b.size() + 1);
  for (std::size_t j = 0; j <= b.size(); ++j) last[j] = j;
  for (std::size_t i = 1; i <= a.size(); ++i) {
    now[0] = i;
    for (std::size_t j = 1; j <= b.size(); ++j) {
      now[j] = std::min({last[j] + 1, now[j - 1] + 1, last[j - 1] + (a[i - 1] != b[j - 1])});
      if (i > 1 && j > 1 && a[i - 1] == b[j - 2] && a[i - 2] == b[j - 1])
        now[j] = std::min(now[j], before_last[j - 2] + 1);
    }
    std::swap(before_last, last);
    std::swap(last, now);
  }
  return last[b.size()];
}

}  // namespace

bool Diagnostics::is_known(Place place, const std::string& message) const {
  return std::any_of(all_.begin(), all_.end(),
                     [&](const Diagnostic& d) { return d.place == place && d.message == message; });
}

void Diagnostics::error(Place place, std::string message, std::string suggestion,
                        std::vector<Note> notes) {
  if (full() || is_known(place, message)) return;
  ++error_count_;
  add({Severity::error, place, std::move(message), std::move(suggestion), std::move(notes)});
  if (full()) add({Severity::error, place, "too many errors; giving up here", {}, {}});
}

void Diagnostics::warning(Place place, std::string message, std::string suggestion,
                          std::vector<Note> notes) {
  if (warning_count_ >= warning_limit || is_known(place, message)) return;
  ++warning_count_;
  add({Severity::warning, place, std::move(message), std::move(suggestion), std::move(notes)});
  if (warning_count_ == warning_limit)
    add({Severity::warning, place, "too many warnings; others are left out", {}, {}});
}

void Diagnostics::add(Diagnostic diagnostic) { all_.push_back(std::move(diagnostic)); }

std::string Diagnostics::render(const SourceSet& sources) const {
  std::vector<const Diagnostic*> sorted;
  for (const Diagnostic& d : all_) sorted.push_back(&d);
  std::stable_sort(sorted.begin(), sorted.end(), [](const Diagnostic* a, const Diagnostic* b) {
    return std::pair(a->place.file, a->place.offset) < std::pair(b->place.file, b->place.offset);
  });
  std::string out;
  for (const Diagnostic* d : sorted) out += panoptes::render(*d, sources);
  return out;
}

std::string render(const Diagnostic& diagnostic, const SourceSet& sources) {
  const std::string_view severity = diagnostic.severity == Severity::error ? "error" : "warning";
  std::string out;
  if (diagnostic.place.known()) {
    out = fmt::format("{}: {}: {}\n{}", sources.describe(diagnostic.place), severity,
                      diagnostic.message, excerpt(diagnostic.place, sources));
  } else {
    out = fmt::format("{}: {}\n", severity, diagnostic.message);
  }
  if (!diagnostic.suggestion.empty()) out += fmt::format("  {}\n", diagnostic.suggestion);
  std::uint32_t expansion = diagnostic.place.expansion;
  for (int depth = 0; expansion != 0 && depth < 4; ++depth) {
    const Expansion& e = sources.expansion(expansion);
    render_note({e.spelling, fmt::format("expanded from macro `{}`", e.macro)}, sources, out);
    expansion = e.spelling.expansion;
  }
  for (const Note& note : diagnostic.notes) render_note(note, sources, out);
  return out;
}

std::string nearest(std::string_view word, std::span<const std::string> candidates) {
  // Longer words than these are no slips of the finger, and the distance is quadratic.
  constexpr std::size_t longest = 64;
  if (word.empty() || word.size() > longest) return {};
  std::size_t best_distance = std::max<std::size_t>(1, word.size() / 3) + 1;
  std::string best;
  for (const std::string& candidate : candidates) {
    if (candidate == word || candidate.size() > longest) continue;
    const std::size_t distance = edit_distance(word, candidate);
    if (distance < best_distance && distance < candidate.size()) {
      best_distance = distance;
      best = candidate;
    }
  }
  return best;
}

std::string did_you_mean(std::string_view word, std::span<const std::string> candidates) {
  const std::string found = nearest(word, candidates);
  return found.empty() ? std::string{} : fmt::format("did you mean `{}`?", found);
}

}  // namespace panoptes
