//===- Windows.cpp - small loops over neighbours --------------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// See the header.
//===----------------------------------------------------------------------===//
#include "access/walks/Windows.h"
#include "access/walks/AtCall.h"
#include "access/walks/EvenSteps.h"
#include "objects/Objects.h"
#include "llvm/Analysis/ConstantFolding.h"
#include "llvm/Analysis/LoopInfo.h"
#include "llvm/Analysis/ScalarEvolution.h"
#include "llvm/Analysis/ScalarEvolutionExpressions.h"
#include "llvm/IR/Instructions.h"
#include "llvm/IR/IntrinsicInst.h"
#include "llvm/IR/Module.h"

using namespace llvm;

namespace evenkeel {

namespace {

constexpr unsigned MostIterations = 32, MostPoints = 400;

/// Evaluates addresses in given iterations of some loops.
class AtIterations : public SCEVRewriteVisitor<AtIterations> {
  const DenseMap<const Loop *, unsigned> &Iterations;
  const Objects &Obj;
  ForeignValues &Foreign;

  bool isInside(const Instruction &I) const {
    return any_of(Iterations, [&](auto &R) { return R.first->contains(&I); });
  }
  const SCEV *fail(const SCEV *S) {
    Failed = true;
    return S;
  }

  /// The element at byte \p Offset of the table at \p Base; null: not known.
  const SCEV *element(Value *Base, const APInt &Offset, const LoadInst &L) {
    const LocationSet &Where = Obj.pointsTo(Base);
    if (Where.size() != 1 || !isExact(Where.begin()->second))
      return nullptr;
    Value *Table = Obj.objects()[Where.begin()->first].V;
    APInt At = Offset + Where.begin()->second;
    auto *G = dyn_cast_or_null<GlobalVariable>(Table);
    if (auto *A = dyn_cast_or_null<AllocaInst>(Table)) {
      // Filled once: copied from a constant, or element by element.
      SmallVector<Value *, 8> Work{A};
      StoreInst *Stored = nullptr;
      while (!Work.empty())
        for (User *U : Work.pop_back_val()->users()) {
          if (auto *P = dyn_cast<GetElementPtrInst>(U)) {
            Work.push_back(P);
          } else if (auto *S = dyn_cast<StoreInst>(U)) {
            APInt To(At.getBitWidth(), 0);
            const Value *Whose =
                S->getPointerOperand()->stripAndAccumulateConstantOffsets(
                    S->getDataLayout(), To, /*AllowNonInbounds=*/true);
            if (Whose != A || S->getValueOperand() == A)
              return nullptr;
            if (To != At)
              continue;
            if (Stored || S->getValueOperand()->getType() != L.getType())
              return nullptr;
            Stored = S;
          } else if (auto *Copy = dyn_cast<MemTransferInst>(U)) {
            auto *From = dyn_cast<GlobalVariable>(Copy->getSource());
            if (G || Copy->getDest() != A || !From)
              return nullptr;
            G = From;
          }
        }
      if (Stored && !G && Stored->getFunction() == L.getFunction())
        return SE.getSCEV(Stored->getValueOperand());
      if (auto *C = Stored && !G
                        ? dyn_cast<ConstantInt>(Stored->getValueOperand())
                        : nullptr)
        return SE.getConstant(C);
      if (Stored)
        return nullptr;
    }
    if (!G || !G->isConstant() || !G->hasDefinitiveInitializer())
      return nullptr;
    Constant *C = ConstantFoldLoadFromConst(G->getInitializer(), L.getType(),
                                            At, G->getDataLayout());
    auto *Number = dyn_cast_or_null<ConstantInt>(C);
    return Number ? SE.getConstant(Number) : nullptr;
  }

public:
  bool Failed = false;
  bool SawTable = false;

  AtIterations(ScalarEvolution &SE, const Objects &Obj, ForeignValues &Foreign,
               const DenseMap<const Loop *, unsigned> &Iterations)
      : SCEVRewriteVisitor(SE), Iterations(Iterations), Obj(Obj),
        Foreign(Foreign) {}

