//===- SymbolMarks.h - code that is there for symbols -----------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Knows: what tells instructions that take down a symbol from those of the
// program.
//===----------------------------------------------------------------------===//
#ifndef EVENKEEL_PASSES_RECORD_SYMBOLMARKS_H
#define EVENKEEL_PASSES_RECORD_SYMBOLMARKS_H

namespace llvm {
class Instruction;
} // namespace llvm

namespace evenkeel {

/// What such code calls, and the metadata of its counters.
constexpr char SymbolEntry[] = "__ek_rec_symbol";
constexpr char SymbolCounter[] = "ek.counter";

/// Whether \p I is there for a symbol, and no part of the program.
bool isForSymbol(const llvm::Instruction &I);

} // namespace evenkeel

#endif
