//===- SystemHeaders.h - which headers belong to the system -----*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Knows: a header belongs to the system if it was found in a system folder or
// declares itself a system header (a pragma, a line marker). Unlike in Clang,
// headers that it includes do not inherit this: CMake gathers a project's own
// headers for precompilation after `#pragma clang system_header`.
//===----------------------------------------------------------------------===//
#ifndef EVENKEEL_REWRITER_SYSTEMHEADERS_H
#define EVENKEEL_REWRITER_SYSTEMHEADERS_H

#include "clang/Basic/SourceLocation.h"

namespace clang {
class HeaderSearch;
class SourceManager;
} // namespace clang

namespace evenkeel {

/// \p Loc must be in a file, not in a macro. \p Headers is the search that
/// found the file.
bool isInSystemHeader(const clang::SourceManager &SM,
                      const clang::HeaderSearch &Headers,
                      clang::SourceLocation Loc);

} // namespace evenkeel

#endif
