//===- SymbolMarks.cpp - code that records symbols ------------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// See SymbolMarks.h.
//===----------------------------------------------------------------------===//
#include "record/SymbolMarks.h"
#include "llvm/IR/Function.h"
#include "llvm/IR/InstrTypes.h"

using namespace llvm;

namespace evenkeel {

bool isForSymbol(const Instruction &I) {
  if (I.hasMetadata(SymbolCounter))
    return true;
  auto *CB = dyn_cast<CallBase>(&I);
  const Function *Callee = CB ? CB->getCalledFunction() : nullptr;
  return Callee && Callee->getName() == SymbolEntry;
}

} // namespace evenkeel
