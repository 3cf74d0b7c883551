//===- Units.h - units that are recorded as one program ---------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Knows: formulas speak of the linked program: of wrappers inlined from other
// units, of values that no other unit changes, of one call among several. A
// unit by itself has none of these. So an object carries, beside its own
// recorded code, the unit as it is linked for the analysis (Program.h), where
// ld.lld looks for bitcode (--fat-lto-objects); a link that takes it records
// the program that was analysed.
// Makes: that section, and the linked module in the state in which `evenkeel
// analyze` has it: symbols as visible and functions in the order as there.
// Leaves out: which links take it (utils/wrappers). Others have the recorded
// code of each unit, as objects do that were not optimised.
//===----------------------------------------------------------------------===//
#ifndef EVENKEEL_PASSES_RECORD_UNITS_H
#define EVENKEEL_PASSES_RECORD_UNITS_H

#include "llvm/ADT/StringRef.h"
#include <string>
#include <vector>

namespace llvm {
class Module;
}

namespace evenkeel {

/// Bitcode of the unit \p M, simplified and with its inventory, whose
/// definitions remember what they were part of.
std::string codeForLink(llvm::Module &M);

/// Leaves \p Code in the object that \p M becomes.
void carryCode(llvm::Module &M, llvm::StringRef Code);

/// Whether a link made \p M of such code.
bool isLinkOfUnits(const llvm::Module &M);

/// What a linker knows of a program and no analysis of units does: that nobody
/// else calls a function.
class OpenedUnits {
  llvm::Module &M;
  std::vector<std::string> Internal;

public:
  /// Brings \p M into the state in which linkProgram (Program.h) has it.
  explicit OpenedUnits(llvm::Module &M);
  /// Makes what the linker had made internal so again. M is no link of units
  /// from then on.
  void close();
};

} // namespace evenkeel

#endif
