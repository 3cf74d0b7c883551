//===- AltTexts.cpp - what each picture of a report says ------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// See AltTexts.h.
//===----------------------------------------------------------------------===//
#include "AltTexts.h"
#include <algorithm>
#include <cmath>

namespace evenkeel::cli {

std::string AltTexts::phase(size_t Group) const {
  return "Phase " + std::to_string(Group + 1) + ", " + D.Groups[Group].Named +
         ": ";
}

std::string AltTexts::answer() const {
  const Answer &A = D.Times;
  return "All in slow memory " + Says.time(A.AllSlow) + ", first touch " +
         Says.time(A.FirstTouch) +
         (In.P->KeepsFirstTouch ? "" : ", plan " + Says.time(A.Plan)) +
         ", all in fast memory " + Says.time(A.AllFast) +
         (A.Limit ? ", proven limit without moving data " + Says.time(*A.Limit)
                  : "") +
         ".";
}

std::string AltTexts::amounts() const {
  std::string Out;
  for (const AmountPoint &X : D.Amounts)
    Out += (Out.empty() ? "With " : " With ") + Says.size(X.Bytes) +
           " of fast memory: first touch " + Says.time(X.FirstTouch) +
           ", plan " + Says.time(X.Plan) +
           (X.Limit ? ", proven limit " + Says.time(*X.Limit) : "") + ".";
  return Out;
}

std::string AltTexts::tasks() const {
  std::string Out = "First touch takes " + Says.time(D.FirstTouch.Makespan);
  if (!In.P->KeepsFirstTouch)
    Out += ", the plan " + Says.time(D.Plan.Makespan);
  Out += ".";
  for (size_t G = 0; G < D.Groups.size(); ++G) {
    const LaidOutPhase &Touch = D.FirstTouch.Groups[G];
    Out += " " + phase(G) + "first touch " + Says.time(Touch.Seconds);
    if (!In.P->KeepsFirstTouch)
      Out += ", plan " + Says.time(D.Plan.Groups[G].Seconds);
    if (!Touch.Explicit && D.LanesPerBand == 1)
      if (const std::vector<uint32_t> Slow = slowLanes(Touch); !Slow.empty())
        Out += ", slowest: " + Says.lanes(Touch, Slow);
    Out += ".";
  }
  return Out;
}

std::string AltTexts::occupancy() const {
  std::string Out = "Fast memory has " + Says.size(D.FastBytes) + ".";
  for (size_t G = 0; G < D.Occupancy.size(); ++G) {
    const OccupancyData &O = D.Occupancy[G];
    Out += " " + phase(G) + Says.size(O.Allocated) + " allocated, of these " +
           Says.size(O.FirstTouch) + " in fast memory under first touch";
    if (!In.P->KeepsFirstTouch)
      Out += ", " + Says.size(O.Plan) + " with the plan";
    Out += ".";
  }
  return Out;
}

std::string AltTexts::memory() const {
  std::string Out;
  for (const ObjectData &O : D.Objects) {
    double Most = 0;
    size_t In = 0;
    for (size_t G = 0; G < O.Heat.Cells.size(); ++G)
      if (O.Heat.Cells[G].Lines > Most) {
        Most = O.Heat.Cells[G].Lines;
        In = G;
      }
    Out += (Out.empty() ? "" : " ") + (O.Name.empty() ? O.At : O.Name) + ", " +
           Says.size(O.Bytes) + ", " + fixedDigits(100 * O.FastShare, 0) +
           "\u00a0% in fast memory: ";
    Out += Most > 0 ? "most traffic in phase " + std::to_string(In + 1) + ", " +
                          Says.size(Most * LineBytes) + " in one run of it."
                    : "no main-memory traffic.";
  }
  return Out;
}

std::string AltTexts::scatter() const {
  double Least = INFINITY, Most = 0;
  for (const TaskPoint &P : D.Belief.Points) {
    Least = std::min(Least, P.Replayed);
    Most = std::max(Most, P.Replayed);
  }
  return std::to_string(D.Belief.Inside) + " of " +
         std::to_string(D.Belief.Tasks) + " tasks, which take from " +
         Says.time(Least) + " to " + Says.time(Most) +
         " each, lie within 10\u00a0% of the diagonal; the mean error is " +
         percentDigits(D.Belief.Mean) + ".";
}

std::string AltTexts::errors() const {
  std::vector<std::optional<double>> Worst(D.Groups.size());
  for (const TaskPoint &P : D.Belief.Points) {
    const double Error = D.Replayed ? std::fabs(P.Predicted / P.Replayed - 1)
                                    : P.Bound / P.Predicted;
    Worst[P.Group] = std::max(Worst[P.Group].value_or(0), Error);
  }
  std::string Out;
  for (size_t G = 0; G < Worst.size(); ++G)
    if (Worst[G])
      Out += (Out.empty() ? "" : " ") + phase(G) +
             (D.Replayed ? "worst error " : "expected error up to ") +
             percentDigits(*Worst[G]) + ".";
  return Out;
}

} // namespace evenkeel::cli
