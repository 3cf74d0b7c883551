//===- Trace.h - how an expression was evaluated ----------------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Knows: the ways in which symbols get their values on the target.
// Makes: the record of how the symbols of one expression got values.
//===----------------------------------------------------------------------===//
#ifndef EVENKEEL_PROFILES_PREDICT_BASE_TRACE_H
#define EVENKEEL_PROFILES_PREDICT_BASE_TRACE_H

namespace evenkeel {
namespace prediction {

/// How the symbols of an expression got their values; the least certain way
/// names the estimate.
struct Trace {
  bool Scaled = false, Kept = false, Measured = false, Inherited = false;
  bool Changed = false; // some symbol has a value for the target
  bool Derived = false; // a value that the program computes kept its base value
  bool Idle = false;    // a loop did not run on the base input
  bool Below = false;   // a symbol is below the values for which formulas hold

  void add(const Trace &T) {
    Scaled |= T.Scaled;
    Kept |= T.Kept;
    Measured |= T.Measured;
    Inherited |= T.Inherited;
    Changed |= T.Changed;
    Derived |= T.Derived;
    Idle |= T.Idle;
    Below |= T.Below;
  }
};

} // namespace prediction
} // namespace evenkeel

#endif
