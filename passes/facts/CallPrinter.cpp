//===- CallPrinter.cpp - the table of calls as text -----------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// See CallPrinter.h.
//===----------------------------------------------------------------------===//
#include "facts/CallPrinter.h"
#include "access/calls/CallGraph.h"
#include "access/values/Writes.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/IR/Module.h"
#include "llvm/Support/raw_ostream.h"

using namespace llvm;

namespace evenkeel {

/// The names of the globals and stack variables in \p Where, each once.
static std::vector<std::string> objectsIn(const LocationSet &Where,
                                          const Objects &Obj) {
  std::vector<std::string> Names;
  for (const Location &L : Where) {
    const MemoryObject &O = Obj.objects()[L.first];
    std::string Name = O.Kind == MemoryObject::Anything   ? "anything"
                       : O.Kind == MemoryObject::External ? "outside"
                       : O.V && O.V->hasName()            ? O.V->getName().str()
                                                          : "unnamed";
    if (Names.empty() || Names.back() != Name)
      Names.push_back(Name);
  }
  return Names;
}

PreservedAnalyses CallPrinter::run(Module &M, ModuleAnalysisManager &) {
  const Inventory Inv = recall(M);
  const Objects Obj(M);
  const CallGraph Graph = withTeams(findCalls(M, Obj, Inv), M, Inv);
  const Writes Written = findWrites(M, Obj);
  for (Function &F : M) {
    if (F.isDeclaration())
      continue;
    OS << "function " << F.getName();
    if (Graph.Live.contains(&F))
      OS << " live";
    if (Graph.Recursive.contains(&F))
      OS << " recursive";
    if (Graph.OnTeam.contains(&F))
      OS << " on-team";
    if (Graph.Nested.contains(&F))
      OS << " forked-by-team";
    if (auto It = Graph.Callees.find(&F); It != Graph.Callees.end()) {
      ListSeparator Comma(",");
      OS << " calls ";
      for (const Function *Callee : It->second)
        OS << Comma << Callee->getName();
    }
    if (std::vector<std::string> Names = objectsIn(Written.of(F), Obj);
        !Names.empty())
      OS << " writes " << join(Names, ",");
    OS << '\n';
  }
  return PreservedAnalyses::all();
}

} // namespace evenkeel
