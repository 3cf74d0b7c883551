//===- WrapperBodies.h - blocks passed to callers ---------------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Knows: a function is an allocation wrapper if its callers get a block that it
// allocates: as its result, or in memory that is passed to it or returned (a
// member, an element, a parameter). Wrappers are found in code as the front end
// made it, by the same rules as the rewriter uses on the syntax tree
// (rewriter/allocators/WrapperFunctions.h).
// Makes: what one body shows, with the names of the functions on which the
// answer depends.
// Not here: those functions, and calls (WrapperCalls.h).
//===----------------------------------------------------------------------===//
#ifndef EVENKEEL_PASSES_OBJECTS_WRAPPERBODIES_H
#define EVENKEEL_PASSES_OBJECTS_WRAPPERBODIES_H

#include "unit/Source.h"
#include <set>

namespace evenkeel {

/// The properties of a function. It is a wrapper if it returns or stores
/// blocks. Other functions are named by keyOf.
struct Wrapper {
  bool Returns = false, Makes = false;
  std::set<std::string> ReturnsOf; // returns a block if one of these wrappers
                                   // does
  std::set<std::string> StoresOf;  // the same for blocks stored in memory
  std::set<std::string> Calls;     // allocates if one of these functions does

  bool is() const { return Returns || Makes; }
  bool mayBe() const {
    return is() || !ReturnsOf.empty() || !StoresOf.empty() || !Calls.empty();
  }
};

/// The linker's name of \p F; for internal functions, together with the unit.
std::string keyOf(const llvm::Function &F);
/// Whether the declaration of \p F allows it to be a wrapper.
bool mayBeWrapper(const llvm::Function &F, const SourceMap &Source);
/// Examines the body of \p F, if it has one, and the user's list.
Wrapper examineBody(const llvm::Function &F, const SourceMap &Source);

/// Whether \p F can be a wrapper only for its own unit, because linkers have no
/// name for it.
bool isOfUnitAlone(const llvm::Function &F);
/// The key for all functions of \p M that an indirect call of type \p T may
/// run, if they could allocate for it; empty: they could not.
std::string pointerKey(const llvm::FunctionType &T, const llvm::Module &M);
/// Whether \p CB calls a class's operator new for one object that is too small
/// to be placed.
bool makesSmallObject(const llvm::CallBase &CB, const llvm::Function &Callee);
/// Whether \p CB gives a container of the standard library a number of
/// elements, allocated by the program's own allocator.
bool fillsOwnContainer(const llvm::CallBase &CB, const llvm::Function &Callee);

} // namespace evenkeel

#endif
