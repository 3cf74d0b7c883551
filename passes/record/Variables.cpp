//===- Variables.cpp - environment variables of a program -----------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// See Variables.h.
//===----------------------------------------------------------------------===//
#include "record/Variables.h"
#include "access/inputs/Conversions.h"
#include "format/inputs/ek_input.h"
#include "llvm/IR/Constants.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/Instructions.h"
#include "llvm/IR/Module.h"
#include "llvm/Transforms/Utils/ModuleUtils.h"
#include <set>

using namespace llvm;

namespace evenkeel {

void markVariables(Module &M) {
  std::set<std::string> Names;
  for (const Function &F : M)
    for (const Instruction &I : instructions(F))
      if (auto *CB = dyn_cast<CallBase>(&I))
        if (const StringRef Name = plainName(*CB);
            Name == "getenv" || Name == "secure_getenv")
          if (std::optional<std::string> V = literalAt(CB->getArgOperand(0)))
            Names.insert(*V);
  SmallVector<GlobalValue *, 4> Marks;
  for (const std::string &Name : Names) {
    Constant *Text = ConstantDataArray::getString(M.getContext(),
                                                  EK_ENVIRONMENT_MARK + Name);
    Marks.push_back(new GlobalVariable(M, Text->getType(), /*isConstant=*/true,
                                       GlobalValue::PrivateLinkage, Text,
                                       "__ek_rec_variable"));
  }
  appendToUsed(M, Marks);
}

} // namespace evenkeel
