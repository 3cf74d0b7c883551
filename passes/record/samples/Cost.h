//===- Cost.h - static cost of instructions ---------------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Knows: how many issue slots an instruction takes on the one core for which
// all records are made (four slots a cycle, Cascade Lake class), so that a
// record's core cycles depend on the program alone, not on the machine or the
// compiler flags. Memory operands count as first-level hits; the recorder adds
// the rest.
// Not here: dependency chains, and what the vectoriser would still do; the
// recorded program is scalar where its source is.
//===----------------------------------------------------------------------===//
#ifndef EVENKEEL_PASSES_RECORD_SAMPLES_COST_H
#define EVENKEEL_PASSES_RECORD_SAMPLES_COST_H

namespace llvm {
class Instruction;
}

namespace evenkeel {

struct InstructionCost {
  unsigned Slots = 0;        // quarters of a cycle
  unsigned Instructions = 0; // machine instructions, for the reorder window
};

/// A call of the maths library, whose cost is known and which runs no other
/// code.
bool isMathCall(const llvm::Instruction &I);

InstructionCost costOf(const llvm::Instruction &I);

} // namespace evenkeel

#endif
