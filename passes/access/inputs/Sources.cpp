//===- Sources.cpp - where a value is taken from --------------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Knows: the ways of an unchanged value: casts, phis, arguments, results of
// calls, and what is stored where it is loaded.
// Makes: its sources, one step back. A source of a phi or a store has a trail
// of its own, which says where control was.
//===----------------------------------------------------------------------===//
#include "access/inputs/Conversions.h"
#include "access/inputs/InputFinder.h"
#include "unit/Calls.h"
#include "llvm/Analysis/ConstantFolding.h"
#include "llvm/IR/Constants.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/IntrinsicInst.h"

using namespace llvm;

namespace evenkeel {

/// Code called from more places rarely gets the same value from all of them.
static constexpr unsigned MostCallers = 16;
/// A place with more stores is no setting.
static constexpr unsigned MostStores = 64;

const InputFinder::Frame *
InputFinder::frame(const CallBase &CB, const Function &F, const Frame *Up) {
  Frames.push_back({&CB, &F, Up});
  return &Frames.back();
}

void InputFinder::addArguments(Argument &A, const Frame *In, Sources &Out) {
  auto Add = [&](const CallBase &CB, const Frame *Up) {
    Source S;
    S.V = const_cast<Value *>(handedOver(CB, A));
    S.In = Up;
    S.At.push_back({CB.getParent()});
    Out.All.push_back(S);
  };
  Out.Moved = true;
  Out.Agree = true;
  if (In && In->Callee == A.getParent())
    return Add(*In->Call, In->Up);
  auto Calls = Graph.CallSites.find(A.getParent());
  if (Calls == Graph.CallSites.end() || Calls->second.size() > MostCallers) {
    Out.All.emplace_back();
    return;
  }
  for (const CallBase *CB : Calls->second)
    Add(*CB, nullptr);
}

void InputFinder::addReturns(CallBase &CB, const Frame *In, Sources &Out) {
  Function *F = calleeOf(CB);
  if (!F || F->isDeclaration())
    return;
  Out.Moved = true;
  const Frame *Inside = frame(CB, *F, In);
  for (BasicBlock &B : *F)
    if (auto *R = dyn_cast<ReturnInst>(B.getTerminator()))
      if (R->getReturnValue())
        Out.All.push_back({R->getReturnValue(), Inside, {{&B}}});
}

/// What a global variable holds at \p At when the program starts.
void InputFinder::addInitial(Location At, Type *Ty, Sources &Out) {
  const MemoryObject &O = Obj.objects()[At.first];
  auto *G =
      O.Kind == MemoryObject::Global ? dyn_cast<GlobalVariable>(O.V) : nullptr;
  if (!G || !G->hasInitializer())
    return;
  Constant *C = ConstantFoldLoadFromConst(
      G->getInitializer(), Ty, APInt(64, At.second), M.getDataLayout());
  // The language sets variables without an initialiser to zero.
  if (C && !C->isNullValue())
    Out.All.push_back({C, nullptr, {}});
}

/// The offset of \p P from argument \p A of its function; nullopt: another
/// pointer.
static std::optional<int64_t> offsetFromArgument(Value *P, Argument *&A,
                                                 const DataLayout &DL) {
  APInt By(DL.getIndexTypeSizeInBits(P->getType()), 0);
  A = dyn_cast<Argument>(P->stripAndAccumulateConstantOffsets(DL, By, true));
  return A ? std::optional(By.getSExtValue()) : std::nullopt;
}

/// Adds what \p S stores; if it stores through a pointer that callers pass,
/// what it stores for each call.
void InputFinder::addStore(StoreInst &S, Location At, Type *Ty, Sources &Out) {
  const LocationSet &Where = Obj.pointsTo(S.getPointerOperand());
  const DataLayout &DL = M.getDataLayout();
  const Location Own = At;
  const bool Exact = Where.count(Own) && S.getValueOperand()->getType() == Ty;
  if (Exact && Where.size() == 1) {
    Out.All.push_back({S.getValueOperand(), nullptr, {{S.getParent()}}});
    return;
  }
  Argument *A = nullptr;
  std::optional<int64_t> By = offsetFromArgument(S.getPointerOperand(), A, DL);
  auto Calls =
      By ? Graph.CallSites.find(A->getParent()) : Graph.CallSites.end();
  if (!Exact || Calls == Graph.CallSites.end()) {
    Out.All.emplace_back();
    return;
  }
  for (const CallBase *CB : Calls->second) {
    const Value *Passed = handedOver(*CB, *A);
    const LocationSet &To = Obj.pointsTo(Passed);
    if (!To.count({At.first, At.second - *By}))
      continue;
    Source From{S.getValueOperand(),
                frame(*CB, *A->getParent(), nullptr),
                {{S.getParent()}, {CB->getParent()}}};
    if (To.size() != 1)
      From.V = nullptr;
    Out.All.push_back(From);
  }
}

/// Whether \p I only zeroes the location before the real value is known.
static bool zeroes(const MemSetInst &I) {
  auto *C = dyn_cast<Constant>(I.getValue());
  return C && C->isNullValue();
}

void InputFinder::addStored(Location At, Type *Ty, Sources &Out,
                            unsigned Depth) {
  const int64_t Bytes = bytesOf(Ty);
  const MemoryObject::KindType Kind = Obj.objects()[At.first].Kind;
  if (!isExact(At.second) || Kind == MemoryObject::External ||
      Kind == MemoryObject::Anything || Depth > 4) {
    Out.All.emplace_back();
    return;
  }
  addInitial(At, Ty, Out);
  ArrayRef<Instruction *> Writers = From.writersOf(At.first);
  for (Instruction *I : Writers) {
    if (Out.All.size() > MostStores)
      return;
    if (auto *S = dyn_cast<StoreInst>(I)) {
      const int64_t Width = bytesOf(S->getValueOperand()->getType());
      const LocationSet &Where = Obj.pointsTo(S->getPointerOperand());
      // Single characters of a string in the same record are somewhere in it.
      if (any_of(Where, [&](const Location &L) {
            return L.first == At.first &&
                   (isExact(L.second) ? L.second < At.second + Bytes &&
                                            At.second < L.second + Width
                                      : Width == Bytes);
          }))
        addStore(*S, At, Ty, Out);
    } else if (auto *Set = dyn_cast<MemSetInst>(I)) {
      if (!zeroes(*Set))
        Out.All.emplace_back();
    } else if (auto *Copy = dyn_cast<MemTransferInst>(I)) {
      for (const Location &To : Obj.pointsTo(Copy->getDest()))
        for (const Location &Of : Obj.pointsTo(Copy->getSource()))
          if (To.first == At.first && isExact(To.second) &&
              isExact(Of.second) && At.second >= To.second) {
            auto *Length = dyn_cast<ConstantInt>(Copy->getLength());
            const int64_t By = At.second - To.second;
            if (Length && By + Bytes <= Length->getSExtValue())
              addStored({Of.first, Of.second + By}, Ty, Out, Depth + 1);
          }
    } else if (auto *CB = dyn_cast<CallBase>(I);
               CB && conversionOf(*CB) && conversionOf(*CB)->Into) {
      Source S{CB, nullptr, {{CB->getParent()}}};
      S.Into = true;
      S.Where = At;
      Out.All.push_back(S);
    }
  }
}

void InputFinder::addLoaded(LoadInst &L, Sources &Out) {
  constexpr size_t MostPlaces = 8;
  const LocationSet &Where = Obj.pointsTo(L.getPointerOperand());
  if (L.isVolatile() || Where.empty() || Where.size() > MostPlaces)
    return;
  Out.Moved = Out.Anew = true;
  Out.Agree = Where.size() > 1;
  for (const Location &At : Where)
    addStored(At, L.getType(), Out);
}

InputFinder::Sources InputFinder::sourcesOf(Value *V, const Frame *In) {
  Sources Out;
  auto Through = [&](Value *Of) {
    Out.Moved = true;
    Out.All.push_back({Of, In, {}});
  };
  if (auto *A = dyn_cast<Argument>(V)) {
    if (A->getParent()->getName() != "main")
      addArguments(*A, In, Out);
  } else if (auto *P = dyn_cast<PHINode>(V)) {
    for (unsigned K = 0; K < P->getNumIncomingValues(); ++K)
      Out.All.push_back({P->getIncomingValue(K),
                         In,
                         {{P->getIncomingBlock(K), P->getParent()}}});
    Out.Moved = true;
  } else if (auto *S = dyn_cast<SelectInst>(V)) {
    Through(S->getTrueValue());
    Through(S->getFalseValue());
  } else if (auto *L = dyn_cast<LoadInst>(V)) {
    addLoaded(*L, Out);
  } else if (auto *CB = dyn_cast<CallBase>(V)) {
    addReturns(*CB, In, Out);
  } else if (isa<FreezeInst, SExtInst, ZExtInst, TruncInst, FPExtInst,
                 FPTruncInst, SIToFPInst, UIToFPInst, BitCastInst>(V)) {
    Through(cast<Instruction>(V)->getOperand(0));
  }
  return Out;
}

} // namespace evenkeel
