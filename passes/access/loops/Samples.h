//===- Samples.h - expressions on made-up inputs ----------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Knows: values of ScalarEvolution's expressions on inputs drawn by chance, to
// try out what cannot be proved.
// Leaves out: wide machine words: values are mathematical integers.
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

/// Values of expressions for made-up inputs.
struct Sample {
  uint64_t State;
  llvm::DenseMap<const llvm::Value *, int64_t> Values;
  llvm::DenseMap<const llvm::Loop *, int64_t> Rounds;
  bool Undefined = false; // no input of a program that works
  bool Wraps = false;     // inputs may be larger than narrow words hold
  /// Numbers that inputs may be close to; see constantsOf.
  llvm::ArrayRef<int64_t> Near;

  explicit Sample(uint64_t Seed)
      : State(Seed * 0x9e3779b97f4a7c15ull), Equates(Seed % 2) {
    draw(0, 1); // of small seeds, the first differ by too little
  }
  int64_t draw(int64_t Low, int64_t High) {
    State = State * 6364136223846793005ull + 1442695040888963407ull;
    return Low + int64_t((State >> 33) % uint64_t(High - Low + 1));
  }
  int64_t at(const llvm::Value *V);
  std::optional<int64_t> of(const llvm::SCEV *S);
  /// The same of what may be a narrow word (Words.h), with a sign or without.
  std::optional<int64_t> asWord(const llvm::SCEV *S, bool Signed);
  /// What \p Cmp compares, \p L and \p R: ask for it first. Chance hardly ever
  /// draws the same for two, so that in every other sample both sides of a test
  /// for equality are.
  std::optional<std::pair<int64_t, int64_t>>
  sidesOf(const llvm::ICmpInst &Cmp, const llvm::SCEV *L, const llvm::SCEV *R);
  /// Whether so many rounds, of loops that may be one now, are none: a factor
  /// is not above 0.
  bool isNone(const llvm::SCEV *S);

private:
  bool Equates;
  void equate(const llvm::SCEV *A, const llvm::SCEV *B);
};

/// Constants of the expressions: where what is made of them changes its sign,
/// an input may be close to one.
llvm::SmallVector<int64_t, 8>
constantsOf(llvm::ArrayRef<const llvm::SCEV *> Of);

/// Whether \p A and \p B are the same wherever \p L compares with \p R as
/// \p Cmp does, or does not where \p Sense is false.
bool agree(const llvm::SCEV *A, const llvm::SCEV *B, const llvm::SCEV *L,
           const llvm::SCEV *R, const llvm::ICmpInst &Cmp, bool Sense);

} // namespace evenkeel

#endif
