//===- Names.h - names of places in kept sources ----------------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Knows: how a place gets its name: of its function and the variable that gets
// the data, or what happens there. A name that is in the source stays.
// Makes: names of new places, and the names in a text.
// Not here: ids (IdsHeader.h).
//===----------------------------------------------------------------------===//
#ifndef EVENKEEL_REWRITER_KEPT_NAMES_H
#define EVENKEEL_REWRITER_KEPT_NAMES_H

#include "IdsHeader.h"
#include "edits/Findings.h"

namespace evenkeel {

/// What a source uses of the generated header.
struct UsedNames {
  std::set<PlaceName> Places;
  std::set<std::string> Words;
  /// The arguments after the name, by name: EK_REGION_VALUES(name, a, s.b).
  std::map<std::string, std::vector<std::string>> Handed;
};
UsedNames namesIn(llvm::StringRef Text);

/// Gives a Tag to each of the \p Findings, which are sorted, with an edit that
/// needs one. Names in \p Taken are not used again.
void nameFindings(std::vector<Finding> &Findings,
                  const std::set<PlaceName> &Taken);

} // namespace evenkeel

#endif
