//===- Between.cpp - writes between two reads -----------------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Knows: the code that may run between two places, or two calls, of a function.
// Makes: whether a variable in memory may have another value at the second.
// Not here: writes before the first call of a function; calls of a function
// from several functions, between which any code may run; these are assumed to
// see the same value.
//===----------------------------------------------------------------------===//
#include "access/values/Sameness.h"
#include "unit/Calls.h"
#include "llvm/Analysis/LoopInfo.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/Instructions.h"

using namespace llvm;

namespace evenkeel {

/// The functions that may write to \p Where, directly or through calls.
const Sameness::FunctionSet &
Sameness::changersOf(const LocationSet &Where) const {
  // The addresses of sets are stable.
  auto [It, IsNew] = Changers.try_emplace(&Where, FunctionNumbers);
  FunctionSet &Out = It->second;
  if (!IsNew)
    return Out;
  SmallVector<const Function *, 8> Work;
  auto Add = [&](unsigned Object) {
    if (auto By = Written.Writers.find(Object); By != Written.Writers.end())
      for (Function *F : By->second)
        if (overlaps(Where, Written.of(*F)) && Out.insert(F))
          Work.push_back(F);
  };
  Add(AnythingObject);
  for (const Location &P : Where)
    Add(P.first);
  while (!Work.empty())
    if (auto Sites = Calls.CallSites.find(Work.pop_back_val());
        Sites != Calls.CallSites.end())
      for (const CallBase *CB : Sites->second)
        if (Out.insert(CB->getFunction()))
          Work.push_back(CB->getFunction());
  return Out;
}

/// Whether \p I, or a function it calls, may write to \p Where.
bool Sameness::writesTo(const Instruction &I, const LocationSet &Where) const {
  if (overlaps(Where, Obj.written(I)))
    return true;
  auto *CB = dyn_cast<CallBase>(&I);
  if (!CB)
    return false;
  const FunctionSet &By = changersOf(Where);
  if (isForkCall(*CB))
    return By.has(outlinedCallee(*CB));
  return any_of(Obj.callees(*CB), [&](const Function *F) { return By.has(F); });
}

/// Whether \p Where may change on a path from \p From to \p To.
bool Sameness::changesBetween(const Instruction &From, const Instruction &To,
                              const LocationSet &Where) const {
  const BasicBlock *First = From.getParent(), *Last = To.getParent();
  if (!changersOf(Where).has(From.getFunction()))
    return false;
  auto Walk = [](const BasicBlock *B, bool Down) {
    SmallPtrSet<const BasicBlock *, 32> Seen;
    SmallVector<const BasicBlock *, 16> Work;
    auto Add = [&](const BasicBlock *At) {
      if (Down)
        Work.append(succ_begin(At), succ_end(At));
      else
        Work.append(pred_begin(At), pred_end(At));
    };
    Add(B);
    while (!Work.empty())
      if (const BasicBlock *At = Work.pop_back_val(); Seen.insert(At).second)
        Add(At);
    return Seen;
  };
  auto Writes = [&](const Instruction *I, const Instruction *End) {
    for (; I && I != End; I = I->getNextNode())
      if (writesTo(*I, Where))
        return true;
    return false;
  };
  if (First == Last && &From != &To && From.comesBefore(&To) &&
      Writes(&From, &To))
    return true;
  auto Below = Walk(First, true), Above = Walk(Last, false);
  if (!Below.count(Last))
    return false;
  if (Writes(&From, nullptr) || Writes(&Last->front(), &To))
    return true;
  return any_of(Below, [&](const BasicBlock *B) {
    return Above.count(B) && Writes(&B->front(), nullptr);
  });
}

/// Calls and forks of \p F, or the places that create tasks of it.
static SmallVector<const CallBase *, 4> startsOf(const Function &F,
                                                 const CallGraph &Calls) {
  if (auto It = Calls.CallSites.find(&F); It != Calls.CallSites.end())
    return It->second;
  SmallVector<const CallBase *, 4> Tasks;
  for (const User *U : F.users())
    if (auto *CB = dyn_cast<CallBase>(U); CB && outlinedCallee(*CB) == &F)
      Tasks.push_back(CB);
  return Tasks;
}

/// Whether \p Where may have another value in another call of \p F.
bool Sameness::changesBetweenCalls(const Function &F, const LocationSet &Where,
                                   unsigned Depth) const {
  // A function's local variable is new in each call: it has another value only
  // if another one is stored.
  if (all_of(Where, [&](const Location &P) {
        const MemoryObject &O = Obj.objects()[P.first];
        return O.Kind == MemoryObject::Stack &&
               cast<Instruction>(O.V)->getFunction() == &F;
      }))
    return !runsOnce(&F) && any_of(instructions(F), [&](const Instruction &I) {
      auto *S = dyn_cast<StoreInst>(&I);
      return S && overlaps(Where, Obj.written(I)) &&
             differsByCall(S->getValueOperand());
    });
  const SmallVector<const CallBase *, 4> Starts = startsOf(F, Calls);
  if (Depth > 8 || Starts.empty())
    return false;
  bool Task =
      !isForkCall(*Starts.front()) && outlinedCallee(*Starts.front()) == &F;
  if (Task && changersOf(Where).has(&F))
    return true;
  for (const CallBase *A : Starts)
    for (const CallBase *B : Starts)
      if (A->getFunction() == B->getFunction() && changesBetween(*A, *B, Where))
        return true;
  SmallPtrSet<const Function *, 4> Callers;
  for (const CallBase *A : Starts)
    if (A->getFunction() != &F && Callers.insert(A->getFunction()).second &&
        changesBetweenCalls(*A->getFunction(), Where, Depth + 1))
      return true;
  return false;
}

/// Whether the place from which \p V is loaded is known.
bool Sameness::isOfKnownPlace(const LoadInst &V) const {
  const LocationSet &Where = Obj.pointsTo(V.getPointerOperand());
  return !Where.empty() && none_of(Where, [&](const Location &P) {
    // A task's record is filled before the task runs.
    auto Kind = Obj.objects()[P.first].Kind;
    return P.first == AnythingObject || Obj.isOutside(P.first) ||
           Kind == MemoryObject::Task || Kind == MemoryObject::Shareds;
  });
}

/// Whether the value that \p V loads may differ between calls of its function.
bool Sameness::variesBetweenCalls(const LoadInst &V) const {
  if (!isOfKnownPlace(V))
    return false;
  const LocationSet &Where = Obj.pointsTo(V.getPointerOperand());
  std::pair Key(V.getFunction(), &Where);
  if (auto It = Varying.find(Key); It != Varying.end())
    return It->second;
  Varying[Key] = true; // if the value stored there depends on it
  return Varying[Key] = changesBetweenCalls(*V.getFunction(), Where, 0);
}

/// The function whose local variable is \p Where; null: none, or several.
static const Function *ownerOf(const LocationSet &Where, const Objects &Obj) {
  const Function *Owner = nullptr;
  for (const Location &P : Where) {
    const MemoryObject &O = Obj.objects()[P.first];
    if (O.Kind != MemoryObject::Stack)
      return nullptr;
    const Function *F = cast<Instruction>(O.V)->getFunction();
    if (Owner && F != Owner)
      return nullptr;
    Owner = F;
  }
  return Owner;
}

/// By function, \p V or the calls and forks there that lead to \p V. A local
/// variable is new in each call of its function, so loads of it have paths from
/// that function only.
Sameness::WaysTo Sameness::waysTo(const Instruction &V) const {
  const Function *Top = ownerOf(Obj.pointsTo(V.getOperand(0)), Obj);
  WaysTo Out;
  SmallVector<const Instruction *, 8> Work{&V};
  while (!Work.empty()) {
    const Instruction *I = Work.pop_back_val();
    const Function *F = I->getFunction();
    auto [It, IsNew] = Out.try_emplace(F);
    It->second.push_back(I);
    if (IsNew && F != Top)
      append_range(Work, startsOf(*F, Calls));
  }
  return Out;
}

/// Whether \p A and \p B, loads of one variable, may return different values:
/// in one function, or in functions that a function calls and forks one after
/// the other.
bool Sameness::differ(const LoadInst &A, const LoadInst &B) const {
  const LocationSet &Where = Obj.pointsTo(A.getPointerOperand());
  if (!isOfKnownPlace(A))
    return false;
  auto Between = [&](const Instruction &X, const Instruction &Y) {
    return changesBetween(X, Y, Where) || changesBetween(Y, X, Where);
  };
  if (A.getFunction() == B.getFunction())
    return Between(A, B);
  const WaysTo ToA = waysTo(A), ToB = waysTo(B);
  return any_of(ToA, [&](const auto &Way) {
    auto Other = ToB.find(Way.first);
    return Other != ToB.end() && any_of(Way.second, [&](const Instruction *X) {
             return any_of(Other->second, [&](const Instruction *Y) {
               return X != Y && Between(*X, *Y);
             });
           });
  });
}

} // namespace evenkeel
