// SPDX-License-Identifier: Apache-2.0
// The control flow of one process or assertion, for the plain checker.
//
// Every statement gets a node; procedures are inlined, each call with its own copy. A node knows
// its ways out twice: as a statement in a sequence (`options`) and as the guard of one option among
// several (`lent`). They differ for calls and for choices with a single option: in a sequence these
// are jumps, as a guard they stand for the statements they begin with. Afterwards transit nodes are
// stepped over, and whatever calls and returns were passed is done by the option that passes them.
//
// Nothing here is clever, and nothing of the engine is used: agreeing with the engine only means
// something while the two have nothing in common but the syntax tree.
#pragma once

#include <cstdint>
#include <deque>
#include <map>
#include <string>
#include <vector>

#include "argos/syntax.hpp"
#include "base/source.hpp"

namespace panoptes::differential {

// What a procedure calls a channel that was passed to it.
struct PassedChannel {
  std::string name;   // of the channel, or of the family it is in
  int number = -1;    // of the channel; -1: of the member that a variable says, or of any
  int variable = -1;  // with the index that was passed; -1: none was, and each use has its own
};

// What names mean at some place in the text.
struct Scope {
  std::map<std::string, int> variables;  // numbers of variables; of an array, of its first element
  std::map<std::string, std::int64_t> lengths;  // of those that are arrays
  std::map<std::string, std::int64_t> constants;
  std::map<std::string, PassedChannel> channels;
  std::map<std::string, std::string> messages;
};

// A call sets a parameter of the procedure, a return puts it back to 0. Its own variables are put
// to their initial values by both.
struct ParameterStep {
  int variable = 0;
  const argos::Expression* value = nullptr;  // null: `otherwise`
  const Scope* scope = nullptr;              // of the caller
  int otherwise = 0;
};
using ParameterSteps = std::vector<ParameterStep>;

struct PlainOption {
  ParameterSteps before;                     // calls in guard position: the guard sees them done
  const argos::Statement* action = nullptr;  // null: an internal step, or a jump if it is alone
  const Scope* scope = nullptr;              // of the action
  const argos::Statement* jump = nullptr;    // `skip`, `goto`, `break`, an empty procedure's call
  int target = 0;
  ParameterSteps after;      // calls and returns on the way to the target
  bool is_inside = false;    // of an atomic
  bool ends_inside = false;  // ... and so is all of the way to the target
  int member = 0;            // of a broadcast: which one it sends to now, counted from 0,
  int members = 0;           // and how many there are
  bool keeps_place = false;  // it has a node of its own, also where it is a guard

  // What a report says has failed; null for what nobody has written, such as a return.
  const argos::Statement* statement() const { return action ? action : jump; }
  int channel = -1;  // filled in by the checker: the channel, where no variable decides it,
  int message = -1;  // and the number of the message's name
};

struct PlainNode {
  Place place;  // unknown for the end and for returns
  std::vector<std::string> labels;
  std::vector<PlainOption> options;  // as a statement in a sequence
  std::vector<PlainOption> lent;     // as a guard among several
  bool is_inside = false;            // of an atomic
};

struct PlainGraph {
  static constexpr int end = 0;
  std::vector<PlainNode> nodes;
  int start = 0;
  ParameterSteps before_start;  // calls the process begins with
};

// How the translation sees the process or assertion it works for.
class Surroundings {
 public:
  virtual ~Surroundings() = default;
  // Gives the parameters of a called procedure their meaning in `inner` and returns the steps that
  // set them.
  virtual ParameterSteps enter(const argos::ProcedureDeclaration& procedure,
                               const argos::Call& call, const Scope& outer, Scope& inner) = 0;
  // How many channels the family has.
  virtual int family_size(const std::string& name, const Scope& scope) const = 0;
};

// The transit-free graph of `body`. Scopes made on the way are kept in `scopes`.
PlainGraph plain_graph(const argos::Model& model, const argos::Block& body, const Scope& scope,
                       Surroundings& surroundings, std::deque<Scope>& scopes);

}  // namespace panoptes::differential
