//===- Operations.h - operations ScalarEvolution has no form of -*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Knows: counters that a loop multiplies or divides by a constant from
// iteration to iteration, and which other values follow from their operands
// though ScalarEvolution takes them as they are.
// Leaves out: counts of them (Operations.cpp, members of Formulas).
//===----------------------------------------------------------------------===//
#ifndef EVENKEEL_PASSES_ACCESS_FORMULAS_OPERATIONS_H
#define EVENKEEL_PASSES_ACCESS_FORMULAS_OPERATIONS_H

#include <cstdint>
#include <optional>

namespace llvm {
class BinaryOperator;
class Loop;
class LoopInfo;
class PHINode;
class Value;
} // namespace llvm

namespace evenkeel {

/// A counter that starts at Start and that each iteration of L multiplies by
/// By, or divides by it.
struct Geometric {
  const llvm::PHINode *Phi;
  const llvm::BinaryOperator *Next; // in the next iteration
  const llvm::Loop *L;
  llvm::Value *Start;
  int64_t By; // 2 or more
  bool Rises;
};

/// Nullopt: \p V is nothing of the kind.
std::optional<Geometric> geometricOf(const llvm::Value *V,
                                     const llvm::LoopInfo &LI);

/// Whether \p V is of an operation that operationCount knows.
bool hasFormOfOperands(const llvm::Value *V, const llvm::LoopInfo &LI);

} // namespace evenkeel

#endif
