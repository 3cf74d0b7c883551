//===- Formulas.h - formulas for another number of threads ------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Knows: symbols that have one value in the whole base run, and the number of
// threads, which changes.
// Makes: values of formulas for old and new threads; by how much the formulas
// of a thread's accesses depart from its share of the work (each thread reads
// all of a vector).
//===----------------------------------------------------------------------===//
#ifndef EVENKEEL_PROFILES_PREDICT_BASE_THREADS_FORMULAS_H
#define EVENKEEL_PROFILES_PREDICT_BASE_THREADS_FORMULAS_H

#include "Shares.h"
#include "format/Facts.h"
#include <map>
#include <optional>
#include <tuple>
#include <vector>

namespace evenkeel {
namespace threads {

class Formulas {
  const Shares &By;
  std::map<uint64_t, double> Before; // symbols with one value
  std::map<uint64_t, double> Now;    // the same for the new threads
  std::map<std::pair<uint64_t, uint64_t>, std::vector<const AccessFact *>>
      AccessesOf; // region, site
  /// Correction factors found so far, by region, site and new thread.
  mutable std::map<std::tuple<uint64_t, uint64_t, uint32_t>, double> Factors;

public:
  /// All arguments must outlive the formulas.
  Formulas(const Profile &B, const Facts &F, const Shares &By);

  /// The value in \p Task, a thread of the new team or of the old one.
  std::optional<double> valueFor(const Expr &E, unsigned Task,
                                 bool OfNew) const;
  /// The formulas' value for new thread \p U over its share of the sum of
  /// \p Es; 1 if they have no value.
  double departure(const std::vector<const Expr *> &Es, uint32_t U) const;
  /// The same for the accesses of \p Region to objects of \p Site.
  double factorOf(uint64_t Region, uint64_t Site, uint32_t U) const;
  /// Whether all these accesses are known and walk in address order.
  bool walks(uint64_t Region, uint64_t Site) const;
};

} // namespace threads
} // namespace evenkeel

#endif
