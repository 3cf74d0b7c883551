//===- Fills.h - arrays that loops go through from end to end ---*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Knows: an array that one region fills once from end to end ties its size to
// the number of iterations that fill it: whichever of the two is known for the
// target gives the other. One that regions read through, each element once,
// tells by its size how often they iterate.
// Makes: the loops and arrays of the base run of which that holds.
//===----------------------------------------------------------------------===//
#ifndef EVENKEEL_PROFILES_PREDICT_SIZES_FILLS_H
#define EVENKEEL_PROFILES_PREDICT_SIZES_FILLS_H

#include "predict/base/Tables.h"

namespace evenkeel {
namespace prediction {

/// A region that accesses each element of a site's one instance once.
struct Fill {
  const AccessFact *Access;
  std::vector<uint32_t> Tasks;
};
using FillsBySite = std::map<uint64_t, Fill>;

/// A region that does so by several accesses. One makes them Symbol times, and
/// least is known of its growth; the others are Rest.
struct JointFill {
  Fill Of;
  uint64_t Symbol = 0;
  std::vector<const AccessFact *> Rest;
};

struct FillTable {
  FillsBySite Fills;                    // writes
  std::map<uint64_t, JointFill> Joint;  // writes, by site
  std::map<uint64_t, Fill> ReadThrough; // by symbol: so often
};
FillTable makeFills(const BaseTables &Base, const Rules &Use);

// The rules, and what they share.

FillsBySite findFills(const BaseTables &Base);
/// Of sites without a fill.
std::map<uint64_t, JointFill> findJointFills(const BaseTables &Base,
                                             const FillsBySite &Fills);
std::map<uint64_t, Fill> findReadThrough(const BaseTables &Base);

/// Tasks of the region of \p A that go through \p Bytes in elements, each of
/// them once in every phase that they run in; empty if they do not.
std::vector<uint32_t> wholeWalk(const BaseTables &Base, const AccessFact &A,
                                const Expr &Count, double Bytes);
/// The bytes of each site that made one instance.
std::map<uint64_t, double> bytesOfSingles(const Profile &B);
/// Whether all \p Tasks ran in one phase, and there are any.
bool inOnePhase(const Profile &B, const std::vector<uint32_t> &Tasks);

} // namespace prediction
} // namespace evenkeel

#endif
