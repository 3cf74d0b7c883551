//===- Carried.h - elements kept for the next round -------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Knows: of p[i] and p[i + 1], compilers load one and keep it for the next
// round; the very first is loaded in front of the loop.
// Makes: that load a part of the walk whose beginning it reads.
//===----------------------------------------------------------------------===//
#ifndef EVENKEEL_PASSES_ACCESS_WALKS_CARRIED_H
#define EVENKEEL_PASSES_ACCESS_WALKS_CARRIED_H
#include <vector>

namespace evenkeel {

struct Access;
struct FunctionInfo;

/// Gives loads in front of a loop the class of what goes on in it from
/// there.
void joinFirsts(const FunctionInfo &FI, std::vector<Access> &Accesses);

} // namespace evenkeel

#endif
