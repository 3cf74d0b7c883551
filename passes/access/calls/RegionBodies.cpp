//===- RegionBodies.cpp - regions with several functions ------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Knows: a region is a place in the source, which several functions may
// implement: one per template instance, one per function body that includes the
// place, and one per unit that includes a header. A task runs one of them; rows
// of the other functions do not apply to it.
// Makes: for each function of such a region, how often a task runs it (1 or 0),
// as symbols that the recorder records at its entry.
//===----------------------------------------------------------------------===//
#include "access/calls/RegionBodies.h"
#include "format/Identity.h"
#include "llvm/IR/DebugInfoMetadata.h"
#include "llvm/IR/InstrTypes.h"

using namespace llvm;

namespace evenkeel {

/// The number of times that a task of the region \p RI runs \p Body, or the
/// function that is \p Which in any other unit.
static CountRef runsSymbol(Function &Body, const RegionInfo &RI,
                           const std::string &Which,
                           std::vector<RegionBodies::Symbol> &Symbols) {
  SymbolRow Row;
  Row.Id = idAt("symbol:calls of " + idToString(RI.Id) + Which, Place());
  Row.Kind = SymbolLeaf::Measured;
  Row.PerTask = true;
  Row.At = RI.At;
  Row.Name = RI.Function + ":calls." +
             StringRef(RI.At).rsplit(':').first.rsplit(':').second.str();
  SymbolLeaf Leaf;
  Leaf.Id = Row.Id;
  Leaf.Kind = Row.Kind;
  Leaf.PerTask = true;
  Leaf.Block = &Body.getEntryBlock();
  Leaf.F = &Body;
  Leaf.Name = Row.Name;
  Symbols.push_back({Row, Leaf});
  return countSymbol(Row.Id);
}

/// The function whose body includes the region \p RI from another file; empty
/// if the region is written in the function itself.
static std::string includer(const SourceMap &Source, const RegionInfo &RI,
                            const DISubprogram *SP) {
  SP = Source.source(SP);
  if (!SP || !SP->getFile() ||
      StringRef(RI.At).starts_with(
          Source.path(SP->getFile(), SP->getUnit()).first + ":"))
    return "";
  return " included in " + RI.Function;
}

RegionBodies findRegionBodies(const Inventory &Inv, const SourceMap &Source,
                              const CallGraph &Calls) {
  RegionBodies Out;
  struct One {
    Function *Body;
    const RegionInfo *RI;
    CountRef Any, Own; // executions of its instance in any unit, and of itself
  };
  MapVector<uint64_t, SmallVector<One, 2>> Regions;
  for (auto &[F, RI] : Inv.Regions)
    if (RI.Kind != RegionKind::Serial)
      Regions[RI.Id].push_back({F, &RI, nullptr, nullptr});
  for (auto &[Id, All] : Regions) {
    // Other units may have more functions of a header's region, so record this
    // one, too.
    if (All.size() == 1 && !Source.isIncluded(All[0].Body->getSubprogram()))
      continue;
    std::map<uint64_t, unsigned> Number; // by symbol
    std::map<std::string, unsigned> Inclusions;
    for (One &F : All) {
      const DISubprogram *SP = F.Body->getSubprogram();
      std::string Which = Source.instance(SP);
      if (std::string By = includer(Source, *F.RI, SP); !By.empty()) {
        Which += By;
        if (unsigned Before = Inclusions[Which]++)
          Which += "#" + std::to_string(Before);
      }
      F.Any = runsSymbol(*F.Body, *F.RI, Which, Out.Symbols);
      ++Number[F.Any->Sym];
      if (SP && SP->getUnit())
        Which +=
            " of " + Source.path(SP->getUnit()->getFile(), SP->getUnit()).first;
      F.Own = runsSymbol(*F.Body, *F.RI, Which, Out.Symbols);
      ++Number[F.Own->Sym];
    }
    if (All.size() == 1)
      continue;
    // Functions that the tasks of only one of the functions run.
    DenseMap<Function *, unsigned> Runners;
    std::vector<SetVector<Function *>> Reached(All.size());
    for (size_t K = 0; K < All.size(); ++K) {
      Calls.reachFrom(*All[K].Body, Reached[K]);
      for (Function *F : Reached[K])
        ++Runners[F];
    }
    for (size_t K = 0; K < All.size(); ++K) {
      One &F = All[K];
      RegionBody &Mine = Out.Bodies[F.Body];
      Mine.Copied = Number[F.Any->Sym] > 1;
      Mine.Runs = Mine.Copied ? F.Own : F.Any;
      Mine.Alike = Number[Mine.Runs->Sym] > 1;
      for (Function *G : Reached[K])
        if (Runners[G] == 1)
          Mine.Alone.insert(G);
      // If many units define a function, linkers may select any of them.
      auto Forks = Calls.CallSites.find(F.Body);
      if (!Mine.Copied || Forks == Calls.CallSites.end() ||
          none_of(Forks->second, [](const CallBase *CB) {
            return CB->getFunction()->hasLinkOnceLinkage() ||
                   CB->getFunction()->hasWeakLinkage();
          }))
        continue;
      Mine.Runs = F.Any;
      for (const One &G : All)
        if (&G != &F && G.Any->Sym == F.Any->Sym)
          Mine.Runs = countAdd(Mine.Runs, countMul(countConst(-1), G.Own));
    }
  }
  return Out;
}

} // namespace evenkeel
