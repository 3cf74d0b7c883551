//===- HandedVariables.h - values to hand over before a region --*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Knows: which integer variables a parallel region finds with a value that it
// does not change, and which of them the code before the region may read: plain
// variables and members. It may read a member through a pointer only if every
// thread of the region reads it, too.
// Makes: their spellings, and the ids that the passes give to their symbols
// (access/formulas/SymbolTable.cpp). Rule: rules/region-values.md.
//===----------------------------------------------------------------------===//
#ifndef EVENKEEL_REWRITER_HANDEDVARIABLES_H
#define EVENKEEL_REWRITER_HANDEDVARIABLES_H

#include "unit/Unit.h"

namespace evenkeel {

/// What tells the function from others at its place in the ids of symbols: the
/// link name of a C++ function. Nullopt if the function has several instances.
std::optional<std::string> instanceOf(const Unit &U,
                                      const clang::FunctionDecl *FD);

/// The variables of \p D, which is on top of the unit's statement stack, in
/// the order of their first use; empty if \p D is no outermost parallel region
/// of a function that has one instance.
std::vector<HandedVariable>
handedVariables(Unit &U, const clang::OMPExecutableDirective *D);

/// The call that hands them over before region \p Region; empty: no variables.
std::string handingOver(uint64_t Region,
                        const std::vector<HandedVariable> &Variables);
/// The same in sources that are kept, for the region's name.
std::string handingOver(const std::vector<HandedVariable> &Variables);

} // namespace evenkeel

#endif
