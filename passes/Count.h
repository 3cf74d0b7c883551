//===- Count.h - count expressions inside the pass --------------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Knows: the expression trees of profiles/format/Expr.h as values the analysis
// can build and fold, without linking that library into foreign compilers.
// Makes: infix text for the printers and JSON for facts.json.
// Leaves out: evaluation; that is the planner's.
//===----------------------------------------------------------------------===//
#ifndef EVENKEEL_PASSES_COUNT_H
#define EVENKEEL_PASSES_COUNT_H

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
  enum KindType { Const, Symbol, Op } Kind = Const;
  int64_t Value = 0; // Const
  uint64_t Sym = 0;  // Symbol
  std::string Name;  // Op: + * - max min ceildiv floordiv share
  std::vector<CountRef> Args;
};

CountRef countConst(int64_t V);
CountRef countSymbol(uint64_t Id);
/// Builds an operation; folds constants, neutral elements and nested sums and
/// products, and orders the arguments of commutative operators.
CountRef countOp(llvm::StringRef Name, std::vector<CountRef> Args);

inline CountRef countAdd(CountRef A, CountRef B) {
  return countOp("+", {A, B});
}
inline CountRef countMul(CountRef A, CountRef B) {
  return countOp("*", {A, B});
}

bool isConst(const CountRef &C, int64_t V);
bool sameCount(const CountRef &A, const CountRef &B);
bool mentions(const CountRef &C, uint64_t Sym);

std::string countText(const CountRef &C,
                      llvm::function_ref<std::string(uint64_t)> NameOf);
llvm::json::Value countJson(const CountRef &C);

} // namespace evenkeel

#endif
