//===- Naming.cpp - numbers of objects ------------------------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// See Naming.h.
//===----------------------------------------------------------------------===//
#include "Naming.h"
#include "format/ek_raw.h"

using namespace ekrec;

static constexpr uint32_t MaxInstances = 1u << 24;

Naming *ekrec::Names;
static std::atomic<uint32_t> LastInstance;

bool ekrec::initNames() {
  TheSpace.Table =
      static_cast<Instance *>(reservePages(MaxInstances * sizeof(Instance)));
  Names = static_cast<Naming *>(reservePages(Ranges * sizeof(Naming)));
  return TheSpace.Table && Names;
}

bool ekrec::growTable(Naming &A) {
  Vec<SiteEntry> Old = A.Sites;
  A.Sites = Vec<SiteEntry>();
  if (!A.Sites.resize(Old.empty() ? 128 : Old.size() * 2)) {
    A.Sites = Old;
    return false;
  }
  for (const SiteEntry &E : Old) {
    if (!E.Used)
      continue;
    size_t I = E.Site % A.Sites.size();
    while (A.Sites[I].Used)
      I = (I + 1) % A.Sites.size();
    A.Sites[I] = E;
  }
  Old.release();
  return true;
}

static uint32_t newNumber() {
  uint32_t N = LastInstance.fetch_add(1, std::memory_order_relaxed) + 1;
  if (N < MaxInstances)
    return N;
  LastInstance.fetch_sub(1, std::memory_order_relaxed);
  return 0;
}

/// Large objects are counted as in the runtime, which places no others.
static uint32_t nextOrdinal(SiteEntry &E, bool Small) {
  const uint32_t Number = E.Own++;
  return Small ? EK_RAW_ONE_SMALL | Number : E.Large++;
}

uint32_t ekrec::newInstance(Asked Who, unsigned Creator, uint32_t Phase,
                            bool Small) {
  Naming &A = namesOf(Creator);
  Held L(A.Changes);
  uint32_t N = growSites(A) ? newNumber() : 0;
  if (!N)
    return 0;
  Instance &I = TheSpace.Table[N];
  I = {};
  I.Site = Who.Site;
  I.Context = Who.Context;
  I.Creator = Creator;
  I.AllocPhase = Phase;
  I.FreePhase = Never;
  SiteEntry &Site = entryOf(A, Who.Site);
  I.Number = Site.Own;
  I.InContext = I.Ordinal = nextOrdinal(Site, Small);
  if (Who.Context)
    I.InContext = nextOrdinal(entryOf(A, Who.Context), Small);
  return N;
}

bool ekrec::mayOwn(unsigned Creator, Asked Who) {
  Naming &A = namesOf(Creator);
  Held L(A.Changes);
  if (!growSites(A))
    return false;
  const SiteEntry &E = entryOf(A, Who.Context ? Who.Context : Who.Site);
  return E.Own - E.Large < MostOwnSmall;
}

uint32_t ekrec::togetherOf(uint64_t Site, unsigned Creator, uint32_t Phase) {
  Naming &A = namesOf(Creator);
  Held L(A.Changes);
  if (!growSites(A))
    return 0;
  SiteEntry &E = entryOf(A, Site);
  if (E.Named)
    return E.Named;
  const uint32_t N = newNumber();
  if (!N || !A.Small.push({N, 0, 0}))
    return 0;
  Instance &I = TheSpace.Table[N];
  I = {};
  I.Site = Site;
  I.Ordinal = I.InContext = EK_RAW_SMALL;
  I.Creator = Creator;
  I.AllocPhase = Phase;
  I.FreePhase = Never;
  return E.Named = static_cast<uint32_t>(A.Small.size());
}

void ekrec::finishInstances() {
  TheSpace.NumInstances = LastInstance.load();
  if (!TheSpace.Pages)
    return;
  for (unsigned C = 0; C < Creators; ++C)
    for (const Together &P : Names[C].Small)
      TheSpace.Table[P.Instance].Bytes =
          P.Pages > 1 ? uint64_t(P.Pages) << PageBits : P.FirstPageUsed;
}
