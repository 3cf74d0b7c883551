//===- FunctionInfo.cpp - analyses of one function ------------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// See FunctionInfo.h.
//===----------------------------------------------------------------------===//
#include "access/loops/FunctionInfo.h"
#include "llvm/Analysis/ScalarEvolutionExpressions.h"

using namespace llvm;

namespace evenkeel {

void leavesOf(const SCEV *S, SmallPtrSetImpl<const Value *> &Out) {
  struct Visitor {
    SmallPtrSetImpl<const Value *> &Out;
    bool follow(const SCEV *S) {
      if (auto *U = dyn_cast<SCEVUnknown>(S))
        Out.insert(U->getValue());
      return true;
    }
    bool isDone() const { return false; }
  } V{Out};
  visitAll(S, V);
}

} // namespace evenkeel
