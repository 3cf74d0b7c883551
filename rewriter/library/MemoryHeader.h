//===- MemoryHeader.h - the header of sources that call a library *- C++
//-*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Knows: omp_memory.h and memkind_memory.h, which define the kinds of memory
// that the sources name. They need the library alone.
// Makes: the text, with what the sources use.
// Not here: where the header is (command/Library.h).
//===----------------------------------------------------------------------===//
#ifndef EVENKEEL_REWRITER_LIBRARY_MEMORYHEADER_H
#define EVENKEEL_REWRITER_LIBRARY_MEMORYHEADER_H

#include "unit/CollectOptions.h"
#include "llvm/ADT/StringRef.h"
#include <set>

namespace evenkeel {

/// The functions that the header defines and that \p Source calls.
void addUsedMemory(llvm::StringRef Source, std::set<std::string> &Used);

std::string memoryHeader(LibraryCalls Style, const std::set<std::string> &Used);

/// Whether memoryHeader made \p Text.
bool isMemoryHeader(llvm::StringRef Text);

} // namespace evenkeel

#endif
