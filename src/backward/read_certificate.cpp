// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <utility>
#include <vector>

#include "backward/certificate.hpp"
#include "backward/certificate_names.hpp"
#include "base/sha256.hpp"

namespace panoptes {
namespace {

constexpr std::string_view first_line = "panoptes certificate 1";
constexpr std::string_view digest_word = "digest ";
constexpr std::size_t digest_digits = 64;
constexpr std::string_view delimiters = " ,(){}";  // of words

// A text as a message may show it: not all of it where it is long.
std::string shown_word(std::string_view text) {
  constexpr std::size_t most = 60;
  return fmt::format("`{}{}`", escaped(text.substr(0, most)), text.size() > most ? "..." : "");
}

// The lines of a text, one by one, and the words of each. Whatever is wrong is thrown as a
// CertificateProblem and caught where reading began, so that the functions below read as the text.
class CertificateLines {
 public:
  explicit CertificateLines(std::string_view text) : text_(text) {}

  // ---- lines ------------------------------------------------------------------------------------
  bool is_at_end() const { return begin_ == text_.size(); }
  // The next line, without going there.
  std::string_view line() const { return text_.substr(begin_, text_.find('\n', begin_) - begin_); }
  void begin_line() {
    left_ = line();
    end_ = begin_ + left_.size();
    ++line_;
  }
  void end_line() {
    if (!left_.empty()) complain(fmt::format("{} is too much here", shown_word(left_)));
    begin_ = std::min(end_ + 1, text_.size());
  }

  [[noreturn]] void complain(std::string message) const { complain_at(left_, std::move(message)); }
  // At a part of the line.
  [[noreturn]] void complain_at(std::string_view part, std::string message) const {
    const auto at = static_cast<std::size_t>(part.data() - text_.data());
    throw CertificateProblem{line_, at - begin_ + 1, std::move(message)};
  }
  // Of the line before the first, or behind the last.
  [[noreturn]] void complain_of_line(std::string message) const {
    throw CertificateProblem{line_ + 1, 1, std::move(message)};
  }

  // ---- parts of a line --------------------------------------------------------------------------
  bool take(std::string_view text) {
    if (!left_.starts_with(text)) return false;
    left_.remove_prefix(text.size());
    return true;
  }
  // The same of a whole word.
  bool take_word(std::string_view word) {
    const bool is_whole = left_.size() <= word.size() ||
                          delimiters.find(left_[word.size()]) != std::string_view::npos;
    return is_whole && take(word);
  }
  void expect(std::string_view text) {
    if (!take(text)) complain(fmt::format("expected `{}`", text));
  }
  // Up to a blank, a comma or a bracket.
  std::string_view word(std::string_view what) {
    const std::string_view word = left_.substr(0, left_.find_first_of(delimiters));
    if (word.empty()) complain(fmt::format("expected {}", what));
    left_.remove_prefix(word.size());
    return word;
  }
  std::string_view rest() { return std::exchange(left_, left_.substr(left_.size())); }
  std::string text() {
    const std::string_view rest = this->rest();
    auto found = unescaped(rest);
    if (!found) complain_at(rest, "this has a character that must be written with a backslash");
    return std::move(*found);
  }
  std::int64_t number(std::int64_t low, std::int64_t high) {
    const std::string_view before = left_;
    std::int64_t value = 0;
    const auto read = std::from_chars(left_.data(), left_.data() + left_.size(), value);
    if (read.ec == std::errc::invalid_argument) complain("expected a number");
    left_.remove_prefix(static_cast<std::size_t>(read.ptr - left_.data()));
    if (read.ec != std::errc{} || value < low || value > high)
      complain_at(before, fmt::format("expected a number from {} to {}", low, high));
    return value;
  }
  std::uint32_t number_of(const UniqueWords& words, std::string_view what) {
    const std::string_view name = word(what);
    const auto found = words.number_of(name);
    if (!found) complain_at(name, fmt::format("{} is not {}", shown_word(name), what));
    return *found;
  }

  // `3`, `1..3` or `{1..3, 7}`.
  ValueSet values(std::int64_t low, std::int64_t high) {
    ValueSet set;
    const bool is_list = take("{");
    if (is_list && take("}")) return set;
    do {
      const std::string_view before = left_;
      const std::int64_t first = number(low, high);
      const std::int64_t last = take("..") ? number(first, high) : first;
      if (!set.is_empty() && first <= set.high() + 1)
        complain_at(before, "numbers must be in order, with others between them");
      set.add_behind(first, last);
    } while (is_list && take(", "));
    if (is_list) expect("}");
    return set;
  }

