//===- Calls.cpp - callees and captured variables of calls ----------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// See Calls.h.
//===----------------------------------------------------------------------===//
#include "unit/Calls.h"
#include "llvm/Demangle/Demangle.h"
#include "llvm/IR/Function.h"
#include <cstdlib>

using namespace llvm;

namespace evenkeel {

Function *calleeOf(const CallBase &CB) {
  return dyn_cast<Function>(
      CB.getCalledOperand()->stripPointerCastsAndAliases());
}

std::string qualifiedName(const Function &F) {
  std::string Mangled = F.getName().str();
  ItaniumPartialDemangler D;
  if (!StringRef(Mangled).starts_with("_Z") ||
      D.partialDemangle(Mangled.c_str()) || !D.isFunction())
    return Mangled;
  char *Text = D.getFunctionName(nullptr, nullptr);
  std::string Out;
  unsigned Depth = 0;
  for (const char *C = Text; C && *C; ++C) {
    Depth += *C == '<';
    if (!Depth)
      Out += *C;
    Depth -= *C == '>' && Depth;
  }
  std::free(Text);
  return Out;
}

bool isForkCall(const CallBase &CB) {
  Function *F = calleeOf(CB);
  return F && (F->getName() == "__kmpc_fork_call" ||
               F->getName() == "__kmpc_fork_call_if");
}

unsigned firstCapture(const CallBase &CB) {
  return calleeOf(CB)->getName() == "__kmpc_fork_call_if" ? 4 : 3;
}

const Value *handedOver(const CallBase &CB, const Argument &A) {
  unsigned N = A.getArgNo();
  if (isForkCall(CB))
    N += firstCapture(CB) - 2;
  return N < CB.arg_size() ? CB.getArgOperand(N) : nullptr;
}

bool isTaskAlloc(const CallBase &CB) {
  Function *F = calleeOf(CB);
  return F && (F->getName() == "__kmpc_omp_task_alloc" ||
               F->getName() == "__kmpc_omp_target_task_alloc");
}

Function *outlinedCallee(const CallBase &CB) {
  unsigned Arg = isForkCall(CB) ? 2 : isTaskAlloc(CB) ? 5 : ~0u;
  if (Arg >= CB.arg_size())
    return nullptr;
  return dyn_cast<Function>(
      CB.getArgOperand(Arg)->stripPointerCastsAndAliases());
}

} // namespace evenkeel
