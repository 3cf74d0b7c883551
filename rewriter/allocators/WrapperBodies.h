//===- WrapperBodies.h - blocks that callers get ----------------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Knows: a function is an allocation wrapper if its callers get a block that it
// allocates, either as its return value or in memory that it receives or
// returns (a member, an element, a parameter). The passes find the same
// wrappers in the IR (passes/objects/WrapperBodies.h).
// Makes: the result of scanning one body, with the callees that it depends on.
// Not here: those callees (WrapperFunctions.h).
//===----------------------------------------------------------------------===//
#ifndef EVENKEEL_REWRITER_WRAPPERBODIES_H
#define EVENKEEL_REWRITER_WRAPPERBODIES_H

#include "PointerTargets.h"
#include "clang/AST/ExprCXX.h"
#include <set>

namespace evenkeel {

/// Whether a function is a wrapper: it is if it returns blocks or stores them
/// for its callers.
struct Wrapper {
  using Functions = std::set<const clang::FunctionDecl *>;
  bool Returns = false, Makes = false;
  bool MayReturn = false,
       MayMake = false; // depends on functions of other units
  Functions ReturnsOf;  // returns a block if one of these does
  Functions StoresOf;   // stores a block if one of these returns one
  Functions Calls;      // stores a block if one of these does

  bool is() const { return Returns || Makes; }
  bool mayBe() const { return is() || MayReturn || MayMake; }
};

/// Whether the types in the signature of \p FD let its callers get a block.
bool mayGiveBlock(const clang::FunctionDecl *FD);
/// Scans the body of \p FD, which is a definition.
Wrapper scanBody(const Unit &U, const clang::FunctionDecl *FD,
                 PointerTargets &Targets);
/// Whether \p NE allocates a single object that is too small to be placed.
bool makesSmallObject(const Unit &U, const clang::CXXNewExpr *NE);
/// Whether \p FD fills a standard container with a given number of elements,
/// using an allocator of the program.
bool fillsOwnContainer(const Unit &U, const clang::FunctionDecl *FD);

} // namespace evenkeel

#endif
