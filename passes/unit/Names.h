//===- Names.h - what a value is called in the source -----------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Knows: debug records and debug types: variables, captured references, struct
// members by offset, the task object's shareds.
// Makes: expressions such as "A->n" for leaves of count expressions.
// Leaves out: array elements; a leaf read through one has no name.
//===----------------------------------------------------------------------===//
#ifndef EVENKEEL_PASSES_UNIT_NAMES_H
#define EVENKEEL_PASSES_UNIT_NAMES_H

#include "llvm/IR/DebugInfoMetadata.h"
#include "llvm/IR/Value.h"
#include <optional>
#include <string>

namespace evenkeel {

struct SourceName {
  std::string Text;
  const llvm::DIType *Type = nullptr;
  /// Function whose variable the name starts with; null for globals.
  const llvm::DISubprogram *Function = nullptr;
  /// The name is of an SSA value, and the variable may have others.
  bool OfValue = false;
};

/// Name of the value \p V; nullopt when the source gives it none.
std::optional<SourceName> nameOfValue(const llvm::Value *V);
/// Name of the variable at the address \p P.
std::optional<SourceName> nameOfMemory(const llvm::Value *P);

} // namespace evenkeel

#endif
