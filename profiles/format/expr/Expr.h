//===- Expr.h - counts and sizes as expression trees ------------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Knows: the expressions in which the analysis states how often a region
// accesses an object and how large an object is, over symbols (sizes,
// arguments, trip counts). JSON form:
//   {"const": 8} | {"sym": "<id>"} | {"index": 0} |
//   {"op": "+", "args": [E, ..]}
// with op one of: +  *  -  max  min  ceildiv  floordiv  pow  ceillog  share
// first  evenly  sum  sharesum.
// Evaluation is in double precision and clamps nothing; division by zero and
// unknown symbols are errors.
// `pow(B, K)` is B to the power K; K below 0 counts as 0. `ceillog(X, B)` is
// the least K >= 0 with pow(B, K) >= X: the trip count of a loop that
// multiplies 1 by B until it reaches X. B is 2 or more.
// `share(N)` is the number of N loop iterations that the current task gets from
// OpenMP's static schedule: floor(N/T) + (t < N mod T), as in libomp
// (contiguous, remainder to the first threads). `share(N, k)`: in chunks of k,
// round robin. `first(N)`: the first of the iterations in share(N).
// `evenly(X)`: X/T, the expected value under a dynamic schedule.
// `sum(N, B)` is B summed over the index 0 .. N-1, which is {"index": 0} in B,
// {"index": 1} in a sum within B, and so on. `sharesum(N, B)` and
// `sharesum(N, B, k)` sum only over the iterations in share(N) or share(N, k).
// Sums over piecewise linear bodies are evaluated without stepping through the
// index.
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
  double Value = 0; // Const; Index: 0 for the innermost enclosing sum, 1, ..
  uint64_t Sym = 0; // Symbol
  /// Op; Unknown if Name is not a known operator.
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
  /// Value of a symbol for the current task; nullopt if unknown.
  std::function<std::optional<double>(uint64_t)> Lookup;
  unsigned Task = 0;  // index of the task in its team
  unsigned Tasks = 1; // size of the team
};

ExprRef makeConst(double V);
ExprRef makeSymbol(uint64_t Id);
ExprRef makeIndex(unsigned Depth);
ExprRef makeOp(std::string Name, std::vector<ExprRef> Args);

/// Parses the JSON form; the error names the offending part.
Expected<ExprRef> exprFromJson(const nlohmann::json &J);
nlohmann::json exprToJson(const Expr &E);

/// The value of \p E. If there is none, sets \p Culprit (if given) to the part
/// of \p E that prevents it: the first unknown symbol, a division by zero, an
/// unknown operator, or a sum that would take too long.
std::optional<double> valueOf(const Expr &E, const EvalContext &C,
                              const Expr **Culprit = nullptr);
/// The same, with the reason as text.
Expected<double> evaluate(const Expr &E, const EvalContext &C);

/// All symbols in \p E, sorted, unique.
std::vector<uint64_t> symbolsOf(const Expr &E);

/// Infix text with names from \p NameOf, such as "8*n + max(1, m)" or "sum(i <
/// n: n - i)". Deterministic.
std::string exprToText(const Expr &E,
                       const std::function<std::string(uint64_t)> &NameOf);

} // namespace evenkeel

#endif
