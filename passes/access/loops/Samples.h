//===- Samples.h - evaluate expressions on random inputs --------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Knows: values of ScalarEvolution's expressions on random inputs, to test what
// cannot be proved.
// Not here: wide machine words; values are mathematical integers.
//===----------------------------------------------------------------------===//
#ifndef EVENKEEL_PASSES_ACCESS_LOOPS_SAMPLES_H
#define EVENKEEL_PASSES_ACCESS_LOOPS_SAMPLES_H

#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/SmallVector.h"
#include <optional>
#include <utility>

namespace llvm {
class ICmpInst;
class Loop;
class SCEV;
class Value;
} // namespace llvm

namespace evenkeel {

/// The values of expressions for one set of random inputs.
struct Sample {
  uint64_t State;
  llvm::DenseMap<const llvm::Value *, int64_t> Values;
  llvm::DenseMap<const llvm::Loop *, int64_t> Iterations;
  bool Undefined = false; // not an input of a correct program
  bool Wraps = false;     // inputs may be larger than narrow words hold
  /// Constants near which inputs may lie; see constantsOf.
  llvm::ArrayRef<int64_t> Near;

  explicit Sample(uint64_t Seed)
      : State(Seed * 0x9e3779b97f4a7c15ull), Equates(Seed % 2) {
    draw(0, 1); // with small seeds, the first numbers differ too little
  }
  int64_t draw(int64_t Low, int64_t High) {
    State = State * 6364136223846793005ull + 1442695040888963407ull;
    return Low + int64_t((State >> 33) % uint64_t(High - Low + 1));
  }
  int64_t at(const llvm::Value *V);
  std::optional<int64_t> of(const llvm::SCEV *S);
  /// The same for a possibly narrow word (Words.h), signed or unsigned.
  std::optional<int64_t> asWord(const llvm::SCEV *S, bool Signed);
  /// The operands \p L and \p R of \p Cmp; call it first. Random numbers are
  /// rarely equal, so for an equality test the operands are made equal in every
  /// other sample.
  std::optional<std::pair<int64_t, int64_t>>
  sidesOf(const llvm::ICmpInst &Cmp, const llvm::SCEV *L, const llvm::SCEV *R);
  /// Whether this number of iterations, of possibly collapsed loops, is none:
  /// some factor is not positive.
  bool isNone(const llvm::SCEV *S);

private:
  bool Equates;
  void equate(const llvm::SCEV *A, const llvm::SCEV *B);
};

/// The constants in the expressions. Inputs may be chosen near them, where an
/// expression may change its sign.
llvm::SmallVector<int64_t, 8>
constantsOf(llvm::ArrayRef<const llvm::SCEV *> Of);

/// Whether \p A and \p B are equal whenever \p L compares with \p R as \p Cmp
/// says (or does not, if \p Sense is false).
bool agree(const llvm::SCEV *A, const llvm::SCEV *B, const llvm::SCEV *L,
           const llvm::SCEV *R, const llvm::ICmpInst &Cmp, bool Sense);

} // namespace evenkeel

#endif
