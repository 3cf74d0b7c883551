//===- RowCalls.cpp - look-ups of a table's rows --------------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// See RowCalls.h. The same accesses as in the analysis (access/walks) look rows
// up, except those that callers move: their loops are in other functions.
//===----------------------------------------------------------------------===//
#include "record/RowCalls.h"
#include "record/Runtime.h"
#include "unit/RowSteps.h"
#include "llvm/Analysis/LoopInfo.h"
#include "llvm/Analysis/ScalarEvolutionExpressions.h"
#include "llvm/IR/Dominators.h"
#include "llvm/Transforms/Utils/LoopUtils.h"
#include "llvm/Transforms/Utils/ScalarEvolutionExpander.h"

using namespace llvm;

namespace evenkeel {

namespace {

struct LookUp {
  const Loop *Selects; // its iterations select rows
  Loop *Walks;         // the outermost loop within that; null: none
  const SCEV *Start;   // of the run through the row
  const SCEV *RowBytes;
};

} // namespace

/// The look-up that the access \p A makes, if any.
static std::optional<LookUp> lookUpOf(const RecordedAccess &A, LoopInfo &LI,
                                      ScalarEvolution &SE) {
  const SCEV *S = SE.getSCEV(A.Address);
  LookUp Out{nullptr, nullptr, S, nullptr};
  const SCEVConstant *Step = nullptr;
  bool Runs = A.Length != nullptr;
  for (Loop *L = LI.getLoopFor(A.I->getParent()); L; L = L->getParentLoop()) {
    auto *AR = dyn_cast<SCEVAddRecExpr>(S);
    if (AR && AR->getLoop() == L && AR->isAffine()) {
      Step = Runs ? Step : dyn_cast<SCEVConstant>(AR->getStepRecurrence(SE));
      Runs = true;
      S = AR->getStart();
    } else if (!SE.isLoopInvariant(S, L)) {
      const RowStep Row = rowStep(S, *L, SE);
      auto *Bytes = dyn_cast_or_null<SCEVConstant>(Row.Bytes);
      auto *Phi = Row.Index ? dyn_cast<PHINode>(Row.Index) : nullptr;
      const bool Steps = Phi && Phi->getParent() == L->getHeader();
      // Segments of varying lengths, and walks that data only delay, are none.
      if (!Row.Bytes || (Steps && (Runs || A.Walks)) ||
          (Bytes && Step &&
           Bytes->getAPInt().sle(Step->getAPInt().abs().getSExtValue())))
        return std::nullopt;
      Out.Selects = L;
      Out.Start = S;
      Out.RowBytes = Row.Bytes;
      return Out;
    }
    Out.Walks = L;
  }
  return std::nullopt;
}

/// Whether two look-ups in one loop select the same row: other fields of it.
static bool isSameRow(const LookUp &A, const LookUp &B, ScalarEvolution &SE) {
  if (A.Selects != B.Selects || A.RowBytes != B.RowBytes ||
      SE.getPointerBase(A.Start) != SE.getPointerBase(B.Start))
    return false;
  auto *Apart = dyn_cast<SCEVConstant>(SE.getMinusSCEV(A.Start, B.Start));
  auto *Bytes = dyn_cast<SCEVConstant>(A.RowBytes);
  return Apart && (Apart->isZero() || !Bytes ||
                   Apart->getAPInt().abs().ult(Bytes->getAPInt().abs()));
}

std::vector<RowCall> findRowCalls(ArrayRef<RecordedAccess> Accesses,
                                  DominatorTree &DT, LoopInfo &LI,
                                  ScalarEvolution &SE) {
  std::vector<RowCall> Out;
  std::vector<std::pair<LookUp, Instruction *>> Made;
  for (const RecordedAccess &A : Accesses) {
    if (A.Info & (RecordUncounted | RecordDependent))
      continue;
    std::optional<LookUp> L = lookUpOf(A, LI, SE);
    if (!L)
      continue;
    Instruction *Before = A.I;
    if (L->Walks) {
      BasicBlock *Entry = L->Walks->getLoopPreheader();
      if (!Entry)
        Entry = InsertPreheaderForLoop(L->Walks, &DT, &LI, nullptr,
                                       /*PreserveLCSSA=*/false);
      if (!Entry)
        continue;
      Before = Entry->getTerminator();
    }
    if (any_of(Made, [&](const auto &Other) {
          return isSameRow(*L, Other.first, SE) &&
                 (Other.second == Before || DT.dominates(Other.second, Before));
        }))
      continue;
    auto *Base = dyn_cast<SCEVUnknown>(SE.getPointerBase(L->Start));
    SCEVExpander Expander(SE, A.I->getDataLayout(), "ek.row");
    if (!Base || !DT.dominates(Base->getValue(), Before) ||
        (L->Walks && !Expander.isSafeToExpandAt(L->Start, Before)) ||
        !Expander.isSafeToExpandAt(L->RowBytes, Before))
      continue;
    Type *I64 = Type::getInt64Ty(Before->getContext());
    Value *Address =
        L->Walks
            ? Expander.expandCodeFor(L->Start, A.Address->getType(), Before)
            : A.Address;
    Value *RowBytes = Expander.expandCodeFor(
        SE.getTruncateOrSignExtend(L->RowBytes, I64), I64, Before);
    Out.push_back({Before, Base->getValue(), Address, RowBytes});
    Made.emplace_back(*L, Before);
  }
  return Out;
}

} // namespace evenkeel
