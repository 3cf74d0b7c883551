//===- SymbolMarks.h - code that records symbols ----------------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Knows: how to distinguish instructions that record a symbol from those of the
// program.
//===----------------------------------------------------------------------===//
#ifndef EVENKEEL_PASSES_RECORD_SYMBOLMARKS_H
#define EVENKEEL_PASSES_RECORD_SYMBOLMARKS_H

namespace llvm {
class Instruction;
} // namespace llvm

namespace evenkeel {

/// The function that such code calls, and the metadata of its counters.
constexpr char SymbolEntry[] = "__ek_rec_symbol";
constexpr char SymbolCounter[] = "ek.counter";

/// Whether \p I was inserted to record a symbol.
bool isForSymbol(const llvm::Instruction &I);

} // namespace evenkeel

#endif
