//===- Variables.h - static variables of a linked file ----------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Knows: variables with a fixed address in the debug information of C, C++ and
// Fortran: globals, static members, arrays of modules, saved arrays, COMMON
// blocks. Their ids are those of the analysis. A COMMON block is one variable,
// "/name/", whatever each unit calls its parts; compilers that do not describe
// it leave its symbol, "name_".
// Not here: which of them matter.
//===----------------------------------------------------------------------===//
#ifndef EVENKEEL_PASSES_STACKS_VARIABLES_H
#define EVENKEEL_PASSES_STACKS_VARIABLES_H

#include "Binary.h"
#include "format/Identity.h"
#include "llvm/ADT/STLFunctionalExtras.h"

namespace evenkeel {

struct StaticVariable {
  std::string Name; // as the source spells it
  std::string Unit; // the module or procedure that has it, or empty
  std::string File; // where it is declared; empty: not known
  unsigned Line = 0;
  std::string Function;      // whose body has it; empty: none
  unsigned FunctionLine = 0; // where that begins
  uint64_t Address = 0, Bytes = 0;
  bool IsCommon = false;

  /// Its key, if its file is \p Path in ids.
  EntityKey key(const std::string &Path) const;
  /// For people: "store::charge", "/particle/".
  std::string shown() const { return Unit.empty() ? Name : Unit + "::" + Name; }
};

bool isFortran(llvm::DWARFUnit &U);

/// Calls \p Take with each variable of \p U, the whole unit. Sizes of Fortran
/// units come from the symbols of \p File.
void forEachVariable(const llvm::object::ObjectFile &File, llvm::DWARFUnit &U,
                     llvm::function_ref<void(const StaticVariable &)> Take);

/// Calls \p Take with each COMMON block of \p B that no unit describes, unless
/// \p B has no unit in Fortran.
void forEachBareCommon(LinkedFile &B,
                       llvm::function_ref<void(const StaticVariable &)> Take);

} // namespace evenkeel

#endif
