//===- MakeData.cpp - the figures that a report shows ---------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// See MakeData.h. Times (TimeTable.h) and objects (ObjectTable.h) have files of
// their own.
//===----------------------------------------------------------------------===//
#include "MakeData.h"
#include "ObjectTable.h"
#include "Occupancy.h"
#include "TimeTable.h"
#include "cli/replay/FastCurve.h"
#include "cli/tables/PlanTables.h"
#include <algorithm>
#include <cmath>

namespace evenkeel::cli {

static Answer answerOf(const ReportInput &In) {
  Answer A;
  A.AllSlow = In.Ahead.AllSlow;
  A.FirstTouch = In.Ahead.FirstTouch;
  A.Plan = In.P->PredictedMakespan;
  A.Moving = In.P->MovingMakespan;
  A.AllFast = In.Ahead.AllFast;
  A.Within = boundOfMakespan(*In.P);
  if (!In.Replayed)
    return A;
  auto Take = [&](const std::string &Policy, double &Out) {
    if (const PolicyResult *R = replayOf(In, Policy))
      Out = R->MakespanSeconds;
  };
  A.Predicted = A.Plan;
  Take("slow-only", A.AllSlow);
  Take("first-touch", A.FirstTouch);
  Take("fast-only", A.AllFast);
  Take(policyOfPlan(In.P->Planner), A.Plan);
  if (const PolicyResult *R = replayOf(In, "oracle"); R && R->Oracle) {
    A.Limit = R->Oracle->StaticLowerBound;
    A.BestFound = R->MakespanSeconds;
  }
  if (const PolicyResult *R = replayOf(In, OwnPlanner)) {
    A.AtHooks = R->MakespanSeconds;
    A.MovedAtHooks = double(R->MigratedBytes);
  }
  return A;
}

static void addAmounts(const ReportInput &In, ReportData &D) {
  D.Amounts = In.Amounts;
  std::vector<CurvePoint> Plan, Touch;
  for (const AmountPoint &X : D.Amounts) {
    Plan.push_back({X.Bytes, X.Plan});
    Touch.push_back({X.Bytes, X.FirstTouch});
  }
  D.Knee = kneeOf(Plan);
  if (D.Times.Plan < D.Times.FirstTouch * 0.999)
    D.FirstTouchNeeds = bytesFor(Touch, D.Times.Plan);
}

static void addMoves(const ReportInput &In, ReportData &D) {
  for (const PlanChange &C : In.P->Changes) {
    MoveData M;
    M.Phase = C.Phase;
    for (const PlanObject &O : C.Objects) {
      ++M.Objects;
      const PlanObject *Before = nullptr;
      InstanceName Name{O.Site, O.Context.value_or(0), O.Creator.value_or(0),
                        O.OfSite ? *O.OfSite : O.Ordinal.value_or(0),
                        O.Ordinal.value_or(0)};
      Before = In.P->find(Name);
      for (const PredictedInstance &I : In.Pr->Instances)
        if (O.covers(nameOf(I)))
          M.Bytes +=
              I.Bytes * std::fabs(O.Share - (Before ? Before->Share : 0));
    }
    D.Moves.push_back(M);
  }
}

ReportData reportData(const ReportInput &In) {
  ReportData D;
  D.Replayed = In.Replayed.has_value();
  D.Times = answerOf(In);
  D.FastBytes =
      double(In.Replayed ? In.Replayed->Run->FastBytes : In.P->FastBytes);
  D.PeakBytes = In.Replayed
                    ? double(recordedPeakBytes(In.Replayed->Run->Record))
                    : In.Pr->PeakBytes;
  D.PlacedAtOnce = double(In.P->ReservedBytes);
  addAmounts(In, D);
  addTimes(In, D);
  addOccupancy(In, D);
  addObjects(In, D);
  addMoves(In, D);
  return D;
}

} // namespace evenkeel::cli
