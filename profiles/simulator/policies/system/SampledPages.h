//===- SampledPages.h - how often pages were sampled ------------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Knows: a count for each page with samples, halved now and then so that old
// samples count less (cooling).
// Not here: which pages are hot.
//===----------------------------------------------------------------------===//
#ifndef EVENKEEL_PROFILES_SIMULATOR_POLICIES_SYSTEM_SAMPLEDPAGES_H
#define EVENKEEL_PROFILES_SIMULATOR_POLICIES_SYSTEM_SAMPLEDPAGES_H

#include "simulator/System.h"
#include <algorithm>

namespace evenkeel {

class SampledPages {
public:
  struct Page {
    uint64_t Number, Bytes;
  };
  /// Adds the samples since the last tick.
  void add(System &S) {
    Counts.resize(S.totalPages(), 0);
    for (const SampledAccess &A : S.samples())
      if (!Counts[A.Page]++)
        All.push_back({A.Page, S.bytes(A.Page)});
    SinceCooling += double(S.samples().size());
  }
  /// Halves all counts if there were more than \p PerPage samples per placed
  /// page since it last did.
  void coolAfter(System &S, double PerPage) {
    const uint64_t Pages = S.Map.fastPages().size() + S.Map.slowPages().size();
    if (SinceCooling <= PerPage * double(Pages))
      return;
    for (const Page &P : All)
      Counts[P.Number] /= 2;
    All.erase(std::remove_if(All.begin(), All.end(),
                             [&](const Page &P) { return !Counts[P.Number]; }),
              All.end());
    SinceCooling = 0;
  }
  uint32_t count(uint64_t Page) const { return Counts[Page]; }
  /// The pages with samples, each once, in the order of their first sample.
  const std::vector<Page> &pages() const { return All; }

private:
  std::vector<uint32_t> Counts; // by global page
  std::vector<Page> All;
  double SinceCooling = 0;
};

} // namespace evenkeel

#endif
