//===- Emit.h - facts.json and the access printer ---------------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Knows: the form of an EkAccessResult in facts.json (profiles/format/Facts.h),
// and as text for people and FileCheck.
// Not here: analysis.
//===----------------------------------------------------------------------===//
#ifndef EVENKEEL_PASSES_FACTS_EMIT_H
#define EVENKEEL_PASSES_FACTS_EMIT_H

#include "access/Rows.h"
#include "llvm/Support/Error.h"

namespace evenkeel {

/// Writes facts.json, completely or not at all.
llvm::Error writeFacts(const EkAccessResult &R, llvm::StringRef Path);

/// Writes the graph of objects (which object holds pointers to which) and
/// regions (which region accesses which object, and its access class) for
/// Graphviz, completely or not at all.
llvm::Error writeDot(const EkAccessResult &R, llvm::StringRef Path);

/// -Rpass-analysis=evenkeel: prints a remark for each row, at its first access;
/// unknown rows are printed as -Rpass-missed=evenkeel.
void remark(const EkAccessResult &R, llvm::Module &M);

/// Prints regions with their accesses, then site sizes, symbols, the inputs
/// that determine symbols, and give-ups, one per line, in a stable order.
void printAccesses(const EkAccessResult &R, llvm::raw_ostream &OS);

/// print<ek-access>
class AccessPrinter : public llvm::PassInfoMixin<AccessPrinter> {
  llvm::raw_ostream &OS;

public:
  explicit AccessPrinter(llvm::raw_ostream &OS) : OS(OS) {}
  llvm::PreservedAnalyses run(llvm::Module &M, llvm::ModuleAnalysisManager &AM);
  static bool isRequired() { return true; }
};

} // namespace evenkeel

#endif
