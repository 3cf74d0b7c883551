//===- LoopTotals.h - loops whose iterations are counted --------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Knows: the loops in a parallel region's text whose number of iterations is
// decided by data that the region reads: `for (e = first[n]; e < first[n + 1];
// e++)`. No value before the region gives their totals.
// Makes: the list of these loops. The text is not edited: counters in it could
// not be kept in registers of a work-shared loop.
// Not here: loops of directives, loops in functions that the region calls, in
// templates, lambdas and explicit tasks, and loops from macros.
//===----------------------------------------------------------------------===//
#ifndef EVENKEEL_REWRITER_LOOPTOTALS_H
#define EVENKEEL_REWRITER_LOOPTOTALS_H

#include "Rule.h"

namespace evenkeel {

class LoopTotals : public Rule {
  Unit &U;

  const clang::OMPExecutableDirective *regionAround() const;
  bool isOfDirective(const clang::Stmt *Loop) const;
  bool isDecidedByData(const clang::Stmt *Loop,
                       const clang::OMPExecutableDirective *Region) const;

public:
  explicit LoopTotals(Unit &U) : U(U) {}
  void statement(const clang::Stmt *S) override;
};

} // namespace evenkeel

#endif
