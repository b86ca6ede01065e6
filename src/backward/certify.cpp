// SPDX-License-Identifier: Apache-2.0
#include "backward/certify.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cstdlib>
#include <new>
#include <optional>
#include <set>
#include <span>
#include <utility>
#include <vector>

#include "backward/encoding.hpp"
#include "backward/proof_check.hpp"
#include "backward/sat_solver.hpp"

namespace panoptes {
namespace {

using Condition = CertifyAnswer::Condition;
using Outcome = CertifyAnswer::Outcome;

// Whether there is an indivisible sequence that might not end: one in which who moves alone can
// come to a control state where somebody moved alone before.
bool may_go_round(const Program& program) {
  using Lone = std::pair<ProcessId, StateId>;
  std::set<std::pair<Lone, Lone>> steps;
  for (const Rule& rule : program.rules)
    for (const ProcessMove& move : rule.moves) {
      const ProcessMove& last = rule.moves[rule.moves.size() - 1];
      if (rule.ends_inside) steps.insert({{move.process, move.from}, {last.process, last.to}});
    }
  // Steps behind which nothing follows end their sequence; what is left in the end goes round.
  for (bool is_smaller = true; is_smaller;) {
    std::set<Lone> followed;
    for (const auto& [from, to] : steps) followed.insert(from);
    is_smaller =
        std::erase_if(steps, [&](const auto& step) { return !followed.contains(step.second); }) > 0;
  }
  return !steps.empty();
}

class Certification {
 public:
  Certification(const Program& program, const Certificate& certificate, const ClaimSpace& space,
                const Deadline& deadline)
      : program_(program),
        conditions_(program_),
        bits_(program_),
        certificate_(certificate),
        space_(space),
        deadline_(deadline) {
    for (const Claim& claim : certificate.excluded) {
      std::vector<std::size_t>& places = places_.emplace_back();
      for (std::size_t place = 0; place < claim.size(); ++place)
        if (claim[place] != space.everything()[place]) places.push_back(place);
    }
  }

  CertifyAnswer run(const CertifyProgress& progress, std::optional<ReceptionPolicy> others_under) {
    if (certificate_.fingerprint != fingerprint_text(program_)) {
      refuse(Condition::program, "the certificate is of another program");
      return answer_;
    }
    const std::size_t steps = program_.rules.size() + loners_of(program_).size();
    const std::size_t all = 1 + steps + certificate_.targets.size();
    const auto is_proved = [&](bool is_so) {
      if (is_so && progress) progress(answer_.questions, all);
      return is_so;
    };
    bool is_so = is_proved(prove_initial());
    for (std::size_t step = 0; step < steps && is_so; ++step) is_so = is_proved(prove_step(step));
    for (std::size_t t = 0; t < certificate_.targets.size() && is_so; ++t)
      is_so = is_proved(prove_target(t));
    if (!is_so) return answer_;
    answer_.outcome = Outcome::proved;
    if (others_under) look_at_others(*others_under, progress);
    return answer_;
  }

 private:
  using Clauses = std::vector<std::vector<Literal>>;
  using Bits = Encoding::Bits;

  // One formula.
  struct Question {
    explicit Question(const Certification& all)
        : encoding(all.program_, all.conditions_, all.bits_,
                   [this](std::span<const Literal> clause) {
                     clauses.emplace_back(clause.begin(), clause.end());
                   }) {}
    Clauses clauses;
    Encoding encoding;
    std::vector<bool> values;  // by variable, where it was found to be possible

    // What no clause is about may be anything, and is 0.
    void keep(const std::vector<bool>& model) {
      values.assign(model.size(), false);
      for (const std::vector<Literal>& clause : clauses)
        for (const Literal literal : clause) {
          const auto variable = static_cast<std::size_t>(std::abs(literal));
          values[variable] = model[variable];
        }
    }
    bool is_true(Literal literal) const {
      const auto variable = static_cast<std::size_t>(std::abs(literal));
      return (variable < values.size() && values[variable]) == (literal > 0);
    }
    std::vector<bool> bits_of_model() {
      std::vector<bool> found;
      for (const Literal bit : encoding.bits())
        found.push_back(encoding.circuit().is_constant(bit) ? bit == encoding.circuit().yes()
                                                            : is_true(bit));
      return found;
    }
  };

