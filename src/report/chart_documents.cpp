// SPDX-License-Identifier: Apache-2.0
// Charts in the languages of Mermaid and PlantUML, for documents. Neither can draw a message that
// is taken later than it was sent, so a note on the lifeline says when it is. So does one when a
// process comes to a state with a name; lines and columns are for who has the model at hand, and
// only whole charts have them.
#include <fmt/format.h>

#include "report/chart.hpp"
#include "report/text.hpp"

namespace panoptes {
namespace {

// What differs between the two; the walk through the chart is the same.
struct Language {
  std::string_view begin;
  std::string (*participant)(const std::string& name, const std::string& id);
  std::string (*escape)(const std::string&);
  std::string_view received, taken_later, never, lost;  // arrows
  std::string (*note)(const std::string& over, const std::string& text);
  std::string (*fault)(const std::string& over, const std::string& text);
  std::string (*gap)(const std::string& over, const std::string& text);
  std::string_view end;
};

std::string participant(ProcessId process) { return fmt::format("p{}", process); }

class Document {
 public:
  Document(const Chart& chart, const Language& language) : chart_(chart), language_(language) {}

  std::string write() {
    out_ = language_.begin;
    for (const ProcessId p : chart_.lifelines)
      out_ += language_.participant(language_.escape(chart_.names[p]), participant(p));
    for (const ChartPart& part : chart_.parts) {
      if (chart_.repeats_for_ever == part.first) out_ += "loop for ever\n";
      if (part.times == 0) {
        out_ +=
            language_.gap(everybody(), fmt::format("{} steps left out", with_commas(part.count)));
        continue;
      }
      if (part.times > 1)
        out_ += fmt::format("loop {} times{}\n", part.times,
                            part.has_other_values ? ", values of the first" : "");
      for (std::size_t i = part.first; i < part.first + part.count; ++i) event(chart_.events[i]);
      if (part.times > 1) out_ += "end\n";
      if (!part.values.empty())
        out_ += language_.note(everybody(), language_.escape("by then " + part.values));
    }
    if (chart_.repeats_for_ever) out_ += "end\n";
    if (!chart_.lifelines.empty())
      out_ += language_.note(everybody(), language_.escape(final_states()));
    if (!chart_.fault.empty())
      out_ += language_.fault(chart_.fault_at.empty() ? everybody() : span(chart_.fault_at),
                              language_.escape(chart_.fault));
    for (const std::string& footnote : {concurrent_footnote(chart_), chart_.left_out})
      if (!footnote.empty()) out_ += language_.note(everybody(), language_.escape(footnote));
    return out_ + std::string(language_.end);
  }

 private:
  std::string span(const std::vector<ProcessId>& processes) const {
    ProcessId left = none, right = none;
    for (const ProcessId p : chart_.lifelines) {
      if (std::find(processes.begin(), processes.end(), p) == processes.end()) continue;
      if (left == none) left = p;
      right = p;
    }
    if (left == none) return participant(0);
    return left == right ? participant(left)
                         : fmt::format("{},{}", participant(left), participant(right));
  }
  std::string everybody() const { return span(chart_.lifelines); }

  std::string final_states() const {
    std::string out;
    for (const ProcessId p : chart_.lifelines)
      out += fmt::format("{}{} at {}", out.empty() ? "" : ", ", chart_.names[p],
                         chart_.final_states[p]);
    return out;
  }

  void event(const ChartEvent& event) {
    const std::string_view mark = event.is_concurrent ? "~ " : "";
    std::string text;
    if (event.kind == ActionKind::send) {
      const ChartArrow& arrow = chart_.arrows[event.arrow];
      const bool has_reader = arrow.to != none;
      const bool is_taken_next = arrow.received && chart_.events[*arrow.received].joins_previous;
      const std::string_view line = arrow.is_lost || !has_reader ? language_.lost
                                    : is_taken_next              ? language_.received
                                    : arrow.received             ? language_.taken_later
                                                                 : language_.never;
      out_ += fmt::format("{}{}{}: {}\n", participant(event.process), line,
                          participant(has_reader ? arrow.to : event.process),
                          language_.escape(arrow.received || arrow.is_lost
                                               ? fmt::format("{}{}", mark, arrow.label)
                                               : fmt::format("{}[{}]", mark, arrow.label)));
    } else if (event.kind == ActionKind::receive) {
      const ChartArrow& arrow = chart_.arrows[event.arrow];
      if (!event.joins_previous) text = fmt::format("takes {}", arrow.label);
    } else {
      text = event.says().here;
    }
    const auto add = [&](const std::string& part) { text += (text.empty() ? "" : ", ") + part; };
    for (const ChartWords& change : event.changes) add(change.here);
    if (event.has_name || (chart_.is_whole && !event.state.empty())) add("at " + event.state);
    if (event.fails) add("fails");
    if (!text.empty())
      out_ += language_.note(participant(event.process),
                             language_.escape(fmt::format("{}{}", mark, text)));
  }

  const Chart& chart_;
  const Language& language_;
  std::string out_;
};

std::string replaced(const std::string& text, std::string_view special, std::string (*with)(char)) {
  std::string out;
  for (const char c : text)
    out += special.find(c) == std::string_view::npos ? std::string(1, c) : with(c);
  return out;
}

// ---- Mermaid -------------------------------------------------------------------------------

const Language mermaid = {
    "sequenceDiagram\n",
    [](const std::string& name, const std::string& id) {
      return fmt::format("participant {} as {}\n", id, name);
    },
    [](const std::string& text) {
      return replaced(text, "#;<>",
                      [](char c) { return fmt::format("#{};", static_cast<int>(c)); });
    },
    "->>",
    "-)",
    "--)",
    "-x",
    [](const std::string& over, const std::string& text) {
      return fmt::format("Note over {}: {}\n", over, text);
    },
    [](const std::string& over, const std::string& text) {
      return fmt::format("Note over {}: ✕ {}\n", over, text);
    },
    [](const std::string& over, const std::string& text) {
      return fmt::format("Note over {}: ⋮ {}\n", over, text);
    },
    "",
};

// ---- PlantUML ------------------------------------------------------------------------------

const Language plantuml = {
    "@startuml\n",
    [](const std::string& name, const std::string& id) {
      return fmt::format("participant \"{}\" as {}\n", name, id);
    },
    [](const std::string& text) {
      return replaced(text, "*_/~\"<[\\", [](char c) { return fmt::format("~{}", c); });
    },
    " ->> ",
    " ->>o ",
    " -->>o ",
    " ->x ",
    [](const std::string& over, const std::string& text) {
      return fmt::format("rnote over {} : {}\n", over, text);
    },
    [](const std::string& over, const std::string& text) {
      return fmt::format("hnote over {} #tomato : {}\n", over, text);
    },
    [](const std::string&, const std::string& text) { return fmt::format("...{}...\n", text); },
    "@enduml\n",
};

}  // namespace

std::string mermaid_chart(const Chart& chart) { return Document(chart, mermaid).write(); }
std::string plantuml_chart(const Chart& chart) { return Document(chart, plantuml).write(); }

}  // namespace panoptes
