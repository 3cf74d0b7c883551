//===- HintFaults.h - tiering by faults on unmapped pages -------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Knows: what Linux's NUMA balancing and TPP share: a scanner traps slow pages
// in address order, the task that touches one takes a hint fault and may bring
// the page up itself; a background reclaimer (kswapd) demotes the pages of fast
// memory that were used longest ago whenever less than the low watermark is
// free, until the high watermark is.
// Not here: which faults promote (promotes()); that is where they differ.
//===----------------------------------------------------------------------===//
#ifndef EVENKEEL_PROFILES_SIMULATOR_POLICIES_SYSTEM_HINTFAULTS_H
#define EVENKEEL_PROFILES_SIMULATOR_POLICIES_SYSTEM_HINTFAULTS_H

#include "SystemPolicy.h"

namespace evenkeel {

class HintFaults : public SystemPolicy {
public:
  struct Config {
    double ScanNs = 0;        // in which the scanner passes over ...
    double ScanShare = 0;     // ... this share of the slow pages
    double BytesPerNs = 0;    // promotion rate limit
    double Low = 0, High = 0; // watermarks, shares of tier 0 that are free
  };

  explicit HintFaults(const Config &C)
      : SystemPolicy(C.Low), C(C), Limit(C.BytesPerNs, 10 * C.ScanNs) {}

  Watch watch() const override;
  void onTick(System &S) override;
  void onFault(System &S, uint32_t Task, uint64_t Page,
               double SinceNs) override;

protected:
  /// Whether a page that was trapped \p LatencyNs ago is promoted now.
  virtual bool promotes(System &S, uint64_t Page, double LatencyNs) = 0;
  /// Once a tick, before the scanner goes on.
  virtual void adjust(System &S) {}

  const Config C;
  /// Bytes that promotes() accepted since the start, moved or not.
  double AcceptedBytes = 0;

private:
  Budget Limit;
  uint64_t Hand = 0;   // the scanner's place in the address space
  bool Wanted = false; // somebody found no room since the last tick

  void scan(System &S);
  void reclaim(System &S);
};

} // namespace evenkeel

#endif
