//===- Access.h - the module analysis ---------------------------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Makes: `EkAccess`, the module analysis (run it after prepareModule); its
// result is in Rows.h.
// Not here: writing files (Emit) and changing code (Prep, Record).
//===----------------------------------------------------------------------===//
#ifndef EVENKEEL_PASSES_ACCESS_ACCESS_H
#define EVENKEEL_PASSES_ACCESS_ACCESS_H

#include "access/Rows.h"

namespace evenkeel {

class EkAccess : public llvm::AnalysisInfoMixin<EkAccess> {
  friend llvm::AnalysisInfoMixin<EkAccess>;
  static llvm::AnalysisKey Key;
  bool WithPointers;

public:
  /// \p WithPointers: also fill in EkAccessResult::Pointers.
  explicit EkAccess(bool WithPointers = false) : WithPointers(WithPointers) {}
  using Result = EkAccessResult;
  Result run(llvm::Module &M, llvm::ModuleAnalysisManager &AM);
  /// For a module that is not needed afterwards and may be changed: returns the
  /// parts keyed by id, and Regions. Needs half the memory for code.
  Result runForRows(llvm::Module &M);
};

} // namespace evenkeel

#endif
