//===- Program.h - units become one program to analyse ----------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Knows: the one path from units to facts, wherever the units come from:
// `evenkeel analyze` with a compile database or with programs built with the
// plugin, or ld.lld at a full-LTO link.
// Makes: the linked, optimised module. Units are linked in a canonical order,
// so the facts do not depend on build order, number of jobs or link line.
// Not here: reading units (Unit) and the analysis (Access).
//===----------------------------------------------------------------------===//
#ifndef EVENKEEL_PASSES_FACTS_PROGRAM_H
#define EVENKEEL_PASSES_FACTS_PROGRAM_H

#include "unit/Unit.h"
#include "llvm/IR/LLVMContext.h"
#include <memory>

namespace evenkeel {

struct Program {
  std::unique_ptr<llvm::LLVMContext> Context;
  std::unique_ptr<llvm::Module> M; // null: no unit remains
};

/// Links \p Codes and optimises them as far as the analysis requires. Units
/// that cannot be part of the program are skipped and become problems; the
/// inventory counts them by reason. Paths are relative to EVENKEEL_ROOT, else
/// to the root that ProjectRoot finds for each unit or, with \p RootOfSources,
/// to the folder of the sources.
Program linkProgram(std::vector<UnitCode> Codes,
                    std::vector<UnitProblem> &Problems,
                    bool RootOfSources = false);

/// Removes from \p M, as the front end made it, anything without meaning that
/// differs between builds of the same code.
void normalizeUnit(llvm::Module &M);

/// Makes the paths of each unit that was linked into \p M relative to the root
/// that ProjectRoot finds for that unit alone, as its compilation does; else to
/// its folder. EVENKEEL_ROOT takes precedence.
void setRoots(llvm::Module &M);

} // namespace evenkeel

#endif
