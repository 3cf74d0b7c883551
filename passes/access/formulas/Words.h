//===- Words.h - numbers of fewer bits than counts --------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Knows: which words are narrow enough to wrap around on inputs that programs
// are run with, and how the recorder tells what they hold.
// Leaves out: formulas of them (Words.cpp).
//===----------------------------------------------------------------------===//
#ifndef EVENKEEL_PASSES_ACCESS_FORMULAS_WORDS_H
#define EVENKEEL_PASSES_ACCESS_FORMULAS_WORDS_H

namespace llvm {
class SCEV;
class ScalarEvolution;
class Type;
class Value;
} // namespace llvm

namespace evenkeel {
struct FunctionInfo;

/// Words of so many bits hold all sizes: masks and shifts of wider ones leave
/// many, which nobody means to wrap around.
constexpr unsigned WideBits = 25;

bool isNarrow(const llvm::Type *T);
/// Whether a part of \p S is.
bool hasNarrow(const llvm::SCEV *S);
/// \p S with those constants nearest to 0 that leave its last \p Bits, which
/// are all that matters, as they are: n + 2^33 - 1 is n - 1 in 32 bits.
const llvm::SCEV *withShortConstants(const llvm::SCEV *S, unsigned Bits,
                                     llvm::ScalarEvolution &SE);
/// Whether the recorder takes \p V, which may be narrow, down with its sign: as
/// it is used.
bool isToldSigned(const llvm::Value &V);
/// Whether \p S is widened without a sign because it has none where that is
/// done: beside it, it may be below 0.
bool isWidenedWithoutSign(const llvm::SCEV *S, FunctionInfo &FI);

} // namespace evenkeel

#endif
