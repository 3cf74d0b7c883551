//===- Unit.h - units embedded in object files ------------------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Knows: how a unit's bitcode, as the front end made it, travels in the object
// file: compressed, in a section that is never loaded and that linkers
// concatenate. So a program contains all of its units, and no two compilers
// ever write to the same file.
// Makes: the section (embed), and units again from programs, libraries,
// archives, objects and bitcode (read).
// Not here: the use of units (Program).
//===----------------------------------------------------------------------===//
#ifndef EVENKEEL_PASSES_UNIT_UNIT_H
#define EVENKEEL_PASSES_UNIT_UNIT_H

#include "llvm/Passes/OptimizationLevel.h"
#include "llvm/Support/Error.h"
#include <string>
#include <vector>

namespace llvm {
class Module;
}

namespace evenkeel {

inline constexpr char UnitSection[] = ".evenkeel.unit";

struct UnitCode {
  std::string Name;    // as given to the compiler
  std::string Bitcode; // not compressed
};

/// A unit, or a file with units, that cannot be analysed.
struct UnitProblem {
  std::string Reason;   // named, as in facts.json
  std::string Line;     // one sentence for users
  bool Partial = false; // the rest can still be analysed
};

/// Embeds the code of \p M in a section of its own, without the attributes that
/// the optimisation level \p Level adds to prevent optimisation.
void embedUnit(llvm::Module &M, llvm::OptimizationLevel Level);

/// The bitcode of \p M, unchanged.
std::string bitcodeOf(const llvm::Module &M);

/// The units whose sections \p M carries; at a full-LTO link, the units of the
/// linked objects.
std::vector<UnitCode> embeddedUnits(const llvm::Module &M,
                                    std::vector<UnitProblem> &Problems);

/// Appends the units of the file \p Path to \p Units. A unit that is damaged or
/// written by another LLVM, and a file without units, becomes a problem.
void readUnits(llvm::StringRef Path, std::vector<UnitCode> &Units,
               std::vector<UnitProblem> &Problems);

/// Why this LLVM cannot read \p Bitcode; empty: it can.
std::string foreignBitcode(llvm::StringRef Bitcode);

} // namespace evenkeel

#endif
