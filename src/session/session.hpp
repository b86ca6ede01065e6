// SPDX-License-Identifier: Apache-2.0
// An interactive session: commands in, text out, and a walk through the protocol in between.
//
// A session knows nothing of terminals and files: whoever runs it reads lines, prints what comes
// back, and opens the doors below. So a test can hold a whole session in a string.
//
// Thread safety: one thread.
#pragma once

#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.hpp"
#include "report/text_style.hpp"
#include "session/breakpoint.hpp"
#include "session/choose_step.hpp"
#include "session/walk.hpp"
#include "verdict/confirm.hpp"

namespace panoptes {

// What a session cannot do by itself.
struct SessionDoors {
  // An expression over the whole system, or what is wrong with it, in whole lines.
  std::function<Result<CostExpression, std::string>(const std::string& text)> parse_predicate;
  // Writes a trail to a file; what went wrong, "" where nothing did.
  std::function<std::string(const std::string& path, const RecordedTrail& trail)> save;
  std::function<bool()> interrupted;
  TextStyle style;  // of where charts are seen
};

class Session {
 public:
  // A run without an end is given up after this many steps.
  static constexpr std::size_t most_run_steps = 10'000;

  // REQUIRES: `program` and `sources` outlive the session.
  Session(const Program& program, const SourceSet& sources, const Strictness& strictness,
          StepChooser chooser, SessionDoors doors);

  // Takes these steps, and goes back to where `step` of them are behind; one that cannot be taken,
  // because it fails, is left out with all that follow. The last `repeating` of them are a cycle,
  // which `forward` goes round again. REQUIRES: nothing was taken yet.
  void load(const std::vector<RuleId>& rules, std::size_t step, std::size_t repeating = 0);

  // What is to be seen before the first command.
  std::string begin();
  // What a command has to say. An empty one says nothing.
  std::string execute(std::string_view line);
  bool is_over() const { return is_over_; }

 private:
  struct Command;
  static const std::vector<Command>& commands();

  std::string step(const std::string& operand);
  std::string back(const std::string& operand);
  std::string forward(const std::string& operand);
  std::string go_to(const std::string& operand);
  std::string random(const std::string& operand);
  std::string run(const std::string& operand);
  std::string add_break(const std::string& operand);
  std::string list_breaks(const std::string& operand);
  std::string delete_break(const std::string& operand);
  std::string state(const std::string& operand);
  std::string trail(const std::string& operand);
  std::string chart(const std::string& operand);
  std::string list(const std::string& operand);
  std::string save(const std::string& operand);
  std::string restart(const std::string& operand);
  std::string quit(const std::string& operand);
  std::string help(const std::string& operand);

  // A step that was chosen and fails, and the steps before it.
  struct Failure {
    std::vector<RuleId> steps;
    Finding finding;
  };

  // `given_up`: what to say where so many steps were taken and nothing has stopped them.
  std::string walk_randomly(std::size_t most_steps, std::string_view given_up);
  std::string failed(const EnabledStep& step);
  std::optional<ErrorReport> run_so_far(std::string& problem) const;
  // What the loaded run takes at that step, round and round.
  RuleId loaded_rule(std::size_t step) const;
  // Whether all steps are those of a loaded run that has a cycle.
  bool is_on_cycle() const;
  void walk_to(std::size_t step);
  std::string where() const;
  std::string last_step() const;
  std::string errors() const;
  std::string menu() const;
  std::string here() const;  // errors and menu

  const Program& program_;
  const SourceSet& sources_;
  Strictness strictness_;
  Walk walk_;
  StepChooser chooser_;
  SessionDoors doors_;
  std::vector<Breakpoint> breakpoints_;
  std::optional<Failure> failure_;  // the last one
  std::vector<RuleId> loaded_;
  std::size_t repeating_ = 0;  // of these, the last ones
  bool is_over_ = false;
};

}  // namespace panoptes
