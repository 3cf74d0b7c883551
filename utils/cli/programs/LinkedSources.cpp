//===- LinkedSources.cpp - sources of a linked program --------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// See LinkedSources.h.
//===----------------------------------------------------------------------===//
#include "LinkedSources.h"
#include "ElfFile.h"
#include "LoadedLibraries.h"

namespace evenkeel::cli {

std::set<std::string> linkedSources(const std::string &Program) {
  std::set<std::string> Sources;
  for (const std::string &Path : programAndLibraries(Program))
    ElfFile(Path).addSources(Sources);
  return Sources;
}

} // namespace evenkeel::cli
