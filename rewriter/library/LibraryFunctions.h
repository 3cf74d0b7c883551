//===- LibraryFunctions.h - what libraries do with blocks -------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Knows: functions of libraries (C, C++, MPI, ...) neither free blocks of the
// program nor return blocks that it has to free, except for those listed here.
// Not here: allocation functions (allocators/).
//===----------------------------------------------------------------------===//
#ifndef EVENKEEL_REWRITER_LIBRARY_LIBRARYFUNCTIONS_H
#define EVENKEEL_REWRITER_LIBRARY_LIBRARYFUNCTIONS_H

#include "unit/Unit.h"

namespace evenkeel {

struct LibraryFunction {
  bool Nothing = false;   ///< passes no pointer on: output, mathematics
  bool Allocates = false; ///< a block for free: strdup, getline
  bool Frees = false;     ///< the block of its first argument: getline
  bool Owns = false;      ///< its object frees what it gets: unique_ptr
  bool CallsBack = false; ///< calls a function that it is given: qsort
};

LibraryFunction libraryFunction(const clang::FunctionDecl *FD);

/// Whether an argument of type \p T keeps no pointers of the program: a FILE,
/// a stream.
bool libraryKeepsOut(clang::QualType T);

} // namespace evenkeel

#endif