  const SCEV *visitAddRecExpr(const SCEVAddRecExpr *AR) {
    auto It = Iterations.find(AR->getLoop());
    if (It == Iterations.end())
      return SCEVRewriteVisitor<AtIterations>::visitAddRecExpr(AR);
    return visit(AR->evaluateAtIteration(
        SE.getConstant(SE.getEffectiveSCEVType(AR->getType()), It->second),
        SE));
  }
  const SCEV *visitUnknown(const SCEVUnknown *U) {
    auto *I = dyn_cast<Instruction>(U->getValue());
    if (!I || !isInside(*I))
      return U;
    auto *L = dyn_cast<LoadInst>(I);
    if (!L)
      return fail(U);
    const SCEV *P = visit(SE.getSCEV(L->getPointerOperand()));
    if (L->getType()->isPointerTy()) // to a row
      return SE.getUnknown(Foreign.of(*L, P));
    auto *Base = dyn_cast<SCEVUnknown>(SE.getPointerBase(P));
    auto *Offset =
        Base ? dyn_cast<SCEVConstant>(SE.getMinusSCEV(P, Base)) : nullptr;
    const SCEV *What =
        Offset ? element(Base->getValue(), Offset->getAPInt(), *L) : nullptr;
    SawTable = true;
    return What ? What : fail(U);
  }
};

/// The address of an access in each iteration of some loops, innermost first.
class WindowAddress {
  const SCEV *Address;
  ScalarEvolution &SE;
  const Objects &Obj;
  ForeignValues &Foreign;

public:
  SmallVector<std::pair<Loop *, unsigned>, 3> Inner; // with their trip counts
  bool Failed = false, SawTable = false;

  WindowAddress(const SCEV *Address, ScalarEvolution &SE, const Objects &Obj,
                ForeignValues &Foreign)
      : Address(Address), SE(SE), Obj(Obj), Foreign(Foreign) {}

  const SCEV *at(const DenseMap<const Loop *, unsigned> &Iterations) {
    AtIterations Here(SE, Obj, Foreign, Iterations);
    const SCEV *P = Here.visit(Address);
    Failed |= Here.Failed;
    SawTable |= Here.SawTable;
    return P;
  }
  /// The distance in bytes from the first iteration of \p X to its second, in
  /// the first iterations of all other loops.
  const SCEV *step(const Loop &X) {
    DenseMap<const Loop *, unsigned> Iterations;
    for (auto &[L, N] : Inner)
      Iterations[L] = 0;
    Iterations[&X] = 0;
    const SCEV *First = at(Iterations);
    Iterations[&X] = 1;
    return SE.getMinusSCEV(at(Iterations), First);
  }
};

/// Whether each loop visits elements that an outer loop visits, too, so that
/// its iterations see the same elements again.
bool overlaps(WindowAddress &R, ScalarEvolution &SE) {
  for (auto &[L, N] : R.Inner) {
    R.SawTable = false;
    const SCEV *By = R.step(*L);
    if (R.SawTable || By->isZero() || isa<SCEVCouldNotCompute>(By))
      continue; // by a table, not at all, from row to row
    bool Again = false;
    for (Loop *X = R.Inner.back().first->getParentLoop(); X && !Again;
         X = X->getParentLoop()) {
      const SCEV *Step = R.step(*X);
      for (unsigned Times = 1; Times < N && !Again; ++Times) {
        const SCEV *Far =
            SE.getMulExpr(SE.getConstant(By->getType(), Times), By);
        Again = Step == Far || Step == SE.getNegativeSCEV(Far);
      }
    }
    if (!Again)
      return false;
  }
  return true;
}

} // namespace

Window windowOf(const SCEV *Address, const BasicBlock &B, ScalarEvolution &SE,
                LoopInfo &LI, const Objects &Obj, ForeignValues &Foreign) {
  WindowAddress R(Address, SE, Obj, Foreign);
  unsigned All = 1;
  for (Loop *L = LI.getLoopFor(&B); L; L = L->getParentLoop()) {
    unsigned N = SE.getSmallConstantTripCount(L);
    if (N < 2 || N > MostIterations || All * N > MostPoints)
      break;
    All *= N;
    R.Inner.push_back({L, N});
  }
  for (; !R.Inner.empty(); R.Inner.pop_back()) {
    if (!R.Inner.back().first->getParentLoop())
      continue;
    R.Failed = false;
    if (!overlaps(R, SE) || R.Failed)
      continue;
    Window W;
    DenseMap<const Loop *, unsigned> Iterations;
    for (auto &[L, N] : R.Inner)
      Iterations[L] = 0;
    bool More = true;
    while (More && !R.Failed) {
      const SCEV *P = R.at(Iterations);
      Loop *X = R.Inner.back().first->getParentLoop();
      while (X && SE.isLoopInvariant(P, X))
        X = X->getParentLoop();
      auto *AR = dyn_cast<SCEVAddRecExpr>(P);
      if (X && (!AR || AR->getLoop() != X || !AR->isAffine()))
        AR = evenSteps(P, *X, SE);
      const SCEV *Step = X && AR ? AR->getStepRecurrence(SE) : nullptr;
      if (!Step || (W.Step && (W.Step != Step || W.Moving != X))) {
        R.Failed = true;
        break;
      }
      W.Step = Step;
      W.Moving = X;
      W.Points.push_back(P);
      More = false;
      for (auto &[L, N] : R.Inner) {
        if (++Iterations[L] < N) {
          More = true;
          break;
        }
        Iterations[L] = 0;
      }
    }
    if (!R.Failed)
      return W;
  }
  return Window();
}

} // namespace evenkeel