  void refuse(Condition condition, std::string reason) {
    answer_.outcome = Outcome::refused;
    answer_.condition = condition;
    answer_.reason = std::move(reason);
  }

  // Whether the formula is contradictory: nothing where that is not known.
  std::optional<bool> is_impossible(Question& question, const std::string& what) {
    ++answer_.questions;
    answer_.clauses += question.clauses.size();
    const auto give_up = [&](std::string reason) -> std::optional<bool> {
      answer_.reason = std::move(reason);
      return {};
    };
    if (deadline_.has_passed()) return give_up("time");
    const ProvedAnswer found = ask_for_proof(question.clauses, deadline_);
    if (found.answer == SatSolver::Answer::given_up) return give_up("time");
    if (found.answer == SatSolver::Answer::possible) {
      question.keep(found.values);
      return false;
    }
    ProofChecker checker;
    for (const std::vector<Literal>& clause : question.clauses) checker.add(clause);
    std::string problem;
    const ProofChecker::Answer checked = checker.check(found.proof, deadline_, problem);
    answer_.proof_steps += checker.steps();
    if (checked == ProofChecker::Answer::proved) return true;
    if (checked == ProofChecker::Answer::given_up) return give_up("time");
    return give_up(fmt::format("what the solver says of {} does not follow: {}", what, problem));
  }

  // ---- claims -----------------------------------------------------------------------------------

  // Adds what is true together where a state is in the claim; false where that cannot be.
  bool add_parts(Encoding& encoding, const Bits& state, std::size_t claim,
                 std::vector<Literal>& parts) const {
    const Claim& said = certificate_.excluded[claim];
    const auto add = [&](Literal literal) {
      if (literal != encoding.circuit().yes()) parts.push_back(literal);
      return literal != encoding.circuit().no();
    };
    for (const std::size_t place : places_[claim]) {
      if (place < space_.numbers()) {
        if (!add(encoding.is_in(state, field_at(place), space_.number(said, place)))) return false;
      } else if (!add_channel(encoding, state, static_cast<ChannelId>(place - space_.numbers()),
                              said, add)) {
        return false;
      }
    }
    return true;
  }

  template <typename Add>
  bool add_channel(Encoding& encoding, const Bits& state, ChannelId channel, const Claim& claim,
                   const Add& add) const {
    const ChannelClaim& said = space_.channel(claim, channel);
    const std::uint32_t room = bits_.slots(channel);
    if (said.shortest() > room) return add(encoding.circuit().no());
    for (std::uint32_t i = 0; i < said.known.size(); ++i) {
      const MessageClaim& message = said.known[i];
      if (!add(encoding.has_tag(state, channel, i, message.tags))) return false;
      for (std::size_t v = 0; v < message.values.size(); ++v)
        if (!add(encoding.has_value(state, channel, i,
                                    static_cast<std::uint32_t>(message.tags.low()), v,
                                    message.values[v])))
          return false;
    }
    if (said.least > 0 && !add(encoding.has_message(state, channel, said.shortest() - 1)))
      return false;
    return said.longest() >= room || add(-encoding.has_message(state, channel, said.longest()));
  }

  StateField field_at(std::size_t place) const {
    if (place < space_.variable(0)) return bits_.control(static_cast<ProcessId>(place));
    if (place < space_.subset(0))
      return bits_.variable(static_cast<VariableId>(place - space_.variable(0)));
    if (place < space_.alone())
      return bits_.subset(static_cast<std::uint32_t>(place - space_.subset(0)));
    return bits_.alone();
  }

