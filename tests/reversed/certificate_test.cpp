// SPDX-License-Identifier: Apache-2.0
// What both searches prove is certified, by a checker that knows nothing of them; and nothing else
// is. Whether claims prove what they should is told here by looking at every state there is.
#include "backward/certificate.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <random>

#include "backward/certify.hpp"
#include "backward/induction.hpp"
#include "backward/search_claims.hpp"
#include "base/sha256.hpp"
#include "base/version.hpp"
#include "differential/generator.hpp"
#include "reversed/every_state.hpp"
#include "support/program.hpp"
#include "support/sample.hpp"

namespace panoptes::backward {
namespace {

using test::compile;
using test::Compiled;
using Outcome = CertifyAnswer::Outcome;
using Condition = CertifyAnswer::Condition;

Certificate blank_certificate(const Program& program) {
  return {version, "models/x.argos", fingerprint_text(program), {{"timeouts", "empty"}}};
}

// What induction proves, as much of it as is needed; nothing where it gives up.
std::optional<Certificate> induced(ReversedProgram& reversed,
                                   const std::vector<Targets::Candidate>& candidates) {
  const PossibleTogether together(reversed, {});
  ReachableSample sample(reversed, 2000, {});
  Induction induction(reversed, &together, sample);
  const auto answers = induction.search(
      candidates, {.claims = test::has_all_samples() ? 20'000u : 2'000u, .work = 100'000});
  Certificate certificate = blank_certificate(reversed.program);
  std::vector<Targets::Candidate> wrong;
  for (std::size_t i = 0; i < candidates.size(); ++i) {
    if (answers[i].reachability != Reachability::unreachable) continue;
    certificate.targets.push_back(candidates[i].target);
    wrong.push_back(candidates[i]);
  }
  auto claims = invariant_against(reversed, wrong, induction.excluded(), &together, {});
  if (!claims) return {};
  certificate.excluded = std::move(*claims);
  return certificate;
}

// What induction proves of few states by itself, all of it; nothing where states are too many.
std::optional<Certificate> induced_alone(ReversedProgram& reversed,
                                         const std::vector<Targets::Candidate>& candidates) {
  ReachableSample sample(reversed, 500, {});
  if (!sample.is_complete()) return {};
  Induction induction(reversed, nullptr, sample);
  const auto answers = induction.search(candidates, {.claims = 20'000, .work = 100'000});
  Certificate certificate = blank_certificate(reversed.program);
  for (std::size_t i = 0; i < candidates.size(); ++i) {
    if (answers[i].reachability == Reachability::unknown) return {};
    if (answers[i].reachability == Reachability::unreachable)
      certificate.targets.push_back(candidates[i].target);
  }
  certificate.excluded = induction.excluded();
  return certificate;
}

// What the other search proves, all of it.
Certificate searched(ReversedProgram& reversed, const std::vector<Targets::Candidate>& candidates) {
  ClaimSearch search(reversed);
  Certificate certificate = blank_certificate(reversed.program);
  for (const Targets::Candidate& candidate : candidates)
    if (search.search(candidate, {.claims = 200, .work = 10'000}).reachability ==
        Reachability::unreachable)
      certificate.targets.push_back(candidate.target);
  certificate.excluded = search.proved();
  return certificate;
}

void expect_same(const Certificate& left, const Certificate& right, const ClaimSpace& space) {
  EXPECT_EQ(left.version, right.version);
  EXPECT_EQ(left.model, right.model);
  EXPECT_EQ(left.options, right.options);
  EXPECT_EQ(left.excluded, right.excluded);
  EXPECT_EQ(write_certificate(left, space), write_certificate(right, space));
}

// Reads what was written, and checks it.
CertifyAnswer checked(const Certificate& certificate, const Program& program, ClaimSpace& space) {
  const std::string text = write_certificate(certificate, space);
  const auto read = read_certificate(text, space);
  if (!read) {
    ADD_FAILURE() << read.failure().line << ":" << read.failure().column << ": "
                  << read.failure().message << "\n"
                  << text;
    return {};
  }
  expect_same(*read, certificate, space);
  return certify(program, *read, space, {});
}

struct Proofs {
  std::uint64_t proved = 0, alone = 0, targets = 0, claims = 0, questions = 0;

  void check(const std::string& name, const Compiled& compiled, ReceptionPolicy receptions) {
    ReversedProgram reversed(compiled.program);
    const auto candidates = reversed.candidates(receptions, {.work = 100'000});
    if (!candidates || candidates->size() > (test::has_all_samples() ? 500u : 150u)) return;
    if (const auto certificate = induced(reversed, *candidates))
      check(name + " by induction", *certificate, compiled.program, reversed.space);
    if (const auto certificate = induced_alone(reversed, *candidates)) {
      check(name + " by induction alone", *certificate, compiled.program, reversed.space);
      ++alone;
    }
    if (test::has_all_samples() || candidates->size() < 50)
      check(name + " by claims", searched(reversed, *candidates), compiled.program, reversed.space);
  }
  void check(const std::string& name, const Certificate& certificate, const Program& program,
             ClaimSpace& space) {
    const CertifyAnswer answer = checked(certificate, program, space);
    EXPECT_EQ(answer.outcome, Outcome::proved)
        << name << ": " << answer.reason << ", " << answer.state << "\n"
        << write_certificate(certificate, space);
    EXPECT_GE(answer.questions, 1 + program.rules.size() + certificate.targets.size());
    ++proved;
    targets += certificate.targets.size();
    claims += certificate.excluded.size();
    questions += answer.questions;
  }
};

TEST(Certificates, OfModelsAreProved) {
  Proofs proofs;
  for (const char* name : {"setup_handshake", "exchange", "flow_control", "two_phase_commit",
                           "leader_election", "lost_message"}) {
    proofs.check(name, compile(test::model_text(name)), ReceptionPolicy::blocked);
    if (HasFailure()) return;
  }
  EXPECT_GE(proofs.proved, 6u);
  EXPECT_GE(proofs.alone, 3u);
  EXPECT_GT(proofs.claims, 20u);
}

TEST(Certificates, OfRandomProtocolsAreProved) {
  Proofs proofs;
  for (std::uint64_t seed = 0; seed < test::sample_of(40) && !HasFailure(); ++seed) {
    test::Setup setup;
    setup.timeouts = static_cast<TimeoutPolicy>(seed % 3);
    setup.overflow = seed % 5 == 4 ? OverflowPolicy::error : OverflowPolicy::wait;
    proofs.check("seed " + std::to_string(seed),
                 compile(differential::random_protocol(seed), setup),
                 static_cast<ReceptionPolicy>(seed / 3 % 3));
  }
  EXPECT_GT(proofs.proved, test::sample_of(40) / 2);
  EXPECT_GT(proofs.targets, 10u);
}

// ---- texts --------------------------------------------------------------------------------------

// Two variables, states and messages of one name, and somebody who moves alone.
constexpr const char* named_alike =
    "channel c[2], d[1];\n"
    "procedure say() { c!m(n); d?ok }\n"
    "proc p var n : 0..1; { say(); n = 1; say(); atomic { n = 0; c!stop } }\n"
    "proc q var n : 0..1; { do :: c?m(n) -> d!ok :: c?stop -> break od }\n";

Certificate certificate_of(ReversedProgram& reversed) {
  ClaimSpace& space = reversed.space;
  Certificate certificate = blank_certificate(reversed.program);
  certificate.version = "0.1.0";
  certificate.fingerprint = "0123456789abcdef";
  certificate.options.emplace_back("never", "x\n\\y");
  certificate.options.emplace_back("D", "");
  certificate.targets.push_back({});
  const auto candidates = reversed.candidates(ReceptionPolicy::any, {});
  for (const Targets::Candidate& candidate : *candidates) {
    const ErrorKind kind = candidate.target.kind;
    const bool is_new = std::none_of(certificate.targets.begin() + 1, certificate.targets.end(),
                                     [&](const Target& other) { return other.kind == kind; });
    if (is_new) certificate.targets.push_back(candidate.target);
  }
  Claim claim = space.everything();
  space.put(claim, space.control(0), ValueSet::only(1) | ValueSet::only(3));
  space.put(claim, space.variable(1), ValueSet::only(1));
  space.put(claim, space.alone(), ValueSet::only(0) | ValueSet::only(1));
  space.put(claim, 0u, {.known = {space.message(0, 1)}, .most = 1});
  certificate.excluded.push_back(claim);
  claim = space.everything();
  space.put(claim, space.control(1), space.number(claim, 1) - ValueSet::only(0));
  MessageClaim message = space.message(0, 1);
  message.values[0] = ValueSet::only(1);
  space.put(claim, 0u, {.known = {space.any_message(0), message}});
  space.put(claim, 1u, ChannelClaim{});
  certificate.excluded.push_back(claim);
  return certificate;
}

// With the digest that it should have.
std::string with_digest(const std::string& lines) {
  return lines + "digest " + sha256_hex(lines) + "\n";
}

TEST(Certificates, AreTextsForPeople) {
  const Compiled compiled = compile(named_alike);
  ReversedProgram reversed(compiled.program);
  EXPECT_EQ(write_certificate(certificate_of(reversed), reversed.space),
            with_digest("panoptes certificate 1\n"
                        "version 0.1.0\n"
                        "model models/x.argos\n"
                        "program 0123456789abcdef\n"
                        "option timeouts empty\n"
                        "option never x\\n\\\\y\n"
                        "option D\n"
                        "target deadlock\n"
                        "target unspecified_reception process p state 2:19#0 channel d message ok "
                        "receptions any\n"
                        "target deadlock at p 2:19#0, q 4:40\n"
                        "target unread_messages channel c\n"
                        "never\n"
                        "  p at 2:27#1, 2:19#3\n"
                        "  q.n in {1}\n"
                        "  channel c begins m(any) and has 0 to 1 more\n"
                        "  alone nobody, p\n"
                        "never\n"
                        "  q not at 4:24\n"
                        "  channel c begins any, m(1) and has 0 to 0 more\n"
                        "  channel d is empty\n"));
}

TEST(Certificates, AreReadAsTheyWereWritten) {
  const Compiled compiled = compile(named_alike);
  ReversedProgram reversed(compiled.program);
  Certificate certificate = certificate_of(reversed);
  certificate.fingerprint = fingerprint_text(compiled.program);
  const std::string text = write_certificate(certificate, reversed.space);
  const auto read = read_certificate(text, reversed.space);
  ASSERT_TRUE(read) << read.failure().message;
  expect_same(*read, certificate, reversed.space);
  const auto head = read_certificate_head(text);
  ASSERT_TRUE(head);
  certificate.targets.clear();
  certificate.excluded.clear();
  expect_same(*head, certificate, reversed.space);
}

// A line more on top, and a name may be that of another control state.
TEST(Certificates, AreNotReadWithATextThatHasMoved) {
  const Compiled compiled = compile(named_alike), moved = compile("\n" + std::string(named_alike));
  ClaimSpace space(compiled.program), other(moved.program);
  Certificate certificate = blank_certificate(compiled.program);
  certificate.places = places_text(compiled.program);
  ASSERT_EQ(certificate.fingerprint, fingerprint_text(moved.program));
  const std::string text = write_certificate(certificate, space);
  EXPECT_TRUE(read_certificate(text, space));
  const auto read = read_certificate(text, other);
  ASSERT_FALSE(read);
  EXPECT_EQ(read.failure().line, 5u);
  EXPECT_EQ(read.failure().message, "the rules of the program are in other places of its text");
}

// What is said of lines behind the head, at their place in the whole.
TEST(Certificates, ThatAreNoneAreRefusedWithAPlace) {
  const Compiled compiled = compile(named_alike);
  ClaimSpace space(compiled.program);
  const auto problem_of = [&](const std::string& text) -> std::string {
    const auto read = read_certificate(text, space);
    if (read) return "";
    return fmt::format("{}:{}: {}", read.failure().line, read.failure().column,
                       read.failure().message);
  };
  const std::string program = fingerprint_text(compiled.program);
  const std::string head = "panoptes certificate 1\nversion 1\nmodel m\nprogram " + program + "\n";
  const auto problem_behind = [&](const std::string& lines) {
    return problem_of(with_digest(head + lines));
  };
  EXPECT_EQ(problem_behind("never\n  p at end\n"), "");
  EXPECT_EQ(problem_of(""), "1:1: a certificate begins with `panoptes certificate 1`");
  EXPECT_EQ(problem_of("panoptes certificate 2\n"),
            "1:1: a certificate begins with `panoptes certificate 1`");
  const std::string cut_off = "the last line of a certificate is its digest: this one is cut off";
  EXPECT_EQ(problem_of("panoptes certificate 1"), "1:1: " + cut_off);
  EXPECT_EQ(problem_of(head), "4:1: " + cut_off);
  EXPECT_EQ(problem_of(with_digest(head) + "\n"), "6:1: " + cut_off);
  EXPECT_EQ(problem_of(head + "never\n" + "digest " + sha256_hex(head) + "\n"),
            "6:8: the digest is that of another text: the certificate was changed");
  EXPECT_EQ(problem_of(std::string(CertificateLimits::bytes + 1, 'x')),
            "1:1: it has more than 67108864 bytes");
  EXPECT_EQ(problem_of(with_digest("panoptes certificate 1\nversion 1\n")),
            "3:1: expected `model`");
  EXPECT_EQ(problem_of(with_digest("panoptes certificate 1\nversion 1\nmodel a\\qb\n")),
            "3:7: this has a character that must be written with a backslash");
  EXPECT_EQ(problem_of(with_digest("panoptes certificate 1\nversion 1\nmodel m\nprogram 1\n")),
            "4:9: the certificate is of another program");
  EXPECT_EQ(problem_behind("target bug\n"), "5:8: `bug` is no kind of error");
  EXPECT_EQ(problem_behind("target deadlock at p 2:27#1, p end\n"), "5:30: expected `q `");
  EXPECT_EQ(problem_behind("target overflow rule 0 c!stop\n"), "5:23: expected ` c!m(n)`");
  EXPECT_EQ(problem_behind("target overflow rule 10 x\n"), "5:22: expected a number from 0 to 9");
  EXPECT_EQ(problem_behind("target deadlock receptions often\n"),
            "5:28: expected which receptions count");
  EXPECT_EQ(problem_behind("\n"), "5:1: expected `never`");
  EXPECT_EQ(problem_behind("never\nnever\n"), "6:1: a claim must say something");
  EXPECT_EQ(problem_behind("never \n"), "5:6: ` ` is too much here");
  EXPECT_EQ(problem_behind("never\n  p at 2:19\n"), "6:8: `2:19` is not a state of the process");
  EXPECT_EQ(problem_behind("never\n  p at end, end\n"), "6:8: one of these is there twice");
  EXPECT_EQ(problem_behind("never\n  p at end\r\n"),
            "6:8: `end\\x0d` is not a state of the process");
  EXPECT_EQ(problem_behind("never\n  q at end\n  q at 4:24\n"),
            "7:8: the claim has said already what this is");
  EXPECT_EQ(problem_behind("never\n  n in {1}\n"), "6:3: `n` is no variable");
  EXPECT_EQ(problem_behind("never\n  p.n in {0..1}\n"), "6:16: this is true of every state");
  EXPECT_EQ(problem_behind("never\n  p.n in {2}\n"), "6:11: expected a number from 0 to 1");
  EXPECT_EQ(problem_behind("never\n  p.n in {99999999999999999999}\n"),
            "6:11: expected a number from 0 to 1");
  EXPECT_EQ(problem_behind("never\n  p.n in {0, 1}\n"),
            "6:14: numbers must be in order, with others between them");
  EXPECT_EQ(problem_behind("never\n  channel c begins any, any, any and has 0 to 0 more\n"),
            "6:30: there is no room for more than 2 messages");
  EXPECT_EQ(problem_behind("never\n  channel c begins m(1) and has 0 to 2 more\n"),
            "6:38: expected a number from 0 to 1");
  EXPECT_EQ(problem_behind("never\n  channel c begins m and has 0 to 1 more\n"),
            "6:21: expected `(`");
  EXPECT_EQ(problem_behind("never\n  alone p, r\n"), "6:12: `r` is not a process");
}

// ---- what is said of proofs ---------------------------------------------------------------------

TEST(Certificates, ThatProveNothingAreRefusedWithAReason) {
  const Compiled compiled = compile(
      "channel c[1];\n"
      "proc p var n : 0..3; { do :: c!m(n) -> n = (n + 2) % 4 od }\n"
      "proc q var k : 0..3; { do :: c?m(k) -> assert(k != 3) od }\n");
  ClaimSpace space(compiled.program);
  const std::string head = "panoptes certificate 1\nversion 1\nmodel m\nprogram " +
                           fingerprint_text(compiled.program) + "\n";
  const auto answer_to = [&](const std::string& lines) {
    const auto read = read_certificate(with_digest(head + lines), space);
    return read ? certify(compiled.program, *read, space, {})
                : CertifyAnswer{.reason = read.failure().message};
  };
  const std::string target = "target assertion rule 3 assert(k != 3)\n";
  const std::string odd = "never\n  n in {1, 3}\nnever\n  k in {1, 3}\n";
  const auto proved =
      answer_to(target + odd + "never\n  channel c begins m({1, 3}) and has 0 to 0 more\n");
  EXPECT_EQ(proved.reason, "");
  EXPECT_EQ(proved.outcome, Outcome::proved);
  EXPECT_EQ(proved.questions, 6u);
  const auto text_of = [](const CertifyAnswer& answer) {
    return answer.reason + (answer.state.empty() ? "" : ": " + answer.state);
  };
  EXPECT_EQ(text_of(answer_to("never\n  k in {0, 2}\n")), "the initial state is in claim 1");
  EXPECT_EQ(answer_to(odd).reason, "rule 2 `c?m(k)` leads into claim 2");
  EXPECT_EQ(text_of(answer_to(target)),
            "target 1 (assertion of assert(k != 3) in q) is not excluded: "
            "p at 2:24, q at 3:40, n = 0, k = 3");
  EXPECT_EQ(text_of(answer_to("target overflow rule 3 assert(k != 3)\n")),
            "target 1 (overflow of assert(k != 3) in q) is no error of this program");
  Certificate other = blank_certificate(compiled.program);
  other.fingerprint = "0";
  EXPECT_EQ(text_of(certify(compiled.program, other, space, {})),
            "the certificate is of another program");
  other.fingerprint = fingerprint_text(compiled.program);
  const CertifyAnswer late = certify(compiled.program, other, space, Deadline([] { return 0.0; }));
  EXPECT_EQ(text_of(late), "time");
  EXPECT_EQ(late.outcome, Outcome::given_up);
}

// ---- what is no proof ---------------------------------------------------------------------------

// Small enough for all of their states to be looked at.
const std::vector<std::string>& small_models() {
  static const std::vector<std::string> models{
      // A window that never closes, with an assertion on it.
      "channel a[1], b[1];\n"
      "proc p var n : 0..3; { do :: n < 3 -> a!m(n); n = n + 1 :: b?ok -> n = 0 od }\n"
      "proc q var k : 0..3; { do :: a?m(k) -> assert(k < 3); b!ok od }\n",
      // Who asks waits for the answer; timeouts are never needed.
      "channel up[1], down[1];\n"
      "proc client { do :: up!ask; if :: down?yes :: down?no :: down?timeout fi od }\n"
      "proc server var x : 0..2; { do :: up?ask -> if :: x < 2 -> x = x + 1; down!yes\n"
      ":: x == 2 -> x = 0; down!no fi od }\n",
      // Two take turns by a shared variable.
      "var turn : 0..1;\nvar inside : 0..2;\n"
      "proc a { do :: turn == 0 -> inside = inside + 1; assert(inside == 1);\n"
      "inside = inside - 1; turn = 1 od }\n"
      "proc b { do :: turn == 1 -> inside = inside + 1; assert(inside == 1);\n"
      "inside = inside - 1; turn = 0 od }\n",
      // What is indivisible is never seen half done.
      "channel c[1];\nvar x : 0..2;\n"
      "proc p { do :: atomic { x = 1; c!go; x = 0 } od }\n"
      "proc q { do :: c?go -> assert(x == 0) od }\n",
      // An assertion on what is sent, in order.
      "channel c[2];\n"
      "proc p { do :: c!one; c!two od }\n"
      "proc q { do :: c?one :: c?two od }\n"
      "assert { do :: c!one; c!two od }\n",
      // A division whose divisor is never 0.
      "channel c[1];\n"
      "proc p var d : 0..3; { d = 1; do :: c!v(6 / d); d = d % 3 + 1 od }\n"
      "proc q var y : 0..6; { do :: c?v(y) od }\n"};
  return models;
}

class Damage {
 public:
  explicit Damage(std::uint64_t seed) : random_(seed) {}
  std::size_t below(std::size_t count) { return random_() % count; }

  // One of the claims is dropped, or says less, or more, or something else.
  void change_claims(Certificate& certificate, ClaimSpace& space) {
    if (certificate.excluded.empty()) return;
    const auto index = static_cast<std::ptrdiff_t>(below(certificate.excluded.size()));
    Claim& claim = certificate.excluded[static_cast<std::size_t>(index)];
    const std::size_t place = below(claim.size());
    const std::size_t way = below(4);
    if (way == 0)
      space.forget(claim, place);
    else if (place < space.numbers())
      change_number(claim, place, space);
    else
      change_channel(claim, static_cast<ChannelId>(place - space.numbers()), space);
    if (way == 1 || claim == space.everything())
      certificate.excluded.erase(certificate.excluded.begin() + index);
  }

  // Leads elsewhere, sends or assigns something else.
  void change_rule(Program& program) {
    Rule& rule = program.rules[below(program.rules.size())];
    ProcessMove& move = rule.moves[0];
    Expressions& pool = program.protocol.expressions;
    if (!rule.assignments.empty() && below(2) == 0) {
      const Slot& slot = program.layout.variables[rule.assignments[0].variable];
      const auto count = static_cast<std::size_t>(slot.maximum - slot.minimum + 2);  // one too many
      rule.assignments[0].value =
          pool.constant(slot.minimum + static_cast<std::int64_t>(below(count)));
    } else if (rule.kind == ActionKind::send && !rule.values.empty() && below(2) == 0) {
      rule.values[0] = pool.constant(static_cast<std::int64_t>(below(8)));
    } else {
      move.to = static_cast<StateId>(below(program.control[move.process].size()));
    }
  }

 private:
  void change_number(Claim& claim, std::size_t place, ClaimSpace& space) {
    const ValueSet all = space.number(space.everything(), place);
    ValueSet set = space.number(claim, place);
    const ValueSet one = ValueSet::only(all.low() + static_cast<std::int64_t>(below(all.size())));
    set = set.contains(one.low()) ? set - one : set | one;
    space.put(claim, place, set.is_empty() ? one : set);
  }

  void change_channel(Claim& claim, ChannelId channel, ClaimSpace& space) {
    if (space.capacity(channel) == 0) return;
    ChannelClaim said = space.channel(claim, channel);
    if (below(2) == 0 && !said.known.empty()) {
      said.known[below(said.known.size())] = space.any_message(channel);
    } else if (below(2) == 0 && said.most > 0) {
      said.most -= 1;
      said.least = std::min(said.least, said.most);
      const auto tags = program_tags(space, channel);
      said.known.push_back(space.message(channel, static_cast<std::uint32_t>(1 + below(tags))));
    } else if (said.longest() < space.capacity(channel)) {
      said.most += 1;
    } else if (said.least > 0) {
      said.least -= 1;
    } else {
      said.least = said.most;
    }
    space.put(claim, channel, std::move(said));
  }
  static std::size_t program_tags(const ClaimSpace& space, ChannelId channel) {
    return space.program().layout.channels[channel].tags.size();
  }

  std::mt19937_64 random_;
};

struct DamagedProofs {
  std::uint64_t proved = 0, refused = 0;

  void check(const std::string& name, const Certificate& certificate, const Program& program,
             ClaimSpace& space, const EveryState& every) {
    const CertifyAnswer answer = checked(certificate, program, space);
    const bool is_proof = every.proves(certificate, space);
    EXPECT_EQ(answer.outcome, is_proof ? Outcome::proved : Outcome::refused)
        << name << ": " << answer.reason << ", " << answer.state << "\n"
        << write_certificate(certificate, space);
    ++(is_proof ? proved : refused);
  }

  // So many certificates, each with one thing changed.
  void check_all(const std::string& text, const test::Setup& setup, std::uint64_t seed,
                 std::size_t most_states, std::size_t count) {
    const Compiled compiled = compile(text, setup);
    const EveryState every(compiled.program, most_states);
    if (!every.is_complete()) return;
    ReversedProgram reversed(compiled.program);
    const auto candidates = reversed.candidates(ReceptionPolicy::blocked, {});
    if (!candidates) return;
    const auto whole = induced(reversed, *candidates);
    if (!whole) return;
    check(text, *whole, compiled.program, reversed.space, every);
    Damage damage(seed);
    for (std::size_t i = 0; i < count && !testing::Test::HasFailure(); ++i) {
      Certificate changed = *whole;
      if (i % 4 == 0) {
        check_other_rules(text, changed, compiled.program, reversed.space, damage, most_states);
      } else if (i % 8 == 1 && !candidates->empty()) {
        changed.targets.push_back((*candidates)[damage.below(candidates->size())].target);
        check(text, changed, compiled.program, reversed.space, every);
      } else {
        damage.change_claims(changed, reversed.space);
        check(text, changed, compiled.program, reversed.space, every);
      }
    }
    test::Setup other = setup;
    other.overflow = OverflowPolicy::error;
    check_other_setup(text, *whole, reversed.space, other, most_states);
    other = setup;
    other.timeouts =
        setup.timeouts == TimeoutPolicy::lock ? TimeoutPolicy::empty : TimeoutPolicy::lock;
    check_other_setup(text, *whole, reversed.space, other, most_states);
  }

  void check_other_rules(const std::string& text, Certificate& certificate, Program program,
                         ClaimSpace& space, Damage& damage, std::size_t most_states) {
    damage.change_rule(program);
    certificate.fingerprint = fingerprint_text(program);
    const EveryState every(program, most_states);
    const CertifyAnswer answer = certify(program, certificate, space, {});
    const bool is_proof = every.proves(certificate, space);
    EXPECT_EQ(answer.outcome, is_proof ? Outcome::proved : Outcome::refused)
        << text << ": " << answer.reason << ", " << answer.state << "\n"
        << write_certificate(certificate, space);
    ++(is_proof ? proved : refused);
  }

  // The same claims on the same model with other options. What is no error there is no target.
  void check_other_setup(const std::string& text, Certificate certificate, const ClaimSpace& space,
                         const test::Setup& setup, std::size_t most_states) {
    const Compiled compiled = compile(text, setup);
    const EveryState every(compiled.program, most_states);
    certificate.fingerprint = fingerprint_text(compiled.program);
    std::erase_if(certificate.targets, [](const Target& target) { return target.rule != none; });
    ClaimSpace other(compiled.program);
    const auto read = read_certificate(write_certificate(certificate, space), other);
    if (every.is_complete() && read) check(text, *read, compiled.program, other, every);
  }
};

TEST(Certificates, ThatAreDamagedAreRefusedWhereTheyProveNothing) {
  DamagedProofs proofs;
  std::uint64_t seed = 0;
  for (const std::string& text : small_models()) {
    for (const TimeoutPolicy timeouts : {TimeoutPolicy::empty, TimeoutPolicy::quiet}) {
      if (timeouts == TimeoutPolicy::quiet && text.find("timeout") == std::string::npos) continue;
      test::Setup setup;
      setup.timeouts = timeouts;
      proofs.check_all(text, setup, seed++, 20'000, test::has_all_samples() ? 40 : 8);
      if (HasFailure()) return;
    }
  }
  if (test::has_all_samples())
    for (seed = 0; seed < 60 && !HasFailure(); ++seed)
      proofs.check_all(differential::random_protocol(seed), {.capacity = 1}, seed, 50'000, 10);
  EXPECT_GT(proofs.proved, test::has_all_samples() ? 50u : 10u);
  EXPECT_GT(proofs.refused, test::has_all_samples() ? 100u : 15u);
}

}  // namespace
}  // namespace panoptes::backward
