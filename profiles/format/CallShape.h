//===- CallShape.h - function types as the machine sees them ----*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Knows: a common text for the types of functions that may allocate for callers
// through a pointer (they return a pointer and take a number as wide as a
// pointer), which the rewriter and the passes form alike.
// Not here: structures by value.
//===----------------------------------------------------------------------===//
#ifndef EVENKEEL_FORMAT_CALLSHAPE_H
#define EVENKEEL_FORMAT_CALLSHAPE_H

#include <string>

namespace evenkeel {

/// For a function that returns a pointer; one word for each parameter.
class CallShape {
  std::string Text;
  bool Sized = false;

public:
  void addPointer() { Text += "p "; }
  void addInteger(unsigned Bits) {
    Text += "i" + std::to_string(Bits) + " ";
    Sized |= Bits == 64;
  }
  void addFloat(unsigned Bits) { Text += "f" + std::to_string(Bits) + " "; }
  /// Empty if there is no parameter for a size.
  std::string str() const { return Sized ? Text : ""; }
};

} // namespace evenkeel

#endif