  // The state is in none of the claims.
  void keep_out(Question& question) const {
    for (std::size_t claim = 0; claim < places_.size(); ++claim) {
      std::vector<Literal> clause;
      if (!add_parts(question.encoding, question.encoding.bits(), claim, clause)) continue;
      for (Literal& literal : clause) literal = -literal;
      question.encoding.circuit().require(clause);
    }
  }

  // By claim that the state may be in, the literal that it is. Claims for which not `counts` are
  // left out.
  template <typename Counts>
  std::vector<std::pair<std::size_t, Literal>> claims_around(Encoding& encoding, const Bits& state,
                                                             const Counts& counts) const {
    std::vector<std::pair<std::size_t, Literal>> around;
    std::vector<Literal> parts;
    for (std::size_t claim = 0; claim < places_.size(); ++claim) {
      parts.clear();
      if (counts(claim) && add_parts(encoding, state, claim, parts))
        around.emplace_back(claim, encoding.circuit().all(parts));
    }
    return around;
  }

  static void require_one(Question& question,
                          const std::vector<std::pair<std::size_t, Literal>>& around) {
    std::vector<Literal> clause;
    for (const auto& entry : around) clause.push_back(entry.second);
    question.encoding.circuit().require(clause);
  }

  // That of the model.
  static std::size_t claim_of(const Question& question, Literal yes,
                              const std::vector<std::pair<std::size_t, Literal>>& around) {
    for (const auto& [claim, literal] : around)
      if (literal == yes || question.is_true(literal)) return claim;
    return 0;
  }

  // ---- questions --------------------------------------------------------------------------------

  bool prove_initial() {
    Question question(*this);
    Encoding& encoding = question.encoding;
    const std::vector<bool> initial = bits_.bits_of(program_.initial);
    for_each_field(
        [&](const StateField& field) { encoding.fix(field, BitState::value_in(initial, field)); });
    const auto around = claims_around(encoding, encoding.bits(), [](std::size_t) { return true; });
    require_one(question, around);
    const auto is_so = is_impossible(question, "the initial state");
    if (is_so.value_or(true)) return is_so.has_value();
    answer_.claim = claim_of(question, encoding.circuit().yes(), around);
    refuse(Condition::initial, fmt::format("the initial state is in claim {}", answer_.claim + 1));
    return false;
  }

  template <typename Use>
  void for_each_field(const Use& use) const {
    for (std::size_t place = 0; place < space_.numbers(); ++place) use(field_at(place));
    for (ChannelId c = 0; c < program_.layout.channels.size(); ++c)
      for (std::uint32_t slot = 0; slot < bits_.slots(c); ++slot) {
        use(bits_.tag(c, slot));
        const std::uint32_t bits = bits_.value_bits(c);
        for (std::uint32_t b = 0; b < bits; ++b)
          use(StateField{bits_.values(c, slot) + b, 1, 0, 1, false});
      }
  }

  bool prove_step(std::size_t step) {
    Question question(*this);
    Encoding& encoding = question.encoding;
    const bool is_rule = step < program_.rules.size();
    if (is_rule)
      for (const ProcessMove& move : program_.rules[step].moves)
        encoding.fix(bits_.control(move.process), move.from);
    else
      encoding.fix(bits_.alone(),
                   number_of_loner(loners_of(program_)[step - program_.rules.size()]));
    const std::string what =
        is_rule ? fmt::format("rule {} `{}`", step, program_.rules[step].text) : "waiting alone";
    const Encoding::Step taken = encoding.step(step);
    encoding.circuit().require({taken.condition});
    const std::vector<bool> is_changed = changes(encoding.bits(), taken.next);
    const auto around = claims_around(encoding, taken.next, [&](std::size_t claim) {
      return std::any_of(places_[claim].begin(), places_[claim].end(),
                         [&](std::size_t place) { return is_changed[place]; });
    });
    require_one(question, around);
    if (!around.empty()) keep_out(question);
    const auto is_so = is_impossible(question, what);
    if (is_so.value_or(true)) return is_so.has_value();
    answer_.claim = claim_of(question, encoding.circuit().yes(), around);
    answer_.rule = is_rule ? static_cast<RuleId>(step) : none;
    answer_.state = state_text(question.bits_of_model());
    refuse(Condition::step, fmt::format("{} leads into claim {}", what, answer_.claim + 1));
    return false;
  }

