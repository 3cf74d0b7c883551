//===- Expr.h - counts and sizes as expression trees ------------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Knows: the small expression language in which the analysis states how often a
// region accesses an object and how large an object is, over symbols (design,
// section 4). JSON form:
//   {"const": 8} | {"sym": "<id>"} | {"index": 0} | {"op": "+", "args": [E,
//   ..]}
// with op one of: +  *  -  max  min  ceildiv  floordiv  pow  ceillog  share
// first  evenly  sum  sharesum.
// Evaluation is in double precision and clamps nothing; division by zero and
// unknown symbols are reported, never silently 0 or 1.
// `pow(B, K)` is B to the power K, for a K below 0 as for 0. `ceillog(X, B)` is
// the least K, not below 0, with pow(B, K) >= X: how often a loop doubles what
// starts at 1 until it is not below X. B is 2 or more.
// `share(N)` is the part of N loop iterations that the task at hand gets from
// OpenMP's plain static schedule: floor(N/T) + (t < N mod T), as libomp deals
// them out (contiguous, remainder to the first threads). `share(N, k)`: in
// chunks of k, round robin. `first(N)`: the first of the iterations that
// share(N) counts. `evenly(X)`: X/T, what is to be expected where the
// run time deals out.
// `sum(N, B)` is B summed over the index 0 .. N-1, which is {"index": 0} in B,
// {"index": 1} in a sum within B, and so on. `sharesum(N, B)` and
// `sharesum(N, B, k)` sum over those iterations only that share(N) or
// share(N, k) count. Sums over what is linear in the index, piece by piece, are
// evaluated without stepping through it.
//===----------------------------------------------------------------------===//
#ifndef EVENKEEL_PROFILES_FORMAT_EXPR_EXPR_H
#define EVENKEEL_PROFILES_FORMAT_EXPR_EXPR_H

#include "format/Error.h"
#include <cstdint>
#include <functional>
#include <memory>
#include <nlohmann/json_fwd.hpp>
#include <string>
#include <vector>

namespace evenkeel {

struct Expr;
using ExprRef = std::shared_ptr<const Expr>;

struct Expr {
  enum Kind { Const, Symbol, Index, Op } K = Const;
  double Value = 0; // Const; Index: 0 for the innermost sum around it, 1, ..
  uint64_t Sym = 0; // Symbol
  /// Op; Unknown where Name is none of those known.
  enum Operator {
    Unknown,
    Add,
    Multiply,
    Subtract,
    Max,
    Min,
    CeilDivide,
    FloorDivide,
    Power,
    CeilLog,
    Share,
    First,
    Evenly,
    Sum,
    ShareSum
  } Code = Unknown;
  std::string Name;          // Op: "+", "*", ...
  std::vector<ExprRef> Args; // Op
};

/// Where symbols get their values. All optional parts may be empty.
struct EvalContext {
  /// Value of a symbol for the task at hand; nullopt when unknown.
  std::function<std::optional<double>(uint64_t)> Lookup;
  unsigned Task = 0;  // index of the task in its team
  unsigned Tasks = 1; // size of the team
};

ExprRef makeConst(double V);
ExprRef makeSymbol(uint64_t Id);
ExprRef makeIndex(unsigned Depth);
ExprRef makeOp(std::string Name, std::vector<ExprRef> Args);

/// Parses the JSON form; names the offending part on error.
Expected<ExprRef> exprFromJson(const nlohmann::json &J);
nlohmann::json exprToJson(const Expr &E);

/// Value of \p E. Without one, \p Culprit, if given, is the part of \p E that
/// has none: the first such symbol, a division by zero, an unknown operator, a
/// sum that would take too long.
std::optional<double> valueOf(const Expr &E, const EvalContext &C,
                              const Expr **Culprit = nullptr);
/// The same, with the reason in words.
Expected<double> evaluate(const Expr &E, const EvalContext &C);

/// All symbols in \p E, sorted, unique.
std::vector<uint64_t> symbolsOf(const Expr &E);

/// Infix text with names from \p NameOf, e.g. "8*n + max(1, m)" or
/// "sum(i < n: n - i)". Stable.
std::string exprToText(const Expr &E,
                       const std::function<std::string(uint64_t)> &NameOf);

} // namespace evenkeel

#endif
