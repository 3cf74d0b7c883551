//===- Units.h - record units as one program --------------------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Knows: formulas refer to the linked program: to wrappers inlined from other
// units, to values that no other unit changes, to one call among several. A
// unit alone shows none of this. So an object carries, besides its own recorded
// code, the unit in the form that is linked for the analysis (Program.h), where
// ld.lld looks for bitcode (--fat-lto-objects). A link that uses it records the
// same program as was analysed.
// Makes: that section, and the linked module in the same state as in `evenkeel
// analyze`: same visibility of symbols and same order of functions.
// Not here: which links use it (utils/wrappers). All other links, and objects
// that were not optimised, contain the recorded code of each unit.
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

/// The bitcode of the unit \p M, simplified and with its inventory; each
/// definition keeps its unit in metadata.
std::string codeForLink(llvm::Module &M);

/// Embeds \p Code in the object file of \p M.
void carryCode(llvm::Module &M, llvm::StringRef Code);

/// Whether \p M was linked from such code.
bool isLinkOfUnits(const llvm::Module &M);

/// Undoes what the linker knows and the analysis does not: that nothing outside
/// the program calls a function.
class OpenedUnits {
  llvm::Module &M;
  std::vector<std::string> Internal;

public:
  /// Brings \p M into the same state as linkProgram (Program.h).
  explicit OpenedUnits(llvm::Module &M);
  /// Makes the functions internal again that the linker had made internal.
  /// Afterwards, isLinkOfUnits(\p M) is false.
  void close();
};

} // namespace evenkeel

#endif
