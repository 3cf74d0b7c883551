//===- Definitions.h - symbols in terms of other symbols --------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Makes: formulas in other symbols for the value or growth of symbols
// (Definitions.cpp, Growth.cpp).
//===----------------------------------------------------------------------===//
#ifndef EVENKEEL_PASSES_ACCESS_FORMULAS_DEFINITIONS_H
#define EVENKEEL_PASSES_ACCESS_FORMULAS_DEFINITIONS_H

#include "access/formulas/FunctionTable.h"

namespace evenkeel {

class Provenance;

/// Defines symbols in terms of other symbols, in formulas for one call.
void defineSymbols(const Provenance &From, const HoistedLoads &Loads,
                   Formulas &Forms, FunctionTable &Functions,
                   SymbolTable &Symbols);
/// Finds what symbols with one value per task grow with.
void growSymbols(const Provenance &From, const HoistedLoads &Loads,
                 Formulas &Forms, FunctionTable &Functions,
                 SymbolTable &Symbols);

} // namespace evenkeel

#endif
