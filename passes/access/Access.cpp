//===- Access.cpp - classes and counts of accesses, per region ------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Knows: the order in which the tables of the analysis are computed, on a clone
// where loads may be hoisted and bounds forwarded; the module itself does not
// change. Makes: EkAccessResult.
//===----------------------------------------------------------------------===//
#include "access/Access.h"
#include "access/formulas/Definitions.h"
#include "access/inputs/Inputs.h"
#include "access/regions/Pointers.h"
#include "access/regions/RegionTable.h"
#include "access/regions/RowTables.h"
#include "access/regions/SiteTable.h"
#include "objects/Ranges.h"
#include "unit/Managers.h"
#include "unit/Reshape.h"
#include "llvm/Analysis/LoopInfo.h"
#include "llvm/Analysis/PostDominators.h"
#include "llvm/Analysis/ScalarEvolution.h"
#include "llvm/IR/DebugInfoMetadata.h"
#include "llvm/IR/Dominators.h"
#include "llvm/Transforms/Utils/Cloning.h"
#include <array>
#include <numeric>

using namespace llvm;

namespace evenkeel {

AnalysisKey EkAccess::Key;

StringRef accessClassName(AccessClass C) {
  switch (C) {
  case AccessClass::Invariant:
    return "invariant";
  case AccessClass::Stream:
    return "stream";
  case AccessClass::Strided:
    return "strided";
  case AccessClass::Stencil:
    return "stencil";
  case AccessClass::Random:
    return "random";
  case AccessClass::Chase:
    return "chase";
  case AccessClass::Unknown:
    return "unknown";
  }
  llvm_unreachable("class without a name");
}

bool EkAccessResult::invalidate(Module &, const PreservedAnalyses &PA,
                                ModuleAnalysisManager::Invalidator &) {
  auto Checker = PA.getChecker<EkAccess>();
  return !Checker.preserved() && !Checker.preservedSet<AllAnalysesOn<Module>>();
}

/// All formulas of \p Row, an AccessRow, const or not. Each may be null.
template <class RowT> static auto formulasOf(RowT &Row) {
  return std::array{&Row.Reads,       &Row.Writes,     &Row.Atomics,
                    &Row.Conditional, &Row.Reuse,      &Row.Run,
                    &Row.StrideBy,    &Row.BlockBytes, &Row.BlockStride};
}

/// Replaces the symbol of a copy by the plain symbol if the place has only one
/// copy in the module.
static void chooseCopies(std::vector<AccessRow> &Rows,
                         const SymbolTable &Symbols) {
  for (AccessRow &Row : Rows) {
    for (CountRef *C : formulasOf(Row))
      *C = Symbols.chooseCopies(*C);
    for (RowTable &T : Row.Tables)
      T.RowBytes = Symbols.chooseCopies(T.RowBytes);
  }
}

/// The symbols that the formulas of \p R use, and the symbols that define
/// these, according to \p Rows.
static std::set<uint64_t>
usedSymbols(const EkAccessResult &R,
            const std::map<uint64_t, SymbolRow> &Rows) {
  std::set<uint64_t> Used;
  std::vector<CountRef> Work;
  for (const AccessRow &A : R.Rows) {
    for (const CountRef *C : formulasOf(A))
      Work.push_back(*C);
    for (const RowTable &T : A.Tables)
      Work.push_back(T.RowBytes);
  }
  for (const SiteRow &S : R.SiteRows) {
    Work.push_back(S.Size);
    Work.insert(Work.end(), S.Sizes.begin(), S.Sizes.end());
    for (const SiteRow::Range &Part : S.Ranges) {
      Work.push_back(Part.Offset);
      Work.push_back(Part.Size);
    }
    for (auto &[Id, Caller] : S.Contexts)
      Work.push_back(Caller.Size);
  }
  while (!Work.empty()) {
    CountRef C = Work.back();
    Work.pop_back();
    if (!C)
      continue;
    if (C->Kind == Count::Symbol && Used.insert(C->Sym).second) {
      const SymbolRow &Row = Rows.at(C->Sym);
      Work.insert(Work.end(), {Row.ScalesWith, Row.Value});
    }
    Work.insert(Work.end(), C->Args.begin(), C->Args.end());
  }
  return Used;
}

static void addEntities(EkAccessResult &R, const Module &M,
                        const Inventory &Inv, const SourceMap &Source) {
  std::map<uint64_t, SyncInfo> Syncs;
  for (const InventoryEntry &E : Inv.Entries)
    if (E.Class == InventoryEntry::Group::Sync)
      Syncs[E.Id] = {E.Id, E.Wait, E.Where.at(), E.Where.Function, E.Team};
  for (auto &[Id, S] : Syncs)
    R.SyncRows.push_back(S);
  std::set<std::string> Units;
  for (DICompileUnit *CU : M.debug_compile_units())
    Units.insert(Source.path(CU->getFile(), CU).first);
  R.Units.assign(Units.begin(), Units.end());
  R.Sites = Inv.Sites;
  R.GlobalSites = Inv.Globals;
  R.StackSites = Inv.Stacks;
  R.Regions = Inv.Regions;
  R.Syncs = Inv.Syncs;
}

/// Adds the recorder's information on each access.
static void addAccesses(EkAccessResult &R, const AccessTable &Accesses) {
  for (auto &[F, Own] : Accesses.all())
    for (const Access &A : Own.Accesses) {
      if (!A.Library.empty())
        continue;
      AccessInfo &AI = R.Accesses[A.I];
      AI.Class = A.W.Class;
      AI.Dependent |= A.W.Dependent;
      AI.ElementBytes = A.Bytes;
      AI.Reads |= A.Reads;
      AI.Writes |= A.Writes;
      AI.Stride = A.W.Stride;
      AI.Points = A.W.Points;
      AI.Why = A.Lost.empty() ? A.W.Why : A.Lost;
      AI.Sites.insert(AI.Sites.end(), A.Sites.begin(), A.Sites.end());
    }
}

/// Finds allocations through pointers, whose targets are known now.
static void findIndirectSites(Inventory &Inv, const SourceMap &Source,
                              const Objects &Obj) {
  for (const MemoryObject &O : Obj.objects()) {
    auto *CB = O.Kind == MemoryObject::Heap ? cast<CallBase>(O.V) : nullptr;
    if (CB && !Obj.allocators(*CB).empty())
      addIndirectSite(Inv, Source, *CB, Obj.allocators(*CB));
  }
}

/// Analyses \p M, which is changed. Each table is computed only from those
/// above it here.
static EkAccessResult analyze(Module &M, bool WithPointers) {
  PassBuilder PB;
  Managers Of(PB);
  FunctionAnalysisManager &FAM = Of.FAM;
  for (Function &F : M) {
    pointersOfIntegers(F);
    if (!F.isDeclaration())
      dropKnownBranches(F);
  }
  Inventory Inv = recall(M);
  const SourceMap Source(M);
  Objects Obj(M, findCarvings(M, Source));
  findIndirectSites(Inv, Source, Obj);

  // Calls and values.
  const CallGraph OneThread = findCalls(M, Obj, Inv);
  const Writes Written = findWrites(M, Obj);
  const HoistedLoads Loads = hoistLoads(M, FAM, Obj, OneThread, Written);
  const LeavingCalls Ways(M, Obj, OneThread, Loads);
  const TaskloopCalls Taskloops = findTaskloops(M, OneThread);
  const CallGraph Graph = withTeams(OneThread, M, Inv);
  const RegionBodies Bodies = findRegionBodies(Inv, Source, Graph);
  const Sameness Same(M, FAM, Inv, Obj, Graph, Written, Loads, Bodies);
  const Rereads Repeats(Obj, Graph, Written);

  // Loops and counts.
  LoopGuards Guards(Ways, Taskloops);
  SymbolTable Symbols(Source, Graph, Loads, Ways, Same, Bodies);
  Formulas Forms(Inv, Graph, Loads, Same, Guards, Symbols);
  FunctionTable Functions(M, FAM, Inv, Source, Graph, Taskloops, Forms,
                          Symbols);
  Executions Runs(Inv, Graph, Loads, Ways, Guards, Symbols, Forms, Functions);

  // Walks and accesses.
  IndexTable Indices(M, FAM, Obj, Loads, Written, Functions);
  const SiteOwners Owners(Inv, Source, Obj, Graph);
  Walks Moves(Inv, Obj, Graph, Loads, Same, Repeats, Guards, Forms, Functions,
              Indices, Owners);
  const AccessTable Accesses(M, Inv, Obj, Graph, Loads, Same, Symbols, Forms,
                             Functions, Runs, Owners, Moves);

  // Rows.
  RegionTable Regions(M, Inv, Source, Obj, Graph, Loads, Bodies, Symbols, Forms,
                      Functions, Runs, Accesses);
  EkAccessResult R;
  R.Rows = std::move(Regions.Rows);
  R.RegionRows = std::move(Regions.RegionRows);
  const Formulas::OfOneCall Scope(Forms);
  SiteTable Sites(M, Inv, Source, Obj, Graph, Forms, Functions, Owners,
                  Accesses, R.Rows);
  R.SiteRows = std::move(Sites.Out);
  if (WithPointers)
    R.Pointers = pointersBetween(Inv, Source, Obj);
  const Provenance From(M, Obj);
  SymbolRelations Related =
      relateSymbols(From, Loads, Forms, Functions, Symbols);
  InputTable Inputs(Source);
  Related.Inputs = tieSymbols(M, Obj, OneThread, From, Symbols, Inputs);
  R.GiveUps = Symbols.giveUps();
  chooseCopies(R.Rows, Symbols);
  SymbolTable::Finished All = std::move(Symbols).finish(
      Related, [&](const auto &Rows) { return usedSymbols(R, Rows); },
      [&](uint64_t Id) { return Forms.assumes(Id); });
  R.SymbolRows = std::move(All.Rows);
  R.Symbols = std::move(All.Leaves);
  std::vector<CountRef> Tied;
  for (const SymbolRow &S : R.SymbolRows)
    if (S.Input)
      Tied.push_back(S.Input);
  R.InputRows = Inputs.rowsIn(Tied);
  addTables(R);
  addEntities(R, M, Inv, Source);
  addAccesses(R, Accesses);
  auto Add = [&](const std::map<std::string, uint64_t> &GiveUps) {
    for (auto &[Why, N] : GiveUps)
      R.GiveUps[Why] += N;
  };
  Add(Inv.GiveUps);
  Add(Accesses.giveUps());
  Add(Regions.GiveUps);
  Add(Sites.GiveUps);
  return R;
}

static void sortRows(EkAccessResult &R) {
  auto ByCoordinate = [](const auto &A, const auto &B) {
    return std::tie(A.At, A.Id) < std::tie(B.At, B.Id);
  };
  llvm::sort(R.RegionRows, ByCoordinate);
  llvm::sort(R.SyncRows, ByCoordinate);
  llvm::sort(R.SymbolRows, ByCoordinate);
  llvm::sort(R.SiteRows, [](const SiteRow &A, const SiteRow &B) {
    return std::tie(A.Info.At, A.Info.Id) < std::tie(B.Info.At, B.Info.Id);
  });
  llvm::sort(R.Rows, [](const AccessRow &A, const AccessRow &B) {
    auto Of = [](const AccessRow &R) {
      return std::tie(R.Region, R.At, R.Sites, R.Contexts, R.Class, R.Stride,
                      R.ElementBytes, R.Dependent, R.Points, R.Why);
    };
    if (Of(A) != Of(B))
      return Of(A) < Of(B);
    // Sort functions of one region independently of link order.
    return keyOfCount(A.Reads) + '|' + keyOfCount(A.Writes) <
           keyOfCount(B.Reads) + '|' + keyOfCount(B.Writes);
  });
}

EkAccess::Result EkAccess::runForRows(Module &M) {
  EkAccessResult All = analyze(M, WithPointers), R;
  R.Regions = std::move(All.Regions);
  R.Units = std::move(All.Units);
  R.SiteRows = std::move(All.SiteRows);
  R.RegionRows = std::move(All.RegionRows);
  R.SyncRows = std::move(All.SyncRows);
  R.SymbolRows = std::move(All.SymbolRows);
  R.InputRows = std::move(All.InputRows);
  R.Rows = std::move(All.Rows);
  R.Pointers = std::move(All.Pointers);
  R.GiveUps = std::move(All.GiveUps);
  sortRows(R);
  return R;
}

EkAccess::Result EkAccess::run(Module &M, ModuleAnalysisManager &) {
  ValueToValueMapTy Map;
  std::unique_ptr<Module> Clone = CloneModule(M, Map);
  DenseMap<const Value *, Value *> Back;
  for (auto Entry : Map)
    if (Entry.second)
      Back[Entry.second] = const_cast<Value *>(Entry.first);
  EkAccessResult R = analyze(*Clone, WithPointers);

  // Map keys from the clone back to the module itself.
  auto Mapped = [&](auto &From) {
    std::decay_t<decltype(From)> To;
    for (auto &Entry : From) {
      using Key = std::remove_pointer_t<std::decay_t<decltype(Entry.first)>>;
      if (Value *B = Back.lookup(Entry.first))
        To[cast<Key>(B)] = Entry.second;
    }
    From = std::move(To);
  };
  Mapped(R.Accesses);
  Mapped(R.Sites);
  Mapped(R.GlobalSites);
  Mapped(R.StackSites);
  Mapped(R.Regions);
  Mapped(R.Syncs);
  std::vector<SymbolLeaf> Leaves;
  for (SymbolLeaf L : R.Symbols) {
    if (L.V)
      L.V = Back.lookup(L.V);
    if (L.Block)
      L.Block = cast_or_null<BasicBlock>(Back.lookup(L.Block));
    L.F = cast_or_null<Function>(Back.lookup(L.F));
    if (L.F && (L.V || L.Block))
      Leaves.push_back(L);
  }
  std::vector<size_t> Order(Leaves.size());
  std::iota(Order.begin(), Order.end(), 0);
  llvm::sort(Order, [&](size_t A, size_t B) {
    return std::tie(Leaves[A].Id, A) < std::tie(Leaves[B].Id, B);
  });
  R.Symbols.clear();
  for (size_t K : Order)
    R.Symbols.push_back(Leaves[K]);

  sortRows(R);
  return R;
}

} // namespace evenkeel
