//===- Continuations.cpp - leave recorded code inside a function ----------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// See Continuations.h. The function's frame stays while the rest of it runs, so
// variables keep their addresses; the function returns the result of the rest.
//===----------------------------------------------------------------------===//
#include "record/bodies/Continuations.h"
#include "record/Runtime.h"
#include "unit/Allocations.h"
#include "unit/Calls.h"
#include "llvm/Analysis/CFG.h"
#include "llvm/Analysis/LoopInfo.h"
#include "llvm/Analysis/TargetLibraryInfo.h"
#include "llvm/IR/Dominators.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/IntrinsicInst.h"
#include "llvm/IR/MDBuilder.h"
#include "llvm/TargetParser/Triple.h"
#include "llvm/Transforms/Utils/BasicBlockUtils.h"
#include "llvm/Transforms/Utils/Cloning.h"
#include "llvm/Transforms/Utils/Local.h"
#include "llvm/Transforms/Utils/SSAUpdater.h"

using namespace llvm;

namespace evenkeel {

//===----------------------------------------------------------------------===//
// Where the choice may change
//===----------------------------------------------------------------------===//

namespace {
/// Finds calls in which the first thread may end a phase; in a team's body,
/// calls in which the whole team may meet at a barrier.
class ChangingCalls {
  TargetLibraryInfoImpl Known;
  const bool InTeam;
  DenseSet<const Function *> Changing; // defined here

