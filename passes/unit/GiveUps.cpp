//===- GiveUps.cpp - give-ups stored in a module --------------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// See GiveUps.h.
//===----------------------------------------------------------------------===//
#include "unit/GiveUps.h"
#include "llvm/IR/Metadata.h"
#include "llvm/IR/Module.h"

using namespace llvm;

namespace evenkeel {

void noteGiveUp(Module &M, StringRef Why, uint64_t Number) {
  LLVMContext &C = M.getContext();
  M.getOrInsertNamedMetadata("ek.giveups")
      ->addOperand(MDNode::get(C, {MDString::get(C, Why),
                                   MDString::get(C, std::to_string(Number))}));
}

std::map<std::string, uint64_t> notedGiveUps(const Module &M) {
  std::map<std::string, uint64_t> Out;
  if (const NamedMDNode *G = M.getNamedMetadata("ek.giveups"))
    for (const MDNode *Node : G->operands())
      if (Node->getNumOperands() == 2) {
        uint64_t Number = 0;
        cast<MDString>(Node->getOperand(1))
            ->getString()
            .getAsInteger(10, Number);
        Out[cast<MDString>(Node->getOperand(0))->getString().str()] += Number;
      }
  return Out;
}

} // namespace evenkeel
