//===- Parts.cpp - a thread's address range in an object ------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Knows: accesses that hit in the caches on the base input are in no miss
// record, but may miss on a larger input. If a region's loops are distributed
// in order (OpenMP's plain static schedule: count expressions contain `share`)
// and the team walks through an object once, thread k's address range follows
// those of the threads before it, and each range is as long as its thread's
// count.
// Makes: these ranges, as shares of the object. Not here: chunks distributed
// round robin or on demand, objects that each thread walks through completely,
// gathers.
//===----------------------------------------------------------------------===//
#include "Demands.h"
#include "tuning/Tuning.h"
#include <algorithm>
#include <cmath>
#include <numeric>

using namespace evenkeel;
using namespace evenkeel::prediction;

/// How the iterations behind a count are distributed.
namespace {
struct Dealing {
  bool InOrder = false, Otherwise = false;

  void look(const Expr &E) {
    if (E.K != Expr::Op)
      return;
    const size_t Args = E.Args.size();
    InOrder |= (E.Code == Expr::Share && Args == 1) ||
               (E.Code == Expr::ShareSum && Args == 2);
    Otherwise |= (E.Code == Expr::Share && Args > 1) ||
                 (E.Code == Expr::ShareSum && Args > 2) ||
                 E.Code == Expr::Evenly;
    for (const ExprRef &A : E.Args)
      look(*A);
  }
};
} // namespace

/// The borders between the address ranges of \p Team, tasks of one region in
/// index order, in an instance, as shares of it; empty: not known.
static std::vector<double> bordersOf(const BaseTables &Base,
                                     const BaseCounts &Counts,
                                     const std::vector<uint32_t> &Team,
                                     uint32_t Inst) {
  const std::vector<const AccessFact *> *Its = Base.accesses(Team[0], Inst);
  if (!Its)
    return {};
  const auto Bytes = double(Base.B.Instances[Inst].bytes);
  for (const AccessFact *A : *Its) {
    const double Width =
        double(A->Stride ? std::abs(*A->Stride) : int64_t(A->ElementBytes));
    if (A->Class == AccessFact::Invariant || Width <= 0)
      continue;
    std::vector<double> Ends = {0};
    bool Known = true;
    for (uint32_t T : Team) {
      const std::optional<double> R = Counts.at(Base, *A, CountOf::Reads, T).V,
                                  W = Counts.at(Base, *A, CountOf::Writes, T).V;
      Known &= R && W;
      Ends.push_back(Ends.back() +
                     std::max(0.0, R.value_or(0) + W.value_or(0)));
    }
    // Each element may be accessed at each of these places.
    const double Most = Ends.back() * Width,
                 Least = Most / double(std::max<uint64_t>(1, A->Places));
    if (!Known || Most <= 0 || Most < figures().PartLeastCovered * Bytes ||
        Least > figures().PartMostCovered * Bytes)
      continue;
    for (double &X : Ends)
      X /= Ends.back();
    return Ends;
  }
  return {};
}

/// Regions whose loops are all distributed in order.
static std::set<uint64_t> dealtInOrder(const AccessTable &Accesses) {
  std::set<uint64_t> Out;
  for (const auto &[Region, All] : Accesses.In) {
    Dealing D;
    for (const AccessFact *A : All)
      for (const ExprRef &E : {A->Reads, A->Writes})
        if (E)
          D.look(*E);
    if (D.InOrder && !D.Otherwise)
      Out.insert(Region);
  }
  return Out;
}

namespace {
/// A team's demands of one object.
struct Walk {
  std::vector<uint32_t> Team;
  std::vector<BaseDemand *> Its;
};
using WalksOfPhases = std::map<std::pair<uint32_t, uint32_t>, Walk>; // and inst
} // namespace

/// Walks in which each task may have its own address range.
static WalksOfPhases sharedWalks(const BaseTables &Base, DemandsOfTasks &Of) {
  const Profile &B = Base.B;
  const std::set<uint64_t> InOrder = dealtInOrder(Base.Accesses);
  WalksOfPhases Walks;
  std::set<std::pair<uint32_t, uint32_t>> Others;
  std::vector<uint32_t> ByIndex(B.Tasks.size());
  std::iota(ByIndex.begin(), ByIndex.end(), 0u);
  std::sort(ByIndex.begin(), ByIndex.end(), [&](uint32_t X, uint32_t Y) {
    return std::pair(B.Tasks[X].index, X) < std::pair(B.Tasks[Y].index, Y);
  });
  for (uint32_t T : ByIndex)
    for (BaseDemand &Q : Of[T]) {
      const std::pair<uint32_t, uint32_t> At{B.Tasks[T].phase, Q.Inst};
      if (Q.Accesses <= 0)
        continue;
      Walk &W = Walks[At];
      if (!Q.Walked || B.Tasks[T].flags & 1 ||
          !InOrder.count(B.Tasks[T].region) ||
          (!W.Team.empty() && B.Tasks[W.Team[0]].region != B.Tasks[T].region))
        Others.insert(At);
      W.Team.push_back(T);
      W.Its.push_back(&Q);
    }
  for (const auto &At : Others)
    Walks.erase(At);
  return Walks;
}

void evenkeel::prediction::addParts(const BaseTables &Base,
                                    const BaseCounts &Counts,
                                    DemandsOfTasks &Of) {
  for (auto &[At, W] : sharedWalks(Base, Of)) {
    if (W.Team.size() < 2)
      continue;
    const std::vector<double> Ends = bordersOf(Base, Counts, W.Team, At.second);
    for (size_t K = 0; K + 1 < Ends.size(); ++K)
      if (Ends[K] < Ends[K + 1]) { // otherwise it accesses the object
                                   // differently
        W.Its[K]->From = Ends[K];
        W.Its[K]->To = Ends[K + 1];
      }
  }
}
