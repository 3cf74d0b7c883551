//===- Count.h - count expressions inside the pass --------------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Knows: the expression trees of profiles/format/expr/Expr.h as values the
// analysis can build and fold, without linking that library into foreign
// compilers. Makes: infix text for the printers and JSON for facts.json. Leaves
// out: evaluation; that is the planner's.
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
  int64_t Value = 0; // Const; Index: 0 for the innermost sum around it, 1, ...
  uint64_t Sym = 0;  // Symbol; Index: its loop as long as no sum binds it
  /// Op: + * - max min ceildiv floordiv pow ceillog share first evenly sum
  /// sharesum
  std::string Name;
  std::vector<CountRef> Args;
  mutable std::string Key; // see keyOfCount; empty until it is asked for
};

CountRef countConst(int64_t V);
CountRef countSymbol(uint64_t Id);
/// The round of a loop, counted from 0. \p Loop is any number but 0 that stands
/// for it; only countSum gives it a meaning.
CountRef countIndex(uint64_t Loop);
/// \p Body summed over the rounds 0 .. N-1 of \p Loop; \p N is not below 0, nor
/// are those of \p Known where \p Body is asked for.
CountRef countSum(uint64_t Loop, const CountRef &N, const CountRef &Body,
                  llvm::ArrayRef<CountRef> Known = {});
/// The same over the rounds that share(N) or, with \p Chunk, share(N, Chunk)
/// gives to the task.
CountRef countShareSum(uint64_t Loop, const CountRef &N, const CountRef &Chunk,
                       const CountRef &Body);
/// 1 where \p C is above 0, else 0.
CountRef countTruth(const CountRef &C);
/// Appends what is not below 0 where \p Condition, made by countTruth or a
/// product of such, is 1.
void knownIn(const CountRef &Condition, std::vector<CountRef> &Known);
/// Whether \p C, which has no free index, is evaluated without adding up sums
/// within sums one by one.
bool isSummedQuickly(const CountRef &C);
/// Whether \p C mentions a loop's round that no sum binds.
bool hasFreeIndex(const CountRef &C);
bool mentionsIndex(const CountRef &C, uint64_t Loop);
/// \p C, where \p Loop is in the round \p Round.
CountRef atRound(const CountRef &C, uint64_t Loop, const CountRef &Round);
/// Whether \p C cannot be below 0 as long as no symbol is, divisors are above
/// 0, and those of \p Known are not below 0. False: it may, as far as is seen.
/// If so, appends to \p Assumed the symbols that must not be below 0 for it.
bool neverNegative(const CountRef &C, llvm::ArrayRef<CountRef> Known,
                   std::vector<uint64_t> &Assumed);
/// The same whatever symbols are: flags and offsets may be below 0.
bool isNatural(const CountRef &C);
/// Whether \p C is above 0 whatever symbols are.
bool isPositive(const CountRef &C);
/// Builds an operation; folds constants, neutral elements and nested sums and
/// products, and orders the arguments of commutative operators.
CountRef countOp(llvm::StringRef Name, std::vector<CountRef> Args);

inline CountRef countAdd(CountRef A, CountRef B) {
  return countOp("+", {A, B});
}
inline CountRef countMul(CountRef A, CountRef B) {
  return countOp("*", {A, B});
}

/// A text that is equal exactly for equal trees; empty for null.
const std::string &keyOfCount(const CountRef &C);
bool isConst(const CountRef &C, int64_t V);
bool sameCount(const CountRef &A, const CountRef &B);
bool mentions(const CountRef &C, uint64_t Sym);

std::string countText(const CountRef &C,
                      llvm::function_ref<std::string(uint64_t)> NameOf);
llvm::json::Value countJson(const CountRef &C);

} // namespace evenkeel

#endif
