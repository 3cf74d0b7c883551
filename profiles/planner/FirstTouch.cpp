//===- FirstTouch.cpp - where data falls without a plan -------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Knows: see FirstTouch.h.
//===----------------------------------------------------------------------===//
#include "FirstTouch.h"
#include "Phase.h"
#include <algorithm>

using namespace evenkeel;

std::vector<double> evenkeel::firstTouchShares(const Problem &P) {
  size_t N = P.Instances.size();
  std::vector<uint32_t> First(N, EK_NO_TASK);
  for (const PredictedPhase &H : P.Phases)
    for (const PredictedTask &T : H.Tasks)
      for (const UnitDemand &U : T.Demand.Units) {
        uint32_t I = P.Units[U.Unit].Instance;
        First[I] = std::min(First[I], H.Phase);
      }
  for (size_t I = 0; I < N; ++I)
    if (First[I] == EK_NO_TASK)
      First[I] = P.Instances[I].AllocPhase;
  std::vector<uint32_t> Order(N);
  for (uint32_t I = 0; I < N; ++I)
    Order[I] = I;
  std::sort(Order.begin(), Order.end(), [&](uint32_t A, uint32_t B) {
    return First[A] != First[B] ? First[A] < First[B] : A < B;
  });
  std::vector<double> Share(N, 0);
  for (size_t From = 0; From < N;) {
    size_t To = From;
    uint32_t Phase = First[Order[From]];
    double Wanted = 0, Used = 0;
    while (To < N && First[Order[To]] == Phase)
      Wanted += P.Instances[Order[To++]].Bytes;
    for (size_t K = 0; K < From; ++K)
      if (isLive(P.Instances[Order[K]], Phase))
        Used += Share[Order[K]] * P.Instances[Order[K]].Bytes;
    double Room = std::max(0.0, P.FastBytes - Used);
    double Part = Wanted > 0 ? std::min(1.0, Room / Wanted) : 1;
    for (size_t K = From; K < To; ++K)
      Share[Order[K]] = Part;
    From = To;
  }
  std::vector<double> Fast;
  for (const Unit &U : P.Units)
    Fast.push_back(Share[U.Instance]);
  return Fast;
}
