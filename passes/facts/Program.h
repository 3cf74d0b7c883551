//===- Program.h - units become one program to analyse ----------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Knows: the one way from units to facts, whoever hands over the units:
// `evenkeel analyze` from a compile database, from programs that were built
// with the plugin, or ld.lld at a full-LTO link.
// Makes: the linked, optimised module. Units are linked in an order of their
// own, so that neither build order nor jobs nor link line show in the facts.
// Leaves out: reading units (Unit) and the analysis (Access).
//===----------------------------------------------------------------------===//
#ifndef EVENKEEL_PASSES_FACTS_PROGRAM_H
#define EVENKEEL_PASSES_FACTS_PROGRAM_H

#include "unit/Unit.h"
#include "llvm/IR/LLVMContext.h"
#include <memory>

namespace evenkeel {

struct Program {
  std::unique_ptr<llvm::LLVMContext> Context;
  std::unique_ptr<llvm::Module> M; // null: no unit is left
};

/// Links \p Units and optimises as far as the analysis wants it. Units that
/// cannot be part of the program are left out and become problems; the
/// inventory counts them by reason. Paths are relative to EVENKEEL_ROOT, else
/// to the root that ProjectRoot finds for each unit or, with \p RootOfSources,
/// to the folder of the sources.
Program linkProgram(std::vector<UnitCode> Units,
                    std::vector<UnitProblem> &Problems,
                    bool RootOfSources = false);

/// Drops from \p M, as the front end made it, what differs between builds of
/// the same code and is none of its meaning.
void normalizeUnit(llvm::Module &M);

/// Lets paths of each unit that \p M was linked from be relative to the root
/// that ProjectRoot finds for it alone, as whoever compiles it does; else to
/// its folder. EVENKEEL_ROOT still wins.
void setRoots(llvm::Module &M);

} // namespace evenkeel

#endif
