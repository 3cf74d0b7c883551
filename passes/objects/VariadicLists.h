//===- VariadicLists.h - layout of va_list ----------------------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Knows: the layout of the lists through which variadic functions get their
// arguments, on the supported processors.
//===----------------------------------------------------------------------===//
#ifndef EVENKEEL_PASSES_OBJECTS_VARIADICLISTS_H
#define EVENKEEL_PASSES_OBJECTS_VARIADICLISTS_H

#include <cstdint>

namespace evenkeel {

/// A list filled by va_start keeps pointers to the arguments in its first three
/// words: in the second and third (System V ABI for x86-64, 3.5.7), in all of
/// them (AAPCS64, variable argument lists), or in the first, if it is a plain
/// pointer.
constexpr int64_t ListWords[] = {0, 8, 16};
constexpr int64_t ListBytes = 32; // the largest layout

} // namespace evenkeel

#endif
