//===- Symbols.h - record the values of symbols -----------------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Knows: the values and blocks to which a program's formulas refer. They are
// found in code as simplified for the analysis (Simplify.h), before the
// compiler unrolls loops; the inserted calls survive later passes.
// Makes: calls that report values and execution counts of blocks. Finally the
// calls, except the first of a task, become a few instructions.
// Not here: accesses and their costs (Record.cpp), which are recorded for the
// final code.
//===----------------------------------------------------------------------===//
#ifndef EVENKEEL_PASSES_RECORD_SYMBOLS_H
#define EVENKEEL_PASSES_RECORD_SYMBOLS_H
#include "record/SymbolMarks.h"

namespace llvm {
class Function;
class Instruction;
class Module;
} // namespace llvm

namespace evenkeel {

struct EkAccessResult;

/// Inserts calls that report the symbols of \p R, found in the present \p M.
/// Once per module.
void reportSymbols(llvm::Module &M, const EkAccessResult &R);
bool reportsSymbols(const llvm::Module &M);

/// Removes these calls from \p F; their counters become dead code.
void forgetSymbols(llvm::Function &F);

/// Inlines calls in loops; all other calls share a function. Splits blocks, and
/// the calls cannot be found afterwards.
void inlineSymbols(llvm::Module &M);

} // namespace evenkeel

#endif
