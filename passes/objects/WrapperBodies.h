//===- WrapperBodies.h - what functions give to their callers ---*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Knows: a function is an allocation wrapper if its callers get a block that it
// allocates: as what it returns, or in memory that it is handed or returns (a
// member, an element, a parameter). Found in code as the front end made it, by
// the rules by which the rewriter finds it in the syntax tree
// (rewriter/allocators/WrapperFunctions.h).
// Makes: what one body shows, with the names of other functions that decide.
// Leaves out: those other functions, and calls (WrapperCalls.h).
//===----------------------------------------------------------------------===//
#ifndef EVENKEEL_PASSES_OBJECTS_WRAPPERBODIES_H
#define EVENKEEL_PASSES_OBJECTS_WRAPPERBODIES_H

#include "unit/Source.h"
#include <set>

namespace evenkeel {

/// What is known of a function. It is a wrapper if it returns or makes blocks.
/// Others are known by keyOf.
struct Wrapper {
  bool Returns = false, Makes = false;
  std::set<std::string> ReturnsOf; // what wrappers among these give it
  std::set<std::string> StoresOf;  // the same, in memory
  std::set<std::string> Calls;     // makes blocks if one of these does

  bool is() const { return Returns || Makes; }
  bool mayBe() const {
    return is() || !ReturnsOf.empty() || !StoresOf.empty() || !Calls.empty();
  }
};

/// What linkers know \p F by; with its unit where they do not.
std::string keyOf(const llvm::Function &F);
/// By what the declaration of \p F says.
bool mayBeWrapper(const llvm::Function &F, const SourceMap &Source);
/// By the body of \p F, if it has one, and by what people say.
Wrapper lookAtBody(const llvm::Function &F, const SourceMap &Source);

/// Whether \p F is a wrapper only if its own unit shows it: calls of it have no
/// name for linkers.
bool isOfUnitAlone(const llvm::Function &F);
/// What functions of \p M together are that a call of type \p T through a
/// pointer may run, if they could allocate for it; empty: they could not.
std::string pointerKey(const llvm::FunctionType &T, const llvm::Module &M);
/// Whether \p CB is a call of a class's operator new for one object that is too
/// small to be placed.
bool makesSmallObject(const llvm::CallBase &CB, const llvm::Function &Callee);
/// Whether \p CB fills a container of the standard library by number, with
/// memory of an allocator of the program's own.
bool fillsOwnContainer(const llvm::CallBase &CB, const llvm::Function &Callee);

} // namespace evenkeel

#endif
