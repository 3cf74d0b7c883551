//===- Words.h - numbers narrower than counts -------------------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Knows: which words are narrow enough to wrap around on realistic inputs, and
// how the recorder reports their values.
// Not here: formulas for their values (formulas/Formulas.cpp); wider words,
// whose sizes are assumed to fit.
//===----------------------------------------------------------------------===//
#ifndef EVENKEEL_PASSES_ACCESS_LOOPS_WORDS_H
#define EVENKEEL_PASSES_ACCESS_LOOPS_WORDS_H

namespace llvm {
class SCEV;
class ScalarEvolution;
class Type;
class Value;
} // namespace llvm

namespace evenkeel {
struct FunctionInfo;

/// Words of this many bits hold all sizes. Masks and shifts of wider words
/// leave many bits, and programs do not intend these to wrap around.
constexpr unsigned WideBits = 25;

bool isNarrow(const llvm::Type *T);
/// Whether a part of \p S is narrow.
bool hasNarrow(const llvm::SCEV *S);
/// \p S with constants replaced by the nearest to 0 that preserve its last
/// \p Bits, the only ones that matter: n + 2^33 - 1 is n - 1 in 32 bits.
const llvm::SCEV *withShortConstants(const llvm::SCEV *S, unsigned Bits,
                                     llvm::ScalarEvolution &SE);
/// Whether the recorder records \p V, which may be narrow, as signed, according
/// to its uses.
bool isRecordedSigned(const llvm::Value &V);
/// Whether \p S is zero-extended because it is not negative there; elsewhere it
/// may be negative.
bool isWidenedWithoutSign(const llvm::SCEV *S, FunctionInfo &FI);

} // namespace evenkeel

#endif
