//===- CountTerms.h - the normal form of counts -----------------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Knows: count expressions decomposed into sums of products, for the files that
// fold them.
// Not here: the public interface of counts (Count.h).
//===----------------------------------------------------------------------===//
#ifndef EVENKEEL_PASSES_ACCESS_COUNTS_COUNTTERMS_H
#define EVENKEEL_PASSES_ACCESS_COUNTS_COUNTTERMS_H

#include "access/counts/Count.h"

namespace evenkeel {

/// A coefficient times a product of atoms.
struct Term {
  int64_t Coefficient = 1;
  std::vector<CountRef> Atoms; // sorted by key
};

/// Appends the terms of \p Scale times \p C to \p Out.
void terms(const CountRef &C, int64_t Scale, std::vector<Term> &Out);
/// \p T as an expression.
CountRef fromTerm(const Term &T);
/// The sum of \p Terms.
CountRef fromTerms(const std::vector<Term> &Terms);
/// An operation without folding.
CountRef rawOp(llvm::StringRef Name, std::vector<CountRef> Args);

} // namespace evenkeel

#endif
