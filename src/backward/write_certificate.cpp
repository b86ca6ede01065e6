// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include "backward/certificate.hpp"
#include "backward/certificate_names.hpp"
#include "base/sha256.hpp"
#include "rules/fingerprint.hpp"

namespace panoptes {
namespace {

class CertificateWriter {
 public:
  explicit CertificateWriter(const ClaimSpace& space)
      : space_(space), program_(space.program()), names_(program_) {}

  std::string write(const Certificate& certificate) {
    out_ = "panoptes certificate 1\n";
    text_line("version", certificate.version);
    text_line("model", certificate.model);
    text_line("program", certificate.fingerprint);
    if (!certificate.places.empty()) text_line("places", certificate.places);
    for (const auto& [name, value] : certificate.options) text_line("option " + name, value);
    for (const Target& target : certificate.targets) write_target(target);
    for (const Claim& claim : certificate.excluded) write_claim(claim);
    out_ += fmt::format("digest {}\n", sha256_hex(out_));
    return std::move(out_);
  }

 private:
  void text_line(const std::string& name, const std::string& text) {
    out_ += text.empty() ? name + "\n" : fmt::format("{} {}\n", name, escaped(text));
  }

  // ---- targets ----------------------------------------------------------------------------------

  void write_target(const Target& target) {
    out_ += fmt::format("target {}", target.has_no_value ? "no_value" : to_string(target.kind));
    if (target.process != none)
      out_ += fmt::format(" process {} state {}", names_.processes[target.process],
                          names_.states[target.process][target.state]);
    if (target.channel != none) out_ += fmt::format(" channel {}", names_.channels[target.channel]);
    if (target.tag != 0)
      out_ += fmt::format(" message {}", names_.messages[target.channel][target.tag - 1]);
    const bool is_invariant = has_invariant(target.kind);
    if (target.assertion != none && !is_invariant)
      out_ += fmt::format(" assertion {}", names_.assertions[target.assertion]);
    for (ProcessId p = 0; p < target.control.size(); ++p)
      out_ += fmt::format("{} {} {}", p == 0 ? " at" : ",", names_.processes[p],
                          names_.states[p][target.control[p]]);
    if (target.policies != Target{}.policies) write_policies(target.policies);
    if (target.assertion != none && is_invariant)
      out_ += fmt::format(" invariant {} {}", target.assertion,
                          escaped(program_.protocol.invariants[target.assertion].name));
    if (target.rule != none)
      out_ += fmt::format(" rule {} {}", target.rule, escaped(program_.rules[target.rule].text));
    out_ += '\n';
  }

  void write_policies(std::uint8_t policies) {
    std::string_view before = " receptions ";
    for (std::uint8_t i = 0; i < reception_policies; ++i) {
      if ((policies >> i & 1) == 0) continue;
      out_ += before;
      out_ += to_string(static_cast<ReceptionPolicy>(i));
      before = "+";
    }
  }

  // ---- claims -----------------------------------------------------------------------------------

  void write_claim(const Claim& claim) {
    out_ += "never\n";
    for (ProcessId p = 0; p < program_.control.size(); ++p)
      if (says(claim, space_.control(p))) write_control(p, space_.number(claim, p));
    for (VariableId v = 0; v < program_.layout.variables.size(); ++v)
      if (says(claim, space_.variable(v)))
        out_ += fmt::format("  {} in {}\n", names_.variables[v],
                            to_text(space_.number(claim, space_.variable(v))));
    for (ChannelId c = 0; c < program_.layout.channels.size(); ++c)
      if (says(claim, space_.numbers() + c)) write_channel(c, space_.channel(claim, c));
    for (std::uint32_t a = 0; a < program_.layout.assertions.size(); ++a)
      if (says(claim, space_.subset(a)))
        out_ += fmt::format("  assertion {} at {}\n", names_.assertions[a],
                            values_text(space_.number(claim, space_.subset(a))));
    if (space_.has_alone() && says(claim, space_.alone()))
      write_alone(space_.number(claim, space_.alone()));
  }
  bool says(const Claim& claim, std::size_t place) const {
    return claim[place] != space_.everything()[place];
  }

  // Where it is, or where it is not: the fewer.
  void write_control(ProcessId process, const ValueSet& at) {
    const ValueSet others = space_.number(space_.everything(), space_.control(process)) - at;
    const bool is_at = !at.is_empty() && at.size() <= others.size();
    out_ += fmt::format("  {} {}", names_.processes[process], is_at ? "at" : "not at");
    std::string_view before = " ";
    (is_at ? at : others).for_each([&](std::int64_t state) {
      out_ += before;
      out_ += names_.states[process][static_cast<std::size_t>(state)];
      before = ", ";
    });
    out_ += '\n';
  }

  void write_alone(const ValueSet& alone) {
    out_ += "  alone";
    std::string_view before = " ";
    alone.for_each([&](std::int64_t number) {
      out_ += before;
      out_ += number == 0 ? "nobody" : names_.processes[static_cast<std::size_t>(number - 1)];
      before = ", ";
    });
    out_ += '\n';
  }

  void write_channel(ChannelId channel, const ChannelClaim& said) {
    out_ += fmt::format("  channel {}", names_.channels[channel]);
    if (said.known.empty()) {
      out_ += said.most == 0 ? " is empty\n"
                             : fmt::format(" has {} to {} messages\n", said.least, said.most);
      return;
    }
    for (std::size_t i = 0; i < said.known.size(); ++i)
      out_ += (i == 0 ? " begins " : ", ") + message_text(channel, said.known[i]);
    out_ += fmt::format(" and has {} to {} more\n", said.least, said.most);
  }

  std::string message_text(ChannelId channel, const MessageClaim& message) const {
    if (message == space_.any_message(channel) && message.values.empty() && !message.tags.is_one())
      return "any";
    std::string text;
    message.tags.for_each([&](std::int64_t tag) {
      text += (text.empty() ? "" : " or ") +
              names_.messages[channel][static_cast<std::size_t>(tag - 1)];
    });
    if (message.values.empty()) return text;
    const auto tag = static_cast<std::uint32_t>(message.tags.low());
    const MessageClaim any = space_.message(channel, tag);
    for (std::size_t v = 0; v < message.values.size(); ++v)
      text += (v == 0 ? "(" : ", ") +
              (message.values[v] == any.values[v] ? "any" : values_text(message.values[v]));
    return text + ")";
  }

  // Without braces where it is one part.
  static std::string values_text(const ValueSet& set) {
    const std::string text = to_text(set);
    return set.parts().size() == 1 ? text.substr(1, text.size() - 2) : text;
  }

  const ClaimSpace& space_;
  const Program& program_;
  CertificateNames names_;
  std::string out_;
};

}  // namespace

std::string fingerprint_text(const Program& program) {
  return fmt::format("{:016x}", fingerprint(program));
}

std::string places_text(const Program& program) {
  const CertificateNames names(program);
  std::string all;
  for (const UniqueWords& states : names.states)
    for (std::size_t i = 0; i < states.size(); ++i) all += states[i] + "\n";
  return sha256_hex(all).substr(0, 16);
}

std::string write_certificate(const Certificate& certificate, const ClaimSpace& space) {
  return CertificateWriter(space).write(certificate);
}

}  // namespace panoptes
