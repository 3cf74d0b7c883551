//===- Irregular.cpp - accesses without an even step ---------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Knows: addresses that hang on data: loaded from the element before (chase),
// computed of other arrays' elements (gather), of numbers that jump, of
// conditions.
//===----------------------------------------------------------------------===//
#include "access/loops/Samples.h"
#include "access/walks/EvenSteps.h"
#include "access/walks/Walks.h"
#include "unit/Allocations.h"
#include "unit/Calls.h"
#include "llvm/Analysis/LoopInfo.h"
#include "llvm/Analysis/ScalarEvolutionExpressions.h"
#include "llvm/IR/Instructions.h"
#include "llvm/IR/IntrinsicInst.h"
#include "llvm/IR/Operator.h"

using namespace llvm;

namespace evenkeel {

/// Whether \p From is computed from \p To within \p X.
bool Walks::reaches(const Value *From, const PHINode *To, const Loop *X,
                    bool ThroughLoads, bool &SawLoad,
                    SmallPtrSetImpl<const Value *> &Seen) {
  if (From == To)
    return true;
  auto *I = dyn_cast<Instruction>(From);
  if (!I || !X->contains(I) || !Seen.insert(I).second)
    return false;
  auto *Call = dyn_cast<CallBase>(I);
  if (isa<LoadInst>(I) || (Call && followsNodes(*Call))) {
    if (!ThroughLoads)
      return false;
    SawLoad = true;
  } else if (isa<CallBase>(I) && !isa<IntrinsicInst>(I)) {
    return false;
  }
  for (const Use &U : I->operands())
    if (reaches(U, To, X, ThroughLoads, SawLoad, Seen))
      return true;
  return false;
}

/// Whether \p V is a block that \p X has asked for, or lies in one: what grows
/// by realloc, or by copying into a larger block, goes on there.
static bool isInNewBlock(const Value *V, const Loop *X) {
  SmallVector<const Value *, 8> Work{V};
  SmallPtrSet<const Value *, 16> Seen;
  bool Asks = false;
  while (!Work.empty()) {
    const Value *W = Work.pop_back_val()->stripInBoundsOffsets();
    while (auto *G = dyn_cast<GEPOperator>(W))
      W = G->getPointerOperand()->stripInBoundsOffsets();
    if (!Seen.insert(W).second || isa<ConstantPointerNull>(W))
      continue;
    auto *I = dyn_cast<Instruction>(W);
    if (!I || !X->contains(I))
      return false;
    if (auto *P = dyn_cast<PHINode>(I)) {
      if (P->getParent() == X->getHeader())
        return false; // of the rounds before
      Work.append(P->op_begin(), P->op_end());
    } else if (auto *CB = dyn_cast<CallBase>(I); CB && allocationOf(*CB)) {
      Asks = true;
    } else {
      return false;
    }
  }
  return Asks;
}

/// A factor of more bits mixes those of a number (Knuth 1969, linear
/// congruences) rather than make it larger.
constexpr unsigned MostBits = 12;

/// The header PHI that \p V follows from by constants alone; else null. Sets
/// \p Scales where it is multiplied or divided on the way.
static const PHINode *ofCounter(const Value *V, const Loop *X, bool &Scales) {
  for (unsigned Step = 0; Step < 8; ++Step) {
    if (auto *P = dyn_cast<PHINode>(V))
      return P->getParent() == X->getHeader() ? P : nullptr;
    auto *I = dyn_cast<Instruction>(V);
    if (!I || !X->contains(I))
      return nullptr;
    auto *B = dyn_cast<BinaryOperator>(I);
    if (B && X->isLoopInvariant(B->getOperand(1))) {
      auto *By = dyn_cast<ConstantInt>(B->getOperand(1));
      if (By && By->getValue().getSignificantBits() > MostBits)
        return nullptr;
      switch (B->getOpcode()) {
      case Instruction::Mul:
      case Instruction::Shl:
      case Instruction::UDiv:
      case Instruction::SDiv:
      case Instruction::LShr:
      case Instruction::AShr:
        Scales = true;
        break;
      case Instruction::Add:
      case Instruction::Sub:
      case Instruction::Or:
        break;
      default:
        return nullptr;
      }
    } else if (!isa<CastInst>(I)) {
      return nullptr;
    }
    V = I->getOperand(0);
  }
  return nullptr;
}

/// Whether \p V follows from a number that doubles, halves or the like from
/// round to round.
static bool isGeometric(const Value *V, const Loop *X) {
  bool Scales = false;
  const PHINode *P = ofCounter(V, X, Scales);
  const BasicBlock *Latch = X->getLoopLatch();
  Scales = false;
  return P && Latch &&
         ofCounter(P->getIncomingValueForBlock(Latch), X, Scales) == P &&
         Scales;
}

/// Whether \p L only runs where \p P, one step on, has come to the end of a
/// block: what it brings is where the next one begins.
static bool isBehindEndOf(const LoadInst &L, const PHINode &P) {
  const BasicBlock *B = L.getParent(), *Above = B->getSinglePredecessor();
  auto *Br = Above ? dyn_cast<BranchInst>(Above->getTerminator()) : nullptr;
  auto *Cmp = Br && Br->isConditional() ? dyn_cast<ICmpInst>(Br->getCondition())
                                        : nullptr;
  if (!Cmp || !Cmp->isEquality() ||
      Br->getSuccessor(Cmp->getPredicate() == CmpInst::ICMP_EQ ? 0 : 1) != B)
    return false;
  return any_of(Cmp->operands(), [&](const Value *V) {
    auto *G = dyn_cast<GetElementPtrInst>(V);
    return G && G->hasAllConstantIndices() && G->getPointerOperand() == &P;
  });
}

/// The constant a header PHI grows by in each iteration in which it changes,
/// but for \p Moves to new blocks; nullopt when anything else happens to it.
static std::optional<int64_t> conditionalStep(const PHINode *P, const Loop *X,
                                              bool *Moves = nullptr) {
  std::optional<int64_t> Step;
  SmallVector<const Value *, 8> Work;
  SmallPtrSet<const Value *, 16> Seen;
  for (unsigned K = 0; K < P->getNumIncomingValues(); ++K)
    if (X->contains(P->getIncomingBlock(K)))
      Work.push_back(P->getIncomingValue(K));
  while (!Work.empty()) {
    const Value *V = Work.pop_back_val();
    if (V == P || !Seen.insert(V).second)
      continue;
    auto *I = dyn_cast<Instruction>(V);
    if (!I || !X->contains(I))
      return std::nullopt;
    auto *L = dyn_cast<LoadInst>(I);
    if (Moves && I->getType()->isPointerTy() &&
        (isInNewBlock(I, X) || (L && isBehindEndOf(*L, *P)))) {
      *Moves = true;
      continue;
    }
    if (isa<PHINode, SelectInst>(I)) {
      for (const Use &U : I->operands())
        if (!(isa<SelectInst>(I) && U.getOperandNo() == 0))
          Work.push_back(U);
      continue;
    }
    std::optional<int64_t> By;
    if (I->getOpcode() == Instruction::Add)
      if (auto *C = dyn_cast<ConstantInt>(I->getOperand(1)))
        By = C->getSExtValue();
    if (auto *G = dyn_cast<GetElementPtrInst>(I)) {
      APInt O(64, 0);
      if (G->accumulateConstantOffset(I->getModule()->getDataLayout(), O))
        By = O.getSExtValue();
    }
    if (!By || (Step && *Step != *By))
      return std::nullopt;
    Step = By;
    Work.push_back(I->getOperand(0));
  }
  return Step;
}

/// The same for a pointer that the loop keeps in memory (a vector's end).
static std::optional<int64_t> stepInMemory(const LoadInst &L, const Loop *X,
                                           bool &Moves) {
  std::optional<int64_t> Step;
  const Value *Slot = L.getPointerOperand();
  if (!L.getType()->isPointerTy() || !X->isLoopInvariant(Slot))
    return std::nullopt;
  for (const BasicBlock *B : X->blocks())
    for (const Instruction &I : *B) {
      auto *S = dyn_cast<StoreInst>(&I);
      if (!S || S->getPointerOperand() != Slot)
        continue;
      const Value *V = S->getValueOperand();
      APInt By(64, 0);
      auto *From = dyn_cast<LoadInst>(
          V->stripAndAccumulateConstantOffsets(L.getDataLayout(), By, true));
      if (From && From->getPointerOperand() == Slot &&
          (!Step || *Step == By.getSExtValue()))
        Step = By.getSExtValue();
      else if (X->contains(S) && isInNewBlock(V, X))
        Moves = true;
      else
        return std::nullopt;
    }
  return Step;
}

/// Whether \p P's next value, the \p K-th, waits for a load at an address that
/// \p P is part of (a binary search without branches), and does more than take
/// a step or not.
bool Walks::isBehindOwnLoad(const PHINode &P, unsigned K, const Loop *X) {
  if (conditionalStep(&P, X))
    return false;
  SmallPtrSet<const Value *, 32> Slice;
  SmallVector<const Value *, 16> Work{P.getIncomingValue(K)};
  while (!Work.empty()) {
    auto *I = dyn_cast<Instruction>(Work.pop_back_val());
    if (!I || I == &P || !X->contains(I) || !Slice.insert(I).second ||
        (isa<CallBase>(I) && !isa<IntrinsicInst>(I)))
      continue;
    if (auto *L = dyn_cast<LoadInst>(I)) {
      SmallPtrSet<const Value *, 32> Seen;
      bool Load = false;
      if (reaches(L->getPointerOperand(), &P, X, true, Load, Seen))
        return true;
    }
    for (const Value *Op : I->operands())
      Work.push_back(Op);
  }
  return false;
}

/// The objects whose elements \p From are computed of within \p X.
void Walks::noteIndex(Walk &W, ArrayRef<const Instruction *> From, Loop *X) {
  SmallVector<const Value *, 8> Work(From.begin(), From.end());
  SmallPtrSet<const Value *, 32> Seen;
  std::set<uint64_t> Ids;
  while (!Work.empty() && Seen.size() < 64) {
    auto *I = dyn_cast<Instruction>(Work.pop_back_val());
    if (!I || !X->contains(I) || !Seen.insert(I).second)
      continue;
    auto *L = dyn_cast<LoadInst>(I);
    if (!L) {
      Work.append(I->op_begin(), I->op_end());
      continue;
    }
    Access A;
    A.Where = Obj.pointsTo(L->getPointerOperand());
    Owners.resolve(A);
    Ids.insert(A.Sites.begin(), A.Sites.end());
  }
  W.IndexSites.assign(Ids.begin(), Ids.end());
}

/// Whether the steps of \p S, which only counts rounds, grow by the same each
/// time.
static bool growsEvenly(const SCEV *S, const Loop &X) {
  constexpr int64_t Rounds = 64;
  Sample Input(1);
  SmallVector<int64_t, Rounds> Where;
  for (int64_t K = 0; K < Rounds; ++K) {
    Input.Rounds[&X] = K;
    auto At = Input.of(S);
    if (!At)
      return false;
    Where.push_back(*At);
  }
  auto Growth = [&](unsigned K) {
    return Where[K] - 2 * Where[K - 1] + Where[K - 2];
  };
  for (unsigned K = 3; K < Where.size(); ++K)
    if (Growth(K) != Growth(2))
      return false;
  return Growth(2) != 0;
}

/// Whether \p X stores to where \p L reads.
static bool isStoredTo(const LoadInst &L, const Loop &X) {
  return any_of(X.blocks(), [&](const BasicBlock *B) {
    return any_of(*B, [&](const Instruction &I) {
      auto *S = dyn_cast<StoreInst>(&I);
      return S && S->getPointerOperand() == L.getPointerOperand();
    });
  });
}

/// The constant by which \p S moves whichever address \p Base takes in a round
/// of \p X: each that it chooses from moves like that.
static std::optional<int64_t> stepOfChosen(const SCEV *S,
                                           const SCEVUnknown &Base,
                                           const Loop &X,
                                           const FunctionInfo &FI) {
  ScalarEvolution &SE = *FI.SE;
  const SCEV *Rest = SE.getMinusSCEV(S, &Base);
  SmallVector<Value *, 8> Work{Base.getValue()};
  SmallPtrSet<const Value *, 16> Seen;
  std::optional<int64_t> Step;
  bool Reads = false;
  if (isa<SCEVCouldNotCompute>(Rest))
    return std::nullopt;
  while (!Work.empty()) {
    Value *V = Work.pop_back_val();
    if (!Seen.insert(V).second)
      continue;
    auto *I = dyn_cast<Instruction>(V);
    if (I && isa<PHINode, SelectInst>(I) && X.contains(I)) {
      if (I->getParent() == X.getHeader() && isa<PHINode>(I))
        return std::nullopt; // of the rounds before
      if (FI.LI->getLoopFor(I->getParent()) != &X)
        return std::nullopt;
      Work.append(I->op_begin() + (isa<SelectInst>(I) ? 1 : 0), I->op_end());
      continue;
    }
    // Read again in each round, in case a store has changed it; none of those
    // that are seen does.
    const SCEV *At = SE.getSCEV(V);
    if (auto *L = dyn_cast<LoadInst>(V); L && X.contains(L)) {
      if (!X.isLoopInvariant(L->getPointerOperand()) || isStoredTo(*L, X))
        return std::nullopt;
      At = SE.getZero(Rest->getType());
      Reads = true;
    }
    auto *AR = dyn_cast<SCEVAddRecExpr>(SE.getAddExpr(At, Rest));
    auto *By = AR && AR->getLoop() == &X && AR->isAffine()
                   ? dyn_cast<SCEVConstant>(AR->getStepRecurrence(SE))
                   : nullptr;
    if (!By || (Step && *Step != By->getAPInt().getSExtValue()))
      return std::nullopt;
    Step = By->getAPInt().getSExtValue();
  }
  return Reads || Seen.size() > 1 ? Step : std::nullopt;
}

/// Whether \p U is one of a few addresses that \p X takes in turn: buffers that
/// change places from round to round.
static bool isTakenInTurn(const SCEVUnknown &U, const Loop &X) {
  constexpr size_t Most = 32;
  SmallVector<const Value *, 8> Work{U.getValue()};
  SmallPtrSet<const Value *, 16> Seen;
  bool Turns = false;
  while (!Work.empty() && Seen.size() < Most) {
    const Value *V = Work.pop_back_val();
    if (!Seen.insert(V).second || X.isLoopInvariant(V))
      continue;
    if (!isa<PHINode, SelectInst>(V))
      return false;
    auto *I = cast<Instruction>(V);
    Turns |= I->getParent() == X.getHeader() && isa<PHINode>(I);
    Work.append(I->op_begin() + (isa<SelectInst>(I) ? 1 : 0), I->op_end());
  }
  return Turns && Work.empty();
}

/// Whether the number that \p Call returns is made of what memory holds, or of
/// chance: no order in either.
static bool returnsData(const CallBase &Call) {
  const Function *F = calleeOf(Call);
  if (!F)
    return false;
  if (F->isDeclaration())
    return is_contained({"rand", "rand_r", "random", "lrand48", "nrand48",
                         "mrand48", "jrand48", "arc4random"},
                        F->getName());
  SmallVector<const Value *, 8> Work;
  SmallPtrSet<const Value *, 32> Seen;
  for (const BasicBlock &B : *F)
    if (auto *R = dyn_cast<ReturnInst>(B.getTerminator());
        R && R->getReturnValue())
      Work.push_back(R->getReturnValue());
  while (!Work.empty()) {
    auto *I = dyn_cast<Instruction>(Work.pop_back_val());
    if (!I || !Seen.insert(I).second)
      continue;
    auto *L = dyn_cast<LoadInst>(I);
    if (L && !isa<AllocaInst>(L->getPointerOperand()->stripInBoundsOffsets()))
      return true;
    Work.append(I->op_begin(), I->op_end());
  }
  return false;
}

/// Whether all that \p F returns are blocks that it, or a function that it
/// calls, has just allocated; or null.
static bool makesBlocks(const Function &F, unsigned Depth = 0) {
  if (F.isDeclaration() || Depth > 4)
    return false;
  SmallVector<const Value *, 8> Work;
  SmallPtrSet<const Value *, 8> Seen;
  for (const BasicBlock &B : F)
    if (auto *R = dyn_cast<ReturnInst>(B.getTerminator());
        R && R->getReturnValue())
      Work.push_back(R->getReturnValue());
  bool Makes = false;
  while (!Work.empty()) {
    const Value *V = Work.pop_back_val()->stripPointerCasts();
    if (!Seen.insert(V).second || isa<ConstantPointerNull>(V))
      continue;
    if (isa<PHINode, SelectInst>(V)) {
      Work.append(cast<User>(V)->op_begin() + isa<SelectInst>(V),
                  cast<User>(V)->op_end());
      continue;
    }
    auto *CB = dyn_cast<CallBase>(V);
    const Function *Callee = CB ? calleeOf(*CB) : nullptr;
    if (!CB || !(allocationOf(*CB) ||
                 (Callee && Callee != &F && makesBlocks(*Callee, Depth + 1))))
      return false;
    Makes = true;
  }
  return Makes;
}

void Walks::irregular(Walk &W, const SCEV *S, Loop *X, uint64_t Bytes,
                      FunctionInfo &FI) {
  SmallPtrSet<const Value *, 8> Set;
  leavesOf(S, Set);
  SmallVector<const Instruction *, 8> Moving;
  for (const Value *V : Set)
    if (auto *I = dyn_cast<Instruction>(V); I && X->contains(I))
      Moving.push_back(I);
  W.Class = AccessClass::Unknown;
  W.Why = "non-affine";
  if (Moving
          .empty()) { // counted rounds alone: packed triangles, hashed numbers
    bool Grows = growsEvenly(S, *X);
    W.Class = Grows ? AccessClass::Strided : AccessClass::Random;
    W.Why = Grows ? "growing-step" : "computed-index";
    return;
  }
  auto *U = dyn_cast<SCEVUnknown>(FI.SE->getPointerBase(S));
  if (auto *L = U ? dyn_cast<LoadInst>(U->getValue()) : nullptr;
      L && isa<SCEVConstant>(FI.SE->getMinusSCEV(S, U))) {
    bool Moves = false;
    if (auto Step = stepInMemory(*L, X, Moves)) {
      W.Stride = *Step;
      W.Class = static_cast<uint64_t>(std::abs(*Step)) == Bytes
                    ? AccessClass::Stream
                    : AccessClass::Strided;
      W.Why = Moves ? "new-blocks" : "conditional-step";
      return;
    }
  }
  // An index that the loop counts on in memory.
  if (Moving.size() == 1)
    if (auto Step = stepOfStored(S, *Moving.front(), X, *FI.SE)) {
      W.Stride = *Step;
      W.Class = uint64_t(std::abs(*Step)) == Bytes ? AccessClass::Stream
                                                   : AccessClass::Strided;
      W.Why = "conditional-step";
      return;
    }
  // A counter's element of a block that is replaced by larger ones.
  if (U && isa<PHINode>(U->getValue())) {
    auto *AR = dyn_cast<SCEVAddRecExpr>(FI.SE->getMinusSCEV(S, U));
    auto *By = AR && AR->getLoop() == X && AR->isAffine()
                   ? dyn_cast<SCEVConstant>(AR->getStepRecurrence(*FI.SE))
                   : nullptr;
    SmallVector<const Value *, 8> Blocks{U->getValue()};
    SmallPtrSet<const Value *, 16> Seen;
    bool Moves = By != nullptr;
    while (Moves && !Blocks.empty()) {
      const Value *V = Blocks.pop_back_val();
      auto *I = dyn_cast<Instruction>(V);
      if (!Seen.insert(V).second || !I || !X->contains(I))
        continue;
      if (auto *P = dyn_cast<PHINode>(I))
        Blocks.append(P->op_begin(), P->op_end());
      else
        Moves = isInNewBlock(I, X);
    }
    if (Moves) {
      W.Stride = By->getAPInt().getSExtValue();
      W.Class = static_cast<uint64_t>(std::abs(*W.Stride)) == Bytes
                    ? AccessClass::Stream
                    : AccessClass::Strided;
      W.Why = "new-blocks";
      return;
    }
  }
  // One element of buffers that change places.
  if (U && isTakenInTurn(*U, *X) &&
      FI.SE->isLoopInvariant(FI.SE->getMinusSCEV(S, U), X)) {
    W.Class = AccessClass::Invariant;
    W.Why = "chosen-object";
    return;
  }
  // The same element of one of several arrays.
  if (auto By = U ? stepOfChosen(S, *U, *X, FI) : std::nullopt) {
    W.Stride = *By;
    W.Class = static_cast<uint64_t>(std::abs(*W.Stride)) == Bytes
                  ? AccessClass::Stream
                  : AccessClass::Strided;
    W.Why = "chosen-object";
    return;
  }
  bool Gather = false;
  for (const Instruction *I : Moving) {
    // Chase: the leaf is, or is loaded through, a header PHI whose next value
    // is loaded through the PHI itself.
    for (PHINode &P : X->getHeader()->phis()) {
      SmallPtrSet<const Value *, 32> Seen;
      bool Load = false;
      if (!reaches(I, &P, X, true, Load, Seen))
        continue;
      for (unsigned K = 0; K < P.getNumIncomingValues(); ++K) {
        if (!X->contains(P.getIncomingBlock(K)))
          continue;
        Seen.clear();
        Load = false;
        SmallPtrSet<const Value *, 32> Direct;
        bool None = false;
        // Through itself, too: a search that goes on from where it is.
        if (reaches(P.getIncomingValue(K), &P, X, true, Load, Seen) && Load &&
            (!reaches(P.getIncomingValue(K), &P, X, false, None, Direct) ||
             isBehindOwnLoad(P, K, X))) {
          W.Class = AccessClass::Chase;
          W.Dependent = true;
          W.Why.clear();
          return;
        }
      }
    }
    auto *Call = dyn_cast<CallBase>(I);
    if (isa<LoadInst>(I) || (Call && followsNodes(*Call))) {
      Gather = true;
      continue;
    }
    if (auto *P = dyn_cast<PHINode>(I);
        P && P->getParent() == X->getHeader() && Moving.size() == 1) {
      bool Moves = false;
      auto Step = conditionalStep(P, X, &Moves);
      // Scale from index to bytes: the PHI's factor in S.
      int64_t Scale = P->getType()->isPointerTy() ? 1 : 0;
      if (!Scale) {
        struct Finder {
          const Value *V;
          int64_t &Scale;
          bool follow(const SCEV *S) {
            if (auto *Mul = dyn_cast<SCEVMulExpr>(S);
                Mul && Mul->getNumOperands() == 2) {
              const SCEV *B = Mul->getOperand(1);
              while (auto *C = dyn_cast<SCEVCastExpr>(B))
                B = C->getOperand();
              auto *C = dyn_cast<SCEVConstant>(Mul->getOperand(0));
              auto *U = dyn_cast<SCEVUnknown>(B);
              if (C && U && U->getValue() == V)
                Scale = C->getAPInt().getSExtValue();
            }
            return true;
          }
          bool isDone() const { return Scale != 0; }
        } Find{P, Scale};
        visitAll(S, Find);
        if (!Scale)
          Scale = 1; // byte arrays
      }
      if (Step) {
        W.Stride = *Step * Scale;
        W.Class = static_cast<uint64_t>(std::abs(*W.Stride)) == Bytes
                      ? AccessClass::Stream
                      : AccessClass::Strided;
        W.Why = Moves ? "new-blocks" : "conditional-step";
        return;
      }
      W.Class = AccessClass::Random;
      W.Why = isGeometric(P, X) ? "geometric-step" : "computed-index";
      continue;
    }
    if (!isa<CallBase>(I) || isa<IntrinsicInst>(I)) {
      // Selected, masked, hashed: no order that a prefetcher could follow.
      SmallPtrSet<const Value *, 32> Seen;
      SmallVector<const Value *, 8> Work{I};
      while (!Work.empty() && Seen.size() < 64) {
        auto *V = dyn_cast<Instruction>(Work.pop_back_val());
        if (!V || !X->contains(V) || !Seen.insert(V).second)
          continue;
        if (isa<LoadInst>(V))
          Gather = true;
        else
          Work.append(V->op_begin(), V->op_end());
      }
      W.Class = AccessClass::Random;
      W.Why = isGeometric(I, X) ? "geometric-step" : "computed-index";
      continue;
    }
    if (returnsData(*cast<CallBase>(I))) {
      W.Class = AccessClass::Random;
      W.Why = "computed-index";
      continue;
    }
    if (W.Class == AccessClass::Unknown && isa<CallBase>(I))
      W.Why = "opaque-index";
    // A new object in each round; allocators mostly go on behind the last.
    const Function *Maker = calleeOf(*Call);
    if (Moving.size() == 1 &&
        (allocationOf(*Call) || (Maker && makesBlocks(*Maker)))) {
      W.Class = AccessClass::Strided;
      W.Why = "fresh-object";
      return;
    }
  }
  if (Gather) {
    W.Class = AccessClass::Random;
    W.Why.clear();
    noteIndex(W, Moving, X);
    W.Stride = Indices.gatherStep(S, X, FI);
  }
}

} // namespace evenkeel
