//===- LibraryForms.h - calls of OpenMP and memkind -------------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Knows: which call of a library does what a call of the C library did, and
// where the kind of memory stands in it.
// Not here: which calls are rewritten (Groups.h), and the generated header
// (MemoryHeader.h).
//===----------------------------------------------------------------------===//
#ifndef EVENKEEL_REWRITER_LIBRARY_LIBRARYFORMS_H
#define EVENKEEL_REWRITER_LIBRARY_LIBRARYFORMS_H

#include "unit/CollectOptions.h"
#include "llvm/ADT/StringRef.h"

namespace evenkeel {

/// NamePlace in First and Last stands for the kind of memory.
struct LibraryForm {
  const char *Function; // of the C library
  const char *Name;     // of its replacement
  const char *First;    // before the arguments
  const char *Last;     // behind them
};

/// The form for \p Function; null: the library has no such call.
const LibraryForm *libraryForm(LibraryCalls Style, llvm::StringRef Function);

/// Whether \p Name is an allocation function of the generated header.
inline bool isMemoryHelper(llvm::StringRef Name) {
  return Name == "memory_posix_memalign" || Name == "memory_aligned_alloc";
}

} // namespace evenkeel

#endif
