//===- Ranges.cpp - offsets and sizes of ranges ---------------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Knows: the pointers at which ranges of objects begin.
// Makes: their offset in the object, and their size: up to the start of the
// next range or the end of the object.
//===----------------------------------------------------------------------===//
#include "access/regions/SiteTable.h"
#include "llvm/Analysis/LoopInfo.h"
#include "llvm/Analysis/ScalarEvolution.h"
#include "llvm/IR/Instructions.h"

using namespace llvm;

namespace evenkeel {

/// \p C as a sum of products, so that differences can be folded.
static CountRef expanded(const CountRef &C) {
  if (!C || C->Kind != Count::Op || (C->Name != "+" && C->Name != "*"))
    return C;
  std::vector<CountRef> Sum;
  if (C->Name == "+") {
    for (const CountRef &A : C->Args)
      Sum.push_back(expanded(A));
    return countOp("+", std::move(Sum));
  }
  Sum = {countConst(1)};
  for (const CountRef &A : C->Args) {
    CountRef E = expanded(A);
    bool Many = E->Kind == Count::Op && E->Name == "+";
    std::vector<CountRef> Next;
    for (const CountRef &Left : Sum)
      for (const CountRef &Right : Many ? E->Args : std::vector<CountRef>{E})
        Next.push_back(countMul(Left, Right));
    Sum = std::move(Next);
  }
  return countOp("+", std::move(Sum));
}

/// The offset of range \p K in object \p O in bytes; null: no formula.
CountRef SiteTable::rangeOffset(unsigned K, unsigned O, unsigned Depth) {
  GetElementPtrInst &G = Obj.carving(K);
  CountRef Before;
  for (const Location &L : Obj.pointsTo(G.getPointerOperand())) {
    if (L.first != O)
      continue;
    if (Before || Depth > 16) // from several places
      return nullptr;
    Before = isExact(L.second) ? countConst(L.second)
             : isInRange(L.second)
                 ? rangeOffset(rangeOf(L.second), O, Depth + 1)
                 : nullptr;
    if (!Before)
      return nullptr;
  }
  FunctionInfo &FI = Functions.info(*G.getFunction());
  const SCEV *Distance = FI.SE->getMinusSCEV(
      FI.SE->getSCEV(&G), FI.SE->getSCEV(G.getPointerOperand()));
  std::string Why;
  CountRef Own =
      isa<SCEVCouldNotCompute>(Distance)
          ? nullptr
          : Forms.toCount(Distance, FI.LI->getLoopFor(G.getParent()), FI, Why);
  return Before && Own ? expanded(countAdd(Before, Own)) : nullptr;
}

/// Adds the ranges of the object that \p Maker creates, if accesses name them.
void SiteTable::ranges(Value *Maker, SiteRow &Row) {
  unsigned O = Obj.indexOf(Maker);
  for (auto &[K, Of] : Accesses.namedRanges()) {
    if (Of != O)
      continue;
    CountRef Offset = rangeOffset(K, O);
    SiteRow::Range New{Owners.rangeId(K),
                       Source.locate(Obj.carving(K).getDebugLoc()).at(), Offset,
                       nullptr};
    auto It = find_if(Row.Ranges, [&](const SiteRow::Range &Old) {
      return Old.Id == New.Id;
    });
    if (It == Row.Ranges.end())
      Row.Ranges.push_back(New);
    else if (!sameCount(It->Offset, Offset))
      It->Offset = nullptr; // copies of one place with different offsets
  }
}

/// Each range ends at the nearest range after it, if that is known.
void SiteTable::sizeRanges(SiteRow &Row) {
  for (SiteRow::Range &R : Row.Ranges) {
    if (!R.Offset) {
      ++GiveUps["range-offset"];
      continue;
    }
    std::vector<CountRef> After;
    auto Add = [&](const CountRef &End) {
      CountRef Bytes =
          End ? expanded(countOp("-", {expanded(End), R.Offset})) : nullptr;
      if (Bytes && !isConst(Bytes, 0) && Forms.neverNegative(Bytes))
        After.push_back(Bytes);
    };
    bool All = Row.Sizes.size() <= 1;
    for (const SiteRow::Range &Other : Row.Ranges) {
      All &= bool(Other.Offset);
      Add(Other.Offset);
    }
    Add(Row.Size);
    for (const CountRef &Bytes : After)
      if (All && all_of(After, [&](const CountRef &Other) {
            return Forms.neverNegative(expanded(countOp("-", {Other, Bytes})));
          }))
        R.Size = Bytes;
    if (!R.Size)
      ++GiveUps["range-size"];
  }
  llvm::sort(Row.Ranges, [](const SiteRow::Range &A, const SiteRow::Range &B) {
    return std::tie(A.At, A.Id) < std::tie(B.At, B.Id);
  });
}

} // namespace evenkeel
