//===- Growth.cpp - growth of per-task values -----------------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Knows: the origins of values that differ from task to task, or from call to
// call (Provenance.h), also through recursion: a value that is halved or
// multiplied by a constant when it is passed on grows as before.
// Makes: a formula in values of the whole program with which such a value grows
// (`scales_with`), if all its origins grow alike.
// Not here: values of the whole program (Definitions.cpp).
//===----------------------------------------------------------------------===//
#include "access/formulas/Definitions.h"
#include "objects/Provenance.h"
#include "llvm/Analysis/LoopInfo.h"
#include "llvm/Analysis/ScalarEvolution.h"
#include "llvm/IR/Instructions.h"
#include "llvm/IR/IntrinsicInst.h"

using namespace llvm;

namespace evenkeel {

/// The one symbol of which \p C is a constant multiple or fraction; 0: none.
static uint64_t growsAs(const CountRef &C) {
  if (C->Kind == Count::Symbol)
    return C->Sym;
  if (C->Kind != Count::Op ||
      (C->Name != "*" && C->Name != "floordiv" && C->Name != "ceildiv"))
    return 0;
  uint64_t Out = 0;
  for (const CountRef &A : C->Args) {
    if (A->Kind == Count::Const)
      continue;
    if (Out || (C->Name != "*" && &A != &C->Args.front()))
      return 0;
    Out = growsAs(A);
    if (!Out)
      return 0;
  }
  return Out;
}

std::map<uint64_t, CountRef> growthOfSymbols(const Provenance &From,
                                             const HoistedLoads &Loads,
                                             Formulas &Forms,
                                             FunctionTable &Functions,
                                             SymbolTable &Symbols) {
  const std::vector<SymbolLeaf> &Leaves = Symbols.leaves();
  assert(Forms.isOfOneCall() && "arguments may differ from call to call");
  const size_t Asked = Leaves.size();
  std::set<uint64_t> Known;
  for (const SymbolLeaf &L : Leaves)
    Known.insert(L.Id);
  // The possible growth of each symbol; null: an origin without a formula.
  std::map<uint64_t, std::vector<CountRef>> Candidates;
  // Formulas may add symbols at the end of Leaves.
  for (size_t K = 0; K < Leaves.size(); ++K) {
    SymbolLeaf Leaf = Leaves[K];
    if (!Leaf.V || isa<MemIntrinsic>(Leaf.V) || !Leaf.PerTask)
      continue;
    std::vector<CountRef> &Of = Candidates[Leaf.Id];
    FunctionInfo &Own = Functions.info(*const_cast<Function *>(Leaf.F));
    SmallVector<Value *, 2> Origins = From.originsOf(Leaf.V);
    if (Origins.empty())
      Of.push_back(Forms.growsWith(Leaf.V, Own));
    for (Value *O : Origins) {
      auto *D = dyn_cast<Instruction>(O);
      auto *A = dyn_cast<Argument>(O);
      CountRef E;
      std::string Why;
      if (auto *C = dyn_cast<ConstantInt>(O);
          C && C->getValue().getSignificantBits() <= 62)
        E = countConst(C->getSExtValue());
      if (D || A) {
        FunctionInfo &FI =
            Functions.info(D ? *D->getFunction() : *A->getParent());
        E = Forms.toCount(FI.SE->getSCEV(O),
                          D ? FI.LI->getLoopFor(Loads.home(*D)) : nullptr, FI,
                          Why);
      }
      Of.push_back(E);
    }
  }
  std::map<uint64_t, CountRef> Growth;
  for (auto &[Id, Of] : Candidates) {
    if (Symbols.row(Id).ScalesWith)
      continue;
    std::set<uint64_t> Seen{Id};
    std::vector<uint64_t> Work{Id};
    CountRef Only;
    bool One = true;
    while (One && !Work.empty()) {
      uint64_t Next = Work.back();
      Work.pop_back();
      for (const CountRef &C : Candidates[Next]) {
        if (!C) {
          One = false;
          break;
        }
        uint64_t As = growsAs(C);
        if (As && Candidates.count(As)) {
          if (Seen.insert(As).second)
            Work.push_back(As);
          continue;
        }
        // In terms of values of the whole program only.
        CountRef Root = As ? countSymbol(As) : C;
        One &= Symbols.isProgramWide(Root) && (!Only || sameCount(Only, Root));
        Only = Root;
      }
    }
    if (One && Only)
      Growth[Id] = Only;
  }
  // Record only the variables that formulas need, not intermediate ones.
  Symbols.dropLeaves(Asked, [&](const SymbolLeaf &L) {
    return L.PerTask || Known.count(L.Id);
  });
  return Growth;
}

} // namespace evenkeel
