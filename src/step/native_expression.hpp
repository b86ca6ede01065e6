// SPDX-License-Identifier: Apache-2.0
// Expressions to x86-64.
#pragma once

#include "step/native_words.hpp"

namespace panoptes::native {

// Where a rule goes that fires into an error.
class FailureExit {
 public:
  explicit FailureExit(Label at) : at_(at) {}

  Label taken() {
    is_taken_ = true;
    return at_;
  }
  Label at() const { return at_; }
  bool is_taken() const { return is_taken_; }

 private:
  Label at_;
  bool is_taken_ = false;
};

class ExpressionCode {
 public:
  // All outlive it.
  ExpressionCode(const Lowered& lowered, Assembler& a, WordCode& words)
      : lowered_(lowered), a_(a), words_(words) {}

  // Computes into rax, or leaves by `fail` where it has no value; rcx and rdx are lost.
  void value(std::uint32_t node, FailureExit& fail);

 private:
  void leaf(const LoweredNode& node, Register to);
  void length(const LoweredNode& node);
  void short_circuit(const LoweredNode& node, FailureExit& fail);
  void binary(const LoweredNode& node, FailureExit& fail);
  void operate(Op op, std::int64_t divisor, FailureExit& fail);
  void divide(bool remainder, std::int64_t divisor, FailureExit& fail);
  void never_negative();
  void wrap(const LoweredNode& node, FailureExit& fail);
  void element(const LoweredNode& node, FailureExit& fail);

  const Lowered& lowered_;
  Assembler& a_;
  WordCode& words_;
};

}  // namespace panoptes::native