  // Words with commas between them, each once.
  template <typename Each>
  ValueSet members(const Each& each) {
    const std::string_view before = left_;
    std::vector<std::int64_t> numbers;
    do {
      numbers.push_back(each());
    } while (take(", "));
    std::sort(numbers.begin(), numbers.end());
    if (std::adjacent_find(numbers.begin(), numbers.end()) != numbers.end())
      complain_at(before, "one of these is there twice");
    ValueSet set;
    for (const std::int64_t number : numbers) set.add(number);
    return set;
  }

 private:
  std::string_view text_;
  std::size_t begin_ = 0, end_ = 0;  // of the line
  std::size_t line_ = 0;
  std::string_view left_;  // of the line, to be read
};

// The text is one at all, and nobody has changed it; what stands before its digest.
std::string_view without_digest(std::string_view text) {
  const auto refuse = [](std::size_t line, std::size_t column, std::string message) {
    throw CertificateProblem{line, column, std::move(message)};
  };
  if (text.size() > CertificateLimits::bytes)
    refuse(1, 1, fmt::format("it has more than {} bytes", CertificateLimits::bytes));
  if (text.substr(0, text.find('\n')) != first_line)
    refuse(1, 1, fmt::format("a certificate begins with `{}`", first_line));
  const std::size_t end = text.rfind('\n', text.size() - 2);
  const std::size_t begin = end == std::string_view::npos ? 0 : end + 1;
  const std::string_view last = text.substr(begin);
  const auto line =
      static_cast<std::size_t>(1 + std::count(text.begin(), text.begin() + begin, '\n'));
  if (!last.starts_with(digest_word) || last.back() != '\n' ||
      last.size() != digest_word.size() + digest_digits + 1)
    refuse(line, 1, "the last line of a certificate is its digest: this one is cut off");
  const std::string_view digest = last.substr(digest_word.size(), digest_digits);
  if (digest != sha256_hex(text.substr(0, begin)))
    refuse(line, digest_word.size() + 1,
           "the digest is that of another text: the certificate was changed");
  return text.substr(0, begin);
}

void read_head(CertificateLines& lines, Certificate& certificate) {
  lines.begin_line();
  lines.expect(first_line);
  lines.end_line();
  const auto read_line = [&](std::string_view name) {
    if (lines.is_at_end()) lines.complain_of_line(fmt::format("expected `{}`", name));
    lines.begin_line();
    lines.expect(name);
    std::string text;
    if (lines.take(" ")) text = lines.text();
    lines.end_line();
    return text;
  };
  certificate.version = read_line("version");
  certificate.model = read_line("model");
  certificate.fingerprint = read_line("program");
  if (lines.line().starts_with("places ")) certificate.places = read_line("places");
  while (lines.line().starts_with("option ")) {
    lines.begin_line();
    lines.expect("option ");
    std::string name(lines.word("the name of an option")), value;
    if (lines.take(" ")) value = lines.text();
    lines.end_line();
    certificate.options.emplace_back(std::move(name), std::move(value));
  }
}

class CertificateReader {
 public:
  CertificateReader(CertificateLines& lines, ClaimSpace& space)
      : lines_(lines), space_(space), program_(space.program()), names_(program_) {}

  void read(Certificate& certificate) {
    while (lines_.line().starts_with("target ")) {
      lines_.begin_line();
      lines_.expect("target ");
      certificate.targets.push_back(read_target());
      lines_.end_line();
    }
    const std::size_t most =
        std::min(CertificateLimits::claims,
                 CertificateLimits::claim_numbers / std::max<std::size_t>(1, everything().size()));
    while (!lines_.is_at_end()) {
      if (certificate.excluded.size() == most)
        lines_.complain_of_line(fmt::format("there are more than {} claims", most));
      lines_.begin_line();
      lines_.expect("never");
      lines_.end_line();
      certificate.excluded.push_back(read_claim());
    }
  }

 private:
  const Claim& everything() const { return space_.everything(); }

  // ---- targets ----------------------------------------------------------------------------------

