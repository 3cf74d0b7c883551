//===- Inputs.h - symbols that the program's input tells --------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Makes: for symbols whose value comes from the program's arguments,
// environment or files, the expression over these inputs, and their rows.
//===----------------------------------------------------------------------===//
#ifndef EVENKEEL_PASSES_ACCESS_INPUTS_INPUTS_H
#define EVENKEEL_PASSES_ACCESS_INPUTS_INPUTS_H

#include "access/formulas/SymbolTable.h"
#include "access/inputs/InputTable.h"
#include "objects/Provenance.h"

namespace evenkeel {

/// Expressions over inputs, by symbol. If a symbol is several values, all that
/// have an expression must agree; otherwise the result has a null for it.
/// Symbols that are counted get none.
std::map<uint64_t, CountRef> tieSymbols(llvm::Module &M, const Objects &Obj,
                                        const CallGraph &Graph,
                                        const Provenance &From,
                                        const SymbolTable &Symbols,
                                        InputTable &Inputs);

} // namespace evenkeel

#endif
