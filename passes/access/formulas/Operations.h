//===- Operations.h - operations that ScalarEvolution lacks -----*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Knows: counters that a loop multiplies or divides by a constant in each
// iteration, and other operations that are opaque to ScalarEvolution although
// they follow from their operands.
// Not here: counts for them (Operations.cpp, members of Formulas).
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

/// A counter that starts at Start and is multiplied or divided by By in each
/// iteration of L.
struct Geometric {
  const llvm::PHINode *Phi;
  const llvm::BinaryOperator *Next; // in the next iteration
  const llvm::Loop *L;
  llvm::Value *Start;
  int64_t By; // 2 or more
  bool Rises;
};

/// Returns nullopt if \p V is no such counter.
std::optional<Geometric> geometricOf(const llvm::Value *V,
                                     const llvm::LoopInfo &LI);

/// Whether \p V is an operation that operationCount handles.
bool hasFormOfOperands(const llvm::Value *V, const llvm::LoopInfo &LI);

} // namespace evenkeel

#endif
