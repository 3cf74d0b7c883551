//===- Spy.h - where a policy puts pages ------------------------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Knows: a policy in the middle of another one, and small plans for it.
//===----------------------------------------------------------------------===//
#ifndef EVENKEEL_TEST_PROFILES_SPY_H
#define EVENKEEL_TEST_PROFILES_SPY_H

#include "sim_records.h"

namespace evenkeel {

/// Pages of one instance, each read once by one task in its own quantum.
inline MissRecord sweep(std::vector<uint32_t> PageOrder, uint64_t Bytes) {
  RecordBuilder B;
  B.phase();
  uint32_t I = B.instance(Bytes);
  uint32_t T = B.thread(0, PageOrder.size() * 1000);
  for (uint32_t Q = 0; Q < PageOrder.size(); ++Q)
    B.row(T, Q, I, PageOrder[Q], 1, 0, 1);
  return B.record();
}

/// Runs a policy and shows which pages of an instance were fast in the end.
class Spy : public Policy {
  std::unique_ptr<Policy> Inner;

public:
  std::vector<std::string> Fast; // per instance: "FFS-" by page
  explicit Spy(std::unique_ptr<Policy> P) : Inner(std::move(P)) {}
  std::string name() const override { return Inner->name(); }
  void orderAllocations(const PageMap &M, std::vector<uint32_t> &I) override {
    Inner->orderAllocations(M, I);
  }
  void onAlloc(PageMap &M, uint32_t I) override { Inner->onAlloc(M, I); }
  unsigned onFirstTouch(PageMap &M, uint32_t I, uint32_t P) override {
    return Inner->onFirstTouch(M, I, P);
  }
  void onPhaseEnd(PageMap &M, uint32_t Phase,
                  const std::vector<TaskResult> &Tasks) override {
    Inner->onPhaseEnd(M, Phase, Tasks);
    for (uint32_t I = 0; I < 8 && I < Fast.size(); ++I) {
      Fast[I].clear();
      for (uint32_t P = 0; P < M.pages(I); ++P)
        Fast[I] += M.tier(I, P) == PageMap::Unplaced ? '-'
                   : M.tier(I, P) == 0               ? 'F'
                                                     : 'S';
    }
  }
};

inline std::vector<std::string> placed(const MissRecord &R, uint64_t FastBytes,
                                       const std::string &Name,
                                       const Plan *P = nullptr,
                                       PolicyResult *Out = nullptr) {
  Machine M = plainMachine();
  ReplayRequest Request{&R, &M, FastBytes, P};
  auto Made = makePolicy(Name, Request);
  EXPECT_TRUE(bool(Made)) << Made.message();
  Spy S(std::move(*Made));
  S.Fast.resize(R.Instances.size());
  PolicyResult Result = run(R, M, FastBytes, S);
  if (Out)
    *Out = Result;
  return S.Fast;
}

inline Plan planOf(std::vector<PlanObject> Objects) {
  Plan P;
  P.Planner = "balanced";
  P.Objects = std::move(Objects);
  return P;
}

inline PlanObject object(uint64_t Site, std::vector<PlanRange> Ranges) {
  PlanObject O;
  O.Site = Site;
  O.Ranges = std::move(Ranges);
  return O;
}

} // namespace evenkeel

#endif
