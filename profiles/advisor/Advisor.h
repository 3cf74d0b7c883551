//===- Advisor.h - ecoHMEM's advisor, step by step --------------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Knows: what the HMem Advisor of ecoHMEM (IEEE Cluster 2022, repository
// accelcom-bsc/ecoHMEM) decides and prints, to the last byte, with what people
// may take for mistakes: objects of one call stack are one object, process 10
// alone decides what else fits, thresholds of bandwidth are absolute. Written
// anew from its behaviour. Differences: it gives up with one line instead of a
// Python trace, and it takes n log n steps where theirs takes n^2.
// Not here: our version of the method (planner/rivals/EcoHmem.cpp), the files
// (format/ecohmem/).
//===----------------------------------------------------------------------===//
#ifndef EVENKEEL_PROFILES_ADVISOR_ADVISOR_H
#define EVENKEEL_PROFILES_ADVISOR_ADVISOR_H

#include "format/Error.h"
#include "format/ecohmem/AllocsInfo.h"
#include "format/ecohmem/Histogram.h"
#include "format/ecohmem/MemoryConfig.h"
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace evenkeel::advisor {

/// The options of hmem_advisor, by their names there.
struct Options {
  enum { Greedy, Precise, Percent } Algorithm = Greedy;
  std::string PercentText;      ///< Percent: digits, as given
  bool ByMisses = false;        ///< --metric misses
  bool Worst = false;           ///< --worst
  bool BandwidthAware = true;   ///< not --disable-bw-aware
  int64_t PageBytes = 4096;     ///< --page; not 0
  std::optional<int64_t> Ranks; ///< divides sizes: --rank-statistics Average
};

struct Tier {
  std::string Name, Allocator;
  int64_t LoadWeight = 1, StoreWeight = 1;
  double Bytes = 0;
  bool WholeBytes = true; ///< printed without a decimal point
  int64_t Pages = 0;
};

/// One call stack.
struct Object {
  std::string Stack;
  int64_t Loads = 0, Stores = 0, Bytes = 0;
  int64_t Pages = 0;
  uint32_t SameStack = 0;    ///< equal for objects with equal stacks
  std::vector<double> Value; ///< in each tier but the last
};

/// The objects of each tier, as indices into Objects, in the order in which
/// they are printed.
struct Distribution {
  std::vector<Tier> Tiers;
  std::vector<Object> Objects;
  std::vector<std::vector<uint32_t>> InTier;
  std::vector<Object> Useless; ///< without loads and stores, or without a size
  std::string Printed;         ///< what the advisor prints while it works
};

Expected<std::vector<Tier>>
tiersOf(const std::vector<ecohmem::MemoryTier> &Config, const Options &O);

/// The objects that the histograms list. Objects of no size leave all three by
/// their position, so the columns have to be in one order. \p GivenStores
/// may be null.
MaybeError readObjects(ecohmem::Histogram Loads, ecohmem::Histogram Sizes,
                       const ecohmem::Histogram *GivenStores, int64_t PageBytes,
                       Distribution &Out);

/// All steps; \p D has Tiers and Objects. \p Allocs may be null; without it the
/// last two steps are left out.
MaybeError advise(const Options &O, const ecohmem::AllocsInfo *Allocs,
                  Distribution &D);

// The steps of advise(), in their order.

/// Sets Object::Value.
MaybeError weighObjects(const Options &O, Distribution &D);
/// Fills the tiers from the first on.
MaybeError packObjects(const Options &O, Distribution &D);
/// Adds to the tier DRAM what fits there by lifetimes (FitByLifetime.cpp).
MaybeError fitByLifetime(const ecohmem::AllocsInfo &Allocs, Distribution &D);
/// Lets objects of the first two tiers change places by bandwidth
/// (SwapByBandwidth.cpp).
MaybeError swapByBandwidth(const ecohmem::AllocsInfo &Allocs, Distribution &D);

/// What is printed of the result: --verbose, --visualizer, or else locations
/// for FlexMalloc. \p WithStores: there was a histogram of stores.
enum class Form { Locations, Verbose, Visualizer };
Expected<std::string> resultText(const Distribution &D, Form As,
                                 bool WithStores);

} // namespace evenkeel::advisor

#endif