  // By place of a claim.
  std::vector<bool> changes(const Bits& before, const Bits& after) const {
    std::vector<bool> found;
    const auto add = [&](std::uint32_t first, std::uint32_t end) {
      found.push_back(
          !std::equal(before.begin() + first, before.begin() + end, after.begin() + first));
    };
    for (std::size_t place = 0; place < space_.numbers(); ++place) {
      const StateField field = field_at(place);
      add(field.first, field.first + field.bits);
    }
    for (ChannelId c = 0; c < program_.layout.channels.size(); ++c)
      add(bits_.first_of(c), bits_.end_of(c));
    return found;
  }

  // Asks for a state in no claim that shows it. False where it is no error of this program.
  bool ask_for(Question& question, const Target& target) {
    Encoding& encoding = question.encoding;
    fix(encoding, target);
    const auto shown =
        target.rule != none ? failure_of(encoding, target) : row_of(encoding, target);
    if (!shown) return false;
    encoding.circuit().require({*shown});
    if (*shown != encoding.circuit().no()) keep_out(question);
    return true;
  }

  bool prove_target(std::size_t index) {
    const Target& target = certificate_.targets[index];
    const std::string what = fmt::format("target {} ({})", index + 1, to_text(program_, target));
    answer_.target = index;
    Question question(*this);
    if (!ask_for(question, target)) {
      refuse(Condition::target, fmt::format("{} is no error of this program", what));
      return false;
    }
    const auto is_so = is_impossible(question, what);
    if (is_so.value_or(true)) return is_so.has_value();
    answer_.state = state_text(question.bits_of_model());
    refuse(Condition::target, fmt::format("{} is not excluded", what));
    return false;
  }

  // Counts errors of the program that the claims do not exclude. What is proved stays so where
  // there is no time or memory for that.
  void look_at_others(ReceptionPolicy receptions, const CertifyProgress& progress) try {
    const bool is_question = program_.errors.is_question;
    std::size_t open = !is_question && may_go_round(program_) ? 1 : 0;
    const std::vector<Target> targets = every_target(program_, conditions_, receptions);
    for (const Target& target : targets) {
      if (std::ranges::find(certificate_.targets, target) != certificate_.targets.end()) continue;
      Question question(*this);
      const auto is_so = ask_for(question, target)
                             ? is_impossible(question, to_text(program_, target))
                             : std::optional(false);
      if (!is_so) return;
      open += *is_so ? 0 : 1;
      if (progress) progress(answer_.questions, answer_.questions + targets.size());
    }
    answer_.open = open;
  } catch (const std::bad_alloc&) {
    answer_.reason = "memory";
  }

  // What the target says itself of the state.
  void fix(Encoding& encoding, const Target& target) const {
    if (target.rule != none) {
      for (const ProcessMove& move : program_.rules[target.rule].moves)
        encoding.fix(bits_.control(move.process), move.from);
      return;
    }
    encoding.fix(bits_.alone(), 0);
    if (target.process != none) encoding.fix(bits_.control(target.process), target.state);
    for (ProcessId p = 0; p < target.control.size(); ++p)
      if (p != target.process) encoding.fix(bits_.control(p), target.control[p]);
  }

  // That the rule fires into the error, where it may. Nothing where it never does.
  std::optional<Literal> failure_of(Encoding& encoding, const Target& target) {
    std::optional<Literal> shown;
    for (const RuleConditions::Failure& failure : conditions_.failures(target.rule)) {
      const bool is_meant = failure.check == nullptr
                                ? target.has_no_value
                                : !target.has_no_value && failure.check->kind == target.kind &&
                                      failure.check->assertion == target.assertion;
      if (is_meant)
        shown = encoding.circuit().either(shown.value_or(encoding.circuit().no()),
                                          encoding.holds(failure.condition));
    }
    if (shown) shown = encoding.circuit().both(*shown, encoding.has_turn(target.rule));
    return shown;
  }

