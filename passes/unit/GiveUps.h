//===- GiveUps.h - give-ups stored in a module ------------------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Knows: !ek.giveups, which carries the number of things that each unit could
// not analyse, by reason, through links and optimisation.
//===----------------------------------------------------------------------===//
#ifndef EVENKEEL_PASSES_UNIT_GIVEUPS_H
#define EVENKEEL_PASSES_UNIT_GIVEUPS_H

#include "llvm/ADT/StringRef.h"
#include <cstdint>
#include <map>
#include <string>

namespace llvm {
class Module;
} // namespace llvm

namespace evenkeel {

/// Adds \p Number to the give-ups of \p M.
void noteGiveUp(llvm::Module &M, llvm::StringRef Why, uint64_t Number = 1);
/// The give-ups that \p M carries: reason -> number.
std::map<std::string, uint64_t> notedGiveUps(const llvm::Module &M);

} // namespace evenkeel

#endif
