//===- Names.h - source names of values -------------------------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Knows: debug records and debug types: variables, captured references, struct
// members by offset, the task object's shareds.
// Makes: expressions such as "A->n" for the leaves of count expressions.
// Not here: array elements; a leaf loaded from an element has no name.
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
  /// The function whose variable the name starts with; null for globals.
  const llvm::DISubprogram *Function = nullptr;
  /// The name belongs to an SSA value; the variable may have further values.
  bool OfValue = false;
};

/// The source name of the value \p V; nullopt: none.
std::optional<SourceName> nameOfValue(const llvm::Value *V);
/// The source name of the variable at the address \p P; nullopt: none.
std::optional<SourceName> nameOfMemory(const llvm::Value *P);

} // namespace evenkeel

#endif
