// SPDX-License-Identifier: Apache-2.0
// What a SAT solver is to everybody here: a module (base/module.hpp) that answers questions about
// clauses.
//
// A question comes with everything that is new since the last one, so that there is one call for
// each and none for a literal.
// Thread safety: one thread for each engine.
#pragma once

#include <functional>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "backward/circuit.hpp"

namespace panoptes {

enum class SatAnswer { possible, impossible, given_up };

class SatEngine {
 public:
  virtual ~SatEngine() = default;

  // Adds the clauses, each with a 0 behind it. Can all that were ever added be true together with
  // what is assumed for this question? `is_enough` is asked now and then; it gives up where that
  // is so.
  virtual SatAnswer ask(std::span<const Literal> clauses, std::span<const Literal> assumed,
                        const std::function<bool()>& is_enough) = 0;
  // Behind `possible`: whether each of the first variables is true, as many as there is room for;
  // [0] is none.
  virtual void read_model(std::vector<bool>& values) = 0;
  // Behind `impossible`, where nothing was assumed and proofs were asked for: one in the text form
  // of DRAT. It can be asked nothing more.
  virtual std::string proof() = 0;
};

// What a module exports as `panoptes_make_sat_engine`.
using MakeSatEngine = void(bool writes_proof, std::unique_ptr<SatEngine>& engine);

}  // namespace panoptes
