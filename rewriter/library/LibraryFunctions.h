//===- LibraryFunctions.h - what libraries do with blocks -------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Knows: functions of libraries (C, C++, MPI, ...) do not free blocks of the
// program, except for those listed here. C functions may return blocks that the
// program has to free, except for those listed here.
// Not here: allocation functions (allocators/).
//===----------------------------------------------------------------------===//
#ifndef EVENKEEL_REWRITER_LIBRARY_LIBRARYFUNCTIONS_H
#define EVENKEEL_REWRITER_LIBRARY_LIBRARYFUNCTIONS_H

#include "unit/Unit.h"

namespace evenkeel {

struct LibraryFunction {
  bool Nothing = false;   ///< passes no pointer on: output, mathematics
  bool Allocates = false; ///< may make a block for free: strdup, asprintf
  bool IsNew = false;     ///< and nothing that the program had before
  bool Frees = false;     ///< or keeps what it is given: getline
  bool Owns = false;      ///< its object frees what it gets: unique_ptr
  bool CallsBack = false; ///< calls a function that it is given: qsort
  bool Copies = false;    ///< bytes, pointers among them: memcpy
};

LibraryFunction libraryFunction(const clang::FunctionDecl *FD);

/// Whether an argument of type \p T keeps no pointers of the program: a FILE,
/// a stream.
bool libraryKeepsOut(clang::QualType T);

} // namespace evenkeel

#endif
