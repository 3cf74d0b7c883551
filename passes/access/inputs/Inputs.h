//===- Inputs.h - symbols that the program's input tells --------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Makes: for symbols whose value comes from the program's arguments,
// environment or files, how (SymbolRow::Input), and the rows of these inputs.
//===----------------------------------------------------------------------===//
#ifndef EVENKEEL_PASSES_ACCESS_INPUTS_INPUTS_H
#define EVENKEEL_PASSES_ACCESS_INPUTS_INPUTS_H

#include "access/formulas/SymbolTable.h"
#include "access/inputs/InputTable.h"
#include "objects/Provenance.h"

namespace evenkeel {

/// Sets SymbolRow::Input. A symbol that is several values has an input only if
/// all that have one agree. Symbols that are counted get none.
void tieSymbols(llvm::Module &M, const Objects &Obj, const CallGraph &Graph,
                const Provenance &From, SymbolTable &Symbols,
                InputTable &Inputs);

} // namespace evenkeel

#endif
