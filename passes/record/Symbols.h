//===- Symbols.h - values of symbols, told by code --------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Knows: which values and blocks the formulas of a program speak of. They are
// found in the shape in which programs are analysed (Simplify.h), before the
// compiler goes on to unroll loops; what is put there for them survives that.
// Makes: calls that tell values and how often blocks ran; in the end those
// calls, but for the first of a task, become a few instructions.
// Leaves out: accesses and their costs (Record.cpp), for which the code counts
// as it is finally compiled.
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

/// Tells the symbols of \p R, found in \p M as it is now. Once per module.
void tellSymbols(llvm::Module &M, const EkAccessResult &R);
bool symbolsAreTold(const llvm::Module &M);

/// Takes what tells symbols out of \p F; counters of theirs are dead code then.
void forgetSymbols(llvm::Function &F);

/// Inlines what calls in loops do; others share a function. Splits blocks;
/// nothing may look for the calls later.
void inlineSymbols(llvm::Module &M);

} // namespace evenkeel

#endif
