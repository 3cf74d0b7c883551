//===- RegionTable.cpp - accesses summed per region -----------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Knows: the functions that a task of a region runs.
// Makes: a row for each distinct walk of the region through an object.
//===----------------------------------------------------------------------===//
#include "access/regions/RegionTable.h"
#include "llvm/IR/DebugInfoMetadata.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/Instructions.h"
#include "llvm/IR/IntrinsicInst.h"

using namespace llvm;

namespace evenkeel {

/// Whether \p C is 0 in tasks that do not run \p Of, because it is counted in
/// code that only those tasks run.
bool RegionTable::isCountedIn(const RegionBody &Of, const CountRef &C) const {
  auto Is = [&](const CountRef &A) { return isCountedIn(Of, A); };
  if (C->Kind == Count::Const)
    return C->Value == 0;
  if (C->Kind == Count::Symbol) {
    ArrayRef<Function *> In = Symbols.countedIn(C->Sym);
    return !In.empty() &&
           all_of(In, [&](Function *F) { return Of.Alone.contains(F); });
  }
  if (C->Kind != Count::Op)
    return false;
  return C->Name == "*" ? any_of(C->Args, Is)
                        : C->Name == "+" && all_of(C->Args, Is);
}

/// Makes \p T, counted for tasks that run \p Root, valid for tasks of any
/// function of the region.
void RegionTable::onlyIn(const Function &Root, Times &T) const {
  auto It = Bodies.Bodies.find(&Root);
  if (It == Bodies.Bodies.end())
    return;
  if (It->second.Alike)
    T.doubt("functions-alike");
  if (!isCountedIn(It->second, T.C))
    T.C = countMul(T.C, It->second.Runs);
}

/// The loads and stores of \p F, whether analysed or not.
static uint64_t placesIn(const Function &F) {
  uint64_t N = 0;
  for (const Instruction &I : instructions(F))
    N += isa<LoadInst, StoreInst, AtomicRMWInst, AtomicCmpXchgInst, MemSetInst>(
             I)
             ? 1
         : isa<MemTransferInst>(I) ? 2
                                   : 0;
  return N;
}

namespace {
/// A row under construction, with the counts of its accesses.
struct Entry {
  AccessRow Row;
  unsigned Line = ~0u;
  // All summed up at the end.
  std::vector<CountRef> Reads, Writes, Atomics, Conditional;
  std::set<uint64_t> Index;
};
} // namespace

/// The functions that a task of \p Root runs, except in nested teams.
static SetVector<Function *> runDirectly(Function &Root,
                                         const CallGraph &Graph) {
  SetVector<Function *> Direct, Work;
  Work.insert(&Root);
  for (size_t K = 0; K < Work.size(); ++K)
    if (Direct.insert(Work[K]))
      if (auto It = Graph.Callees.find(Work[K]); It != Graph.Callees.end())
        for (Function *F : It->second)
          if (!Graph.Nested.count(F))
            Work.insert(F);
  return Direct;
}

/// Accesses with the same key share a row.
static std::string keyOf(const Access &A) {
  std::string Key;
  raw_string_ostream OS(Key);
  for (uint64_t S : A.Sites)
    OS << S << ' ';
  for (uint64_t C : A.Contexts)
    OS << '<' << C << ' ';
  for (uint64_t C : A.Ranges)
    OS << '[' << C << ' ';
  OS << A.Lost << '|' << A.Library << '|' << accessClassName(A.W.Class) << '|'
     << A.W.Stride.value_or(0) << '|' << bool(A.W.Stride) << '|' << A.Bytes
     << '|' << A.W.Dependent << '|' << A.W.Points << '|' << A.W.Dimensions
     << '|' << A.W.Why << '|' << keyOfCount(A.StrideBy);
  if (A.Blocks)
    OS << '|' << accessClassName(*A.Blocks) << '|' << keyOfCount(A.BlockBytes)
       << '|' << keyOfCount(A.BlockStride);
  return OS.str();
}

static AccessRow rowOf(const Access &A, const RegionInfo &RI) {
  AccessRow Row;
  Row.Region = RI.Id;
  Row.Sites = A.Sites;
  Row.Contexts = A.Contexts;
  Row.Ranges = A.Ranges;
  Row.Class = A.W.Class;
  Row.Stride = A.W.Stride;
  Row.ElementBytes = A.Bytes;
  Row.Dependent = A.W.Dependent;
  Row.StrideBy = A.StrideBy;
  Row.Reuse = A.Reuse;
  Row.Run = A.Run;
  Row.Library = A.Library;
  Row.Blocks = A.Blocks;
  Row.BlockBytes = A.BlockBytes;
  Row.BlockStride = A.BlockStride;
  if (A.W.Class == AccessClass::Stencil)
    Row.Points = A.W.Points;
  if (A.W.Dimensions)
    Row.Dimensions = A.W.Dimensions;
  Row.At = RI.At;
  return Row;
}

/// Adds \p A, which runs \p T times, at the place \p P, to the row of its key.
static void addTo(Entry &E, const Access &A, const Times &T, const Place &P) {
  AccessRow &Row = E.Row;
  Row.Places += A.Library.empty();
  if (P.known() && P.Line < E.Line) {
    E.Line = P.Line;
    Row.At = P.at();
    Row.Place = A.I->getDebugLoc();
  }
  if (!sameCount(Row.Reuse, A.Reuse))
    Row.Reuse = nullptr; // not the same number
  if (!sameCount(Row.Run, A.Run))
    Row.Run = nullptr;
  // The class may have become regular through callers or a library.
  AccessClass Class = A.Blocks.value_or(A.W.Class);
  if (Class == AccessClass::Random || Class == AccessClass::Chase)
    E.Index.insert(A.W.IndexSites.begin(), A.W.IndexSites.end());
  if (const std::optional<RowTable> &T = A.Block ? A.Block->Table : A.W.Table;
      T && none_of(Row.Tables, [&](const RowTable &Old) {
        return sameCount(Old.RowBytes, T->RowBytes) && Old.Why == T->Why &&
               Old.Loaded == T->Loaded && Old.IndexSites == T->IndexSites;
      }))
    Row.Tables.push_back(*T);
  if (A.Reads)
    E.Reads.push_back(T.C);
  if (A.Writes)
    E.Writes.push_back(T.C);
  if (A.Atomic)
    E.Atomics.push_back(T.C);
  for (bool Does : {A.Reads, A.Writes})
    if (Does && T.Conditional)
      E.Conditional.push_back(T.C);
  Row.Exact &= T.Exact && !A.Elsewhere;
  for (StringRef Why : {StringRef(A.Lost), StringRef(A.W.Why), StringRef(T.Why),
                        StringRef(A.Elsewhere ? "may-be-elsewhere" : "")})
    if (!Why.empty() && !StringRef(Row.Why).contains(Why))
      Row.Why += (Row.Why.empty() ? "" : ", ") + Why.str();
}

/// Sums up the counts.
static void finish(Entry &E) {
  E.Row.Reads = countOp("+", std::move(E.Reads));
  E.Row.Writes = countOp("+", std::move(E.Writes));
  E.Row.IndexSites.assign(E.Index.begin(), E.Index.end());
  if (!E.Atomics.empty())
    E.Row.Atomics = countOp("+", std::move(E.Atomics));
  if (!E.Conditional.empty())
    E.Row.Conditional = countOp("+", std::move(E.Conditional));
}

void RegionTable::region(Function &Root, const RegionInfo &RI) {
  SetVector<Function *> Reached;
  Graph.reachFrom(Root, Reached);
  // Code that only nested teams run is run by one thread each.
  const SetVector<Function *> Direct = runDirectly(Root, Graph);
  DenseMap<Function *, Times> Memo;
  std::map<std::string, Entry> Found;
  for (Function *F : Reached) {
    InRegions.insert(F);
    Times Calls = callsOf(*F, Root, Reached, Memo);
    for (const Access &A : Accesses.of(*F).Accesses) {
      Times T = Direct.contains(F) ? A.T : asPart(A, *F, Calls, Reached);
      if (!T.Absolute) {
        T.C = countMul(T.C, Calls.C);
        T.Conditional |= Calls.Conditional;
        if (!Calls.Exact)
          T.doubt(Calls.Why);
      }
      onlyIn(Root, T);
      if (!T.Exact && T.Why.empty())
        T.Why = "conditional";
      auto [It, New] = Found.try_emplace(keyOf(A));
      if (New)
        It->second.Row = rowOf(A, RI);
      addTo(It->second, A, T, Source.locateUser(A.I->getDebugLoc()));
    }
  }
  for (auto &[Key, E] : Found) {
    finish(E);
    if (E.Row.Sites.empty() || E.Row.Class == AccessClass::Unknown ||
        !E.Row.Exact)
      for (StringRef Rest = E.Row.Why; !Rest.empty();) {
        auto [Why, Next] = Rest.split(", ");
        ++GiveUps[Why.str()];
        Rest = Next;
      }
    Rows.push_back(E.Row);
  }
  // A template's region is one region, however many instances have rows.
  auto It =
      find_if(RegionRows, [&](const RegionInfo &G) { return G.Id == RI.Id; });
  if (It == RegionRows.end())
    It = RegionRows.insert(It, RI);
  for (Function *F : Reached) {
    It->Places += placesIn(*F);
    for (auto &[Whose, N] : Accesses.of(*F).Private)
      It->Private[Whose] += N;
  }
}

/// Counts code that runs outside all regions: before main, in the program's own
/// threads, in callbacks that libraries call unseen.
void RegionTable::noteOutside() {
  if (!M.getFunction("main"))
    return;
  for (const Function *F : Graph.Live)
    if (!InRegions.count(F))
      if (size_t N = Accesses.of(*F).Accesses.size())
        GiveUps["outside-regions"] += N;
}

RegionTable::RegionTable(Module &M, const Inventory &Inv,
                         const SourceMap &Source, const Objects &Obj,
                         const CallGraph &Graph, const HoistedLoads &Loads,
                         const RegionBodies &Bodies, SymbolTable &Symbols,
                         Formulas &Forms, FunctionTable &Functions,
                         Executions &Runs, const AccessTable &Accesses)
    : M(M), Inv(Inv), Source(Source), Obj(Obj), Graph(Graph), Loads(Loads),
      Bodies(Bodies), Symbols(Symbols), Forms(Forms), Functions(Functions),
      Runs(Runs), Accesses(Accesses) {
  for (auto &[F, RI] : Inv.Regions)
    region(*F, RI);
  noteOutside();
}

} // namespace evenkeel
