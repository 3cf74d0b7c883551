//===- BinaryFacts.h - facts of programs without sources --------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Knows: what the debug information and the code of linked programs and
// libraries tell without their sources, in any language: the source places of
// call stacks that allocate, large static variables, and the calls after which
// tasks have waited (parallel regions of GCC's and LLVM's OpenMP, MPI from C
// and Fortran). Makes: facts with these sites and sync points; nothing about
// accesses. A site is the innermost place in a file of the program's own.
// Not here: which call stacks there are, and what was accessed (TouchProfile).
//===----------------------------------------------------------------------===//
#ifndef EVENKEEL_PASSES_STACKS_BINARYFACTS_H
#define EVENKEEL_PASSES_STACKS_BINARYFACTS_H

#include "Binary.h"
#include "format/Facts.h"
#include <map>
#include <set>

namespace evenkeel {

/// An address within a call, as linked.
struct CodePlace {
  std::string Module; // name of the file, without folders
  uint64_t Address = 0;
};

class BinaryFacts {
  std::vector<LinkedFile> &Files;
  const uint64_t LeastBytes;
  std::string Root;
  Facts Out;
  std::set<uint64_t> Known;

  std::string inRoot(const std::string &File) const;
  std::optional<uint64_t> siteIn(LinkedFile &B, uint64_t Address);
  void addSyncs(LinkedFile &B);
  void addVariables(LinkedFile &B);

public:
  /// A large variable's site, with its name for people.
  std::map<std::string, std::map<std::string, uint64_t>> Variables; // by module

  /// Static variables smaller than \p LeastBytes are no sites.
  BinaryFacts(std::vector<LinkedFile> &Files, uint64_t LeastBytes);
  /// The site of the call stack \p Stack, innermost frame first; 0: no frame
  /// has a place in these files.
  uint64_t siteOf(const std::vector<CodePlace> &Stack);
  const Facts &facts() const { return Out; }
};

} // namespace evenkeel

#endif
