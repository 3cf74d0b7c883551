//===- Tpp.cpp - transparent page placement for CXL memory ----------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Source: Maruf et al., "TPP", ASPLOS 2023 (in Linux since 5.18). Allocations
// go to fast memory. Reclaim is decoupled from allocation: cold pages are
// demoted early, to keep some headroom free. A hint fault promotes a page only
// if it is on the active list, that is, at its second fault within a short
// time; there is no rate limit. Parameters: scan_us and scan_share of the
// scanner, headroom: share of fast memory kept free (demote_scale_factor,
// default 2 %), active: the number of scans for which the first fault is
// remembered.
//===----------------------------------------------------------------------===//
#include "HintFaults.h"
#include "simulator/policies/Policies.h"

namespace evenkeel {
namespace {

class Tpp : public HintFaults {
  const double Active;
  std::vector<uint32_t>
      FirstFault; // by page: tick of the first fault; 0 = none

public:
  Tpp(const Config &C, double Active) : HintFaults(C), Active(Active) {}
  std::string name() const override { return "tpp"; }

protected:
  bool promotes(System &S, uint64_t Page, double) override {
    if (FirstFault.empty())
      FirstFault.assign(S.totalPages(), 0);
    uint32_t &First = FirstFault[Page];
    bool Hot = First && double(S.tick() - First) <= Active;
    First = S.tick();
    return Hot;
  }
};

} // namespace

const std::vector<Tunable> &tppTunables() {
  static const std::vector<Tunable> T = {
      {"scan_us", 5000, {1000, 5000, 20000}, "between two scans"},
      {"scan_share", 0.1, {0.02, 0.1, 0.5}, "of the slow pages, per scan"},
      {"headroom", 0.02, {0.02, 0.1}, "share of fast memory kept free"},
      {"active", 10, {2, 10}, "scans that a first fault is remembered"}};
  return T;
}

std::unique_ptr<Policy> makeTpp(const ReplayRequest &R) {
  auto Get = [&](const char *Name) {
    return settingOf(R.Tuned, tppTunables(), Name);
  };
  HintFaults::Config C;
  C.ScanNs = std::max(1.0, Get("scan_us")) * Us;
  C.ScanShare = Get("scan_share");
  C.BytesPerNs = 1e9;
  C.Low = std::min(0.5, Get("headroom"));
  C.High = 2 * C.Low;
  return std::make_unique<Tpp>(C, Get("active"));
}

} // namespace evenkeel
