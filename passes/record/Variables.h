//===- Variables.h - environment variables of a program ---------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Makes: marks in the program's file that tell `evenkeel record` which
// environment variables the program reads (format/inputs/ek_input.h).
//===----------------------------------------------------------------------===//
#ifndef EVENKEEL_PASSES_RECORD_VARIABLES_H
#define EVENKEEL_PASSES_RECORD_VARIABLES_H

namespace llvm {
class Module;
}

namespace evenkeel {

/// Marks the variables that \p M asks for by a literal name.
void markVariables(llvm::Module &M);

} // namespace evenkeel

#endif
