//===- Expr.h - counts and sizes as expression trees ------------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Knows: the small expression language in which the analysis states how often a
// region accesses an object and how large an object is, over symbols (design,
// section 4). JSON form:
//   {"const": 8} | {"sym": "<id>"} | {"op": "+", "args": [E, ...]}
// with op one of: +  *  -  max  min  ceildiv  floordiv  share.
// Evaluation is in double precision and clamps nothing; division by zero and
// unknown symbols are reported, never silently 0 or 1.
// `share(N)` is the part of N loop iterations that the task at hand gets from
// OpenMP's plain static schedule: floor(N/T) + (t < N mod T), as libomp deals
// them out (contiguous, remainder to the first threads).
//===----------------------------------------------------------------------===//
#ifndef EVENKEEL_PROFILES_FORMAT_EXPR_H
#define EVENKEEL_PROFILES_FORMAT_EXPR_H

#include "Error.h"
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
  enum Kind { Const, Symbol, Op } K = Const;
  double Value = 0; // Const
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
    Share
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
ExprRef makeOp(std::string Name, std::vector<ExprRef> Args);

/// Parses the JSON form; names the offending part on error.
Expected<ExprRef> exprFromJson(const nlohmann::json &J);
nlohmann::json exprToJson(const Expr &E);

/// Value of \p E. Without one, \p Culprit, if given, is the part of \p E that
/// has none: the first such symbol, a division by zero, an unknown operator.
std::optional<double> valueOf(const Expr &E, const EvalContext &C,
                              const Expr **Culprit = nullptr);
/// The same, with the reason in words.
Expected<double> evaluate(const Expr &E, const EvalContext &C);

/// All symbols in \p E, sorted, unique.
std::vector<uint64_t> symbolsOf(const Expr &E);

/// Infix text with names from \p NameOf, e.g. "8*n + max(1, m)". Stable.
std::string exprToText(const Expr &E,
                       const std::function<std::string(uint64_t)> &NameOf);

} // namespace evenkeel

#endif
