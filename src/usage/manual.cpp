// SPDX-License-Identifier: Apache-2.0
#include "usage/manual.hpp"

#include <fmt/format.h>

#include "base/version.hpp"
#include "usage/help.hpp"

namespace panoptes {
namespace {

// Text as roff takes it literally: no escapes, a hyphen that stays a minus sign (options are copied
// from here), and no request where a word may begin a line.
std::string roff(std::string_view text) {
  std::string out;
  for (const char c : text) {
    if (c == '.' && (out.empty() || out.back() == ' ')) out += "\\&";
    switch (c) {
      case '\\': out += "\\e"; break;
      case '-': out += "\\-"; break;
      case '~': out += "\\(ti"; break;
      case '^': out += "\\(ha"; break;
      case '`': out += "\\(ga"; break;
      case '\'': out += "\\(aq"; break;
      case '"': out += "\\(dq"; break;
      default: out += c;
    }
  }
  return out;
}

std::string bold(std::string_view text) { return "\\fB" + roff(text) + "\\fR"; }
std::string italic(std::string_view text) { return "\\fI" + roff(text) + "\\fR"; }

std::string paragraph(std::string_view text) { return wrapped(roff(text), 0); }

// A paragraph with a head of its own.
std::string item(const std::string& head, std::string_view text) {
  return fmt::format(".TP\n{}\n{}", head, paragraph(text));
}

// Each word beside its meaning, further in.
std::string choice_items(std::span<const ChoiceInfo> choices) {
  if (choices.empty()) return {};
  std::string out = ".RS\n";
  for (const ChoiceInfo& choice : choices) out += item(bold(choice.word), choice.meaning);
  return out + ".RE\n";
}

std::string option_item(const OptionInfo& option) {
  std::string head = bold(flag_of(option));
  if (!option.argument.empty()) head += " " + italic(option.argument);
  return item(head, explanation_of(option)) + choice_items(option.choices);
}

std::string operand_item(const OperandInfo& operand) {
  return item(italic(operand.name), operand.sentence) + choice_items(operand.choices);
}

std::string heading(std::string_view text) {
  std::string upper;
  for (const char c : text) upper += c >= 'a' && c <= 'z' ? static_cast<char>(c - 'a' + 'A') : c;
  return fmt::format(".SH {}\n", upper);
}

std::string examples(const CommandInfo& command) {
  std::string out = paragraph(command.sentence) + ".RS\n.nf\n";
  for (const std::string_view line : parts_of(command.examples, '\n')) out += roff(line) + "\n";
  return out + ".fi\n.RE\n";
}

// What is typed as it stands in bold, what stands for something else in italics.
std::string synopsis_line(const CommandInfo& command) {
  const std::string all = synopsis(command);
  const std::string typed = fmt::format("panoptes {}", command.name);
  std::string out = bold(typed);
  if (all.size() > typed.size()) out += " " + italic(all.substr(typed.size() + 1));
  return out + "\n";
}

std::string command_section(const CommandInfo& command) {
  std::string out = fmt::format(".SS {}\n{}", roff(command.name), paragraph(command.sentence));
  out += ".PP\n" + synopsis_line(command);
  for (const Operand& operand : operands_of(command)) out += operand_item(operand.info);
  for (const HeadedOptions& group : headed_options(command.name)) {
    out += fmt::format(".PP\n{}:\n", roff(group.heading));
    for (const OptionInfo* option : group.options) out += option_item(*option);
  }
  return out + ".PP\n" + paragraph(fmt::format("Exit status: {}.", command.exit_codes));
}

}  // namespace

std::string manual_page() {
  std::string out =
      ".\\\" Made by `panoptes manual` from the tables of commands and options.\n" +
      fmt::format(".TH PANOPTES 1 \"\" \"panoptes {}\" \"User Commands\"\n", roff(version)) +
      heading("name") + "panoptes \\- find design errors in communication protocols\n" +
      heading("synopsis");
  for (const CommandInfo& command : command_table()) out += synopsis_line(command) + ".br\n";
  out += bold("panoptes") + " " + bold("--help") + "|" + bold("--version") + "\n";
  out += heading("description") +
         paragraph(
             "A protocol is a few processes that send each other messages. Panoptes looks at "
             "everything that can happen between them, finds deadlocks, messages nobody can "
             "receive and violated assertions, and shows for each the shortest exchange of "
             "messages that leads there.") +
         ".PP\n" +
         paragraph(
             "An option may stand before or after the operands, its value behind a blank or an "
             "equals sign. SIZE is a number of bytes, or of binary multiples of them with K, M, "
             "G or T behind it. TIME is a number of seconds, or of minutes with m, of hours with "
             "h. N is a whole number.") +
         heading("options");
  for (const OptionInfo& option : general_options()) out += option_item(option);
  out += heading("commands");
  for (const CommandInfo& command : command_table()) out += command_section(command);
  out += heading("exit status") + item(bold("0"), "The protocol holds; the command is done.") +
         item(bold("1"), "Errors were found.") +
         item(bold("2"), "The model or the command line is wrong.") +
         item(bold("3"), "Unknown: no error so far, but not everything was seen.") +
         item(bold("4"), "A fault of Panoptes itself, or something that cannot be written.");
  out += heading("environment") +
         item(bold("NO_COLOR"),
              "Where it is set to anything, a terminal is not written to in colour.") +
         item(bold("TERM"), "The kind of the terminal; dumb, or nothing, has no colours.") +
         item(bold("TMPDIR"), "The folder for temporary files, of DuckDB among others.") +
         item(bold("PGUSER") + ", " + bold("PGPASSWORD") + ", " + bold("PGHOST") + " ...",
              "What the address of a PostgreSQL server leaves open, as of any client of it.");
  out += heading("files") +
         item(italic("PREFIX/lib/panoptes"),
              "Modules that are loaded when they are asked for: the databases, and Graphviz.") +
         item(italic("PREFIX/share/doc/panoptes"), "The licence, and protocols under examples.");
  out += heading("examples");
  for (const CommandInfo& command : command_table())
    out += (&command == command_table().data() ? "" : ".PP\n") + examples(command);
  out +=
      heading("see also") + bold("spin") + "(1), " + bold("dot") + "(1), " + bold("psql") + "(1)\n";
  return out;
}

}  // namespace panoptes
