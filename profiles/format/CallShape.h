//===- CallShape.h - what the type of a function is to a machine -*- C++
//-*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Knows: how the rewriter and the passes say the type of a function that may
// allocate for whoever calls it through a pointer: it returns a pointer and
// takes a number as wide as one. Not here: structures by value.
//===----------------------------------------------------------------------===//
#ifndef EVENKEEL_FORMAT_CALLSHAPE_H
#define EVENKEEL_FORMAT_CALLSHAPE_H

#include <string>

namespace evenkeel {

/// Of a function that returns a pointer; one word for each parameter.
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
  /// Empty: it takes no size.
  std::string str() const { return Sized ? Text : ""; }
};

} // namespace evenkeel

#endif
