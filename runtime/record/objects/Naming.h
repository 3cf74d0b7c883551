//===- Naming.h - numbers of objects ----------------------------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Knows: the objects that a creator has made at each site and in each context,
// and their numbers. Other threads may add objects of the creator.
// Not here: where they lie (Arena.h, StaticArrays.h).
//===----------------------------------------------------------------------===//
#ifndef EVENKEEL_RUNTIME_RECORD_NAMING_H
#define EVENKEEL_RUNTIME_RECORD_NAMING_H

#include "Lock.h"
#include "Space.h"
#include "record/host/Vec.h"

namespace ekrec {

struct Together { // the object that the small blocks of a creator's site share
  uint32_t Instance;
  uint32_t Pages;
  uint64_t FirstPageUsed; // bytes
};

struct SiteEntry { // of a site, or of a context (a hash that includes its site)
  uint64_t Site;
  uint32_t Large; // large objects so far
  uint32_t Own;   // these, and small ones that are objects of their own
  uint32_t Named; // index of its Together, plus 1
  uint32_t Pool;  // index, plus 1
  bool Used;
};

/// The numbers of a creator's objects.
struct Naming {
  Lock Changes;
  Vec<SiteEntry> Sites;
  size_t NumSites;
  Vec<Together> Small;
};

/// Reserves the tables. False: no memory.
bool initNames();
extern Naming *Names; // [Ranges]
inline Naming &namesOf(unsigned Creator) { return Names[Creator]; }

bool growTable(Naming &A);
/// Makes room for two more entries. False: no memory. Requires the lock.
inline bool growSites(Naming &A) {
  return (A.NumSites + 1) * 2 < A.Sites.size() || growTable(A);
}
/// The entry of \p Site, added if it is new. Requires room.
inline SiteEntry &entryOf(Naming &A, uint64_t Site) {
  size_t I = Site % A.Sites.size();
  while (A.Sites[I].Used && A.Sites[I].Site != Site)
    I = (I + 1) % A.Sites.size();
  SiteEntry &E = A.Sites[I];
  if (!E.Used) {
    E = {Site, 0, 0, 0, 0, true};
    ++A.NumSites;
  }
  return E;
}

/// A new object; 0: there can be no more.
uint32_t newInstance(Asked Who, unsigned Creator, uint32_t Phase, bool Small);
/// Whether the next small block may be an object of its own.
bool mayOwn(unsigned Creator, Asked Who);
/// The object that the small blocks of a site share: index of its Together,
/// plus 1; 0: there can be no more.
uint32_t togetherOf(uint64_t Site, unsigned Creator, uint32_t Phase);

/// Finalises the sizes of shared instances. Call before reading Space::Table.
void finishInstances();

} // namespace ekrec

#endif
