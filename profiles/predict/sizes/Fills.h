//===- Fills.h - arrays that loops walk through completely ------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Knows: if one region fills an array once, its size and the number of
// iterations determine each other: if one is known for the target, the other
// follows. If regions read through an array, each element once, its size gives
// the number of their iterations.
// Makes: the loops and arrays of the base run for which this holds.
//===----------------------------------------------------------------------===//
#ifndef EVENKEEL_PROFILES_PREDICT_SIZES_FILLS_H
#define EVENKEEL_PROFILES_PREDICT_SIZES_FILLS_H

#include "predict/base/Tables.h"

namespace evenkeel {
namespace prediction {

/// A region that accesses each element of a site's only instance once.
struct Fill {
  const AccessFact *Access;
  std::vector<uint32_t> Tasks;
};
using FillsBySite = std::map<uint64_t, Fill>;

/// A region that does so by several accesses. One of them makes Symbol
/// accesses, and least is known of its growth; Rest are the others.
struct JointFill {
  Fill Of;
  uint64_t Symbol = 0;
  std::vector<const AccessFact *> Rest;
};

struct FillTable {
  FillsBySite Fills;                    // writes
  std::map<uint64_t, JointFill> Joint;  // writes, by site
  std::map<uint64_t, Fill> ReadThrough; // by symbol, which is the number of
                                        // accesses
};
FillTable makeFills(const BaseTables &Base, const Rules &Use);

// The rules, and the code they share.

FillsBySite findFills(const BaseTables &Base);
/// For sites without a fill.
std::map<uint64_t, JointFill> findJointFills(const BaseTables &Base,
                                             const FillsBySite &Fills);
std::map<uint64_t, Fill> findReadThrough(const BaseTables &Base);

/// Tasks of the region of \p A that visit \p Bytes in elements, each element
/// once in every phase that they run in; empty if they do not.
std::vector<uint32_t> wholeWalk(const BaseTables &Base, const AccessFact &A,
                                const Expr &Count, double Bytes);
/// The size of each site with only one instance.
std::map<uint64_t, double> bytesOfSingles(const Profile &B);
/// Whether all \p Tasks ran in one phase, and there are any.
bool inOnePhase(const Profile &B, const std::vector<uint32_t> &Tasks);

} // namespace prediction
} // namespace evenkeel

#endif
