//===- VariadicLists.h - where va_start leaves pointers ---------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Knows: the layout of the lists through which variadic functions get their
// arguments, on the processors that we know.
//===----------------------------------------------------------------------===//
#ifndef EVENKEEL_PASSES_OBJECTS_VARIADICLISTS_H
#define EVENKEEL_PASSES_OBJECTS_VARIADICLISTS_H

#include <cstdint>

namespace evenkeel {

/// A list that va_start fills keeps pointers to the arguments in its first
/// three words: the second and third (System V ABI for x86-64, 3.5.7), all of
/// them (AAPCS64, variable argument lists), or the first, where it is a
/// pointer.
constexpr int64_t ListWords[] = {0, 8, 16};
constexpr int64_t ListBytes = 32; // of the largest

} // namespace evenkeel

#endif
