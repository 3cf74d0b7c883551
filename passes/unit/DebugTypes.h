//===- DebugTypes.h - types in debug information ----------------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Knows: the layers between a type and its name: typedefs and qualifiers.
//===----------------------------------------------------------------------===//
#ifndef EVENKEEL_PASSES_UNIT_DEBUGTYPES_H
#define EVENKEEL_PASSES_UNIT_DEBUGTYPES_H

#include "llvm/BinaryFormat/Dwarf.h"
#include "llvm/IR/DebugInfoMetadata.h"

namespace evenkeel {

/// \p T without typedefs and qualifiers; null for null.
inline const llvm::DIType *unqualified(const llvm::DIType *T) {
  namespace dwarf = llvm::dwarf;
  while (auto *D = llvm::dyn_cast_or_null<llvm::DIDerivedType>(T)) {
    switch (D->getTag()) {
    case dwarf::DW_TAG_typedef:
    case dwarf::DW_TAG_const_type:
    case dwarf::DW_TAG_volatile_type:
    case dwarf::DW_TAG_restrict_type:
    case dwarf::DW_TAG_atomic_type:
      T = D->getBaseType();
      continue;
    default:
      return T;
    }
  }
  return T;
}

} // namespace evenkeel

#endif