  // That the state shows it, in which nobody moves alone. Nothing where no row is about it.
  std::optional<Literal> row_of(Encoding& encoding, const Target& target) {
    Circuit& circuit = encoding.circuit();
    std::optional<Literal> shown;
    for (const StateError& row : program_.errors.states) {
      if (target.has_no_value || row.kind != target.kind || row.process != target.process ||
          row.channel != target.channel || row.assertion != target.assertion || !target.is_of(row))
        continue;
      const ExpressionId predicate =
          target.process == none ? row.predicate : row.predicate_at(target.state);
      Literal here = predicate == none ? circuit.no() : encoding.holds(predicate);
      const auto also = [&](Literal literal) { here = circuit.both(here, literal); };
      if (row.channel != none && target.tag == 0)
        also(encoding.has_message(encoding.bits(), row.channel, 0));
      if (here != circuit.no() && row.idle == Idle::everybody) also(encoding.nobody_moves());
      if (here != circuit.no() && row.idle == Idle::process)
        also(encoding.does_not_move(row.process));
      shown = circuit.either(shown.value_or(circuit.no()), here);
    }
    if (shown && target.tag != 0)
      shown = circuit.both(
          *shown, encoding.has_tag(encoding.bits(), target.channel, 0, ValueSet::only(target.tag)));
    return shown;
  }

  // ---- states for people ------------------------------------------------------------------------

  std::string state_text(const std::vector<bool>& bits) const {
    const Protocol& protocol = program_.protocol;
    std::string text;
    const auto add = [&](const std::string& part) { text += (text.empty() ? "" : ", ") + part; };
    const auto value = [&](const StateField& field) { return BitState::value_in(bits, field); };
    for (ProcessId p = 0; p < program_.control.size(); ++p)
      add(fmt::format("{} at {}", protocol.processes[p].name,
                      program_.state(p, static_cast<StateId>(value(bits_.control(p)))).name));
    for (VariableId v = 0; v < program_.layout.variables.size(); ++v)
      add(fmt::format("{} = {}", protocol.variables[v].name, value(bits_.variable(v))));
    for (std::uint32_t a = 0; a < program_.layout.assertions.size(); ++a)
      add(fmt::format("{} at {}", protocol.assertions[a].name, value(bits_.subset(a))));
    for (ChannelId c = 0; c < program_.layout.channels.size(); ++c)
      for (std::uint32_t slot = 0; slot < bits_.slots(c); ++slot) {
        const auto tag = static_cast<std::uint32_t>(value(bits_.tag(c, slot)));
        if (tag == 0) break;
        std::vector<std::int64_t> values;
        for (const ValueField& field : program_.layout.channels[c].tags[tag - 1])
          values.push_back(value(bits_.value(c, slot, field)));
        add(fmt::format("{} in {}", message_text(protocol, c, tag, values),
                        protocol.channels[c].name));
      }
    const std::int64_t alone = value(bits_.alone());
    if (alone > 0)
      add(fmt::format("{} moves alone",
                      protocol.processes[static_cast<std::size_t>(alone) - 1].name));
    return text;
  }

  Program program_;  // to which conditions are added
  RuleConditions conditions_;
  BitState bits_;
  const Certificate& certificate_;
  const ClaimSpace& space_;
  const Deadline& deadline_;
  std::vector<std::vector<std::size_t>> places_;  // by claim: those that it says something of
  CertifyAnswer answer_;
};

}  // namespace

CertifyAnswer certify(const Program& program, const Certificate& certificate,
                      const ClaimSpace& space, const Deadline& deadline,
                      const CertifyProgress& progress,
                      std::optional<ReceptionPolicy> others_under) try {
  return Certification(program, certificate, space, deadline).run(progress, others_under);
} catch (const std::bad_alloc&) {
  CertifyAnswer answer;
  answer.reason = "memory";
  return answer;
}

}  // namespace panoptes
