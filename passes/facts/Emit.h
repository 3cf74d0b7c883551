//===- Emit.h - facts.json and the access printer ---------------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Knows: how an EkAccessResult looks in facts.json (profiles/format/Facts.h)
// and as text for people and FileCheck.
// Leaves out: analysis.
//===----------------------------------------------------------------------===//
#ifndef EVENKEEL_PASSES_FACTS_EMIT_H
#define EVENKEEL_PASSES_FACTS_EMIT_H

#include "access/Rows.h"
#include "llvm/Support/Error.h"

namespace evenkeel {

/// Writes facts.json, whole or not at all.
llvm::Error writeFacts(const EkAccessResult &R, llvm::StringRef Path);

/// Writes the graph of objects (who holds pointers to whom) and regions (who
/// walks what, how) for Graphviz, whole or not at all.
llvm::Error writeDot(const EkAccessResult &R, llvm::StringRef Path);

/// -Rpass-analysis=evenkeel: a remark for each row, at its first access; what
/// is not known comes as -Rpass-missed=evenkeel.
void remark(const EkAccessResult &R, llvm::Module &M);

/// Regions with their accesses, then sites' sizes, symbols, give-ups; one line
/// each, in a stable order.
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
