//===- Definitions.h - symbols in terms of others ---------------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Makes: what symbols are, or grow with, in terms of other symbols
// (Definitions.cpp, Growth.cpp).
//===----------------------------------------------------------------------===//
#ifndef EVENKEEL_PASSES_ACCESS_FORMULAS_DEFINITIONS_H
#define EVENKEEL_PASSES_ACCESS_FORMULAS_DEFINITIONS_H

#include "access/formulas/FunctionTable.h"

namespace evenkeel {

class Provenance;

/// Says of symbols what they are in terms of others, in formulas of one call.
void defineSymbols(llvm::Module &M, const Objects &Obj,
                   const HoistedLoads &Loads, Formulas &Forms,
                   FunctionTable &Functions, SymbolTable &Symbols);
/// Says of symbols with a value of their own in each task what they grow with.
void growSymbols(const Provenance &From, const HoistedLoads &Loads,
                 Formulas &Forms, FunctionTable &Functions,
                 SymbolTable &Symbols);

} // namespace evenkeel

#endif
