//===- Inputs.cpp - symbols that the program's input tells ----------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// See Inputs.h.
//===----------------------------------------------------------------------===//
#include "access/inputs/Inputs.h"
#include "access/inputs/InputFinder.h"

using namespace llvm;

namespace evenkeel {

std::map<uint64_t, CountRef> tieSymbols(Module &M, const Objects &Obj,
                                        const CallGraph &Graph,
                                        const Provenance &From,
                                        const SymbolTable &Symbols,
                                        InputTable &Inputs) {
  InputFinder Finder(M, Obj, Graph, From, Inputs);
  std::map<uint64_t, CountRef> Found;
  for (const SymbolLeaf &L : Symbols.leaves()) {
    if (!L.V || isa<MemIntrinsic>(L.V))
      continue;
    const CountRef C = Finder.valueOf(L.V);
    if (!C)
      continue;
    auto [It, New] = Found.try_emplace(L.Id, C);
    if (!New && It->second && !sameCount(It->second, C))
      It->second = nullptr;
  }
  return Found;
}

} // namespace evenkeel