  ErrorKind read_kind(bool& has_no_value) {
    const std::string_view word = lines_.word("a kind of error");
    has_no_value = word == "no_value";
    if (has_no_value) return {};
    for (std::uint8_t i = 0; !to_string(static_cast<ErrorKind>(i)).empty(); ++i)
      if (to_string(static_cast<ErrorKind>(i)) == word) return static_cast<ErrorKind>(i);
    lines_.complain_at(word, fmt::format("{} is no kind of error", shown_word(word)));
  }

  Target read_target() {
    Target target;
    target.kind = read_kind(target.has_no_value);
    if (lines_.take(" process ")) {
      target.process = lines_.number_of(names_.processes, "a process");
      lines_.expect(" state ");
      target.state = lines_.number_of(names_.states[target.process], "a state of the process");
    }
    if (lines_.take(" channel ")) {
      target.channel = lines_.number_of(names_.channels, "a channel");
      if (lines_.take(" message "))
        target.tag =
            1 + lines_.number_of(names_.messages[target.channel], "a message of the channel");
    }
    if (lines_.take(" assertion "))
      target.assertion = lines_.number_of(names_.assertions, "an assertion");
    if (lines_.take(" at ")) read_control(target);
    if (lines_.take(" receptions ")) target.policies = read_policies();
    if (has_invariant(target.kind) && lines_.take(" invariant "))
      target.assertion = read_numbered(
          program_.protocol.invariants.size(),
          [&](std::uint32_t number) { return program_.protocol.invariants[number].name; });
    if (lines_.take(" rule "))
      target.rule = read_numbered(
          program_.rules.size(), [&](std::uint32_t number) { return program_.rules[number].text; });
    return target;
  }

  std::uint8_t read_policies() {
    unsigned policies = 0;
    do {
      unsigned found = 0;
      for (std::uint8_t i = 0; i < reception_policies && found == 0; ++i)
        if (lines_.take(to_string(static_cast<ReceptionPolicy>(i)))) found = 1u << i;
      if (found == 0) lines_.complain("expected which receptions count");
      policies |= found;
    } while (lines_.take("+"));
    return static_cast<std::uint8_t>(policies);
  }

  void read_control(Target& target) {
    for (ProcessId p = 0; p < program_.control.size(); ++p) {
      if (p > 0) lines_.expect(", ");
      lines_.expect(names_.processes[p] + " ");
      target.control.push_back(lines_.number_of(names_.states[p], "a state of the process"));
    }
  }

  // A number, and what it is the number of.
  template <typename Name>
  std::uint32_t read_numbered(std::size_t count, const Name& name) {
    if (count == 0) lines_.complain("the program has none of these");
    const auto number =
        static_cast<std::uint32_t>(lines_.number(0, static_cast<std::int64_t>(count) - 1));
    lines_.expect(" " + escaped(name(number)));
    return number;
  }

  // ---- claims -----------------------------------------------------------------------------------

  Claim read_claim() {
    Claim claim = everything();
    if (!lines_.line().starts_with("  ")) lines_.complain_of_line("a claim must say something");
    while (lines_.line().starts_with("  ")) {
      lines_.begin_line();
      lines_.expect("  ");
      read_fact(claim);
      lines_.end_line();
    }
    return claim;
  }

  void read_fact(Claim& claim) {
    if (lines_.take("channel ")) return read_channel(claim);
    if (lines_.take("assertion ")) {
      const std::uint32_t assertion = lines_.number_of(names_.assertions, "an assertion");
      lines_.expect(" at ");
      return put(claim, space_.subset(assertion),
                 [&](const ValueSet& all) { return lines_.values(all.low(), all.high()); });
    }
    if (lines_.take("alone ")) {
      if (!space_.has_alone()) lines_.complain("nobody moves alone in this program");
      return put(claim, space_.alone(), [&](const ValueSet&) {
        return lines_.members([&]() -> std::int64_t {
          if (lines_.take_word("nobody")) return 0;
          return 1 + std::int64_t{lines_.number_of(names_.processes, "a process")};
        });
      });
    }
    const std::string_view name = lines_.word("a process, a variable or a channel");
    if (lines_.take(" in ")) {
      const auto variable = names_.variables.number_of(name);
      if (!variable) lines_.complain_at(name, fmt::format("{} is no variable", shown_word(name)));
      return put(claim, space_.variable(*variable),
                 [&](const ValueSet& all) { return lines_.values(all.low(), all.high()); });
    }
    const bool is_not = lines_.take(" not");
    lines_.expect(" at ");
    const auto process = names_.processes.number_of(name);
    if (!process) lines_.complain_at(name, fmt::format("{} is no process", shown_word(name)));
    return put(claim, space_.control(*process), [&](const ValueSet& all) {
      const ValueSet states = lines_.members(
          [&] { return lines_.number_of(names_.states[*process], "a state of the process"); });
      return is_not ? all - states : states;
    });
  }

