//===- Writes.cpp - memory that functions write ---------------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// See Writes.h.
//===----------------------------------------------------------------------===//
#include "access/values/Writes.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/Module.h"

using namespace llvm;

namespace evenkeel {

Writes findWrites(Module &M, const Objects &Obj) {
  Writes Out;
  for (Function &F : M) {
    LocationSet &Own = Out.Written[&F];
    for (Instruction &I : instructions(F)) {
      LocationSet W = Obj.written(I);
      Own.insert(W.begin(), W.end());
    }
    for (auto It = Own.begin(); It != Own.end();
         It = Own.upper_bound({It->first, INT64_MAX}))
      Out.Writers[It->first].push_back(&F);
  }
  return Out;
}

const LocationSet &Writes::of(const Function &F) const {
  return Written.find(&F)->second;
}

bool Writes::mayWrite(const SetVector<Function *> &Who,
                      const LocationSet &Where) const {
  auto Asks = [&](Function *F) { return overlaps(Where, of(*F)); };
  auto Anywhere = Writers.find(AnythingObject);
  if (Where.count({AnythingObject, AnyOffset}))
    return any_of(Who, Asks);
  if (Anywhere != Writers.end() &&
      any_of(Anywhere->second, [&](Function *F) { return Who.contains(F); }))
    return true;
  for (auto It = Where.begin(); It != Where.end();
       It = Where.upper_bound({It->first, INT64_MAX})) {
    auto W = Writers.find(It->first);
    if (W == Writers.end())
      continue;
    if (Who.size() < W->second.size() ? any_of(Who, Asks)
                                      : any_of(W->second, [&](Function *F) {
                                          return Who.contains(F) && Asks(F);
                                        }))
      return true;
  }
  return false;
}

} // namespace evenkeel
