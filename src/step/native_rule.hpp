// SPDX-License-Identifier: Apache-2.0
// Rules to x86-64: the steps of each, one after the other.
#pragma once

#include <map>
#include <utility>
#include <vector>

#include "step/native_expression.hpp"

namespace panoptes::native {

class RuleCode {
 public:
  // Both outlive it, and the tables of `lowered` the code.
  RuleCode(const Lowered& lowered, Assembler& a);

  WordCode& words() { return words_; }
  ExpressionCode& expressions() { return expressions_; }

  // Writes a successor and its rule, leaves for its failure, or goes on behind.
  void rule(std::uint32_t id);

  // Where a rule that fires into an error leaves to, and where it goes on then.
  struct Failure {
    Label at, back;
    std::uint32_t rule;
  };
  const std::vector<Failure>& failures() const { return failures_; }

  // What the code of the rules reads, behind all code.
  void tables();

 private:
  void step(const WordStep& step, Label disabled, Label added, FailureExit& fail);
  void test(const WordStep& step, Label disabled, FailureExit& fail);
  void value_less_minimum(const WordStep& step, FailureExit& fail);
  void put_rax(const BitField& at);
  void put_element(const WordStep& step, FailureExit& fail);
  void shift(const WordStep& step);
  void look_up(const WordStep& step, FailureExit& fail);
  void append(const WordStep& step, Label added);
  Label slot_table(std::uint32_t slot_bits, std::uint32_t shift);

  const Lowered& lowered_;
  Assembler& a_;
  WordCode words_;
  ExpressionCode expressions_;
  std::vector<Failure> failures_;
  std::map<std::pair<std::uint32_t, std::uint32_t>, Label> slot_tables_;
};

}  // namespace panoptes::native
