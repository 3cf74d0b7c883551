//===- SiteOwners.h - which sites own a location ----------------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Knows: the sites, contexts and ranges behind what a pointer may point to.
//===----------------------------------------------------------------------===//
#ifndef EVENKEEL_PASSES_ACCESS_WALKS_SITEOWNERS_H
#define EVENKEEL_PASSES_ACCESS_WALKS_SITEOWNERS_H

#include "access/calls/CallGraph.h"
#include "access/walks/Walk.h"

namespace evenkeel {

class SiteOwners {
  const Inventory &Inv;
  const SourceMap &Source;
  const Objects &Obj;
  const CallGraph &Graph;

public:
  SiteOwners(const Inventory &Inv, const SourceMap &Source, const Objects &Obj,
             const CallGraph &Graph)
      : Inv(Inv), Source(Source), Obj(Obj), Graph(Graph) {}
  /// Fills in the sites of \p A, or why it has none, by where it goes.
  void resolve(Access &A) const;
  /// The id of the range behind the carving \p K.
  uint64_t rangeId(unsigned K) const;
};

} // namespace evenkeel

#endif
