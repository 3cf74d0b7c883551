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

/// Formulas for the values and the growth of symbols. May add symbols.
SymbolRelations relateSymbols(const Provenance &From, const HoistedLoads &Loads,
                              Formulas &Forms, FunctionTable &Functions,
                              SymbolTable &Symbols);
/// What symbols with one value per task grow with, by id.
std::map<uint64_t, CountRef> growthOfSymbols(const Provenance &From,
                                             const HoistedLoads &Loads,
                                             Formulas &Forms,
                                             FunctionTable &Functions,
                                             SymbolTable &Symbols);

} // namespace evenkeel

#endif
