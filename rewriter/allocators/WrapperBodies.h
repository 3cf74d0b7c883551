//===- WrapperBodies.h - what functions give to their callers ---*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Knows: a function is an allocation wrapper if its callers get a block that it
// allocates: as what it returns, or in memory that it is handed or returns (a
// member, an element, a parameter). The passes find the same in the code
// (passes/objects/WrapperBodies.h).
// Makes: what one body shows, with the other functions that decide.
// Not here: those other functions (WrapperFunctions.h).
//===----------------------------------------------------------------------===//
#ifndef EVENKEEL_REWRITER_WRAPPERBODIES_H
#define EVENKEEL_REWRITER_WRAPPERBODIES_H

#include "PointerTargets.h"
#include "clang/AST/ExprCXX.h"
#include <set>

namespace evenkeel {

/// What is known of a function. It is a wrapper if it returns or makes blocks.
struct Wrapper {
  using Functions = std::set<const clang::FunctionDecl *>;
  bool Returns = false, Makes = false;
  bool MayReturn = false, MayMake = false; // if functions of other units do
  Functions ReturnsOf;                     // what wrappers among these give it
  Functions StoresOf;                      // the same, in memory
  Functions Calls;                         // makes blocks if one of these does

  bool is() const { return Returns || Makes; }
  bool mayBe() const { return is() || MayReturn || MayMake; }
};

/// Whether the types of \p FD let its callers get a block.
bool mayGiveBlock(const clang::FunctionDecl *FD);
/// By the body of \p FD, a definition.
Wrapper lookAtBody(const Unit &U, const clang::FunctionDecl *FD,
                   PointerTargets &Targets);
/// Whether \p NE makes one object that is too small to be placed, and nothing
/// but it.
bool makesSmallObject(const Unit &U, const clang::CXXNewExpr *NE);
/// Whether \p FD fills a container of the standard library by number, with
/// memory of an allocator of the program's own.
bool fillsOwnContainer(const Unit &U, const clang::FunctionDecl *FD);

} // namespace evenkeel

#endif
