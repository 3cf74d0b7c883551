//===- Access.cpp - classes and counts of accesses, per region ------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Knows: the order in which the parts of the analysis (Access*.cpp) work, on a
// clone where loads may be hoisted and bounds forwarded; the module itself
// stays as it is.
// Makes: EkAccessResult.
//===----------------------------------------------------------------------===//
#include "access/Access.h"
#include "access/Analyzer.h"
#include "unit/Managers.h"
#include "unit/Reshape.h"
#include "llvm/Analysis/LoopInfo.h"
#include "llvm/Analysis/PostDominators.h"
#include "llvm/Analysis/ScalarEvolution.h"
#include "llvm/IR/DebugInfoMetadata.h"
#include "llvm/IR/Dominators.h"
#include "llvm/Transforms/Utils/Cloning.h"
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

FunctionInfo &Analyzer::info(Function &F) {
  std::unique_ptr<FunctionInfo> &P = Infos[&F];
  if (!P) {
    P = std::make_unique<FunctionInfo>();
    P->F = &F;
    P->LI = &FAM.getResult<LoopAnalysis>(F);
    P->DT = &FAM.getResult<DominatorTreeAnalysis>(F);
    P->PDT = &FAM.getResult<PostDominatorTreeAnalysis>(F);
    P->SE = &FAM.getResult<ScalarEvolutionAnalysis>(F);
    FunctionInfo &FI = *P;
    std::map<std::string, unsigned> Seen;
    for (Loop *L : FI.LI->getLoopsInPreorder()) {
      DebugLoc D = L->getStartLoc();
      FI.LoopOrdinal[L] = Seen[D ? Source.locateUser(D).at() : std::string()]++;
    }
    findSharedLoops(FI);
    return FI; // it may have asked for others, and P have moved
  }
  return *P;
}

void Analyzer::run() {
  findIndirectSites();
  noteCalls();
  noteWriters();
  for (Function &F : M)
    if (!F.isDeclaration()) {
      forwardBounds(F);
      mergeTwins(F);
    }
  for (Function &F : M)
    if (!F.isDeclaration())
      hoistInvariantLoads(F);
  FAM.clear();

  findRecursion();
  Catches = catchesThrows(M);
  noteLeaving();
  noteTaskloops();
  Touched.resize(Obj.objects().size());
  Handed.resize(Obj.objects().size());
  for (auto &[F, RI] : Inv.Regions)
    if (RI.Kind != "serial") {
      SetVector<Function *> Reached;
      reachFrom(*F, Reached);
      OnTeam.insert(Reached.begin(), Reached.end());
    }
  noteNestedTeams();
  noteRegionBodies();
  for (Function &F : M)
    if (!F.isDeclaration())
      collect(info(F));
  for (Function &F : M)
    if (!F.isDeclaration())
      moveWithCallers(info(F));

  for (auto &[F, RI] : Inv.Regions)
    region(*F, RI);
  noteOutside();
  sites();
  if (WithPointers)
    pointers();
  defineSymbols();
  for (AccessRow &Row : R.Rows) {
    Row.Reads = chooseCopies(Row.Reads);
    Row.Writes = chooseCopies(Row.Writes);
    for (CountRef *C : {&Row.Atomics, &Row.Conditional, &Row.Reuse, &Row.Run,
                        &Row.StrideBy, &Row.BlockBytes, &Row.BlockStride})
      *C = chooseCopies(*C);
  }
  for (auto &[Id, Row] : Symbols) {
    Row.ScalesWith = chooseCopies(Row.ScalesWith);
    Row.Value = chooseCopies(Row.Value);
  }

  takeDownOutOfLine();

  // Show what a formula uses; the recorder takes all, as other units' regions
  // may call into this one.
  std::set<uint64_t> Used;
  std::vector<CountRef> Work;
  for (const AccessRow &A : R.Rows) {
    Work.push_back(A.Reads);
    Work.push_back(A.Writes);
    Work.push_back(A.Reuse);
    Work.push_back(A.Run);
    Work.push_back(A.StrideBy);
    Work.push_back(A.BlockBytes);
    Work.push_back(A.BlockStride);
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
    if (C->Kind == Count::Symbol && Used.insert(C->Sym).second)
      for (const CountRef &E :
           {Symbols[C->Sym].ScalesWith, Symbols[C->Sym].Value})
        Work.push_back(E);
    Work.insert(Work.end(), C->Args.begin(), C->Args.end());
  }
  finishNames(Used);
  for (auto &[Id, Row] : Symbols)
    if (Used.count(Id)) {
      Row.NotBelow0 = Row.Kind != SymbolLeaf::Measured && Assumed.count(Id);
      R.SymbolRows.push_back(Row);
    }
  for (SymbolLeaf &L : Leaves)
    L.Name = Symbols[L.Id].Name;
  R.Symbols = Leaves;
  std::map<uint64_t, SyncInfo> Syncs;
  for (const InventoryEntry &E : Inv.Entries)
    if (StringRef(E.Key).starts_with("sync-"))
      Syncs[E.Id] = {E.Id, E.Key.substr(5), E.Where.at(), E.Where.Function,
                     E.Detail == "team"};
  for (auto &[Id, S] : Syncs)
    R.SyncRows.push_back(S);
  std::set<std::string> Units;
  for (DICompileUnit *CU : M.debug_compile_units())
    Units.insert(Source.path(CU->getFile(), CU).first);
  R.Units.assign(Units.begin(), Units.end());
  for (auto &[Why, N] : Inv.GiveUps)
    R.GiveUps[Why] += N;

  for (auto &[F, FI] : Infos)
    for (Access &A : FI->Accesses) {
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
  R.Sites = Inv.Sites;
  R.GlobalSites = Inv.Globals;
  R.StackSites = Inv.Stacks;
  R.Regions = Inv.Regions;
  R.Syncs = Inv.Syncs;
}

/// Analyses \p M, which is changed.
static EkAccessResult analyze(Module &M, bool WithPointers) {
  PassBuilder PB;
  Managers Of(PB);
  for (Function &F : M) {
    pointersOfIntegers(F);
    if (!F.isDeclaration())
      dropKnownBranches(F);
  }
  Analyzer A(M, Of.FAM);
  A.WithPointers = WithPointers;
  A.run();
  return std::move(A.R);
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
    // Functions of one region, in whatever order they are linked.
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

  // From the clone back to the module itself.
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
