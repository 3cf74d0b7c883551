//===- SiteTable.cpp - sites with their states and sizes -----------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Knows: the inventory, and the state of each site after optimisation.
// Makes: a row for each site, with its size if the allocation calls show it.
//===----------------------------------------------------------------------===//
#include "access/regions/SiteTable.h"
#include "format/ek_sizes.h"
#include "objects/CallChains.h"
#include "objects/Inventory.h"
#include "unit/Allocations.h"
#include "unit/Calls.h"
#include "llvm/Analysis/LoopInfo.h"
#include "llvm/Analysis/ScalarEvolution.h"
#include "llvm/IR/Instructions.h"

using namespace llvm;

namespace evenkeel {

void SiteTable::addSize(SiteRow &Row, const CountRef &C) {
  if (!C)
    ++GiveUps["unknown-size"];
  else if (llvm::none_of(Row.Sizes, [&](const CountRef &Other) {
             return sameCount(C, Other);
           }))
    Row.Sizes.push_back(C);
}

/// Enters the sites of the source, even if their code is gone.
void SiteTable::enterAll() {
  auto Enter = [&](const InventoryEntry &E, SiteRow::StateType State) {
    SiteRow Row;
    Row.Info = {E.Id, E.Detail, E.Where.at(), E.Where.Function, 0, {}};
    Row.State = State;
    Rows.try_emplace(E.Id, Row);
  };
  for (const InventoryEntry &E : Inv.Entries)
    if (E.Class == InventoryEntry::Group::Site)
      Enter(E, SiteRow::Elided);
  for (const InventoryEntry &E : Inv.Unlinked)
    Enter(E, SiteRow::Unlinked);
}

/// The number of bytes that \p CB requests; null: not known.
CountRef SiteTable::sizeOf(CallBase &CB) {
  ArrayRef<const Function *> Chosen = Obj.allocators(CB);
  std::optional<Allocation> A =
      Chosen.size() == 1 ? allocationOf(CB, *Chosen[0]) : allocationOf(CB);
  if (!A)
    return nullptr;
  // The same decision as in the recorder's instrumentation
  // (record/Replacements.cpp).
  if (const Function *F = Chosen.size() == 1 ? Chosen[0] : calleeOf(CB);
      F && A->From == AllocatorOrigin::Chosen &&
      (isNamedAllocator(*F) || !findAllocator(std::string_view(F->getName()))))
    ++GiveUps["not-recorded:" + A->Kind];
  FunctionInfo &FI = Functions.info(*CB.getFunction());
  std::string Why;
  auto Argument = [&](int Arg) {
    return Arg < 0 ? nullptr
                   : Forms.toCount(FI.SE->getSCEV(CB.getArgOperand(Arg)),
                                   FI.LI->getLoopFor(CB.getParent()), FI, Why);
  };
  CountRef C = Argument(A->Size);
  if (!C || A->Count < 0)
    return C;
  CountRef N = Argument(A->Count);
  return N ? countMul(N, C) : nullptr;
}

void SiteTable::addCall(CallBase &CB, const SiteInfo &S,
                        const CallChains &Chains) {
  SiteRow &Row = Rows[S.Id];
  if (!Row.Info.Id)
    Row.Info = S;
  if (!Graph.Live.contains(CB.getFunction())) {
    // An exported function that was inlined into all callers still exists.
    Row.State = std::max(Row.State, SiteRow::Dead);
    return;
  }
  bool Used = Accesses.isTouched(&CB) || isNamedAllocator(*CB.getFunction());
  Row.State = Used ? SiteRow::Live : std::max(Row.State, SiteRow::Dead);
  CountRef C = sizeOf(CB);
  if (S.Context) {
    auto [Entry, First] = Row.Contexts.try_emplace(S.Context);
    SiteRow::Caller &Caller = Entry->second;
    // If copies of one call request different sizes, there is no common size.
    if (First || (Caller.Size && C && !sameCount(Caller.Size, C)))
      Caller.Size = First ? C : nullptr;
    Caller.Calls = S.Calls;
  }
  for (const auto &[Id, Calls] : Chains.contextsOf(CB, S.Id))
    Row.Contexts[Id] = {Calls, nullptr}; // the same size for all
  addSize(Row, C);
  ranges(&CB, Row);
  for (const SiteInfo &Other : S.Others) {
    SiteRow &Shared = Rows[Other.Id];
    if (!Shared.Info.Id)
      Shared.Info = Other;
    Shared.State = Row.State;
    addSize(Shared, C);
  }
}

void SiteTable::addStack(AllocaInst &A, const SiteInfo &S) {
  SiteRow &Row = Rows[S.Id];
  bool Alive = Graph.Live.contains(A.getFunction()) && Accesses.isTouched(&A);
  Row.State = Alive ? SiteRow::Live : std::max(Row.State, SiteRow::Dead);
  FunctionInfo &FI = Functions.info(*A.getFunction());
  std::string Why;
  CountRef N = Forms.toCount(FI.SE->getSCEV(A.getArraySize()),
                             FI.LI->getLoopFor(A.getParent()), FI, Why);
  uint64_t Each = M.getDataLayout().getTypeAllocSize(A.getAllocatedType());
  addSize(Row, N ? countMul(N, countConst(int64_t(Each))) : nullptr);
  ranges(&A, Row);
}

void SiteTable::addGlobal(GlobalVariable &G, const SiteInfo &S) {
  SiteRow &Row = Rows[S.Id];
  Row.State = Accesses.isTouched(&G) ? SiteRow::Live : SiteRow::Dead;
  Row.Size = countConst(M.getDataLayout().getTypeAllocSize(G.getValueType()));
  ranges(&G, Row);
}

/// Sets the sizes of sites from their allocation calls.
void SiteTable::sites(ArrayRef<AccessRow> AllRows) {
  enterAll();
  const CallChains Chains(M, Source);
  for (auto &[CB, S] : Inv.Sites)
    addCall(*CB, S, Chains);
  for (auto &[A, S] : Inv.Stacks)
    addStack(*A, S);
  for (auto &[Id, Row] : Rows) {
    if (Row.Sizes.size() > 1) {
      ++GiveUps["several-sizes"];
    } else if (!Row.Sizes.empty()) {
      Row.Size = Row.Sizes.front();
      Row.Sizes.clear();
    }
  }
  for (auto &[G, S] : Inv.Globals)
    addGlobal(*G, S);
  std::map<uint64_t, std::set<uint64_t>> Elements;
  for (const AccessRow &A : AllRows)
    for (uint64_t S : A.Sites)
      if (A.ElementBytes != EK_LINE) // block operations have no element
        Elements[S].insert(A.ElementBytes);
  for (auto &[Id, Row] : Rows) {
    if (auto It = Elements.find(Id);
        It != Elements.end() && It->second.size() == 1)
      Row.ElementBytes = *It->second.begin();
    sizeRanges(Row);
    Out.push_back(Row);
  }
}

} // namespace evenkeel
