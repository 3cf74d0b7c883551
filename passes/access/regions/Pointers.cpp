//===- Pointers.cpp - the points-to graph ---------------------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Makes: the points-to graph with source names for objects.
//===----------------------------------------------------------------------===//
#include "access/regions/Pointers.h"
#include "unit/Names.h"
#include "llvm/IR/DebugInfoMetadata.h"
#include "llvm/IR/Instructions.h"

using namespace llvm;

namespace evenkeel {

/// The source name of an object; empty: not shown.
static std::string objectName(unsigned Index, const Inventory &Inv,
                              const SourceMap &Source, const Objects &Obj) {
  const MemoryObject &O = Obj.objects()[Index];
  switch (O.Kind) {
  case MemoryObject::Heap:
    if (auto It = Inv.Sites.find(cast<CallBase>(O.V)); It != Inv.Sites.end())
      return It->second.Kind + " " + It->second.At;
    return "site without an id";
  case MemoryObject::Global:
    if (auto It = Inv.Globals.find(cast<GlobalVariable>(O.V));
        It != Inv.Globals.end())
      return It->second.Kind + " " + It->second.At;
    [[fallthrough]];
  case MemoryObject::Stack: {
    if (auto *A = dyn_cast<AllocaInst>(O.V))
      if (auto It = Inv.Stacks.find(A); It != Inv.Stacks.end())
        return It->second.Kind + " " + It->second.At;
    auto Name = nameOfMemory(O.V);
    if (!Name || Name->Text.empty() || Name->Text[0] == '.')
      return "";
    if (!Name->Function)
      return "variable " + Name->Text;
    return "variable " + Source.locateFunction(Name->Function).Function + ":" +
           Name->Text;
  }
  case MemoryObject::Function: {
    auto *F = cast<Function>(O.V);
    const DISubprogram *SP = F->getSubprogram();
    return SP && !isOutlinedHelper(*F) ? "function " + SP->getName().str() : "";
  }
  case MemoryObject::Task:
  case MemoryObject::Shareds: {
    Place P = Source.locateDirective(*cast<CallBase>(O.V));
    return P.known() ? "task " + P.at() : "";
  }
  case MemoryObject::Arguments: {
    const DISubprogram *SP = cast<Function>(O.V)->getSubprogram();
    return SP ? "arguments " + SP->getName().str() : "";
  }
  case MemoryObject::External:
    return "outside";
  case MemoryObject::Anything:
    return "anything";
  }
  llvm_unreachable("object of no kind");
}

std::vector<PointerRow> pointersBetween(const Inventory &Inv,
                                        const SourceMap &Source,
                                        const Objects &Obj) {
  std::vector<PointerRow> Out;
  std::vector<std::string> Names;
  for (unsigned K = 0; K < Obj.objects().size(); ++K)
    Names.push_back(objectName(K, Inv, Source, Obj));
  std::set<std::tuple<std::string, std::optional<int64_t>, std::string>> All;
  for (unsigned K = 0; K < Names.size(); ++K)
    for (auto &[Offset, Where] : Obj.contents(K))
      for (const Location &L : Where)
        if (!Names[K].empty() && !Names[L.first].empty())
          All.insert(
              {Names[K],
               !isExact(Offset) ? std::nullopt : std::optional<int64_t>(Offset),
               Names[L.first]});
  for (auto &[From, Offset, To] : All)
    Out.push_back({From, To, Offset});
  return Out;
}

} // namespace evenkeel
