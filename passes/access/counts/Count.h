//===- Count.h - count expressions inside the pass --------------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Knows: the expression trees of profiles/format/expr/Expr.h as values that the
// analysis can build and fold, without linking that library into foreign
// compilers. Makes: infix text for the printers and JSON for facts.json. Not
// here: evaluation, which is the planner's.
//===----------------------------------------------------------------------===//
#ifndef EVENKEEL_PASSES_ACCESS_COUNTS_COUNT_H
#define EVENKEEL_PASSES_ACCESS_COUNTS_COUNT_H

#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/STLFunctionalExtras.h"
#include "llvm/ADT/StringRef.h"
#include "llvm/Support/JSON.h"
#include <cstdint>
#include <memory>
#include <string>
#include <vector>

namespace evenkeel {

struct Count;
using CountRef = std::shared_ptr<const Count>;

struct Count {
  enum KindType { Const, Symbol, Index, Op } Kind = Const;
  int64_t Value = 0; // Const; Index: 0 for the innermost enclosing sum, 1, ...
  uint64_t Sym = 0;  // Symbol; Index: its loop while no sum binds it
  /// Op: + * - max min ceildiv floordiv pow ceillog share first evenly sum
  /// sharesum
  std::string Name;
  std::vector<CountRef> Args;
  mutable std::string Key; // see keyOfCount; empty until requested
};

CountRef countConst(int64_t V);
CountRef countSymbol(uint64_t Id);
/// The iteration number of a loop, from 0. \p Loop is any non-zero number that
/// identifies the loop; only countSum gives it a meaning.
CountRef countIndex(uint64_t Loop);
/// \p Body summed over the iterations 0 .. N-1 of \p Loop. \p N must not be
/// negative; neither are \p Known in the iterations for which \p Body is
/// evaluated.
CountRef countSum(uint64_t Loop, const CountRef &N, const CountRef &Body,
                  llvm::ArrayRef<CountRef> Known = {});
/// The same over the iterations that share(N) or, with \p Chunk, share(N,
/// Chunk) assigns to the task.
CountRef countShareSum(uint64_t Loop, const CountRef &N, const CountRef &Chunk,
                       const CountRef &Body);
/// 1 if \p C is above 0, else 0.
CountRef countTruth(const CountRef &C);
/// Appends expressions that are not negative when \p Condition, a result of
/// countTruth or a product of such results, is 1.
void knownIn(const CountRef &Condition, std::vector<CountRef> &Known);
/// Whether evaluating \p C, which has no free index, avoids adding nested sums
/// term by term.
bool isSummedQuickly(const CountRef &C);
/// Whether \p C contains an iteration number that no sum binds.
bool hasFreeIndex(const CountRef &C);
bool mentionsIndex(const CountRef &C, uint64_t Loop);
/// \p C with the iteration number of \p Loop replaced by \p Iteration.
CountRef atIteration(const CountRef &C, uint64_t Loop,
                     const CountRef &Iteration);
/// Whether \p C cannot be negative, provided that no symbol is negative,
/// divisors are positive, and the expressions \p Known are not negative. False:
/// it may be, or no proof was found. If true, appends to \p Assumed the symbols
/// that the proof takes to be non-negative.
bool neverNegative(const CountRef &C, llvm::ArrayRef<CountRef> Known,
                   std::vector<uint64_t> &Assumed);
/// The same for any values of symbols: flags and offsets may be negative.
bool isNatural(const CountRef &C);
/// Whether \p C is positive for any values of symbols.
bool isPositive(const CountRef &C);
/// Builds an operation. Folds constants, neutral elements and nested sums and
/// products, and sorts the arguments of commutative operators.
CountRef countOp(llvm::StringRef Name, std::vector<CountRef> Args);

inline CountRef countAdd(CountRef A, CountRef B) {
  return countOp("+", {A, B});
}
inline CountRef countMul(CountRef A, CountRef B) {
  return countOp("*", {A, B});
}

/// A text that is equal for equal trees only; empty for null.
const std::string &keyOfCount(const CountRef &C);
bool isConst(const CountRef &C, int64_t V);
bool sameCount(const CountRef &A, const CountRef &B);
bool mentions(const CountRef &C, uint64_t Sym);

std::string countText(const CountRef &C,
                      llvm::function_ref<std::string(uint64_t)> NameOf);
llvm::json::Value countJson(const CountRef &C);

} // namespace evenkeel

#endif
