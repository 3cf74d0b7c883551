//===- gathered_objects.h - objects that tasks gather from ------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Knows: how a made-up program's facts say that a region gathers from an
// object, and how much of an object is in the fast tier.
//===----------------------------------------------------------------------===//
#ifndef EVENKEEL_TEST_RUNTIME_GATHERED_OBJECTS_H
#define EVENKEEL_TEST_RUNTIME_GATHERED_OBJECTS_H

#include "format/Facts.h"
#include "objects/object.h"
#include "placement/place.h"

#include <string>
#include <utility>

/// Adds an object, and that each task of \p Region reads \p Reads elements of
/// it in no order.
inline void addGathered(evenkeel::Facts &F, uint64_t Region, uint64_t Site,
                        evenkeel::ExprRef Reads) {
  evenkeel::SiteFact S;
  S.Id = Site;
  S.Kind = "malloc";
  S.At = "a.c:" + std::to_string(Site) + ":1";
  F.Sites.push_back(S);
  evenkeel::AccessFact X;
  X.Region = Region;
  X.Sites = {Site};
  X.Class = evenkeel::AccessFact::Random;
  X.ElementBytes = 8;
  X.Reads = std::move(Reads);
  X.Writes = evenkeel::makeConst(0);
  F.Accesses.push_back(X);
}

/// The share of the object at \p P that is in the fast tier; -1: it is none.
inline double fastShare(const void *P) {
  const ek_object *O = ek_object_at(P);
  ek_place_lock(); // the helper may be moving pages
  const double Share =
      O ? double(O->fast_pages) / (O->fast_pages + O->slow_pages) : -1;
  ek_place_unlock();
  return Share;
}

#endif