  bool changesOutside(const Function &F) const {
    const StringRef N = F.getName();
    if (N == "__kmpc_barrier")
      return true;
    if (InTeam)
      return false;
    if (N.starts_with("__kmpc_"))
      return N == "__kmpc_end_serialized_parallel";
    if (N.starts_with("__ek_rec_"))
      return N == "__ek_rec_stop";
    LibFunc Any;
    return !Known.getLibFunc(F, Any) && !N.starts_with("omp_") &&
           !N.starts_with("__cxa_") && !N.starts_with("_ZNS") &&
           !N.starts_with("_ZNKS") && !N.starts_with("_ZSt");
  }

public:
  ChangingCalls(const Module &M, bool InTeam)
      : Known(Triple(M.getTargetTriple())), InTeam(InTeam) {
    bool Grown = true;
    while (std::exchange(Grown, false))
      for (const Function &F : M)
        if (!Changing.count(&F) && any_of(instructions(F), [&](const auto &I) {
              return mayChange(I);
            }))
          Grown |= Changing.insert(&F).second;
  }
  bool mayChange(const Instruction &I) const {
    auto *CB = dyn_cast<CallBase>(&I);
    if (!CB || !leavesCode(I) || allocationOf(*CB))
      return false;
    const Function *F = calleeOf(*CB);
    if (!F || isForkCall(*CB))
      return !InTeam;
    return F->isDeclaration() ? changesOutside(*F) : Changing.count(F);
  }
};
} // namespace

/// The blocks that can run after \p From.
static SmallPtrSet<const BasicBlock *, 32>
blocksAfter(ArrayRef<const BasicBlock *> From) {
  SmallPtrSet<const BasicBlock *, 32> Seen;
  SmallVector<const BasicBlock *, 32> Work(From);
  while (!Work.empty())
    for (const BasicBlock *Next : successors(Work.pop_back_val()))
      if (Seen.insert(Next).second)
        Work.push_back(Next);
  return Seen;
}

/// Whether the rest of \p F can be a separate function. Not if it would
/// deallocate memory in \p F's frame, or access \p F's variable arguments or
/// return address.
static bool canContinue(const Function &F) {
  for (const Instruction &I : instructions(F)) {
    auto *CB = dyn_cast<CallBase>(&I);
    if (!CB)
      continue;
    if (CB->hasFnAttr(Attribute::ReturnsTwice) || CB->isMustTailCall() ||
        CB->getType()->isTokenTy())
      return false;
    const Intrinsic::ID Id = CB->getIntrinsicID();
    if (Id == Intrinsic::stackrestore || Id == Intrinsic::vastart ||
        Id == Intrinsic::localescape)
      return false;
  }
  return true;
}

/// Whether \p F distributes work among a team's threads in another way than
/// plain code does. Then all threads must switch to plain code at the same
/// place.
static bool sharesWork(const Function &F) {
  return any_of(instructions(F), [](const Instruction &I) {
    auto *CB = dyn_cast<CallBase>(&I);
    const Function *Callee = CB ? calleeOf(*CB) : nullptr;
    return Callee && (Callee->getName() == "__kmpc_single" ||
                      Callee->getName().starts_with("__kmpc_dispatch_init_"));
  });
}

/// Whether every iteration of \p L passes a barrier, so that no thread of a
/// team is an iteration ahead of another.
static bool isInStep(const Loop &L, const DominatorTree &DT) {
  const BasicBlock *Latch = L.getLoopLatch();
  return Latch && any_of(L.blocks(), [&](const BasicBlock *BB) {
           return DT.dominates(BB, Latch) &&
                  any_of(*BB, [](const Instruction &I) {
                    auto *CB = dyn_cast<CallBase>(&I);
                    const Function *Callee = CB ? calleeOf(*CB) : nullptr;
                    return Callee && Callee->getName() == "__kmpc_barrier";
                  });
         });
}

Continuations::Continuations(Module &M, const BodyKind &Kind,
                             ArrayRef<Function *> Serial,
                             ArrayRef<Function *> Teams)
    : M(M), Kind(Kind) {
  find(Serial, /*InTeam=*/false);
  find(Teams, /*InTeam=*/true);
}

void Continuations::find(ArrayRef<Function *> Functions, bool InTeam) {
  const ChangingCalls Calls(M, InTeam);
  for (Function *F : Functions) {
    SmallVector<const BasicBlock *, 16> With;
    for (const BasicBlock &BB : *F)
      if (any_of(BB, [&](const auto &I) { return Calls.mayChange(I); }))
        With.push_back(&BB);
    if (With.empty())
      continue;
    DominatorTree DT(*F);
    LoopInfo LI(DT);
    SmallPtrSet<const BasicBlock *, 32> After = blocksAfter(With);
    After.insert(With.begin(), With.end());
    const bool CanContinue = canContinue(*F), Together = sharesWork(*F);
    std::vector<Place> Places;
    bool Lost = false;
    for (Loop *L : LI.getLoopsInPreorder()) {
      BasicBlock *Header = L->getHeader(), *Before = L->getLoopPreheader();
      const bool Wanted =
          any_of(With, [&](const BasicBlock *BB) { return L->contains(BB); });
      const bool Can = CanContinue && (!Together || isInStep(*L, DT));
      Lost |= Wanted && !Can;
      if (Wanted && Can)
        Places.push_back({Header, nullptr});
      else if (Can && L->isOutermost() && Before && After.count(Before))
        Places.push_back({nullptr, Before->getTerminator()});
    }
    Refused += Lost;
    if (!Places.empty())
      add(*F, std::move(Places));
  }
}

//===----------------------------------------------------------------------===//
// The rest of a function
//===----------------------------------------------------------------------===//

/// Finds the values of \p F that are live at one of \p Places; \p Live maps
/// places to them.
static void findLive(Function &F, ArrayRef<const Instruction *> Places,
                     MapVector<Value *, SmallVector<bool, 8>> &Live) {
  const DominatorTree DT(F);
  SmallVector<SmallPtrSet<const BasicBlock *, 32>, 8> After;
  for (const Instruction *At : Places) {
    After.push_back(blocksAfter({At->getParent()}));
    After.back().insert(At->getParent());
  }
  auto Look = [&](Value &V) {
    SmallVector<bool, 8> Where(Places.size());
    for (size_t N = 0; N < Places.size(); ++N) {
      auto *I = dyn_cast<Instruction>(&V);
      if (I && !DT.dominates(I, Places[N]))
        continue;
      Where[N] = any_of(V.users(), [&](const User *U) {
        auto *UI = dyn_cast<Instruction>(U);
        return UI && After[N].count(UI->getParent());
      });
    }
    if (is_contained(Where, true))
      Live[&V] = Where;
  };
  for (Argument &A : F.args())
    Look(A);
  for (Instruction &I : instructions(F))
    Look(I);
}

/// If the function begins at a place after \p Copy, uses of \p Copy refer to
/// \p Given.
static void joinValues(Instruction &Copy, Value &Given, BasicBlock &Entry) {
  SSAUpdater Updater;
  Updater.Initialize(Copy.getType(), Copy.getName());
  Updater.AddAvailableValue(&Entry, &Given);
  Updater.AddAvailableValue(Copy.getParent(), &Copy);
  SmallVector<Use *, 16> Uses;
  for (Use &U : Copy.uses()) {
    auto *User = cast<Instruction>(U.getUser());
    if (isa<PHINode>(User) || User->getParent() != Copy.getParent())
      Uses.push_back(&U);
  }
  for (Use *U : Uses)
    Updater.RewriteUse(*U);
}

void Continuations::add(Function &F, std::vector<Place> Places) {
  SmallVector<const Instruction *, 8> At;
  for (const Place &P : Places)
    At.push_back(P.Header ? &*P.Header->getFirstInsertionPt() : P.Before);
  MapVector<Value *, SmallVector<bool, 8>> Live;
  findLive(F, At, Live);
  LLVMContext &C = M.getContext();
  SmallVector<Type *, 16> Types = {Type::getInt32Ty(C)};
  for (auto &[V, Where] : Live)
    Types.push_back(V->getType());
  Function *Code = Function::Create(
      FunctionType::get(F.getReturnType(), Types, /*isVarArg=*/false),
      GlobalValue::InternalLinkage, F.getAddressSpace(),
      F.getName() + Kind.Suffix + ".rest", &M);

  ValueToValueMapTy Copies;
  for (Argument &A : F.args())
    Copies[&A] = PoisonValue::get(A.getType());
  unsigned N = 1;
  for (auto &[V, Where] : Live) {
    if (isa<Argument>(V))
      Copies[V] = Code->getArg(N);
    ++N;
  }
  SmallVector<ReturnInst *, 8> Returns;
  CloneFunctionInto(Code, &F, Copies, CloneFunctionChangeType::LocalChangesOnly,
                    Returns);
  Code->setComdat(F.getComdat()); // it has no other callers
  Code->setVisibility(GlobalValue::DefaultVisibility);
  Code->setDLLStorageClass(GlobalValue::DefaultStorageClass);
  Code->setDSOLocal(true);
  // For a pointer, values computed from it are passed, too.
  const AttributeList Had = Code->getAttributes();
  Code->setAttributes(
      AttributeList::get(C, Had.getFnAttrs(), Had.getRetAttrs(), {}));
  Code->removeFnAttr(Attribute::Memory); // which passes variables of F, too
  Code->removeFnAttr(Attribute::AlwaysInline);
  Code->addFnAttr(Attribute::NoInline);

  SmallVector<BasicBlock *, 8> Begins;
  for (size_t I = 0; I < At.size(); ++I) {
    auto *Copy = cast<Instruction>(Copies[At[I]]);
    Begins.push_back(SplitBlock(Copy->getParent(), Copy));
  }
  BasicBlock *Entry =
      BasicBlock::Create(C, "ek.entry", Code, &Code->getEntryBlock());
  auto *Choice =
      SwitchInst::Create(Code->getArg(0), Begins[0], Begins.size(), Entry);
  for (size_t I = 1; I < Begins.size(); ++I)
    Choice->addCase(cast<ConstantInt>(ConstantInt::get(Types[0], I)),
                    Begins[I]);
  N = 1;
  Rest R{&F, Code, std::move(Places), {}};
  for (auto &[V, Where] : Live) {
    if (isa<Instruction>(V))
      joinValues(*cast<Instruction>(Copies[V]), *Code->getArg(N), *Entry);
    R.Values.push_back(V);
    ++N;
  }
  removeUnreachableBlocks(*Code);
  All.push_back(std::move(R));
}

std::vector<Function *> Continuations::code() const {
  std::vector<Function *> Out;
  for (const Rest &R : All)
    Out.push_back(R.Code);
  return Out;
}

void Continuations::connect() {
  MDNode *Rarely = MDBuilder(M.getContext()).createBranchWeights(1, 1000);
  for (Rest &R : All) {
    SmallVector<Instruction *, 8> At;
    for (const Place &P : R.Places)
      At.push_back(P.Header ? &*P.Header->getFirstInsertionPt() : P.Before);
    for (Instruction *&I : At) {
      IRBuilder<> B(I);
      Value *Changed = B.CreateICmpEQ(loadBody(B), B.getInt32(Kind.Number));
      I = SplitBlockAndInsertIfThen(Changed, I, /*Unreachable=*/true, Rarely);
    }
    const DominatorTree DT(*R.F);
    for (auto [Number, End] : enumerate(At)) {
      IRBuilder<> B(End);
      SmallVector<Value *, 16> Arguments = {B.getInt32(Number)};
      for (Value *V : R.Values) {
        auto *I = dyn_cast<Instruction>(V);
        Arguments.push_back(
            I && !DT.dominates(I, End) ? PoisonValue::get(V->getType()) : V);
      }
      CallInst *Call = B.CreateCall(R.Code, Arguments);
      Call->setCallingConv(R.Code->getCallingConv());
      if (DISubprogram *SP = R.F->getSubprogram())
        Call->setDebugLoc(
            DILocation::get(M.getContext(), SP->getScopeLine(), 0, SP));
      R.F->getReturnType()->isVoidTy() ? B.CreateRetVoid() : B.CreateRet(Call);
      End->eraseFromParent();
    }
  }
}

} // namespace evenkeel
