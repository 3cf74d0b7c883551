//===- StaticArrays.h - large arrays of static storage ----------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Knows: which variables of static storage are objects worth placing.
// Leaves out: memory from allocation calls.
//===----------------------------------------------------------------------===//
#ifndef EVENKEEL_REWRITER_STATICARRAYS_H
#define EVENKEEL_REWRITER_STATICARRAYS_H

#include "Unit.h"

namespace evenkeel {

class StaticArrays {
  Unit &U;

public:
  explicit StaticArrays(Unit &U) : U(U) {}
  void variable(const clang::VarDecl *VD);
};

} // namespace evenkeel

#endif
