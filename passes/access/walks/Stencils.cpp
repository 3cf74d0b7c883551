//===- Stencils.cpp - reads of neighbours --------------------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Knows: reads of one object that move in step, a fixed distance apart.
// Makes: stencils from them, with points and dimensions.
//===----------------------------------------------------------------------===//
#include "access/walks/Neighbours.h"
#include "access/walks/Reads.h"
#include "access/walks/Walks.h"
#include "access/walks/Windows.h"
#include "llvm/Analysis/LoopInfo.h"
#include "llvm/Analysis/ScalarEvolutionExpressions.h"
#include "llvm/IR/Instructions.h"
#include "llvm/IR/IntrinsicInst.h"
#include <numeric>

using namespace llvm;

namespace evenkeel {

using Distances = Neighbours::Distances;

/// The number of dimensions in which the points lie: within a row, any point
/// can be reached from any other in a few steps; a point more than a few times
/// as far away as all nearer ones is in another row.
static unsigned dimensionsOf(ArrayRef<int64_t> Points) {
  constexpr int64_t Farther = 4;
  std::set<int64_t> Distances;
  for (int64_t A : Points)
    for (int64_t B : Points)
      if (A < B)
        Distances.insert(B - A);
  struct Row {
    int64_t Bytes, Reach; // of one step; the most steps so far
  };
  SmallVector<Row, 4> Rows;
  for (int64_t D : Distances) {
    SmallVector<int64_t, 4> Steps(Rows.size());
    int64_t Rest = D;
    for (unsigned K = Rows.size(); K-- > 0;) {
      int64_t Half = Rows[K].Bytes / 2;
      Steps[K] = (Rest + (Rest < 0 ? -Half : Half)) / Rows[K].Bytes;
      Rest -= Steps[K] * Rows[K].Bytes;
    }
    bool Near = !Rows.empty();
    for (unsigned K = 0; K < Rows.size(); ++K)
      Near &= std::abs(Steps[K]) <= Farther * Rows[K].Reach;
    if (!Near) {
      Rows.push_back({D, 1});
      continue;
    }
    if (Rest) {
      int64_t Step = std::gcd(Rows[0].Bytes, Rest),
              Parts = Rows[0].Bytes / Step;
      if (Parts > 2 * Farther) { // all points so far were in other rows
        Rows.insert(Rows.begin(), {std::abs(Rest), 1});
        continue;
      }
      Rows[0] = {Step, Rows[0].Reach * Parts}; // two and three steps
    }
    for (unsigned K = 0; K < Rows.size(); ++K)
      Rows[K].Reach = std::max(Rows[K].Reach, std::abs(Steps[K]));
  }
  return std::max<unsigned>(Rows.size(), 1);
}

/// The number of iterations for which the loop keeps a value that \p A has
/// read.
static unsigned carriedFor(const Access &A, const Loop &Moving) {
  constexpr unsigned Most = 16;
  const Value *Carried = A.I;
  for (unsigned Iterations = 0; Iterations < Most; ++Iterations) {
    const PHINode *Next = nullptr;
    for (PHINode &P : Moving.getHeader()->phis())
      for (unsigned K = 0; K < P.getNumIncomingValues(); ++K)
        if (P.getIncomingValue(K) == Carried &&
            Moving.contains(P.getIncomingBlock(K)))
          Next = &P;
    if (!Next)
      return Iterations;
    Carried = Next;
  }
  return Most;
}

/// The number of loops that move \p Address; 0: unknown, because a collapsed
/// loop divides its iteration number.
static unsigned loopsOf(const SCEV *Address, const Loop &Moving,
                        ScalarEvolution &SE) {
  SmallPtrSet<const Loop *, 4> Loops;
  const Loop *Outermost = Moving.getOutermostLoop();
  bool Flattened = SCEVExprContains(Address, [&](const SCEV *S) {
    if (auto *AR = dyn_cast<SCEVAddRecExpr>(S))
      Loops.insert(AR->getLoop());
    return isa<SCEVUDivExpr>(S) ||
           (isa<SCEVUnknown>(S) && !S->getType()->isPointerTy() &&
            !SE.isLoopInvariant(S, Outermost));
  });
  return Flattened ? 0 : Loops.size();
}

namespace {

struct Shape {
  unsigned Points, Dimensions;
};

} // namespace

/// The stencil that \p First forms with members of \p Group: reads that move in
/// step with it, in the same object or in rows of the same array of pointers,
/// at distances of a whole number of steps (or rows). These reads are removed
/// from the group. A value that loop-carried reuse keeps in a PHI is a point,
/// too.
template <typename ReadT>
static std::optional<Shape> stencilOf(const ReadT &First,
                                      std::vector<ReadT *> &Group,
                                      const ForeignValues &Foreign) {
  ScalarEvolution &SE = *First.FI->SE;
  SmallVector<const SCEV *, 16> All{First.Step};
  for (const ReadT *R : Group)
    All.append(R->Points.begin(), R->Points.end());
  Neighbours Around(All, *First.Moving, SE, Foreign);
  auto Step = Around.between(SE.getZero(First.Step->getType()), First.Step);
  auto *Stride = dyn_cast<SCEVConstant>(First.Step);
  const SCEV *Here = First.Points.front();
  std::set<Distances> Points;
  erase_if(Group, [&](const ReadT *R) {
    SmallVector<Distances, 16> Own;
    for (const SCEV *P : R->Points) {
      auto D =
          Around.sameBase(Here, P) ? Around.between(Here, P) : std::nullopt;
      // Another field of the same record.
      if (!D || (Stride && all_equal(*D) &&
                 D->front() % Stride->getAPInt().getSExtValue()))
        return true;
      Own.push_back(*D);
      for (unsigned K = 0; Step && R->A && K < carriedFor(*R->A, *R->Moving);
           ++K) {
        for (unsigned Input = 0; Input < D->size(); ++Input)
          (*D)[Input] -= (*Step)[Input];
        Own.push_back(*D);
      }
    }
    Points.insert(Own.begin(), Own.end());
    return false;
  });
  if (Points.size() < 3)
    return std::nullopt;
  SmallVector<int64_t, 8> Offsets;
  for (const Distances &D : Points)
    Offsets.push_back(D.front());
  unsigned Dimensions = dimensionsOf(Offsets);
  // No more loops move it, unless loops are collapsed.
  if (unsigned Loops = loopsOf(Here, *First.Moving, SE); Loops > 1)
    Dimensions = std::min(Dimensions, Loops);
  return Shape{unsigned(Points.size()), Dimensions};
}

/// Finds several reads of one object that move in step, or one read that inner
/// loops move around the current element.
void Walks::findStencils(FunctionInfo &FI, std::vector<Access> &Accesses) {
  std::vector<Read> Reads;
  for (Access &A : Accesses) {
    if (!A.Reads || A.Writes || A.Sites.empty() || !A.W.Address ||
        isa<MemIntrinsic>(A.I))
      continue;
    const BasicBlock *B = Loads.home(*A.I);
    if (Window W = windowOf(A.W.Address, *B, *FI.SE, *FI.LI, Obj, Foreign);
        !W.Points.empty())
      Reads.push_back({&A, &FI, B, W.Moving, W.Step, W.Points});
    else if (A.W.Step)
      Reads.push_back({&A, &FI, B, A.W.Moving, A.W.Step, {A.W.Address}});
  }
  for (const Read &First : Reads) {
    const Access &One = *First.A;
    if (One.W.Class == AccessClass::Stencil)
      continue;
    std::vector<Read *> Group;
    for (Read &R : Reads)
      if (R.Moving == First.Moving && R.Step == First.Step &&
          R.A->Bytes == One.Bytes && R.A->Sites == One.Sites &&
          R.A->Contexts == One.Contexts)
        Group.push_back(&R);
    std::optional<Shape> Found = stencilOf(First, Group, Foreign);
    if (!Found)
      continue;
    for (Read *R : Group) {
      Walk &W = R->A->W;
      if (W.Class == AccessClass::Random || W.Class == AccessClass::Unknown) {
        // A table of distances was used; it moves with the loop around it.
        auto *By = dyn_cast<SCEVConstant>(R->Step);
        W.Stride =
            By ? std::optional(By->getAPInt().getSExtValue()) : std::nullopt;
        W.Why.clear();
      }
      W.Class = AccessClass::Stencil;
      W.Points = Found->Points;
      W.Dimensions = Found->Dimensions;
    }
  }
}

/// The same for an access with a fixed address in its function, which \p Calls
/// move.
void Walks::stencilOfCalls(Access &A, ArrayRef<Read> Calls) {
  if (!A.Reads || A.Writes ||
      (A.W.Class != AccessClass::Stream && A.W.Class != AccessClass::Strided))
    return;
  std::vector<Read> Reads(Calls.begin(), Calls.end());
  for (Read &R : Reads)
    if (Window W = windowOf(R.Points.front(), *R.Block, *R.FI->SE, *R.FI->LI,
                            Obj, Foreign);
        !W.Points.empty()) {
      R.Moving = W.Moving;
      R.Step = W.Step;
      R.Points = W.Points;
    }
  for (const Read &First : Reads) {
    std::vector<Read *> Group;
    for (Read &R : Reads)
      if (R.Moving == First.Moving && R.Step == First.Step)
        Group.push_back(&R);
    std::optional<Shape> Found = stencilOf(First, Group, Foreign);
    if (!Found ||
        (A.W.Class == AccessClass::Stencil && Found->Points <= A.W.Points))
      continue;
    A.W.Class = AccessClass::Stencil;
    A.W.Points = Found->Points;
    A.W.Dimensions = Found->Dimensions;
  }
}

} // namespace evenkeel
