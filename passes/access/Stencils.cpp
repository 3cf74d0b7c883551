//===- Stencils.cpp - reads of neighbours --------------------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Knows: reads of one object that move in step, a fixed distance apart.
// Makes: stencils of them, with points and dimensions.
//===----------------------------------------------------------------------===//
#include "access/Analyzer.h"
#include "access/Samples.h"
#include "llvm/Analysis/LoopInfo.h"
#include "llvm/Analysis/ScalarEvolutionExpressions.h"
#include "llvm/IR/Instructions.h"
#include <array>
#include <numeric>

using namespace llvm;

namespace evenkeel {

namespace {

constexpr unsigned Inputs = 3;

/// Distances in bytes, by input.
using Distances = std::array<int64_t, Inputs>;

/// Where reads go, relative to one of them, on a few inputs that are drawn by
/// chance: differences that are none in ScalarEvolution's form, which leaves
/// (i - 1) * m as it is, are simple there.
class Neighbours {
  static constexpr unsigned Rounds = 4;
  std::vector<Sample> Samples; // of one input after the other

public:
  Neighbours(ArrayRef<const SCEV *> All, const Loop &Moving,
             ScalarEvolution &SE);
  std::optional<Distances> between(const SCEV *From, const SCEV *To);
};

} // namespace

/// \p All: what is going to be compared. Loops around \p Moving are somewhere
/// else in each round, as is all that changes in them.
Neighbours::Neighbours(ArrayRef<const SCEV *> All, const Loop &Moving,
                       ScalarEvolution &SE) {
  for (unsigned Input = 0; Input < Inputs; ++Input)
    for (unsigned Round = 0; Round < Rounds; ++Round) {
      Sample Sizes(Input + 1), Places(Inputs + Input * Rounds + Round + 1);
      Sample &S = Samples.emplace_back(Input + 1);
      for (const SCEV *E : All)
        SCEVExprContains(E, [&](const SCEV *Part) {
          if (auto *AR = dyn_cast<SCEVAddRecExpr>(Part)) {
            if (!S.Rounds.count(AR->getLoop()))
              S.Rounds[AR->getLoop()] = Places.draw(0, 100000);
          } else if (auto *U = dyn_cast<SCEVUnknown>(Part)) {
            bool Fixed = true;
            for (const Loop *X = &Moving; X; X = X->getParentLoop())
              Fixed &= SE.isLoopInvariant(U, X);
            // Sizes are far more than a few elements.
            if (!S.Values.count(U->getValue()))
              S.Values[U->getValue()] =
                  (Fixed ? Sizes : Places).draw(500, 5000);
          }
          return false;
        });
    }
}

/// None: they do not move in step, or it is not known.
std::optional<Distances> Neighbours::between(const SCEV *From, const SCEV *To) {
  Distances Out{};
  for (unsigned K = 0; K < Samples.size(); ++K) {
    Sample &S = Samples[K];
    auto A = S.of(From), B = S.of(To);
    if (!A || !B || S.Undefined)
      return std::nullopt;
    int64_t &D = Out[K / Rounds];
    if (K % Rounds && D != *B - *A)
      return std::nullopt;
    D = *B - *A;
  }
  return Out;
}

/// In how many dimensions points lie: rows are what it takes to get from any to
/// any in few steps each; what is more than a few times as far as all that is
/// nearer is another row.
static unsigned dimensionsOf(ArrayRef<int64_t> Points) {
  constexpr int64_t Farther = 4;
  std::set<int64_t> Distances;
  for (int64_t A : Points)
    for (int64_t B : Points)
      if (A < B)
        Distances.insert(B - A);
  struct Row {
    int64_t Bytes, Reach; // of one step; most steps so far
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
      if (Parts > 2 * Farther) { // all so far were in other rows
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

/// For how many rounds the loop keeps what \p A has read.
static unsigned carriedFor(const Access &A) {
  constexpr unsigned Most = 16;
  const Value *Carried = A.I;
  for (unsigned Rounds = 0; Rounds < Most; ++Rounds) {
    const PHINode *Next = nullptr;
    for (PHINode &P : A.W.Moving->getHeader()->phis())
      for (unsigned K = 0; K < P.getNumIncomingValues(); ++K)
        if (P.getIncomingValue(K) == Carried &&
            A.W.Moving->contains(P.getIncomingBlock(K)))
          Next = &P;
    if (!Next)
      return Rounds;
    Carried = Next;
  }
  return Most;
}

/// How many loops move \p Address; 0: some may be one loop, which divides.
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

/// Whether addresses lie in one object. Apart from a base that only a function
/// around the call of this one knows, they are mere numbers.
static bool sameBase(const SCEV *A, const SCEV *B, ScalarEvolution &SE) {
  if (!A->getType()->isPointerTy() || !B->getType()->isPointerTy())
    return A->getType() == B->getType();
  return SE.getPointerBase(A) == SE.getPointerBase(B);
}

/// Several reads of one object that move in step, a whole number of steps (or
/// rows) apart. A value that loop-carried reuse keeps in a PHI is a point too.
void Analyzer::findStencils(FunctionInfo &FI) {
  for (Access &First : FI.Accesses) {
    if (!First.W.Step || !First.Reads || First.Writes || First.Sites.empty() ||
        First.W.Class == AccessClass::Stencil)
      continue;
    SmallVector<Access *, 8> Group;
    SmallVector<const SCEV *, 8> All{First.W.Step};
    for (Access &A : FI.Accesses) {
      if (A.W.Moving != First.W.Moving || A.W.Step != First.W.Step ||
          !A.Reads || A.Writes || A.Bytes != First.Bytes ||
          A.Sites != First.Sites || A.Contexts != First.Contexts ||
          !sameBase(A.W.Address, First.W.Address, *FI.SE))
        continue;
      Group.push_back(&A);
      All.push_back(A.W.Address);
    }
    Neighbours Around(All, *First.W.Moving, *FI.SE);
    auto Step =
        Around.between(FI.SE->getZero(First.W.Step->getType()), First.W.Step);
    std::set<Distances> Points;
    erase_if(Group, [&](const Access *A) {
      auto D = Around.between(First.W.Address, A->W.Address);
      if (!D)
        return true;
      // Another field of what it goes through.
      if (First.W.Stride && all_equal(*D) && D->front() % *First.W.Stride)
        return true;
      Points.insert(*D);
      for (unsigned K = 0; Step && K < carriedFor(*A); ++K) {
        for (unsigned Input = 0; Input < D->size(); ++Input)
          (*D)[Input] -= (*Step)[Input];
        Points.insert(*D);
      }
      return false;
    });
    if (Points.size() < 3)
      continue;
    SmallVector<int64_t, 8> Offsets;
    for (const Distances &D : Points)
      Offsets.push_back(D.front());
    unsigned Dimensions = dimensionsOf(Offsets);
    // No more than loops move it, where they are not flattened.
    if (unsigned Loops = loopsOf(First.W.Address, *First.W.Moving, *FI.SE);
        Loops > 1)
      Dimensions = std::min(Dimensions, Loops);
    for (Access *A : Group) {
      A->W.Class = AccessClass::Stencil;
      A->W.Points = Points.size();
      A->W.Dimensions = Dimensions;
    }
  }
}

} // namespace evenkeel
