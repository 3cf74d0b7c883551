//===- Carried.h - elements kept for the next iteration ---------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Knows: if a loop reads p[i] and p[i + 1], compilers load p[i + 1] and keep it
// for the next iteration; they load the very first element before the loop.
// Makes: that first load a part of the walk that continues from it.
//===----------------------------------------------------------------------===//
#ifndef EVENKEEL_PASSES_ACCESS_WALKS_CARRIED_H
#define EVENKEEL_PASSES_ACCESS_WALKS_CARRIED_H
#include <vector>

namespace evenkeel {

struct Access;
struct FunctionInfo;

/// Gives loads before a loop the class of the walk that continues from there.
void joinFirsts(const FunctionInfo &FI, std::vector<Access> &Accesses);

} // namespace evenkeel

#endif
