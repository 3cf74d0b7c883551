//===- SiteOwners.h - the sites of a pointer --------------------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Knows: the sites, contexts and ranges of the objects to which a pointer may
// point.
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
  /// Sets the sites of \p A, or the reason why it has none, from the locations
  /// it accesses.
  void resolve(Access &A) const;
  /// The id of the range that begins at the carving \p K.
  uint64_t rangeId(unsigned K) const;
};

} // namespace evenkeel

#endif
