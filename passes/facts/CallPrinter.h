//===- CallPrinter.h - the table of calls as text ---------------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Knows: the text form, for FileCheck, of the table of calls and of the objects
// that functions write to: print<ek-calls>.
//===----------------------------------------------------------------------===//
#ifndef EVENKEEL_PASSES_FACTS_CALLPRINTER_H
#define EVENKEEL_PASSES_FACTS_CALLPRINTER_H

#include "llvm/IR/PassManager.h"

namespace evenkeel {

/// One line per defined function, in module order: "function NAME", its
/// properties (live, recursive, on a team, forked by a team), the functions
/// that it calls on its own thread, and the objects that its own code may write
/// to.
class CallPrinter : public llvm::PassInfoMixin<CallPrinter> {
  llvm::raw_ostream &OS;

public:
  explicit CallPrinter(llvm::raw_ostream &OS) : OS(OS) {}
  llvm::PreservedAnalyses run(llvm::Module &M, llvm::ModuleAnalysisManager &AM);
  static bool isRequired() { return true; }
};

} // namespace evenkeel

#endif