  template <typename Read>
  void put(Claim& claim, std::size_t place, const Read& read) {
    begin_fact(claim, place);
    space_.put(claim, place, read(space_.number(everything(), place)));
    end_fact(claim, place);
  }
  void begin_fact(const Claim& claim, std::size_t place) const {
    if (claim[place] != everything()[place])
      lines_.complain("the claim has said already what this is");
  }
  void end_fact(const Claim& claim, std::size_t place) const {
    if (claim[place] == everything()[place]) lines_.complain("this is true of every state");
  }

  // ---- channels ---------------------------------------------------------------------------------

  void read_channel(Claim& claim) {
    const std::string_view name = lines_.word("a channel");
    const auto channel = names_.channels.number_of(name);
    if (!channel) lines_.complain_at(name, fmt::format("{} is no channel", shown_word(name)));
    const std::uint32_t room = space_.capacity(*channel);
    if (room == 0)
      lines_.complain_at(name, fmt::format("{} never has a message", shown_word(name)));
    const std::size_t place = space_.numbers() + *channel;
    begin_fact(claim, place);
    ChannelClaim said;
    if (lines_.take(" begins ")) {
      do {
        if (said.known.size() == room)
          lines_.complain(fmt::format("there is no room for more than {} messages", room));
        said.known.push_back(read_message(*channel));
      } while (lines_.take(", "));
      lines_.expect(" and");
    }
    if (!said.known.empty() || !lines_.take(" is empty")) {
      const auto left = std::int64_t{room} - static_cast<std::int64_t>(said.known.size());
      lines_.expect(" has ");
      said.least = static_cast<std::uint32_t>(lines_.number(0, left));
      lines_.expect(" to ");
      said.most = static_cast<std::uint32_t>(lines_.number(said.least, left));
      lines_.expect(said.known.empty() ? " messages" : " more");
    }
    space_.put(claim, *channel, std::move(said));
    end_fact(claim, place);
  }

  MessageClaim read_message(ChannelId channel) {
    if (lines_.take_word("any")) return space_.any_message(channel);
    std::vector<std::int64_t> tags;
    do {
      tags.push_back(
          1 + std::int64_t{lines_.number_of(names_.messages[channel], "a message of the channel")});
    } while (lines_.take(" or "));
    if (tags.size() > 1) {
      std::sort(tags.begin(), tags.end());
      if (std::adjacent_find(tags.begin(), tags.end()) != tags.end())
        lines_.complain("one of these messages is there twice");
      MessageClaim message;
      for (const std::int64_t tag : tags) message.tags.add(tag);
      return message;
    }
    MessageClaim message = space_.message(channel, static_cast<std::uint32_t>(tags.front()));
    for (std::size_t v = 0; v < message.values.size(); ++v) {
      lines_.expect(v == 0 ? "(" : ", ");
      ValueSet& set = message.values[v];
      if (!lines_.take_word("any")) set = lines_.values(set.low(), set.high());
    }
    if (!message.values.empty()) lines_.expect(")");
    return message;
  }

  CertificateLines& lines_;
  ClaimSpace& space_;
  const Program& program_;
  CertificateNames names_;
};

}  // namespace

Result<Certificate, CertificateProblem> read_certificate_head(std::string_view text) {
  try {
    CertificateLines lines(without_digest(text));
    Certificate certificate;
    read_head(lines, certificate);
    return certificate;
  } catch (const CertificateProblem& problem) {
    return problem;
  }
}

Result<Certificate, CertificateProblem> read_certificate(std::string_view text, ClaimSpace& space) {
  try {
    CertificateLines lines(without_digest(text));
    Certificate certificate;
    read_head(lines, certificate);
    if (certificate.fingerprint != fingerprint_text(space.program()))
      return CertificateProblem{4, 9, "the certificate is of another program"};
    if (!certificate.places.empty() && certificate.places != places_text(space.program()))
      return CertificateProblem{5, 8, "the rules of the program are in other places of its text"};
    CertificateReader(lines, space).read(certificate);
    return certificate;
  } catch (const CertificateProblem& problem) {
    return problem;
  }
}

}  // namespace panoptes
