//===- HintFaults.h - tiering by faults on unmapped pages -------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Knows: the common part of Linux's NUMA balancing and TPP. A scanner traps
// slow pages in address order; a task that touches one takes a hint fault and
// may promote the page itself. A background reclaimer (kswapd) demotes the
// least recently used pages of fast memory when less than the low watermark is
// free, until the high watermark is free.
// Not here: which faults promote (promotes()), in which the two differ.
//===----------------------------------------------------------------------===//
#ifndef EVENKEEL_PROFILES_SIMULATOR_POLICIES_SYSTEM_HINTFAULTS_H
#define EVENKEEL_PROFILES_SIMULATOR_POLICIES_SYSTEM_HINTFAULTS_H

#include "SystemPolicy.h"

namespace evenkeel {

class HintFaults : public SystemPolicy {
public:
  struct Config {
    double ScanNs = 0;        // the time in which the scanner visits ...
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
  /// Called once a tick, before the scanner continues.
  virtual void adjust(System &S) {}

  const Config C;
  /// Bytes for which promotes() returned true, moved or not.
  double AcceptedBytes = 0;

private:
  Budget Limit;
  uint64_t Hand = 0;   // the scanner's position in the address space
  bool Wanted = false; // a page found no room since the last tick

  void scan(System &S);
  void reclaim(System &S);
};

} // namespace evenkeel

#endif
