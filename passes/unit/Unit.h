//===- Unit.h - a unit's code inside its object file ------------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Knows: how the bitcode of a unit, as the front end made it, travels with the
// object: compressed, in a section that is never loaded and that linkers append
// to others of its name. So a program tells about all of its units, and no two
// compilers ever write to one file.
// Makes: the section (embed), and units again from programs, libraries,
// archives, objects and bitcode (read).
// Leaves out: what is done with units (Program).
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
  std::string Name;    // as the compiler was told it
  std::string Bitcode; // not compressed
};

/// A unit, or a file of units, that cannot be analysed.
struct UnitProblem {
  std::string Reason;   // named, as in facts.json
  std::string Line;     // one sentence for people
  bool Partial = false; // the rest is worth analysing all the same
};

/// Puts the code of \p M into its own section, without what the optimisation
/// level \p Level put there to keep optimisers away.
void embedUnit(llvm::Module &M, llvm::OptimizationLevel Level);

/// Bitcode of \p M as it is.
std::string bitcodeOf(const llvm::Module &M);

/// The units whose sections \p M carries: at a full-LTO link, those of the
/// objects that were linked.
std::vector<UnitCode> embeddedUnits(const llvm::Module &M,
                                    std::vector<UnitProblem> &Problems);

/// The units of the file \p Path, appended to \p Units. What is broken, or of
/// another LLVM, or has no unit, becomes a problem.
void readUnits(llvm::StringRef Path, std::vector<UnitCode> &Units,
               std::vector<UnitProblem> &Problems);

/// Empty, or why this LLVM shall not read \p Bitcode.
std::string foreignBitcode(llvm::StringRef Bitcode);

} // namespace evenkeel

#endif
