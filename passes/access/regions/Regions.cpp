//===- Regions.cpp - accesses added up per region ------------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Knows: the functions that a task of a region runs.
// Makes: a row for each way in which the region walks an object.
//===----------------------------------------------------------------------===//
#include "access/Analyzer.h"
#include "llvm/IR/DebugInfoMetadata.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/Instructions.h"
#include "llvm/IR/IntrinsicInst.h"

using namespace llvm;

namespace evenkeel {

/// Loads and stores of \p F, whatever else knows of them.
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

void Analyzer::region(Function &Root, const RegionInfo &RI) {
  SetVector<Function *> Reached;
  reachFrom(Root, Reached);
  // What only nested teams run is run by one thread each.
  SetVector<Function *> Direct, Work;
  Work.insert(&Root);
  for (size_t K = 0; K < Work.size(); ++K)
    if (Direct.insert(Work[K]))
      if (auto It = Callees.find(Work[K]); It != Callees.end())
        for (Function *F : It->second)
          if (!Nested.count(F))
            Work.insert(F);
  DenseMap<Function *, Times> Memo;
  struct Entry {
    AccessRow Row;
    unsigned Line = ~0u;
    // Added up at once.
    std::vector<CountRef> Reads, Writes, Atomics, Conditional;
    std::set<uint64_t> Index;
  };
  std::map<std::string, Entry> Rows;
  for (Function *F : Reached) {
    InRegions.insert(F);
    FunctionInfo &FI = info(*F);
    Times Calls = callsOf(*F, Root, Reached, Memo);
    for (Access &A : FI.Accesses) {
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
      std::string Key;
      raw_string_ostream OS(Key);
      for (uint64_t S : A.Sites)
        OS << S << ' ';
      for (uint64_t C : A.Contexts)
        OS << '<' << C << ' ';
      for (uint64_t C : A.Ranges)
        OS << '[' << C << ' ';
      OS << A.Lost << '|' << A.Library << '|' << accessClassName(A.W.Class)
         << '|' << A.W.Stride.value_or(0) << '|' << bool(A.W.Stride) << '|'
         << A.Bytes << '|' << A.W.Dependent << '|' << A.W.Points << '|'
         << A.W.Dimensions << '|' << A.W.Why << '|' << keyOfCount(A.StrideBy);
      if (A.Blocks)
        OS << '|' << accessClassName(*A.Blocks) << '|'
           << keyOfCount(A.BlockBytes) << '|' << keyOfCount(A.BlockStride);
      auto [It, New] = Rows.try_emplace(OS.str());
      AccessRow &Row = It->second.Row;
      Place P = Source.locateUser(A.I->getDebugLoc());
      if (New) {
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
      }
      Row.Places += A.Library.empty();
      if (P.known() && P.Line < It->second.Line) {
        It->second.Line = P.Line;
        Row.At = P.at();
        Row.Place = A.I->getDebugLoc();
      }
      if (!sameCount(Row.Reuse, A.Reuse))
        Row.Reuse = nullptr; // not one number
      if (!sameCount(Row.Run, A.Run))
        Row.Run = nullptr;
      // What callers or a library tell may have made it regular since.
      AccessClass Class = A.Blocks.value_or(A.W.Class);
      if (Class == AccessClass::Random || Class == AccessClass::Chase)
        It->second.Index.insert(A.W.IndexSites.begin(), A.W.IndexSites.end());
      if (A.Reads)
        It->second.Reads.push_back(T.C);
      if (A.Writes)
        It->second.Writes.push_back(T.C);
      if (A.Atomic)
        It->second.Atomics.push_back(T.C);
      for (bool Does : {A.Reads, A.Writes})
        if (Does && T.Conditional)
          It->second.Conditional.push_back(T.C);
      Row.Exact &= T.Exact && !A.Elsewhere;
      for (StringRef Why :
           {StringRef(A.Lost), StringRef(A.W.Why), StringRef(T.Why),
            StringRef(A.Elsewhere ? "may-be-elsewhere" : "")})
        if (!Why.empty() && !StringRef(Row.Why).contains(Why))
          Row.Why += (Row.Why.empty() ? "" : ", ") + Why.str();
    }
  }
  for (auto &[Key, E] : Rows) {
    E.Row.Reads = countOp("+", std::move(E.Reads));
    E.Row.Writes = countOp("+", std::move(E.Writes));
    E.Row.IndexSites.assign(E.Index.begin(), E.Index.end());
    if (!E.Atomics.empty())
      E.Row.Atomics = countOp("+", std::move(E.Atomics));
    if (!E.Conditional.empty())
      E.Row.Conditional = countOp("+", std::move(E.Conditional));
    if (E.Row.Sites.empty() || E.Row.Class == AccessClass::Unknown ||
        !E.Row.Exact)
      for (StringRef Rest = E.Row.Why; !Rest.empty();) {
        auto [Why, Next] = Rest.split(", ");
        giveUp(Why);
        Rest = Next;
      }
    R.Rows.push_back(E.Row);
  }
  // A template's region is one, however many instances have their rows.
  auto It =
      find_if(R.RegionRows, [&](const RegionInfo &G) { return G.Id == RI.Id; });
  if (It == R.RegionRows.end())
    It = R.RegionRows.insert(It, RI);
  for (Function *F : Reached) {
    It->Places += placesIn(*F);
    for (auto &[Whose, N] : info(*F).Private)
      It->Private[Whose] += N;
  }
}

/// Code that runs outside all regions: before main, in threads of the program's
/// own, where a library calls back that nobody was seen to hand it to.
void Analyzer::noteOutside() {
  if (!M.getFunction("main"))
    return;
  for (const Function *F : Live)
    if (auto It = Infos.find(F); It != Infos.end() && !InRegions.count(F))
      if (size_t N = It->second->Accesses.size())
        giveUp("outside-regions", N);
}

} // namespace evenkeel
