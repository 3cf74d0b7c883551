//===- Carried.h - elements kept for the next iteration ---------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Knows: of p[i] and p[i + 1], compilers load one and keep it for the next
// iteration; the very first is loaded before the loop.
// Makes: that load a part of the walk whose start it reads.
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
